#include <gtest/gtest.h>

#include "core/input_error.h"
#include "solvers/driver/settings.h"
#include "solvers/prox/quality.h"
#include "tests/support/allocation_counter.h"
#include "tests/unit/solvers/prox/prox_variants.h"

namespace drystone {
namespace {

using test::makeSolver;
using test::Order;
using test::Solved;
using test::solveWith;

class Prox : public test::ProxVariants {};
INSTANTIATE_TEST_SUITE_P(Variants, Prox, ::testing::ValuesIn(test::allVariants()),
                         test::variantName);

// Closed forms of problems.h, m = 2 kg, m g h = 0.1962. The tolerance in impulse is that in
// velocity, 1e-11 m/s, times the mass.
TEST_P(Prox, Sphere_SticksSlipsAndLiftsInClosedForm) {
  const Solved sticks = solveWith(
      *solver, budget, test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3(0.05, 0, 0)));
  EXPECT_EQ(sticks.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(sticks.lambda[0], 0.1962, 4e-11);
  EXPECT_NEAR(sticks.lambda[1], -1.0 / 35, 4e-11);
  const Solved slips = solveWith(
      *solver, budget, test::sphereOnPlane(FrictionModel::kCone, 2, 0.1, Vec3(0.6, 0.8, 0)));
  EXPECT_NEAR(slips.lambda[1], -0.01962 * 0.6, 4e-11);
  EXPECT_NEAR(slips.lambda[2], -0.01962 * 0.8, 4e-11);
  const Solved lifts = solveWith(*solver, budget, test::sphereLiftingOff(FrictionModel::kCone));
  EXPECT_EQ(lifts.lambda, (std::vector<Real>{0, 0, 0}));
}

// sphereSpinning: I/R = 4 kg m, so that a spin of 0.01 rad/s takes λ_τ = −0.04, and one of 1 rad/s
// the bound 2/3 · 0.5 · 0.1962 = 0.0654.
TEST_P(Prox, SpinningSphere_IsStoppedByTorsionUpToItsBound) {
  const Solved stops =
      solveWith(*solver, budget, test::sphereSpinning(FrictionModel::kContensou, 0.5, 0.01));
  EXPECT_EQ(stops.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(stops.lambda[3], -0.04, 1e-9);
  EXPECT_NEAR(stops.w[3], 0, 1e-10);
  const Solved spins =
      solveWith(*solver, budget, test::sphereSpinning(FrictionModel::kContensou, 0.5, 1));
  EXPECT_EQ(spins.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(spins.lambda[3], -0.0654, 1e-9);
  EXPECT_NEAR(spins.w[3], 0.05 * (1 - 0.0654 / 4), 1e-10);
}

// Rows that nothing moves take the bound that b points at, and the least impulse where there is no
// b.
TEST_P(Prox, RowsThatNothingMoves_LeanOnTheirBounds) {
  const StoredProblem problem = test::sphereBesideFixedBody(FrictionModel::kBox);
  const Solved answer =
      solveWith(*solver, budget, problem, std::vector<Real>(problem.b.size(), 0.01));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_LE(answer.judged.naturalMap, 1.01e-11);
  // Its contact moves by (0.3, −0.2) m/s and opens: friction of `box`, μ λ̄_n = 0.1, all the same.
  EXPECT_EQ(answer.lambda[3], 0);
  EXPECT_EQ(std::abs(answer.lambda[4]), 0.1);
  EXPECT_EQ(std::abs(answer.lambda[5]), 0.1);
  EXPECT_EQ(answer.lambda[6], -0.02);
  EXPECT_EQ(answer.lambda[7], 0.01);
  EXPECT_EQ(answer.lambda[8], 0);
}

// Joint k of n carries (n − k) m g h against gravity (problems.h), A's inverse norm amplifies the
// tolerance of 1e-11 m/s by at most n².
TEST_P(Prox, HangingChain_CarriesTheWeightBelow) {
  const int links = 6;
  const Solved answer = solveWith(*solver, budget, test::hangingChain(links));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  for (int joint = 0; joint < links; ++joint) {
    EXPECT_NEAR(answer.lambda[3 * joint + 2], (links - joint) * test::kGravity * test::kTimestep,
                1e-9);
  }
}

// The four corners of each face carry what stands above it.
TEST_P(Prox, BoxStack_CarriesTheWeightAbove) {
  const Solved answer =
      solveWith(*solver, budget, test::boxStack(FrictionModel::kCone, {1, 2, 4}, 0.5));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  const Real above[] = {7, 6, 4};
  for (int face = 0; face < 3; ++face) {
    Real sum = 0;
    for (int corner = 0; corner < 4; ++corner) sum += answer.lambda[12 * face + 3 * corner];
    EXPECT_NEAR(sum, above[face] * test::kGravity * test::kTimestep, 1e-9);
  }
}

TEST_P(Prox, Wedge_SharesTheWeightByItsAngle) {
  const Solved answer = solveWith(*solver, budget, test::sphereInWedge(FrictionModel::kCone, 0.6));
  const Real expected = test::kGravity * test::kTimestep / (2 * std::cos(0.6));
  EXPECT_NEAR(answer.lambda[0], expected, 1e-10);
  EXPECT_NEAR(answer.lambda[3], expected, 1e-10);
}

TEST_P(Prox, EveryModelWithJointsAndContacts_ConvergesByTheJudge) {
  for (int i = 0; i < kFrictionModelCount; ++i) {
    const auto model = static_cast<FrictionModel>(i);
    SCOPED_TRACE(frictionModelName(model));
    budget.tolerance = 1e-8;
    const Solved answer = solveWith(*solver, budget, test::pileWithJoints(model, 0.3, 3));
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_LE(answer.judged.naturalMap, 1.001e-8);
    EXPECT_EQ(answer.report.stepReductions, 0);
  }
}

TEST_P(Prox, WarmStartAtTheSolution_EndsWithoutASweep) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.3, 3);
  budget.tolerance = 1e-9;
  const Solved first = solveWith(*solver, budget, problem);
  budget.tolerance = 1e-8;
  const Solved second = solveWith(*solver, budget, problem, first.lambda);
  EXPECT_EQ(second.report.iterations, 0);
  EXPECT_EQ(second.lambda, first.lambda);
}

TEST_P(Prox, NaNInTheWarmStart_IsDropped) {
  const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 3, 0.4);
  const std::vector<Real> poisoned(12, std::numeric_limits<Real>::quiet_NaN());
  EXPECT_EQ(solveWith(*solver, budget, problem, poisoned).report.status, SolveStatus::kConverged);
}

TEST_P(Prox, SecondSolve_AllocatesNothing) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.3, 3);
  std::vector<Real> lambda(problem.b.size());
  std::vector<RowState> state(problem.b.size());
  solver->solve(problem.view(), budget, {lambda, state});
  std::fill(lambda.begin(), lambda.end(), 0);
  const auto before = test::allocationCount();
  solver->solve(problem.view(), budget, {lambda, state});
  EXPECT_EQ(test::allocationCount(), before);
}

