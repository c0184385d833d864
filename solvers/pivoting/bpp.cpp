#include "solvers/pivoting/bpp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace drystone {
namespace {

/// Newton steps on proximal points beyond the tolerance: of an answer within it, most end at
/// round-off in fewer, and one that does not is an answer all the same.
constexpr int kStepsToRoundOff = 100;

/// Of the longest list of stages.
constexpr int kMostSteps = 8;

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
    : traits_(std::move(traits)),
      method_(std::move(factor)),
      pivots_(method_),
      boundRounds_(method_, loopSettings) {}

void BlockPrincipalPivotingSolver::visitSettings(SettingVisitor& visitor) {
  constexpr int kMany = std::numeric_limits<int>::max();
  regularization().settings.visit(visitor);
  visitor.integer({"max_newton", "", "plain friction steps in a row"}, newton.maxSteps, 0, kMany);
  visitor.integer({"max_proximal", "", "Newton steps on proximal points where these wander"},
                  proximal.maxSteps, 0, kMany);
  visitor.boolean({"restarts", "", "where these fail: again from nothing, and from fixed bounds"},
                  startsAgain);
  loopSettings.visit(visitor);
}

void BlockPrincipalPivotingSolver::reserveOwn(const ProblemSize& size) {
  rows_.reserve(size);
  method_.reserve(size);
  for (Stage* stage : std::initializer_list<Stage*>{&pivots_, &newton, &proximal, &boundRounds_}) {
    stage->reserve(size);
  }
  cascade_.reserve(size);
  steps_.reserve(kMostSteps);
  states_.reserve(size);
  w_.reserve(size.rows);
}

void BlockPrincipalPivotingSolver::listSteps(bool couples) {
  steps_.clear();
  const auto add = [&](Stage& stage, StageStart start) { steps_.push_back({&stage, start}); };
  const auto addNewton = [&](StageStart start) {
    add(newton, start);
    add(proximal, StageStart::kLast);
  };
  if (!couples) add(pivots_, StageStart::kLast);
  addNewton(couples ? StageStart::kLast : StageStart::kBest);
  if (startsAgain) {
    addNewton(StageStart::kNothing);
    if (couples) {
      add(boundRounds_, StageStart::kNothing);
      addNewton(StageStart::kLast);
    }
  }
  if (!couples) add(pivots_, StageStart::kBest);
}

void BlockPrincipalPivotingSolver::run(const ContactProblem& problem, const SolveContext& context,
                                       ImpulseView impulses, SolverReport& report) {
  Spending spending{.iterationsLeft = context.iterations};
  const Allowance allowance(spending, context.deadline);
  loopSettings.tolerance = context.tolerance;
  loopSettings.allowance = allowance;
  method_.setAllowance(allowance);
  method_.allowedError = context.tolerance;
  // Regularization lives on pivots, which Newton steps do not make.
  const bool loops = frictionMethod == FrictionMethod::kBounds || regularization().settings.enabled;
  if (loops && needsCoupling(problem)) {
    boundRounds_.loop().solve(problem, method_, loopSettings, impulses, context.history, report);
  } else {
    rows_.prepare(problem, method_.needsMatrix(problem));
    report.assemblyMs += rows_.assemblyMs();
    runStages(context, impulses, report);
  }
  loopSettings.allowance = {};
  method_.setAllowance({});
  report.iterations = context.iterations - spending.iterationsLeft;
}

void BlockPrincipalPivotingSolver::runStages(const SolveContext& context, ImpulseView impulses,
                                             SolverReport& report) {
  if (!std::isfinite(rows_.velocityScale())) {
    report.status = SolveStatus::kNumericalFailure;
    return;
  }
  const bool couples = needsCoupling(rows_.problem());
  w_.resize(rows_.rowCount());
  rows_.velocity(impulses.lambda, w_);
  const bool isPossible = states_.start(rows_, impulses.state, impulses.lambda, w_);
  Iterate iterate{impulses.lambda, w_, states_, naturalMapAt(rows_, impulses.lambda, w_)};
  regularization().start(rows_.problem());
  if (couples) {
    method_.attach(rows_, BasisKind::kGeneral);
  } else {
    method_.attach(rows_);
  }
  StageContext stages{rows_,
                      method_.system(),
                      context.tolerance,
                      loopSettings.toleranceOf(rows_),
                      loopSettings.allowance,
                      context.history,
                      report};
  listSteps(couples);
  // A problem without a solution is known as such. What can be had is an answer to its other rows.
  if (!isPossible) steps_.resize(couples ? 2 : 1);
  report.status = cascade_.run(steps_, iterate, stages);
  if (regularization().compliance().empty()) {
    // Pivots and plain steps end at round-off by themselves.
    if (cascade_.solvedBy() == &proximal) polish(iterate, stages);
    report.status = settledStatus(report.status, iterate.error, context.tolerance);
  }
  if (!isPossible) report.status = SolveStatus::kInfeasible;
  states_.write(rows_, impulses.lambda, impulses.state);
  regularization().describe(impulses, report);
}

void BlockPrincipalPivotingSolver::polish(Iterate& iterate, const StageContext& context) {
  StageContext further = context;
  further.tolerance = reachableError(context, iterate.lambda);
  const int maxSteps =
      std::exchange(proximal.maxSteps, std::min(proximal.maxSteps, kStepsToRoundOff));
  proximal.improve(iterate, further);
  proximal.maxSteps = maxSteps;
  if (iterate.error > reachableError(context, iterate.lambda)) newton.improve(iterate, further);
}

}  // namespace drystone
