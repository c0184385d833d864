#include "bench/studies/gpu/studies.h"

#include "gpu/devices.h"

namespace drystone::bench {
namespace {

DenseRun denseRun(std::string label, std::string solver, std::string key, std::string value,
                  std::string twin) {
  return {{std::move(label),
           std::move(solver),
           {{"precision", "double"},
            {"step", "local"},
            {"termination", "device"},
            {std::move(key), std::move(value)}}},
          std::move(twin)};
}

std::vector<DenseRun> allRuns() {
  std::vector<DenseRun> runs = {
      denseRun("JOR 3, all in one, 126", "gpu-jor-dense", "kernels", "all-in-one-126",
               "jacobi-prox"),
      denseRun("JOR 4, all in one, 192", "gpu-jor-dense", "kernels", "all-in-one-192",
               "jacobi-prox"),
      denseRun("JOR 5, split", "gpu-jor-dense", "kernels", "split", "jacobi-prox"),
      denseRun("JOR 5, not aligned", "gpu-jor-dense", "aligned", "false", "jacobi-prox"),
      denseRun("full SOR 1, 32 contacts", "gpu-sor-dense", "block_contacts", "32", "sor-prox"),
      denseRun("full SOR 2, 64 contacts", "gpu-sor-dense", "block_contacts", "64", "sor-prox"),
      denseRun("relaxed SOR 1, 2 contacts", "gpu-sor-relaxed", "group", "2", "sor-prox"),
      denseRun("relaxed SOR 2, 4 contacts", "gpu-sor-relaxed", "group", "4", "sor-prox"),
      denseRun("relaxed SOR 3, 16 contacts", "gpu-sor-relaxed", "group", "16", "sor-prox"),
      denseRun("relaxed SOR 4, 128 contacts", "gpu-sor-relaxed", "group", "128", "sor-prox"),
  };
  if (!gpu::whyNoBlas().empty()) return runs;
  runs.insert(runs.begin(), {denseRun("JOR 1, cuBLAS, addition, projection", "gpu-jor-dense",
                                      "kernels", "gemv-add", "jacobi-prox"),
                             denseRun("JOR 2, cuBLAS, the rest in one", "gpu-jor-dense", "kernels",
                                      "gemv", "jacobi-prox")});
  return runs;
}

}  // namespace

std::span<const DenseRun> denseRuns() {
  static const std::vector<DenseRun> runs = allRuns();
  return runs;
}

}  // namespace drystone::bench
