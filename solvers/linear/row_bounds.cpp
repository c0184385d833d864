#include "solvers/linear/row_system.h"

#include "solvers/problem/idle_rows.h"

namespace drystone {

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
  const ContactProblem& problem = rows.problem();
  const Real still = stillVelocity(problem.b);
  for (int row = 0; row < rows.rowCount(); ++row) {
    if (!rows.isIdle(row)) continue;
    const IdleAnswer answer = idleAnswer(problem.b[row], lower[row], upper[row], still);
    isPossible = isPossible && answer.isPossible;
    lower[row] = upper[row] = answer.lambda;
  }
  return isPossible;
}

}  // namespace drystone
