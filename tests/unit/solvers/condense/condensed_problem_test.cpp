#include "solvers/condense/condensed_problem.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "core/random.h"
#include "solvers/default_registry.h"
#include "solvers/driver/solve.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/problem/residual.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/problem_builder.h"

namespace drystone {
namespace {

enum class Joints { kChain, kLoop, kTwice };

/// Ten boxes in a row, tied by ball joints as a chain, with its ends tied too, or twice each;
/// limits about some joints, contacts under some bodies and with a body that is free.
StoredProblem machine(Joints joints, Real compliance = 0,
                      FrictionModel model = FrictionModel::kCone) {
  Random random(5);
  test::ProblemBuilder builder(model);
  constexpr int kBodies = 10;
  for (int i = 0; i < kBodies; ++i) {
    Vec6 velocity;
    for (Real& x : velocity) x = random.uniform(-1, 1);
    const Real angle = 2 * M_PI * i / kBodies;
    builder.addBox(1 + i, {0.5, 0.3, 0.2}, Vec3(3 * std::cos(angle), 3 * std::sin(angle), 0),
                   velocity);
  }
  const int pairs = joints == Joints::kLoop ? kBodies : kBodies - 1;
  const auto between = [&](int i) {
    const Real angle = 2 * M_PI * (i + 0.5) / kBodies;
    return Vec3(3 * std::cos(angle), 3 * std::sin(angle), 0);
  };
  for (int i = 0; i < pairs; ++i) {
    for (int copy = 0; copy < (joints == Joints::kTwice ? 2 : 1); ++copy) {
      builder.addBallJoint(i, (i + 1) % kBodies, between(i));
    }
  }
  for (int i = 0; i < 4; ++i) builder.addAngularRow(i, i + 1, Vec3::UnitZ(), -0.1, 0.2);
  for (int i = 0; i < kBodies; i += 2) {
    const Real angle = 2 * M_PI * i / kBodies;
    builder.addContact(-1, i, Vec3(3 * std::cos(angle), 3 * std::sin(angle), -0.2), Vec3::UnitZ(),
                       0.6);
  }
  const int free = builder.addSphere(2, 0.4, {3, 0, 0.6});
  builder.addContact(0, free, {3, 0, 0.2}, Vec3::UnitZ(), 0.4);
  if (compliance > 0) builder.setCompliance(compliance);
  return builder.build();
}

/// Rows without bounds, and the others, by a scan of the problem.
std::pair<std::vector<int>, std::vector<int>> splitRows(const StoredProblem& problem) {
  std::vector<int> bilateral, others;
  for (const ProblemBlock& block : problem.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      const bool isFree = block.law == BlockLaw::kRows && problem.lower[row] == -kInfinity &&
                          problem.upper[row] == kInfinity;
      (isFree ? bilateral : others).push_back(row);
    }
  }
  return {bilateral, others};
}

MatX delassus(const StoredProblem& problem) {
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem.view(), workspace, matrix);
  return matrix.toDense();
}

TEST(CondensedProblem, SchurComplement_IsThatOfTheDenseMatrix) {
  for (const Real compliance : {0.0, 1e-3}) {
    for (const Joints joints : {Joints::kChain, Joints::kLoop}) {
      const StoredProblem full = machine(joints, compliance);
      CondensedProblem condensed;
      condensed.analyze(full.view());
      ASSERT_TRUE(condensed.make(1e-9));
      const auto [bilateral, others] = splitRows(full);
      const MatX a = delassus(full);
      const VecX b =
          Eigen::Map<const VecX>(full.b.data(), static_cast<Eigen::Index>(full.b.size()));
      const MatX coupling = a(bilateral, others);
      const Eigen::FullPivLU<MatX> lu(a(bilateral, bilateral));
      const MatX schur = a(others, others) - coupling.transpose() * lu.solve(coupling);
      const VecX right = b(others) - coupling.transpose() * lu.solve(VecX(b(bilateral)));
      const ContactProblem small = condensed.problem();
      ASSERT_EQ(condensed.eliminatedRows(), std::ssize(bilateral));
      ASSERT_EQ(small.rowCount(), std::ssize(others));
      const MatX made = small.assembled->toDense();
      EXPECT_LE((made - schur).cwiseAbs().maxCoeff(), 1e-11 * schur.cwiseAbs().maxCoeff());
      EXPECT_EQ(small.assembled->asymmetry(), 0);
      for (int row = 0; row < small.rowCount(); ++row) {
        EXPECT_NEAR(small.b[row], right[row], 1e-11) << row;
        EXPECT_EQ(small.lower[row], full.lower[others[row]]);
        EXPECT_EQ(small.upper[row], full.upper[others[row]]);
      }
    }
  }
}

