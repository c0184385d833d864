// Warm starts on lists made by hand: balls on one ground, each with one frictionless contact.
#include "engine/step/warm_starts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drystone {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Field;

constexpr Real kWarmTimestep = 0.01;

/// The ground has collider 0, ball k collider and body k.
class WarmStartsTest : public ::testing::Test {
 protected:
  WarmStartsTest() {
    bodies_.add({.kind = BodyKind::kStatic});
    for (int ball = 1; ball <= 2; ++ball) {
      bodies_.add({.mass = MassProperties{.mass = 1, .inertia = Mat3::Identity()}});
    }
  }

  /// Contacts of the given balls, with one row each.
  void touch(const std::vector<int>& balls) {
    contacts_.clear();
    const int count = static_cast<int>(balls.size());
    rows_.resize(count, count, count);
    for (int i = 0; i < count; ++i) {
      StepContact& contact = contacts_.emplace_back();
      contact.point.colliderA = contact.bodyA = 0;
      contact.point.colliderB = contact.bodyB = balls[i];
      contact.block = i;
      setNormal(Vec3::UnitZ(), contact);
      rows_.blocks[i] = {.rows = 1};
      rows_.firstRow[i] = i;
      rows_.lambda[i] = 0;
      rows_.state[i] = RowState::kUnknown;
    }
  }

  void store(Real h) {
    warm_.store(contacts_, {}, rows_, h, bodies_, {}, std::vector<int>{0, 1, 2}, threads_);
  }
  int match(Real h, bool use = true, bool isSoft = false) {
    return warm_.match(contacts_, {}, h, use, isSoft, threads_, rows_);
  }

  int threads_ = 1;
  BodyStore bodies_;
  std::vector<StepContact> contacts_;
  ConstraintRows rows_;
  WarmStarts warm_;
};

TEST_F(WarmStartsTest, StartFromTheImpulseOfTheStepBefore_ScaledByTheTimesteps) {
  touch({1});
  rows_.lambda[0] = 3;
  rows_.state[0] = RowState::kFree;
  store(kWarmTimestep);
  touch({1, 2});
  EXPECT_EQ(match(kWarmTimestep / 2), 1);
  EXPECT_THAT(rows_.lambda, ElementsAre(DoubleEq(1.5), 0.0));
  EXPECT_THAT(rows_.state, ElementsAre(RowState::kFree, RowState::kUnknown));
}

TEST_F(WarmStartsTest, WhatLiesAhead_ChangesTheStartAndNotTheImpulse) {
  touch({1, 2});
  rows_.lambda = {3, 5};
  rows_.ahead = {0.5, -2};
  rows_.trend = {0.25, 1};
  store(kWarmTimestep);
  EXPECT_THAT(warm_.contacts(), ElementsAre(Field(&WarmContact::impulse, Vec3(0, 0, 3)),
                                            Field(&WarmContact::impulse, Vec3(0, 0, 5))));
  touch({1, 2});
  match(kWarmTimestep);
  EXPECT_THAT(rows_.lambda, ElementsAre(3.5, 3.0));
  EXPECT_TRUE(rows_.trend.empty()) << "under exact steps nothing follows a trend";
}

TEST_F(WarmStartsTest, TrendOfSoftSteps_IsKeptForStepsAsLong) {
  touch({1, 2});
  rows_.ahead = {0, 0};
  rows_.trend = {0.25, 1};
  store(kWarmTimestep);
  touch({1, 2});
  match(kWarmTimestep, true, true);
  EXPECT_THAT(rows_.trend, ElementsAre(0.25, 1.0));
  EXPECT_THAT(rows_.ahead, ElementsAre(0.0, 0.0));
  match(kWarmTimestep / 2, true, true);
  EXPECT_THAT(rows_.trend, ElementsAre(0.0, 0.0));
}

TEST_F(WarmStartsTest, TangentsOfAnEllipse_StartFromTheirImpulses) {
  const auto touchAlong = [&](Real angle) {
    touch({1});
    rows_.resize(1, 3, 1);
    rows_.blocks[0] = {.rows = 3};
    StepContact& contact = contacts_[0];
    contact.tangent1 = Vec3(std::cos(angle), std::sin(angle), 0);
    contact.across = 0.5;
    contact.tangent2 = contact.across * Vec3::UnitZ().cross(contact.tangent1);
  };
  touchAlong(0);
  rows_.lambda = {3, 0.25, 2};  // on the ball: 0.25 along x, 1 along y
  store(kWarmTimestep);
  touchAlong(0);
  match(kWarmTimestep);
  EXPECT_THAT(rows_.lambda, ElementsAre(DoubleEq(3), DoubleEq(0.25), DoubleEq(2)));
  touchAlong(std::acos(0.0));
  match(kWarmTimestep);
  EXPECT_THAT(rows_.lambda, ElementsAre(DoubleEq(3), DoubleEq(1), DoubleEq(-0.5)));
}

TEST_F(WarmStartsTest, SwitchedOff_GiveTheBoxModelItsBoundAlone) {
  touch({1});
  rows_.lambda[0] = 3;
  store(kWarmTimestep);
  touch({1});
  EXPECT_EQ(match(kWarmTimestep, false), 0);
  EXPECT_EQ(rows_.lambda[0], 0);
  EXPECT_EQ(rows_.blocks[0].normalBound, 3);
}

