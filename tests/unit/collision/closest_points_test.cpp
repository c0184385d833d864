// Random pairs of every two kinds of bounded convex shapes, brought to known small gaps and
// overlaps, against the support functions: for a unit normal n from A to B the separation
// s(n) = n . (support of B along -n - support of A along n) never exceeds the gap, and never is
// deeper than minus the depth.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "collision/narrow/distance.h"
#include "collision/narrow/pairs.h"
#include "collision/shape/shape_operations.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

enum Kind { kSphere, kBox, kCapsule, kCylinder, kCone, kHull, kEllipsoid, kKinds };
constexpr const char* kNames[kKinds] = {"Sphere", "Box",  "Capsule",  "Cylinder",
                                        "Cone",   "Hull", "Ellipsoid"};

Shape randomShape(Kind kind, Random& random, Real scale) {
  const auto size = [&](Real low, Real high) { return scale * random.uniform(low, high); };
  const Real first = size(0.1, 1), second = size(0.1, 1), third = size(0.1, 1);
  switch (kind) {
    case kSphere:
      return Sphere{first};
    case kBox:
      return Box{{first, second, third}};
    case kCapsule:
      return Capsule{0.5 * first, second};
    case kCylinder:
      return Cylinder{first, second};
    case kCone:
      return Cone{first, 2 * second};
    case kEllipsoid:
      return Ellipsoid{{first, second, third}};
    default:
      break;
  }
  // A box's corners, each pulled in by up to a half: 8 points that always span a volume.
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    const Real in = random.uniform(0.5, 1);
    points.push_back(
        in * Vec3((i & 1) ? first : -first, (i & 2) ? second : -second, (i & 4) ? third : -third));
  }
  return makeHull(points);
}

Vec3 onRim(const Vec3& d, Real radius, Real z) {
  const Real length = std::hypot(d.x(), d.y());
  return length > 0 ? Vec3(radius * d.x() / length, radius * d.y() / length, z)
                    : Vec3(radius, 0, z);
}

/// Farthest extent along a direction in the shape's frame: the support function, written anew.
Real reach(const Shape& shape, const Vec3& d) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius * d.norm();
  if (const auto* box = std::get_if<Box>(&shape)) return d.cwiseAbs().dot(box->halfExtents);
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return capsule->halfLength * std::abs(d.z()) + capsule->radius * d.norm();
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    return cylinder->halfLength * std::abs(d.z()) + d.dot(onRim(d, cylinder->radius, 0));
  }
  if (const auto* cone = std::get_if<Cone>(&shape)) {
    return std::max(0.5 * cone->height * d.z(), d.dot(onRim(d, cone->radius, -0.5 * cone->height)));
  }
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
    return ellipsoid->halfAxes.cwiseProduct(d).norm();
  }
  Real most = -1e300;
  for (const Vec3& v : std::get<ConvexHull>(shape).data->vertices) most = std::max(most, d.dot(v));
  return most;
}

/// The shape as the narrow phase reads it; boxes and hulls need a polytope that outlives it.
PlacedShape placed(const Shape& shape, const Pose& pose, std::unique_ptr<Polytope>& polytope) {
  PlacedShape out;
  out.kind = kindOf(shape);
  out.position = pose.position;
  out.rotation = pose.rotation.toRotationMatrix();
  polytope = operationsOf(shape).place(shape, out);
  out.polytope = polytope.get();
  return out;
}

struct Pair {
  Shape a, b;
  Pose poseA, poseB;

  Real separation(const Vec3& n) const {
    return n.dot(poseB.position - poseA.position) -
           reach(b, poseB.rotation.conjugate() * Vec3(-n)) -
           reach(a, poseA.rotation.conjugate() * n);
  }
};

const ContactPoint& lowest(const std::vector<ContactPoint>& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const auto& p, const auto& q) { return p.gap < q.gap; });
}

/// The kinds (a <= b) and the size of the shapes relative to metres.
struct Case {
  Kind a, b;
  Real scale;
};

class ConvexPairs : public testing::TestWithParam<Case> {
 protected:
  static bool isPolytope(Kind kind) { return kind == kBox || kind == kHull; }

  /// Faces less than 1 degree apart are laid on each other for boxes and hulls, which may cost up
  /// to 1e-4 of the size; all else is exact to GJK's accuracy and rounding.
  Real tolerance() const {
    return (isPolytope(GetParam().a) && isPolytope(GetParam().b) ? 2e-4 : 1e-8) * GetParam().scale;
  }

  std::vector<ContactPoint> contacts(const Pair& pair, Real margin) const {
    return contactsOf(pair.a, pair.poseA, pair.b, pair.poseB, false, margin);
  }

  /// Two shapes apart by a gap (negative: overlapping) along `normal`; false where the far pair's
  /// own gap is not certified by the support functions.
  bool bringTo(Real gap, Random& random, Pair& pair, Vec3& normal) const {
    const Real scale = GetParam().scale;
    pair.a = randomShape(GetParam().a, random, scale);
    pair.b = randomShape(GetParam().b, random, scale);
    pair.poseA = poseAt(Vec3::Zero(), randomRotation(random));
    const Vec3 towards = randomRotation(random) * Vec3::UnitX();
    pair.poseB = poseAt(4 * scale * towards, randomRotation(random));
    const auto far = contacts(pair, 8 * scale);
    if (far.empty()) return false;
    normal = lowest(far).normal;
    const Real apart = pair.separation(normal);
    if (std::abs(apart - lowest(far).gap) > 1e-9 * scale) return false;
    pair.poseB.position -= (apart - gap) * normal;
    return true;
  }
};

