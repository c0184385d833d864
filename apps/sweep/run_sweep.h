#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "apps/sweep/sweep_run.h"
#include "apps/sweep/sweep_table.h"

namespace drystone {
class Processes;
}  // namespace drystone

namespace drystone::cli {

/// What became of the runs of a sweep.
struct SweepCounts {
  std::array<std::int64_t, 5> ends{};  ///< runs by RunEnd
  double stepsMs = 0;                  ///< in steps of worlds, over all threads
  double wallMs = 0;
  bool interrupted = false;

  std::int64_t of(RunEnd end) const { return ends[static_cast<std::size_t>(end)]; }
  std::int64_t all() const { return std::accumulate(ends.begin(), ends.end(), std::int64_t{0}); }
  void add(RunEnd end) { ++ends[static_cast<std::size_t>(end)]; }
};

/// Where the rows of runs go as they end.
struct SweepRows {
  SweepJournal& journal;
  SweepTable& table;
};

/// Does the runs of these numbers on the processes, on so many threads of each, each run on one of
/// them. All processes call it; the first one has the numbers, the bar, the rows and the counts,
/// and the others give none and null. Ends early by SIGINT or SIGTERM of any of them: runs that
/// were not at their end are lost. Throws what the journal throws, on the first process: a caller
/// on several is to end them all then.
SweepCounts doRuns(const ReadySweep& sweep, const StudyRuns& runs,
                   std::span<const std::int64_t> numbers, int threads, bool showProgress,
                   Processes& processes, const SweepRows* rows);

}  // namespace drystone::cli
