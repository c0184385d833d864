#pragma once

#include <span>

#include "bench/studies/prox/prox_run.h"
#include "bench/studies/study.h"

namespace drystone::bench {

struct GpuOptions : StudyOptions {
  int sweeps = 50;  ///< of every timed solve
};

// The studies: each prints its table. They need a device.
void studyDense(const GpuOptions& options);
void studySparse(const GpuOptions& options);
void studySpheres(const GpuOptions& options);
void studyBanded(const GpuOptions& options);

/// A variant of table 6.1 of Nützi 2011, in double, with the steps of the thesis (`local`).
struct DenseRun {
  ProxRun run;
  std::string cpuTwin;  ///< of its sweeps
};
/// Those of cuBLAS only where it is.
std::span<const DenseRun> denseRuns();

}  // namespace drystone::bench
