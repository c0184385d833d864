// The same bits for every thread count, for every run, and after save and restore.
#include <gtest/gtest.h>

#include <memory>

#include "core/input_error.h"
#include "core/random.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Mixed shapes rain into a bin: many islands that form and merge.
World rain(const std::string& solver, int threads, WorldSettings settings = {}) {
  settings.solver.name = solver;
  settings.threads = threads;
  // Redundant contacts take these thousands of pivots; which bits come of fewer does not matter.
  if (solver == "murty" || solver == "lemke") {
    settings.solver.budget.iterations = 15;
  }
  World world(settings, test::registry());
  test::addGround(world);
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    const Pose pose{{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), 0.4 + 0.12 * i},
                    test::turn(Vec3(1, random.uniform(), 0.3).normalized(), random.uniform(0, 3))};
    if (i % 4 == 0) {
      test::addBody(world, Sphere{0.2}, 1, pose);
    } else if (i % 4 == 1) {
      test::addBody(world, Cylinder{0.15, 0.2}, 1, pose);
    } else {
      test::addBody(world, Box{{0.2, 0.15, 0.1}}, 1, pose);
    }
  }
  return world;
}

class Determinism : public testing::TestWithParam<std::string> {};

TEST_P(Determinism, TwoRuns_HaveTheSameBits) {
  World a = rain(GetParam(), 1), b = rain(GetParam(), 1);
  for (int i = 0; i < 75; ++i) {
    a.step();
    b.step();
    ASSERT_EQ(a.observe().hash(), b.observe().hash()) << "step " << i;
  }
}

TEST_P(Determinism, ThreadCount_DoesNotChangeABit) {
  int mostIslands = 0;
  test::expectSameBitsForEveryThreadCount([](int threads) { return rain(GetParam(), threads); }, 75,
                                          [&](const World& world) {
                                            mostIslands = std::max(mostIslands,
                                                                   world.observe().islandCount());
                                          });
  EXPECT_GE(mostIslands, 8);  // one for every thread
}

TEST_P(Determinism, RestoredWorld_ContinuesBitForBit) {
  constexpr int kBefore = 60, kAfter = 12;  // later steps take ten times as long
  World original = rain(GetParam(), 1);
  for (int i = 0; i < kBefore; ++i) original.step();
  const std::vector<std::byte> saved = original.save();
  World fresh = rain(GetParam(), 2);
  fresh.step();  // whatever it did before does not matter
  fresh.restore(saved);
  EXPECT_EQ(fresh.observe().hash(), original.observe().hash());
  for (int i = 0; i < kAfter; ++i) {
    original.step();
    fresh.step();
    ASSERT_EQ(original.observe().hash(), fresh.observe().hash())
        << "step " << i << " after restoring";
  }
  original.restore(saved);  // and back in time in the same world
  for (int i = 0; i < kAfter; ++i) original.step();
  EXPECT_EQ(original.observe().hash(), fresh.observe().hash());
}

