#pragma once

#include <span>

#include "bench/studies/prox/prox_run.h"

namespace drystone::bench {

/// A variant of table 6.1 of 003, in double, with the steps of the thesis (`local`).
struct DenseRun {
  ProxRun run;
  std::string cpuTwin;  ///< of its sweeps
};
/// Those of cuBLAS only where it is.
std::span<const DenseRun> denseRuns();

}  // namespace drystone::bench
