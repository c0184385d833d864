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
        timeLimit_(timeLimit.count()),
        budget_(choice.budget),
        condensation_(choice.condensation) {
    budget_.tolerance = problem.tolerance;
    solver_->reserve(sizeOf(problem.problem.view()));
  }

  int mostIterations() const { return budget_.iterations.value_or(solver_->traits().iterations); }
  /// Of its own accord: it has no answers of less work to show.
  bool endsAtRoundOff() const { return solver_->traits().endsAtRoundOff; }
  bool timeIsUp() const { return secondsLeft() <= 0; }

  /// At most so many iterations. The time is the least of several runs.
  SolveResult run(int iterations) {
    SolveResult result = once(iterations);
    if (std::exchange(isCold_, false) && !mustEnd(result)) result = once(iterations);
    double spent = result.solver.timeMs;
    for (int i = 1; i < kMostRuns && spent < kEnoughTime && !mustEnd(result); ++i) {
      const SolverReport again = once(iterations).solver;
      if (again.status != result.solver.status) break;  // its time was up
      result.solver.timeMs = std::min(result.solver.timeMs, again.timeMs);
      spent += again.timeMs;
    }
    return result;
  }

 private:
  SolveResult once(int iterations) {
    Budget budget = budget_;
    budget.iterations = iterations;
    const Real most = std::min(budget.seconds, RaceResult::kTimePerSolve);
    budget.seconds = std::clamp<Real>(secondsLeft(), 0, most);
    lambda_ = problem_.warmStart;
    state_ = problem_.warmStates;
    return solveProblem(*solver_, problem_.problem.view(), budget, {lambda_, state_}, workspace_,
                        nullptr, condensation_);
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
  Budget budget_;       // of the choice, judged as the step was
  Condensation condensation_;
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
    entry.note = whyNot(registry.traits(entry.solver.name), needsOf(problem.problem.view()));
    if (!entry.note.empty()) {
      entry.status = SolveStatus::kUnsupported;
      return;
    }
    Runs runs(problem, registry, entry.solver, timeLimit);
    if (!runs.endsAtRoundOff()) {
      raceByBudgets(runs, runs.mostIterations(), entry, progress);
    } else {
      addPoint(runs.run(runs.mostIterations()), entry);
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
