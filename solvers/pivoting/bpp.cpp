#include "solvers/pivoting/bpp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/problem/residual.h"

namespace drystone {
namespace {

/// Newton steps on proximal points beyond the tolerance: of an answer within it, most end at
/// round-off in fewer, and one that does not is an answer all the same.
constexpr int kStepsToRoundOff = 100;

/// Rounds of the loop over bounds for a new start: what it solves takes fewer.
constexpr int kLoopRounds = 60;

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
  proximal_.reserve(size);
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

  // Newton steps and proximal points from the better of the start and the best candidate, then
  // pivots from the sets that these end in; of all answers the best.
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
  iterate(problem, context, outcome);
  // The better of the answers so far and of one from the impulses that `begin` makes.
  const auto startAnew = [&](auto&& begin) {
    if (!(outcome.naturalMap > context.tolerance) || newtonSettings.allowance.isSpent()) return;
    const Real errorBefore = outcome.naturalMap;
    bestLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
    begin();
    rows_.velocity(impulses.lambda, w_);
    states_.classify(rows_, impulses.lambda, w_);
    iterate(problem, context, outcome);
    if (outcome.naturalMap < errorBefore) return;
    outcome.naturalMap = errorBefore;
    std::copy(bestLambda_.begin(), bestLambda_.end(), impulses.lambda.begin());
    rows_.velocity(impulses.lambda, w_);
    states_.classify(rows_, impulses.lambda, w_);
  };
  // A warm start may lie where all ways lead astray: once more from nothing.
  startAnew([&] { std::fill(impulses.lambda.begin(), impulses.lambda.end(), 0.0); });
  // Each round of the loop over bounds is a convex problem, which always has its answer.
  if (needsCoupling(rows_.problem())) {
    startAnew([&] {
      report.factorizations += system.factorizations();
      report.regularization = std::max(report.regularization, system.regularization());
      std::fill(impulses.lambda.begin(), impulses.lambda.end(), 0.0);
      BoundLoopSettings settings = loopSettings;
      settings.maxRounds = std::min(settings.maxRounds, kLoopRounds);
      loop_.solve(rows_.problem(), method_, settings, impulses, context.history, report);
      method_.attach(rows_, BasisKind::kGeneral);
    });
  }
  states_.write(rows_, impulses.lambda, impulses.state);
  report.outerIterations = outcome.iterations;
  report.pivots += outcome.changes;
  report.factorizations += system.factorizations();
  report.regularization = std::max(report.regularization, system.regularization());
  report.status = isPossible ? outcome.status : SolveStatus::kInfeasible;
}

void BlockPrincipalPivotingSolver::iterate(const FrictionNewton::Problem& problem,
                                           const SolveContext& context, NewtonOutcome& outcome) {
  const Allowance& allowance = newtonSettings.allowance;
  allowance.beginStage();
  newton_.runPlain(problem, newtonSettings, context.history, outcome);
  if (outcome.status == SolveStatus::kConverged || allowance.isSpent()) return;
  allowance.beginStage();
  proximal_.start();
  proximal_.run(problem, {context.tolerance, newtonSettings.maxProximal, allowance},
                context.history, outcome);
  if (outcome.status != SolveStatus::kConverged) return;
  // What the points have brought within the tolerance, some more of them and plain steps take to
  // round-off.
  proximal_.run(problem, {newtonSettings.tolerance, kStepsToRoundOff, allowance}, context.history,
                outcome);
  allowance.beginStage();
  newton_.runPlain(problem, newtonSettings, context.history, outcome);
}

}  // namespace drystone