// Ball 1 sleeps and has no rows in the second step: it keeps its impulse, which half the timestep
// halves, before ball 2 in the order of colliders.
TEST_F(WarmStartsTest, WhatSleeps_KeepsItsOwn) {
  touch({1, 2});
  rows_.lambda = {3, 5};
  rows_.ahead = {0.5, 0};
  rows_.trend = {0.75, 0};
  store(kWarmTimestep);
  bodies_.sleep(1);
  touch({2});
  rows_.lambda = {7};
  store(kWarmTimestep / 2);
  ASSERT_THAT(warm_.contacts(),
              ElementsAre(Field(&WarmContact::colliderB, 1), Field(&WarmContact::colliderB, 2)));
  EXPECT_DOUBLE_EQ(warm_.contacts()[0].impulse.z(), 1.5);
  EXPECT_EQ(warm_.contacts()[0].ahead, Vec3::Zero()) << "it stopped";
  EXPECT_EQ(warm_.contacts()[0].trend, Vec3::Zero());
  EXPECT_DOUBLE_EQ(warm_.contacts()[1].impulse.z(), 7);
  EXPECT_EQ(warm_.timestep(), kWarmTimestep / 2);
}

TEST_F(WarmStartsTest, WhatIsAwakeAndTouchesNoMore_IsForgotten) {
  touch({1, 2});
  store(kWarmTimestep);
  touch({2});
  store(kWarmTimestep);
  EXPECT_THAT(warm_.contacts(), ElementsAre(Field(&WarmContact::colliderB, 2)));
}

TEST_F(WarmStartsTest, ForgetACollider_BeforeItsIndexIsUsedAgain) {
  touch({1, 2});
  store(kWarmTimestep);
  warm_.forget(1);
  EXPECT_THAT(warm_.contacts(), ElementsAre(Field(&WarmContact::colliderB, 2)));
  touch({1});
  EXPECT_EQ(match(kWarmTimestep), 0);
}

// Corners of a pair that lies flush: 1 keeps its name, 7 lay where 8 and 9 are now, next to 9.
TEST_F(WarmStartsTest, ByPlace_NewContactsOfAPairStartFromTheNearestOldOne) {
  const auto touchAt = [&](std::vector<std::uint64_t> features, std::vector<Real> places) {
    touch(std::vector<int>(features.size(), 1));
    for (std::size_t i = 0; i < features.size(); ++i) {
      contacts_[i].point.feature = features[i];
      contacts_[i].point.position = Vec3(places[i], 0, 0);
    }
  };
  touchAt({1, 7}, {0, 1});
  rows_.lambda = {3, 5};
  rows_.state = {RowState::kFree, RowState::kFree};
  contacts_[1].soft.average = 4;
  store(kWarmTimestep);
  const auto start = [&](bool byPlace) {
    touchAt({1, 8, 9}, {0.9, 0.5, 1.1});
    warm_.match(contacts_, {}, kWarmTimestep / 2, true, byPlace, threads_, rows_);
  };
  start(true);
  EXPECT_THAT(rows_.lambda, ElementsAre(1.5, 0.0, 2.5));
  EXPECT_EQ(contacts_[2].soft.average, 2);
  EXPECT_EQ(rows_.state[1], RowState::kUnknown);
  start(false);
  EXPECT_THAT(rows_.lambda, ElementsAre(1.5, 0.0, 0.0));
}

TEST_F(WarmStartsTest, Restored_StartTheSame) {
  touch({1, 2});
  rows_.lambda = {3, 5};
  store(kWarmTimestep);
  WarmStarts other;
  other.restore(warm_.contacts(), warm_.joints(), warm_.timestep());
  touch({1, 2});
  EXPECT_EQ(other.match(contacts_, {}, kWarmTimestep, true, false, threads_, rows_), 2);
  EXPECT_THAT(rows_.lambda, ElementsAre(3.0, 5.0));
}

TEST_F(WarmStartsTest, OfManyContacts_AreTheSameWithManyThreads) {
  // The pairs are longer than what a thread takes at a time. Of equal names the first takes the
  // first, wherever a thread begins.
  constexpr int kCount = 3 * kContactsPerRange + 100;
  const auto touchMany = [&](int step) {
    std::vector<int> balls(kCount, 1);
    std::fill(balls.begin() + kCount / 2, balls.end(), 2);
    touch(balls);
    for (int i = 0; i < kCount; ++i) contacts_[i].point.feature = i % (kCount / 2) / 3 + step;
  };
  const auto startWith = [&](int threads) {
    threads_ = threads;
    touchMany(0);
    for (int i = 0; i < kCount; ++i) rows_.lambda[i] = i + 1;
    store(kWarmTimestep);
    touchMany(1);
    return match(kWarmTimestep);
  };
  const int started = startWith(1);
  const std::vector<Real> lambda = rows_.lambda;
  EXPECT_EQ(started, kCount - 6);  // all but the three of the last name of each pair
  EXPECT_EQ(lambda[0], 4);
  for (const int threads : {2, 4}) {
    EXPECT_EQ(startWith(threads), started);
    EXPECT_EQ(rows_.lambda, lambda);
  }
}

}  // namespace
}  // namespace drystone
