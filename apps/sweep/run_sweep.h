#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "apps/sweep/sweep_run.h"
#include "apps/sweep/sweep_table.h"

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

/// Does the runs of these numbers on so many threads, each run on one of them. Each goes to the
/// journal as it ends, and to `table`. Ends early by SIGINT or SIGTERM: runs that were not at their
/// end are lost. Throws what the journal throws.
SweepCounts doRuns(const ReadySweep& sweep, const StudyRuns& runs,
                   std::span<const std::int64_t> numbers, int threads, bool showProgress,
                   SweepJournal& journal, SweepTable& table);

}  // namespace drystone::cli
