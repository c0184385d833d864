// Mass, centre of mass and inertia against closed forms and against each other.
#include <gmock/gmock.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "core/random.h"
#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using test::kPi;
// Some tens of roundings, relative to the largest entry.
constexpr Real kMassRound = 1e-14;

Mat3 diagonal(Real x, Real y, Real z) { return Vec3(x, y, z).asDiagonal(); }

void expectNear(const MassProperties& actual, const MassProperties& expected, Real tolerance) {
  EXPECT_NEAR(actual.mass, expected.mass, tolerance * expected.mass);
  EXPECT_LE((actual.centerOfMass - expected.centerOfMass).norm(),
            tolerance * std::max<Real>(1, expected.centerOfMass.norm()));
  EXPECT_LE((actual.inertia - expected.inertia).norm(), tolerance * expected.inertia.norm())
      << actual.inertia << "\nexpected\n"
      << expected.inertia;
}

ConvexHull placed(std::vector<Vec3> points, const Pose& pose) {
  for (Vec3& point : points) point = pose * point;
  return makeHull(points);
}

/// A prism or a pyramid over a regular polygon of `sides`, as what cylinder and cone tend to.
std::vector<Vec3> ring(int sides, Real radius, Real z) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const Real angle = 2 * kPi * i / sides;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  return points;
}

// m = 1000 · 4/3 π 0.3³ = 36 π kg; I = 2/5 m 0.09 = 0.036 m.
TEST(MassProperties, Sphere_IsTwoFifthsMRSquared) {
  expectNear(massProperties(Sphere{0.3}, 1000),
             {36 * kPi, Vec3::Zero(), 1.296 * kPi * Mat3::Identity()}, kMassRound);
}

// The same box at 2 kg/m³ has 96 kg; a cone has its centre of mass beside its middle.
TEST(MassProperties, OfAMass_AreThoseAtItsDensity) {
  expectNear(massOf(Box{{1, 2, 3}}, 96), massProperties(Box{{1, 2, 3}}, 2), kMassRound);
  const MassProperties cone = massProperties(Cone{1, 2}, 700);
  expectNear(massOf(Cone{1, 2}, cone.mass), cone, kMassRound);
  EXPECT_EQ(massOf(Sphere{0.3}, 5).mass, 5);
  for (const Real bad : {0.0, -1.0, std::numeric_limits<Real>::infinity()}) {
    EXPECT_THROW(massOf(Sphere{0.3}, bad), InputError) << bad;
  }
  EXPECT_THROW(massOf(Plane{}, 5), InputError);
}

// Half extents (1, 2, 3), 2 kg/m³: m = 96, I = 32 (13, 10, 5).
TEST(MassProperties, Box_IsAThirdOfMTimesTheSquares) {
  expectNear(massProperties(Box{{1, 2, 3}}, 2), {96, Vec3::Zero(), diagonal(416, 320, 160)},
             kMassRound);
}

// Half axes (1, 2, 3), 2 kg/m³: m = 2 · 4/3 π 6 = 16 π; I = m/5 (4 + 9, 1 + 9, 1 + 4).
TEST(MassProperties, Ellipsoid_IsAFifthOfMTimesTheSquares) {
  expectNear(massProperties(Ellipsoid{{1, 2, 3}}, 2),
             {16 * kPi, Vec3::Zero(), 16 * kPi / 5 * diagonal(13, 10, 5)}, kMassRound);
  expectNear(massProperties(Ellipsoid{{0.3, 0.3, 0.3}}, 7), massProperties(Sphere{0.3}, 7),
             kMassRound);
}

// r = 2, length 6: m = 24 π, I_z = m r²/2 = 48 π, I_x = m (r²/4 + 6²/12) = 96 π.
TEST(MassProperties, Cylinder_HasItsTextbookInertia) {
  expectNear(massProperties(Cylinder{2, 3}, 1),
             {24 * kPi, Vec3::Zero(), kPi * diagonal(96, 96, 48)}, kMassRound);
}

// r = 1, L = 1: cylinder 2 π: I_z = π, I_x = 2π (1/4 + 1/3) = 7π/6. Ball 4π/3: I_z = 8π/15,
// I_x = 4π/3 (2/5 + 1 + 3/4) = 43π/15. Sum: I_z = 23π/15, I_x = 35π/30 + 86π/30 = 121π/30.
TEST(MassProperties, Capsule_IsACylinderAndTwoHalfBalls) {
  expectNear(massProperties(Capsule{1, 1}, 1),
             {10 * kPi / 3, Vec3::Zero(), kPi * diagonal(121.0 / 30, 121.0 / 30, 23.0 / 15)},
             kMassRound);
}

