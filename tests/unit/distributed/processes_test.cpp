// What several processes of a world promise beside its motion: ledgers, migration, messages, and
// what they refuse.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <mutex>

#include "core/input_error.h"
#include "distributed/distributed_world.h"
#include "distributed/regions.h"
#include "tests/support/thread_processes.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

WorldSettings floating(Real tolerance = 1e-8) {
  WorldSettings settings;
  settings.gravity.setZero();
  settings.solver.budget.tolerance = tolerance;
  return settings;
}

BodyDefinition ball(const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  return {
      .shape = Sphere{.radius = 0.5}, .pose = {.position = position}, .linearVelocity = velocity};
}

BodyState motionOf(const std::vector<BodyState>& bodies, int body) { return bodies.at(body); }

// Two clouds of balls and boxes meet in the middle, where the border is: what a contact gives to a
// ghost is what its owner gets. Impulses are some 1e3 N s; the sums round at 1e-16 of that, times
// some hundred contacts and steps.
TEST(Processes, CloudsThatMeetAtTheBorder_KeepTheMomentum) {
  runProcesses(2, [](Processes& processes) {
    World whole(floating(), registry());
    for (int i = 0; i < 16; ++i) {
      const Real side = i < 8 ? -1 : 1;
      BodyDefinition body = ball({side * (1.2 + i % 2), 1.01 * (i / 2 % 2), 1.01 * (i / 4 % 2)},
                                 {-2 * side, 0.1 * i, 0});
      if (i % 3 == 0) body.shape = Box{.halfExtents = {0.4, 0.4, 0.4}};
      whole.addBody(body);
    }
    Vec3 start = Vec3::Zero();
    for (const BodyId id : whole.bodies()) {
      start += whole.body(id).mass() * whole.body(id).linearVelocity();
    }
    DistributedWorld world(std::move(whole), registry(), processes);
    std::int64_t shared = 0;
    for (int step = 0; step < 60; ++step) {
      const StepReport& report = world.step();
      shared += world.figures().sharedRows;
      EXPECT_LT((world.figures().momentum - start).norm(), 1e-9) << step;
      EXPECT_TRUE(report.solvesWithin) << step;
    }
    EXPECT_GT(shared, 20);
  });
}

// The work of all contacts is that which the kinetic energy of all bodies changes by: some 1e5 J
// round at 1e-16, and a ghost has the velocity of its body to round-off.
TEST(Processes, EnergyLedger_ClosesOverAllProcesses) {
  for (const int count : {2, 4}) {
    runProcesses(count, [](Processes& processes) {
      WorldSettings settings;
      World whole(settings, registry());
      addPlane(whole, whole.addMaterial({.friction = 0.4}));
      for (int i = 0; i < 12; ++i) whole.addBody(ball({0.9 * (i % 6), 0.2 * i, 0.6 + i / 6}));
      DistributedWorld world(std::move(whole), registry(), processes);
      Real normal = 0;
      for (int step = 0; step < 60; ++step) {
        const EnergyLedger& energy = world.step().energy;
        EXPECT_NEAR(energy.ledgerError, 0, 1e-9) << step;
        normal += std::abs(energy.normal) + std::abs(energy.friction);
      }
      EXPECT_GT(normal, 1);
    });
  }
}

// Six boxes on each other: the border cuts the column in the middle.
TEST(Processes, StackAcrossTheBorder_Stands) {
  runProcesses(2, [](Processes& processes) {
    World whole(WorldSettings{}, registry());
    const MaterialId rough = whole.addMaterial({.friction = 0.6});
    addPlane(whole, rough);
    for (int i = 0; i < 6; ++i) {
      whole.addBody({.shape = Box{.halfExtents = {0.5, 0.5, 0.5}},
                     .pose = {.position = {0, 0, 0.5 + i}},
                     .material = rough});
    }
    DistributedWorld world(std::move(whole), registry(), processes);
    std::int64_t shared = 0;
    for (int step = 0; step < 120; ++step) {
      EXPECT_TRUE(world.step().solvesWithin) << step;
      shared += world.figures().sharedRows;
    }
    EXPECT_EQ(world.figures().ownBodiesLeast, 3);
    EXPECT_EQ(shared, 120 * 24 * 3);  // six faces of four points
    for (const BodyState& state : world.gatherBodies()) {
      const Vec3 start(0, 0, 0.5 + static_cast<Real>(state.body - 1));
      // Compliance 1e-9 /kg and the tolerance of 1e-6 m/s over 2 s.
      EXPECT_LT((Eigen::Map<const Vec3>(state.position) - start).norm(), 1e-4) << state.body;
    }
  });
}

