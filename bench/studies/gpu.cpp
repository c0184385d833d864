// Sweeps on a CUDA device beside those of the processor, and beside G. Nützi (2011); band matrices
// on it, after J. A. Litven (2013). Prints Markdown tables; without a device it ends with the
// reason.
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "bench/studies/gpu/studies.h"
#include "bench/studies/study_program.h"
#include "gpu/devices.h"

int main(int argc, char** argv) {
  using namespace drystone::bench;
  namespace cli = drystone::cli;
  namespace gpu = drystone::gpu;
  constexpr int kMostSweeps = 1'000'000;
  StudyApp app("gpu");
  GpuOptions options;
  options.program = "gpu";
  app.add_option("--sweeps", options.sweeps, "of every timed solve")
      ->transform(cli::wholeNumber(1, kMostSweeps));
  const auto with = [&](void (*study)(const GpuOptions&)) {
    return [&, study] { study(options); };
  };
  const auto requireDevice = [] {
    if (gpu::whyUnavailable().empty()) return;
    throw cli::NoDeviceError(
        fmt::format("the studies `gpu` did not run: they need a device, and there is none: {}; "
                    "docs/gpu.md says "
                    "what they need",
                    gpu::whyUnavailable()));
  };
  const std::vector<Study> studies = {
      {"dense", "The variants of table 6.1 on random dominant problems", {}, with(studyDense)},
      {"sparse",
       "Sweeps, bytes and copies from 10,000 to 1,000,000 contacts",
       {},
       with(studySparse)},
      {"spheres",
       "Iterations and time to a tolerance on frames of 3,000 spheres",
       {},
       with(studySpheres)},
      {"banded",
       "Factor, solves and product of band matrices beside the processor's",
       {},
       with(studyBanded)},
  };
  const std::string device = gpu::devices().empty() ? "no device" : gpu::devices().front().name;
  return runStudies(app, argc, argv, options, studies, fmt::format("{}, {}", machineLine(), device),
                    requireDevice);
}
