// Verdicts of statics against closed forms, and what must not change them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/input_error.h"
#include "engine/statics/statics.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

/// What the interior point leaves, relative, and the roundings of contact points.
constexpr Real kNear = 1e-5;

struct Scenery {
  World world;
  MaterialId material;
};

Scenery sceneryOf(Real friction, FrictionModel model = FrictionModel::kCone) {
  World world(test::settingsFor("auto", model), test::registry());
  const MaterialId material = world.addMaterial({.friction = friction});
  world.setMaterialPair(0, material, {.friction = friction});
  world.setMaterialPair(0, 0, {.friction = friction});
  return {std::move(world), material};
}

const StaticLoad kPushX{.weights = Vec3::UnitX()};

StaticAnswer answerOf(World& world, const StaticLoad& load = kPushX) {
  return Statics(world).answer(load);
}

/// A block on the ground, its half extents and mass.
BodyId addBlock(World& world, const Vec3& half, Real mass = 1) {
  test::addGround(world);
  return test::addBody(world, Box{half}, mass, {{0, 0, half.z()}, Quat::Identity()});
}

TEST(Verdict, PushedBlock_SlidesAtMuOrTipsAtWidthOverHeight) {
  for (const auto& [mu, width, height] :
       {std::array{0.3, 1.0, 1.0}, {0.5, 1.0, 4.0}, {0.9, 0.5, 0.4}, {0.01, 1.0, 1.0}}) {
    Scenery scenery = sceneryOf(mu);
    addBlock(scenery.world, {width, 0.7, height});
    const StaticAnswer answer = answerOf(scenery.world);
    ASSERT_EQ(answer.verdict, StaticVerdict::kStands);
    EXPECT_NEAR(answer.factor, std::min(mu, width / height), kNear);
  }
}

TEST(Verdict, PushedAcrossTheDiagonal_TheConeIsRound) {
  Scenery scenery = sceneryOf(0.4);
  addBlock(scenery.world, {1, 1, 0.1});
  const StaticLoad load{.weights = Vec3(1, 1, 0).normalized()};
  EXPECT_NEAR(answerOf(scenery.world, load).factor, 0.4, kNear);
}

TEST(Verdict, WithoutFriction_StandsWithFactor0) {
  Scenery scenery = sceneryOf(0);
  addBlock(scenery.world, {1, 1, 1});
  const StaticAnswer answer = answerOf(scenery.world);
  EXPECT_EQ(answer.verdict, StaticVerdict::kStands);
  EXPECT_NEAR(answer.factor, 0, kNear);
}

TEST(Verdict, BlockOnASlope_StandsBelowTheAngleOfFrictionOnly) {
  const Real mu = 0.5;
  for (const Real angle : {0.9 * std::atan(mu), 1.1 * std::atan(mu)}) {
    Scenery scenery = sceneryOf(mu);
    const Quat q = test::turn(Vec3::UnitY(), angle);
    test::addSlope(scenery.world, angle, scenery.material);
    test::addBody(scenery.world, Box{{0.5, 0.5, 0.5}}, 1, {q * Vec3(0, 0, 0.5), q});
    const StaticAnswer answer = answerOf(scenery.world);
    if (angle > std::atan(mu)) {
      EXPECT_EQ(answer.verdict, StaticVerdict::kFalls);
      ASSERT_EQ(answer.mechanism.size(), 1U);
      EXPECT_GT(answer.mechanism[0].linear.dot(q * Vec3::UnitX()), 0.1);
      continue;
    }
    ASSERT_EQ(answer.verdict, StaticVerdict::kStands);
    // tan(angle + atan s) = mu, the resultant at the edge of the cone.
    EXPECT_NEAR(answer.factor, std::tan(std::atan(mu) - angle), kNear);
  }
}

TEST(Verdict, ForceAtAHeight_TipsTheBlockSooner) {
  Scenery scenery = sceneryOf(2);
  const BodyId block = addBlock(scenery.world, {0.5, 0.5, 1}, 3);
  for (const Real height : {0.5, 1.0, 2.0}) {
    const StaticLoad load{.forces = {{block, {1, 0, 0}, Vec3(-0.5, 0, height)}}};
    const Real tips = 3 * kGravity * 0.5 / height;
    EXPECT_NEAR(answerOf(scenery.world, load).factor / std::min(tips, 2 * 3 * kGravity), 1, kNear);
  }
}

