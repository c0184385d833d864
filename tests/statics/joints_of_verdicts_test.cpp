// What joints and torsion bear in a verdict, in closed forms.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/input_error.h"
#include "engine/statics/statics.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

/// What the interior point leaves, relative, and the roundings of contact points.
constexpr Real kBalanced = 1e-5;

/// A ball of 1 kg at the end of an arm of 1 m, which its weight turns by +m g about the joint's x.
struct Arm {
  World world{test::settingsFor("auto"), test::registry()};
  BodyId post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
  BodyId ball = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});

  /// Verdict and factor of a load of 1 N in units of m g, along ±z.
  StaticAnswer pushed(Real along) {
    StaticAnswer answer = Statics(world).answer({.forces = {{ball, {0, 0, along}}}});
    answer.factor /= kGravity;
    return answer;
  }
};

Arm hinged(const JointAxis& about) {
  Arm arm;
  JointDefinition hinge = hingeJoint(arm.post, arm.ball);
  hinge.axes[kAboutX] = about;
  const Quat alongY = Quat::FromTwoVectors(Vec3::UnitX(), Vec3::UnitY());
  arm.world.addJoint(hinge, {Vec3::Zero(), alongY});
  return arm;
}

/// How much more than the weight an arm bears downwards, and upwards against it [m g].
struct Borne {
  std::string name;
  JointAxis about;
  Real down, up;
};

void expectBorne(const std::vector<Borne>& cases) {
  for (const Borne& one : cases) {
    Arm arm = hinged(one.about);
    for (const Real along : {-1.0, 1.0}) {
      const StaticAnswer answer = arm.pushed(along);
      const Real expected = along < 0 ? one.down : one.up;
      ASSERT_EQ(answer.verdict, StaticVerdict::kStands) << one.name;
      if (expected == kInfinity) {
        EXPECT_EQ(answer.factor, kInfinity) << one.name;
      } else {
        EXPECT_NEAR(answer.factor, expected, kBalanced) << one.name << along;
      }
    }
  }
}

void expectFall(const std::string& name, const JointAxis& about) {
  EXPECT_EQ(hinged(about).pushed(-1).verdict, StaticVerdict::kFalls) << name;
}

JointMotor motorOf(MotorKind kind, Real target, Real cap) {
  return {.kind = kind, .target = target, .maxForce = cap};
}

// A limit pushes one way only, and is met within a thousandth of a radian.
TEST(VerdictOfJoints, Limits_PushWhereTheyAreMet) {
  expectBorne({{"upper", {.upper = 0}, kInfinity, 1},
               {"upper, met to 5e-4", {.upper = 5e-4}, kInfinity, 1},
               {"both, met to 5e-4", {.lower = -5e-4, .upper = 5e-4}, kInfinity, kInfinity}});
  expectFall("free", {});
  expectFall("lower", {.lower = 0});
  expectFall("upper, 2e-3 away", {.upper = 2e-3});
}

// The sphere's axis is 0.5 rad off that of the post, and may not lean by more.
TEST(VerdictOfJoints, SwingLimit_PushesWhereItIsMet) {
  for (const Real limit : {0.5, 0.4999, 0.6}) {
    Arm arm;
    JointDefinition joint = ballJoint(arm.post, arm.ball, {0, 0, 0}, {-1, 0, 0});
    joint.frameA.rotation = test::turn(Vec3::UnitY(), -0.5);
    joint.swingLimit = limit;
    arm.world.addJoint(joint);
    const StaticAnswer down = arm.pushed(-1);
    if (limit > 0.5) {
      EXPECT_EQ(down.verdict, StaticVerdict::kFalls);
      continue;
    }
    ASSERT_EQ(down.verdict, StaticVerdict::kStands) << limit;
    EXPECT_EQ(down.factor, kInfinity) << limit;
    EXPECT_NEAR(arm.pushed(1).factor, 1, kBalanced) << limit;
  }
}

TEST(VerdictOfJoints, Friction_BearsUpToItsBoundEitherWay) {
  expectBorne({{"1.3 m g", {.friction = 1.3 * kGravity}, 0.3, 2.3}});
  expectFall("0.9 m g", {.friction = 0.9 * kGravity});
}

