// The residual that a device takes of its own iterates: that of the processor, of the same λ and w.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "gpu/device_prox_solver.h"
#include "solvers/problem/residual.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/sweeps.h"
#include "tests/unit/gpu/targets.h"

namespace drystone {
namespace {

class DeviceResidual : public test::OnTarget {};

SweepPlan planOf(const ContactProblem& problem, bool isSimultaneous) {
  SweepPlan plan;
  if (isSimultaneous) {
    plan.setSimultaneous(problem);
  } else {
    Coloring().plan(problem, {}, plan);
  }
  return plan;
}

/// Piles, with joints whose rows have bounds, and with compliance.
std::vector<StoredProblem> measuredProblems(FrictionModel model) {
  std::vector<StoredProblem> problems = {test::randomPile(model, 4, 4, 4, 0.5, 2),
                                         test::pileWithJoints(model, 0.5, 2)};
  for (StoredProblem& problem : problems) {
    for (ProblemBlock& block : problem.blocks) block.normalBound = 0.2;
  }
  problems.push_back(problems.back());
  problems.back().compliance.assign(problems.back().b.size(), 0.01);
  for (const test::NamedProblem& known : test::problemSet(model)) {
    if (!known.problem.assembled) problems.push_back(known.problem);
  }
  return problems;
}

/// λ and w of a system, as the processor measures them.
struct Iterate {
  std::vector<Real> lambda, w;
};
Iterate iterateOf(ProxSystem& system, const ContactProblem& problem) {
  Iterate iterate;
  iterate.lambda.resize(problem.rowCount());
  iterate.w.resize(problem.rowCount());
  system.getImpulses(iterate.lambda);
  system.constraintVelocity(iterate.w);
  return iterate;
}

/// To the bit, with the block, at the start and after each of some sweeps.
template <class Scalar>
void expectResidualOfProcessor(gpu::DeviceSystem<Scalar>& system, const ContactProblem& problem,
                               bool isSimultaneous) {
  const SweepPlan plan = planOf(problem, isSimultaneous);
  system.prepare(problem, plan, {}, 1);
  const std::vector<Real> start(problem.rowCount(), 0.02);
  system.setImpulses(start);
  JudgeWorkspace workspace;
  for (int sweep = 0; sweep < 4; ++sweep) {
    const Real residual = system.measurement()->naturalMap(problem.steps);
    const int worstRow = system.worstRow();
    const Iterate own = iterateOf(system, problem);
    const NaturalMapSize size = naturalMapSize(problem, problem.steps, own.lambda, own.w);
    EXPECT_EQ(residual, size.largest);
    EXPECT_EQ(worstRow, size.worstBlock < 0 ? -1 : problem.blocks[size.worstBlock].firstRow);
    // The judge sums up a w of its own, of parts some times as large as the error.
    EXPECT_NEAR(residual, judge(problem, own.lambda, workspace).naturalMap,
                1e-13 * std::max<Real>(1, residual));
    system.sweep();
  }
}

TEST_P(DeviceResidual, EveryModel_HasTheBitsOfTheProcessor) {
  for (const FrictionModel model : test::kModels) {
    for (const StoredProblem& problem : measuredProblems(model)) {
      SCOPED_TRACE(frictionModelName(model));
      ProblemScales scales;
      const ContactProblem measured = scales.measure(problem.view(), 1);
      for (const bool isSimultaneous : {false, true}) {
        gpu::DeviceSystem<float> floats(GetParam());
        expectResidualOfProcessor(floats, measured, isSimultaneous);
        gpu::DeviceSystem<Real> doubles(GetParam());
        expectResidualOfProcessor(doubles, measured, isSimultaneous);
      }
    }
  }
}

// Of a joint all rows count, an angular one by the arm of its bodies.
TEST_P(DeviceResidual, JointsThatAreWorst_CountEveryRow) {
  StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  for (InverseInertia& body : problem.bodies) body.inverseInertia *= 0.01;  // arms of some metres
  gpu::DeviceSystem<Real> system(GetParam());
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kContact) continue;
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      StoredProblem fast = problem;
      fast.b[row] = -50;
      ProblemScales scales;
      expectResidualOfProcessor(system, scales.measure(fast.view(), 1), false);
    }
  }
}

