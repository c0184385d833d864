// Ellipsoids against closed forms. The point S u of a unit vector u, with the half axes S on a
// diagonal, has the outward normal S⁻¹ u. So what touches it there is known.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/shape/shape_operations.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

/// A point of the surface and the normal out of it (world).
struct SurfacePlace {
  Vec3 point, normal;
};

/// An ellipsoid at any pose.
struct AnyEllipsoid {
  Ellipsoid shape;
  Pose pose;

  explicit AnyEllipsoid(Random& random) : pose(randomPose(random, 2)) {
    for (Real& axis : shape.halfAxes) axis = random.uniform(0.2, 1);
  }
  SurfacePlace anyPlace(Random& random) const {
    const Vec3 u = randomRotation(random) * Vec3::UnitX();
    return {pose * shape.halfAxes.cwiseProduct(u),
            (pose.rotation * u.cwiseQuotient(shape.halfAxes)).normalized()};
  }
  /// Half of the width along a unit direction: |S n|.
  Real reach(const Vec3& normal) const {
    return shape.halfAxes.cwiseProduct(pose.rotation.conjugate() * normal).norm();
  }
};

constexpr int kEllipsoids = 500;

TEST(Ellipsoid, OnAPlane_TouchesAtItsSupportPointToRoundOff) {
  Random random(21);
  for (int trial = 0; trial < kEllipsoids; ++trial) {
    const AnyEllipsoid placed(random);
    const SurfacePlace place = placed.anyPlace(random);
    const Real gap = random.uniform(-0.05, 0.009);
    const Pose floor = poseAt(place.point + gap * place.normal,
                              Quat::FromTwoVectors(Vec3::UnitZ(), -place.normal));
    const auto contacts = contactsOf(Plane{}, floor, placed.shape, placed.pose);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, gap, 1e-14);
    EXPECT_LT((contacts[0].normal + place.normal).norm(), 1e-13);
    EXPECT_LT((contacts[0].position - place.point - 0.5 * gap * place.normal).norm(), 1e-13);
  }
}

// A ball of radius r in front of the surface has its middle r + gap along the normal. The normals
// of close balls are those of the iteration: sqrt(2e-10 · distance of the middle · curvature) or
// less.
TEST(Ellipsoid, InFrontOfABall_HasTheNormalOfItsSurface) {
  Random random(22);
  for (int trial = 0; trial < kEllipsoids; ++trial) {
    const AnyEllipsoid placed(random);
    const SurfacePlace place = placed.anyPlace(random);
    const Real radius = random.uniform(0.1, 0.5), gap = random.uniform(-0.05, 0.009);
    const auto contacts =
        contactsOf(Sphere{radius}, poseAt(place.point + (radius + gap) * place.normal),
                   placed.shape, placed.pose);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, gap, 1e-10);
    EXPECT_LT((contacts[0].normal + place.normal).norm(), 3e-5);
    EXPECT_LT((contacts[0].position - place.point - 0.5 * gap * place.normal).norm(), 3e-5);
  }
}

TEST(Ellipsoid, OnABox_HasTheNormalOfTheFaceAndTheHeightOfItsSupport) {
  Random random(23);
  const Box box{{3, 3, 1}};
  for (int trial = 0; trial < kEllipsoids; ++trial) {
    AnyEllipsoid placed(random);
    const Real gap = random.uniform(-0.05, 0.009);
    placed.pose.position.z() = 1 + placed.reach(Vec3::UnitZ()) + gap;
    const auto contacts = contactsOf(box, poseAt(Vec3::Zero()), placed.shape, placed.pose);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, gap, 1e-12);
    EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-12);
  }
}

// Two surfaces that face each other along a common normal are nowhere closer, since both are
// convex.
TEST(Ellipsoid, FacingAnother_HasTheGapAlongTheirCommonNormal) {
  Random random(24);
  for (int trial = 0; trial < kEllipsoids; ++trial) {
    const AnyEllipsoid a(random);
    AnyEllipsoid b(random);
    const SurfacePlace onA = a.anyPlace(random), onB = b.anyPlace(random);
    const Real gap = random.uniform(0, 0.009);
    const Quat turn = Quat::FromTwoVectors(onB.normal, -onA.normal);
    b.pose.rotation = (turn * b.pose.rotation).normalized();
    b.pose.position = onA.point + gap * onA.normal + turn * (b.pose.position - onB.point);
    const auto contacts = contactsOf(a.shape, a.pose, b.shape, b.pose);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap, gap, 1e-12);
    EXPECT_LT((contacts[0].normal - onA.normal).norm(), 1e-5);
    EXPECT_LT((contacts[0].position - onA.point - 0.5 * gap * onA.normal).norm(), 1e-5);
  }
}

