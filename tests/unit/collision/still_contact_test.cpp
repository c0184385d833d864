// Contacts of what lies still are placed, not searched for. They are those of a search all the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "collision/collision_world.h"
#include "core/random.h"
#include "tests/support/allocation_counter.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

/// A pose nearby, with no point farther than `way` [m] for points up to 2 m from the origin.
Pose nudged(const Pose& pose, Real way, Random& random) {
  const Pose step = randomPose(random, 1);
  Pose out = pose;
  out.position += 0.5 * way * step.position.normalized();
  out.rotation = (turnAbout(step.rotation.vec(), way / 4) * pose.rotation).normalized();
  return out;
}

std::vector<ContactPoint> detected(CollisionWorld& world) {
  std::vector<ContactPoint> contacts;
  world.detect(contacts);
  return contacts;
}

bool areSame(const std::vector<ContactPoint>& p, const std::vector<ContactPoint>& q) {
  return std::ranges::equal(p, q, [](const ContactPoint& a, const ContactPoint& b) {
    return a.colliderA == b.colliderA && a.colliderB == b.colliderB && a.feature == b.feature &&
           a.position == b.position && a.normal == b.normal && a.gap == b.gap;
  });
}

/// A box that leans on another one by `lean` [rad], turned about the vertical by `turn`.
struct Leaning {
  Shape a = Box{{0.5, 0.4, 0.5}}, b = Box{{0.3, 0.5, 0.4}};
  Pose poseA, poseB;

  Leaning(Real lean, Real turn, Random& random) {
    const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), 0);
    poseB.rotation = turnAbout(axis, lean) * turnAbout(Vec3::UnitZ(), turn);
    const Mat3 r = poseB.rotation.toRotationMatrix();
    const Real reach = r.row(2).cwiseAbs().dot(std::get<Box>(b).halfExtents.transpose());
    poseB.position = {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.499 + reach};
    const Pose whole = randomPose(random, 1);
    poseA = whole;
    poseB = whole * poseB;
  }
};

// An error of second order: m · d is exact for a plane and a line that keep their directions. They
// turn by 1e-6 while the two slide by 1e-6 m.
TEST(StillContact, PlacedGaps_AreThoseOfASearch) {
  Random random(3);
  int placed = 0, leaning = 0;
  Real worstGap = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Real lean = trial % 2 == 0 ? 1e-4 : 0.012;
    const Leaning pair(lean, random.uniform(0, 0.6), random);
    CollisionWorld world({});
    world.add(pair.a, pair.poseA, {}, false);
    world.add(pair.b, pair.poseB, {}, false);
    detected(world);
    detected(world);
    const Pose poseA = nudged(pair.poseA, 5e-7, random), poseB = nudged(pair.poseB, 5e-7, random);
    world.setPose(0, poseA);
    world.setPose(1, poseB);
    const auto contacts = detected(world);
    if (world.placedCount() == 0) continue;
    const auto searched = contactsOf(pair.a, poseA, pair.b, poseB);
    if (searched.size() != contacts.size() ||
        (contacts[0].normal - searched[0].normal).norm() > 1e-5) {
      continue;  // of parallel faces either one lends the normal
    }
    ++placed;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (contacts[i].feature != searched[i].feature) continue;
      if (trial % 2 == 1) ++leaning;
      worstGap = std::max(worstGap, std::abs(contacts[i].gap - searched[i].gap));
      EXPECT_NEAR(contacts[i].gap, searched[i].gap, 1e-11) << trial << " " << i;
      EXPECT_LT((contacts[i].normal - searched[i].normal).norm(), 1e-14);
      // Corners keep their place; crossings stay where the face has them.
      const Real allowed = vertexOf(contacts[i]) == ContactVertex::kNone ? 1e-5 : 1e-11;
      EXPECT_LT((contacts[i].position - searched[i].position).norm(), allowed);
    }
  }
  EXPECT_GT(placed, 150);
  EXPECT_GT(leaning, 100);
  RecordProperty("worst_gap", std::to_string(worstGap));
}

/// Boxes in a stack; its poses change by nanometres.
struct Stack {
  static constexpr int kCount = 12;
  std::vector<Pose> poses;
  Random random{5};

  explicit Stack(CollisionWorld& world) {
    world.add(Box{{3, 3, 0.5}}, poseAt({0, 0, -0.5}), {}, true);
    for (int i = 0; i < kCount; ++i) {
      poses.push_back(poseAt({0.1 * (i % 3), 0, 0.25 + 0.4999 * i}));
      world.add(Box{{0.25, 0.3, 0.25}}, poses.back(), {}, false);
    }
  }
  void move(CollisionWorld& world, Real way) {
    for (Pose& pose : poses) pose = nudged(pose, way, random);
    moveTo(world);
  }
  void moveTo(CollisionWorld& world) const {
    for (int i = 0; i < kCount; ++i) world.setPose(i + 1, poses[static_cast<std::size_t>(i)]);
  }
};

TEST(StillContact, PairIsPlaced_WhileBothLieStill) {
  CollisionWorld world({});
  Stack stack(world);
  for (const int expected : {0, 0, Stack::kCount, Stack::kCount}) {
    stack.move(world, 1e-9);
    detected(world);
    EXPECT_EQ(world.placedCount(), expected);
  }
  stack.poses[5].position.x() += 1e-6;
  stack.moveTo(world);
  detected(world);
  EXPECT_EQ(world.placedCount(), Stack::kCount - 2);  // the one below and the one above
  stack.move(world, 1e-9);
  detected(world);
  stack.move(world, 1e-9);
  detected(world);
  EXPECT_EQ(world.placedCount(), Stack::kCount);
}

