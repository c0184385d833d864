#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/sweep/sweep_run.h"

namespace drystone {
class Processes;
}  // namespace drystone

namespace drystone::cli {

/// A run that has ended, with its row.
struct EndedRun {
  std::int64_t number = 0;
  SweepRow row;
};

/// What a process gets when all have talked.
struct DealtRuns {
  std::vector<std::int64_t> numbers;  ///< of runs to do here
  std::vector<EndedRun> ended;        ///< on the first process: of all
  /// No more runs will come: what was not begun is not to be, and what runs is to stop.
  bool isLast = false;
};

/// Deals runs to the processes of a sweep, so that none waits while there is work, and brings
/// their rows to the first one. Every process has one, and all talk in turn: see exchange().
class RunDealer {
 public:
  /// The runs to do, as the first process knows them; others give none. `threads`: runs at once of
  /// each process. Keeps references.
  RunDealer(std::span<const std::int64_t> numbers, int threads, Processes& processes);

  /// All call it equally often: until isLast, and once more with what ended meanwhile. `stops`:
  /// this process was asked to end; then all do.
  DealtRuns exchange(std::vector<EndedRun> ended, bool stops);

 private:
  void deal();
  void take(int rank, std::span<const std::byte> report, std::vector<EndedRun>& ended);

  std::span<const std::int64_t> numbers_;
  int threads_;
  Processes& processes_;
  std::size_t next_ = 0;  ///< run to deal
  bool stops_ = false;    ///< a process was asked to end
  // By rank: runs that were dealt and have not come back, and how many came last.
  std::vector<std::int64_t> away_, back_;
  std::vector<std::vector<std::int64_t>> dealt_;
  std::vector<std::vector<std::byte>> out_, in_;
};

}  // namespace drystone::cli
