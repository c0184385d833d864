#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using test::kPi;

Pose at(const Vec3& position, const Quat& rotation = Quat::Identity()) {
  return poseAt(position, rotation);
}

Quat about(const Vec3& axis, Real angle) { return turnAbout(axis, angle); }

/// Area of the convex polygon that the points span in the x-y plane.
Real areaOf(std::vector<ContactPoint> contacts) {
  Vec3 center = Vec3::Zero();
  for (const ContactPoint& c : contacts) center += c.position / static_cast<Real>(contacts.size());
  const auto angle = [&](const ContactPoint& c) {
    return std::atan2(c.position.y() - center.y(), c.position.x() - center.x());
  };
  std::sort(contacts.begin(), contacts.end(),
            [&](const ContactPoint& p, const ContactPoint& q) { return angle(p) < angle(q); });
  Real area = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3& p = contacts[i].position;
    const Vec3& q = contacts[(i + 1) % contacts.size()].position;
    area += 0.5 * (p.x() * q.y() - p.y() * q.x());
  }
  return area;
}

const Box kUnitBox{Vec3::Constant(0.5)};

TEST(BoxManifold, RestingBox_TouchesAtFourCornersWithZeroGap) {
  const auto contacts = contactsOf(Box{Vec3(50, 50, 1)}, at({0, 0, -1}), kUnitBox, at({3, 4, 0.5}));
  ASSERT_EQ(contacts.size(), 4u);
  for (const ContactPoint& contact : contacts) {
    EXPECT_EQ(contact.colliderA, 0);
    EXPECT_EQ(contact.colliderB, 1);
    EXPECT_EQ(contact.normal, Vec3::UnitZ());
    EXPECT_EQ(contact.gap, 0);  // all numbers of this scene are exact in binary
    EXPECT_EQ(std::abs(contact.position.x() - 3), 0.5);
    EXPECT_EQ(std::abs(contact.position.y() - 4), 0.5);
  }
}

TEST(BoxManifold, EqualStackedBoxes_KeepTheirFourCornersUnderNoise) {
  // The faces coincide, so a vertex lies inside or outside the other face by rounding alone.
  CollisionWorld world({});
  world.add(kUnitBox, at({0, 0, 0.5}), {}, false);
  world.add(kUnitBox, at({0, 0, 1.5}), {}, false);
  Random random(7);
  std::vector<ContactPoint> first, contacts;
  world.detect(first);
  ASSERT_EQ(first.size(), 4u);
  for (int step = 0; step < 200; ++step) {
    const auto noise = [&] { return random.uniform(-1e-9, 1e-9); };
    world.setPose(
        1, at({noise(), noise(), 1.5 + noise()}, Quat(1, noise(), noise(), noise()).normalized()));
    world.detect(contacts);
    ASSERT_EQ(contacts.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(contacts[i].feature, first[i].feature);
      EXPECT_NEAR(contacts[i].gap, 0, 1e-8);
      EXPECT_LT((contacts[i].normal - first[i].normal).norm(), 1e-8);
    }
  }
}

TEST(BoxManifold, BoxTurnedByAnEighth_TouchesInAnOctagonOfTheRightArea) {
  // Two unit squares turned by 45° share a regular octagon with inradius 1/2: area 8 r² tan(π/8).
  const auto contacts = contactsOf(kUnitBox, at({0, 0, 0}), kUnitBox,
                                   at({0, 0, 1}, about(Vec3::UnitZ(), kPi / 4)), false);
  ASSERT_EQ(contacts.size(), 8u);
  EXPECT_NEAR(areaOf(contacts), 2 * std::tan(kPi / 8), 1e-12);
  const auto reduced = contactsOf(kUnitBox, at({0, 0, 0}), kUnitBox,
                                  at({0, 0, 1}, about(Vec3::UnitZ(), kPi / 4)), true);
  ASSERT_EQ(reduced.size(), 4u);
  // With circumradius R the octagon has the area 2√2 R², the square in it 2 R².
  EXPECT_NEAR(areaOf(reduced) / areaOf(contacts), 1 / std::numbers::sqrt2, 1e-9);
}

TEST(BoxManifold, FaceOverlap_IsTheDistancePushedIn) {
  const auto contacts = contactsOf(kUnitBox, at({0, 0, 0}), kUnitBox, at({0.2, 0.1, 0.97}));
  ASSERT_EQ(contacts.size(), 4u);
  for (const ContactPoint& contact : contacts) {
    EXPECT_NEAR(contact.gap, -0.03, 1e-15);
    EXPECT_NEAR(contact.position.z(), 0.485, 1e-15);  // midway between 0.5 and 0.47
  }
}

