// Bytes are a scene file. It is refused, or its world is built or refused, and a small one does two
// steps after which all is finite or the report says that it is not.

#include <cmath>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/fuzz_world.h"

namespace drystone::fuzz {
namespace {

constexpr std::size_t kMostBodies = 40;  // of a world that is stepped
constexpr int kMostSubsteps = 4;

bool isSmall(const Scene& scene) {
  return scene.bodies.size() <= kMostBodies && scene.settings.substeps <= kMostSubsteps;
}

/// What a step may take is bounded, so that a slow input is a finding.
void boundWork(WorldSettings& settings) {
  settings.threads = 1;
  settings.projection.iterations = std::min(settings.projection.iterations, 4);
  settings.solver.budget.iterations = std::min(settings.solver.budget.iterations.value_or(30), 30);
}

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  static const SolverRegistry registry = makeDefaultRegistry();
  Scene scene;
  const auto read = [&] {
    scene = readSceneText(fuzz::textOf(data, size), "scene.json", {.registry = &registry});
  };
  if (!fuzz::isAccepted(read) || !fuzz::isSmall(scene)) return 0;
  fuzz::boundWork(scene.settings);
  fuzz::isAccepted([&] {
    World world = buildWorld(scene, registry);
    for (int step = 0; step < 2; ++step) {
      world.step();
      fuzz::checkStep(world);
    }
  });
  return 0;
}
