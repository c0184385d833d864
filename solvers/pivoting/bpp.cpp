#include "solvers/pivoting/bpp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/problem/residual.h"

namespace drystone {
namespace {

/// Damped steps before the loop over bounds, which takes longer.
constexpr int kFirstDamped = 25;
/// Rounds of the loop over bounds where plain steps wander: what it solves takes fewer. Islands of
/// more than kFullRows rows get fewer in proportion.
constexpr int kLoopRounds = 60;
constexpr int kLeastLoopRounds = 10;
constexpr int kFullRows = 1000;
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

BlockPrincipalPivotingSolver::BlockPrincipalPivotingSolver(SolverTraits traits,
                                                           std::unique_ptr<FreeFactor> factor)
    : traits_(std::move(traits)), method_(std::move(factor)) {}

void BlockPrincipalPivotingSolver::visitSettings(SettingVisitor& visitor) {
  regularization().settings.visit(visitor);
  newtonSettings.visit(visitor);
  loopSettings.visit(visitor);
}

void BlockPrincipalPivotingSolver::reserveOwn(const ProblemSize& size) {
  rows_.reserve(size);
  method_.reserve(size);
  loop_.reserve(size);
  states_.reserve(size);
  newton_.reserve(size);
  sweeps_.reserve(size);
  sets_.reserve(size.rows);
  bounds_.reserve(size);
  w_.reserve(size.rows);
  startLambda_.reserve(size.rows);
  bestLambda_.reserve(size.rows);
  startState_.reserve(size.rows);
}

void BlockPrincipalPivotingSolver::run(const ContactProblem& problem, const SolveContext& context,
                                       ImpulseView impulses, SolverReport& report) {
  spending_ = {.iterationsLeft = context.iterations};
  const Allowance allowance(spending_, context.deadline);
  loopSettings.tolerance = context.tolerance;
  loopSettings.allowance = newtonSettings.allowance = allowance;
  method_.setAllowance(allowance);
  method_.allowedError = context.tolerance;
  runStages(problem, context, impulses, report);
  loopSettings.allowance = newtonSettings.allowance = {};
  method_.setAllowance({});
  report.iterations = context.iterations - spending_.iterationsLeft;
}

void BlockPrincipalPivotingSolver::runStages(const ContactProblem& problem,
                                             const SolveContext& context, ImpulseView impulses,
                                             SolverReport& report) {
  const bool couples = needsCoupling(problem);
  // Regularization lives on pivots, which Newton steps do not make.
  const bool loops =
      frictionMethod == FrictionMethod::kBounds || method_.regularization()->settings.enabled;
  if (couples && loops) {
    loop_.solve(problem, method_, loopSettings, impulses, context.history, report);
    return;
  }
  rows_.prepare(problem, method_.needsMatrix(problem));
  newtonSettings.tolerance = loopSettings.toleranceOf(rows_);
  if (!std::isfinite(rows_.velocityScale())) {
    report.status = SolveStatus::kNumericalFailure;
  } else if (couples) {
    solveCoupled(context, impulses, report);
  } else {
    solveFixedBounds(context, impulses, report);
  }
  if (method_.regularization()->compliance().empty()) {
    report.status =
        settledStatus(report.status, naturalMapOf(impulses.lambda), loopSettings.tolerance);
  }
  report.assemblyMs += rows_.assemblyMs();
}

void BlockPrincipalPivotingSolver::solveFixedBounds(const SolveContext& context,
                                                    ImpulseView impulses, SolverReport& report) {
  const ContactProblem& problem = rows_.problem();
  bounds_.assignKnown(problem);
  const bool isPossible = bounds_.fixIdleRows(rows_);
  startLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  startState_.assign(impulses.state.begin(), impulses.state.end());
  method_.regularization()->start(problem);
  pivot(context, impulses, report);
  if (!isPossible) report.status = SolveStatus::kInfeasible;
  if (!isPossible || report.status == SolveStatus::kConverged) return;

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
  if (loopSettings.allowance.isSpent()) return;
  method_.regularization()->clear();
  solveCoupled(context, impulses, report);
  method_.regularization()->describe(impulses, report);
  if (report.status == SolveStatus::kConverged) return;
  error = naturalMapOf(impulses.lambda);
  startLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  startState_.assign(impulses.state.begin(), impulses.state.end());
  pivot(context, impulses, report);
  if (report.status == SolveStatus::kConverged) return;
  const Allowance& allowance = loopSettings.allowance;
  report.status = allowance.isSpent() ? limitStatus(allowance) : verdict;
  if (!(naturalMapOf(impulses.lambda) < error)) {
    std::copy(startLambda_.begin(), startLambda_.end(), impulses.lambda.begin());
    std::copy(startState_.begin(), startState_.end(), impulses.state.begin());
    method_.regularization()->clear();
    method_.regularization()->describe(impulses, report);
  }
}

Real BlockPrincipalPivotingSolver::naturalMapOf(std::span<const Real> lambda) {
  w_.resize(rows_.rowCount());
  rows_.velocity(lambda, w_);
  return naturalMapSize(rows_.problem(), rows_.steps(), lambda, w_).largest;
}

void BlockPrincipalPivotingSolver::pivot(const SolveContext& context, ImpulseView impulses,
                                         SolverReport& report) {
  sets_.start(bounds_, impulses.state, impulses.lambda);
  method_.attach(rows_);
  const PivotOutcome outcome = method_.run(bounds_, sets_, impulses.lambda, &context.history);
  std::copy(sets_.states().begin(), sets_.states().end(), impulses.state.begin());
  addOutcome(outcome, report);
  method_.regularization()->describe(impulses, report);
  report.status = outcome.status;
  // The method measures each row by its own step, the natural map a block by one.
  const bool isOwnProblem = method_.regularization()->compliance().empty();
  if (isOwnProblem && report.status == SolveStatus::kConverged &&
      naturalMapOf(impulses.lambda) > loopSettings.tolerance) {
    report.status = SolveStatus::kStalled;
  }
}

void BlockPrincipalPivotingSolver::solveCoupled(const SolveContext& context, ImpulseView impulses,
                                                SolverReport& report) {
  w_.resize(rows_.rowCount());
  rows_.velocity(impulses.lambda, w_);
  const bool isPossible = states_.start(rows_, impulses.state, impulses.lambda, w_);
  method_.attach(rows_, BasisKind::kGeneral);
  FreeSystem& system = method_.system();
  const FrictionNewton::Problem problem{rows_, system, states_, impulses.lambda, w_};
  NewtonOutcome outcome;
  const auto isOver = [&] {
    return outcome.status == SolveStatus::kConverged || newtonSettings.allowance.isSpent();
  };
  const auto startAnew = [&] {
    newtonSettings.allowance.beginStage();
    rows_.velocity(impulses.lambda, w_);
    outcome.changes += states_.classify(rows_, impulses.lambda, w_);
    newton_.runPlain(problem, newtonSettings, context.history, outcome);
  };
  const auto damp = [&](int limit) {
    if (isOver() || newtonSettings.maxDamped == 0) return;
    newton_.runDamped(problem, newtonSettings, limit, context.history, outcome);
  };
  startLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  newton_.runPlain(problem, newtonSettings, context.history, outcome);
  damp(kFirstDamped);
  bestLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  if (!isOver() && needsCoupling(rows_.problem())) {
    report.factorizations += system.factorizations();
    report.regularization = std::max(report.regularization, system.regularization());
    std::copy(startLambda_.begin(), startLambda_.end(), impulses.lambda.begin());
    loopToNewStart(context, impulses, report);
    method_.attach(rows_, BasisKind::kGeneral);
    startAnew();
  }
  damp(newtonSettings.maxDamped);
  for (int rescue = 0; !isOver() && rescue < newtonSettings.maxRescues; ++rescue) {
    if (!sweepToNewStart(context, rescue, impulses.lambda)) break;
    startAnew();
  }
  if (outcome.status != SolveStatus::kConverged &&
      naturalMapOf(bestLambda_) < naturalMapOf(impulses.lambda)) {
    std::copy(bestLambda_.begin(), bestLambda_.end(), impulses.lambda.begin());
    rows_.velocity(impulses.lambda, w_);
    states_.classify(rows_, impulses.lambda, w_);
  }
  states_.write(rows_, impulses.lambda, impulses.state);
  report.outerIterations = outcome.iterations;
  report.pivots += outcome.changes;
  report.factorizations += system.factorizations();
  report.regularization = std::max(report.regularization, system.regularization());
  report.status = isPossible ? outcome.status : SolveStatus::kInfeasible;
}

void BlockPrincipalPivotingSolver::loopToNewStart(const SolveContext& context, ImpulseView impulses,
                                                  SolverReport& report) {
  BoundLoopSettings settings = loopSettings;
  const int share = kLoopRounds * kFullRows / std::max(rows_.rowCount(), kFullRows);
  settings.maxRounds = std::min(settings.maxRounds, std::max(share, kLeastLoopRounds));
  loop_.solve(rows_.problem(), method_, settings, impulses, context.history, report);
}

bool BlockPrincipalPivotingSolver::sweepToNewStart(const SolveContext& context, int rescue,
                                                   std::span<Real> lambda) {
  const ContactProblem& problem = rows_.problem();
  if (!sweeps_.traits().supports(problem.friction)) return false;
  Budget budget = context.left();
  budget.tolerance = newtonSettings.tolerance;
  budget.iterations =
      std::min(kFirstSweeps << std::min(2 * rescue, 20), spending_.iterationsLeft);  // 1e8 at most
  // Returns the best iterate that it measured, the start included.
  spending_.iterationsLeft -= sweeps_.solve(problem, budget, {lambda, {}}).iterations;
  return true;
}

}  // namespace drystone
