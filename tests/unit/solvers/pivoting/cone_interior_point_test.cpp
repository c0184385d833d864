// The interior point on cones: where its path ends, alone and with the plain steps that take over.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/cone_interior_point.h"
#include "tests/support/mlcp.h"
#include "tests/support/problem_builder.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

/// A run of the path to a natural map of 1e-9 m/s, from λ = 0 unless another start is set.
class ConePath {
  FrictionNewton newton_;  // before the path that refers to it

 public:
  explicit ConePath(StoredProblem stored) : path(newton_), stored_(std::move(stored)) {
    rows.prepare(stored_.view(), true);
    lambda.assign(rows.rowCount(), 0);
    w.assign(rows.rowCount(), 0);
    system_.attach(rows, factor_, BasisKind::kGeneral);
  }
  SolveStatus run(const Allowance& allowance = {}) {
    const std::vector<RowState> unknown(rows.rowCount(), RowState::kUnknown);
    rows.velocity(lambda, w);
    states_.start(rows, unknown, lambda, w);
    report = {};
    StageContext context{rows, system_, 1e-9, 1e-9, allowance, history_, report};
    Iterate iterate{lambda, w, states_, naturalMapAt(rows, lambda, w)};
    const SolveStatus status = path.improve(iterate, context);
    error = iterate.error;
    EXPECT_EQ(error, naturalMapAt(rows, lambda, w)) << "the answer's own";
    return status;
  }
  /// Steps without the plain ones.
  SolveStatus runAlone() {
    path.handsOver = false;
    return run();
  }

  ConeInteriorPoint path;
  RowSystem rows;
  SolverReport report;
  std::vector<Real> lambda, w;
  Real error = kInfinity;

 private:
  StoredProblem stored_;
  SparseSpaceFactor factor_;
  FreeSystem system_;
  ContactStates states_;
  ResidualHistory history_;
};

constexpr Real kWeight = kGravity * kTimestep;  // of 1 kg in a step [N s]

// Two spheres of 2 kg on μ = 0.5. One slides by 3 m/s, far more than friction can stop: its
// impulse is on the cone, λ_t = −μ m g h d. One slides by 0.03 m/s and sticks: (2/7) m v < μ m g h.
TEST(ConeInteriorPoint, SlidingSphere_EndsOnItsCone) {
  ConePath slides(sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3(3, 0, 0)));
  EXPECT_EQ(slides.runAlone(), SolveStatus::kConverged);
  EXPECT_NEAR(slides.lambda[0], 2 * kWeight, 1e-8);
  EXPECT_NEAR(std::hypot(slides.lambda[1], slides.lambda[2]), kWeight, 1e-8);
  ConePath sticks(sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3(0.03, 0, 0)));
  EXPECT_EQ(sticks.runAlone(), SolveStatus::kConverged);
  EXPECT_NEAR(std::hypot(sticks.lambda[1], sticks.lambda[2]), 2.0 / 7 * 2 * 0.03, 1e-8);
}

// Only the sum of the four corners is given; the middle of what sticks gives each a quarter. A
// start that gives one corner four times the weight is led to within a fifth of it: steps end at
// the tolerance, before the last of them are quite in the middle.
TEST(ConeInteriorPoint, RedundantContacts_ShareTheLoadWhereverTheyStart) {
  for (const Real first : {0.0, 4.0}) {
    ConePath box(boxOnPlane(FrictionModel::kCone, 1, 0.5));
    box.lambda[0] = first * kWeight;
    EXPECT_EQ(box.runAlone(), SolveStatus::kConverged);
    const Real allowed = first == 0 ? 1e-4 : 0.2;
    for (int corner = 0; corner < 4; ++corner) {
      EXPECT_NEAR(box.lambda[3 * corner], kWeight / 4, allowed * kWeight / 4) << first << corner;
    }
  }
}