TEST_P(ConvexPairs, KnownGapsAndOverlaps_AreFoundInBothOrders) {
  const Real scale = GetParam().scale;
  const std::array<Real, 10> gaps = {-0.03, -0.01, -3e-3, -1e-3, -1e-4,
                                     1e-4,  1e-3,  3e-3,  0.01,  0.03};
  Random random(5);
  int tested = 0;
  const int count = scale == 1 ? 2000 : 100;
  for (int trial = 0; trial < count; ++trial) {
    const Real gap = scale * gaps[static_cast<std::size_t>(trial) % gaps.size()];
    Pair pair;
    Vec3 normal;
    if (!bringTo(gap, random, pair, normal)) continue;
    ++tested;
    const Pair turned{pair.b, pair.a, pair.poseB, pair.poseA};
    const auto direct = contacts(pair, 0.05 * scale), reverse = contacts(turned, 0.05 * scale);
    ASSERT_FALSE(direct.empty()) << "trial " << trial << " gap " << gap;
    ASSERT_FALSE(reverse.empty()) << "trial " << trial << " gap " << gap;
    for (const ContactPoint& found : {lowest(direct), lowest(reverse)}) {
      if (gap > 0) {
        // A gap along a certified normal is the distance.
        ASSERT_NEAR(found.gap, gap, tolerance()) << "trial " << trial;
      } else {
        // The least depth is at most that along the normal; 1 % and 1e-6 are the search's.
        ASSERT_GE(found.gap, 1.01 * gap - 1e-6 * scale - tolerance()) << "trial " << trial;
      }
    }
    // Exchanging the shapes turns the normal. Boxes and hulls choose among axes that are equal to
    // their tolerance, by order; the clipped faces then differ by more.
    if (!isPolytope(GetParam().a) || !isPolytope(GetParam().b)) {
      ASSERT_NEAR(lowest(direct).gap, lowest(reverse).gap, tolerance()) << "trial " << trial;
    }
  }
  EXPECT_GE(tested, count * 9 / 10);
}

TEST_P(ConvexPairs, ClosestPoints_HoldTheirOwnCertificate) {
  const Real scale = GetParam().scale;
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    // Centres up to 1.5 apart: from deep overlap to a clear gap.
    Pair pair{randomShape(GetParam().a, random, scale), randomShape(GetParam().b, random, scale),
              poseAt(Vec3::Zero(), randomRotation(random)), Pose()};
    const Vec3 towards = randomRotation(random) * Vec3::UnitX();
    pair.poseB = poseAt(random.uniform(0, 1.5) * scale * towards, randomRotation(random));
    std::unique_ptr<Polytope> polytopeA, polytopeB;
    const auto a = placed(pair.a, pair.poseA, polytopeA);
    const auto b = placed(pair.b, pair.poseB, polytopeB);
    const auto found = narrow::closestPoints(a, b, kUnbounded);
    // The gap is the separation along the normal: rounding only.
    ASSERT_NEAR(found.gap, pair.separation(found.normal), 1e-12 * scale) << "trial " << trial;
    // No other direction separates them by more: 1 % of the depth and 1e-6 are the search's; more
    // than 64 points of a deep overlap of round shapes may leave another 1 % to the refinement.
    const Real most = found.gap + 0.02 * std::max(Real(0), -found.gap) + 1e-6 * scale;
    for (int i = 0; i < 50; ++i) {
      const Vec3 n = randomRotation(random) * Vec3::UnitX();
      ASSERT_LE(pair.separation(n), most) << "trial " << trial;
      ASSERT_LE(pair.separation((found.normal + 0.05 * n).normalized()), most) << trial;
    }
    // The points lie across the gap along the normal, to the 1e-5 rad that GJK leaves open.
    if (found.gap > 0) {
      ASSERT_NEAR((found.onB - found.onA - found.gap * found.normal).norm(), 0, 1e-4 * scale);
    }
    const auto turned = narrow::closestPoints(b, a, kUnbounded);
    ASSERT_EQ(turned.gap, found.gap) << "trial " << trial;
    ASSERT_EQ(turned.normal, Vec3(-found.normal)) << "trial " << trial;
    ASSERT_EQ(turned.onA, found.onB) << "trial " << trial;
  }
}

std::vector<Case> everyPair() {
  std::vector<Case> cases;
  for (int a = 0; a < kKinds; ++a) {
    for (int b = a; b < kKinds; ++b) {
      for (const Real scale : {1.0, 0.01, 100.0}) {
        cases.push_back({static_cast<Kind>(a), static_cast<Kind>(b), scale});
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Kinds, ConvexPairs, testing::ValuesIn(everyPair()), [](const auto& each) {
  const Case& tested = each.param;
  return std::string(kNames[tested.a]) + kNames[tested.b] +
         (tested.scale == 1  ? "Metres"
          : tested.scale < 1 ? "Centimetres"
                             : "Hectometres");
});

}  // namespace
}  // namespace drystone
