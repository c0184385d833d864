#include "solvers/direct/bpp.h"

#include <algorithm>

#include "engine/core/timer.h"
#include "solvers/residual.h"

namespace drystone {
namespace {

/// Rows up to which an assembled problem is factored densely, which allocates nothing when warm.
constexpr int kDenseRows = 300;

/// Damped steps before the first rescue: most problems that they solve take fewer.
constexpr int kFirstDamped = 25;
/// Sweeps of the first rescue; each further one gets four times as many.
constexpr int kFirstSweeps = 100;

bool needsCoupling(const ContactProblem& problem) {
  if (problem.friction != FrictionModel::kPyramid && problem.friction != FrictionModel::kCone) {
    return false;
  }
  return std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const ProblemBlock& block) {
    return block.law == BlockLaw::kContact && block.friction > 0;
  });
}

}  // namespace

const SolverTraits& BlockPrincipalPivotingSolver::traits() const {
  static const SolverTraits kTraits = [] {
    SolverTraits traits;
    traits.name = "bpp";
    traits.summary = "block principal pivoting with a direct factor of the free system";
    traits.source = "Júdice and Pires 1994; Ho 2022, §2.5";
    traits.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid,
                             FrictionModel::kCone};
    traits.exact = true;
    return traits;
  }();
  return kTraits;
}

void BlockPrincipalPivotingSolver::visitSettings(SettingVisitor& visitor) {
  settings_.pivoting.visit(visitor);
  settings_.newton.visit(visitor);
}

void BlockPrincipalPivotingSolver::reserve(const ProblemSize& size) {
  rows_.reserve(size);
  bodyFactor_.reserve(size);
  system_.reserve(size);
  candidate_.reserve(size);
  pivoting_.reserve(size);
  states_.reserve(size);
  newton_.reserve(size);
  sweeps_.reserve(size);
  sets_.reserve(size.rows);
  bounds_.lower.reserve(size.rows);
  bounds_.upper.reserve(size.rows);
  w_.reserve(size.rows);
  startLambda_.reserve(size.rows);
  startState_.reserve(size.rows);
}

FreeFactor& BlockPrincipalPivotingSolver::chooseFactor(const ContactProblem& problem) {
  if (problem.assembled == nullptr) return bodyFactor_;
  if (problem.rowCount() <= kDenseRows) return denseFactor_;
  return sparseFactor_;
}

SolverReport BlockPrincipalPivotingSolver::solve(const ContactProblem& problem,
                                                 ImpulseView impulses) {
  const Timer timer;
  history_.clear();
  SolverReport report;
  if (!traits().supports(problem.friction)) {
    report.status = SolveStatus::kUnsupported;
    return report;
  }
  rows_.prepare(problem, false);
  system_.attach(rows_, chooseFactor(problem));
  candidate_.attach(rows_, system_);
  if (needsCoupling(problem)) {
    solveCoupled(impulses, timer, report);
  } else {
    solveFixedBounds(impulses, timer, report);
  }
  report.factorizations = system_.factorizations();
  report.regularization = system_.regularization();
  report.assemblyMs = rows_.assemblyMs();
  report.timeMs = timer.milliseconds();
  return report;
}

void BlockPrincipalPivotingSolver::solveFixedBounds(ImpulseView impulses, const Timer& timer,
                                                    SolverReport& report) {
  const ContactProblem& problem = rows_.problem();
  bounds_.assign(problem);
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kContact) {
      bounds_.setFriction(block, block.friction * block.normalBound);
    }
  }
  startLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  startState_.assign(impulses.state.begin(), impulses.state.end());
  pivot(impulses, report);
  if (report.status == SolveStatus::kConverged) return;

  // Damped steps from the better of the start and the best candidate, then pivots from the sets
  // that these end in; of all answers the best.
  const SolveStatus verdict = report.status;
  const Real startError = naturalMapOf(startLambda_);
  Real error = naturalMapOf(impulses.lambda);
  if (!(error < startError)) {
    error = startError;
    std::copy(startLambda_.begin(), startLambda_.end(), impulses.lambda.begin());
    std::copy(startState_.begin(), startState_.end(), impulses.state.begin());
  }
  solveCoupled(impulses, timer, report);
  if (report.status == SolveStatus::kConverged) return;
  error = naturalMapOf(impulses.lambda);
  startLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  startState_.assign(impulses.state.begin(), impulses.state.end());
  pivot(impulses, report);
  if (report.status == SolveStatus::kConverged) return;
  report.status = verdict;
  if (!(naturalMapOf(impulses.lambda) < error)) {
    std::copy(startLambda_.begin(), startLambda_.end(), impulses.lambda.begin());
    std::copy(startState_.begin(), startState_.end(), impulses.state.begin());
  }
}

