// Ball joints against closed forms.
#include <gtest/gtest.h>

#include "tests/physics/pendulums.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

using test::addPost;

TEST(BallJoint, Pendulum_SwingsWithItsPeriod) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = 1e-3;
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  const Real length = 1, radius = 0.1, start = 0.05;
  const BodyId bob =
      test::addBody(world, Sphere{radius}, 1,
                    {{length * std::sin(start), 0, -length * std::cos(start)}, Quat::Identity()});
  world.addJoint(
      ballJoint(post, bob, Vec3::Zero(), {-length * std::sin(start), 0, length * std::cos(start)}));
  // Small swing of a rigid sphere: T = 2π √((l² + 2/5 r²) / (g l)) · (1 + θ²/16).
  const Real period =
      2 * M_PI * std::sqrt((1 + 0.4 * radius * radius) / kGravity) * (1 + start * start / 16);
  Real previous = world.body(bob).centerOfMass().x();
  std::vector<Real> crossings;
  while (crossings.size() < 3 && world.time() < 5) {
    world.step();
    const Real now = world.body(bob).centerOfMass().x();
    if (previous > 0 && now <= 0) {
      crossings.push_back(world.time() - 1e-3 * now / (now - previous));
    }
    previous = now;
  }
  ASSERT_EQ(crossings.size(), 3u);
  EXPECT_NEAR((crossings[2] - crossings[0]) / (2 * period), 1, 1e-4);
  EXPECT_LE(world.lastReport().maxJointDrift, 1e-6);
}

TEST(BallJoint, Gyroscope_PrecessesAtMGLOverIOmega) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = 2e-5;
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  // A disc on a weightless rod along x, spun fast about it and started in steady precession.
  const Real arm = 0.3, spin = 200;
  const Shape disc = Cylinder{0.2, 0.01};
  const Quat alongX = test::turn(Vec3::UnitY(), M_PI / 2);
  const Real inertia = 0.5 * 1 * 0.2 * 0.2;  // about the axis, ½ m r²
  const Real precession = kGravity * arm / (inertia * spin);
  const BodyId wheel = test::addBody(world, disc, 1, {{arm, 0, 0}, alongX},
                                     {0, precession * arm, 0}, {spin, 0, precession});
  world.addJoint(ballJoint(post, wheel, Vec3::Zero(), alongX.conjugate() * Vec3(-arm, 0, 0)));
  test::simulate(world, 0.5);
  const Vec3 place = world.body(wheel).centerOfMass();
  // Turned by Ω t about z; the nutation that the slow-precession formula leaves out is (Ω/ω)².
  EXPECT_NEAR(std::atan2(place.y(), place.x()), precession * 0.5, 0.02);
  EXPECT_NEAR(place.z(), 0, 0.01);
}

TEST(BallJoint, ConnectedBodies_DoNotCollideUnlessAsked) {
  for (const bool collide : {false, true}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.gravity.setZero();
    World world(settings, test::registry());
    const BodyId a = test::addUnitBox(world, {0, 0, 0});
    const BodyId b = test::addUnitBox(world, {0.9, 0, 0});
    JointDefinition joint = ballJoint(a, b, {0.45, 0, 0}, {-0.45, 0, 0});
    joint.collide = collide;
    world.addJoint(joint);
    EXPECT_EQ(world.step().contacts > 0, collide);
  }
}

TEST(BallJoint, WithItself_IsRefused) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  const BodyId a = test::addUnitBox(world, {0, 0, 0});
  EXPECT_THROW(world.addJoint(ballJoint(a, a, Vec3::Zero(), Vec3::Zero())), std::runtime_error);
}

}  // namespace
}  // namespace drystone