TEST(CondensedProblem, Expanded_JointsHoldAndOtherRowsMoveAsCondensed) {
  for (const Joints joints : {Joints::kChain, Joints::kLoop, Joints::kTwice}) {
    const StoredProblem full = machine(joints);
    CondensedProblem condensed;
    condensed.analyze(full.view());
    ASSERT_TRUE(condensed.make(1e-9));
    const auto [bilateral, others] = splitRows(full);
    std::vector<Real> lambda(full.b.size(), 0);
    Random random(3);
    for (Real& x : lambda) x = random.uniform(-1, 1);
    condensed.restrict(lambda, {});
    std::vector<RowState> states(lambda.size(), RowState::kUnknown);
    EXPECT_LE(condensed.expand(), 1e-13);
    condensed.write({lambda, states});
    std::vector<Vec6> velocity(full.bodies.size());
    std::vector<Real> w(lambda.size());
    constraintVelocity(full.view(), lambda, velocity, w);
    for (const int row : bilateral) {
      EXPECT_NEAR(w[row], 0, 1e-13);
      EXPECT_EQ(states[row], RowState::kFree);
    }
    const ContactProblem small = condensed.problem();
    std::vector<Real> kept(small.b.size());
    small.assembled->multiply(condensed.impulses().lambda, kept);
    for (int row = 0; row < small.rowCount(); ++row) {
      EXPECT_NEAR(w[others[row]], kept[row] + small.b[row], 1e-11) << row;
    }
    EXPECT_LE(condensed.correct(), 1e-11);
  }
}

// The judge counts a limit of large bodies at their radius of gyration, 16 m of cubes of 40 m; a
// method that gets S, without the bodies, must stop by the same measure.
TEST(CondensedProblem, AngularRows_CountAtTheArmOfTheWholeProblem) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  for (int i = 0; i < 2; ++i) builder.addBox(5, {20, 20, 20}, {41.0 * i, 0, 0}, Vec6::Ones());
  builder.addBallJoint(0, 1, {20.5, 0, 0});
  builder.addAngularRow(0, 1, Vec3::UnitZ(), -0.1, 0.2);
  const StoredProblem full = builder.build();
  CondensedProblem condensed;
  condensed.analyze(full.view());
  ASSERT_TRUE(condensed.make(1e-9));
  ASSERT_EQ(condensed.keptRows(), 1);
  const Real lambda = 0, w = 0.5;  // [N m s], [rad/s]
  const Real whole = blockError(full.view(), 1, 1e-3, &lambda, &w).squared;
  EXPECT_NEAR(whole, std::pow(0.5 * 20, 2) * 2 / 3, 1e-9);
  EXPECT_EQ(blockError(condensed.problem(), 0, 1e-3, &lambda, &w).squared, whole);
}

// A joint that is there twice holds as one: the redundant rows share the impulse.
TEST(CondensedProblem, RedundantJoints_LeaveTheSameSchurComplement) {
  const StoredProblem once = machine(Joints::kChain), twice = machine(Joints::kTwice);
  CondensedProblem one, two;
  one.analyze(once.view());
  two.analyze(twice.view());
  ASSERT_TRUE(one.make(1e-9));
  ASSERT_TRUE(two.make(1e-9));
  const MatX expected = one.problem().assembled->toDense();
  const MatX made = two.problem().assembled->toDense();
  EXPECT_LE((made - expected).cwiseAbs().maxCoeff(), 1e-11 * expected.cwiseAbs().maxCoeff());
}

