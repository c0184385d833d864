// Contact and joint rows against hand-derived numbers (M.5 to M.8).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kStep = 1.0 / 60;

WorldSettings weightless(FrictionModel friction = FrictionModel::kCone) {
  WorldSettings settings = test::settingsFor("sor-prox", friction);
  settings.gravity.setZero();
  return settings;
}

/// A sphere of radius 0.5 and mass 2 on the plane z = 0, its centre at `height`.
struct BallOnPlane {
  BallOnPlane(const WorldSettings& settings, Real height, const Vec3& velocity, const Vec3& spin,
              const Material& material = {})
      : world(settings, test::registry()) {
    const MaterialId id = world.addMaterial(material);
    world.setMaterialPair(id, 0, material);
    test::addPlane(world, id);
    ball = test::addBody(world, Sphere{0.5}, 2, {{0, 0, height}, Quat::Identity()}, velocity, spin);
    world.step();
  }
  World world;
  BodyId ball;
};

TEST(ContactRows, RelativeVelocity_IsThatOfTheContactPoint) {
  // The contact point of a ball at height 0.5 moves with v + ω × (0, 0, -0.5).
  const Vec3 v(0.3, -0.2, 0.4), omega(1, 2, 3);
  BallOnPlane scene(weightless(), 0.5, v, omega);
  ASSERT_EQ(scene.world.observe().islandCount(), 1);
  const ContactProblem problem = scene.world.observe().islandProblem(0);
  ASSERT_EQ(problem.rowCount(), 3);
  const Vec3 expected = v + omega.cross(Vec3(0, 0, -0.5));
  // A is the plane, B the ball: the normal points up and w_n > 0 separates.
  EXPECT_NEAR(problem.b[0], expected.z(), 1e-14);
  EXPECT_NEAR(std::hypot(problem.b[1], problem.b[2]), std::hypot(expected.x(), expected.y()),
              1e-14);
  EXPECT_EQ(problem.blocks[0].bodyA, -1);
  EXPECT_EQ(problem.blocks[0].bodyB, 0);
}

TEST(ContactRows, Jacobians_AgreeWithFiniteDifferencesOfTheGap) {
  // d(gap)/dt along a velocity is J_n u; for a tilted box the arm matters.
  WorldSettings settings = weightless();
  World world(settings, test::registry());
  test::addPlane(world);
  const Quat q = test::turn(Vec3(1, 2, 0.5).normalized(), 0.4);
  const BodyId box = test::addBody(world, Box{{0.3, 0.4, 0.5}}, 1, {{0, 0, 0.60}, q});
  const auto gapAt = [&](Real t, const Vec3& v, const Vec3& w) {
    Pose pose{Vec3(0, 0, 0.60) + t * v, Quat::Identity()};
    pose.rotation = test::turn(w.normalized(), t * w.norm()) * q;
    Real lowest = 1e9;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 local(corner & 1 ? 0.3 : -0.3, corner & 2 ? 0.4 : -0.4, corner & 4 ? 0.5 : -0.5);
      lowest = std::min(lowest, (pose * local).z());
    }
    return lowest;
  };
  world.step();
  ASSERT_GE(world.observe().islandCount(), 1);
  const ContactProblem problem = world.observe().islandProblem(0);
  const Vec3 v(0.1, 0.2, -0.3), omega(0.5, -0.7, 0.2);
  Vec6 u;
  u << v, omega;
  const Real t = 1e-6;
  const Real expected = (gapAt(t, v, omega) - gapAt(-t, v, omega)) / (2 * t);
  EXPECT_NEAR(problem.jacobianB[0].dot(u), expected, 1e-8);
  EXPECT_EQ(world.body(box).kind(), BodyKind::kDynamic);
}

TEST(ContactRows, SpeculativeGap_AddsGapOverH) {
  BallOnPlane scene(weightless(), 0.506, {0, 0, -1}, Vec3::Zero());
  EXPECT_NEAR(scene.world.observe().islandProblem(0).b[0], -1 + 0.006 / kStep, 1e-10);
}

TEST(ContactRows, Overlap_SubtractsGammaDepthOverH) {
  BallOnPlane scene(weightless(), 0.497, {0, 0, -1}, Vec3::Zero());
  EXPECT_NEAR(scene.world.observe().islandProblem(0).b[0], -1 - 0.2 * 0.003 / kStep, 1e-10);
}

TEST(ContactRows, Restitution_AddsItsShareOfTheApproach) {
  const Material material{.friction = 0.5, .restitution = 0.6, .tangentialRestitution = 0.25};
  BallOnPlane scene(weightless(), 0.5, {0.8, 0, -2}, Vec3::Zero(), material);
  const ContactProblem problem = scene.world.observe().islandProblem(0);
  EXPECT_NEAR(problem.b[0], -2 * 1.6, 1e-12);
  EXPECT_NEAR(std::hypot(problem.b[1], problem.b[2]), 0.8 * 1.25, 1e-12);
}