// A free body has no contacts: all of its motion goes with it, so that the bits are those of a
// world alone.
TEST(Processes, BodyThatCrossesTheBorder_KeepsItsMotionToTheBit) {
  const auto make = [] {
    World world(floating(), registry());
    BodyDefinition flying = ball({-5, 0, 0}, {10, 0, 0.3});
    flying.shape = Box{.halfExtents = {0.2, 0.3, 0.4}};
    flying.angularVelocity = {1, 2, 3};
    world.addBody(flying);
    for (int i = 0; i < 4; ++i) world.addBody(ball({-4 + 2.5 * i, 3, 0}));
    return world;
  };
  World alone = make();
  for (int step = 0; step < 60; ++step) alone.step();
  runProcesses(2, [&](Processes& processes) {
    DistributedWorld world(make(), registry(), processes);
    std::int64_t migrated = 0;
    for (int step = 0; step < 60; ++step) {
      world.step();
      migrated += world.figures().migrated;
    }
    EXPECT_GE(migrated, 1);
    const BodyState state = motionOf(world.gatherBodies(), 0);
    const ConstBodyHandle body = std::as_const(alone).body(alone.bodies().front());
    EXPECT_EQ(Vec3(Eigen::Map<const Vec3>(state.position)), body.centerOfMass());
    EXPECT_EQ(Vec3(Eigen::Map<const Vec3>(state.velocity + 3)), body.angularVelocity());
  });
}

// A ball that rolls over the border on the ground goes on from the impulses that it had: the ground
// is every process's, and its contact moves with it.
TEST(Processes, WarmStarts_MoveWithTheBody) {
  const auto make = [] {
    World world(WorldSettings{.holdJoints = false}, registry());
    const MaterialId rough = world.addMaterial({.friction = 0.5});
    addPlane(world, rough);
    for (int i = 0; i < 2; ++i) {
      BodyDefinition body = ball({-3.0 + 6 * i, 0, 0.5}, {i == 0 ? 5.0 : 0.0, 0, 0});
      body.angularVelocity = {0, i == 0 ? 10.0 : 0.0, 0};
      body.material = rough;
      world.addBody(body);
    }
    return world;
  };
  runProcesses(2, [&](Processes& processes) {
    DistributedWorld world(make(), registry(), processes);
    std::int64_t migrated = 0;
    for (int step = 0; step < 39; ++step) {
      const StepReport& report = world.step();
      migrated += world.figures().migrated;
      if (step > 0) {
        EXPECT_EQ(report.warmStarted, 2) << step;
      }
    }
    EXPECT_EQ(migrated, 1);
  });
}

// Two processes. A step tells the boxes (6 numbers), the sizes of what migrates and of what ghosts
// come (2 each), and the rows that are shared (1): 4 messages and 88 bytes a process.
TEST(Processes, BytesOfAStep_AreCounted) {
  for (const bool isTouching : {false, true}) {
    runProcesses(2, [&](Processes& processes) {
      World whole(floating(), registry());
      const Real half = isTouching ? 0.5 : 5;
      whole.addBody(ball({-half, 0, 0}));
      whole.addBody(ball({half, 0, 0}));
      DistributedWorld world(std::move(whole), registry(), processes);
      world.step();  // looks at the load, too
      world.step();
      const Traffic& traffic = world.figures().traffic;
      if (!isTouching) {
        EXPECT_EQ(traffic.messages, 8);
        EXPECT_EQ(traffic.bytes, 176);
        return;
      }
      // Each is a ghost of the other (160 bytes), and the holder tells whether it touches it (1
      // byte). The contact is the first one's: a velocity (48 bytes) goes to the owner and back for
      // the start of the solve and at its end. The start is the answer, of which both tell their
      // residuals (2 numbers).
      EXPECT_EQ(world.figures().sharedIterations, 0);
      EXPECT_EQ(traffic.messages, 8 + 2 + 2 + 2 * 2 + 2);
      EXPECT_EQ(traffic.bytes, 176 + 2 * 160 + 2 * 1 + 2 * 2 * 48 + 2 * 16);
    });
  }
}

// A heap that all lies with one process after it slid there is bisected anew.
TEST(Processes, LoadThatIsOff_IsSharedAnew) {
  runProcesses(4, [](Processes& processes) {
    World whole(floating(), registry());
    for (int i = 0; i < 40; ++i) {
      // The second half flies over to where the first one is.
      const bool isLeft = i < 20;
      whole.addBody(ball({(isLeft ? 0 : 60) + 1.5 * (i % 5), 1.5 * (i / 5 % 4), isLeft ? 0 : 3.0},
                         {isLeft ? 0.0 : -60.0, 0, 0}));
    }
    DistributedWorld world(std::move(whole), registry(), processes);
    int rebalanced = 0;
    for (int step = 0; step < 61; ++step) {
      world.step();
      rebalanced += world.figures().isRebalanced ? 1 : 0;
    }
    EXPECT_GE(rebalanced, 1);
    EXPECT_LE(world.figures().ownBodiesMost, 12);
  });
}

