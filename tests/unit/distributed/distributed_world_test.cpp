// A world on several processes moves as it does on one, keeps its ledgers, and repeats to the bit.
// Threads stand in for the processes here; the program on real ones is tests/cli's.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "core/random.h"
#include "distributed/distributed_world.h"
#include "tests/support/thread_processes.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

WorldSettings pileSettings(Real tolerance) {
  WorldSettings settings;
  settings.solver.budget.tolerance = tolerance;
  settings.holdJoints = false;  // as on several processes
  return settings;
}

/// Spheres and boxes that settle over each other on a plane, in a row of heaps along x.
World settlingPile(const WorldSettings& settings, int columns = 6) {
  World world(settings, registry());
  const MaterialId rough = world.addMaterial({.friction = 0.5});
  addPlane(world, rough);
  for (int x = 0; x < columns; ++x) {
    for (int y = 0; y < 2; ++y) {
      for (int z = 0; z < 3; ++z) {
        const bool isBall = (x + y + z) % 2 == 0;
        const Shape shape =
            isBall ? Shape(Sphere{.radius = 0.5}) : Shape(Box{.halfExtents = {0.5, 0.5, 0.5}});
        const Vec3 shift = 0.04 * Vec3(std::sin(x + 2 * z), std::cos(3 * x + y), 0);
        world.addBody({.shape = shape,
                       .pose = {.position = Vec3(1.02 * x, 1.02 * y, 0.5 + 1.02 * z) + shift},
                       .density = isBall ? 800.0 : 1200.0,
                       .material = rough});
      }
    }
  }
  return world;
}

struct Outcome {
  std::vector<BodyState> bodies;
  std::vector<StepReport> reports;
  std::vector<DistributedFigures> figures;
  std::uint64_t hash = 0;
};

Outcome runOn(int count, const std::function<World()>& make, int steps) {
  Outcome outcome;
  runProcesses(count, [&](Processes& processes) {
    DistributedWorld world(make(), registry(), processes);
    for (int step = 0; step < steps; ++step) {
      world.step();
      if (processes.rank() != 0) continue;
      outcome.reports.push_back(world.lastReport());
      outcome.figures.push_back(world.figures());
    }
    const std::vector<BodyState> bodies = world.gatherBodies();
    const std::uint64_t hash = world.hash();
    if (processes.rank() != 0) return;
    outcome.bodies = bodies;
    outcome.hash = hash;
  });
  return outcome;
}

Real farthestApart(const std::vector<BodyState>& a, const std::vector<BodyState>& b) {
  Real largest = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].body, b[i].body);
    const Vec3 way = Eigen::Map<const Vec3>(a[i].position) - Eigen::Map<const Vec3>(b[i].position);
    largest = std::max(largest, way.norm());
  }
  return largest;
}

TEST(DistributedWorld, OneProcess_HasTheBitsOfAWorldAlone) {
  const WorldSettings settings = pileSettings(1e-8);
  World alone = settlingPile(settings);
  runProcesses(1, [&](Processes& processes) {
    DistributedWorld world(settlingPile(settings), registry(), processes);
    for (int step = 0; step < 30; ++step) {
      alone.step();
      world.step();
      ASSERT_EQ(world.local().observe().hash(), alone.observe().hash()) << step;
    }
    EXPECT_EQ(world.lastReport().contacts, alone.lastReport().contacts);
    EXPECT_EQ(world.lastReport().bodies, alone.lastReport().bodies);
    EXPECT_EQ(world.lastReport().energy.kinetic, alone.lastReport().energy.kinetic);
    EXPECT_EQ(processes.traffic().messages, 0);
  });
}

// Four balls in a row that touch: space is bisected between the second and the third, so that one
// contact is over the border. The owner of the second has it, and touches the third of the other.
TEST(DistributedWorld, RowOfBalls_HasOneContactOverTheBorder) {
  const auto make = [] {
    World world(pileSettings(1e-7), registry());
    addPlane(world, world.addMaterial({.friction = 0.5}));
    for (int i = 0; i < 4; ++i) {
      world.addBody({.shape = Sphere{.radius = 0.5}, .pose = {.position = {1.0 * i, 0, 0.5}}});
    }
    return world;
  };
  const DistributedFigures alone = runOn(1, make, 1).figures.back();
  EXPECT_EQ(alone.borderContacts, 0);
  EXPECT_EQ(alone.sharedBodies, 0);
  const Outcome two = runOn(2, make, 1);
  EXPECT_EQ(two.reports.back().contacts, 7);
  EXPECT_EQ(two.figures.back().borderContacts, 1);
  EXPECT_EQ(two.figures.back().sharedBodies, 1);
}

class DistributedPile : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processes, DistributedPile, testing::Values(2, 4));

// Velocities are as good as the tolerance, 1e-7 m/s. Bodies that slide and tip over each other
// amplify what that leaves: positions are some 1e-6 m apart after some steps, and 8e-5 m at a
// tolerance of 1e-6 m/s.
TEST_P(DistributedPile, MovesAsOnOneProcess) {
  const auto make = [] { return settlingPile(pileSettings(1e-7), 4); };
  static const Outcome one = runOn(1, make, 8);  // of all parameters
  const Outcome several = runOn(GetParam(), make, 8);
  EXPECT_LT(farthestApart(one.bodies, several.bodies), 1e-5);
  for (const StepReport& report : several.reports) {
    EXPECT_LE(report.naturalMap, 1e-7) << report.step;
    EXPECT_TRUE(report.withinTolerance) << report.step;
    // One process leaves wide gaps between bodies at rest out.
    EXPECT_GE(report.contacts, one.reports[report.step - 1].contacts) << report.step;
    EXPECT_EQ(report.bodies, one.reports[report.step - 1].bodies);
  }
  EXPECT_GT(several.figures.back().sharedRows, 30);
  EXPECT_GT(several.figures.back().ghosts, 4);
}

TEST_P(DistributedPile, TwoRuns_HaveTheSameBits) {
  const auto make = [] { return settlingPile(pileSettings(1e-5), 4); };
  const Outcome first = runOn(GetParam(), make, 8), second = runOn(GetParam(), make, 8);
  EXPECT_EQ(first.hash, second.hash);
  EXPECT_EQ(first.figures.back().traffic.bytes, second.figures.back().traffic.bytes);
}

}  // namespace
}  // namespace drystone::test