TEST(Verdict, PressedDown_BearsAnyFactor) {
  Scenery scenery = sceneryOf(0.5);
  const BodyId block = addBlock(scenery.world, {1, 1, 1});
  const StaticAnswer answer = answerOf(scenery.world, {.forces = {{block, {0.1, 0, -1}}}});
  EXPECT_EQ(answer.factor, kInfinity);
  EXPECT_TRUE(answer.mechanism.empty());
}

TEST(Verdict, TwoBlocks_StandUntilTheUpperOneHangsOverByHalf) {
  for (const Real over : {0.45, 0.55}) {
    Scenery scenery = sceneryOf(0.8);
    addBlock(scenery.world, {0.5, 0.5, 0.5});
    test::addBody(scenery.world, Box{{0.5, 0.5, 0.5}}, 1, {{over, 0, 1.5}, Quat::Identity()});
    const StaticAnswer answer = answerOf(scenery.world);
    EXPECT_EQ(answer.verdict, over < 0.5 ? StaticVerdict::kStands : StaticVerdict::kFalls);
    // The upper one tips about the edge: s h/2 = distance of its weight from it.
    if (over < 0.5) {
      EXPECT_NEAR(answer.factor, (0.5 - over) / 0.5, kNear);
    }
  }
}

TEST(Verdict, Ladder_BearsTheForceOfItsClosedForm) {
  // A rod at 60 degrees, its foot on rough ground and its head at a smooth wall whose face is
  // x = 0, pulled away from the wall by F at its middle.
  const Real angle = M_PI / 3, length = 4, radius = 0.01, mu = 0.5;
  Scenery scenery = sceneryOf(mu);
  World& world = scenery.world;
  test::addGround(world);
  const MaterialId smooth = world.addMaterial({.friction = 0});
  world.setMaterialPair(0, smooth, {.friction = 0});
  BodyDefinition wall{.name = "wall", .kind = BodyKind::kStatic, .shape = Box{{1, 10, 10}}};
  wall.material = smooth;
  wall.pose.position = {-1, 0, 0};
  world.addBody(wall);
  const Vec3 axis(-std::cos(angle), 0, std::sin(angle));
  const Vec3 foot(radius + length * std::cos(angle), 0, radius);
  const Quat q = Quat::FromTwoVectors(Vec3::UnitZ(), axis);
  const BodyId rod =
      test::addBody(world, Capsule{radius, length / 2}, 2, {foot + length / 2 * axis, q});
  // The foot slides at T = N + F = mu W, N of the wall; moments about the foot's centre are
  // N L sin + F L/2 sin + T r = W L/2 cos.
  const Real weight = 2 * kGravity;
  const Real expected =
      2 * mu * weight * (1 + radius / (length * std::sin(angle))) - weight / std::tan(angle);
  const StaticAnswer answer = answerOf(world, {.forces = {{rod, {1, 0, 0}}}});
  ASSERT_EQ(answer.verdict, StaticVerdict::kStands);
  EXPECT_NEAR(answer.factor / expected, 1, 1e-4);
}

