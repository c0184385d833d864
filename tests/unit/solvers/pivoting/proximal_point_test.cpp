// The proximal term of the loop over bounds: when a round's answer becomes the point, and how δ
// follows.
#include <gtest/gtest.h>

#include <limits>

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
    proximal_.start(rows_, lambda_, error_);
    first_ = proximal_.weight(0);
  }
  /// δ over that of before.
  Real change() const { return proximal_.weight(0) / first_; }

  static constexpr Real error_ = 1e3;  // beyond the largest |b|
  StoredProblem stored_;
  RowSystem rows_;
  std::vector<Real> lambda_, next_;
  ProximalPoint proximal_;
  Real first_ = 0;
};

// A tenth, where the natural map is beyond the largest |b|.
TEST_F(ProximalPoints, TermWeighsTheRowsOfAContactAlike_UntilItIsCleared) {
  for (int row = 0; row < 3; ++row) {
    EXPECT_DOUBLE_EQ(proximal_.weight(row), 0.1 / rows_.step(0));
  }
  proximal_.clear();
  EXPECT_FALSE(proximal_.isOn());
  EXPECT_EQ(proximal_.weight(0), 0);
}

TEST_F(ProximalPoints, SolvedWithTheTerm_IsTheNextPoint) {
  proximal_.endRound(next_, 0.6 * error_, 0.3);  // a half is asked for
  EXPECT_FALSE(proximal_.isNew());
  EXPECT_EQ(proximal_.point()[0], 1);
  proximal_.endRound(next_, 0.4 * error_, 0.3);
  EXPECT_TRUE(proximal_.isNew());
  EXPECT_EQ(proximal_.point()[0], 2);
  proximal_.endRound(lambda_, 0.2, 0.2);  // of 0.3 now
  EXPECT_FALSE(proximal_.isNew());
}

// δ is the factor times the natural map, and the factor falls with each point.
TEST_F(ProximalPoints, PointAtATenthOfTheLargestB_LowersDeltaToSixHundredths) {
  proximal_.endRound(next_, 0.01 * error_, 0.1 * rows_.velocityScale());
  EXPECT_DOUBLE_EQ(change(), 0.06);
}

TEST_F(ProximalPoints, RoundsThatWander_GoBackAndRaiseDelta) {
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(change(), 1) << round;
    proximal_.endRound(next_, 0.9 * error_, 0.5 * error_);
  }
  EXPECT_EQ(change(), 1);
  proximal_.endRound(next_, 0.9 * error_, 0.5 * error_);
  EXPECT_EQ(proximal_.point()[0], 1);
  EXPECT_TRUE(proximal_.isNew());
  EXPECT_GT(change(), 5);
}

// A step that is not finite says nothing about where to go on.
TEST_F(ProximalPoints, RoundThatIsNotFinite_GoesBackAtOnce) {
  for (const Real error : {kInfinity, std::numeric_limits<Real>::quiet_NaN()}) {
    proximal_.start(rows_, lambda_, error_);
    proximal_.endRound(next_, error, error);
    EXPECT_TRUE(proximal_.isNew());
    EXPECT_EQ(proximal_.point()[0], 1);
    EXPECT_GT(change(), 5);
  }
}

}  // namespace
}  // namespace drystone::test