// Without friction the contact is a bounded normal row: planes at 40° carry m g h/(2 cos 40°).
TEST(ConeInteriorPoint, ContactWithoutFriction_IsABoundedRow) {
  StoredProblem stored = sphereInWedge(FrictionModel::kCone, 40 * kPi / 180);
  for (ProblemBlock& block : stored.blocks) block.friction = 0;
  ConePath wedge(std::move(stored));
  EXPECT_EQ(wedge.runAlone(), SolveStatus::kConverged);
  for (const int row : {0, 3}) {
    EXPECT_NEAR(wedge.lambda[row], kWeight / (2 * std::cos(40 * kPi / 180)), 1e-8);
    EXPECT_EQ(wedge.lambda[row + 1], 0);
    EXPECT_EQ(wedge.lambda[row + 2], 0);
  }
}

// A rotor of 2 kg m² that spins at 3 rad/s takes 6 N m s to stop: a brake of 4 N m s ends at its
// bound, one of 10 N m s stops it.
TEST(ConeInteriorPoint, Brake_EndsAtItsBoundOrStops) {
  for (const Real bound : {4.0, 10.0}) {
    ProblemBuilder builder(FrictionModel::kCone);
    const int body =
        builder.addBody(1, Vec3(2, 2, 2), Vec3::Zero(), twist(Vec3::Zero(), Vec3(0, 0, 3)));
    builder.addAngularRow(body, -1, Vec3::UnitZ(), -bound, bound);
    ConePath brake(builder.build());
    EXPECT_EQ(brake.runAlone(), SolveStatus::kConverged);
    EXPECT_NEAR(std::abs(brake.lambda[0]), std::min(bound, 6.0), 1e-8);
  }
}

// Bricks that are hit: all is redundant and slips. Plain steps from the start end far off (see
// ProximalNewton); the path comes near in a few dozen factors, but for one column, where it turns.
TEST(ConeInteriorPoint, HitColumns_ComeNearWherePlainStepsWander) {
  int near = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ConePath column(hitColumn(FrictionModel::kCone, seed));
    column.run();
    near += column.error <= 1e-3 ? 1 : 0;
    EXPECT_LE(column.report.factorizations, 120) << seed;
  }
  EXPECT_GE(near, 9);
}

// An answer is known when it is seen: no factor, and it is left as it is.
TEST(ConeInteriorPoint, SolvedStart_StaysAsItIs) {
  ConePath box(boxOnPlane(FrictionModel::kCone, 1, 0.5, 1));
  ASSERT_EQ(box.run(), SolveStatus::kConverged);
  const std::vector<Real> solved = box.lambda;
  EXPECT_EQ(box.run(), SolveStatus::kConverged);
  EXPECT_EQ(box.lambda, solved);
  EXPECT_EQ(box.report.factorizations, 0);
}

// Whatever ends it, it leaves the best that was seen: never worse than its start.
TEST(ConeInteriorPoint, RunThatIsCutOff_LeavesTheBestThatWasSeen) {
  ConePath start(hitColumn(FrictionModel::kCone, 2));
  start.path.maxSteps = 0;
  EXPECT_EQ(start.runAlone(), SolveStatus::kIterationLimit);
  Real last = start.error;
  for (const int steps : {2, 5, 10, 15}) {
    ConePath column(hitColumn(FrictionModel::kCone, 2));
    column.path.maxSteps = steps;
    EXPECT_EQ(column.runAlone(), SolveStatus::kIterationLimit);
    EXPECT_LE(column.error, last);
    last = column.error;
  }
  EXPECT_LT(last, 0.5 * start.error);
}

// w = (λ_2 − 1, 1 − λ_1): both rows are without a diagonal, and w = 0 at λ = (1, 1) alone.
TEST(ConeInteriorPoint, RowsWithoutADiagonal_AreMovedToo) {
  ConePath skew(lcp((MatX(2, 2) << 0, 1, -1, 0).finished(), (VecX(2) << -1, 1).finished()));
  EXPECT_EQ(skew.runAlone(), SolveStatus::kConverged);
  EXPECT_NEAR(skew.lambda[0], 1, 1e-8);
  EXPECT_NEAR(skew.lambda[1], 1, 1e-8);
}

TEST(ConeInteriorPoint, TimeThatIsOver_EndsTheRun) {
  ConePath column(hitColumn(FrictionModel::kCone, 1));
  const Timer timer;
  EXPECT_EQ(column.run(Allowance({&timer, 0})), SolveStatus::kTimeLimit);
  EXPECT_EQ(column.report.factorizations, 0);
}

}  // namespace
}  // namespace drystone::test
