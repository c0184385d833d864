// The closed-form contacts themselves, on cases done by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collision/analytic/analytic_contacts.h"

namespace drystone {
namespace {

constexpr Real kClosedFormRound = 4e-15;  // numbers of up to ten: a few roundings

Pose at(Real x, Real y, Real z) { return {{x, y, z}, Quat::Identity()}; }

void expectContact(const ContactPoint& contact, const Vec3& position, const Vec3& normal,
                   Real gap) {
  EXPECT_LE((contact.position - position).norm(), kClosedFormRound) << contact.position.transpose();
  EXPECT_LE((contact.normal - normal).norm(), kClosedFormRound) << contact.normal.transpose();
  EXPECT_NEAR(contact.gap, gap, kClosedFormRound);
  EXPECT_EQ(contact.colliderA, 0);
  EXPECT_EQ(contact.colliderB, 1);
}

// Centres 5 apart (3-4-5), radii 2 and 2.5: gap 0.5, midway at 2.25 from the first centre.
TEST(AnalyticContacts, Spheres_AreApartByDistanceMinusRadii) {
  const auto contacts = analyticContacts(Sphere{2}, at(0, 0, 0), Sphere{2.5}, at(3, 0, 4), 0.6);
  ASSERT_EQ(contacts.size(), 1u);
  expectContact(contacts[0], {1.35, 0, 1.8}, {0.6, 0, 0.8}, 0.5);
  EXPECT_TRUE(analyticContacts(Sphere{2}, at(0, 0, 0), Sphere{2.5}, at(3, 0, 4), 0.4).empty());
}

TEST(AnalyticContacts, ConcentricSpheres_AreSeparatedUpwards) {
  const auto contacts = analyticContacts(Sphere{1}, at(0, 0, 0), Sphere{2}, at(0, 0, 0), 0);
  ASSERT_EQ(contacts.size(), 1u);
  expectContact(contacts[0], {0, 0, -0.5}, {0, 0, 1}, -3);
}

// Plane turned by 90° about y: its normal is +x, its surface at x = 1. Sphere surface at x = 0.9.
TEST(AnalyticContacts, SphereOnPlane_TouchesAlongThePlanesNormal) {
  const Real c = std::sqrt(0.5);
  const Pose wall{{1, 0, 0}, Quat(c, 0, c, 0)};
  const auto contacts = analyticContacts(Sphere{0.5}, at(1.4, 7, 8), Plane{}, wall, 0);
  ASSERT_EQ(contacts.size(), 1u);
  expectContact(contacts[0], {0.95, 7, 8}, {-1, 0, 0}, -0.1);
}

// Box half 1: the centre at (2, 2, 0) is nearest to the edge (1, 1, 0), √2 away.
TEST(AnalyticContacts, SphereAtABoxEdge_IsPushedAwayFromTheEdge) {
  const Real c = std::sqrt(0.5);
  const auto contacts = analyticContacts(Box{{1, 1, 1}}, at(0, 0, 0), Sphere{1}, at(2, 2, 0), 1);
  ASSERT_EQ(contacts.size(), 1u);
  const Real gap = std::numbers::sqrt2 - 1;
  expectContact(contacts[0], Vec3(1, 1, 0) + gap / 2 * Vec3(c, c, 0), {c, c, 0}, gap);
}

// The centre is 0.25 below the face x = -1: depth 0.25 + 0.5, surfaces at x = -1 and x = -0.25.
TEST(AnalyticContacts, SphereCentredInABox_LeavesThroughTheNearestFace) {
  const auto contacts =
      analyticContacts(Box{{1, 1, 1}}, at(0, 0, 0), Sphere{0.5}, at(-0.75, 0.5, 0.25), 0);
  ASSERT_EQ(contacts.size(), 1u);
  expectContact(contacts[0], {-0.625, 0.5, 0.25}, {-1, 0, 0}, -0.75);
}

TEST(AnalyticContacts, BoxOnPlane_TouchesWithItsFourLowerCorners) {
  const auto contacts =
      analyticContacts(Plane{}, at(0, 0, 0), Box{{1, 2, 0.5}}, at(0, 0, 0.4375), 0);
  ASSERT_EQ(contacts.size(), 4u);
  int i = 0;
  for (Real y : {-2, 2}) {
    for (Real x : {-1, 1}) expectContact(contacts[i++], {x, y, -0.03125}, {0, 0, 1}, -0.0625);
  }
}

TEST(AnalyticContacts, SwappedShapes_TurnTheNormalOnly) {
  const auto direct = analyticContacts(Box{}, at(0, 0, 0), Sphere{}, at(0.4, 0.3, 0.9), 0.1);
  const auto swapped = analyticContacts(Sphere{}, at(0.4, 0.3, 0.9), Box{}, at(0, 0, 0), 0.1);
  ASSERT_EQ(direct.size(), 1u);
  ASSERT_EQ(swapped.size(), 1u);
  expectContact(swapped[0], direct[0].position, -direct[0].normal, direct[0].gap);
}

}  // namespace
}  // namespace drystone
