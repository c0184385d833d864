#include "solvers/pivoting/interior_point.h"

namespace drystone {
namespace {

/// Refinements of a corrector's step; a predictor's only chooses μ. A solve in the space of the
/// bodies loses a share of some 1e-7 where the compliance is that small beside A_ii.
constexpr int kInteriorCorrections = 1;

}  // namespace

void InteriorPoint::reserve(const ProblemSize& size) {
  InteriorPath::reserve(size.rows);
  step_.reserve(size.rows);
}

void InteriorPoint::attach(RowSystem& rows, FreeSystem& system) {
  rows_ = &rows;
  system_ = &system;
}

void InteriorPoint::evaluateGradient(std::span<const Real> lambda, std::span<Real> w) {
  rows_->velocity(lambda, w);
}

Real InteriorPoint::errorOf(std::span<const Real> lambda, std::span<const Real> w) {
  return complementarityError(*rows_, *bounds_, lambda, w);
}

Real InteriorPoint::toleranceAt(std::span<const Real> lambda) {
  return signTolerance(*rows_, settings_->tolerance, lambda);
}

void InteriorPoint::record(int step, Real error) {
  if (history_ != nullptr) history_->add(step, error);
}

bool InteriorPoint::factor() {
  FreeBasis& basis = system_->basis();
  const ContactProblem& problem = rows_->problem();
  basis.begin(problem);
  const std::span<const InteriorSides::Unknown> bounded = sides().unknowns();
  auto next = bounded.begin();
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      Real stiffness = 0;
      if (next != bounded.end() && next->index == row) {
        stiffness = InteriorSides::stiffness(*next++);
      }
      if (isFree(row)) basis.addRow(row, stiffness);
    }
  }
  basis.end();
  return system_->factor();
}

std::span<const Real> InteriorPoint::solveStep(std::span<const Real> right, bool corrects) {
  system_->solve(right, step_, corrects ? kInteriorCorrections : 0);
  return step_;
}

PivotOutcome InteriorPoint::run(const RowBounds& bounds, const PivotSettings& settings,
                                IndexSets& sets, std::span<Real> lambda, ResidualHistory* history) {
  bounds_ = &bounds;
  settings_ = &settings;
  history_ = history;
  step_.resize(lambda.size());
  const Outcome found =
      follow({bounds.lower, bounds.upper, rows_->diagonals(), rows_->velocityScale()},
             settings.maxRounds, lambda);
  PivotOutcome outcome;
  switch (found.end) {
    case End::kSolved:
      outcome.status = SolveStatus::kConverged;
      break;
    case End::kStalled:
      outcome.status = SolveStatus::kStalled;
      break;
    case End::kStepLimit:
      outcome.status = SolveStatus::kIterationLimit;
      break;
    case End::kSpent:
      outcome.endAtLimit(settings.allowance);
      break;
    case End::kFactorFailed:
      outcome.status = SolveStatus::kNumericalFailure;
      break;
  }
  outcome.error = found.error;
  outcome.rounds = found.steps;
  const std::span<const RowState> states = classify();
  for (int row = 0; row < sets.size(); ++row) {
    outcome.pivots += states[row] != sets[row] ? 1 : 0;
    sets.set(row, states[row]);
  }
  return outcome;
}

}  // namespace drystone
