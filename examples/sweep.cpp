// A sweep of a parameter on all cores: how far a box slides on a slope, by friction. Worlds share
// nothing that changes, so each thread may have its own.
//
//     example_sweep [--csv FILE]
//
// x points downhill, z away from the slope. Units are metres, kilograms and seconds.
#include <drystone/drystone.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace drystone;

constexpr double kSlope = 30 * M_PI / 180, kGravity = 9.81;
constexpr double kSpeed = 2;  // at the start, downhill [m/s]
constexpr int kValues = 25;

double frictionOf(int i) { return 0.05 * i; }

/// Slid way [m] after two seconds, or to where it stops.
double distance(double friction, const SolverRegistry& solvers) {
  World world(
      {.gravity = kGravity * Vec3(std::sin(kSlope), 0, -std::cos(kSlope)), .timestep = 0.002},
      solvers);
  world.setMaterial(0, {.friction = friction});
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  const BodyId box = world.addBody(
      {.shape = Box{{0.5, 0.5, 0.1}}, .pose = {{0, 0, 0.1}}, .linearVelocity = {kSpeed, 0, 0}});
  for (int i = 0; i < 1000; ++i) world.step();
  return world.body(box).pose().position.x();
}

double expected(double friction) {
  const double acceleration = kGravity * (std::sin(kSlope) - friction * std::cos(kSlope));
  const double time = acceleration >= 0 ? 2 : std::min(2.0, -kSpeed / acceleration);
  return kSpeed * time + acceleration * time * time / 2;
}

}  // namespace

int main(int argc, char** argv) {
  const SolverRegistry solvers = makeDefaultRegistry();
  std::vector<double> ways(kValues);
  std::atomic<int> next = 0;  // the value that no thread has taken yet
  {
    std::vector<std::jthread> threads;  // joined at the end of the block
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
      threads.emplace_back([&] {
        for (int i = next++; i < kValues; i = next++) ways[i] = distance(frictionOf(i), solvers);
      });
    }
  }

  std::ofstream csv;
  if (argc == 3 && std::string_view(argv[1]) == "--csv") csv.open(argv[2]);
  csv << "friction,way,expected\n";
  bool isGood = true;
  for (int i = 0; i < kValues; ++i) {
    const double friction = frictionOf(i);
    std::printf("%.2f  %7.3f m  %s\n", friction, ways[i],
                std::string(std::lround(2 * ways[i]), '#').c_str());
    csv << friction << ',' << ways[i] << ',' << expected(friction) << '\n';
    // A step of h changes the way by half a step's change of speed at most.
    isGood = isGood && std::abs(ways[i] - expected(friction)) < 0.02;
  }
  if (!isGood) std::printf("a way differs from the closed form by more than 2 cm\n");
  return isGood ? 0 : 1;
}
