// Adaptive regularization: A. Ho, thesis of 2022, §5.4 and algorithm 9.

#include "solvers/pivoting/adaptive_regularization.h"

#include <algorithm>
#include <cmath>

namespace drystone {

void RegularizationSettings::visit(SettingVisitor& visitor) {
  visitor.boolean(
      {"adaptive_regularization", "", "friction rows that pivot again and again become compliant"},
      enabled);
  visitor.integer({"regularization_pivots", "", "pivots of a friction row before it becomes so"},
                  pivotLimit, 1, 1'000'000);
}

void AdaptiveRegularization::reserve(const ProblemSize& size) {
  block_.reserve(size.rows);
  pivots_.reserve(size.rows);
  limit_.reserve(size.blocks);
  compliance_.reserve(size.rows);
  due_.reserve(size.blocks);
}

void AdaptiveRegularization::start(const ContactProblem& problem) {
  problem_ = problem;
  clear();
  changes_ = 0;
  if (!settings.enabled) return;
  block_.assign(problem.rowCount(), -1);
  pivots_.assign(problem.rowCount(), 0);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (block.law != BlockLaw::kContact) continue;
    for (int row = block.firstRow + 1; row < block.firstRow + block.rows; ++row) block_[row] = c;
  }
}

void AdaptiveRegularization::clear() {
  changes_ += isUsed_ ? 1 : 0;
  isUsed_ = false;
  limit_.assign(problem_.blockCount(), settings.pivotLimit);
  compliance_.assign(problem_.rowCount(), 0);
  due_.clear();
}

void AdaptiveRegularization::startRun() {
  std::fill(pivots_.begin(), pivots_.end(), 0);
  due_.clear();
}

void AdaptiveRegularization::countPivot(int row) {
  if (!settings.enabled || block_[row] < 0) return;
  if (++pivots_[row] > limit_[block_[row]]) due_.push_back(block_[row]);
}

bool AdaptiveRegularization::endRound() {
  if (due_.empty()) return false;
  for (const int c : due_) {
    const ProblemBlock& block = problem_.blocks[c];
    const int* first = pivots_.data() + block.firstRow;
    // The other tangent may have been the reason, and have been served.
    if (*std::max_element(first + 1, first + block.rows) <= limit_[c]) continue;
    for (int row = block.firstRow + 1; row < block.firstRow + block.rows; ++row) {
      compliance_[row] += settings.amount;
    }
    limit_[c] *= 2;
  }
  due_.clear();
  isUsed_ = true;
  ++changes_;
  return true;
}

void AdaptiveRegularization::soften(std::span<const Real> lambda, std::span<Real> w) const {
  const std::span<const Real> added = compliance();
  for (std::size_t row = 0; row < added.size(); ++row) w[row] += added[row] * lambda[row];
}

void AdaptiveRegularization::describe(ImpulseView answer, SolverReport& report) const {
  report.regularizedRows = 0;
  report.addedCompliance = report.relaxationError = 0;
  if (!isUsed_) return;
  for (const ProblemBlock& block : problem_.blocks) {
    Real squaredSlip = 0;
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (compliance_[row] == 0) continue;
      ++report.regularizedRows;
      report.addedCompliance = std::max(report.addedCompliance, compliance_[row]);
      if (answer.state[row] != RowState::kFree) continue;
      squaredSlip += std::pow(compliance_[row] * answer.lambda[row], 2);
    }
    // De Saxcé's shift opens the contact by μ times the slip.
    const Real opening = problem_.friction == FrictionModel::kCone ? block.friction : 0;
    report.relaxationError =
        std::max(report.relaxationError, (1 + opening) * std::sqrt(squaredSlip));
  }
}

}  // namespace drystone