INSTANTIATE_TEST_SUITE_P(Solver, Determinism, testing::ValuesIn(test::registry().names()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(CarriedContacts, ThreadsAndARestore_DoNotChangeABit) {
  WorldSettings settings;
  settings.substeps = 4;
  settings.detection = Detection::kStep;
  World one = rain("sor-prox-wide", 1, settings), four = rain("sor-prox-wide", 4, settings);
  World restored = rain("sor-prox-wide", 1, settings);
  for (int i = 0; i < 90; ++i) {
    one.step();
    four.step();
    ASSERT_EQ(one.observe().hash(), four.observe().hash()) << "step " << i;
    if (i < 50) continue;
    if (i == 50) {
      restored.restore(one.save());
    } else {
      restored.step();
    }
    ASSERT_EQ(one.observe().hash(), restored.observe().hash()) << "step " << i;
  }
}

// What the velocities of locks were, and the torques of joints, are part of the state.
TEST(Restore, PendulumsOfMeanRows_ContinueBitForBit) {
  const auto make = [] {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.integrator = Integrator::kMoreau;
    settings.jointRows = JointRows::kMean;
    settings.timestep = 1.0 / 480;  // links that turn by less than 0.05 rad a step use both
    World world(settings, test::registry());
    BodyId last = world.addBody({.kind = BodyKind::kStatic});
    for (int i = 0; i < 3; ++i) {
      const BodyId next =
          test::addBody(world, Box{{0.5, 0.3, 0.1}}, 1, {{0.5 + i, 0, 0}, Quat::Identity()},
                        Vec3::Zero(), {3, 1, 0});
      world.addJoint(ballJoint(last, next, {i == 0 ? 0 : 0.5, 0, 0}, {-0.5, 0, 0}));
      last = next;
    }
    return world;
  };
  World first = make(), second = make();
  for (int i = 0; i < 20; ++i) first.step();
  second.restore(first.save());
  for (int i = 0; i < 20; ++i) {
    first.step();
    second.step();
    ASSERT_EQ(first.observe().hash(), second.observe().hash()) << i;
  }
}

/// Boxes in a stack: all but the first steps place their contacts by those of an earlier search.
World stackAtRest() {
  WorldSettings settings;
  settings.solver.name = "bpp";
  World world(settings, test::registry());
  test::addGround(world);
  for (int i = 0; i < 6; ++i) {
    test::addBody(world, Box{Vec3::Constant(0.5)}, 1, {{0.02 * (i % 2), 0, 0.5 + i}});
  }
  return world;
}

TEST(Restore, StackAtRest_ContinuesBitForBit) {
  World original = stackAtRest();
  for (int saved = 0; saved < 12; ++saved) {
    original.step();
    World restored = stackAtRest();
    restored.step();
    restored.restore(original.save());
    const std::vector<std::byte> start = original.save();
    for (int i = 0; i < 8; ++i) {
      original.step();
      restored.step();
      ASSERT_EQ(original.observe().hash(), restored.observe().hash()) << saved << ", " << i;
    }
    original.restore(start);
  }
}

// The caches of a box and a triangle name the box first, whichever was added first.
TEST(Restore, BoxOnAMesh_ContinuesBitForBitInEitherOrder) {
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const bool meshFirst : {true, false}) {
    const auto make = [&] {
      World world(test::settingsFor("auto"), test::registry());
      const BodyDefinition floor{.kind = BodyKind::kStatic, .shape = TriangleMesh{mesh}};
      if (meshFirst) world.addBody(floor);
      test::addUnitBox(world, {0.1, 0.2, 0.5}, {1, 0, 0});
      if (!meshFirst) world.addBody(floor);
      return world;
    };
    World first = make(), second = make();
    for (int i = 0; i < 3; ++i) first.step();
    ASSERT_NO_THROW(second.restore(first.save())) << meshFirst;
    for (int i = 0; i < 10; ++i) {
      first.step();
      second.step();
    }
    EXPECT_EQ(first.observe().hash(), second.observe().hash()) << meshFirst;
  }
}

TEST(Restore, DamagedBytes_AreRefusedAndNothingChanges) {
  World world = rain("sor-prox", 1);
  for (int i = 0; i < 20; ++i) world.step();
  const std::vector<std::byte> saved = world.save();
  const std::uint64_t before = world.observe().hash();
  for (std::size_t cut = 0; cut < saved.size(); cut += 97) {
    EXPECT_THROW(world.restore(std::span(saved).first(cut)), InputError);
  }
  for (std::size_t at = 0; at < saved.size(); at += 101) {
    std::vector<std::byte> damaged = saved;
    damaged[at] ^= std::byte{0x10};
    EXPECT_THROW(world.restore(damaged), InputError);
  }
  EXPECT_EQ(world.observe().hash(), before);
}

TEST(Restore, IntoAnotherWorld_IsRefused) {
  const auto build = [](Real margin, int materials, Real size, int bodyA) {
    WorldSettings settings;
    settings.contactMargin = margin;
    World world(settings, test::registry());
    for (int i = 1; i < materials; ++i) world.addMaterial({});
    const BodyId ground = test::addGround(world);
    const BodyId box =
        test::addBody(world, Box{{size, 0.5, 0.5}}, 1, {{0, 0, 0.5}, Quat::Identity()});
    const BodyId ends[] = {ground, box};
    world.addJoint(distanceJoint(ends[bodyA], ends[1 - bodyA], Vec3::Zero(), Vec3::Zero(), 0, 1));
    return world;
  };
  const std::vector<std::byte> saved = build(0.01, 1, 0.5, 0).save();
  EXPECT_NO_THROW(build(0.01, 1, 0.5, 0).restore(saved));
  EXPECT_THROW(build(0.02, 1, 0.5, 0).restore(saved), InputError);
  EXPECT_THROW(build(0.01, 2, 0.5, 0).restore(saved), InputError);
  EXPECT_THROW(build(0.01, 1, 0.6, 0).restore(saved), InputError);
  EXPECT_THROW(build(0.01, 1, 0.5, 1).restore(saved), InputError);
}

// Forces, springs and their tables are part of the state.
TEST(Restore, OtherForcesAndSpringTables_AreBroughtBack) {
  const auto build = [](Real force, Real end, Real damper) {
    World world({}, test::registry());
    const BodyId post = world.addBody({.kind = BodyKind::kStatic});
    const BodyId box = test::addUnitBox(world, {0, 0, 0});
    world.body(box).setForces({{.time = 1, .force = {force, 0, 0}}});
    JointDefinition slider = sliderJoint(post, box, {}, {});
    slider.axes[kAlongX].spring = JointSpring{.forceTable = ForceTable({{0, 0}, {1, end}}),
                                              .damperTable = ForceTable({{0, 0}, {1, damper}})};
    world.addJoint(slider);
    return world;
  };
  const std::vector<std::byte> saved = build(1, 2, 3).save();
  World other = build(9, 9, 9);
  EXPECT_NE(other.save(), saved);
  other.restore(saved);
  EXPECT_EQ(other.body({1, 1}).forces()[0].force.x(), 1);
  const JointSpring spring = *other.joint(other.joints()[0]).definition().axes[kAlongX].spring;
  EXPECT_EQ(spring.forceTable.forceAt(1), 2);
  EXPECT_EQ(spring.damperTable.forceAt(1), 3);
  EXPECT_EQ(other.save(), saved);
}

TEST(Restore, JointsMotionsMoreauAndRemovals_ContinueBitForBit) {
  const auto build = [] {
    WorldSettings settings;
    settings.integrator = Integrator::kMoreau;
    World world(settings, test::registry());
    world.setMaterialPair(0, 0, {.friction = 0.4, .restitution = 0.5});
    test::addGround(world);
    BodyDefinition paddle{.kind = BodyKind::kKinematic, .shape = Box{{1, 0.2, 0.2}}};
    paddle.pose.position = {-3, 0, 0.3};
    paddle.motion = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {3, 0, 0}, {0, 0, 1}}};
    world.addBody(paddle);
    const BodyId gone = test::addUnitBox(world, {5, 0, 0.5});
    const BodyId a = test::addUnitBox(world, {0, 0, 1.2});
    const BodyId b = test::addUnitBox(world, {0, 0, 2.4});
    world.addJoint(ballJoint(a, b, {0, 0, 0.6}, {0, 0, -0.6}));
    world.body(b).setForces(
        {{.time = 0.5}, {.time = 1.5, .force = {3, 0, 0}, .torque = {0, 1, 0}}});
    world.removeBody(gone);
    test::addBody(world, Sphere{0.3}, 1, {{0.1, 0, 4}, Quat::Identity()});
    return world;
  };
  World original = build();
  for (int i = 0; i < 45; ++i) original.step();
  World fresh = build();
  fresh.restore(original.save());
  for (int i = 0; i < 90; ++i) {
    original.step();
    fresh.step();
    ASSERT_EQ(original.observe().hash(), fresh.observe().hash()) << "step " << i;
  }
}

