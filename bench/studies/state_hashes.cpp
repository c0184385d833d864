// Prints the state hash that worlds end with, so that a change which should keep every bit is
// proved by comparing what two builds print: `state_hashes > before.txt`, and `diff` after.
// Hashes are those of one machine and compiler; other mathematical functions give other bits.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"

namespace drystone {
namespace {

struct Case {
  std::string scene, solver;  ///< solver empty: the scene's own
  int steps;
};

World makeWorld(const Case& which, int threads, const SolverRegistry& registry) {
  Scene scene = readScene(which.scene, {});
  scene.settings.threads = threads;
  if (!which.solver.empty()) {
    scene.settings.solver.name = which.solver;
    scene.settings.solver.settings.clear();
    scene.settings.solver.fallback.clear();
  }
  return buildWorld(scene, registry);
}

/// Steps a world, and one that was restored halfway, and prints both hashes.
void print(const Case& which, int threads, const SolverRegistry& registry) {
  World world = makeWorld(which, threads, registry);
  std::vector<std::byte> half;
  Real naturalMap = 0;
  for (int step = 0; step < which.steps; ++step) {
    if (step == which.steps / 2) half = world.save();
    naturalMap = std::max(naturalMap, world.step().naturalMap);
  }
  World restored = makeWorld(which, threads, registry);
  restored.restore(half);
  for (int step = which.steps / 2; step < which.steps; ++step) restored.step();
  const SolverChoice& choice = world.settings().solver;
  std::printf("%-18s %-18s %d threads %3d steps %016llx restored %016llx %.3e m/s\n",
              which.scene.c_str(), choice.name.c_str(), threads, which.steps,
              static_cast<unsigned long long>(world.observe().hash()),
              static_cast<unsigned long long>(restored.observe().hash()), naturalMap);
  std::fflush(stdout);
}

/// The library with each scene's own solver, then two scenes with every solver that takes them.
std::vector<Case> allCases(const SolverRegistry& registry) {
  std::vector<Case> cases;
  for (const LibraryScene& scene : libraryScenes()) {
    cases.push_back({std::string(scene.name), "", 30});
  }
  for (const char* name : {"wall", "crane"}) {
    const Scene scene = readScene(name, {});
    for (const std::string& solver : registry.names()) {
      const SolverTraits& traits = registry.traits(solver);
      const bool takesJoints = traits.handlesRows || scene.joints.empty();
      if (takesJoints && traits.supports(scene.settings.friction))
        cases.push_back({name, solver, 20});
    }
  }
  return cases;
}

}  // namespace
}  // namespace drystone

/// Arguments: a scene and, if wanted, a solver; none: all.
int main(int argc, char** argv) {
  using namespace drystone;
  const SolverRegistry registry = makeDefaultRegistry();
  for (const Case& which : allCases(registry)) {
    if (argc > 1 && which.scene != argv[1]) continue;
    if (argc > 2 && which.solver != argv[2]) continue;
    for (const int threads : {1, 2}) print(which, threads, registry);
  }
  return EXIT_SUCCESS;
}
