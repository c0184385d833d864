#pragma once

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

}  // namespace drystone::bench