TEST(Verdict, Arch_ThinnerThanHeymansLimitFalls) {
  // Half-circle arches of many stones stand from t/R = 0.1075 on, R the mean radius; with 27 stones
  // hinges find no joint at the best place, and the arch stands with somewhat less.
  const auto verdictOf = [](Real ratio) {
    const std::string text = R"({"version": 1, "name": "arch",
      "materials": {"default": {"friction": 2}},
      "bodies": [{"name": "ground", "kind": "static", "position": [0, 0, -1],
                  "shape": {"type": "box", "half_extents": [50, 50, 1]}}],
      "generators": [{"type": "arch", "name": "stone", "count": 27, "depth": 1, "density": 1,
        "inner_radius": )" + std::to_string(10 * (1 - ratio / 2)) +
                             R"(, "outer_radius": )" + std::to_string(10 * (1 + ratio / 2)) + "}]}";
    World world = buildWorld(readSceneText(text, "arch"), test::registry());
    return answerOf(world).verdict;
  };
  EXPECT_EQ(verdictOf(0.112), StaticVerdict::kStands);
  EXPECT_EQ(verdictOf(0.102), StaticVerdict::kFalls);
}

TEST(Verdict, BallOnASlope_FallsAndRollsUnlessRollingIsResisted) {
  const Real angle = 0.1, resistance = 0.15;
  for (const bool resists : {false, true}) {
    World world(test::settingsFor("nsgs", FrictionModel::kRolling), test::registry());
    const MaterialId material =
        world.addMaterial({.friction = 0.8, .rollingResistance = resists ? resistance : 0.0});
    test::addSlope(world, angle, material);
    BodyDefinition ball{.name = "ball", .shape = Sphere{1}};
    ball.material = material;
    ball.pose.position = test::turn(Vec3::UnitY(), angle) * Vec3(0, 0, 1);
    world.addBody(ball);
    const StaticAnswer answer = answerOf(world);
    EXPECT_EQ(answer.verdict, resists ? StaticVerdict::kStands : StaticVerdict::kFalls);
    if (!resists) continue;
    // It rolls where the resultant leaves the patch: tan(angle + atan s) = mu_r / R.
    EXPECT_NEAR(answer.factor, std::tan(std::atan(resistance) - angle), 1e-4);
  }
}

TEST(Verdict, MotorOfAHinge_HoldsAnArmUpToItsCap) {
  // A level arm of 1 kg, 1 m from its hinge, needs m g L.
  for (const Real share : {0.9, 1.25}) {
    Scenery scenery = sceneryOf(0.5);
    World& world = scenery.world;
    BodyDefinition post{.name = "post", .kind = BodyKind::kStatic};
    const BodyId base = world.addBody(post);
    const BodyId arm = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});
    JointDefinition hinge = hingeJoint(base, arm);
    hinge.axes[kAboutX].motor =
        JointMotor{.kind = MotorKind::kVelocity, .maxForce = share * kGravity};
    world.addJoint(hinge, {Vec3::Zero(), Quat::FromTwoVectors(Vec3::UnitX(), Vec3::UnitY())});
    const StaticAnswer answer = answerOf(world, {.forces = {{arm, {0, 0, -1}}}});
    EXPECT_EQ(answer.verdict, share > 1 ? StaticVerdict::kStands : StaticVerdict::kFalls);
    if (share > 1) {
      EXPECT_NEAR(answer.factor / ((share - 1) * kGravity), 1, kNear);
    }
  }
}

/// A stack of three different blocks, pushed along `push` in a world that was turned by q.
Real factorOfStack(const Quat& q, Real massScale) {
  Scenery scenery = sceneryOf(0.45);
  World& world = scenery.world;
  world.setGravity(q * Vec3(0, 0, -kGravity));
  BodyDefinition ground{.name = "ground", .kind = BodyKind::kStatic, .shape = Box{{5, 5, 1}}};
  ground.pose = {q * Vec3(0, 0, -1), q};
  world.addBody(ground);
  test::addBody(world, Box{{0.5, 0.4, 0.5}}, massScale * 3, {q * Vec3(0, 0, 0.5), q});
  test::addBody(world, Box{{0.3, 0.4, 0.7}}, massScale * 1, {q * Vec3(0.1, 0, 1.7), q});
  test::addBody(world, Box{{0.6, 0.2, 0.2}}, massScale * 50, {q * Vec3(0, 0.1, 2.6), q});
  return answerOf(world, {.weights = q * Vec3::UnitX()}).factor;
}

TEST(Verdict, FactorStaysForOtherMassesAndInATurnedWorld) {
  const Real factor = factorOfStack(Quat::Identity(), 1);
  EXPECT_GT(factor, 0.05);
  EXPECT_NEAR(factorOfStack(Quat::Identity(), 1e6), factor, 1e-6);
  EXPECT_NEAR(factorOfStack(test::turn(Vec3(1, 2, 3).normalized(), 0.7), 1), factor, 1e-5);
}

TEST(Verdict, ContactsAtTheirLimitAndTheMechanismAreThoseOfTheCollapse) {
  Scenery scenery = sceneryOf(0.3);
  const BodyId block = addBlock(scenery.world, {1, 1, 0.5});
  const StaticAnswer answer = answerOf(scenery.world);
  ASSERT_EQ(answer.contacts.size(), 4U);
  Real pressed = 0;
  for (const StaticContact& contact : answer.contacts) {
    EXPECT_NEAR(contact.use, 1, 1e-3);
    pressed += contact.normalForce;
  }
  EXPECT_NEAR(pressed / kGravity, 1, kNear);
  ASSERT_EQ(answer.mechanism.size(), 1U);
  EXPECT_EQ(answer.mechanism[0].body, block);
  // Associated: it opens by mu as it slides.
  EXPECT_NEAR(answer.mechanism[0].linear.z() / answer.mechanism[0].linear.x(), 0.3, 1e-3);
}

