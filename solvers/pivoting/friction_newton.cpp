// Semismooth Newton for frictional contact in the form of P. Alart and A. Curnier, "A mixed
// formulation for frictional contact problems prone to Newton like solution methods", Computer
// Methods in Applied Mechanics and Engineering 92 (1991).

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

}  // namespace

void NewtonSettings::visit(SettingVisitor& visitor) {
  visitor.integer({"max_newton", "", "plain friction steps in a row"}, maxPlain, 0,
                  std::numeric_limits<int>::max());
  visitor.integer({"max_proximal", "", "Newton steps on proximal points where these wander"},
                  maxProximal, 0, std::numeric_limits<int>::max());
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
  best_.lambda.reserve(size.rows);
  best_.w.reserve(size.rows);
}

bool FrictionNewton::Task::mayStep() {
  const bool may = settings.allowance.take();
  if (!may) outcome.status = limitStatus(settings.allowance);
  return may;
}

bool FrictionNewton::step(Task& task) {
  task.states.fillBasis(task.rows, 0, task.system.basis());
  if (!task.system.factor()) return false;
  task.states.place(task.rows, task.lambda);
  task.rows.velocity(task.lambda, task.w);
  task.system.correct(task.lambda, task.w, 0.01 * task.tolerance, kNewtonCorrections);
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
    if (!step(task) || !patience.goesOn(task.error.largest)) return;
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

}  // namespace drystone