// A capsule of vanishing length is a ball; to first order in L = 1e-9 it differs by that.
TEST(MassProperties, ShortCapsule_TendsToASphere) {
  expectNear(massProperties(Capsule{1, 1e-9}, 1), massProperties(Sphere{1}, 1), 1e-8);
}

// r = 2, h = 4: m = 16π/3; centre h/4 above the base at z = -2: z = -1; I_z = 3/10 m r² = 6.4 π;
// I_x = 3/80 m (4 r² + h²) = 3/80 · 32 m = 6.4 π.
TEST(MassProperties, Cone_HasItsCentreAQuarterUpFromTheBase) {
  expectNear(massProperties(Cone{2, 4}, 1),
             {16 * kPi / 3, Vec3(0, 0, -1), 6.4 * kPi * Mat3::Identity()}, kMassRound);
}

// The polygon has area ½ n r² sin(2π/n), which misses π r² by a factor (2π/n)²/6: 2.6e-5 for 500
// sides; the inertia by at most twice that.
TEST(MassProperties, ManySidedPrismAndPyramid_TendToCylinderAndCone) {
  std::vector<Vec3> prism = ring(500, 2, -3);
  std::ranges::copy(ring(500, 2, 3), std::back_inserter(prism));
  expectNear(massProperties(makeHull(prism), 1), massProperties(Cylinder{2, 3}, 1), 1e-4);
  std::vector<Vec3> pyramid = ring(500, 2, -2);
  pyramid.emplace_back(0, 0, 2);
  expectNear(massProperties(makeHull(pyramid), 1), massProperties(Cone{2, 4}, 1), 1e-4);
}

