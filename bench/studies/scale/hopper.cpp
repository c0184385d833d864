// A bin of grains that empties through a hole: on one process and on two it must discharge as fast.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/studies/scale/scale_studies.h"
#include "core/random.h"
#include "core/wording.h"
#include "distributed/distributed_world.h"
#include "distributed/processes.h"
#include "solvers/default_registry.h"

namespace drystone::bench {
namespace {

constexpr int kSeeds = 10;
constexpr Real kGrain = 0.02;          // diameter [m]
constexpr Real kDensity = 2500;        // [kg/m³]
constexpr Real kBin = 5 * kGrain;      // half of its inner width [m]
constexpr Real kHole = 3.25 * kGrain;  // half of its width [m]
constexpr Real kWall = kGrain;         // half of the thickness of walls and floor [m]
constexpr int kGrains = 1000;
// The flow is steady between these counts: the first grains accelerate, and the last ones are few.
constexpr int kFirst = 150, kLast = 650;
constexpr int kMostSteps = 2000;  // eight seconds, where two are enough

void addWall(World& world, const Vec3& half, const Vec3& center) {
  BodyDefinition wall;
  wall.kind = BodyKind::kStatic;
  wall.shape = Box{half};
  wall.pose.position = center;
  world.addBody(wall);
}

/// The upper side of the floor is z = 0. Seeds move the grains of a loose grid.
World makeHopper(const SolverRegistry& registry, int seed) {
  WorldSettings settings;
  settings.timestep = 1.0 / 250;  // at 0.6 m/s a grain moves an eighth of its size
  settings.contactMargin = 0.05 * kGrain;
  settings.threads = 1;
  settings.solver = {.name = "apgd",
                     .settings = {{"law", std::string("exact")}},
                     .budget = {.tolerance = 1e-3, .iterations = 100}};
  World world(settings, registry);
  constexpr Real kHeight = 20 * kGrain;
  constexpr Real kStrip = (kBin - kHole) / 2;  // half of the floor beside the hole
  for (const Real side : {-1.0, 1.0}) {
    const Real wall = side * (kBin + kWall);
    addWall(world, {kWall, kBin + 2 * kWall, kHeight}, {wall, 0, kHeight});
    addWall(world, {kBin, kWall, kHeight}, {0, wall, kHeight});
    const Real strip = side * (kHole + kStrip);
    addWall(world, {kStrip, kBin, kWall}, {strip, 0, -kWall});
    addWall(world, {kHole, kStrip, kWall}, {0, strip, -kWall});
  }
  Random random(static_cast<std::uint64_t>(seed));
  constexpr int kAcross = 9;
  constexpr Real kSpacing = 1.08 * kGrain, kShift = 0.03 * kGrain;
  for (int i = 0; i < kGrains; ++i) {
    const int inLayer = i % (kAcross * kAcross);
    const Vec3 place(inLayer % kAcross - (kAcross - 1) / 2, inLayer / kAcross - (kAcross - 1) / 2,
                     i / (kAcross * kAcross) + 1);
    const Vec3 shift(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    BodyDefinition grain;
    grain.shape = Sphere{kGrain / 2};
    grain.density = kDensity;
    grain.pose.position = kSpacing * place + kShift * shift;
    world.addBody(grain);
  }
  return world;
}

bool isOut(Real height) { return height < -kGrain; }

/// Grains a second between two counts of those that are out, which `step` returns after a step.
template <class Step>
Real rateOf(Step&& step) {
  int firstStep = 0, firstOut = 0;
  for (int i = 1; i <= kMostSteps; ++i) {
    const int out = step();
    if (firstStep == 0 && out >= kFirst) {
      firstStep = i;
      firstOut = out;
    }
    if (out >= kLast) return (out - firstOut) * 250.0 / (i - firstStep);
  }
  return 0;  // an arch over the hole
}

Real rateAlone(const SolverRegistry& registry, int seed) {
  World world = makeHopper(registry, seed);
  return rateOf([&] {
    world.step();
    const std::vector<BodyId> bodies = world.bodies();
    return static_cast<int>(std::ranges::count_if(bodies, [&](BodyId id) {
      const ConstBodyHandle body = std::as_const(world).body(id);
      return body.kind() == BodyKind::kDynamic && isOut(body.centerOfMass().z());
    }));
  });
}

Real rateTogether(const SolverRegistry& registry, int seed, Processes& processes) {
  DistributedWorld world(makeHopper(registry, seed), registry, processes);
  return rateOf([&] {
    world.step();
    return static_cast<int>(std::ranges::count_if(
        world.gatherBodies(), [](const BodyState& body) { return isOut(body.position[2]); }));
  });
}

/// Mean of a list, and its standard error.
struct Mean {
  Real value = 0, error = 0;
};

Mean meanOf(const std::vector<Real>& values) {
  const Real count = static_cast<Real>(values.size());
  const Real value = mean(values);
  Real squares = 0;
  for (const Real one : values) squares += (one - value) * (one - value);
  return {value, std::sqrt(squares / (count - 1) / count)};
}

}  // namespace

void runHopper(const StudyOptions& options, Processes& processes) {
  const bool isFirst = processes.rank() == 0;
  const SolverRegistry registry = makeDefaultRegistry();
  std::optional<CsvFile> csv;
  if (isFirst) {
    csv.emplace(options, fmt::format("hopper_{}", processes.count()), "seed,grains_per_s");
    printRow("| seed | {}, grains/s |\n|--:|--:|\n",
             counted(processes.count(), "process", "processes"));
  }
  std::vector<Real> rates;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    rates.push_back(processes.count() == 1 ? rateAlone(registry, seed)
                                           : rateTogether(registry, seed, processes));
    if (!isFirst) continue;
    csv->row(seed, rates.back());
    printRow("| {} | {:.2f} |\n", seed, rates.back());
  }
  const Mean rate = meanOf(rates);
  if (isFirst) printRow("| mean | {:.2f} ± {:.2f} |\n", rate.value, rate.error);
}

}  // namespace drystone::bench