TEST(ContactRows, SlowApproach_HasNoRestitution) {
  const Material material{.friction = 0.5, .restitution = 0.6, .tangentialRestitution = 0.25};
  BallOnPlane scene(weightless(), 0.5, {0.8, 0, -0.09}, Vec3::Zero(), material);
  const ContactProblem problem = scene.world.observe().islandProblem(0);
  EXPECT_NEAR(problem.b[0], -0.09, 1e-14);
  EXPECT_NEAR(std::hypot(problem.b[1], problem.b[2]), 0.8, 1e-14);
}

TEST(ContactRows, ClosedSet_LeavesPositiveGapsOut) {
  WorldSettings settings = weightless();
  settings.contactSet = ContactSet::kClosed;
  BallOnPlane above(settings, 0.506, {0, 0, -1}, Vec3::Zero());
  EXPECT_EQ(above.world.lastReport().contacts, 0);
  BallOnPlane below(settings, 0.499, {0, 0, -1}, Vec3::Zero());
  EXPECT_EQ(below.world.lastReport().contacts, 1);
}

TEST(ContactRows, Contensou_FourthRowIsSpinTimesRadius) {
  const Material material{.friction = 0.5, .contensouRadius = 0.02};
  BallOnPlane scene(weightless(FrictionModel::kContensou), 0.5, Vec3::Zero(), {0, 0, 7}, material);
  const ContactProblem problem = scene.world.observe().islandProblem(0);
  ASSERT_EQ(problem.rowCount(), 4);
  EXPECT_NEAR(problem.b[3], 0.02 * 7, 1e-15);  // (M.6)
}

TEST(ContactRows, Frictionless_HasOneRow) {
  BallOnPlane scene(weightless(FrictionModel::kNone), 0.5, {1, 0, -1}, Vec3::Zero());
  EXPECT_EQ(scene.world.observe().islandProblem(0).rowCount(), 1);
}

TEST(ContactRows, BoundsAreThereWithJointsAlone) {
  // Of a contact they are its law's: a world without joints has none, which is 48 bytes a contact.
  const auto problemWith = [](bool hasJoint) {
    BallOnPlane scene(weightless(), 0.5, {0, 0, -1}, {0, 0, 0});
    if (hasJoint) {
      BodyDefinition post;
      post.kind = BodyKind::kStatic;
      const BodyId a = scene.world.addBody(post);
      const BodyId b = test::addBody(scene.world, Sphere{0.5}, 1, {{5, 0, 3}, Quat::Identity()});
      scene.world.addJoint(ballJoint(a, b, {0, 0, 3}, {-5, 0, 0}));
      scene.world.step();
    }
    return storedCopy(scene.world.observe().islandProblem(0));
  };
  const StoredProblem alone = problemWith(false), beside = problemWith(true);
  EXPECT_TRUE(alone.lower.empty() && alone.upper.empty());
  ASSERT_EQ(alone.b.size(), 3u);
  ASSERT_EQ(beside.b.size(), 3u) << "the island of the ball, as before";
  EXPECT_THAT(beside.lower, testing::ElementsAre(0, -kInfinity, -kInfinity));
  EXPECT_THAT(beside.upper, testing::Each(kInfinity));
}

TEST(ContactRows, KinematicBody_EntersTheRelativeVelocity) {
  World world(weightless(), test::registry());
  BodyDefinition lift;
  lift.kind = BodyKind::kKinematic;
  lift.shape = Box{{1, 1, 0.5}};
  lift.pose.position = {0, 0, -0.5};
  lift.linearVelocity = {0, 0, 0.3};
  world.addBody(lift);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5}, Quat::Identity()});
  world.step();
  EXPECT_NEAR(world.observe().islandProblem(0).b[0], -0.3, 1e-14);
  EXPECT_NEAR(world.body(ball).linearVelocity().z(), 0.3, 1e-8);  // carried along
}

// The approach is that before gravity has added g h = 0.16 m/s: what rests goes on resting.
TEST(ContactRows, RestitutionThresholdBelowGH_LeavesABallAtRest) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.restitutionThreshold = 0.01;
  BallOnPlane rest(settings, 0.5, Vec3::Zero(), Vec3::Zero(), {.restitution = 0.8});
  test::simulate(rest.world, 1);
  EXPECT_LT(rest.world.lastReport().maxSpeed, 1e-6);
}

TEST(BallJointRows, ErrorIsTakenBackByGamma) {
  World world(weightless(), test::registry());
  BodyDefinition post;
  post.kind = BodyKind::kStatic;
  const BodyId a = world.addBody(post);
  const BodyId b = test::addBody(world, Sphere{0.1}, 3, {{0.01, 0, 0}, Quat::Identity()});
  world.addJoint(ballJoint(a, b, Vec3::Zero(), Vec3::Zero()));
  world.step();
  const ContactProblem problem = world.observe().islandProblem(0);
  ASSERT_EQ(problem.rowCount(), 3);
  EXPECT_NEAR(problem.b[0], 0.2 * 0.01 / kStep, 1e-14);        // γ φ / h, φ = x_B - x_A
  EXPECT_NEAR(world.body(b).centerOfMass().x(), 0.008, 1e-9);  // (1 - γ) φ is left
  EXPECT_NEAR(world.lastReport().maxJointDrift, 0.01, 1e-15);
}

}  // namespace
}  // namespace drystone