// Edge a: V = a³/(6 √2), I = m a²/20 about every axis. Corners (±1, ±1, ±1) of even parity have
// a = 2 √2: V = 8/3, I = 8/3 · 8/20 = 16/15.
TEST(MassProperties, RegularTetrahedron_IsIsotropic) {
  const ConvexHull hull = makeHull({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
  expectNear(massProperties(hull, 1), {8.0 / 3, Vec3::Zero(), 16.0 / 15 * Mat3::Identity()},
             kMassRound);
}

// Corner tetrahedron of the unit cube: V = 1/6, centre (1, 1, 1)/4. ∫x² = 1/60, ∫xy = 1/120; about
// the centre: 1/60 - 1/96 = 1/160, 1/120 - 1/96 = -1/480. I_xx = 2/160, I_xy = +1/480.
TEST(MassProperties, CornerTetrahedron_HasTheIntegralsDoneByHand) {
  Mat3 inertia = Mat3::Constant(1.0 / 480);
  inertia.diagonal().setConstant(1.0 / 80);
  expectNear(massProperties(makeHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), 1),
             {1.0 / 6, Vec3::Constant(0.25), inertia}, kMassRound);
}

// The same solid as a hull, turned and moved: I → R I Rᵀ. 100 m away, the positions themselves are
// rounded to 1e-14 m, 1e-13 of the thinnest side.
TEST(MassProperties, PlacedHullOfABox_IsTheBoxTurnedAndMoved) {
  Random random(11);
  const Box box{{0.5, 0.2, 0.1}};
  const MassProperties own = massProperties(box, 700);
  for (int i = 0; i < 50; ++i) {
    const Pose pose = randomPose(random, 100);
    const Mat3 r = pose.rotation.toRotationMatrix();
    expectNear(massProperties(placed(boxCorners(box.halfExtents), pose), 700),
               {own.mass, pose.position, r * own.inertia * r.transpose()}, 1e-12);
  }
}

TEST(MassProperties, CompoundOfTwoHalves_IsTheWhole) {
  const Compound halves{{{Box{{0.5, 1, 1.5}}, Pose{{-0.5, 0, 0}, Quat::Identity()}},
                         {Box{{0.5, 1, 1.5}}, Pose{{0.5, 0, 0}, Quat::Identity()}}}};
  expectNear(massProperties(halves, 3), massProperties(Box{{1, 1, 1.5}}, 3), kMassRound);
}

// A box cut along its diagonal into two prisms, one given as a turned copy of the other.
TEST(MassProperties, CompoundOfTurnedPrisms_IsTheBox) {
  const ConvexHull prism =
      makeHull({{-1, -1, -2}, {1, -1, -2}, {1, 1, -2}, {-1, -1, 2}, {1, -1, 2}, {1, 1, 2}});
  const Quat halfTurn(0, 0, 0, 1);
  const Compound box{{{prism, Pose{}}, {prism, Pose{Vec3::Zero(), halfTurn}}}};
  expectNear(massProperties(box, 5), massProperties(Box{{1, 1, 2}}, 5), kMassRound);
}

TEST(MassProperties, CompoundOfOneChild_FollowsTheParallelAxes) {
  Random random(12);
  const MassProperties own = massProperties(Cone{0.4, 1}, 100);
  for (int i = 0; i < 20; ++i) {
    const Pose pose = randomPose(random, 5);
    const Mat3 r = pose.rotation.toRotationMatrix();
    expectNear(massProperties(Compound{{{Cone{0.4, 1}, pose}}}, 100),
               {own.mass, pose * own.centerOfMass, r * own.inertia * r.transpose()}, kMassRound);
  }
}

// Two unit masses (spheres of density 1/V) 2 d apart along x: I_y grows by 2 d².
TEST(MassProperties, Dumbbell_AddsMassTimesDistanceSquared) {
  const Real density = 3 / (4 * kPi * 0.001);
  const Pose left{{-1, 0, 2}, Quat::Identity()};
  const Pose right{{1, 0, 2}, Quat::Identity()};
  const Compound dumbbell{{{Sphere{0.1}, left}, {Sphere{0.1}, right}}};
  expectNear(massProperties(dumbbell, density), {2, Vec3(0, 0, 2), diagonal(0.008, 2.008, 2.008)},
             kMassRound);
}

TEST(MassProperties, SurfacesAndBadDensities_AreRefused) {
  const auto refused = [](const Shape& shape, Real density, const char* text) {
    EXPECT_THAT([&] { massProperties(shape, density); },
                ThrowsMessage<InputError>(HasSubstr(text)));
  };
  refused(Plane{}, 1, "plane: encloses no volume");
  refused(Compound{{{Box{}, Pose{}}, {Plane{}, Pose{}}}}, 1,
          "children[1]: plane: encloses no volume");
  refused(Sphere{}, 0, "density must be finite and > 0");
  refused(Sphere{}, NAN, "got nan");
  refused(Sphere{-1}, 1, "sphere: radius");
}

TEST(PrincipalInertia, DiagonalInput_KeepsItsAxesAndBits) {
  for (const Vec3& moments : {Vec3(3, 1, 2), Vec3(1, 1, 1), Vec3(0.1, 0.3, 0.3)}) {
    const PrincipalInertia result = principalInertia(moments.asDiagonal());
    EXPECT_EQ(result.moments, moments);
    EXPECT_EQ(result.rotation.coeffs(), Quat::Identity().coeffs());
  }
}

// R diag(m) Rᵀ must come back, and the moments must be the eigenvalues, here up to order.
TEST(PrincipalInertia, TurnedInertia_IsRebuiltFromItsMoments) {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    Vec3 moments;
    for (Real& m : moments) m = std::pow(10, random.uniform(-2, 2));
    if (i % 4 == 0) moments[1] = moments[0];
    const Mat3 r = randomPose(random, 0).rotation.toRotationMatrix();
    const Mat3 inertia = r * moments.asDiagonal() * r.transpose();
    const PrincipalInertia result = principalInertia(inertia);
    const Mat3 axes = result.rotation.toRotationMatrix();
    EXPECT_NEAR(axes.determinant(), 1, kMassRound);
    EXPECT_NEAR(result.rotation.norm(), 1, 1e-15);
    EXPECT_LE((axes * result.moments.asDiagonal() * axes.transpose() - inertia).norm(),
              kMassRound * inertia.norm());
    Vec3 sorted = result.moments;
    std::ranges::sort(sorted);
    std::ranges::sort(moments);
    EXPECT_LE((sorted - moments).norm(), kMassRound * inertia.norm());
  }
}

// A turn of 1e-6 rad must not swap axes or flip signs: the body's frame would jump.
TEST(PrincipalInertia, NearlyDiagonalInput_TurnsLittle) {
  const Mat3 r = Eigen::AngleAxis<Real>(1e-6, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Mat3 inertia = r * Vec3(3, 1, 2).asDiagonal() * r.transpose();
  EXPECT_NEAR(principalInertia(inertia).rotation.angularDistance(Quat(r)), 0, 1e-13);
}

}  // namespace
}  // namespace drystone
