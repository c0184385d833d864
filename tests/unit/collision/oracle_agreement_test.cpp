// The collision world against the closed forms, pair by pair, over random poses: the same points,
// normals and gaps.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "collision/analytic/analytic_contacts.h"
#include "collision/collision_world.h"
#include "core/random.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

// Positions of a few metres carry some 1e-15 m of rounding; both sides do tens of operations.
constexpr Real kOracleRound = 1e-12;
constexpr Real kMargin = 0.05;

struct PairCase {
  std::string name;
  Shape (*makeA)(Random&);
  Shape (*makeB)(Random&);
};

Shape randomSphere(Random& random) { return Sphere{random.uniform(0.1, 1)}; }

Shape randomBox(Random& random) {
  const Real x = random.uniform(0.1, 1);
  const Real y = random.uniform(0.1, 1);
  return Box{{x, y, random.uniform(0.1, 1)}};
}

Shape plane(Random&) { return Plane{}; }

std::vector<ContactPoint> worldContacts(const Shape& a, const Pose& poseA, const Shape& b,
                                        const Pose& poseB) {
  CollisionSettings settings;
  settings.margin = kMargin;
  settings.reduceManifolds = false;
  CollisionWorld world(settings);
  world.add(a, poseA, {}, isStaticOnly(a));
  world.add(b, poseB, {}, isStaticOnly(b));
  std::vector<ContactPoint> contacts;
  world.detect(contacts);
  return contacts;
}

const ContactPoint* nearest(const std::vector<ContactPoint>& contacts, const Vec3& position) {
  const ContactPoint* best = nullptr;
  for (const ContactPoint& contact : contacts) {
    if (best == nullptr ||
        (contact.position - position).norm() < (best->position - position).norm()) {
      best = &contact;
    }
  }
  return best;
}

class OracleAgreement : public testing::TestWithParam<PairCase> {};

TEST_P(OracleAgreement, RandomPoses_GiveTheClosedFormsContacts) {
  Random random(21);
  int touching = 0;
  for (int i = 0; i < 3000; ++i) {
    const Shape a = GetParam().makeA(random);
    const Shape b = GetParam().makeB(random);
    const Pose poseA = randomPose(random, 1);
    const Pose poseB = randomPose(random, 1);
    const auto expected = analyticContacts(a, poseA, b, poseB, kMargin);
    const auto actual = worldContacts(a, poseA, b, poseB);
    ASSERT_EQ(actual.size(), expected.size()) << "pose " << i;
    for (const ContactPoint& contact : expected) {
      const ContactPoint& found = *nearest(actual, contact.position);
      ASSERT_LE((found.position - contact.position).norm(), kOracleRound) << "pose " << i;
      ASSERT_LE((found.normal - contact.normal).norm(), kOracleRound) << "pose " << i;
      ASSERT_NEAR(found.gap, contact.gap, kOracleRound) << "pose " << i;
      ++touching;
    }
  }
  EXPECT_GT(touching, 1000);
}

INSTANTIATE_TEST_SUITE_P(Pairs, OracleAgreement,
                         testing::Values(PairCase{"SphereSphere", randomSphere, randomSphere},
                                         PairCase{"SpherePlane", randomSphere, plane},
                                         PairCase{"PlaneSphere", plane, randomSphere},
                                         PairCase{"SphereBox", randomSphere, randomBox},
                                         PairCase{"BoxSphere", randomBox, randomSphere},
                                         PairCase{"BoxPlane", randomBox, plane},
                                         PairCase{"PlaneBox", plane, randomBox}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace drystone