// One R for all rows, from the spectrum, suits a problem of one unit and equal masses.
TEST_P(Prox, GlobalStep_ConvergesToo) {
  solver->settings.step = StepStrategy::kGlobal;
  budget.tolerance = 1e-7;
  const Solved answer =
      solveWith(*solver, budget, test::boxStack(FrictionModel::kCone, {1, 1}, 0.5));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
}

TEST(ProxSettings, RelaxationOfTwo_IsRefused) {
  SorProxSolver solver;
  applySetting(solver, "relaxation", 1.999);
  EXPECT_THROW(applySetting(solver, "relaxation", 2.0), InputError);
}

TEST(SorProx, ReservedSolve_AllocatesNothingEvenTheFirstTime) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kContensou, 0.3, 3);
  std::vector<Real> lambda(problem.b.size());
  std::vector<RowState> state(problem.b.size());
  SorProxSolver solver;
  const ContactProblem view = problem.view();
  solver.reserve({view.bodyCount(), view.blockCount(), view.rowCount()});
  const auto before = test::allocationCount();
  solver.solve(view, {}, {lambda, state});
  EXPECT_EQ(test::allocationCount(), before);
}

// Jacobi's R factors differ between the schemes, those of Gauss-Seidel do not.
TEST(ProxSchemes, AgreeSweepBySweep) {
  // Off the centre of a box the normal turns it, which its tangents feel; under a sphere they do
  // not.
  for (const StoredProblem& problem : {test::pileWithJoints(FrictionModel::kCone, 0.4, 9),
                                       test::boxStack(FrictionModel::kCone, {1, 2, 1}, 0.4)}) {
    for (const Order order : {Order::kSor, Order::kColored}) {
      std::vector<std::vector<Real>> lambda;
      for (const auto scheme : {ProxScheme::kFactorized, ProxScheme::kNaive, ProxScheme::kT}) {
        const std::unique_ptr<ProxSolver> solver = makeSolver({order, scheme}, 0);
        Budget budget;
        budget.iterations = 17;
        solver->settings.stopping.checkEvery = 100;
        lambda.push_back(solveWith(*solver, budget, problem).lambda);
      }
      for (std::size_t row = 0; row < lambda[0].size(); ++row) {
        EXPECT_NEAR(lambda[1][row], lambda[0][row], 1e-12);
        EXPECT_NEAR(lambda[2][row], lambda[0][row], 1e-12);
      }
    }
  }
}

