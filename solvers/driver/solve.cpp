#include "solvers/driver/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "core/wording.h"
#include "solvers/driver/condensed_solve.h"
#include "solvers/driver/stopping.h"

namespace drystone {
namespace {

/// Whether λ = 0 obeys every law exactly, in which case w = b.
bool zeroSolves(const ContactProblem& problem) {
  for (const ProblemBlock& block : problem.blocks) {
    const int first = block.firstRow;
    if (block.law == BlockLaw::kContact) {
      if (!(problem.b[first] >= 0)) return false;
      for (int row = first + 1; row < first + block.rows; ++row) {
        if (!std::isfinite(problem.b[row])) return false;
      }
      // Only `box` can brake a contact that carries no normal impulse.
      if (problem.friction != FrictionModel::kBox) continue;
      if (!(block.friction * block.normalBound > 0)) continue;
      if (problem.b[first + 1] != 0 || problem.b[first + 2] != 0) return false;
      continue;
    }
    for (int row = first; row < first + block.rows; ++row) {
      const Real w = problem.b[row];
      const bool mayBePositive = problem.lower[row] == 0;
      const bool mayBeNegative = problem.upper[row] == 0;
      if (problem.lower[row] > 0 || problem.upper[row] < 0) return false;
      if (!(w == 0 || (w > 0 && mayBePositive) || (w < 0 && mayBeNegative))) return false;
    }
  }
  return true;
}

/// Zero impulses are nobody's answer: they meet any tolerance where the timestep is small enough.
bool isWarm(std::span<const Real> lambda) {
  return std::any_of(lambda.begin(), lambda.end(), [](Real x) { return x != 0; });
}

/// One solver's run and how the judge sees it.
struct Attempt {
  SolverReport solver;
  JudgeReport judge;

