// Contacts of features that are nearly, but not quite, square to each other: the normal is that of
// the distance, never that of a face beside it.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "collision/shape/hull.h"
#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using test::kPi;

/// A regular prism about the x axis, 4 m long; the radius of its sides is 1 m. A side faces up.
Shape makePrism(int sides) {
  std::vector<Vec3> corners;
  const Real radius = 1 / std::cos(kPi / sides);
  for (int k = 0; k < sides; ++k) {
    const Real angle = (2 * k + 1) * kPi / sides;
    for (const Real x : {-2.0, 2.0}) {
      corners.emplace_back(x, radius * std::sin(angle), radius * std::cos(angle));
    }
  }
  return makeHull(corners);
}

TEST(LeaningManifold, RodOnASideOfAFineHull_HasThatSidesNormal) {
  const Quat lying = turnAbout(Vec3::UnitY(), kPi / 2);
  for (const int sides : {36, 90, 91, 180}) {
    const Shape prism = makePrism(sides);
    for (const Shape& rod : {Shape(Capsule{0.3, 0.5}), Shape(Cylinder{0.3, 0.5})}) {
      for (const Real gap : {-1e-3, 0.0, 1e-3}) {
        const auto contacts =
            contactsOf(prism, poseAt(Vec3::Zero()), rod, poseAt({0, 0, 1.3 + gap}, lying));
        ASSERT_EQ(contacts.size(), 2u) << sides << " sides, " << shapeName(rod);
        for (const ContactPoint& contact : contacts) {
          EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-12) << sides << " sides";
          EXPECT_NEAR(contact.gap, gap, 1e-12);
        }
      }
    }
  }
}

TEST(LeaningManifold, RodOnARidgeOfAFineHull_HasTheNormalOfTheRidge) {
  const int sides = 90;
  const Quat lying = turnAbout(Vec3::UnitY(), kPi / 2);
  const Quat ridgeUp = turnAbout(Vec3::UnitX(), kPi / sides);
  const Real top = 1 / std::cos(kPi / sides);
  for (const Real gap : {0.0, 1e-3}) {
    const auto contacts = contactsOf(makePrism(sides), poseAt(Vec3::Zero(), ridgeUp),
                                     Capsule{0.3, 0.5}, poseAt({0, 0, top + 0.3 + gap}, lying));
    ASSERT_EQ(contacts.size(), 2u);
    for (const ContactPoint& contact : contacts) {
      EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-9);
      EXPECT_NEAR(contact.gap, gap, 1e-12);
    }
  }
}

struct LeaningCase {
  Shape shape;
  Real radius, below;  ///< of its base, and how far that lies below the origin [m]
};

TEST(LeaningManifold, DiscOnAFloorOfAnyKind_HasTheFloorsNormalInBothOrders) {
  const std::vector<Shape> floors = {Box{Vec3(1, 1, 0.5)}, makeHull(boxCorners({1, 1, 0.5})),
                                     Cylinder{1.5, 0.5}};
  const std::vector<LeaningCase> cases = {{Cylinder{0.2, 0.3}, 0.2, 0.3},
                                          {Cone{0.2, 0.6}, 0.2, 0.3}};
  const Pose below = poseAt({0, 0, -0.5});
  for (const LeaningCase& leaning : cases) {
    for (const Real degrees : {0.1, 1.0, 3.0, 4.9}) {
      const Real tilt = degrees * kPi / 180;
      const Real reach = leaning.radius * std::sin(tilt) + leaning.below * std::cos(tilt);
      for (const Real gap : {-1e-3, 1e-4}) {
        const Pose pose = poseAt({0.1, 0.05, reach + gap}, turnAbout(Vec3::UnitX(), tilt));
        for (const Shape& floor : floors) {
          const auto check = [&](const std::vector<ContactPoint>& contacts, Real side) {
            ASSERT_FALSE(contacts.empty()) << shapeName(floor) << ", " << degrees << " degrees";
            for (const ContactPoint& contact : contacts) {
              EXPECT_LT((side * contact.normal - Vec3::UnitZ()).norm(), 1e-9)
                  << shapeName(leaning.shape) << " on " << shapeName(floor) << ", " << degrees
                  << " degrees";
            }
            EXPECT_NEAR(lowestGap(contacts), gap, 1e-12);
          };
          check(contactsOf(floor, below, leaning.shape, pose), 1);
          check(contactsOf(leaning.shape, pose, floor, below), -1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace drystone
