#pragma once

#include <string>
#include <vector>

#include "apps/support/run_setup.h"
#include "apps/support/state_file.h"

namespace drystone::cli {

/// What `run` was asked for where a launcher of MPI started several of it.
struct DistributedRunOptions {
  SimulationOptions simulation;
  StateFiles states{};
  std::string csv, record;      ///< files; empty: none
  bool recordParallel = false;  ///< all processes write the recording
  bool hash = false;            ///< also in each row of the CSV
  bool strict = false;          ///< exit code 4 where a step missed a tolerance
  bool json = false, quiet = false;
  std::vector<std::string> refused;  ///< options given that only one process knows
};

/// Whether a launcher of MPI started this program more than once: then each is one process of the
/// run.
bool isLaunchedWithOthers();

/// Runs the scene on all of them. The first one prints; the summary is that of all together. What
/// goes wrong on one process ends all. Throws NoDeviceError in builds without MPI, and UsageError
/// for refused options.
int runOnProcesses(const DistributedRunOptions& options);

}  // namespace drystone::cli
