// Pairs of bodies that a function of the user refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "tests/support/worlds.h"
#include "tests/unit/engine/step/sleepers.h"

namespace drystone {
namespace {

/// Refuses a list of pairs, in whichever order their bodies come.
PairFilter refusing(std::vector<std::pair<BodyId, BodyId>> pairs) {
  return [pairs = std::move(pairs)](BodyId a, BodyId b) {
    return std::ranges::none_of(pairs, [&](const auto& pair) {
      return pair == std::pair(a, b) || pair == std::pair(b, a);
    });
  };
}

/// Boxes that lie on the ground and may sleep, and one that falls through them and the ground.
struct Ghost {
  World world;
  BodyId ground, ghost;
  std::vector<BodyId> boxes;

  Ghost(bool sleeps, int threads) : world(settingsOf(sleeps, threads), test::registry()) {
    ground = test::addGround(world);
    boxes = test::addStack(world, 2);
    ghost = test::addUnitBox(world, {0.2, 0.1, 12});
    world.setPairFilter(refusing({{ground, ghost}, {boxes[0], ghost}, {ghost, boxes[1]}}));
  }

  static WorldSettings settingsOf(bool sleeps, int threads) {
    WorldSettings settings = test::sleepy(sleeps);
    settings.threads = threads;
    return settings;
  }

  bool isInEvents() const {
    const StepEvents& events = world.lastEvents();
    for (const auto* list : {&events.contactsBegun, &events.contactsLasting}) {
      for (const ContactEvent& event : *list) {
        if (event.bodyA == ghost || event.bodyB == ghost) return true;
      }
    }
    return false;
  }
};

class RefusedPair : public testing::TestWithParam<std::tuple<bool, int>> {};

TEST_P(RefusedPair, PassesThroughAsIfItWasAlone) {
  const auto [sleeps, threads] = GetParam();
  Ghost scene(sleeps, threads);
  World& world = scene.world;
  World alone(Ghost::settingsOf(false, 1), test::registry());
  const BodyId lone = test::addUnitBox(alone, {0.2, 0.1, 12});
  std::vector<std::byte> middle;
  for (int i = 0; i < 110; ++i) {
    if (i == 90) middle = world.save();  // it is amid the boxes
    world.step();
    alone.step();
    ASSERT_EQ(world.body(scene.ghost).pose().position, alone.body(lone).pose().position) << i;
    EXPECT_TRUE(world.body(scene.ghost).contacts().empty());
    EXPECT_FALSE(scene.isInEvents()) << i;
  }
  EXPECT_LT(world.body(scene.ghost).pose().position.z(), -2);
  EXPECT_EQ(test::awakeOf(world, scene.boxes), sleeps ? 0 : 2);
  EXPECT_NEAR(world.body(scene.boxes[1]).pose().position.z(), 1.5, 1e-6);

  const std::uint64_t end = world.observe().hash();
  world.restore(middle);
  for (int i = 90; i < 110; ++i) world.step();
  EXPECT_LT(world.body(scene.ghost).pose().position.z(), -2);
  if (!sleeps) {
    EXPECT_EQ(world.observe().hash(), end);
  }
}

INSTANTIATE_TEST_SUITE_P(Sleeping, RefusedPair,
                         testing::Combine(testing::Bool(), testing::Values(1, 4)));

// A ball wakes one of two boxes that overlap, and whose pair is refused: the other one sleeps on.
TEST(PairFilter, OfWhatWakesAfterTheDetection_Holds) {
  World world(test::sleepy(), test::registry());
  test::addGround(world);
  const BodyId struck = test::addUnitBox(world, {0, 0, 0.5});
  const BodyId other = test::addUnitBox(world, {0.6, 0, 0.5});
  const BodyId ball = test::addBody(world, Sphere{0.1}, 0.1, {{-0.3, 0, 9}});
  world.setPairFilter(refusing({{struck, other}}));
  bool hasSlept = false, hasWoken = false;
  for (int i = 0; i < 90; ++i) {
    world.step();
    hasSlept = hasSlept || !world.body(struck).isAwake();
    hasWoken = hasWoken || (hasSlept && world.body(struck).isAwake());
    for (const BodyContact& contact : world.body(struck).contacts()) {
      EXPECT_NE(contact.other, other) << i;
    }
    if (hasSlept) {
      EXPECT_FALSE(world.body(other).isAwake()) << i;
    }
  }
  EXPECT_TRUE(hasWoken) << "the ball should have hit it";
  EXPECT_LT(world.body(ball).pose().position.z(), 2);
}

// The blade of late_contacts_test.cpp: nothing but a look at the end of the step shows the ball.
TEST(PairFilter, OfAFastBody_LeavesNoLateContact) {
  for (const bool isRefused : {false, true}) {
    WorldSettings settings = test::settingsFor("auto");
    settings.gravity.setZero();
    World world(settings, test::registry());
    const BodyId blade = world.addBody({.kind = BodyKind::kKinematic,
                                        .shape = Box{{1.5, 0.05, 0.05}},
                                        .angularVelocity = {0, 0, 24}});
    const BodyId ball = test::addBody(world, Sphere{0.05}, 1,
                                      {{std::cos(0.45), std::sin(0.45), 0}, Quat::Identity()});
    if (isRefused) world.setPairFilter(refusing({{blade, ball}}));
    const StepReport& report = world.step();
    EXPECT_EQ(report.looks > 0, !isRefused);
    EXPECT_EQ(world.body(ball).linearVelocity().isZero(0), isRefused);
  }
}

TEST(PairFilter, IsAskedOncePerPairInAscendingOrder_AndOfSensors) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  const BodyId ground = test::addGround(world);
  const std::vector<BodyId> boxes = test::addStack(world, 2);
  const BodyId sensor = world.addBody(
      {.kind = BodyKind::kStatic, .shape = Sphere{0.2}, .pose = {{0, 0, 2}}, .isSensor = true});
  std::vector<std::pair<BodyId, BodyId>> asked;
  world.setPairFilter([&](BodyId a, BodyId b) {
    asked.emplace_back(a, b);
    return b != sensor;
  });
  world.step();
  const std::vector<std::pair<BodyId, BodyId>> expected = {
      {ground, boxes[0]}, {boxes[0], boxes[1]}, {boxes[1], sensor}};
  EXPECT_EQ(asked, expected);
  EXPECT_TRUE(world.lastEvents().sensorsBegun.empty());
  world.setPairFilter({});
  world.step();
  EXPECT_EQ(world.lastEvents().sensorsBegun.size(), 1u);
}

TEST(PairFilter, ThatIsSet_WakesAll) {
  World world(test::sleepy(), test::registry());
  test::addGround(world);
  const std::vector<BodyId> boxes = test::addStack(world, 1);
  for (int i = 0; i < 60; ++i) world.step();
  ASSERT_EQ(test::awakeOf(world, boxes), 0);
  world.setPairFilter([](BodyId, BodyId) { return false; });
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_LT(world.body(boxes[0]).pose().position.z(), 0);
}

TEST(PairFilter, ThatThrows_IsAsIfThereWasNone_AndTheStepIsComplete) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  World plain(test::settingsFor("bpp-auto"), test::registry());
  for (World* each : {&world, &plain}) {
    test::addGround(*each);
    test::addStack(*each, 2);
  }
  world.setPairFilter([](BodyId, BodyId) -> bool { throw std::runtime_error("no"); });
  for (int i = 0; i < 5; ++i) {
    EXPECT_THROW(world.step(), std::runtime_error);
    plain.step();
    EXPECT_EQ(world.observe().hash(), plain.observe().hash());
    EXPECT_EQ(world.stepCount(), i + 1);
  }
  world.setPairFilter({});
  EXPECT_NO_THROW(world.step());
}

