#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "solvers/driver/registry.h"
#include "viewer/session/race.h"

namespace drystone::viewer {

/// Runs races on a thread of its own, one at a time. No function waits for a solver; only the
/// destructor does, for the run under way.
class RaceRunner {
 public:
  explicit RaceRunner(const SolverRegistry& registry);
  ~RaceRunner();

  /// In place of a race that is running.
  void start(RaceProblem problem, const std::vector<SolverChoice>& solvers);
  void cancel();
  /// The race as far as it is; null: there was none.
  std::shared_ptr<const RaceResult> result() const;

 private:
  struct Job {
    RaceProblem problem;
    RaceResult result;
    int number = 0;
  };
  void run(const std::stop_token& stop);
  void race(Job& job);
  /// Shows the race; false: it is not wanted any more.
  bool publish(const Job& job);

  const SolverRegistry& registry_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Job> next_;
  std::shared_ptr<const RaceResult> result_;
  int wanted_ = 0;   // number of the race whose results are shown
  int started_ = 0;  // races so far
  std::jthread thread_;
};

}  // namespace drystone::viewer