// Small moves add up: what creeps is searched for again once it is beyond its share.
TEST(StillContact, CreepingBody_IsSearchedForAgain) {
  CollisionWorld world({});
  Stack stack(world);
  int searches = 0;
  for (int step = 0; step < 100; ++step) {
    stack.poses.back().position.x() += 1e-7;
    stack.moveTo(world);
    detected(world);
    if (step > 2 && world.placedCount() < Stack::kCount) ++searches;
  }
  // 5e-7 m are still: each fifth or sixth step leaves the anchor, and that of the next one is
  // found.
  EXPECT_GE(searches, 2 * 15);
  EXPECT_LE(searches, 2 * 20);
}

TEST(StillContact, LoadedState_GoesOnBitForBit) {
  for (int steps = 1; steps < 6; ++steps) {
    CollisionWorld original({}), restored({});
    Stack stack(original);
    { Stack same(restored); }
    for (int step = 0; step < steps; ++step) {
      stack.move(original, 1e-9);
      detected(original);
    }
    std::vector<std::byte> state, again;
    original.saveState(state);
    detected(restored);
    restored.loadState(state);
    restored.saveState(again);
    EXPECT_EQ(state, again);
    Stack ahead = stack;
    ahead.moveTo(restored);
    for (int step = 0; step < 12; ++step) {
      stack.move(original, 1e-7);
      ahead.move(restored, 1e-7);
      ASSERT_TRUE(areSame(detected(original), detected(restored))) << steps << " " << step;
      EXPECT_EQ(original.placedCount(), restored.placedCount());
    }
    original.saveState(state);
    restored.saveState(again);
    EXPECT_EQ(state, again);
  }
}

TEST(StillContact, ThreadsAndQueries_ChangeNoBit) {
  CollisionSettings settings;
  CollisionWorld one(settings);
  settings.threads = 2;
  CollisionWorld two(settings);
  Stack stack(one), same(two);
  for (int step = 0; step < 10; ++step) {
    stack.move(one, 1e-8);
    same.move(two, 1e-8);
    // A query sees the second world elsewhere, as between two half steps.
    Stack elsewhere = same;
    elsewhere.move(two, 1e-5);
    EXPECT_TRUE(two.rayCast({0, 0, 9}, {0, 0, -9}));
    same.moveTo(two);
    ASSERT_TRUE(areSame(detected(one), detected(two))) << step;
    EXPECT_EQ(one.placedCount(), two.placedCount());
  }
  EXPECT_EQ(two.placedCount(), Stack::kCount);
}

TEST(StillContact, OtherMarginShapeOrPose_IsSearchedFor) {
  // Leaning as a whole, so that the bounds meet where the boxes do not.
  const Pose whole = poseAt({0, 0, 0}, turnAbout({1, 1, 0}, 0.5));
  const auto at = [&](Real x, Real height) { return whole * poseAt({x, 0.1, height}); };
  CollisionWorld world({});
  world.add(Box{{1, 1, 1}}, whole, {}, false);
  world.add(Box{{1, 1, 1}}, at(0.2, 2.005), {}, false);
  const auto settle = [&] {
    for (int i = 0; i < 3; ++i) detected(world);
    EXPECT_EQ(world.placedCount(), 1);
    EXPECT_EQ(detected(world).size(), 4);
  };
  settle();
  world.setMargin(1e-3);
  EXPECT_TRUE(detected(world).empty());
  world.setMargin(0.01);
  settle();
  world.remove(1);
  world.add(Box{{1, 1, 1.004}}, at(0.2, 2.005), {}, false);
  EXPECT_NEAR(lowestGap(detected(world)), 1e-3, 1e-12);
  settle();
  world.setPose(1, at(0.2, 2.006));
  EXPECT_NEAR(lowestGap(detected(world)), 2e-3, 1e-12);
  settle();
  // A try elsewhere is a search there: corners that reach beyond the lower box are cut off.
  const int moving[] = {1};
  const Pose there[] = {at(-1.2, 2.0)};
  std::vector<ContactPoint> found;
  world.contactsAt(
      moving, there, [](const ContactPoint&) { return true; }, found);
  EXPECT_NEAR(lowestGap(found), -4e-3, 1e-12);
  for (const ContactPoint& contact : found) {
    EXPECT_GT((whole.inverse() * contact.position).x(), -1 - 1e-9);
  }
  EXPECT_NEAR(lowestGap(detected(world)), 2e-3, 1e-12);
}

TEST(StillContact, WarmDetection_AllocatesNothing) {
  CollisionWorld world({});
  Stack stack(world);
  std::vector<ContactPoint> contacts;
  for (int step = 0; step < 20; ++step) {
    stack.move(world, step % 3 == 0 ? 1e-6 : 1e-9);
    if (step < 10) {
      world.detect(contacts);
      continue;
    }
    const std::int64_t before = test::allocationCount();
    world.detect(contacts);
    EXPECT_EQ(test::allocationCount(), before) << step;
  }
}

}  // namespace
}  // namespace drystone