TEST(PairFilter, MayReadTheWorldButNotChangeIt) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  const BodyHandle handle = world.body(box);
  const std::vector<std::byte> state = world.save();
  const std::vector<std::function<void()>> forbidden = {
      [&] { world.addMaterial({}); },
      [&] { world.setMaterialPair(0, 0, {}); },
      [&] { world.addBody({.shape = Sphere{1}}); },
      [&] { world.removeBody(box); },
      [&] { world.addJoint({}); },
      [&] { world.removeJoint({}); },
      [&] { world.setPairFilter({}); },
      [&] { world.setContactModifier({}); },
      [&] { world.step(); },
      [&] {
        world.setGravity({0, 0, 1});
      },
      [&] { world.setTimestep(0.5); },
      [&] { world.setThreads(2); },
      [&] { world.setExecutor(nullptr); },
      [&] { world.setSolver({}); },
      [&] { world.queries(); },
      [&] { world.observe(); },
      [&] { world.save(); },
      [&] { world.restore(state); },
      [&] { handle.contacts(); },
      [&] { handle.setPose({}); },
      [&] {
        handle.setVelocity({1, 0, 0}, Vec3::Zero());
      },
      [&] {
        handle.applyForce({1, 0, 0});
      },
      [&] {
        handle.applyTorque({1, 0, 0});
      },
      [&] {
        handle.applyImpulse({1, 0, 0}, Vec3::Zero());
      },
      [&] { handle.setForces({}); },
      [&] { handle.setSensor(true); },
      [&] { handle.setKind(BodyKind::kStatic); },
      [&] { handle.wake(); },
  };
  for (std::size_t i = 0; i < forbidden.size(); ++i) {
    std::string message;
    world.setPairFilter([&](BodyId, BodyId) {
      try {
        forbidden[i]();
      } catch (const InputError& error) {
        message = error.what();
      }
      EXPECT_GT(handle.mass(), 0);
      EXPECT_EQ(handle.pose().position.z(), 0.5);
      return true;
    });
    world.step();
    EXPECT_NE(message.find("not from within a callback"), std::string::npos) << i << message;
    world.restore(state);
  }
}

}  // namespace
}  // namespace drystone
