// Semismooth Newton for frictional contact in the form of P. Alart and A. Curnier, "A mixed
// formulation for frictional contact problems prone to Newton like solution methods", Computer
// Methods in Applied Mechanics and Engineering 92 (1991); damped as a proximal point method.

#include "solvers/pivoting/friction_newton.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "core/patience.h"

namespace drystone {
namespace {

/// Refinements of one step.
constexpr int kNewtonCorrections = 3;
/// Plain steps without a clearly smaller natural map before the iteration counts as wandering.
constexpr int kPlainPatience = 4;
constexpr Real kPlainProgress = 0.9;
/// Damped steps from one point that make things worse before one is taken nevertheless.
constexpr int kRejections = 5;

/// Damped steps without a better iterate that end a run whose best one is this close to the
/// tolerance: what is left is round-off in directions that the compliance alone determines.
constexpr int kStall = 12;
constexpr Real kNearlyThere = 100;

constexpr Real kFirstDamping = 1e-2;
/// Of forced steps, in turn, from within this many tolerances of a solution: what is stuck there
/// may lie in a direction that masses oppose, or in one that only the compliance does.
constexpr Real kNearRoundOff = 1e4;
constexpr Real kForcedDamping[] = {1e-2, 1e-5, 1e-8};
constexpr Real kLeastDamping = 1e-12;
constexpr Real kDampingGrowth = 3;
constexpr Real kDampingDecay = 0.25;

/// Damped steps that a problem of this size gets: all up to kRowsOfFullLimit rows, beyond that
/// fewer in proportion, so that a hopeless large island does not stop a simulation.
int stepLimit(int maxDamped, int rowCount) {
  constexpr std::int64_t kRowsOfFullLimit = 1000;
  constexpr std::int64_t kLeastSteps = 30;
  if (rowCount <= kRowsOfFullLimit) return maxDamped;
  const std::int64_t share = maxDamped * kRowsOfFullLimit / rowCount;
  return static_cast<int>(std::min<std::int64_t>(maxDamped, std::max(share, kLeastSteps)));
}

}  // namespace

void NewtonSettings::visit(SettingVisitor& visitor) {
  visitor.integer({"max_newton", "", "plain friction steps before the damped ones"}, maxPlain, 0,
                  std::numeric_limits<int>::max());
  visitor.integer({"max_rescues", "", "times that Gauss-Seidel sweeps give them a new start"},
                  maxRescues, 0, 1000);
  visitor.integer({"max_damped", "", "damped friction steps before the best iterate is returned"},
                  maxDamped, 0, std::numeric_limits<int>::max());
}

void FrictionNewton::Iterate::copyFrom(const Task& task) {
  lambda.assign(task.lambda.begin(), task.lambda.end());
  w.assign(task.w.begin(), task.w.end());
  error = task.error;
}

void FrictionNewton::Iterate::copyTo(Task& task) const {
  std::copy(lambda.begin(), lambda.end(), task.lambda.begin());
  std::copy(w.begin(), w.end(), task.w.begin());
  task.error = error;
}

void FrictionNewton::reserve(const ProblemSize& size) {
  for (Iterate* iterate : {&current_, &best_}) {
    iterate->lambda.reserve(size.rows);
    iterate->w.reserve(size.rows);
  }
}

bool FrictionNewton::Task::mayStep() {
  const bool may = settings.allowance.take();
  if (!may) outcome.status = limitStatus(settings.allowance);
  return may;
}

bool FrictionNewton::step(Task& task, Real damping) {
  task.states.fillBasis(task.rows, damping, task.system.basis());
  if (!task.system.factor()) return false;
  if (damping > 0) {
    for (int row = 0; row < task.rows.rowCount(); ++row) {
      task.rows.shift()[row] = -task.states.proximalWeight(row, damping) * task.lambda[row];
    }
  }
  task.states.place(task.rows, task.lambda);
  task.rows.velocity(task.lambda, task.w);
  task.system.correct(task.lambda, task.w, 0.01 * task.tolerance, kNewtonCorrections);
  if (damping > 0) {
    std::fill(task.rows.shift().begin(), task.rows.shift().end(), 0.0);
    task.states.makeFeasible(task.rows, task.lambda);
    task.rows.velocity(task.lambda, task.w);
  }
  const NaturalMapSize error =
      naturalMapSize(task.rows.problem(), task.rows.steps(), task.lambda, task.w);
  if (!std::isfinite(error.largest)) return false;
  task.error = error;
  task.history.add(++task.outcome.iterations, error.largest);
  if (error.largest < best_.error.largest) best_.copyFrom(task);
  // Under heavy loads w is known to round-off of its terms only. An impulse that has run away is no
  // load, hence the limit.
  const Real roundOff = std::min(task.rows.roundOff(task.lambda), 100 * task.tolerance);
  if (error.largest <= std::max(task.tolerance, roundOff)) {
    task.outcome.status = SolveStatus::kConverged;
  }
  return true;
}

void FrictionNewton::plainSteps(Task& task, int limit) {
  Patience patience(kPlainPatience, kPlainProgress, best_.error.largest);
  for (int i = 0; !task.converged() && i < limit; ++i) {
    if (!task.mayStep()) return;
    if (i > 0) task.outcome.changes += task.states.classify(task.rows, task.lambda, task.w);
    if (!step(task, 0) || !patience.goesOn(task.error.largest)) return;
  }
}

void FrictionNewton::dampedSteps(Task& task, int limit) {
  current_ = best_;
  Real damping = kFirstDamping;
  int rejections = 0;
  int sinceBest = 0;
  int forcedSteps = 0;
  for (int i = 0; !task.converged() && i < limit; ++i) {
    if (!task.mayStep()) return;
    current_.copyTo(task);
    task.outcome.changes += task.states.classify(task.rows, task.lambda, task.w);
    const bool forced = rejections >= kRejections;
    if (forced) {
      const bool near = best_.error.largest <= kNearRoundOff * task.tolerance;
      damping = near ? kForcedDamping[forcedSteps++ % std::size(kForcedDamping)] : kFirstDamping;
    }
    const Real bestBefore = best_.error.largest;
    const bool stepped = step(task, damping);
    sinceBest = best_.error.largest < bestBefore ? 0 : sinceBest + 1;
    if (sinceBest >= kStall && bestBefore <= kNearlyThere * task.tolerance) {
      task.outcome.status = SolveStatus::kStalled;
      return;
    }
    const bool better = stepped && task.error.norm < 0.999 * current_.error.norm;
    if (better || (forced && stepped)) {
      current_.copyFrom(task);
      if (better) damping = std::max(damping * kDampingDecay, kLeastDamping);
      rejections = 0;
    } else {
      damping *= kDampingGrowth;
      ++rejections;
    }
  }
}

FrictionNewton::Task FrictionNewton::begin(const Problem& problem, const NewtonSettings& settings,
                                           ResidualHistory& history, NewtonOutcome& outcome) {
  Task task{problem, settings, history, outcome, settings.tolerance};
  task.error =
      naturalMapSize(problem.rows.problem(), problem.rows.steps(), problem.lambda, problem.w);
  best_.copyFrom(task);
  outcome.status = SolveStatus::kIterationLimit;
  return task;
}

void FrictionNewton::finish(Task& task) {
  best_.copyTo(task);
  if (task.converged()) {
    leaveNoExcess(task);
  } else {
    task.states.classify(task.rows, task.lambda, task.w);  // the sets that go with this answer
  }
  task.outcome.naturalMap = task.error.largest;
}

/// A plain step meets its sets' equations, which leaves slipping impulses beside the cone by what
/// the slip has turned since. Projected they obey the cone; kept unless that costs the tolerance.
void FrictionNewton::leaveNoExcess(Task& task) {
  task.states.makeFeasible(task.rows, task.lambda);
  if (std::equal(task.lambda.begin(), task.lambda.end(), best_.lambda.begin())) return;
  task.rows.velocity(task.lambda, task.w);
  task.error = naturalMapSize(task.rows.problem(), task.rows.steps(), task.lambda, task.w);
  if (!(task.error.largest <= std::max(task.tolerance, best_.error.largest))) best_.copyTo(task);
}

void FrictionNewton::runPlain(const Problem& problem, const NewtonSettings& settings,
                              ResidualHistory& history, NewtonOutcome& outcome) {
  Task task = begin(problem, settings, history, outcome);
  plainSteps(task, settings.maxPlain);
  finish(task);
}

void FrictionNewton::runDamped(const Problem& problem, const NewtonSettings& settings, int limit,
                               ResidualHistory& history, NewtonOutcome& outcome) {
  Task task = begin(problem, settings, history, outcome);
  dampedSteps(task, std::min(limit, stepLimit(settings.maxDamped, problem.rows.rowCount())));
  // What damping has brought close, plain steps may still finish.
  if (!task.converged() && !settings.allowance.isSpent()) {
    best_.copyTo(task);
    outcome.changes += task.states.classify(task.rows, task.lambda, task.w);
    plainSteps(task, settings.maxPlain);
  }
  finish(task);
}

}  // namespace drystone