/// Contacts apart from each other, each of a ball that does not move.
StoredProblem apart(int contacts) {
  StoredProblem problem;
  problem.friction = FrictionModel::kNone;
  for (int i = 0; i < contacts; ++i) {
    ProblemBlock block;
    block.rows = 1;
    block.firstRow = i;
    block.bodyA = -1;
    block.bodyB = i;
    problem.blocks.push_back(block);
    InverseInertia body;
    body.inverseMass = 1;
    problem.bodies.push_back(body);
    problem.jacobianA.push_back(Vec6::Zero());
    problem.jacobianB.push_back(Vec6::Unit(2));
  }
  problem.b.assign(contacts, 0);
  problem.lower.assign(contacts, 0);
  problem.upper.assign(contacts, kInfinity);
  return problem;
}

/// Of contacts of which these two approach at 3 m/s, and all others at 1 m/s; the order of the
/// sweep is that of the problem, or the other way round.
void expectWorst(gpu::Target target, int contacts, int one, int other, bool isReversed) {
  StoredProblem problem = apart(contacts);
  for (Real& b : problem.b) b = -1;
  problem.b[one] = problem.b[other] = -3;
  SweepPlan plan;
  plan.setSequential(problem.view());
  if (isReversed) std::reverse(plan.blocks.begin(), plan.blocks.end());
  gpu::DeviceSystem<Real> system(target);
  system.prepare(problem.view(), plan, {}, 1);
  system.setImpulses(std::vector<Real>(contacts));
  EXPECT_EQ(system.measurement()->naturalMap(std::vector<Real>(contacts, 1)), 3);
  EXPECT_EQ(system.worstRow(), std::min(one, other)) << contacts << " contacts";
}

// At the ends of blocks of threads, of parts, and where threads take a second one. Of equal ones it
// is the first.
TEST_P(DeviceResidual, TheWorstBlock_IsFoundWhereverItIs) {
  for (const bool isReversed : {false, true}) {
    for (const int at : {0, 1, 255, 256, 511, 599}) {
      expectWorst(GetParam(), 600, at, at, isReversed);
      expectWorst(GetParam(), 600, at, 300, isReversed);
    }
    expectWorst(GetParam(), 1, 0, 0, isReversed);
  }
  if (GetParam() == gpu::Target::kCuda) return;  // too many threads for the stand-in
  constexpr int kFull = gpu::kSumThreads * gpu::SweepView<Real>::kMostParts;
  for (const int at : {kFull - 1, kFull, kFull + 4}) {
    expectWorst(GetParam(), kFull + 5, at, at, false);
    expectWorst(GetParam(), kFull + 5, at, 0, false);
  }
}

// A sum that is not a number has no worst block; it must be seen all the same.
TEST_P(DeviceResidual, WhatIsNotFinite_IsInfinite) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  ProblemScales scales;
  const ContactProblem measured = scales.measure(problem.view(), 1);
  const SweepPlan plan = planOf(measured, false);
  gpu::DeviceSystem<Real> system(GetParam());
  system.prepare(measured, plan, {}, 1);
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), kInfinity}) {
    for (const int row : {0, measured.rowCount() - 1}) {
      std::vector<Real> lambda(measured.rowCount(), 0.1);
      lambda[row] = bad;
      system.setImpulses(lambda);
      EXPECT_EQ(system.measurement()->naturalMap(measured.steps), kInfinity);
    }
  }
}

