#include "solvers/automatic/auto_solver.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/check.h"
#include "core/timer.h"
#include "solvers/driver/condensed_solve.h"
#include "solvers/driver/settings.h"
#include "solvers/pivoting/cone_ip_solver.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "solvers/prox/prox_solver.h"
#include "solvers/reference/reference_solvers.h"
#include "solvers/staggered/staggered.h"

namespace drystone {

namespace {

/// A dense tableau takes rows² entries, and as many operations a pivot: a second in all.
constexpr int kMostTableauRows = 500;

}  // namespace

// By what they cost where they succeed, and then where they fail (docs/results/problems.md).
const AutoSolver::Door AutoSolver::kDoors[] = {
    {"quick sweeps", Method::kSweeps, Form::kAsGiven, QuickSweeps::kMost, Way::kQuick},
    {"pivots", Method::kPivots, Form::kAsGiven, 1000},
    {"condensed pivots", Method::kPivots, Form::kCondensed, 1000},
    {"interior point", Method::kInteriorPoint, Form::kAsGiven, 3000},
    {"sweeps", Method::kSweeps, Form::kEither, 1000},
    {"cold pivots", Method::kPivots, Form::kAsGiven, 1000, Way::kCold},
    {"staggered", Method::kStaggered, Form::kEither, 40},
    {"cold staggered", Method::kStaggered, Form::kEither, 40, Way::kCold},
    {"tableau", Method::kLemke, Form::kAsGiven, 10000},
    {"projected sweeps", Method::kProjectedSweeps, Form::kAsGiven, 20000},
};

/// Time over the square of the contacts below which sweeps leave a better answer than Newton steps
/// [s]: by that, 3 ms for a wall of 320 contacts and 0.1 s for a pile of 1800.
constexpr Real kShortForNewton = 3e-8;

AutoSolver::AutoSolver(int mostFactorBlocks) : quickSweeps_(mostFactorBlocks) {
  solvers_[0] = makeBppAutoSolver();
  // A door of its own starts from nothing.
  applySetting(*solvers_[0], "restarts", false);
  auto sweeps = std::make_unique<NsgsSolver>();
  sweeps_ = sweeps.get();
  solvers_[1] = std::move(sweeps);
  solvers_[2] = makeConeIpSolver();
  solvers_[3] = std::make_unique<StaggeredSolver>();
  solvers_[4] = makeLemkeSolver();
  solvers_[5] = std::make_unique<SorProxSolver>();
  traits_.name = "auto";
  traits_.summary = "goes from method to method until the tolerance is met";
  traits_.whenToTake = "the default: leave it at this";
  traits_.source = "own";
  traits_.iterations = 100'000;
  traits_.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                            FrictionModel::kPyramid, FrictionModel::kDiamond,
                            FrictionModel::kCone,    FrictionModel::kContensou,
                            FrictionModel::kRolling};
  traits_.parallel = true;
  traits_.condensingPays = CondensingPays::kByItself;
}

void AutoSolver::reserveOwn(const ProblemSize& size) {
  for (const auto& solver : solvers_) solver->reserve(size);
  start_.reserve(size.rows);
  lambda_.reserve(size.rows);
  swept_.reserve(size.rows);
  startState_.reserve(size.rows);
  state_.reserve(size.rows);
}

bool AutoSolver::opens(const Door& door, const ContactProblem& problem) {
  const std::optional<FrictionModel> friction = needsOf(problem).friction;
  const auto takes = [&](Method method) {
    return !friction || solverOf(method).traits().supports(*friction);
  };
  // Projected sweeps meet no tolerance where others have failed.
  const bool hasFactor = quickSweeps_.factorFits();
  if (door.method == Method::kProjectedSweeps) {
    return (!takes(Method::kPivots) && !takes(Method::kStaggered)) ||
           (!hasFactor && !takes(Method::kSweeps));
  }
  // Where friction follows λ_n the interior point ends with the same stage from nothing. Where
  // bounds are known the pivots have an interior point of their own.
  const bool hasPath = problem.followsNormals() && takes(Method::kInteriorPoint);
  if (door.method == Method::kInteriorPoint && !hasPath) return false;
  const bool isCold = door.way == Way::kCold;
  if (door.method == Method::kPivots && isCold && hasPath) return false;
  if (!takes(door.method) || (isCold && !isWarm_)) return false;
  if (door.way == Way::kQuick) return sweepsFirst_;
  if (door.method != Method::kSweeps && !hasFactor) return false;
  if (door.method == Method::kLemke) {
    return problem.assembled != nullptr && problem.rowCount() <= kMostTableauRows &&
           !problem.followsNormals();
  }
  if (door.form != Form::kAsGiven && !canCondense_) {
    canCondense_ = canCondense(problem, condensed_);
  }
  return door.form != Form::kCondensed || *canCondense_;
}

bool AutoSolver::isTooShort(const Deadline& deadline, const ContactProblem& problem) const {
  const Real contacts = problem.contactCount();
  const std::optional<FrictionModel> friction = needsOf(problem).friction;
  return deadline.isSet() && deadline.secondsLeft() < kShortForNewton * contacts * contacts &&
         (!friction || solverOf(Method::kSweeps).traits().supports(*friction));
}

