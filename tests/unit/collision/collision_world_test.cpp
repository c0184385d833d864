#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <tuple>

#include "core/input_error.h"
#include "tests/support/allocation_counter.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

const Shape kBall = Sphere{0.5};

std::vector<ContactPoint> detect(CollisionWorld& world) {
  std::vector<ContactPoint> contacts;
  world.detect(contacts);
  return contacts;
}

/// Bit for bit.
bool areEqual(const std::vector<ContactPoint>& a, const std::vector<ContactPoint>& b) {
  const auto bits = [](const ContactPoint& c) {
    return std::tuple(c.colliderA, c.colliderB, c.position.x(), c.position.y(), c.position.z(),
                      c.normal.x(), c.normal.y(), c.normal.z(), c.gap, c.feature);
  };
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [&](const ContactPoint& p, const ContactPoint& q) { return bits(p) == bits(q); });
}

/// A heap of all kinds of bodies that shakes, the same for every world that it fills.
class Heap {
 public:
  explicit Heap(CollisionWorld& world) : world_(&world) {
    world.add(Box{Vec3(5, 5, 0.5)}, poseAt({0, 0, -0.5}), {}, true);
    Compound dumbbell;
    dumbbell.children = {{Sphere{0.15}, poseAt({-0.15, 0, 0})},
                         {Box{Vec3::Constant(0.15)}, poseAt({0.15, 0, 0})}};
    const std::vector<Shape> shapes = {
        Sphere{0.25},
        Box{Vec3(0.2, 0.25, 0.3)},
        Cylinder{0.25, 0.25},
        Capsule{0.2, 0.15},
        Cone{0.25, 0.5},
        Ellipsoid{Vec3(0.3, 0.25, 0.2)},
        makeHull({{0.3, 0, 0}, {-0.3, 0, 0}, {0, 0.3, 0}, {0, -0.3, 0}, {0, 0, 0.3}, {0, 0, -0.3}}),
        dumbbell};
    for (int i = 0; i < 150; ++i) {
      poses_.push_back(poseAt({0.42 * (i % 5), 0.42 * (i / 5 % 5), 0.3 + 0.42 * (i / 25)},
                              randomRotation(random_)));
      world.add(shapes[static_cast<std::size_t>(i) % shapes.size()], poses_.back(), {}, false);
    }
  }

  void shake(Real amplitude = 2e-3) {
    const auto noise = [&] { return random_.uniform(-amplitude, amplitude); };
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      for (Real& x : poses_[i].position) x += noise();
      const Real x = noise(), y = noise(), z = noise();
      poses_[i].rotation = (Quat(1, x, y, z) * poses_[i].rotation).normalized();
      world_->setPose(static_cast<int>(i) + 1, poses_[i]);
    }
  }

  /// Goes on in another world that holds the same bodies.
  void moveTo(CollisionWorld& world) {
    world_ = &world;
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      world.setPose(static_cast<int>(i) + 1, poses_[i]);
    }
  }

  /// Of the bodies, whose colliders count from 1.
  const std::vector<Pose>& poses() const { return poses_; }

 private:
  CollisionWorld* world_;
  Random random_{17};
  std::vector<Pose> poses_;
};

TEST(CollisionWorld, Add_TakesTheLowestFreeIndex) {
  CollisionWorld world({});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(world.add(kBall, poseAt({2.0 * i, 0, 0}), {}, false), i);
  world.remove(1);
  world.remove(2);
  EXPECT_EQ(world.add(kBall, poseAt({0, 5, 0}), {}, false), 1);
  EXPECT_EQ(world.add(kBall, poseAt({0, 9, 0}), {}, false), 2);
  EXPECT_EQ(world.add(kBall, poseAt({0, 7, 0}), {}, false), 4);
}

TEST(CollisionWorld, RemovedCollider_LeavesNoContact) {
  CollisionWorld world({});
  world.add(kBall, poseAt({0, 0, 0}), {}, false);
  world.add(kBall, poseAt({0.9, 0, 0}), {}, false);
  EXPECT_EQ(detect(world).size(), 1u);
  world.remove(0);
  EXPECT_TRUE(detect(world).empty());
  EXPECT_EQ(world.pairCount(), 0);
}

