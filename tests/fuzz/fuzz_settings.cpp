// Lines of text are what stands after `--set`: places in a scene, and settings of solvers. Each is
// refused, or the scene is read with it.

#include <vector>

#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "tests/fuzz/fuzz_input.h"

namespace drystone::fuzz {
namespace {

constexpr std::size_t kMostLines = 8;

struct Line {
  std::string key, value;
};

std::vector<Line> linesOf(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty() && lines.size() < kMostLines) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t split = line.find('=');
    if (split == std::string_view::npos || split == 0) continue;
    lines.push_back({std::string(line.substr(0, split)), std::string(line.substr(split + 1))});
  }
  return lines;
}

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  static const SolverRegistry registry = makeDefaultRegistry();
  static const std::vector<std::string> solvers = registry.names();
  static constexpr std::string_view kScenes[] = {"stack_10", "chain", "vehicle", "arch"};
  fuzz::FuzzInput in(data, size);
  const SceneSource source = findScene(std::string(kScenes[in.below(4)]));
  const auto solver = registry.create(solvers[in.byte() % solvers.size()]);
  std::vector<ParameterOverride> overrides;
  for (const auto& [key, value] : fuzz::linesOf(in.text())) {
    if (const auto setting = solverSetting(key)) {
      Budget budget;
      fuzz::isAccepted([&] {
        if (!applySetting(budget, *setting, value)) applySetting(*solver, *setting, value);
      });
    } else {
      overrides.push_back({key, value});
    }
  }
  fuzz::isAccepted([&] { readScene(source, {.overrides = overrides, .registry = &registry}); });
  return 0;
}
