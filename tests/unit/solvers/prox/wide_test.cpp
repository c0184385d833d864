// Sweeps in vector lanes: those of the colored sweep, in another precision and several at a time.
#include <gtest/gtest.h>

#include <cstring>

#include "core/random.h"
#include "solvers/problem/judge.h"
#include "solvers/prox/sor_prox_wide.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone {
namespace {

using test::kFrictionModels;

using test::Solved;
using test::solveWith;

Budget sweepOnly(ProxSolver& solver, int sweeps) {
  solver.settings.stopping.checkEvery = sweeps + 1;
  return {.iterations = sweeps};
}

// With all colors safe, and with one that is swept at once; impulses here are some 1 N s, and 25
// sweeps add up round-off of 6e-8 of that in single precision.
TEST(SorProxWide, SweepsAsTheColoredSweepOfContacts) {
  for (const FrictionModel model : kFrictionModels) {
    if (contactRows(model) > kMostNarrowRows) continue;
    for (const Real least : {0.0, 0.2}) {
      for (const bool isPile : {true, false}) {
        StoredProblem problem =
            isPile ? test::randomPile(model, 4, 4, 4, 0.5, 2) : test::pileWithJoints(model, 0.5, 2);
        for (ProblemBlock& block : problem.blocks) block.normalBound = 0.2;
        SorProxColoredSolver colored;
        colored.coloringSettings = {ColorChoice::kGreedy, ColorUnit::kContact, least};
        const Budget budget = sweepOnly(colored, 25);
        const std::vector<Real> expected = solveWith(colored, budget, problem).lambda;
        for (const SweepPrecision precision : {SweepPrecision::kDouble, SweepPrecision::kFloat}) {
          SorProxWideSolver wide;
          wide.precision = precision;
          wide.coloringSettings.leastShare = least;
          sweepOnly(wide, 25);
          const Real tolerance = precision == SweepPrecision::kDouble ? 1e-12 : 2e-5;
          EXPECT_LT(test::largestDifference(solveWith(wide, budget, problem).lambda, expected),
                    tolerance)
              << frictionModelName(model) << " least " << least << ", " << problem.blocks.size()
              << " blocks";
        }
      }
    }
  }
}

TEST(SorProxWide, ConvergesToWhatItsPrecisionHolds) {
  for (const FrictionModel model : kFrictionModels) {
    if (contactRows(model) > kMostNarrowRows) continue;
    StoredProblem problem = test::pileWithJoints(model, 0.4, 6);
    for (ProblemBlock& block : problem.blocks) block.normalBound = 0.2;
    for (const auto precision :
         {SweepPrecision::kDouble, SweepPrecision::kMixed, SweepPrecision::kFloat}) {
      SorProxWideSolver wide;
      wide.precision = precision;
      const Budget budget{.tolerance = 1e-10, .iterations = 20000};
      const Solved answer = solveWith(wide, budget, problem);
      const bool isFloat = precision == SweepPrecision::kFloat;
      EXPECT_EQ(answer.report.status, isFloat ? SolveStatus::kStalled : SolveStatus::kConverged)
          << frictionModelName(model);
      EXPECT_LE(answer.judged.naturalMap, isFloat ? 1e-5 : 1e-10);
      EXPECT_LE(answer.judged.coneExcess, 1e-15);  // on the set in double, whatever the sweeps did
    }
  }
}

TEST(SorProxWide, OtherCriteriaAreMetInDouble) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.4, 6);
  for (const auto criterion : {StopCriterion::kRelative, StopCriterion::kImpulseChange}) {
    SorProxWideSolver wide;
    wide.settings.stopping.criterion = criterion;
    wide.settings.stopping.relativeTolerance = 1e-11;
    const Solved answer = solveWith(wide, {.iterations = 20000}, problem);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_LT(answer.judged.naturalMap, 1e-7);
  }
}

TEST(SorProxWide, ThreadsChangeNoBit) {
  for (const StoredProblem& problem : {test::pileWithJoints(FrictionModel::kCone, 0.4, 2),
                                       test::randomPile(FrictionModel::kCone, 9, 9, 9, 0.5, 2)}) {
    for (const Real least : {0.0, 0.1}) {
      std::vector<Real> expected;
      for (const int threads : {1, 2, 8}) {
        SorProxWideSolver wide;
        wide.coloringSettings.leastShare = least;
        Budget budget = sweepOnly(wide, 15);
        budget.threads = threads;
        const std::vector<Real> lambda = solveWith(wide, budget, problem).lambda;
        if (threads == 1) {
          expected = lambda;
        } else {
          EXPECT_EQ(lambda, expected);
        }
      }
    }
  }
}

