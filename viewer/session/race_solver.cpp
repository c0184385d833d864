#include "viewer/session/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/input_error.h"
#include "core/timer.h"

namespace drystone::viewer {
namespace {

/// A point is run again until its runs took that long in all [ms], but at most so often: the least
/// of short times is free of what other programs do in between.
constexpr double kEnoughTime = 20;
constexpr int kMostRuns = 10;

/// Why the solver cannot run on the problem; empty: it can.
std::string obstacle(const SolverTraits& traits, const StoredProblem& problem) {
  if (!traits.unavailable().empty())
    return fmt::format("cannot run here: {}", traits.unavailable());
  if (!traits.takesBodyForm) return "takes assembled problems only";
  if (!traits.supports(problem.friction)) {
    return fmt::format("does not solve the friction model '{}'",
                       frictionModelName(problem.friction));
  }
  const bool hasRows = std::ranges::any_of(
      problem.blocks, [](const ProblemBlock& block) { return block.law == BlockLaw::kRows; });
  if (hasRows && !traits.handlesRows) return "takes contacts only, and the island has joints";
  return "";
}

ProblemSize sizeOf(const ContactProblem& problem) {
  return {
      .bodies = problem.bodyCount(), .blocks = problem.blockCount(), .rows = problem.rowCount()};
}

/// A solver's runs on the problem, each from the same warm start. One solver does them all, in
/// memory that it has reserved and used before, as in a simulation; from one solve to the next it
/// keeps no more than that.
class Runs {
 public:
  Runs(const RaceProblem& problem, const SolverRegistry& registry, const SolverChoice& choice,
       std::chrono::duration<double> timeLimit)
      : problem_(problem),
        solver_(registry.create(choice.name, choice.settings)),
        timeLimit_(timeLimit.count()) {
    budget_ = solver_->budget;
    solver_->reserve(sizeOf(problem.problem.view()));
  }

  /// Of the choice.
  const Budget& budget() const { return budget_; }
  /// Of its own accord: it has no answers of less work to show.
  bool endsAtRoundOff() const { return solver_->traits().exact; }
  bool timeIsUp() const { return secondsLeft() <= 0; }

  /// At most so many iterations. The time is the least of several runs.
  SolveResult run(int iterations) {
    solver_->budget.iterations = iterations;
    SolveResult result = once();
    if (std::exchange(isCold_, false) && !mustEnd(result)) result = once();
    double spent = result.solver.timeMs;
    for (int i = 1; i < kMostRuns && spent < kEnoughTime && !mustEnd(result); ++i) {
      const SolverReport again = once().solver;
      if (again.status != result.solver.status) break;  // its time was up
      result.solver.timeMs = std::min(result.solver.timeMs, again.timeMs);
      spent += again.timeMs;
    }
    return result;
  }

 private:
  SolveResult once() {
    const Real most = std::min(budget_.seconds, RaceResult::kTimePerSolve);
    solver_->budget.seconds = std::clamp<Real>(secondsLeft(), 0, most);
    lambda_ = problem_.warmStart;
    state_ = problem_.warmStates;
    SolveOptions options;
    options.tolerance = problem_.tolerance;
    return solveProblem(*solver_, nullptr, problem_.problem.view(), {lambda_, state_}, options,
                        workspace_);
  }
  /// No time for another run as long as this one.
  bool mustEnd(const SolveResult& last) const {
    return last.solver.status == SolveStatus::kTimeLimit ||
           secondsLeft() <= last.solver.timeMs / 1000;
  }
  Real secondsLeft() const { return timeLimit_ - timer_.milliseconds() / 1000; }

  const RaceProblem& problem_;
  std::unique_ptr<ContactSolver> solver_;
  Real timeLimit_;  // [s]
  Timer timer_;
  bool isCold_ = true;  // it has not run yet
  Budget budget_;
  std::vector<Real> lambda_;
  std::vector<RowState> state_;
  SolveWorkspace workspace_;
};

void addPoint(const SolveResult& result, RaceEntry& entry) {
  entry.status = result.solver.status;
  entry.points.push_back({result.solver.iterations, result.solver.timeMs, result.judge.naturalMap});
}

void noteTime(RaceEntry& entry) {
  entry.note = fmt::format("time was up after {} iterations", entry.points.back().iterations);
}

void raceByBudgets(Runs& runs, std::int64_t most, RaceEntry& entry,
                   const std::function<bool()>& progress) {
  std::int64_t budget = 1, before = 1;
  while (true) {
    const SolveResult result = runs.run(static_cast<int>(std::min(budget, most)));
    const bool isNew =
        entry.points.empty() || result.solver.iterations > entry.points.back().iterations;
    if (isNew) addPoint(result, entry);
    entry.status = result.solver.status;
    if (entry.status == SolveStatus::kTimeLimit) noteTime(entry);
    const bool isSpent = result.solver.status == SolveStatus::kIterationLimit;
    if (!progress() || !isSpent || budget >= most) return;
    if (runs.timeIsUp()) {
      entry.status = SolveStatus::kTimeLimit;
      noteTime(entry);
      return;
    }
    budget += std::exchange(before, budget);
  }
}

}  // namespace

void raceSolver(const RaceProblem& problem, const SolverRegistry& registry,
                std::chrono::duration<double> timeLimit, RaceEntry& entry,
                const std::function<bool()>& progress) {
  try {
    entry.note = obstacle(registry.traits(entry.solver.name), problem.problem);
    if (!entry.note.empty()) {
      entry.status = SolveStatus::kUnsupported;
      return;
    }
    Runs runs(problem, registry, entry.solver, timeLimit);
    const Budget& budget = runs.budget();
    if (!runs.endsAtRoundOff()) {
      raceByBudgets(runs, budget.iterations, entry, progress);
    } else {
      addPoint(runs.run(budget.iterations), entry);
      progress();
    }
    if (entry.status == SolveStatus::kUnsupported) {
      entry.points.clear();
      entry.note = "does not take this problem";
    }
  } catch (const InputError& error) {
    entry.status = SolveStatus::kUnsupported;
    entry.note = error.what();
  }
}

}  // namespace drystone::viewer