TEST(Verdict, ARunConfirmsTheFactor) {
  for (const auto& [mu, half] : {std::pair(0.3, Vec3(1, 1, 0.5)), {0.9, Vec3(0.25, 1, 0.5)}}) {
    Scenery scenery = sceneryOf(mu);
    addBlock(scenery.world, half);
    const Real factor = answerOf(scenery.world).factor;
    for (const Real share : {0.98, 1.02}) {
      Scenery fresh = sceneryOf(mu);
      const BodyId block = addBlock(fresh.world, half);
      fresh.world.setGravity({share * factor * kGravity, 0, -kGravity});
      test::simulate(fresh.world, 1);
      const Real moved = (fresh.world.body(block).centerOfMass() - Vec3(0, 0, half.z())).norm();
      if (share < 1) {
        EXPECT_LT(moved, 1e-4);
      } else {
        EXPECT_GT(moved, 0.01);
      }
    }
  }
}

TEST(Verdict, BlocksBeyondTheReach_BearNothing) {
  Scenery scenery = sceneryOf(0.3);
  test::addGround(scenery.world);
  test::addUnitBox(scenery.world, {0, 0, 0.502});
  const Statics apart(scenery.world);
  EXPECT_EQ(apart.apart(), 4);
  EXPECT_EQ(apart.contacts(), 0);
  EXPECT_EQ(apart.answer(kPushX).verdict, StaticVerdict::kFalls);
  const Statics touching(scenery.world, 0.003);
  EXPECT_EQ(touching.apart(), 0);
  EXPECT_EQ(touching.answer(kPushX).verdict, StaticVerdict::kStands);
}

TEST(Verdict, ReachBeyondTheMarginOfTheWorld_FindsContacts) {
  Scenery scenery = sceneryOf(0.3);
  test::addGround(scenery.world);
  const Real gap = 5 * scenery.world.settings().contactMargin;
  test::addUnitBox(scenery.world, {0, 0, 0.5 + gap});
  EXPECT_EQ(Statics(scenery.world, 1.01 * gap).answer(kPushX).verdict, StaticVerdict::kStands);
  EXPECT_EQ(scenery.world.step().contacts, 0);  // its margin stays
}

TEST(Verdict, OfGroupsOnOneSlope_OnlyThoseFallThatDoByThemselves) {
  const Real angle = 20 * test::kPi / 180;  // tan: 0.36
  Scenery scenery = sceneryOf(0.6);
  World& world = scenery.world;
  const Quat q = test::turn(Vec3::UnitY(), angle);
  test::addSlope(world, angle, scenery.material);
  const Box cube{{0.5, 0.5, 0.5}};
  BodyId boxes[3];
  for (const int i : {0, 1, 2}) {
    const Real friction = std::array{0.1, 0.6, 0.3}[i];
    const MaterialId own = world.addMaterial({.friction = friction});
    world.setMaterialPair(own, scenery.material, {.friction = friction});
    const Pose pose{q * Vec3(0, 3.0 * i, 0.5), q};
    boxes[i] = world.addBody({.shape = cube, .pose = pose, .material = own});
  }
  test::addBody(world, Box{{0.2, 0.2, 0.2}}, 1, {q * Vec3(0, 3, 1.2), q});  // on the second
  const StaticAnswer answer = answerOf(world);
  ASSERT_TRUE(answer.groups == 3 && answer.falling == 2 && answer.mechanism.size() == 2);
  EXPECT_TRUE(answer.mechanism[0].body == boxes[0] && answer.mechanism[1].body == boxes[2]);
  EXPECT_TRUE(answer.mechanism[1].group == 1 && answer.mechanism[1].speed == 1);
}

