// Many worlds side by side: each has the bits that it has alone, for every number of threads, after
// resets too, and whatever becomes of the others.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/input_error.h"
#include "core/random.h"
#include "engine/model/joint_store.h"
#include "engine/world/world_batch.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr int kWorlds = 7;

World sceneWorld(const char* name) { return buildWorld(readScene(name), test::registry()); }

WorldBatch batchOf(const char* name, int threads, int count = kWorlds) {
  return {count, [name] { return sceneWorld(name); }, threads};
}

std::vector<Real> randomNumbers(std::size_t count, Real largest, int seed) {
  Random random(seed);
  std::vector<Real> numbers(count);
  for (Real& number : numbers) number = random.uniform(-largest, largest);
  return numbers;
}

std::vector<std::uint64_t> hashesOf(WorldBatch& batch) {
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < batch.count(); ++i) hashes.push_back(batch.world(i).observe().hash());
  return hashes;
}

/// Forces on all coordinates and targets of all motors, other ones every few steps.
std::vector<std::uint64_t> drive(WorldBatch& batch, int rounds) {
  std::vector<std::uint64_t> hashes;
  for (int round = 0; round < rounds; ++round) {
    batch.setForces(randomNumbers(batch.count() * batch.coordinates().size(), 5, round));
    batch.setMotorTargets(randomNumbers(batch.count() * batch.motors().size(), 0.5, 100 + round));
    batch.step(3);
    for (const std::uint64_t hash : hashesOf(batch)) hashes.push_back(hash);
  }
  return hashes;
}

class BatchOfScene : public testing::TestWithParam<const char*> {};

TEST_P(BatchOfScene, ThreadCount_ChangesNoBit) {
  WorldBatch one = batchOf(GetParam(), 1);
  const std::vector<std::uint64_t> hashes = drive(one, 8);
  EXPECT_NE(hashes[hashes.size() - 1], hashes[hashes.size() - 2]) << "all worlds do the same";
  for (const int threads : {2, 5}) {
    WorldBatch batch = batchOf(GetParam(), threads);
    EXPECT_EQ(drive(batch, 8), hashes) << threads << " threads";
  }
}

TEST_P(BatchOfScene, EachWorld_HasTheBitsOfOneAlone) {
  WorldBatch batch = batchOf(GetParam(), 2, 3);
  std::vector<World> alone;
  for (int i = 0; i < batch.count(); ++i) alone.push_back(sceneWorld(GetParam()));
  for (int round = 0; round < 6; ++round) {
    const auto forces = randomNumbers(batch.count() * batch.coordinates().size(), 5, round);
    const auto targets = randomNumbers(batch.count() * batch.motors().size(), 0.5, 100 + round);
    batch.setForces(forces);
    batch.setMotorTargets(targets);
    batch.step(4);
    for (int i = 0; i < batch.count(); ++i) {
      World& world = alone[i];
      for (std::size_t m = 0; m < batch.motors().size(); ++m) {
        const auto [joint, coordinate] = batch.motors()[m];
        world.joint(joint).setMotorTarget(coordinate, targets[i * batch.motors().size() + m]);
      }
      for (int step = 0; step < 4; ++step) {
        for (std::size_t c = 0; c < batch.coordinates().size(); ++c) {
          const auto [joint, coordinate] = batch.coordinates()[c];
          world.joint(joint).applyForce(coordinate, forces[i * batch.coordinates().size() + c]);
        }
        world.step();
      }
      ASSERT_EQ(batch.world(i).observe().hash(), world.observe().hash()) << i << ", " << round;
    }
  }
}

TEST_P(BatchOfScene, Reset_RunsAgainBitForBit) {
  WorldBatch batch = batchOf(GetParam(), 2);
  const std::vector<std::uint64_t> start = hashesOf(batch), first = drive(batch, 5);
  batch.reset();
  EXPECT_EQ(hashesOf(batch), start);
  EXPECT_EQ(drive(batch, 5), first);
  // Of one world alone: the others are as they were, and no force is left on it.
  const std::vector<std::uint64_t> before = hashesOf(batch);
  const int one = 2;
  batch.reset({&one, 1});
  std::vector<std::uint64_t> expected = before;
  expected[one] = start[one];
  EXPECT_EQ(hashesOf(batch), expected);
  batch.step();
  World alone = sceneWorld(GetParam());
  alone.step();
  EXPECT_EQ(batch.world(one).observe().hash(), alone.observe().hash());
}

