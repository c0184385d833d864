// Grains flow from a hopper into a bin: how many a second, and what the step says of each.
//
//     example_hopper [--record FILE]      `drystone render FILE` draws what was recorded
//
// z is up. Units are metres, kilograms, seconds and radians.
#include <drystone/drystone.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace {

using namespace drystone;

constexpr double kOpening = 0.15, kTilt = 60 * M_PI / 180;  // of the walls against the floor
constexpr int kGrains = 180;

void addHopper(World& world) {
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  for (const double side : {-1.0, 1.0}) {
    // An inclined plate whose lower edge is an edge of the opening.
    const Vec3 along(side * std::cos(kTilt), 0, std::sin(kTilt));
    const Vec3 inwards(-side * along.z(), 0, side * along.x());
    const Vec3 middle = Vec3(side * kOpening / 2, 0, 0.6) + 0.45 * along - 0.01 * inwards;
    world.addBody({.kind = BodyKind::kStatic,
                   .shape = Box{{0.45, 0.08, 0.01}},
                   .pose = jointFrame(middle, along, inwards)});
  }
  for (const double side : {-1.0, 1.0}) {  // front and back
    world.addBody({.kind = BodyKind::kStatic,
                   .shape = Box{{0.8, 0.01, 0.8}},
                   .pose = {{0, side * 0.085, 0.8}}});
  }
}

std::vector<BodyId> addGrains(World& world) {
  std::mt19937 random(
      3);  // the same numbers everywhere, unlike what the distributions make of them
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / std::mt19937::max();
  };
  std::vector<BodyId> grains;
  for (int i = 0; i < kGrains; ++i) {
    const int layer = i / 28, column = i % 28 / 4, row = i % 4;
    const double radius = uniform(0.013, 0.016), shift = uniform(-1e-3, 1e-3);
    const Vec3 place((column - 3) * 0.036 + shift, (row - 1.5) * 0.035, 0.75 + 0.036 * layer);
    grains.push_back(world.addBody({.shape = Sphere{radius}, .pose = {place}, .density = 2500}));
  }
  return grains;
}

/// Grains a second: the slope of the line that fits best, while between a tenth and eight tenths
/// are through.
double rateOf(const std::vector<double>& times, const std::vector<int>& below) {
  double count = 0, t = 0, n = 0, tt = 0, tn = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (below[i] <= 0.1 * kGrains || below[i] >= 0.8 * kGrains) continue;
    count += 1;
    t += times[i];
    n += below[i];
    tt += times[i] * times[i];
    tn += times[i] * below[i];
  }
  return (count * tn - t * n) / (count * tt - t * t);
}

}  // namespace

int main(int argc, char** argv) {
  World world({.timestep = 1.0 / 120}, makeDefaultRegistry());
  world.setMaterial(0, {.friction = 0.4});
  addHopper(world);
  const std::vector<BodyId> grains = addGrains(world);
  std::optional<Recorder> recorder;
  if (argc == 3 && std::string_view(argv[1]) == "--record") {
    RecordingInfo info = recordingInfoOf(world);
    info.every = 4;  // steps between two frames
    recorder.emplace(argv[2], info, world);
  }

  std::vector<double> times, residuals;
  std::vector<int> below;
  int missed = 0;
  while (world.time() < 2) {
    const StepReport& report = world.step();
    if (recorder) recorder->addStep(world);
    missed += !report.withinTolerance;
    residuals.push_back(report.naturalMap);
    times.push_back(world.time());
    below.push_back(static_cast<int>(std::ranges::count_if(
        grains, [&](BodyId grain) { return world.body(grain).pose().position.z() < 0.55; })));
  }
  if (recorder) recorder->finish(world);

  const double rate = rateOf(times, below);
  std::ranges::sort(residuals);
  std::printf("%d of %d grains are through, %.0f a second\n", below.back(), kGrains, rate);
  std::printf("residual: median %.1e, largest %.1e m/s; %d missed\n",
              residuals[residuals.size() / 2], residuals.back(), missed);
  const bool flows = below.back() > 0.9 * kGrains && rate > 50 && rate < 1000;
  if (!flows) std::printf("the grains do not flow as they should\n");
  return flows && missed == 0 ? 0 : 1;
}