// Two joints of the same pair that ask for different velocities: no impulse satisfies both.
TEST(CondensedProblem, ContradictingJoints_HaveNoCondensedForm) {
  StoredProblem full = machine(Joints::kTwice);
  full.b[0] += 0.1;
  CondensedProblem condensed;
  condensed.analyze(full.view());
  EXPECT_FALSE(condensed.make(1e-6));
}

TEST(CondensedProblem, OnlyJoints_LeaveNoRow) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  for (int i = 0; i < 3; ++i) builder.addSphere(1, 0.2, Vec3(i, 0, 0));
  builder.addBallJoint(-1, 0, {-0.5, 0, 0});
  for (int i = 0; i < 2; ++i) builder.addBallJoint(i, i + 1, {i + 0.5, 0, 0});
  const StoredProblem full = builder.build();
  CondensedProblem condensed;
  condensed.analyze(full.view());
  ASSERT_TRUE(condensed.make(1e-9));
  EXPECT_EQ(condensed.keptRows(), 0);
  std::vector<Real> lambda(full.b.size(), 0);
  condensed.restrict(lambda, {});
  EXPECT_LE(condensed.expand(), 1e-15);
}

TEST(CondensedProblem, SecondProblemOfTheSameJoints_AllocatesNothing) {
  const StoredProblem full = machine(Joints::kLoop);
  CondensedProblem condensed;
  std::vector<Real> lambda(full.b.size(), 0);
  const auto pass = [&] {
    condensed.analyze(full.view());
    EXPECT_TRUE(condensed.make(1e-9));
    condensed.restrict(lambda, {});
    condensed.expand();
    condensed.correct();
    condensed.write({lambda, {}});
  };
  pass();
  const std::int64_t before = test::allocationCount();
  pass();
  EXPECT_EQ(test::allocationCount(), before);
}

SolveResult solveBy(const char* name, const StoredProblem& problem, Condensation condensation,
                    std::vector<Real>& lambda) {
  const SolverRegistry registry = makeDefaultRegistry();
  const auto solver = registry.create(name);
  const ContactProblem view = problem.view();
  solver->reserve({view.bodyCount(), view.blockCount(), view.rowCount()});
  SolveWorkspace workspace;
  lambda.assign(problem.b.size(), 0);
  std::vector<RowState> states(problem.b.size(), RowState::kUnknown);
  return solveProblem(*solver, view, {.tolerance = 1e-9}, {lambda, states}, workspace, nullptr,
                      condensation);
}

TEST(CondensedProblem, MadeTwice_IsTheSame) {
  const StoredProblem full = machine(Joints::kLoop);
  CondensedProblem condensed;
  condensed.analyze(full.view());
  ASSERT_TRUE(condensed.make(1e-9));
  const MatX first = condensed.problem().assembled->toDense();
  ASSERT_TRUE(condensed.make(1e-9));
  EXPECT_EQ(condensed.problem().assembled->toDense(), first);
}

// A joint of which one row has a bound.
TEST(CondensedProblem, BlockOfBothKindsOfRows_IsSplit) {
  StoredProblem full = machine(Joints::kChain);
  full.lower[1] = -0.05;
  CondensedProblem condensed;
  condensed.analyze(full.view());
  ASSERT_TRUE(condensed.make(1e-9));
  EXPECT_EQ(condensed.eliminatedRows(), 26);
  const auto [bilateral, others] = splitRows(full);
  const MatX a = delassus(full);
  const MatX coupling = a(bilateral, others);
  const MatX schur =
      a(others, others) -
      coupling.transpose() * Eigen::FullPivLU<MatX>(a(bilateral, bilateral)).solve(coupling);
  const MatX made = condensed.problem().assembled->toDense();
  EXPECT_LE((made - schur).cwiseAbs().maxCoeff(), 1e-11 * schur.cwiseAbs().maxCoeff());
}

