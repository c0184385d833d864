// Contacts answer alike where the geometry says that they must: in either order, for a box and its
// hull, for a prism that approaches a cylinder, and for a pose that moves by a nanometre.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "collision/analytic/certificate.h"
#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"
#include "tests/unit/collision/contact_cases.h"

namespace drystone::certify {
namespace {

constexpr int kComparedPoses = 500;  ///< of each pair; a study may raise it
/// GJK stops where its bounds agree to 1e-10 of the distance: a normal may be off by the root of
/// twice that, 1.4e-5 rad, and two of them by twice that. So a nanometre may turn it by more than
/// 1e-6 rad (5.5e-6 rad for a box 0.5 m from a cylinder), though the gap does not notice.
constexpr Real kSearchedNormal = 3e-5;
/// Relative to the size. Boxes and hulls choose between axes that are equal to rounding by order.
constexpr Real kSame = 1e-12, kEqualAxes = 1e-8;

std::vector<Kind> otherKinds() {
  std::vector<Kind> kinds(std::begin(kBoundedKinds), std::end(kBoundedKinds));
  kinds.push_back(Kind::kPlane);
  return kinds;
}

/// Calls `check(a, b, case, contacts)` for the poses of every pair that have contacts.
template <class Check>
void forEveryPair(const Check& check) {
  for (const Kind a : kBoundedKinds) {
    for (const Kind b : otherKinds()) {
      for (int i = 0; i < kComparedPoses && (a <= b || b == Kind::kPlane); ++i) {
        const ContactCase made = makeCase(a, b, i);
        const std::vector<ContactPoint> contacts = contactsOf(made);
        if (contacts.empty()) continue;
        SCOPED_TRACE(describe(a, b, i, made));
        check(made, contacts);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(ContactConsistency, BodiesInTheOtherOrder_HaveTheSameGapAndTheNormalTurned) {
  forEveryPair([](const ContactCase& made, const std::vector<ContactPoint>& contacts) {
    const std::vector<ContactPoint> turned = contactsOf(made.turned());
    ASSERT_FALSE(turned.empty());
    const Real size = sizeOf(made.a, made.b);
    const Real same = (areBothPolyhedra(made) ? kEqualAxes : kSame) * size;
    const ContactPoint &one = deepestOf(contacts), &other = deepestOf(turned);
    ASSERT_NEAR(one.gap, other.gap, same);
    if (areBothPolyhedra(made)) return;
    ASSERT_LE((one.normal + other.normal).norm(), kSame);
  });
}

TEST(ContactConsistency, BoxAndTheHullOfItsCorners_HaveTheSameGap) {
  for (const Kind kind : otherKinds()) {
    for (int i = 0; i < kComparedPoses; ++i) {
      const ContactCase box = makeCase(Kind::kBox, kind, i);
      ContactCase hull = box;
      hull.a.shape = makeHull(boxCorners(std::get<Box>(box.a.shape).halfExtents));
      const auto ofBox = contactsOf(box), ofHull = contactsOf(hull);
      SCOPED_TRACE(describe(Kind::kBox, kind, i, box));
      ASSERT_EQ(ofBox.empty(), ofHull.empty());
      if (ofBox.empty()) continue;
      // A face laid on another by less than 1 degree may be one or the other shape's.
      const Real laid = areBothPolyhedra(box) ? 1e-4 * thinnestOf(box.a, box.b) : 0;
      // An overlap is searched to 1 % and 1e-6 of the thickness, each time from another start.
      const Real depth = -lowestGap(ofBox);
      const Real searched = depth > 0 ? 0.01 * depth + 1e-6 * thinnestOf(box.a, box.b) : 0;
      ASSERT_NEAR(lowestGap(ofBox), lowestGap(ofHull),
                  1e-9 * sizeOf(box.a, box.b) + laid + searched);
    }
  }
}

TEST(ContactConsistency, CompoundOfOneChild_HasTheContactsOfTheChild) {
  const Pose place = poseAt({0.3, -0.2, 0.5}, turnAbout({1, 2, 3}, 0.7));
  const Quat back = place.rotation.conjugate();
  forEveryPair([&](const ContactCase& made, const std::vector<ContactPoint>& contacts) {
    // The compound stands so that its child stands where the shape stood.
    const Quat turn = made.a.pose.rotation * back;
    const Pose pose = poseAt(made.a.pose.position - turn * place.position, turn);
    const Shape compound = Compound{{{made.a.shape, place}}};
    const std::vector<ContactPoint> ofChild =
        drystone::contactsOf(compound, pose, made.b.shape, made.b.pose, false, made.margin);
    const Real size = sizeOf(made.a, made.b);
    // The search for a deep overlap ends elsewhere when the pose moves by rounding.
    const Real depth = std::max(Real(0), -lowestGap(contacts));
    const Real searched = areBothPolyhedra(made) ? 0 : 0.01 * depth;
    ASSERT_FALSE(ofChild.empty());
    ASSERT_NEAR(lowestGap(ofChild), lowestGap(contacts), kEqualAxes * size + searched);
  });
}

TEST(ContactConsistency, PrismOfMoreSides_ApproachesTheCylinderWithTheSquare) {
  for (const Kind kind : otherKinds()) {
    for (int i = 0; i < kComparedPoses / 5; ++i) {
      ContactCase round = makeCase(Kind::kCylinder, kind, i);
      round.margin = 100;
      const Cylinder& cylinder = std::get<Cylinder>(round.a.shape);
      const Real exact = lowestGap(contactsOf(round));
      for (const int sides : {8, 16, 32, 64}) {
        ContactCase prism = round;
        prism.a.shape = makeInscribedPrism(cylinder, sides);
        const Real gap = lowestGap(contactsOf(prism));
        SCOPED_TRACE(describe(Kind::kCylinder, kind, i, round) + ", " + std::to_string(sides));
        // No point of the cylinder is farther from the prism than this; so much do gaps differ.
        const Real away = cylinder.radius * (1 - std::cos(test::kPi / sides));
        const Real least =
            0.01 * std::max({Real(0), -exact, -gap}) + 1e-6 * thinnestOf(round.a, round.b);
        const Real laid = isPolyhedron(prism.b)
                              ? 1.3e-4 * thinnestOf(prism.a, prism.b) + 3.1e-4 * std::abs(gap)
                              : 0;
        const Real rounding = std::min(least, sizeOf(round.a, round.b)) + laid;
        ASSERT_GE(gap, exact - rounding);
        ASSERT_LE(gap, exact + away + rounding);
      }
    }
  }
}

TEST(ContactConsistency, NanometreOfMotion_MovesTheGapByNoMoreThanTwo) {
  constexpr Real kStep = 1e-9;
  Random random(3);
  forEveryPair([&](const ContactCase& made, const std::vector<ContactPoint>& contacts) {
    // Overlaps are searched to 1 %, and faces of boxes and hulls laid on each other: not here.
    const Real size = sizeOf(made.a, made.b), gap = lowestGap(contacts);
    if (gap <= 1e-3 * size || gap > made.margin - 2 * kStep || areBothPolyhedra(made)) return;
    ContactCase moved = made;
    const Vec3 direction(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    moved.b.pose.position += kStep * direction.normalized();
    const std::vector<ContactPoint> after = contactsOf(moved);
    ASSERT_FALSE(after.empty());
    // The end of an edge counts as on a face up to 1e-6 of the thickness beyond it.
    const Real beyondEdge = 1e-6 * 0.0872 * std::min(size, thinnestOf(made.a, made.b));
    ASSERT_NEAR(lowestGap(after), gap, 2 * kStep + beyondEdge);
    ASSERT_LE((deepestOf(after).normal - deepestOf(contacts).normal).norm(), kSearchedNormal);
  });
}

}  // namespace
}  // namespace drystone::certify
