// A body that is changed between steps does what a body that was made so does, to the bit.
#include <gtest/gtest.h>

#include <functional>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone {
namespace {

/// A change of the body that a definition makes.
struct Change {
  const char* name;
  std::function<void(BodyDefinition&)> make;
  std::function<void(BodyHandle)> change;
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class BodyChange : public testing::TestWithParam<Change> {};

/// A box that slides on the ground and hits a second one.
BodyDefinition slider() {
  BodyDefinition body{.name = "slider", .shape = Box{}};
  body.pose.position = {0, 0, 0.5};
  body.linearVelocity = {3, 0, 0};
  body.angularVelocity = {0, 0, 1};
  return body;
}

/// Where the world has `change`, it is made after the body was added.
World worldWith(const BodyDefinition& body, const WorldSettings& settings) {
  World world = test::groundedWorld(settings);
  test::addUnitBox(world, {1.5, 0.25, 0.5});
  world.addBody(body);
  return world;
}

TEST_P(BodyChange, DoesWhatABodyMadeSoDoes) {
  for (const bool sleeps : {false, true}) {
    BodyDefinition made = slider();
    GetParam().make(made);
    World built = worldWith(made, test::sleepy(sleeps));
    World changed = worldWith(slider(), test::sleepy(sleeps));
    const BodyId body = changed.findBody("slider");
    GetParam().change(changed.body(body));
    EXPECT_EQ(test::firstDifference(built, changed, 50), -1);
  }
}

TEST_P(BodyChange, MattersToTheMotion) {
  World plain = worldWith(slider(), test::sleepy(false));
  World changed = worldWith(slider(), test::sleepy(false));
  GetParam().change(changed.body(changed.findBody("slider")));
  EXPECT_NE(test::firstDifference(plain, changed, 50), -1);
}

TEST_P(BodyChange, InTheMiddleOfAMotion_IsWhatAWorldWithItsStateDoes) {
  World first = worldWith(slider(), test::sleepy(true));
  for (int i = 0; i < 20; ++i) first.step();
  const BodyId body = first.findBody("slider");
  GetParam().change(first.body(body));
  World second = worldWith(slider(), test::sleepy(true));
  second.restore(first.save());
  EXPECT_EQ(first.observe().hash(), second.observe().hash());
  EXPECT_EQ(test::firstDifference(first, second, 50), -1);
  EXPECT_EQ(first.save(), second.save());
}

const MassProperties kHeavy{
    .mass = 3, .centerOfMass = {0.125, 0, -0.25}, .inertia = Mat3::Identity()};

const Change kChanges[] = {
    {"mass",
     [](BodyDefinition& b) {
       b.mass = kHeavy;
       b.linearVelocity += b.angularVelocity.cross(kHeavy.centerOfMass);
     },
     [](BodyHandle b) { b.setMass(kHeavy); }},
    {"density", [](BodyDefinition& b) { b.density = 50; }, [](BodyHandle b) { b.setDensity(50); }},
    {"material", [](BodyDefinition& b) { b.material = 1; }, [](BodyHandle b) { b.setMaterial(1); }},
    {"filter", [](BodyDefinition& b) { b.filter.mask = 0; },
     [](BodyHandle b) { b.setFilter({.mask = 0}); }},
    {"kinematic", [](BodyDefinition& b) { b.kind = BodyKind::kKinematic; },
     [](BodyHandle b) { b.setKind(BodyKind::kKinematic); }},
    {"static",
     [](BodyDefinition& b) {
       b.kind = BodyKind::kStatic;
       b.linearVelocity.setZero();
       b.angularVelocity.setZero();
     },
     [](BodyHandle b) { b.setKind(BodyKind::kStatic); }},
    {"shape by density", [](BodyDefinition& b) { b.shape = Sphere{0.5}; },
     [](BodyHandle b) { b.setShape(Sphere{0.5}, ShapeMass::kByDensity); }},
    {"shape with its mass",
     [](BodyDefinition& b) {
       b.mass = massProperties(Box{}, 1000);
       b.shape = Capsule{0.5, 0.25};
     },
     [](BodyHandle b) {
       b.setShape(Capsule{0.5, 0.25});
     }},
    {"hull",
     [](BodyDefinition& b) {
       b.mass = massProperties(Box{}, 1000);
       b.shape = makeHull({{0.5, 0, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, -0.5}, {0, 0, 0.5}});
     },
     [](BodyHandle b) {
       b.setShape(makeHull({{0.5, 0, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, -0.5}, {0, 0, 0.5}}));
     }},
    {"compound",
     [](BodyDefinition& b) {
       b.mass = massProperties(Box{}, 1000);
       b.shape = Compound{{{Sphere{0.25}, {}}, {Box{}, {{0, 0.25, 0}, Quat::Identity()}}}};
     },
     [](BodyHandle b) {
       b.setShape(Compound{{{Sphere{0.25}, {}}, {Box{}, {{0, 0.25, 0}, Quat::Identity()}}}});
     }},
    {"no shape",
     [](BodyDefinition& b) {
       b.mass = massProperties(Box{}, 1000);
       b.shape.reset();
     },
     [](BodyHandle b) { b.setShape(std::nullopt); }},
    {"surface velocity",
     [](BodyDefinition& b) {
       b.surfaceVelocity = {0, 2, 0};
     },
     [](BodyHandle b) {
       b.setSurfaceVelocity({0, 2, 0});
     }},
    {"adhesion",
     [](BodyDefinition& b) {
       b.adhesion = {{0, 3}};
     },
     [](BodyHandle b) { b.setAdhesion(3); }},
    {"sensor", [](BodyDefinition& b) { b.isSensor = true; },
     [](BodyHandle b) { b.setSensor(true); }},
    {"motion",
     [](BodyDefinition& b) {
       b.kind = BodyKind::kKinematic;
       b.motion = {{0, {1, 0, 0}, {0, 0, 0}}, {1, {0, 1, 0}, {0, 0, 2}}};
     },
     [](BodyHandle b) {
       b.setKind(BodyKind::kKinematic);
       b.setMotion({{0, {1, 0, 0}, {0, 0, 0}}, {1, {0, 1, 0}, {0, 0, 2}}});
     }},
    {"damping",
     [](BodyDefinition& b) {
       b.linearDamping = 0.5;
       b.angularDamping = 2;
     },
     [](BodyHandle b) { b.setDamping(0.5, 2); }},
    {"gravity scale", [](BodyDefinition& b) { b.gravityScale = -0.5; },
     [](BodyHandle b) { b.setGravityScale(-0.5); }},
    {"locked axes",
     [](BodyDefinition& b) {
       b.lockedAxes = {{false, true, false}, {true, true, false}};
     },
     [](BodyHandle b) {
       b.setLockedAxes({{false, true, false}, {true, true, false}});
     }},
    {"impulse at its centre", [](BodyDefinition& b) { b.linearVelocity.y() += 0.5; },
     [](BodyHandle b) {
       b.applyImpulse({0, 500, 0}, {0, 0, 0.5});
     }},
};

INSTANTIATE_TEST_SUITE_P(All, BodyChange, testing::ValuesIn(kChanges), [](const auto& one) {
  std::string name = one.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

TEST(BodyChanges, ThereAndBack_LeaveTheWorldAsItWas) {
  World plain = worldWith(slider(), test::sleepy(false));
  World changed = worldWith(slider(), test::sleepy(false));
  const BodyHandle body = changed.body(changed.findBody("slider"));
  body.setShape(Sphere{0.5}, ShapeMass::kByDensity);
  body.setKind(BodyKind::kKinematic);
  body.setKind(BodyKind::kDynamic);
  body.setShape(Box{}, ShapeMass::kByDensity);
  EXPECT_EQ(test::firstDifference(plain, changed, 50), -1);
}

// Impulses are found by the numbers of colliders, of which a lower one is free here.
TEST(BodyChanges, AnotherShape_KeepsTheNumberOfTheCollider) {
  const auto make = [](bool isChanged) {
    World world = test::groundedWorld();
    const BodyId gone = test::addUnitBox(world, {9, 0, 0.5});
    BodyDefinition ball = slider();
    if (!isChanged) ball.shape = Sphere{0.5};
    const BodyId body = world.addBody(ball);
    world.removeBody(gone);
    if (isChanged) world.body(body).setShape(Sphere{0.5}, ShapeMass::kByDensity);
    world.step();
    return world;
  };
  EXPECT_EQ(make(true).observe().hash(), make(false).observe().hash());
}

TEST(BodyChanges, MassOfAnotherCentre_LetsThePointsGoOn) {
  World world = test::groundedWorld();
  const BodyId id = world.addBody(slider());
  const BodyHandle body = world.body(id);
  body.setVelocity({1, 0, 0}, {0, 0, 2});
  body.setMass(kHeavy);
  // v + ω × d with d = (0.125, 0, -0.25), and ω × d = (0, 0.25, 0).
  EXPECT_EQ(body.linearVelocity(), Vec3(1, 0.25, 0));
  EXPECT_EQ(body.pose().position, Vec3(0, 0, 0.5));
}

TEST(BodyChanges, JointsHoldWhereTheyWereWhenTheMassMoves) {
  World world = test::groundedWorld();
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId bob = test::addUnitBox(world, {1, 0, 5});
  const JointId ball = world.addJoint(ballJoint(post, bob, {0, 0, 5}, {-1, 0, 0}));
  world.body(bob).setMass(kHeavy);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(world.joint(ball).coordinate(i), 0, 1e-15);
  EXPECT_LT(world.step().maxJointDrift, 1e-12);
}

TEST(BodyChanges, ImpulseAwayFromTheCentre_TurnsTheBody) {
  World world = test::groundedWorld();
  const BodyId box = test::addUnitBox(world, {0, 0, 5});
  // I = 1/6 kg m²; r × J = (0.5, 0, 0) × (0, 1, 0) = (0, 0, 0.5) N m s.
  world.body(box).applyImpulse({0, 1, 0}, {0.5, 0, 5});
  EXPECT_NEAR((world.body(box).linearVelocity() - Vec3(0, 1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((world.body(box).angularVelocity() - Vec3(0, 0, 3)).norm(), 0, 1e-14);
  world.body(box).applyAngularImpulse({0, 0, -0.5});
  EXPECT_NEAR(world.body(box).angularVelocity().norm(), 0, 1e-14);
}

TEST(BodyChanges, Definition_MakesTheSameBodyInAnotherWorld) {
  World first = worldWith(slider(), test::sleepy(false));
  first.body(first.findBody("slider")).setDamping(0.5, 0);
  World second = test::groundedWorld();
  test::addUnitBox(second, {1.5, 0.25, 0.5});
  second.addBody(first.body(first.findBody("slider")).definition());
  EXPECT_EQ(test::firstDifference(first, second, 50), -1);
}

TEST(BodyChanges, SensorOfABody_EndsWhatItTouched) {
  World world = test::groundedWorld();
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  world.step();
  ASSERT_EQ(world.lastReport().contacts, 4);
  world.body(box).setSensor(true);
  EXPECT_TRUE(world.body(box).contacts().empty());
  world.step();
  EXPECT_EQ(world.lastReport().contacts, 0);
  EXPECT_EQ(world.lastEvents().contactsEnded.size(), 1u);
  EXPECT_EQ(world.lastEvents().sensorsBegun.size(), 1u);
}

}  // namespace
}  // namespace drystone