TEST(CondensedProblem, NumberThatIsNotFinite_HasNoCondensedForm) {
  StoredProblem full = machine(Joints::kChain);
  full.b[0] = std::nan("");
  CondensedProblem condensed;
  condensed.analyze(full.view());
  EXPECT_FALSE(condensed.make(1e300));
}

TEST(CondensedProblem, TimeThatIsOver_EndsIt) {
  const StoredProblem full = machine(Joints::kChain);
  CondensedProblem condensed;
  condensed.analyze(full.view());
  const Timer timer;
  EXPECT_FALSE(condensed.make(1e-9, {&timer, 0}));
}

TEST(Condensation, AnswerOfEachMethod_MovesTheBodiesAsWithoutIt) {
  const StoredProblem problem = machine(Joints::kChain);
  std::vector<Real> reference;
  ASSERT_TRUE(solveBy("bpp", problem, Condensation::kNever, reference).withinTolerance);
  std::vector<Vec6> expected(problem.bodies.size()), velocity(problem.bodies.size());
  impulseToVelocity(problem.view(), reference, expected);
  for (const char* name : {"bpp", "bpp-auto", "staggered", "nsgs", "lemke"}) {
    std::vector<Real> lambda;
    const SolveResult result = solveBy(name, problem, Condensation::kAlways, lambda);
    EXPECT_TRUE(result.withinTolerance) << name;
    EXPECT_EQ(result.solver.eliminatedRows, 27) << name;
    impulseToVelocity(problem.view(), lambda, velocity);
    for (std::size_t body = 0; body < velocity.size(); ++body) {
      EXPECT_LE((velocity[body] - expected[body]).norm(), 1e-7) << name << ", body " << body;
    }
  }
}

TEST(Condensation, Auto_IsForSweepsAndForFewRowsOfLargeIslands) {
  const StoredProblem problem = machine(Joints::kChain);
  std::vector<Real> lambda;
  EXPECT_EQ(solveBy("nsgs", problem, Condensation::kAuto, lambda).solver.eliminatedRows, 27);
  EXPECT_EQ(solveBy("bpp-auto", problem, Condensation::kAuto, lambda).solver.eliminatedRows, 0);
  EXPECT_EQ(solveBy("sor-prox-wide", problem, Condensation::kAlways, lambda).solver.eliminatedRows,
            0);
  EXPECT_EQ(solveBy("nsgs", problem, Condensation::kNever, lambda).solver.eliminatedRows, 0);
}

/// A box that three joints hold entirely, on the ground and under another box: S is singular there.
/// A chain hangs on it.
StoredProblem weldedBox(int links) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  const int held = builder.addBox(1, {0.5, 0.5, 0.5}, {0, 0, 0.5});
  builder.addBallJoint(-1, held, {0.5, 0, 0.5});
  builder.addBallJoint(-1, held, {-0.5, 0, 0.5});
  builder.addBallJoint(-1, held, {0, 0.5, 0.5});
  builder.addContact(-1, held, {0.5, 0, 0}, Vec3::UnitZ(), 0.5);
  builder.addContact(-1, held, {-0.5, 0, 0}, Vec3::UnitZ(), 0.5);
  const int upper = builder.addBox(1, {0.5, 0.5, 0.5}, {0, 0, 1.5});
  for (const Vec3& point : {Vec3(0.4, 0, 1), Vec3(-0.4, 0.3, 1), Vec3(-0.4, -0.3, 1)}) {
    builder.addContact(held, upper, point, Vec3::UnitZ(), 0.5);
  }
  int last = held;
  for (int i = 0; i < links; ++i) {
    const int link = builder.addSphere(1, 0.1, Vec3(1 + i, 0, 0.5));
    builder.addBallJoint(last, link, {0.5 + i, 0, 0.5});
    last = link;
  }
  return builder.build();
}

TEST(Condensation, BodyThatJointsHoldEntirely_IsSolvedAsGivenWhereTheCondensedAnswerFails) {
  const StoredProblem problem = weldedBox(0);
  for (const char* name : {"bpp", "nsgs", "murty", "auto", "staggered"}) {
    std::vector<Real> lambda;
    const SolveResult result = solveBy(name, problem, Condensation::kAlways, lambda);
    EXPECT_LE(result.judge.naturalMap, 1e-9) << name;
  }
}

