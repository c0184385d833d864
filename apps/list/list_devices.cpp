#include "apps/list/lists.h"

#include <fmt/format.h>

#include <fstream>

#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/table.h"
#include "core/parallel.h"
#include "gpu/devices.h"

namespace drystone::cli {
namespace {

/// The processor's own name, as Linux tells it.
std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string describe(const gpu::Device& device) {
  return fmt::format("{}, compute capability {}.{}, {}, {:.0f} GiB", device.name, device.major,
                     device.minor, counted(device.processors, "multiprocessor"),
                     static_cast<double>(device.memoryBytes) / (1 << 30));
}

}  // namespace

std::string deviceList(bool asJson) {
  const std::string processor = processorName();
  const int threads = availableThreads();
  const std::string reason(gpu::whyUnavailable());
  Table table({{"device"}, {"available"}, {"what it is"}});
  Json json = Json::array();
  const auto add = [&](const std::string& name, const std::string& what, int deviceThreads,
                       const std::string& why) {
    const std::string detail =
        why.empty() || what.empty() ? what + why : fmt::format("{} ({})", what, why);
    table.addRow({name, why.empty() ? "yes" : "no", detail});
    json.push_back({{"name", name},
                    {"available", why.empty()},
                    {"description", what},
                    {"threads", deviceThreads},
                    {"reason", why}});
  };
  add("cpu", fmt::format("{}, {}", processor, counted(threads, "thread")), threads, "");
  // Solvers use the first.
  for (std::size_t i = 0; i < gpu::devices().size(); ++i) {
    add(i == 0 ? "cuda" : fmt::format("cuda:{}", i), describe(gpu::devices()[i]), 0,
        i == 0 || !reason.empty() ? reason : "solvers use the first device");
  }
  if (gpu::devices().empty()) add("cuda", "", 0, reason);
  return asJson ? jsonText(json) : table.markdown();
}

}  // namespace drystone::cli