TEST(Ellipsoid, IsHitByARayWhereItsSurfaceIs) {
  Random random(25);
  for (int trial = 0; trial < kEllipsoids; ++trial) {
    const AnyEllipsoid placed(random);
    const SurfacePlace place = placed.anyPlace(random);
    CollisionWorld world({});
    world.add(placed.shape, placed.pose, {}, true);
    // A ray that comes from any side of the tangent plane, and one that leaves it by 1e-9 m.
    Vec3 towards = randomRotation(random) * Vec3::UnitX();
    if (towards.dot(place.normal) > 0) towards = -towards;
    const auto hit = world.rayCast(place.point - 2 * towards, place.point + towards);
    ASSERT_TRUE(hit);
    // A ray that grazes the surface meets it with an error over the sine of their angle.
    const Real steep = -towards.dot(place.normal);
    EXPECT_NEAR(hit->fraction, 2.0 / 3, 1e-13 / steep);
    EXPECT_LT((hit->normal - place.normal).norm(), 1e-12 / steep);
    const Vec3 along = place.normal.unitOrthogonal(), over = 1e-9 * place.normal;
    EXPECT_FALSE(world.rayCast(place.point + over - along, place.point + over + along));
    EXPECT_TRUE(world.rayCast(place.point - over - along, place.point - over + along));
    EXPECT_FALSE(world.rayCast(placed.pose.position, place.point - over));
  }
}

// At the end of the axis c the radii of curvature are a²/c and b²/c.
TEST(Ellipsoid, LocalSurface_IsTheBallOfTheSmallerRadiusOfCurvature) {
  const Ellipsoid shape{{0.6, 0.5, 0.2}};
  const Ellipsoid ball{Vec3::Constant(0.3)};
  const auto radiusAt = [](const Ellipsoid& ellipsoid, const Vec3& normal) {
    PlacedShape placed;
    Ellipsoid::operations.place(ellipsoid, placed);
    const Vec3 point = Ellipsoid::operations.support(placed, normal);
    const LocalSurface found = Ellipsoid::operations.localSurface(placed, point, normal);
    EXPECT_EQ(found.kind, LocalSurface::Kind::kPoint);
    EXPECT_LT((found.core + found.radius * normal - point).norm(), 1e-15);
    return found.radius;
  };
  EXPECT_NEAR(radiusAt(shape, Vec3::UnitZ()), 0.25 / 0.2, 1e-14);
  EXPECT_NEAR(radiusAt(shape, Vec3::UnitY()), 0.04 / 0.5, 1e-14);
  EXPECT_NEAR(radiusAt(shape, -Vec3::UnitX()), 0.04 / 0.6, 1e-14);
  EXPECT_NEAR(radiusAt(ball, Vec3(1, 2, 2) / 3), 0.3, 1e-14);
}

TEST(Ellipsoid, PlacedBounds_TouchItOnAllSides) {
  Random random(26);
  for (int trial = 0; trial < kEllipsoids; ++trial) {
    const AnyEllipsoid placed(random);
    PlacedShape shape;
    Ellipsoid::operations.place(placed.shape, shape);
    shape.position = placed.pose.position;
    shape.rotation = placed.pose.rotation.toRotationMatrix();
    const Bounds bounds = Ellipsoid::operations.placedBounds(shape);
    for (int axis = 0; axis < 3; ++axis) {
      const Real reach = placed.reach(Vec3::Unit(axis)), middle = shape.position[axis];
      EXPECT_NEAR(bounds.upper[axis], middle + reach, 1e-14);
      EXPECT_NEAR(bounds.lower[axis], middle - reach, 1e-14);
    }
  }
}

}  // namespace
}  // namespace drystone