bool AutoSolver::enter(const Door& door, const ContactProblem& problem, const Budget& budget,
                       const SolveContext& context, JudgeWorkspace& judgement,
                       SolverReport& report) {
  lambda_ = start_;
  state_ = startState_;
  if (door.way == Way::kCold) {
    std::fill(lambda_.begin(), lambda_.end(), 0);
    std::fill(state_.begin(), state_.end(), RowState::kUnknown);
  }
  ContactSolver& solver = solverOf(door.method);
  // Where there is nothing else to do, sweeps go on.
  sweeps_->settings.givesUp = door.way == Way::kQuick && quickSweeps_.factorFits();
  if (door.way == Way::kQuick) {
    report =
        quickSweeps_.solve(problem, budget, {lambda_, state_}, solver, judgement, context.history);
    swept_ = lambda_;
    return true;
  }
  if (sweepsFirst_ && door.method == Method::kSweeps) lambda_ = swept_;
  if (door.form != Form::kAsGiven && *canCondense_) {
    if (solveCondensed(solver, condensed_, budget, {lambda_, state_}, report)) return true;
    if (door.form == Form::kCondensed) return false;
    const SolverReport spent = report;
    Budget left = budget;
    *left.iterations -= spent.iterations;
    left.seconds = context.deadline.secondsLeft();
    if (*left.iterations <= 0 || context.deadline.passed()) return false;
    report = solver.solve(problem, left, {lambda_, state_});
    addSolve(spent, report);
    return true;
  }
  report = solver.solve(problem, budget, {lambda_, state_});
  return true;
}

void AutoSolver::addHistory(const Door& door, int before, const SolveContext& context) const {
  for (const ResidualHistory::Entry& entry : solverOf(door.method).history().entries()) {
    context.history.add(before + entry.iteration, entry.residual);
  }
}

void AutoSolver::run(const ContactProblem& problem, const SolveContext& context,
                     ImpulseView impulses, SolverReport& report) {
  start_.assign(impulses.lambda.begin(), impulses.lambda.end());
  startState_.assign(impulses.state.begin(), impulses.state.end());
  isWarm_ = std::any_of(start_.begin(), start_.end(), [](Real x) { return x != 0; });
  const bool condensedFirst = leavesFewRows(problem, condensed_);
  canCondense_ = condensedFirst ? std::optional(true) : std::nullopt;
  JudgeWorkspace& judgement = context.judge == nullptr ? ownJudgement_ : *context.judge;
  ownJudgement_.threads = context.threads;
  ownJudgement_.verdict.b = nullptr;
  Real best = kInfinity;
  Budget left = context.left();
  const bool sweepsOnly = isTooShort(context.deadline, problem);
  sweepsFirst_ = !sweepsOnly && quickSweeps_.plan(problem);
  report.status = SolveStatus::kUnsupported;
  answered_ = nullptr;
  for (int i = 0; i < static_cast<int>(std::size(kDoors)); ++i) {
    const bool isSwapped = condensedFirst && (i == kPivotDoor || i == kPivotDoor + 1);
    const Door& door = kDoors[isSwapped ? 2 * kPivotDoor + 1 - i : i];
    if ((sweepsOnly && door.method != Method::kSweeps) || !opens(door, problem)) continue;
    left.seconds = context.deadline.secondsLeft();
    Budget budget = left;
    budget.iterations = std::min(*left.iterations, door.iterations);
    SolverReport one;
    const Timer timer;
    const bool isAnswered = enter(door, problem, budget, context, judgement, one);
    const double timeMs = timer.milliseconds();
    addSolve(one, report);
    *left.iterations -= one.iterations;
    if (isAnswered) {
      const Real error = judgeOnce(problem, lambda_, judgement).naturalMap;
      DRYSTONE_ASSERT(report.doorCount < SolverReport::kMostDoors);  // by the rules of opens()
      report.doors[static_cast<std::size_t>(report.doorCount++)] = {door.name, one.status,
                                                                    one.iterations, error, timeMs};
      const bool isBest = error < best || best == kInfinity;
      answered_ = isBest && door.form == Form::kAsGiven ? &solverOf(door.method) : nullptr;
      if (door.way != Way::kQuick) addHistory(door, report.iterations - one.iterations, context);
      if (isBest) {
        best = error;
        report.eliminatedRows = one.eliminatedRows;
        report.factor = one.factor;
        report.relaxationError = one.relaxationError;
        report.status = settledStatus(one.status, best, context.accepted);
        std::copy(lambda_.begin(), lambda_.end(), impulses.lambda.begin());
        std::copy(state_.begin(), state_.end(), impulses.state.begin());
      }
      // Bodies at rest get one more door, to be held better.
      const bool isHeld =
          door.way != Way::kQuick || !quickSweeps_.leavesJitter() || !quickSweeps_.factorFits();
      const bool isLast = context.deadline.passed() || *left.iterations <= 0;
      if ((best <= context.accepted && (isHeld || isLast)) ||
          one.status == SolveStatus::kInfeasible)
        return;
    }
    if (context.deadline.passed()) {
      report.status = SolveStatus::kTimeLimit;
      return;
    }
    if (*left.iterations <= 0) {
      report.status = SolveStatus::kIterationLimit;
      return;
    }
  }
}

std::unique_ptr<ContactSolver> makeAutoSolver() { return std::make_unique<AutoSolver>(); }

}  // namespace drystone