// With the local rule they are the same under simultaneous updates too: the tangents see the change
// of their own normal, which turns a box about its corners.
TEST(ProxSchemes, SimultaneousSweepsWithLocalSteps_Agree) {
  for (const StoredProblem& problem :
       {test::boxStack(FrictionModel::kCone, {1, 2, 1}, 0.4),
        test::randomPile(FrictionModel::kPyramid, 3, 3, 3, 0.4, 7)}) {
    std::vector<std::vector<Real>> lambda;
    for (const auto scheme : {ProxScheme::kFactorized, ProxScheme::kNaive, ProxScheme::kT}) {
      JacobiProxSolver solver;
      Budget budget;
      solver.settings.scheme = scheme;
      solver.settings.step = StepStrategy::kLocal;
      solver.settings.relaxation = 0.3;
      budget.iterations = 17;
      solver.settings.stopping.checkEvery = 100;
      lambda.push_back(solveWith(solver, budget, problem).lambda);
    }
    for (std::size_t row = 0; row < lambda[0].size(); ++row) {
      EXPECT_NEAR(lambda[1][row], lambda[0][row], 1e-12);
      EXPECT_NEAR(lambda[2][row], lambda[0][row], 1e-12);
    }
  }
}

TEST(ProxSchemes, HalvedStepsOfT_AreThoseOfTheOthers) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kPyramid, 0.4, 4);
  const ContactProblem view = problem.view();
  SweepPlan plan;
  plan.setSequential(view);
  NaiveSystem naive;
  TSystem t;
  std::vector<Real> start(problem.b.size(), 0.01), a = start, b = start;
  for (ProxSystem* system : std::initializer_list<ProxSystem*>{&naive, &t}) {
    system->prepare(view, plan, {}, 1);
    system->setImpulses(start);
    system->scaleSteps(0.5);
    for (int i = 0; i < 5; ++i) system->sweep();
    system->getImpulses(system == &t ? a : b);
  }
  for (std::size_t row = 0; row < a.size(); ++row) EXPECT_NEAR(a[row], b[row], 1e-13);
}

// Links of a chain meet two by two: sharing masses is cautious, the plain rule converges and
// faster.
TEST(JacobiProx, LocalStepsTakeFewerSweepsThanSplitOnesWhereTheyConverge) {
  int sweeps[2] = {};
  for (const StepStrategy step : {StepStrategy::kSplit, StepStrategy::kLocal}) {
    JacobiProxSolver solver;
    Budget budget;
    solver.settings.step = step;
    budget.tolerance = 1e-8;
    budget.iterations = 100'000;
    const Solved answer = solveWith(solver, budget, test::hangingChain(6));
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_EQ(answer.report.stepReductions, 0);
    sweeps[step == StepStrategy::kLocal ? 1 : 0] = answer.report.iterations;
  }
  EXPECT_LT(2 * sweeps[1], sweeps[0]);
}