TEST(BoxManifold, VertexOnFace_HasTheVertexDepth) {
  // A cube standing on a vertex reaches √3/2 below its centre.
  const Quat onVertex = rotationBetween(Vec3(1, 1, 1), Vec3(0, 0, -1));
  const Real depth = 0.004;
  const auto contacts = contactsOf(Box{Vec3(5, 5, 1)}, at({0, 0, -1}), kUnitBox,
                                   at({0, 0, std::sqrt(3.0) / 2 - depth}, onVertex));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, -depth, 1e-15);
  EXPECT_LT((contacts[0].position - Vec3(0, 0, -depth / 2)).norm(), 1e-15);
}

TEST(BoxManifold, CrossedEdges_TouchAtOnePointWithTheirOwnNormal) {
  // A's upper edge runs along y, B's lower one along x: the edges' common normal is z.
  const Real half = std::sqrt(0.5), gap = 0.003;
  const auto contacts = contactsOf(kUnitBox, at({0, 0, 0}, about(Vec3::UnitY(), kPi / 4)), kUnitBox,
                                   at({0.1, 0.2, 2 * half + gap}, about(Vec3::UnitX(), kPi / 4)));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, gap, 1e-15);
  EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((contacts[0].position - Vec3(0, 0.2, half + gap / 2)).norm(), 1e-15);
}