TEST(CollisionWorld, PairThatRests_IsFoundWhenItMovesOrWakesOnly) {
  CollisionWorld world({});
  world.add(kBall, poseAt({0, 0, 0}), {}, false);
  world.add(kBall, poseAt({0.9, 0, 0}), {}, false);
  world.add(kBall, poseAt({0, 0.9, 0}), {}, false);
  EXPECT_EQ(detect(world).size(), 2u);
  world.setResting(std::vector<std::uint8_t>{1, 1, 0});
  EXPECT_EQ(detect(world).size(), 1u);  // with the third alone
  world.setPose(1, poseAt({0.95, 0, 0}));
  EXPECT_EQ(detect(world).size(), 2u);
  EXPECT_EQ(detect(world).size(), 1u);
  world.setResting({});
  std::vector<ContactPoint> woken;
  world.detectWoken(woken);
  ASSERT_EQ(woken.size(), 1u);
  EXPECT_EQ(woken[0].colliderB, 1);
  EXPECT_EQ(world.pairCount(), 3);
  world.detectWoken(woken);
  EXPECT_TRUE(woken.empty());
}

TEST(CollisionWorld, StaticColliders_NeverMeet) {
  CollisionWorld world({});
  world.add(kBall, poseAt({0, 0, 0}), {}, true);
  world.add(kBall, poseAt({0.9, 0, 0}), {}, true);
  EXPECT_TRUE(detect(world).empty());
}

TEST(CollisionWorld, Filters_MustAgreeBothWays) {
  CollisionWorld world({});
  world.add(kBall, poseAt({0, 0, 0}), {1, 2}, false);
  world.add(kBall, poseAt({0.9, 0, 0}), {2, 1}, false);
  EXPECT_EQ(detect(world).size(), 1u);
  world.setFilter(1, {2, 2});  // B no longer looks for A's group
  EXPECT_TRUE(detect(world).empty());
  world.setFilter(1, {2, 3});
  EXPECT_EQ(detect(world).size(), 1u);
  world.setFilter(1, {4, 3});  // A does not look for B's
  EXPECT_TRUE(detect(world).empty());
}

TEST(CollisionWorld, DisabledPair_MeetsAgainWhenEnabled) {
  CollisionWorld world({});
  world.add(kBall, poseAt({0, 0, 0}), {}, false);
  world.add(kBall, poseAt({0.9, 0, 0}), {}, false);
  world.setPairEnabled(1, 0, false);
  EXPECT_TRUE(detect(world).empty());
  world.setPairEnabled(0, 1, true);
  EXPECT_EQ(detect(world).size(), 1u);
  world.setPairEnabled(0, 1, false);
  EXPECT_TRUE(detect(world).empty());
}

TEST(CollisionWorld, Margin_DecidesWhichGapsAreReported) {
  CollisionSettings settings;
  settings.margin = 0.05;
  CollisionWorld world(settings);
  world.add(kBall, poseAt({0, 0, 0}), {}, false);
  world.add(kBall, poseAt({1.04, 0, 0}), {}, false);
  const auto contacts = detect(world);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0.04, 1e-15);
  world.setMargin(0.03);
  EXPECT_TRUE(detect(world).empty());
  world.setMargin(0.05);
  EXPECT_EQ(detect(world).size(), 1u);
}

TEST(CollisionWorld, Contacts_AreSortedByCollidersAndFeature) {
  CollisionWorld world({});
  Heap heap(world);
  const auto contacts = detect(world);
  ASSERT_GT(contacts.size(), 200u);
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    const auto key = [](const ContactPoint& c) {
      return std::tuple(c.colliderA, c.colliderB, c.feature);
    };
    EXPECT_LT(key(contacts[i - 1]), key(contacts[i]));
  }
  for (const ContactPoint& c : contacts) {
    EXPECT_LT(c.colliderA, c.colliderB);
    EXPECT_LE(c.gap, 0.01);
    EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
  }
}

TEST(CollisionWorld, TwoThreads_FindTheSameBits) {
  CollisionSettings settings;
  CollisionWorld one(settings);
  settings.threads = 2;
  CollisionWorld two(settings);
  Heap heapOne(one), heapTwo(two);
  for (int step = 0; step < 10; ++step) {
    heapOne.shake();
    heapTwo.shake();
    EXPECT_TRUE(areEqual(detect(one), detect(two))) << "step " << step;
  }
}

TEST(CollisionWorld, WarmDetect_AllocatesNothing) {
  CollisionWorld world({});
  Heap heap(world);
  std::vector<ContactPoint> contacts;
  // Shaking back and forth between two states repeats the numbers of pairs and contacts.
  Heap other = heap;
  const auto step = [&](int i) {
    Heap now = i % 2 == 0 ? heap : other;
    now.moveTo(world);
    now.shake(2e-3);
    const std::int64_t before = test::allocationCount();
    world.detect(contacts);
    return test::allocationCount() - before;
  };
  other.shake(1e-2);
  for (int i = 0; i < 10; ++i) step(i);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(step(i), 0) << "step " << i;
}

