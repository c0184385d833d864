// What judges the contacts of running steps finds what is wrong with a contact, and nothing wrong
// with those that the collision world has.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "collision/analytic/contact_deviation.h"
#include "core/random.h"
#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone::certify {
namespace {

/// Two shapes that touch, and their contacts.
struct Touching {
  const char* name;
  Shape a;
  Pose poseA;
  Shape b;
  Pose poseB;

  std::vector<ContactPoint> contacts() const { return contactsOf(a, poseA, b, poseB); }
  std::vector<ContactDeviation> judge(const std::vector<ContactPoint>& contacts) const {
    return contactDeviations(a, poseA, b, poseB, contacts);
  }
};

Shape flatMesh() {
  MeshData mesh;
  mesh.vertices = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return TriangleMesh{std::make_shared<const MeshData>(std::move(mesh))};
}

Shape flatField() {
  HeightfieldData data;
  data.columns = data.rows = 6;
  data.spacingX = data.spacingY = 2;
  data.heights.assign(36, 0);
  return Heightfield{std::make_shared<const HeightfieldData>(std::move(data))};
}

Shape dumbbell() {
  return Compound{{{Sphere{0.5}, poseAt({-1, 0, 0})}, {Sphere{0.5}, poseAt({1, 0, 0})}}};
}

/// Gaps of a nanometre, a millimetre and minus a micrometre.
std::vector<Touching> touchingPairs() {
  std::vector<Touching> all;
  for (const Real gap : {1e-9, 1e-3, -1e-6}) {
    const Pose ball = poseAt({0.3, 0.1, 0.5 + gap}), under = poseAt({0, 0, 0});
    const Pose above = poseAt({0.3, 0.1, 1 + gap}, turnAbout(Vec3::UnitZ(), 0.3));
    const Pose lying = poseAt({0.3, 0.1, 0.25 + gap}, turnAbout(Vec3::UnitY(), 0.5 * test::kPi));
    const Shape hull = makeHull(boxCorners(Vec3::Constant(0.5)));
    all.push_back({"sphere on plane", Plane{}, under, Sphere{0.5}, ball});
    all.push_back(
        {"sphere on sphere", Sphere{0.5}, under, Sphere{0.5}, poseAt({0.6, 0, 0.8 + gap})});
    all.push_back({"box on box", Box{}, under, Box{}, above});
    all.push_back({"hull on box", Box{}, under, hull, above});
    all.push_back({"cylinder on hull", hull, under, Cylinder{}, above});
    all.push_back({"capsule on plane", Plane{}, under, Capsule{}, lying});
    all.push_back({"sphere on mesh", flatMesh(), under, Sphere{0.5}, ball});
    all.push_back({"box on mesh", flatMesh(), under, Box{}, ball});
    all.push_back({"box on height field", flatField(), under, Box{}, ball});
    all.push_back({"compound on plane", Plane{}, under, dumbbell(), ball});
  }
  return all;
}

TEST(ContactDeviation, ContactsOfTheCollisionWorld_AreRight) {
  for (const Touching& pair : touchingPairs()) {
    SCOPED_TRACE(pair.name);
    const std::vector<ContactPoint> contacts = pair.contacts();
    ASSERT_FALSE(contacts.empty());
    for (const ContactDeviation& one : pair.judge(contacts)) {
      EXPECT_TRUE(one.isKnown);
      EXPECT_FALSE(isBeyond(one)) << one.gap << " m, " << one.normal << " rad, " << one.place
                                  << " m";
      EXPECT_LE(one.gap, 1e-9);
    }
  }
}

TEST(ContactDeviation, ContactShiftedByAMillimetre_IsOffByThat) {
  for (const Touching& pair : touchingPairs()) {
    SCOPED_TRACE(pair.name);
    std::vector<ContactPoint> contacts = pair.contacts();
    for (ContactPoint& contact : contacts) contact.position += 1e-3 * contact.normal;
    for (const ContactDeviation& one : pair.judge(contacts)) {
      EXPECT_TRUE(one.isKnown && isBeyond(one));
      EXPECT_NEAR(one.place, 1e-3, 1e-8);
    }
  }
}

TEST(ContactDeviation, GapWrongByAMillimetre_IsOffByThat) {
  for (const Touching& pair : touchingPairs()) {
    for (const Real wrong : {-1e-3, 1e-3}) {
      SCOPED_TRACE(pair.name);
      std::vector<ContactPoint> contacts = pair.contacts();
      for (ContactPoint& contact : contacts) contact.gap += wrong;
      Real most = 0;
      for (const ContactDeviation& one : pair.judge(contacts)) {
        EXPECT_TRUE(one.isKnown && isBeyond(one));
        most = std::max(most, one.gap);
      }
      EXPECT_NEAR(most, 1e-3, 1e-8);
    }
  }
}

// Overlaps of a surface by a direction that no triangle there has are not known, which is not good.
TEST(ContactDeviation, NormalTurnedByADegree_IsOffByThat) {
  constexpr Real kDegree = test::kPi / 180;
  for (const Touching& pair : touchingPairs()) {
    SCOPED_TRACE(pair.name);
    std::vector<ContactPoint> contacts = pair.contacts();
    Real most = 0;
    for (ContactPoint& contact : contacts) {
      contact.normal = turnAbout(contact.normal.unitOrthogonal(), kDegree) * contact.normal;
    }
    int good = 0;
    for (const ContactDeviation& one : pair.judge(contacts)) {
      good += one.isKnown && !isBeyond(one) && one.normal > 0 ? 1 : 0;
      most = std::max(most, one.normal);
    }
    EXPECT_EQ(good, 0);
    EXPECT_NEAR(most, kDegree, 1e-5);
  }
}

TEST(ContactDeviation, WrongWayOutOfAnOverlap_IsFound) {
  const Touching pair = {"box in box", Box{}, poseAt({0, 0, 0}), Box{}, poseAt({0.1, 0.2, 0.99})};
  ContactPoint wrong = pair.contacts().front();
  wrong.normal = Vec3::UnitX();
  wrong.gap = -0.9;  // as far as it overlaps that way
  wrong.position = {0.05, 0, 0.45};
  const ContactDeviation found = pair.judge({wrong}).front();
  EXPECT_NEAR(found.gap, 0.89, 1e-6);
  EXPECT_NEAR(found.normal, test::kPi / 2, 1e-6);
}

// A sphere a millimetre deep, as if it lay below the ground by all but that.
TEST(ContactDeviation, NormalThatLeadsIntoAHeightfield_IsFound) {
  const Touching pair = {"sphere in field", flatField(), poseAt({0, 0, 0}), Sphere{0.5},
                         poseAt({0.3, 0.1, 0.499})};
  const ContactPoint right = pair.contacts().front();
  EXPECT_LT(pair.judge({right}).front().normal, 1e-9);
  ContactPoint wrong = right;
  wrong.normal = -right.normal;
  wrong.gap = -(1 - 0.001);
  wrong.position = {0.3, 0.1, 0.4995};
  const ContactDeviation found = pair.judge({wrong}).front();
  ASSERT_TRUE(found.isKnown);
  EXPECT_NEAR(found.normal, test::kPi, 1e-9);
  EXPECT_TRUE(isBeyond(found));
}

// A mesh has two sides, and one triangle does not tell which is out.
TEST(ContactDeviation, LongWayOutOfAMesh_IsNotKnown) {
  const Touching pair = {"sphere in mesh", flatMesh(), poseAt({0, 0, 0}), Sphere{0.5},
                         poseAt({0.3, 0.1, 0.499})};
  ContactPoint wrong = pair.contacts().front();
  EXPECT_TRUE(pair.judge({wrong}).front().isKnown);
  wrong.normal = -wrong.normal;
  wrong.gap = -(1 - 0.001);
  wrong.position = {0.3, 0.1, 0.4995};
  EXPECT_FALSE(pair.judge({wrong}).front().isKnown);
}

TEST(ContactDeviation, TwoMeshes_AreNotKnown) {
  const Touching pair = {"meshes", flatMesh(), poseAt({0, 0, 0}), flatMesh(), poseAt({0, 0, 0})};
  const ContactDeviation found = pair.judge({ContactPoint{}}).front();
  EXPECT_FALSE(found.isKnown);
  EXPECT_FALSE(isBeyond(found));
}

}  // namespace
}  // namespace drystone::certify