TEST(BoxManifold, SlidingBox_KeepsItsFeatures) {
  CollisionWorld world({});
  world.add(Box{Vec3(1, 1, 0.5)}, at({0, 0, -0.5}), {}, true);
  world.add(kUnitBox, at({0, 0, 0.5}), {}, false);
  std::vector<ContactPoint> first, contacts;
  world.detect(first);
  ASSERT_EQ(first.size(), 4u);
  for (int step = 1; step <= 40; ++step) {
    world.setPose(1, at({0.01 * step, 0, 0.5}));
    world.detect(contacts);
    ASSERT_EQ(contacts.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(contacts[i].feature, first[i].feature);
  }
}

TEST(BoxManifold, CardHouseApex_IsAStableLineOfTwoPoints) {
  // Two cards that lean against each other by 25°, as in the card house: their upper edges meet.
  const Real lean = 25 * kPi / 180, thickness = 0.02;
  const Real cz = 0.5 * std::cos(lean) + thickness / 2 * std::sin(lean);
  const Real cx = 0.5 * std::sin(lean) + thickness / 2 * std::cos(lean);
  const Box card{Vec3(thickness / 2, 0.35, 0.5)};
  CollisionWorld world({});
  world.add(card, at({-cx, 0, cz}, about(Vec3::UnitY(), lean)), {}, false);
  world.add(card, at({cx, 0, cz}, about(Vec3::UnitY(), -lean)), {}, false);
  std::vector<ContactPoint> first, contacts;
  world.detect(first);
  ASSERT_EQ(first.size(), 2u);
  for (const ContactPoint& contact : first) {
    EXPECT_NEAR(contact.gap, 0, 1e-15);
    EXPECT_LT((contact.normal - Vec3::UnitX()).norm(), 1e-15);
    EXPECT_NEAR(std::abs(contact.position.y()), 0.35, 1e-15);
  }
  Random random(3);
  for (int step = 0; step < 200; ++step) {
    const auto noise = [&] { return random.uniform(-1e-9, 1e-9); };
    const Quat turn = Quat(1, noise(), noise(), noise()).normalized();
    world.setPose(1, at({cx + noise(), noise(), cz + noise()}, turn * about(Vec3::UnitY(), -lean)));
    world.detect(contacts);
    ASSERT_EQ(contacts.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(contacts[i].feature, first[i].feature);
      EXPECT_NEAR(contacts[i].gap, 0, 1e-8);
      EXPECT_LT((contacts[i].normal - first[i].normal).norm(), 1e-6);
    }
  }
}

/// Signed distance of two boxes by means that share no code with the library: the largest
/// separation over the 15 axes where they overlap, else alternating projections
/// onto both.
Real boxDistance(const Box& a, const Pose& poseA, const Box& b, const Pose& poseB) {
  const Mat3 ra = poseA.rotation.toRotationMatrix(), rb = poseB.rotation.toRotationMatrix();
  std::vector<Vec3> axes;
  for (int i = 0; i < 3; ++i) axes.insert(axes.end(), {ra.col(i), rb.col(i)});
  for (int i = 0; i < 9; ++i) {
    const Vec3 axis = ra.col(i / 3).cross(rb.col(i % 3));
    if (axis.norm() > 1e-6) axes.push_back(axis.normalized());
  }
  Real best = -1e300;
  for (const Vec3& axis : axes) {
    Real reach = 0;
    for (int i = 0; i < 3; ++i) {
      reach += a.halfExtents[i] * std::abs(axis.dot(ra.col(i))) +
               b.halfExtents[i] * std::abs(axis.dot(rb.col(i)));
    }
    best = std::max(best, std::abs(axis.dot(poseB.position - poseA.position)) - reach);
  }
  if (best <= 0) return best;
  const auto project = [](const Box& box, const Pose& pose, const Vec3& point) -> Vec3 {
    return pose * (pose.inverse() * point).cwiseMax(-box.halfExtents).cwiseMin(box.halfExtents);
  };
  Vec3 onB = poseB.position, onA = poseA.position;
  for (int i = 0; i < 200000; ++i) {
    onA = project(a, poseA, onB);
    const Vec3 next = project(b, poseB, onA);
    if ((next - onB).norm() < 1e-15) break;
    onB = next;
  }
  return (onB - onA).norm();
}

TEST(BoxManifold, RandomPairs_HaveTheExactDistanceOrDepth) {
  Random random(11);
  int touching = 0, exact = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const auto size = [&] {
      return Vec3(random.uniform(0.2, 0.6), random.uniform(0.2, 0.6), random.uniform(0.2, 0.6));
    };
    const Box a{size()}, b{size()};
    const Pose poseA = at({random.uniform(-5, 5), 1, 2}, randomRotation(random));
    const Vec3 direction = randomRotation(random) * Vec3::UnitX();
    const Pose poseB =
        at(poseA.position + random.uniform(0.6, 1.4) * direction, randomRotation(random));
    const Real margin = 0.05;
    const Real expected = boxDistance(a, poseA, b, poseB);
    const auto contacts = contactsOf(a, poseA, b, poseB, false, margin);
    if (std::abs(expected - margin) < 1e-6) continue;
    ASSERT_EQ(contacts.empty(), expected > margin) << "trial " << trial << " " << expected;
    if (contacts.empty()) continue;
    ++touching;
    // A face within 1° of the best edge pair may stand for it: its gap is longer by 1/cos 1°.
    const Real error = std::abs(lowestGap(contacts) - expected);
    EXPECT_LE(error, 1e-9 + 1.6e-4 * std::abs(expected)) << "trial " << trial;
    exact += error <= 1e-9 ? 1 : 0;
    EXPECT_NEAR(contacts[0].normal.norm(), 1, 1e-14);
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(exact, 0.95 * touching);
}

TEST(BoxManifold, SwappedColliders_GiveTheSameContactReversed) {
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const Box a{Vec3(0.3, 0.4, 0.5)}, b{Vec3(0.25, 0.2, 0.45)};
    const Pose poseA = at({0, 0, 0}, randomRotation(random));
    const Pose poseB = at(0.7 * (randomRotation(random) * Vec3::UnitX()), randomRotation(random));
    const auto ab = contactsOf(a, poseA, b, poseB, false);
    const auto ba = contactsOf(b, poseB, a, poseA, false);
    ASSERT_EQ(ab.size(), ba.size());
    for (const ContactPoint& p : ab) {
      const auto same = [&](const ContactPoint& q) {
        return (p.position - q.position).norm() < 1e-9 && std::abs(p.gap - q.gap) < 1e-9 &&
               (p.normal + q.normal).norm() < 1e-9;
      };
      EXPECT_EQ(std::count_if(ba.begin(), ba.end(), same), 1) << "trial " << trial;
    }
  }
}

TEST(BoxManifold, MovedAndTurnedPair_GivesTheContactMovedAndTurned) {
  Random random(6);
  for (int trial = 0; trial < 500; ++trial) {
    const Box a{Vec3(0.3, 0.4, 0.5)}, b{Vec3(0.25, 0.2, 0.45)};
    const Pose poseA = at({0, 0, 0}, randomRotation(random));
    const Pose poseB = at(0.7 * (randomRotation(random) * Vec3::UnitX()), randomRotation(random));
    const Pose moved = at({10, -20, 30}, randomRotation(random));
    const auto before = contactsOf(a, poseA, b, poseB);
    const auto after = contactsOf(a, moved * poseA, b, moved * poseB);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].feature, after[i].feature);
      EXPECT_NEAR(before[i].gap, after[i].gap, 1e-12);
      EXPECT_LT((moved * before[i].position - after[i].position).norm(), 1e-11);
    }
  }
}

}  // namespace
}  // namespace drystone