TEST(Condensation, LargeIslandWithAHeldBody_IsSolvedByTheDefault) {
  std::vector<Real> lambda;
  const SolveResult result = solveBy("auto", weldedBox(400), Condensation::kAuto, lambda);
  EXPECT_TRUE(result.withinTolerance) << result.judge.naturalMap;
}

// Sweeps in the factorized form take no assembled problem.
TEST(Condensation, FormThatTheMethodDoesNotTake_IsLeftOut) {
  const SolverRegistry registry = makeDefaultRegistry();
  const SolverSetting scheme{"scheme", std::string("factorized")};
  const auto solver = registry.create("sor-prox", {&scheme, 1});
  const StoredProblem problem = machine(Joints::kChain);
  std::vector<Real> lambda(problem.b.size(), 0);
  std::vector<RowState> states(problem.b.size(), RowState::kUnknown);
  SolveWorkspace workspace;
  const SolveResult result =
      solveProblem(*solver, problem.view(), {.iterations = 50}, {lambda, states}, workspace);
  EXPECT_NE(result.solver.status, SolveStatus::kUnsupported);
  EXPECT_EQ(result.solver.eliminatedRows, 0);
}

TEST(Condensation, ManyContactsOnOneHeldBody_AreNotCondensed) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  const int plate = builder.addBox(100, {50, 1, 0.1}, {0, 0, 0});
  builder.addBallJoint(-1, plate, {0, 0, 0});
  for (int i = 0; i < 100; ++i) {
    const int ball = builder.addSphere(1, 0.2, Vec3(i - 50, 0, 0.3));
    builder.addContact(plate, ball, Vec3(i - 50, 0, 0.1), Vec3::UnitZ(), 0.5);
  }
  std::vector<Real> lambda;
  const SolveResult result = solveBy("nsgs", builder.build(), Condensation::kAlways, lambda);
  EXPECT_EQ(result.solver.eliminatedRows, 0);
}

TEST(Condensation, IterationsOfTheBudget_AreThoseOfAllRounds) {
  const SolverRegistry registry = makeDefaultRegistry();
  const auto solver = registry.create("nsgs");
  const StoredProblem problem = weldedBox(0);
  for (const int iterations : {1, 10, 100}) {
    std::vector<Real> lambda(problem.b.size(), 0);
    std::vector<RowState> states(problem.b.size(), RowState::kUnknown);
    SolveWorkspace workspace;
    const SolveResult result =
        solveProblem(*solver, problem.view(), {.tolerance = 1e-12, .iterations = iterations},
                     {lambda, states}, workspace, nullptr, Condensation::kAlways);
    EXPECT_LE(result.solver.iterations, iterations);
  }
}

TEST(Condensation, NaNInTheWarmStartOfAJoint_DoesNoHarm) {
  const SolverRegistry registry = makeDefaultRegistry();
  const auto solver = registry.create("nsgs");
  const StoredProblem problem = machine(Joints::kChain);
  std::vector<Real> lambda(problem.b.size(), std::nan(""));
  std::vector<RowState> states(problem.b.size(), RowState::kUnknown);
  SolveWorkspace workspace;
  const SolveResult result = solveProblem(*solver, problem.view(), {}, {lambda, states}, workspace,
                                          nullptr, Condensation::kAlways);
  EXPECT_TRUE(result.withinTolerance);
  EXPECT_EQ(result.solver.eliminatedRows, 27);
}

TEST(Condensation, NumberThatIsNotFinite_IsLeftToTheSolver) {
  StoredProblem problem = machine(Joints::kChain);
  problem.jacobianA[0][0] = std::nan("");
  std::vector<Real> lambda;
  const SolveResult result = solveBy("nsgs", problem, Condensation::kAlways, lambda);
  EXPECT_EQ(result.solver.eliminatedRows, 0);
  EXPECT_FALSE(result.withinTolerance);
  for (const Real x : lambda) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace drystone
