#include "solvers/direct/row_bounds.h"

#include <cmath>

namespace drystone {
namespace {

/// |w| that counts as 0, over the largest |b|.
constexpr Real kStill = 1e-10;

}  // namespace

void RowBounds::reserve(const ProblemSize& size) {
  lower.reserve(size.rows);
  upper.reserve(size.rows);
}

void RowBounds::assign(const ContactProblem& problem) {
  lower.resize(problem.rowCount());
  upper.resize(problem.rowCount());
  for (const ProblemBlock& block : problem.blocks) {
    for (int i = 0; i < block.rows; ++i) {
      const int row = block.firstRow + i;
      const bool contact = block.law == BlockLaw::kContact;
      lower[row] = contact ? 0 : problem.lower[row];
      upper[row] = contact ? (i == 0 ? kInfinity : 0) : problem.upper[row];
    }
  }
}

void RowBounds::setFriction(const ProblemBlock& block, Real radius) {
  for (int row = block.firstRow + 1; row < block.firstRow + block.rows; ++row) {
    lower[row] = -radius;
    upper[row] = radius;
  }
}

void RowBounds::assignKnown(const ContactProblem& problem) {
  assign(problem);
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kContact) setFriction(block, block.friction * block.normalBound);
  }
}

bool RowBounds::fixIdleRows(const RowSystem& rows) {
  bool isPossible = true;
  if (!rows.hasIdleRows()) return true;
  const Real still = kStill * rows.velocityScale();
  for (int row = 0; row < rows.rowCount(); ++row) {
    if (!rows.isIdle(row) || lower[row] == upper[row]) continue;
    const Real w = rows.problem().b[row];
    const bool hasLower = std::isfinite(lower[row]), hasUpper = std::isfinite(upper[row]);
    isPossible = isPossible && (w >= -still || hasUpper) && (w <= still || hasLower);
    const bool isUpper = hasUpper && (w < -still || !hasLower);
    const Real bound = isUpper ? upper[row] : hasLower ? lower[row] : 0;
    lower[row] = upper[row] = bound;
  }
  return isPossible;
}

}  // namespace drystone