// Springs are dead load at their present length; friction says how far this is off the weight.
TEST(VerdictOfJoints, Springs_PullByTheirPresentLength) {
  const Real little = 0.1 * kGravity;
  const JointSpring linear{.stiffness = 100, .rest = -kGravity / 100};
  const JointSpring table{.rest = -0.1,
                          .forceTable = ForceTable({{0, 0}, {0.1, kGravity}, {0.2, 5 * kGravity}})};
  const JointSpring offset{.damperTable = ForceTable({{-1, kGravity}, {1, kGravity}})};
  expectBorne({{"spring", {.spring = linear, .friction = little}, 0.1, 0.1},
               {"table", {.spring = table, .friction = little}, 0.1, 0.1},
               {"force at no rate", {.spring = offset, .friction = little}, 0.1, 0.1}});
  const JointSpring wrongWay{.stiffness = 100, .rest = kGravity / 100};
  expectFall("spring the wrong way", {.spring = wrongWay, .friction = 1.5 * kGravity});
}

// A servo of 100 N m/rad that is off by m g / 100 bears the weight, one that is off by more its
// cap.
TEST(VerdictOfJoints, Servos_PressByWhatTheyAreOffUpToTheirCap) {
  JointMotor servo = motorOf(MotorKind::kPosition, -kGravity / 100, kInfinity);
  servo.servo = JointSpring{.stiffness = 100};
  JointMotor capped = motorOf(MotorKind::kPosition, -kGravity, 0.5 * kGravity);
  capped.servo = servo.servo;
  expectBorne({{"servo", {.motor = servo, .friction = 0.1 * kGravity}, 0.1, 0.1},
               {"capped", {.motor = capped, .friction = 0.6 * kGravity}, 0.1, 1.1}});
  expectFall("capped", {.motor = capped, .friction = 0.4 * kGravity});
}

TEST(VerdictOfJoints, Motors_BearUpToTheirCapWhateverTheirTarget) {
  for (const MotorKind kind : {MotorKind::kPosition, MotorKind::kVelocity}) {
    expectBorne({{"strong", {.motor = motorOf(kind, 0.5, kInfinity)}, kInfinity, kInfinity},
                 {"capped", {.motor = motorOf(kind, 0.5, 1.2 * kGravity)}, 0.2, 2.2}});
    expectFall("weak", {.motor = motorOf(kind, 0.5, 0.8 * kGravity)});
  }
}

// The rope holds the arm until it breaks; then the verdict is that without it.
TEST(VerdictOfJoints, CableThatBroke_BearsNothing) {
  Arm arm = hinged({});
  const BodyId anchor = test::addBody(arm.world, Sphere{0.1}, 1, {{3, 0, 0}, Quat::Identity()});
  arm.world.addJoint(fixedJoint(arm.post, anchor), Pose{});
  arm.world.addCable({.name = "rope",
                      .points = {{arm.ball}, {.body = arm.post, .position = {1, 0, 5}}, {anchor}},
                      .breakingImpulse = 1e-3});
  EXPECT_THROW(arm.pushed(-1), InputError);
  arm.world.step();
  EXPECT_EQ(arm.pushed(-1).verdict, StaticVerdict::kFalls);
  arm.world.joint(arm.world.joints().front()).setFriction(kAboutX, 1.5 * kGravity);
  EXPECT_NEAR(arm.pushed(-1).factor, 0.5, kBalanced);
  EXPECT_NEAR(arm.pushed(1).factor, 2.5, kBalanced);
}

// A couple about the normal: a disc of radius R under equal pressure bears 2/3 μ R m g, a point
// none.
TEST(VerdictOfTorsion, OfADisc_IsTwoThirdsOfMuTimesItsRadius) {
  for (const FrictionModel model : {FrictionModel::kContensou, FrictionModel::kCone}) {
    World world(test::settingsFor("auto", model), test::registry());
    const Material rough{.friction = 0.5, .contensouRadius = 0.03};
    const MaterialId material = world.addMaterial(rough);
    world.setMaterialPair(0, material, rough);
    test::addGround(world, material);
    const BodyId ball = world.addBody({.shape = Sphere{0.5},
                                       .pose = {{0, 0, 0.5}, Quat::Identity()},
                                       .mass = massOf(Sphere{0.5}, 2),
                                       .material = material});
    const StaticAnswer answer =
        Statics(world).answer({.forces = {{.body = ball, .torque = Vec3::UnitZ()}}});
    ASSERT_EQ(answer.verdict, StaticVerdict::kStands);
    const Real disc = 2.0 / 3 * 0.5 * 0.03 * 2 * kGravity;
    EXPECT_NEAR(answer.factor, model == FrictionModel::kContensou ? disc : 0, kBalanced);
  }
}

}  // namespace
}  // namespace drystone