// The steps go up once a layout: those of the problem before are gone.
TEST_P(DeviceResidual, AnotherProblem_IsMeasuredByItsOwnSteps) {
  StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  gpu::DeviceSystem<Real> system(GetParam());
  for (int round = 0; round < 2; ++round) {
    ProblemScales scales;
    expectResidualOfProcessor(system, scales.measure(problem.view(), 1), false);
    for (InverseInertia& body : problem.bodies) body.inverseMass *= 3;
  }
}

TEST_P(DeviceResidual, WhatIsKept_StaysWhileSweepsGoOn) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  ProblemScales scales;
  const ContactProblem measured = scales.measure(problem.view(), 1);
  const SweepPlan plan = planOf(measured, false);
  gpu::DeviceSystem<float> system(GetParam());
  system.prepare(measured, plan, {}, 1);
  system.setImpulses(std::vector<Real>(measured.rowCount(), 0.02));
  system.sweep();
  system.measurement()->naturalMap(measured.steps);
  system.measurement()->keep();
  std::vector<Real> expected(measured.rowCount()), kept(measured.rowCount());
  system.getImpulses(expected);
  system.sweep();
  system.measurement()->naturalMap(measured.steps);
  system.measurement()->getKept(kept);
  EXPECT_EQ(kept, expected);
  system.getImpulses(kept);
  EXPECT_NE(kept, expected);
}

/// The answer of the twin, which keeps its best iterate on the processor. Returns how often the
/// steps were made smaller.
int expectAnswerOfTwin(gpu::DeviceProxSolver& solver, ProxSolver& twin, Real relaxation,
                       int iterations) {
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 4, 4, 4, 0.5, 2);
  for (ProxSolver* one : {static_cast<ProxSolver*>(&solver), &twin}) {
    one->settings.step = StepStrategy::kLocal;
    one->settings.relaxation = relaxation;
    one->settings.stopping.checkEvery = 1;
  }
  solver.precision = SweepPrecision::kDouble;
  const Budget budget{.tolerance = 1e-10, .iterations = iterations};
  const test::Answer expected = test::solve(twin, problem, budget);
  const test::Answer answer = test::solve(solver, problem, budget);
  EXPECT_EQ(answer.report.status, expected.report.status);
  EXPECT_EQ(answer.report.iterations, expected.report.iterations);
  EXPECT_EQ(answer.report.stepReductions, expected.report.stepReductions);
  EXPECT_LE(test::relativeDifference(answer.lambda, expected.lambda), 1e-9);
  return answer.report.stepReductions;
}

// Sweeps that diverge go on from the best iterate, and one that ends much worse is not the answer.
TEST_P(DeviceResidual, SweepsThatDiverge_GoBackToWhatWasKept) {
  int reductions = 0;
  for (const Real relaxation : {0.5, 0.7, 1.0, 1.5}) {
    for (const int iterations : {4, 8, 16, 32}) {
      SCOPED_TRACE(testing::Message() << relaxation << ", " << iterations);
      gpu::DeviceJorSolver jor(GetParam());
      JacobiProxSolver jacobi;
      reductions += expectAnswerOfTwin(jor, jacobi, relaxation, iterations);
    }
  }
  EXPECT_GT(reductions, 0);
}

// Sweeps in double begin where those in float were best, not where these began.
TEST_P(DeviceResidual, SharperSweeps_GoOnFromWhatWasKept) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  gpu::DeviceSorSolver solver(GetParam());
  solver.precision = SweepPrecision::kMixed;
  solver.settings.stopping.checkEvery = 1;
  test::solve(solver, problem, {.tolerance = 1e-12, .iterations = 400});
  EXPECT_EQ(solver.work().layouts, 2);
  Real best = kInfinity;
  for (const auto& entry : solver.history().entries()) {
    EXPECT_LE(entry.residual, 100 * best) << "sweep " << entry.iteration;
    best = std::min(best, entry.residual);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceResidual, test::everyTarget(), test::targetName);

}  // namespace
}  // namespace drystone