// Worlds of a batch share solvers, but those that have other ones.
TEST(WorldBatch, WorldsOfOtherSolvers_KeepThem) {
  const auto make = [](int index) {
    World world = sceneWorld("stack_10");
    if (index % 3 == 1) world.setSolver({.name = "sor-prox"});
    if (index % 3 == 2) {
      world.setSolver({.name = "sor-prox", .settings = {{.name = "relaxation", .value = 0.7}}});
    }
    return world;
  };
  int made = 0;
  WorldBatch batch(
      6, [&] { return make(made++); }, 2);
  // One that gets another solver later.
  batch.world(3).setSolver({.name = "apgd"});
  batch.step(20);
  for (int i = 0; i < batch.count(); ++i) {
    World alone = make(i);
    if (i == 3) alone.setSolver({.name = "apgd"});
    for (int step = 0; step < 20; ++step) alone.step();
    EXPECT_EQ(batch.world(i).observe().hash(), alone.observe().hash()) << i;
    for (int other = 0; other < i; ++other) {
      if (other % 3 == i % 3 && (other == 3) == (i == 3)) continue;
      EXPECT_NE(batch.world(i).observe().hash(), batch.world(other).observe().hash()) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, BatchOfScene, testing::Values("cart_pole", "vehicle", "gripper"),
                         [](const auto& scene) { return std::string(scene.param); });

TEST(WorldBatch, Arrays_HaveWhatTheHandlesHave) {
  WorldBatch batch = batchOf("cart_pole", 2, 3);
  batch.setForces(std::vector<Real>{1, 0, 2, 0, 3, 0});
  batch.step(5);
  ASSERT_EQ(batch.bodies().size(), 3);
  ASSERT_EQ(batch.coordinates().size(), 2);
  std::vector<Real> positions(3 * 3 * 3), rotations(3 * 3 * 4), velocities(3 * 3 * 6), q(6),
      rates(6);
  batch.readPositions(positions);
  batch.readOrientations(rotations);
  batch.readVelocities(velocities);
  batch.readCoordinates(q);
  batch.readRates(rates);
  for (int i = 0; i < 3; ++i) {
    for (int b = 0; b < 3; ++b) {
      const ConstBodyHandle body = batch.world(i).body(batch.bodies()[b]);
      const Quat turn = body.pose().rotation;
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(positions[(i * 3 + b) * 3 + k], body.pose().position[k]);
        EXPECT_EQ(rotations[(i * 3 + b) * 4 + 1 + k], turn.vec()[k]);
        EXPECT_EQ(velocities[(i * 3 + b) * 6 + k], body.linearVelocity()[k]);
        EXPECT_EQ(velocities[(i * 3 + b) * 6 + 3 + k], body.angularVelocity()[k]);
      }
      EXPECT_EQ(rotations[(i * 3 + b) * 4], turn.w());
    }
    for (int c = 0; c < 2; ++c) {
      const auto [joint, coordinate] = batch.coordinates()[c];
      EXPECT_EQ(q[i * 2 + c], batch.world(i).joint(joint).coordinate(coordinate));
      EXPECT_EQ(rates[i * 2 + c], batch.world(i).joint(joint).rate(coordinate));
    }
  }
  EXPECT_GT(rates[4], rates[0]);
}

TEST(WorldBatch, ResetToPlaces_ReadsAsPlaced) {
  WorldBatch batch = batchOf("cart_pole", 2, 3);
  batch.step(5);
  const std::vector<int> worlds = {2, 0};
  const std::vector<Real> coordinates = {0.5, 1, -0.25, kNaN}, rates = {0.1, 0.2, 0.3, 0.4};
  batch.reset(worlds, {.coordinates = coordinates, .rates = rates});
  std::vector<Real> q(6), v(6);
  batch.readCoordinates(q);
  batch.readRates(v);
  EXPECT_NEAR(q[4], 0.5, 1e-14);
  EXPECT_NEAR(q[5], 1, 1e-14);
  EXPECT_NEAR(q[0], -0.25, 1e-14);
  EXPECT_NEAR(v[0], 0.3, 1e-14);
  EXPECT_NEAR(v[1], 0.4, 1e-14);
  EXPECT_NEAR(v[4], 0.1, 1e-14);
  WorldBatch fresh = batchOf("cart_pole", 1, 1);
  std::vector<Real> start(2);
  fresh.readCoordinates(start);
  EXPECT_NEAR(q[1], start[1], 1e-14);  // NaN: that of the start
  // The place of a body by itself: the cart a metre on, the pole left behind.
  std::vector<Real> positions(9, kNaN);
  positions[3] = 1, positions[4] = 0, positions[5] = 0;
  const int one = 1;
  batch.reset({&one, 1}, {.positions = positions});
  EXPECT_EQ(batch.world(1).body(batch.bodies()[1]).pose().position, Vec3(1, 0, 0));
}

TEST(WorldBatch, WorldThatDiverges_IsToldAndTheOthersGoOn) {
  WorldBatch batch = batchOf("cart_pole", 2, 4);
  WorldBatch calm = batchOf("cart_pole", 1, 4);
  std::vector<Real> forces(8, 0);
  forces[2 * 2] = 1e15;
  batch.setForces(forces);
  batch.step(10);
  calm.step(10);
  const std::vector<std::uint8_t> diverged(batch.diverged().begin(), batch.diverged().end());
  EXPECT_EQ(diverged, (std::vector<std::uint8_t>{0, 0, 1, 0}));
  EXPECT_EQ(batch.withinTolerance()[2], 0);
  EXPECT_EQ(batch.withinTolerance()[1], 1);
  std::vector<std::uint64_t> hashes = hashesOf(batch), expected = hashesOf(calm);
  const std::uint64_t stuck = hashes[2];
  EXPECT_NE(stuck, expected[2]);
  hashes[2] = expected[2];
  EXPECT_EQ(hashes, expected);
  batch.step();  // it stays as it is
  EXPECT_EQ(batch.world(2).observe().hash(), stuck);
  EXPECT_EQ(batch.withinTolerance()[2], 0);
  const int one = 2;
  batch.reset({&one, 1});
  EXPECT_EQ(batch.diverged()[2], 0);
  calm.reset();
  batch.step();
  calm.step();
  EXPECT_EQ(batch.world(2).observe().hash(), calm.world(2).observe().hash());
  EXPECT_EQ(batch.withinTolerance()[2], 1);
}

TEST(WorldBatch, MotorCaps_AreThoseOfTheMotors) {
  WorldBatch batch = batchOf("gripper", 1, 2);
  ASSERT_EQ(batch.motors().size(), 1);
  batch.setMotorTargets(std::vector<Real>{0.05, 0.05});
  batch.setMotorCaps(std::vector<Real>{7, kInfinity});
  const auto motorOf = [&](int world) {
    return *batch.world(world).joint(batch.motors()[0].joint).definition().axes[kAlongX].motor;
  };
  EXPECT_EQ(motorOf(0).maxForce, 7);
  EXPECT_EQ(motorOf(1).maxForce, kInfinity);
  EXPECT_EQ(motorOf(0).target.at(0), 0.05) << "a target that was set stays";
  batch.reset();
  EXPECT_NE(motorOf(0).maxForce, 7);
}

TEST(WorldBatch, BadArguments_AreRefusedAndChangeNothing) {
  EXPECT_THROW(batchOf("cart_pole", 1, 0), InputError);
  EXPECT_THROW(batchOf("cart_pole", -1, 1), InputError);
  int calls = 0;
  const auto another = [&] { return sceneWorld(calls++ == 0 ? "cart_pole" : "gripper"); };
  EXPECT_THROW(WorldBatch(2, another), InputError) << "worlds that are not equal";
  WorldBatch batch = batchOf("cart_pole", 1, 2);
  const std::vector<std::uint64_t> before = hashesOf(batch);
  const std::vector<Real> three(3, 0), four = {0, 0, 0, kInfinity}, zero(4, 0);
  std::vector<Real> out(5);
  const std::vector<int> both = {0, 1}, twice = {1, 1}, missing = {2};
  EXPECT_THROW(batch.setForces(three), InputError);
  EXPECT_THROW(batch.setForces(four), InputError);
  EXPECT_THROW(batch.setMotorTargets(three), InputError);
  EXPECT_THROW(batch.setMotorCaps(three), InputError);
  EXPECT_THROW(batch.readCoordinates(out), InputError);
  EXPECT_THROW(batch.step(-1), InputError);
  EXPECT_THROW(batch.world(2), InputError);
  EXPECT_THROW(batch.reset(missing), InputError);
  EXPECT_THROW(batch.reset(twice), InputError);
  EXPECT_THROW(batch.reset(both, {.coordinates = three}), InputError);
  EXPECT_THROW(batch.place(both, {.rates = four}), InputError);
  EXPECT_THROW(batch.place(both, {.orientations = std::vector<Real>(24, 0.0)}), InputError);
  EXPECT_EQ(hashesOf(batch), before);
  batch.place(both, {.coordinates = zero});
  EXPECT_NE(hashesOf(batch), before);
}

}  // namespace
}  // namespace drystone
