#include "bench/studies/direct/study.h"

namespace drystone::bench {

std::span<const PublishedMachine> publishedMachines() {
  static const std::vector<PublishedMachine> kMachines = {
      {"crane", 6300, 430, "1e9", 12.4, "4.7 (2.7 ×)", "3.4 (3.6 ×)"},
      {"winch", 400, 370, "1e8", 2.0, "2.4 (0.9 ×)", "1.6 (1.3 ×)"},
      {"vehicle", 20000, 260, "1e19", 3.0, "2.2 (1.4 ×)", "2.1 (1.4 ×)"},
      {"offshore", 4400000, 350, "1e9", 6.7, "4.0 (1.7 ×)", "2.9 (2.3 ×)"},
      {"forklift", 2700, 300, "1e8", 1.2, "1.0 (1.3 ×)", "0.8 (1.5 ×)"},
      {"forwarder", 6500, 250, "1e11", 3.1, "2.5 (1.2 ×)", "2.0 (1.6 ×)"},
  };
  return kMachines;
}

std::vector<std::string> machineScenes() { return scenesOf(publishedMachines()); }

}  // namespace drystone::bench
