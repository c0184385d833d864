// What the setters of bodies wake and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone {
namespace {

using Setter = std::function<void(BodyHandle)>;

const MassProperties kMass{.mass = 3, .inertia = Mat3::Identity()};
constexpr Real kNotANumber = std::numeric_limits<Real>::quiet_NaN();
const Vec3 kBadVector(0, kNotANumber, 0);

/// One call of every setter.
const std::pair<const char*, Setter> kSetters[] = {
    {"setMass", [](BodyHandle b) { b.setMass(kMass); }},
    {"setDensity", [](BodyHandle b) { b.setDensity(50); }},
    {"setMaterial", [](BodyHandle b) { b.setMaterial(1); }},
    {"setFilter", [](BodyHandle b) { b.setFilter({.mask = 0}); }},
    {"setKind", [](BodyHandle b) { b.setKind(BodyKind::kStatic); }},
    {"setShape", [](BodyHandle b) { b.setShape(Sphere{0.5}); }},
    {"setSurfaceVelocity",
     [](BodyHandle b) {
       b.setSurfaceVelocity({1, 0, 0});
     }},
    {"setSensor", [](BodyHandle b) { b.setSensor(true); }},
    {"setAdhesion", [](BodyHandle b) { b.setAdhesion(2); }},
    {"setAllowSleep", [](BodyHandle b) { b.setAllowSleep(false); }},
    {"setDamping", [](BodyHandle b) { b.setDamping(1, 1); }},
    {"setGravityScale", [](BodyHandle b) { b.setGravityScale(0.5); }},
    {"setLockedAxes",
     [](BodyHandle b) {
       b.setLockedAxes({{true, false, false}, {}});
     }},
    {"applyImpulse",
     [](BodyHandle b) {
       b.applyImpulse({1, 0, 0}, {0, 0, 1});
     }},
    {"applyAngularImpulse",
     [](BodyHandle b) {
       b.applyAngularImpulse({0, 0, 1});
     }},
};

TEST(BodySetters, WakeTheBodyAndWhatItTouches) {
  const test::Sleepers sleepers;
  const std::vector<std::byte> asleep = sleepers.world.save();
  for (const auto& [name, set] : kSetters) {
    test::Sleepers other;
    other.world.restore(asleep);
    ASSERT_EQ(test::awakeOf(other.world, other.boxes), 0) << name;
    set(other.world.body(other.boxes[1]));
    EXPECT_EQ(test::awakeOf(other.world, {other.boxes[0], other.boxes[2]}), 2) << name;
  }
}

// A ground that turns slippery or goes lets what rests on it move.
TEST(BodySetters, OfTheGround_WakeWhatRestsOnIt) {
  for (const Setter& set : {Setter([](BodyHandle b) { b.setFilter({.mask = 0}); }),
                            Setter([](BodyHandle b) { b.setShape(std::nullopt); }),
                            Setter([](BodyHandle b) { b.setSensor(true); })}) {
    test::Sleepers sleepers;
    set(sleepers.world.body(sleepers.world.bodies().front()));
    test::simulate(sleepers.world, 0.5);
    EXPECT_LT(sleepers.world.body(sleepers.boxes[2]).pose().position.z(), 2);
  }
}

TEST(BodySetters, NothingOfZero_WakesNothing) {
  test::Sleepers sleepers;
  sleepers.world.body(sleepers.boxes[1]).applyImpulse(Vec3::Zero(), Vec3::Zero());
  sleepers.world.body(sleepers.boxes[1]).applyAngularImpulse(Vec3::Zero());
  sleepers.world.body(sleepers.boxes[1]).setKind(BodyKind::kDynamic);
  EXPECT_EQ(test::awakeOf(sleepers.world, sleepers.boxes), 0);
}

TEST(BodySetters, OfARemovedBody_Throw) {
  World world = test::groundedWorld();
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  const BodyHandle handle = world.body(box);
  world.removeBody(box);
  for (const auto& [name, set] : kSetters) EXPECT_THROW(set(handle), InputError) << name;
}

struct Refusal {
  const char* problem;  ///< part of what the error says
  Setter set;
};

const Refusal kRefusals[] = {
    {"mass must be > 0 kg",
     [](BodyHandle b) {
       b.setMass({-1, Vec3::Zero(), Mat3::Identity()});
     }},
    {"inertia: must be positive definite",
     [](BodyHandle b) {
       b.setMass({1, Vec3::Zero(), -Mat3::Identity()});
     }},
    // That of the largest axis is the sum of the other two for a flat body, and less for others.
    {"inertia: no body has this inertia: its largest principal moment, 5 kg m², is larger than the "
     "sum of the other two, 2 kg m²",
     [](BodyHandle b) {
       b.setMass({1, Vec3::Zero(), Vec3(1, 1, 5).asDiagonal()});
     }},
    {"inertia: its principal moments must be ≥ 1e-15 kg m²",
     [](BodyHandle b) {
       b.setMass({1, Vec3::Zero(), 1e-16 * Mat3::Identity()});
     }},
    {"inertia: must be finite",
     [](BodyHandle b) {
       b.setMass({1, Vec3::Zero(), Mat3::Constant(kNotANumber)});
     }},
    {"centre of mass must be finite",
     [](BodyHandle b) {
       b.setMass({1, kBadVector, Mat3::Identity()});
     }},
    {"density is not finite", [](BodyHandle b) { b.setDensity(kNotANumber); }},
    {"density must be > 0", [](BodyHandle b) { b.setDensity(0); }},
    {"material 7 does not exist", [](BodyHandle b) { b.setMaterial(7); }},
    {"material -1 does not exist", [](BodyHandle b) { b.setMaterial(-1); }},
    {"static bodies", [](BodyHandle b) { b.setShape(Plane{}); }},
    {"radius", [](BodyHandle b) { b.setShape(Sphere{kNotANumber}); }},
    {"needs a mass", [](BodyHandle b) { b.setShape(std::nullopt, ShapeMass::kByDensity); }},
    {"surface velocity must be finite", [](BodyHandle b) { b.setSurfaceVelocity(kBadVector); }},
    {"only a kinematic body follows a motion",
     [](BodyHandle b) {
       b.setMotion({{0, Vec3::Zero(), Vec3::Zero()}});
     }},
    {"linear damping must be finite and >= 0", [](BodyHandle b) { b.setDamping(-1, 0); }},
    {"angular damping must be finite and >= 0", [](BodyHandle b) { b.setDamping(0, kNotANumber); }},
    {"gravity scale must be finite", [](BodyHandle b) { b.setGravityScale(kNotANumber); }},
    {"applyImpulse: impulse is not finite",
     [](BodyHandle b) { b.applyImpulse(kBadVector, Vec3::Zero()); }},
    {"applyImpulse: point is not finite",
     [](BodyHandle b) { b.applyImpulse(Vec3::UnitX(), kBadVector); }},
    {"applyImpulse: velocity after the impulse must be within ±1e+15 m/s, got 1e+200",
     [](BodyHandle b) {
       b.applyImpulse({0, 0, 1e200}, {1e200, 0, 0});
     }},
    {"applyAngularImpulse: velocity after the impulse",
     [](BodyHandle b) {
       b.applyAngularImpulse({0, 0, 1.7e308});
     }},
    {"setPose: pose must be within ±1e+15 m, got 2e+15",
     [](BodyHandle b) {
       b.setPose({{0, -2e15, 0}, Quat::Identity()});
     }},
    {"mass must be ≤ 1e+15 kg, got 1e+16",
     [](BodyHandle b) { b.setMass({.mass = 1e16, .inertia = Mat3::Identity()}); }},
    {"mass must be ≥ 1e-15 kg, got 1e-16",
     [](BodyHandle b) { b.setMass({.mass = 1e-16, .inertia = Mat3::Identity()}); }},
    {"its principal moments must be ≤ 1e+45 kg m², got 1e+46",
     [](BodyHandle b) { b.setMass({.mass = 1, .inertia = 1e46 * Mat3::Identity()}); }},
    {"density must be ≤ 1e+15 kg/m^3, got 1e+16", [](BodyHandle b) { b.setDensity(1e16); }},
    {"density must be ≥ 1e-15 kg/m^3, got 1e-16", [](BodyHandle b) { b.setDensity(1e-16); }},
    {"gravity scale must be within ±1e+15, got 1e+16",
     [](BodyHandle b) { b.setGravityScale(-1e16); }},
    {"applyAngularImpulse: impulse is not finite",
     [](BodyHandle b) { b.applyAngularImpulse(kBadVector); }},
};

TEST(BodySetters, BadArguments_AreRefusedWithTheirNameAndChangeNothing) {
  test::Sleepers sleepers;
  const std::vector<std::byte> before = sleepers.world.save();
  for (const Refusal& refusal : kRefusals) {
    try {
      refusal.set(sleepers.world.body(sleepers.boxes[1]));
      ADD_FAILURE() << "no error: " << refusal.problem;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(refusal.problem));
    }
    EXPECT_EQ(sleepers.world.save(), before) << refusal.problem;
  }
}