TEST(CollisionWorld, LoadedState_GoesOnBitForBit) {
  CollisionWorld original({}), restored({});
  Heap heap(original);
  { Heap same(restored); }
  for (int step = 0; step < 8; ++step) {
    heap.shake();
    detect(original);
  }
  std::vector<std::byte> state, again;
  original.saveState(state);
  restored.loadState(state);
  restored.saveState(again);
  EXPECT_EQ(state, again);
  Heap ahead = heap;
  ahead.moveTo(restored);
  for (int step = 0; step < 8; ++step) {
    heap.shake();
    ahead.shake();
    ASSERT_TRUE(areEqual(detect(original), detect(restored))) << "step " << step;
  }
  original.saveState(state);
  restored.saveState(again);
  EXPECT_EQ(state, again);
}

// A look at other poses finds what a detection there would, and leaves no trace.
TEST(CollisionWorld, ContactsAtOtherPoses_AreThoseOfADetectionThere) {
  CollisionWorld world({}), there({}), untouched({});
  Heap heap(world), same(there), third(untouched);
  std::vector<std::byte> before, after;
  for (int step = 0; step < 4; ++step) {
    heap.shake();
    same.shake();
    third.shake();
    same.moveTo(there);
    detect(world);
    detect(there);
    detect(untouched);
  }
  world.saveState(before);
  std::vector<int> colliders;
  std::vector<Pose> poses;
  same.shake();
  same.moveTo(there);
  for (std::size_t i = 0; i < same.poses().size(); ++i) {
    colliders.push_back(static_cast<int>(i) + 1);
    poses.push_back(same.poses()[i]);
  }
  std::vector<ContactPoint> found;
  world.contactsAt(
      colliders, poses, [](const ContactPoint&) { return true; }, found);
  std::vector<ContactPoint> all = detect(there);
  there.dropGhosts(all);
  EXPECT_GT(found.size(), 200);
  // Pairs that the shaking brings within the margin are none of the last detection.
  std::erase_if(all, [](const ContactPoint& contact) { return contact.gap > 0; });
  std::erase_if(found, [](const ContactPoint& contact) { return contact.gap > 0; });
  EXPECT_TRUE(areEqual(found, all));

  world.saveState(after);
  EXPECT_EQ(before, after);
  heap.shake();
  third.shake();
  EXPECT_TRUE(areEqual(detect(world), detect(untouched)));
}

// What a cache says of the faces of boxes is nothing to balls, so that these begin anew.
TEST(CollisionWorld, DamagedStates_AreRefusedAndThoseOfOtherShapesLeftOut) {
  CollisionWorld boxes({}), balls({});
  for (int i = 0; i < 2; ++i) {
    boxes.add(Box{Vec3::Constant(0.5)}, poseAt({0, 0, 0.99 * i}), {}, false);
    balls.add(kBall, poseAt({0, 0, 0.99 * i}), {}, false);
  }
  detect(boxes);
  std::vector<std::byte> state;
  boxes.saveState(state);
  std::vector<std::byte> left, none;
  CollisionWorld empty({});
  empty.saveState(none);
  EXPECT_GT(state.size(), none.size());
  for (CollisionWorld* other : {&balls, &empty}) {
    EXPECT_NO_THROW(checkCollisionState(state));
    other->loadState(state);
    other->saveState(left);
    EXPECT_EQ(left, none);
  }
  for (std::size_t cut = 0; cut < state.size(); cut += 3) {
    EXPECT_THROW(boxes.loadState(std::span(state).first(cut)), InputError);
  }
  std::vector<std::byte> wrong = state;
  wrong[0] ^= std::byte{1};
  EXPECT_THROW(boxes.loadState(wrong), InputError);
  EXPECT_NO_THROW(boxes.loadState(state));
}

TEST(CollisionWorld, FlippedStateBits_NeverCrashDetection) {
  CollisionWorld world({});
  Heap heap(world);
  detect(world);
  std::vector<std::byte> state;
  world.saveState(state);
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::byte> damaged = state;
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(random.uniform() * static_cast<Real>(state.size()));
      damaged[at] ^= static_cast<std::byte>(1 << static_cast<int>(8 * random.uniform()));
    }
    try {
      world.loadState(damaged);
    } catch (const InputError&) {
    }
    EXPECT_FALSE(detect(world).empty());
  }
}

}  // namespace
}  // namespace drystone
