// Forces along the coordinates of joints by what makes them, against statics.
#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "tests/physics/joint_rig.h"
#include "tests/support/constants.h"

namespace drystone {
namespace {

using test::kGravity;
using test::Rig;

constexpr Real kWeight = Rig::kMass * test::kGravity;
const Vec3 kDown(0, 0, -test::kGravity);

/// A slider along the world's z.
JointId addLift(Rig& rig, const JointAxis& axis) {
  JointDefinition lift = sliderJoint(rig.post, rig.body);
  lift.axes[kAlongX] = axis;
  return rig.world.addJoint(lift, jointFrame(Vec3::Zero(), Vec3::UnitZ()));
}

struct Parts {
  Real lock = 0, limit = 0, spring = 0, motor = 0, friction = 0;
};

void expectForce(const AxisForce& force, const Parts& parts) {
  EXPECT_NEAR(force.lock, parts.lock, 1e-4);
  EXPECT_NEAR(force.limit, parts.limit, 1e-4);
  EXPECT_NEAR(force.spring, parts.spring, 1e-4);
  EXPECT_NEAR(force.motor, parts.motor, 1e-4);
  EXPECT_NEAR(force.friction, parts.friction, 1e-4);
}

TEST(AxisForces, ThatHoldAWeight_AreItByWhatHolds) {
  const JointSpring spring{.stiffness = 500, .damping = 100, .rest = 0};
  const JointMotor brake{.kind = MotorKind::kVelocity, .target = 0};
  for (const int substeps : {1, 4}) {
    const auto forceOf = [&](const JointAxis& axis, const Vec3& gravity = kDown) {
      Rig rig(Vec3::Zero(), gravity);
      WorldSettings settings = rig.world.settings();
      settings.substeps = substeps;
      rig.world = World(settings, test::registry());
      rig.post = rig.world.addBody({.kind = BodyKind::kStatic});
      rig.body = rig.addBody(Vec3::Zero());
      const JointId lift = addLift(rig, axis);
      EXPECT_EQ(rig.world.joint(lift).axisForce(kAlongX).total(), 0);
      rig.run(240);
      const AxisForce force = rig.world.joint(lift).axisForce(kAlongX);
      // The coordinate runs up along z: so does the force on body B.
      EXPECT_NEAR(force.total(), rig.world.joint(lift).reaction().force.z(), 1e-6);
      return force;
    };
    expectForce(forceOf(JointAxis::locked()), {.lock = kWeight});
    expectForce(forceOf(JointAxis::limited(0, 1)), {.limit = kWeight});
    expectForce(forceOf(JointAxis::limited(-1, 0), -kDown), {.limit = -kWeight});
    expectForce(forceOf({.spring = spring}), {.spring = kWeight});
    expectForce(forceOf({.motor = brake}), {.motor = kWeight});
    expectForce(forceOf({.friction = 2 * kWeight}), {.friction = kWeight});
    // A motor at its cap lifts what it can: friction bears the rest.
    JointMotor weak = brake;
    weak.target = 1;
    weak.maxForce = 10;
    expectForce(forceOf({.motor = weak, .friction = 2 * kWeight}),
                {.motor = 10, .friction = kWeight - 10});
  }
}

TEST(AxisForces, AboutAHinge_AreTorques) {
  Rig rig({0.5, 0, 0}, kDown);
  JointDefinition hinge = hingeJoint(rig.post, rig.body);
  hinge.axes[kAboutX] = JointAxis::locked();
  const JointId id = rig.world.addJoint(hinge, jointFrame(Vec3::Zero(), Vec3::UnitY()));
  rig.run(60);
  // About +y the weight turns the body down by m g r.
  EXPECT_NEAR(rig.world.joint(id).axisForce(kAboutX).lock, -0.5 * kWeight, 1e-4);
  EXPECT_THROW(rig.world.joint(id).axisForce(6), InputError);
}

TEST(AxisForces, OfARope_AreItsTension) {
  Rig rig({0, 0, -1}, kDown);
  const JointId rope =
      rig.world.addJoint(distanceJoint(rig.post, rig.body, Vec3::Zero(), Vec3::Zero(), 0, 1));
  rig.run(60);
  EXPECT_NEAR(rig.world.joint(rope).axisForce(0).limit, -kWeight, 1e-4);
}

TEST(AxisForces, OfWhatSleepsAndIsRestored_StayWhatTheyWere) {
  Rig rig(Vec3::Zero(), kDown);
  WorldSettings settings = rig.world.settings();
  settings.sleeping.enabled = true;
  rig.world = World(settings, test::registry());
  rig.post = rig.world.addBody({.kind = BodyKind::kStatic});
  rig.body = rig.addBody(Vec3::Zero());
  const JointId lift = addLift(rig, JointAxis::limited(0, 1));
  for (int i = 0; i < 300 && rig.world.body(rig.body).isAwake(); ++i) rig.world.step();
  ASSERT_FALSE(rig.world.body(rig.body).isAwake());
  rig.run(5);
  const Real asleep = rig.world.joint(lift).axisForce(kAlongX).limit;
  EXPECT_NEAR(asleep, kWeight, 1e-4);
  const auto state = rig.world.save();
  rig.world.body(rig.body).setVelocity({0, 0, 3}, Vec3::Zero());
  rig.run(5);
  EXPECT_EQ(rig.world.joint(lift).axisForce(kAlongX).limit, 0);
  rig.world.restore(state);
  EXPECT_EQ(rig.world.joint(lift).axisForce(kAlongX).limit, asleep);
}

}  // namespace
}  // namespace drystone