TEST(BodySetters, OfBodiesThatAreNotDynamic_SayWhatToDo) {
  World world = test::groundedWorld();
  const BodyId ground = world.bodies().front();
  const BodyId bare = world.addBody({.name = "bare", .kind = BodyKind::kStatic});
  EXPECT_THROW(world.body(ground).setMass(kMass), InputError);
  EXPECT_THROW(world.body(bare).setDensity(5), InputError);
  EXPECT_THROW(world.body(bare).setSensor(true), InputError);
  EXPECT_THROW(world.body(bare).setKind(BodyKind::kDynamic), InputError);
  EXPECT_EQ(world.body(bare).kind(), BodyKind::kStatic);
}

TEST(BodySetters, BodyThatCarriesAGear_MayNotBecomeDynamic) {
  World world = test::groundedWorld();
  const BodyId post = world.addBody({.kind = BodyKind::kStatic, .mass = kMass});
  const BodyId one = test::addUnitBox(world, {0, 0, 5}), two = test::addUnitBox(world, {2, 0, 5});
  const JointId first = world.addJoint(hingeJoint(post, one, {{0, 0, 5}}, {}));
  const JointId second = world.addJoint(hingeJoint(post, two, {{2, 0, 5}}, {}));
  const JointId gear = world.addJoint(gearJoint(first, second, 2));
  EXPECT_THROW(world.body(post).setKind(BodyKind::kDynamic), InputError);
  world.removeJoint(gear);
  EXPECT_NO_THROW(world.body(post).setKind(BodyKind::kDynamic));
}

TEST(BodySetters, AnotherKind_DropsWhatItCannotHave) {
  World world = test::groundedWorld();
  const BodyId id = world.addBody({.shape = Box{}, .forces = {{.time = 0, .force = {1, 0, 0}}}});
  const BodyHandle body = world.body(id);
  body.setVelocity({1, 2, 3}, {1, 0, 0});
  body.setKind(BodyKind::kKinematic);
  EXPECT_TRUE(body.forces().empty());
  EXPECT_EQ(body.linearVelocity(), Vec3(1, 2, 3));
  EXPECT_EQ(body.mass(), kInfinity);
  body.setKind(BodyKind::kStatic);
  EXPECT_TRUE(body.linearVelocity().isZero(0));
  body.setKind(BodyKind::kDynamic);
  EXPECT_EQ(body.mass(), 1000);
}

}  // namespace
}  // namespace drystone
