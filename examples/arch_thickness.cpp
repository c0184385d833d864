// The thinnest arch of stones that stands, by bisection over runs that are certified: in a step
// counts only what met its tolerances. Milankovitch's limit for a half circle of any joints is a
// thickness of 0.1075 of the mean radius; stones that hinge at few joints stand a little thinner.
//
// Units are metres, kilograms and seconds.
#include <drystone/drystone.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using namespace drystone;

constexpr int kStones = 15;
constexpr double kRadius = 5;

// The generator makes the stones; the two radii of the arch are set for each thickness.
constexpr std::string_view kScene = R"({
  "version": 1,
  "world": {"timestep": 0.01},
  "solver": {"tolerance": 1e-8},
  "materials": {"default": {"friction": 1.0}},
  "bodies": [{"name": "ground", "kind": "static", "shape": {"type": "plane"}}],
  "generators": [
    {"type": "arch", "name": "stone", "count": 15, "inner_radius": 4.5, "outer_radius": 5.5,
     "depth": 1, "density": 2400}
  ]
})";

World arch(double thickness, const SolverRegistry& solvers) {
  const Scene scene = readSceneText(
      kScene, "arch",
      {.overrides = {{"generators.stone.inner_radius", std::to_string(kRadius - thickness / 2)},
                     {"generators.stone.outer_radius", std::to_string(kRadius + thickness / 2)}}});
  return buildWorld(scene, solvers);
}

/// Whether an arch of that thickness [m] keeps its keystone for a second and a half.
bool stands(double thickness, const SolverRegistry& solvers) {
  constexpr double kSink = 0.002;  // of the keystone of an arch that falls
  World world = arch(thickness, solvers);
  const BodyId keystone = world.findBody("stone_" + std::to_string(kStones / 2));
  const double start = world.body(keystone).pose().position.z();
  double sunk = 0;
  while (world.time() < 1.5 && sunk < kSink) {
    if (!world.step().withinTolerance) throw std::runtime_error("a certificate is missing");
    sunk = start - world.body(keystone).pose().position.z();
  }
  return sunk < kSink;
}

}  // namespace

int main() {
  const SolverRegistry solvers = makeDefaultRegistry();
  try {
    double low = 0.08, high = 0.13;  // of the radius: falls, stands
    if (!stands(high * kRadius, solvers) || stands(low * kRadius, solvers)) {
      std::printf("the limit is not between %.2f and %.2f\n", low, high);
      return 1;
    }
    while (high - low > 5e-4) {
      const double middle = (low + high) / 2;
      (stands(middle * kRadius, solvers) ? high : low) = middle;
      std::printf("the limit lies between %.4f and %.4f\n", low, high);
    }
    if (high > 0.100 && high < 0.1085) return 0;
    std::printf("it is not where the theory has it\n");
  } catch (const std::runtime_error& error) {
    std::printf("%s\n", error.what());
  }
  return 1;
}
