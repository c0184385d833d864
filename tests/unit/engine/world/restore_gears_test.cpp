// Saved states in worlds with a gear or another joint that the state does not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone {
namespace {

using testing::HasSubstr;

constexpr RestoreMode kPartialModes[] = {RestoreMode::kMatching, RestoreMode::kByName};

/// Two wheels that turn about z on one carrier, in free space.
struct Wheels {
  World world;
  BodyId carrier, one, two;
  JointId hinge1, hinge2;

  explicit Wheels(BodyKind kind, const WorldSettings& settings = weightless())
      : world(settings, test::registry()) {
    carrier = addPart("carrier", {0, 0, 0}, kind);
    one = addPart("one", {1, 0, 0}, BodyKind::kDynamic);
    two = addPart("two", {-1, 0, 0}, BodyKind::kDynamic);
    hinge1 = addHinge("hinge1", one, {1, 0, 0});
    hinge2 = addHinge("hinge2", two, {-1, 0, 0});
  }

  static WorldSettings weightless() {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.gravity.setZero();
    return settings;
  }
  BodyId addPart(const char* name, const Vec3& position, BodyKind kind) {
    BodyDefinition body{.name = name, .kind = kind};
    body.pose.position = position;
    if (kind == BodyKind::kDynamic) {
      body.mass = MassProperties{.mass = 1, .inertia = 0.1 * Mat3::Identity()};
    }
    return world.addBody(body);
  }
  JointId addHinge(const char* name, BodyId wheel, const Vec3& at) {
    JointDefinition hinge = hingeJoint(carrier, wheel, jointFrame(at, Vec3::UnitZ()));
    hinge.name = name;
    return world.addJoint(hinge);
  }
  JointId addGear() {
    JointDefinition gear = gearJoint(hinge1, hinge2, 1);
    gear.name = "belt";
    return world.addJoint(gear);
  }
};

std::string restoreProblem(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RestoreGears, OverACarrierThatWasDynamic_AreRefusedAndNothingChanges) {
  for (const RestoreMode mode : kPartialModes) {
    Wheels wheels(BodyKind::kDynamic);
    World& world = wheels.world;
    world.step();
    const std::vector<std::byte> saved = world.save();
    world.body(wheels.carrier).setKind(BodyKind::kStatic);
    wheels.addGear();
    world.body(wheels.one).setVelocity(Vec3::Zero(), {0, 0, 1});
    world.step();
    const std::vector<std::byte> before = world.save();
    const std::string problem = restoreProblem([&] { world.restore(saved, mode); });
    EXPECT_THAT(problem, HasSubstr("body 'carrier' carries the joints of gear 'belt'"));
    EXPECT_THAT(problem, HasSubstr("remove the gear before restoring"));
    EXPECT_EQ(world.save(), before);
  }
}

TEST(RestoreGears, OverAJointThatWasLocked_AreRefusedAndNothingChanges) {
  for (const RestoreMode mode : kPartialModes) {
    Wheels wheels(BodyKind::kStatic);
    World& world = wheels.world;
    world.joint(wheels.hinge2).setLimits(kAboutX, 0, 0);
    world.step();
    const std::vector<std::byte> saved = world.save();
    world.joint(wheels.hinge2).setLimits(kAboutX, -kInfinity, kInfinity);
    const JointId gear = wheels.addGear();
    const std::vector<std::byte> before = world.save();
    EXPECT_THAT(restoreProblem([&] { world.restore(saved, mode); }),
                HasSubstr("gear 'belt' needs the one free coordinate of joint 'hinge2', 3"));
    EXPECT_EQ(world.save(), before);
    world.removeJoint(gear);
    world.restore(saved, mode);
    EXPECT_TRUE(world.joint(wheels.hinge2).definition().axes[kAboutX].isLocked());
  }
}

// A gear that was added 4 rad after the save. Would it go on to hold q1 + q2 of there, both wheels
// would make up for these in a step, at 4 / 2 rad · 60 /s = 120 rad/s.
TEST(RestoreGears, AddedSince_HoldFromWhereTheirJointsCameBack) {
  for (const RestoreMode mode : kPartialModes) {
    Wheels wheels(BodyKind::kStatic);
    World& world = wheels.world;
    world.step();
    const std::vector<std::byte> saved = world.save();
    world.body(wheels.one).setVelocity(Vec3::Zero(), {0, 0, 4});
    for (int i = 0; i < 60; ++i) world.step();
    const JointId gear = wheels.addGear();
    world.restore(saved, mode);
    EXPECT_NEAR(world.joint(gear).coordinate(0), 0, 1e-12);
    world.step();
    EXPECT_NEAR(world.joint(wheels.hinge1).rate(kAboutX), 0, 1e-9);
    EXPECT_NEAR(world.joint(wheels.hinge2).rate(kAboutX), 0, 1e-9);
  }
}

// Mean rows go on from the rate that a lock had in the step before, which a restore ends: the joint
// is then as one that is added after it.
TEST(RestoreJoints, AddedSince_ForgetTheRatesOfTheirLocks) {
  const auto restored = [](bool isAddedBefore) {
    WorldSettings settings = Wheels::weightless();
    settings.integrator = Integrator::kMoreau;
    settings.jointRows = JointRows::kMean;
    Wheels wheels(BodyKind::kDynamic, settings);
    World& world = wheels.world;
    world.body(wheels.two).setVelocity({0, 1, 0}, {0, 0, 1});
    world.step();
    const std::vector<std::byte> saved = world.save();
    const auto bar = [&] {
      world.addJoint(distanceJoint(wheels.one, wheels.two, Vec3::Zero(), {0, 0.5, 0}, 0, 2));
      world.addJoint(ballJoint(wheels.one, wheels.two, {0, 1, 0}, {2, 1, 0}));
    };
    if (isAddedBefore) bar();
    world.body(wheels.one).setVelocity({0, 3, 0}, {1, 2, 4});
    for (int i = 0; i < 3; ++i) world.step();
    world.restore(saved, RestoreMode::kMatching);
    if (!isAddedBefore) bar();
    for (int i = 0; i < 5; ++i) world.step();
    return world.body(wheels.two).pose().position;
  };
  EXPECT_LT((restored(true) - restored(false)).norm(), 1e-9);
}

// The other way round: a state with the gear comes back as a whole.
TEST(RestoreGears, OfTheState_KeepWhatTheyHold) {
  Wheels wheels(BodyKind::kStatic);
  World& world = wheels.world;
  wheels.addGear();
  world.body(wheels.one).setVelocity(Vec3::Zero(), {0, 0, 4});
  for (int i = 0; i < 10; ++i) world.step();
  const std::vector<std::byte> saved = world.save();
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_TRUE(world.restore(saved, RestoreMode::kMatching).isComplete());
  EXPECT_EQ(world.save(), saved);
}

}  // namespace
}  // namespace drystone