Real BlockPrincipalPivotingSolver::naturalMapOf(std::span<const Real> lambda) {
  w_.resize(rows_.rowCount());
  rows_.velocity(lambda, w_);
  return naturalMapSize(rows_.problem(), rows_.steps(), lambda, w_).largest;
}

void BlockPrincipalPivotingSolver::pivot(ImpulseView impulses, SolverReport& report) {
  sets_.start(bounds_, impulses.state, impulses.lambda);
  const PivotOutcome outcome =
      pivoting_.run(candidate_, bounds_, settings_.pivoting, sets_, impulses.lambda, &history_);
  // A free row may be out of its bounds by the pivot tolerance.
  for (int row = 0; row < rows_.rowCount(); ++row) {
    impulses.lambda[row] = std::clamp(impulses.lambda[row], bounds_.lower[row], bounds_.upper[row]);
  }
  std::copy(sets_.states().begin(), sets_.states().end(), impulses.state.begin());
  report.status = outcome.status;
  report.iterations += outcome.rounds;
  report.pivots += outcome.pivots;
}

void BlockPrincipalPivotingSolver::solveCoupled(ImpulseView impulses, const Timer& timer,
                                                SolverReport& report) {
  w_.resize(rows_.rowCount());
  rows_.velocity(impulses.lambda, w_);
  states_.start(rows_, impulses.state, impulses.lambda, w_);
  const FrictionNewton::Problem problem{rows_, system_, states_, impulses.lambda, w_, timer};
  NewtonOutcome outcome;
  const auto isOver = [&outcome] {
    return outcome.status == SolveStatus::kConverged || outcome.status == SolveStatus::kTimeLimit;
  };
  newton_.runPlain(problem, settings_.newton, history_, outcome);
  if (!isOver() && settings_.newton.maxDamped > 0) {
    newton_.runDamped(problem, settings_.newton, kFirstDamped, history_, outcome);
  }
  for (int rescue = 0; !isOver() && rescue < settings_.newton.maxRescues; ++rescue) {
    if (!sweepToNewStart(rescue, impulses.lambda, timer)) break;
    rows_.velocity(impulses.lambda, w_);
    outcome.changes += states_.classify(rows_, impulses.lambda, w_);
    newton_.runPlain(problem, settings_.newton, history_, outcome);
  }
  if (!isOver() && settings_.newton.maxDamped > 0) {
    newton_.runDamped(problem, settings_.newton, settings_.newton.maxDamped, history_, outcome);
  }
  states_.write(rows_, impulses.lambda, impulses.state);
  report.outerIterations = outcome.iterations;
  report.iterations += outcome.iterations;
  report.pivots += outcome.changes;
  report.status = outcome.status;
}

bool BlockPrincipalPivotingSolver::sweepToNewStart(int rescue, std::span<Real> lambda,
                                                   const Timer& timer) {
  const ContactProblem& problem = rows_.problem();
  if (!sweeps_.traits().supports(problem.friction)) return false;
  StoppingRule& rule = sweeps_.settings.stopping;
  rule.tolerance = settings_.newton.tolerance * rows_.velocityScale();
  rule.maxIterations = kFirstSweeps << (2 * rescue);
  rule.timeLimit = settings_.newton.timeLimit;
  if (rule.timeLimit < kUnlimited) {
    rule.timeLimit = std::max(rule.timeLimit - timer.milliseconds() / 1e3, 0.0);
  }
  // Returns the best iterate that it measured, the start included.
  sweeps_.solve(problem, {lambda, {}});
  return true;
}

std::unique_ptr<ContactSolver> makeBppSolver() {
  return std::make_unique<BlockPrincipalPivotingSolver>();
}

}  // namespace drystone