// A sphere of 2 kg that falls at v on the plane: λ_n = 2 v solves it; without impulses the prox is
// r v, so that γ is (r v)²/2. Each sweep that halves the way quarters it.
TEST(QualityFigure, IsHalfTheSquareOfWhatOneProxStepChanges) {
  const StoredProblem problem = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  const Real v = std::abs(problem.b[0]);
  const auto gamma = [&](Real lambda, Real r) {
    return qualityFigure(problem.view(), std::vector<Real>{lambda, 0, 0}, r);
  };
  EXPECT_NEAR(gamma(0, 100), std::pow(100 * v, 2) / 2, 1e-9);
  EXPECT_NEAR(gamma(0, 10), std::pow(10 * v, 2) / 2, 1e-11);
  EXPECT_NEAR(gamma(v, 100), std::pow(50 * v, 2) / 2, 1e-9);
  EXPECT_NEAR(gamma(2 * v, 100), 0, 1e-20);
  EXPECT_NEAR(gamma(3 * v, 100), std::pow(3 * v, 2) / 2, 1e-12);  // cannot pull: back to zero
}

// 2 and 8 threads, with an unsafe color and without; joints and contacts.
TEST(ProxThreads, ChangeNoBit) {
  for (const StoredProblem& problem : {test::pileWithJoints(FrictionModel::kCone, 0.4, 2),
                                       test::randomPile(FrictionModel::kCone, 9, 9, 9, 0.5, 2)}) {
    for (const Order order : {Order::kJacobi, Order::kColored}) {
      for (const auto scheme : {ProxScheme::kFactorized, ProxScheme::kNaive, ProxScheme::kT}) {
        std::vector<Real> lambda;
        for (const int threads : {1, 2, 8}) {
          const std::unique_ptr<ProxSolver> solver = makeSolver({order, scheme}, 0.1);
          Budget budget;
          budget.iterations = 12;
          solver->settings.stopping.checkEvery = 5;
          budget.threads = threads;
          const Solved answer = solveWith(*solver, budget, problem);
          if (threads == 1) {
            lambda = answer.lambda;
          } else {
            EXPECT_EQ(answer.lambda, lambda);
          }
        }
      }
    }
  }
}

// Contacts in the order of their colors, swept one after another, are the colored sweep.
TEST(SorProxColored, EqualsTheSequentialSweepOfItsOrder) {
  const Budget budget{.iterations = 15};
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 5, 5, 5, 0.5, 3);
  SorProxColoredSolver colored;
  SorProxSolver sequential;
  for (ProxSolver* solver : std::initializer_list<ProxSolver*>{&colored, &sequential}) {
    solver->settings.stopping.checkEvery = 100;
  }
  colored.coloringSettings.leastShare = 0;
  Coloring coloring;
  SweepPlan plan;
  coloring.plan(problem.view(), colored.coloringSettings, plan);
  StoredProblem ordered = problem;
  for (int k = 0; k < plan.blockCount(); ++k) ordered.blocks[k] = problem.blocks[plan.blocks[k]];
  EXPECT_NE(plan.blocks[1], 1);
  EXPECT_EQ(solveWith(colored, budget, problem).lambda,
            solveWith(sequential, budget, ordered).lambda);
}

TEST(SorProx, FactorizedSchemeOnAssembledForm_IsUnsupportedAndLeavesImpulses) {
  SorProxSolver solver;
  solver.settings.scheme = ProxScheme::kFactorized;
  const StoredProblem twin = test::assembled(test::boxOnPlane(FrictionModel::kCone, 3, 0.4));
  const std::vector<Real> start(12, 0.5);
  const Solved answer = solveWith(solver, twin, start);
  EXPECT_EQ(answer.report.status, SolveStatus::kUnsupported);
  EXPECT_EQ(answer.lambda, start);
}

TEST(SorProx, SameProblemTwice_GivesTheSameBits) {
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 4, 4, 4, 0.5, 1);
  SorProxSolver first, second;
  const Solved a = solveWith(first, problem);
  solveWith(second, test::hangingChain(3));
  const Solved b = solveWith(second, problem);
  EXPECT_EQ(a.lambda, b.lambda);
}

}  // namespace
}  // namespace drystone