  bool failed() const {
    return !judge.finite || solver.status == SolveStatus::kNumericalFailure ||
           solver.status == SolveStatus::kUnsupported || solver.status == SolveStatus::kInfeasible;
  }
  bool within(Real tolerance) const {
    return judge.finite && solver.status != SolveStatus::kUnsupported &&
           judge.naturalMap <= tolerance;
  }
};

/// The judge sums in another order than a method and may see a little more than it: hence half.
constexpr Real kAim = 0.5;

Attempt attempt(ContactSolver& solver, const ContactProblem& problem, const Budget& budget,
                ImpulseView impulses, SolveWorkspace& workspace, Condensation condensation) {
  Budget aim = budget;
  aim.aim = kAim;
  Attempt result;
  SolverReport& report = result.solver;
  // Without an iteration, or time for one, the warm start is the answer, joints and all.
  const bool isCondensed = budget.iterations != 0 && !budget.until.passed() &&
                           condense(solver.traits(), problem, condensation, workspace.condensed) &&
                           solveCondensed(solver, workspace.condensed, aim, impulses, report);
  if (!isCondensed) {
    const SolverReport spent = report;
    aim.seconds = std::max<Real>(aim.seconds - spent.timeMs / 1e3, 0);
    if (spent.iterations > 0) {
      const int all = budget.iterations.value_or(solver.traits().iterations);
      aim.iterations = std::max(all - spent.iterations, 0);
    }
    report = solver.solve(problem, aim, impulses, &workspace.judge);
    addSolve(spent, report);
    report.timeMs += spent.timeMs;
  }
  result.judge = judgeOnce(problem, impulses.lambda, workspace.judge);
  return result;
}

void swapWithSaved(ImpulseView impulses, SolveWorkspace& workspace) {
  std::swap_ranges(impulses.lambda.begin(), impulses.lambda.end(), workspace.savedLambda.begin());
  std::swap_ranges(impulses.state.begin(), impulses.state.end(), workspace.savedState.begin());
}

void setToZero(ImpulseView impulses) {
  std::fill(impulses.lambda.begin(), impulses.lambda.end(), 0);
  std::fill(impulses.state.begin(), impulses.state.end(), RowState::kUnknown);
}

}  // namespace

std::string_view solveReasonName(SolveReason reason) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "asked",          "trivial",   "fallback_tolerance", "fallback_failed",
      "fallback_worse", "discarded", "warm_start",         "soft"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::vector<std::string> triedLines(const SolveResult& result) {
  if (result.reason == SolveReason::kTrivial) {
    return {"Solved without the solver: no impulse is needed."};
  }
  if (result.reason == SolveReason::kWarmStart) {
    return {"Solved without the solver: the impulses of the last step still hold."};
  }
  if (result.reason == SolveReason::kSoft) {
    return {"Stepped softly, without the solver, and judged by the rigid law."};
  }
  std::vector<std::string> lines;
  for (int i = 0; i < result.solver.doorCount; ++i) {
    const SolverReport::Door& door = result.solver.doors[static_cast<std::size_t>(i)];
    lines.push_back(fmt::format("{}: {} after {} and {:.3g} ms, {:.2g} m/s left", door.name,
                                solveStatusName(door.status), counted(door.iterations, "iteration"),
                                door.timeMs, door.naturalMap));
  }
  return lines;
}

SolveResult solveProblem(ContactSolver& solver, const ContactProblem& given, const Budget& budget,
                         ImpulseView impulses, SolveWorkspace& workspace, ContactSolver* fallback,
                         Condensation condensation) {
  DRYSTONE_ASSERT(static_cast<int>(impulses.lambda.size()) == given.rowCount());
  DRYSTONE_ASSERT(impulses.state.empty() || impulses.state.size() == impulses.lambda.size());

  SolveResult result;
  if (zeroSolves(given)) {
    setToZero(impulses);
    result.judge = judge(given, impulses.lambda, workspace.judge);
    result.reason = SolveReason::kTrivial;
    // Rows whose squares are not finite leave the judge without a figure.
    result.withinTolerance = result.judge.naturalMap <= budget.tolerance;
    return result;
  }
  const ContactProblem problem = workspace.scales.measure(given, workspace.judge.threads);
  if (isWarm(impulses.lambda)) {
    if (const auto warm =
            judgeWithin(problem, impulses.lambda, kWarmShare * budget.tolerance, workspace.judge)) {
      result.judge = *warm;
      result.reason = SolveReason::kWarmStart;
      return result;
    }
  }

  workspace.judge.verdict.b = nullptr;
  workspace.savedLambda.assign(impulses.lambda.begin(), impulses.lambda.end());
  workspace.savedState.assign(impulses.state.begin(), impulses.state.end());
  Attempt answer = attempt(solver, problem, budget, impulses, workspace, condensation);

  if (fallback != nullptr && !answer.within(budget.tolerance)) {
    // The warm start goes back to the fallback, the first answer into its place.
    swapWithSaved(impulses, workspace);
    Budget again = budget;
    again.iterations.reset();  // as many sweeps are not as many pivots
    const Attempt second = attempt(*fallback, problem, again, impulses, workspace, condensation);
    const bool metTimeLimit = answer.solver.metTimeLimit || second.solver.metTimeLimit;
    const double timeMs = answer.solver.timeMs + second.solver.timeMs;
    const double assemblyMs = answer.solver.assemblyMs + second.solver.assemblyMs;
    const bool hadTime = !second.solver.metTimeLimit || second.solver.iterations > 0;
    const bool ran = hadTime && second.solver.status != SolveStatus::kUnsupported;
    const bool firstRan = answer.solver.status != SolveStatus::kUnsupported;
    const bool better =
        ran && second.judge.finite &&
        (!firstRan || !answer.judge.finite || second.judge.naturalMap < answer.judge.naturalMap);
    if (better) {
      result.reason =
          answer.failed() ? SolveReason::kFallbackFailed : SolveReason::kFallbackTolerance;
      result.usedFallback = true;
      answer = second;
    } else {
      swapWithSaved(impulses, workspace);
      result.reason = SolveReason::kFallbackWorse;
    }
    answer.solver.metTimeLimit = metTimeLimit;
    answer.solver.timeMs = timeMs;
    answer.solver.assemblyMs = assemblyMs;
  }

  // Without time for an iteration the warm start stands, which may be worse than no impulse.
  if (answer.solver.metTimeLimit && answer.solver.iterations == 0 &&
      !answer.within(budget.tolerance)) {
    std::ranges::fill(workspace.savedLambda, 0);
    const JudgeReport zero = judge(problem, workspace.savedLambda, workspace.judge);
    if (!(answer.judge.naturalMap <= zero.naturalMap)) {
      setToZero(impulses);
      answer.judge = zero;
      result.reason = SolveReason::kDiscarded;
    }
  }

  // An unsolved warm start is no answer: applied step after step, it would push on its own.
  const bool unsolved = answer.solver.status == SolveStatus::kUnsupported;
  if (unsolved || !answer.judge.finite) {
    setToZero(impulses);
    answer.judge = judge(problem, impulses.lambda, workspace.judge);
    result.reason = SolveReason::kDiscarded;
    if (!unsolved) answer.solver.status = SolveStatus::kNumericalFailure;
  }
  result.solver = answer.solver;
  result.judge = answer.judge;
  result.withinTolerance = answer.within(budget.tolerance);
  return result;
}

}  // namespace drystone