TEST(Processes, WhatIsNotSupported_IsRefusedByName) {
  const auto problemOf = [](const WorldSettings& settings, const BodyDefinition& body,
                            bool isOnACable = false, Real adhesion = 0) {
    World whole(settings, registry());
    whole.setMaterialPair(0, 0, {.adhesion = adhesion});
    const BodyId id = whole.addBody(body);
    if (isOnACable) {
      const BodyId other = whole.addBody(ball({9, 0, 0}));
      const BodyId post = whole.addBody({.kind = BodyKind::kStatic});
      whole.addCable(
          {.name = "rope", .points = {{id}, {.body = post, .position = {0, 0, 5}}, {other}}});
    }
    LoneProcess process;
    try {
      const DistributedWorld world(std::move(whole), registry(), process);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problemOf({}, ball({0, 0, 0})), "");
  WorldSettings settings;
  settings.sleeping = Sleeping::on();
  EXPECT_THAT(problemOf(settings, ball({0, 0, 0})), HasSubstr("sleeping must be off"));
  settings = {.substeps = 2};
  EXPECT_THAT(problemOf(settings, ball({0, 0, 0})), HasSubstr("substeps must be 1"));
  settings = {};
  settings.projection = Projection::on();
  EXPECT_THAT(problemOf(settings, ball({0, 0, 0})), HasSubstr("projection"));
  BodyDefinition sensor = ball({0, 0, 0});
  sensor.name = "eye";
  sensor.isSensor = true;
  EXPECT_THAT(problemOf({}, sensor), HasSubstr("'eye' is a sensor"));
  BodyDefinition cup = ball({0, 0, 0});
  cup.name = "cup";
  cup.adhesion = {{0, 1}};
  EXPECT_THAT(
      problemOf({}, ball({0, 0, 0}), true),
      HasSubstr("joint 'rope' is a cable over several bodies or on a drum: take cables out"));
  EXPECT_THAT(problemOf({}, cup),
              AllOf(HasSubstr("'cup' has adhesion"), HasSubstr("hold it by a joint")));
  EXPECT_THAT(problemOf({}, ball({0, 0, 0}), false, 1),
              HasSubstr("materials must be without adhesion: set it to 0"));
}

// It bears nothing any more: both loads fall.
TEST(Processes, CableThatBroke_IsTakenAndLeftOut) {
  World whole(WorldSettings{}, registry());
  const BodyId a = whole.addBody(ball({0, 0, 0})), b = whole.addBody(ball({9, 0, 0}));
  const BodyId post = whole.addBody({.kind = BodyKind::kStatic});
  whole.addCable(
      {.points = {{a}, {.body = post, .position = {0, 0, 50}}, {b}}, .breakingImpulse = 1e-9});
  whole.step();
  ASSERT_EQ(whole.lastReport().brokenJoints.size(), 2U);
  const Real rises = whole.body(a).linearVelocity().z();
  const Vec3 fall = whole.settings().timestep * whole.settings().gravity;
  LoneProcess process;
  DistributedWorld world(std::move(whole), registry(), process);
  world.step();
  EXPECT_NEAR(world.gatherBodies()[0].velocity[2], rises + fall.z(), 1e-12);
}

TEST(Regions, EveryPoint_LiesInTheRegionThatBisectionGaveIt) {
  std::vector<Vec3> points;
  for (int i = 0; i < 100; ++i) {
    points.emplace_back(std::sin(i), 3 * std::cos(2 * i), 0.01 * i);
  }
  for (const int count : {1, 2, 3, 4, 7}) {
    const Regions regions(points, count);
    std::vector<int> sizes(count, 0);
    for (const Vec3& point : points) ++sizes.at(regions.regionOf(point));
    for (const int size : sizes) EXPECT_NEAR(size, 100.0 / count, 2) << count;
    // All of space belongs to one.
    EXPECT_LT(regions.regionOf({1e9, -1e9, 1e9}), count);
  }
}

TEST(Regions, PointsInOnePlace_AreOneRegion) {
  const std::vector<Vec3> points(10, Vec3(1, 2, 3));
  const Regions regions(points, 4);
  const int region = regions.regionOf(points.front());
  EXPECT_GE(region, 0);
  EXPECT_LT(region, 4);
}

}  // namespace
}  // namespace drystone::test