TEST(Restore, BrokenJointsMotorTargetsAndWholeTurns_ContinueBitForBit) {
  const auto build = [] {
    World world({}, test::registry());
    test::addGround(world);
    const BodyId post = world.addBody({.kind = BodyKind::kStatic});
    const BodyId wheel = test::addBody(world, Cylinder{0.3, 0.1}, 4, {{0, 0, 3}, Quat::Identity()});
    const BodyId bob = test::addUnitBox(world, {0, 0, 1.6});
    JointDefinition hinge = hingeJoint(post, wheel, {{0, 0, 3}, Quat::Identity()}, {});
    hinge.axes[kAboutX].motor = JointMotor{.target = 9, .maxForce = 50};
    world.addJoint(hinge);
    JointDefinition rope = distanceJoint(wheel, bob, {0, 0.3, 0}, {0, 0, 0.5}, 0, 0.9);
    rope.breakingImpulse = 0.6;
    world.addJoint(rope);
    return world;
  };
  World original = build();
  for (int i = 0; i < 60; ++i) original.step();
  ASSERT_EQ(std::ssize(original.joints()), 1) << "the rope should have broken";
  original.joint({0}).setMotorTarget(kAboutX, -4);
  World fresh = build();
  fresh.restore(original.save());
  EXPECT_EQ(std::ssize(fresh.joints()), 1);
  for (int i = 0; i < 90; ++i) {
    original.step();
    fresh.step();
    ASSERT_EQ(original.observe().hash(), fresh.observe().hash()) << "step " << i;
  }
  EXPECT_EQ(original.joint({0}).coordinate(kAboutX), fresh.joint({0}).coordinate(kAboutX));
}

}  // namespace
}  // namespace drystone