template <class Scalar, int kRows>
void fillRandomly(Random& random, wide::Batch<Scalar, kRows>& batch, int fixedBody) {
  const auto fill = [&](wide::Lanes<Scalar>& vector) {
    for (int lane = 0; lane < wide::kLanes<Scalar>; ++lane) {
      vector[lane] = static_cast<Scalar>(random.uniform(-1, 1));
    }
  };
  for (int i = 0; i < kRows; ++i) {
    for (auto& entry : batch.jacobian[i]) fill(entry);
    fill(batch.b[i]);
    fill(batch.lambda[i]);
    fill(batch.compliance[i]);
  }
  for (auto& entry : batch.coupling) fill(entry);
  for (auto* vector : {&batch.normalStep, &batch.tangentStep, &batch.friction}) {
    fill(*vector);
    *vector *= *vector;
  }
  for (int lane = 0; lane < wide::kLanes<Scalar>; ++lane) {
    batch.bodyA[lane] = 2 * lane;
    batch.bodyB[lane] = lane == 2 ? fixedBody : 2 * lane + 1;
  }
}

template <class Scalar, int kRows>
void expectSameBits(FrictionModel model) {
  constexpr int kBodies = 2 * wide::kLanes<Scalar>;
  Random random(3);
  std::vector<wide::Batch<Scalar, kRows>> batches(50), twins;
  for (auto& batch : batches) fillRandomly(random, batch, kBodies);
  twins = batches;
  std::vector<wide::BodyRecord<Scalar>> bodies(kBodies + 1), twinBodies(kBodies + 1);
  wide::sweepBatches<Scalar, kRows>(
      {model, batches.data(), 0, 50, kBodies, bodies.data(), nullptr});
  wide::sweepBatchesPlain<Scalar, kRows>(
      {model, twins.data(), 0, 50, kBodies, twinBodies.data(), nullptr});
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(std::memcmp(batches[i].lambda, twins[i].lambda, sizeof batches[i].lambda), 0);
  }
  EXPECT_EQ(std::memcmp(bodies.data(), twinBodies.data(), bodies.size() * sizeof bodies[0]), 0);
  EXPECT_NE(bodies[0].value[0], 0);
  EXPECT_EQ(bodies[kBodies].value[0], 0);
}

TEST(WideKernel, EveryInstructionSet_GivesTheSameBits) {
  for (const FrictionModel model : kFrictionModels) {
    if (contactRows(model) > kMostNarrowRows) continue;
    if (contactRows(model) == 3) {
      expectSameBits<float, 3>(model);
      expectSameBits<double, 3>(model);
    }
  }
  expectSameBits<float, 1>(FrictionModel::kNone);
  expectSameBits<double, 4>(FrictionModel::kContensou);
}

TEST(WideKernel, TransposeTurnsRowsIntoLanes) {
  wide::Lanes<float> floats[8];
  wide::Lanes<double> doubles[4];
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 8; ++k) floats[i][k] = static_cast<float>(10 * i + k);
  }
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 4; ++k) doubles[i][k] = 10 * i + k;
  }
  wide::transpose(floats);
  wide::transpose(doubles);
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 8; ++k) EXPECT_EQ(floats[i][k], static_cast<float>(10 * k + i));
  }
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 4; ++k) EXPECT_EQ(doubles[i][k], 10 * k + i);
  }
}

TEST(SorProxWide, SecondSolve_AllocatesNothing) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.3, 3);
  SorProxWideSolver wide;
  const Budget budget{.tolerance = 1e-10};  // into the sweeps in double
  std::vector<Real> lambda(problem.b.size());
  std::vector<RowState> state(problem.b.size());
  wide.solve(problem.view(), budget, {lambda, state});
  const auto before = test::allocationCount();
  wide.solve(problem.view(), budget, {lambda, state});
  EXPECT_EQ(test::allocationCount(), before);
}

TEST(SorProxWide, AssembledForm_IsUnsupported) {
  SorProxWideSolver wide;
  const StoredProblem twin = test::assembled(test::boxOnPlane(FrictionModel::kCone, 3, 0.4));
  EXPECT_EQ(solveWith(wide, twin).report.status, SolveStatus::kUnsupported);
}

}  // namespace
}  // namespace drystone
