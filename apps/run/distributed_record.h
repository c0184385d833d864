#pragma once

#include <cstdint>
#include <string>

#include "apps/support/run_setup.h"
#include "distributed/distributed_world.h"

namespace drystone::cli {

/// What the steps of a run add up to.
struct DistributedRecord {
  std::int64_t steps = 0, missed = 0, solvesMissed = 0, jointsMissed = 0, overlapsMissed = 0;
  std::int64_t stepsForgiven = 0;  ///< of which an overlap beyond its tolerance was forgiven
  double seconds = 0;              ///< wall time
  std::int64_t migrated = 0, rebalanced = 0, sharedIterations = 0;
  Real naturalMap = 0, overlap = 0, forgiven = 0, ledgerError = 0, kineticStart = 0;
  Traffic traffic;  ///< of the steps
  Traffic output;   ///< of all that was gathered besides, such as frames

  void add(const StepReport& report, const DistributedFigures& figures);
};

/// The readable summary of a run on several processes, and its JSON object: two blanks a level,
/// numbers that are not finite null. Both are of all processes together.
std::string distributedReport(const ReadyScene& scene, int processes, const DistributedWorld& world,
                              const DistributedRecord& record);
std::string distributedJson(const ReadyScene& scene, int processes, const DistributedWorld& world,
                            const DistributedRecord& record, std::uint64_t hash);

}  // namespace drystone::cli