TEST(Verdict, LeavesTheContactsOfTheLastStepAsTheyWere) {
  Scenery scenery = sceneryOf(0.5);
  const BodyId block = addBlock(scenery.world, {1, 1, 1});
  for (const std::size_t contacts : {0u, 4u}) {
    answerOf(scenery.world);
    WorldSnapshot snapshot;
    scenery.world.observe().snapshot(snapshot);
    EXPECT_EQ(snapshot.contacts.size(), contacts);
    EXPECT_EQ(scenery.world.body(block).contacts().size(), contacts);
    scenery.world.step();
  }
}

TEST(Verdict, AcrossAGrain_FrictionIsLess) {
  Scenery scenery = sceneryOf(0.5);
  Material grain;
  grain.friction = 0.6;
  grain.frictionAcross = 0.06;
  test::addGround(scenery.world);
  BodyDefinition block;
  block.shape = Box{Vec3(1, 1, 0.01)};
  block.density = 1000 / 0.08;
  block.material = scenery.world.addMaterial(grain);
  block.pose.position.z() = 0.01;
  scenery.world.addBody(block);
  scenery.world.setMaterialPair(0, block.material, grain);
  const StaticAnswer answer = answerOf(scenery.world, {.weights = Vec3::UnitY()});
  EXPECT_NEAR(answer.factor, 0.06, kNear);
  Real friction = 0;
  for (const StaticContact& contact : answer.contacts) friction += contact.friction;
  EXPECT_NEAR(friction, 0.06 * 1000 * kGravity, 1e-3 * friction);
}

/// A hinge about y.
void addHinge(World& world, BodyId a, BodyId b, const Vec3& at) {
  world.addJoint(hingeJoint(a, b), {at, Quat::FromTwoVectors(Vec3::UnitX(), Vec3::UnitY())});
}

TEST(Verdict, LoopOfHingesWithRedundantRows_HangsAndSwingsOnlyAcrossItsAxes) {
  // A parallelogram: 20 rows for 18 freedoms, and it still swings.
  Scenery scenery = sceneryOf(0.5);
  World& world = scenery.world;
  const BodyId post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
  const BodyId bar = test::addBody(world, Sphere{0.1}, 1, {{0, 0, -1}, Quat::Identity()});
  for (const Real x : {-1.0, 1.0}) {
    const BodyId rod = test::addBody(world, Sphere{0.1}, 1, {{x, 0, -0.5}, Quat::Identity()});
    addHinge(world, post, rod, {x, 0, 0});
    addHinge(world, rod, bar, {x, 0, -1});
  }
  const StaticAnswer swung = answerOf(world);
  ASSERT_EQ(swung.verdict, StaticVerdict::kStands);
  EXPECT_NEAR(swung.factor, 0, kNear);
  EXPECT_EQ(answerOf(world, {.weights = Vec3::UnitY()}).factor, kInfinity);
}

TEST(Verdict, LinkageInFreeAir_FallsAndTouchesNothing) {
  Scenery scenery = sceneryOf(0.5);
  World& world = scenery.world;
  const BodyId a = test::addBody(world, Sphere{0.1}, 1, {{0, 0, 5}, Quat::Identity()});
  const BodyId b = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 5}, Quat::Identity()});
  addHinge(world, a, b, {0.5, 0, 5});
  EXPECT_EQ(Statics(world).alone(), 0);
  test::addUnitBox(world, {0, 0, 9});
  const Statics statics(world);
  EXPECT_EQ(statics.alone(), 1);
  const StaticAnswer answer = statics.answer(kPushX);
  ASSERT_EQ(answer.verdict, StaticVerdict::kFalls);
  EXPECT_EQ(answer.mechanism.size(), 3U);
}

TEST(Verdict, BadLoads_AreRefusedByName) {
  Scenery scenery = sceneryOf(0.3);
  World& world = scenery.world;
  const BodyId ground = test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  Statics statics(world);
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THROW(statics.answer({}), InputError);
  EXPECT_THROW(statics.answer({.weights = {nan, 0, 0}}), InputError);
  EXPECT_THROW(statics.answer({.forces = {{ground, {1, 0, 0}}}}), InputError);
  EXPECT_THROW(statics.answer({.forces = {{box, {1e160, 0, 0}}}}), InputError);
  EXPECT_THROW(Statics(world, -1.0), InputError);
  world.setGravity(Vec3::Zero());
  EXPECT_THROW(Statics(world).answer(kPushX), InputError);
}

}  // namespace
}  // namespace drystone
