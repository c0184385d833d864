// The proximal term of the loop over bounds: when a round's answer becomes the point, and how δ
// follows.
#include <gtest/gtest.h>

#include "solvers/pivoting/proximal_point.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

class ProximalPoints : public ::testing::Test {
 protected:
  ProximalPoints() : stored_(boxStack(FrictionModel::kCone, {1, 1}, 0.5, 1e-9)) {
    rows_.prepare(stored_.view(), false);
    lambda_.assign(rows_.rowCount(), 1);
    next_.assign(rows_.rowCount(), 2);
    proximal_.start(rows_, lambda_, 1);
    first_ = proximal_.weight(0);
  }
  /// δ over that of before.
  Real change() const { return proximal_.weight(0) / first_; }

  StoredProblem stored_;
  RowSystem rows_;
  std::vector<Real> lambda_, next_;
  ProximalPoint proximal_;
  Real first_ = 0;
};

TEST_F(ProximalPoints, TermWeighsTheRowsOfAContactAlike_UntilItIsCleared) {
  for (int row = 0; row < 3; ++row) EXPECT_EQ(proximal_.weight(row), 1e-2 / rows_.step(0));
  proximal_.clear();
  EXPECT_FALSE(proximal_.isOn());
  EXPECT_EQ(proximal_.weight(0), 0);
}

TEST_F(ProximalPoints, SolvedWithTheTerm_IsTheNextPoint) {
  proximal_.endRound(next_, 0.2, 0.3);  // 0.1 is asked for
  EXPECT_FALSE(proximal_.isNew());
  EXPECT_EQ(proximal_.point()[0], 1);
  proximal_.endRound(next_, 0.09, 0.3);
  EXPECT_TRUE(proximal_.isNew());
  EXPECT_EQ(proximal_.point()[0], 2);
  EXPECT_DOUBLE_EQ(change(), 0.3);        // 0.15 a round
  proximal_.endRound(lambda_, 0.2, 0.2);  // of 0.3 now
  EXPECT_FALSE(proximal_.isNew());
}

TEST_F(ProximalPoints, ManyRounds_LowerDeltaByHalf) {
  for (const Real error : {0.8, 0.6, 0.4, 0.2, 0.05}) proximal_.endRound(next_, error, error);
  EXPECT_DOUBLE_EQ(change(), 0.5);
}

// A point that travels far would take thousands of short ways.
TEST_F(ProximalPoints, PointThatIsHardlyBetter_LowersDeltaTenfold) {
  proximal_.endRound(next_, 0.01, 0.9);
  EXPECT_EQ(proximal_.point()[0], 2);
  EXPECT_DOUBLE_EQ(change(), 0.1);
}

TEST_F(ProximalPoints, PointThatIsMuchWorse_IsRefusedAndRaisesDelta) {
  proximal_.endRound(next_, 0.01, 2.1);
  EXPECT_EQ(proximal_.point()[0], 1);
  EXPECT_TRUE(proximal_.isNew());
  EXPECT_DOUBLE_EQ(change(), 3);
}

TEST_F(ProximalPoints, RoundsThatWander_GoBackAndRaiseDelta) {
  proximal_.endRound(next_, 0.5, 0.5);
  for (int round = 1; round <= 3; ++round) proximal_.endRound(next_, 0.46, 0.5);
  EXPECT_EQ(change(), 1);
  proximal_.endRound(next_, 0.46, 0.5);
  EXPECT_EQ(proximal_.point()[0], 1);
  EXPECT_DOUBLE_EQ(change(), 3);
}

TEST_F(ProximalPoints, RoundsThatCreep_GoBackAfterTwenty) {
  Real error = 1;
  for (int round = 1; round < 20; ++round) {
    proximal_.endRound(next_, error *= 0.895, 1);
    EXPECT_EQ(change(), 1) << round;
  }
  proximal_.endRound(next_, error * 0.999, 1);
  EXPECT_EQ(proximal_.point()[0], 1);
  EXPECT_DOUBLE_EQ(change(), 3);
}

TEST_F(ProximalPoints, NoDeltaThatHelps_IsHopeless) {
  int refusals = 0;
  while (!proximal_.isHopeless() && refusals < 100) {
    proximal_.endRound(next_, 0.01, 1e6);
    ++refusals;
  }
  EXPECT_EQ(refusals, 11);  // 3^11 of 1e-2 is beyond 1e3
}

// Ten tenfold steps lead from 1e-2 to 1e-12, a δ that changes nothing.
TEST_F(ProximalPoints, PointsThatTravelOnAtTheLeastDelta_AreHopeless) {
  int points = 0;
  while (!proximal_.isHopeless() && points < 100) {
    proximal_.endRound(next_, 0.01, 1);
    ++points;
  }
  EXPECT_GE(points, 11);
  EXPECT_LE(points, 12);
  proximal_.clear();  // as the next problem does
  EXPECT_FALSE(proximal_.isHopeless());
}

}  // namespace
}  // namespace drystone::test
