// A cascade runs its stages in turn, each from where it asks for, and keeps the best answer.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/stage.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

/// Sets the first normal impulse to a value and notes where it began.
class SetTo : public Stage {
 public:
  SetTo(Real value, SolveStatus status) : value_(value), status_(status) {}

  void reserve(const ProblemSize&) override {}
  void begin() override { ++begun; }
  SolveStatus improve(Iterate& iterate, StageContext& context) override {
    starts.push_back(iterate.lambda[0]);
    iterate.lambda[0] = value_;
    iterate.measure(context.rows);
    return status_;
  }

  int begun = 0;
  std::vector<Real> starts;

 private:
  Real value_;
  SolveStatus status_;
};

/// A box of 1 kg on four corners without friction. The natural map falls as λ of the first grows
/// from 0 to a quarter of m g h, and a newton second and more is far too much.
class CascadeTest : public testing::Test {
 protected:
  CascadeTest() : stored_(boxOnPlane(FrictionModel::kNone, 1, 0, 0)) {
    rows.prepare(stored_.view(), true);
    lambda.assign(rows.rowCount(), 0);
    w.assign(rows.rowCount(), 0);
    const std::vector<RowState> unknown(rows.rowCount(), RowState::kUnknown);
    rows.velocity(lambda, w);
    states.start(rows, unknown, lambda, w);
    system.attach(rows, factor_, BasisKind::kGeneral);
  }

  SolveStatus run(std::vector<CascadeStep> steps, const Allowance& allowance = {}) {
    StageContext context{rows, system, 1e-9, 1e-9, allowance, history_, report_};
    Iterate iterate{lambda, w, states};
    iterate.measure(rows);
    const SolveStatus status = cascade.run(steps, iterate, context);
    EXPECT_EQ(iterate.error, naturalMapAt(rows, lambda, w)) << "the answer's own";
    return status;
  }

  RowSystem rows;
  FreeSystem system;
  ContactStates states;
  Cascade cascade;
  std::vector<Real> lambda, w;

 private:
  StoredProblem stored_;
  SparseSpaceFactor factor_;
  ResidualHistory history_;
  SolverReport report_;
};

TEST_F(CascadeTest, Stages_BeginWhereTheyAskFor) {
  SetTo far(1e3, SolveStatus::kStalled), near(1e-3, SolveStatus::kStalled),
      last(2e3, SolveStatus::kStalled), best(3e3, SolveStatus::kStalled),
      nothing(4e3, SolveStatus::kStalled);
  lambda[0] = 7e3;
  run({{&far}, {&near}, {&last}, {&best, StageStart::kBest}, {&nothing, StageStart::kNothing}});
  EXPECT_EQ(far.starts, std::vector<Real>{7e3});
  EXPECT_EQ(near.starts, std::vector<Real>{1e3});
  EXPECT_EQ(last.starts, std::vector<Real>{1e-3});
  EXPECT_EQ(best.starts, std::vector<Real>{1e-3}) << "the nearest that any stage left";
  EXPECT_EQ(nothing.starts, std::vector<Real>{0});
  EXPECT_EQ(nothing.begun, 1);
}

TEST_F(CascadeTest, WithoutAnAnswer_LeavesTheBestAndTheLastStagesStatus) {
  SetTo near(1e-3, SolveStatus::kCycled), far(1e3, SolveStatus::kStalled);
  lambda[0] = 7e3;
  EXPECT_EQ(run({{&far}, {&near}}), SolveStatus::kCycled);
  EXPECT_EQ(lambda[0], 1e-3);
}

TEST_F(CascadeTest, StartThatIsBetterThanAllStages_Stays) {
  SetTo far(1e3, SolveStatus::kStalled);
  lambda[0] = 1e-3;
  EXPECT_EQ(run({{&far}, {&far}}), SolveStatus::kStalled);
  EXPECT_EQ(lambda[0], 1e-3);
}

TEST_F(CascadeTest, StageThatSolves_IsTheLastAndKeepsItsAnswer) {
  SetTo near(1e-3, SolveStatus::kStalled), solves(5, SolveStatus::kConverged),
      never(0, SolveStatus::kStalled);
  EXPECT_EQ(run({{&near}, {&solves}, {&never}}), SolveStatus::kConverged);
  EXPECT_EQ(lambda[0], 5) << "an answer of a regularized problem may be worse in this one";
  EXPECT_TRUE(never.starts.empty());
}

TEST_F(CascadeTest, StageThatLeavesNoNumber_IsTakenBack) {
  SetTo broken(std::numeric_limits<Real>::quiet_NaN(), SolveStatus::kNumericalFailure);
  lambda[0] = 1e-3;
  EXPECT_EQ(run({{&broken}}), SolveStatus::kNumericalFailure);
  EXPECT_EQ(lambda[0], 1e-3);
}

/// Takes all that is left.
class Spender : public SetTo {
 public:
  using SetTo::SetTo;
  SolveStatus improve(Iterate& iterate, StageContext& context) override {
    while (context.allowance.take()) {
    }
    return SetTo::improve(iterate, context);
  }
};

TEST_F(CascadeTest, LimitThatTheLastStageMeets_IsTheStatus) {
  Spender spends(1e-3, SolveStatus::kStalled);
  Spending some{.iterationsLeft = 5};
  EXPECT_EQ(run({{&spends}}, Allowance(some, {})), SolveStatus::kIterationLimit);
}

TEST_F(CascadeTest, NothingLeftToSpend_BeginsNoStage) {
  SetTo never(0, SolveStatus::kConverged);
  const Timer timer;
  Spending none{.iterationsLeft = 0};
  EXPECT_EQ(run({{&never}}, Allowance(none, {})), SolveStatus::kIterationLimit);
  EXPECT_EQ(run({{&never}}, Allowance({&timer, 0})), SolveStatus::kTimeLimit);
  EXPECT_TRUE(never.starts.empty());
}

}  // namespace
}  // namespace drystone::test
