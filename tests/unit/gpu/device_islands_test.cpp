// Small islands, a block of threads each: swept as the colors of all would be, and each until it is
// solved, as if it were alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "gpu/device_prox_solver.h"
#include "gpu/kernels/island_kernels.h"
#include "solvers/prox/coloring.h"
#include "solvers/prox/prox_solver.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/sweeps.h"
#include "tests/unit/gpu/targets.h"

namespace drystone {
namespace {

using gpu::DeviceSorSolver;
using test::Answer;
using test::boxStack;
using test::relativeDifference;
using test::solve;
using test::sweepOnly;

/// As one problem, each with bodies and rows behind those of the one before.
StoredProblem sideBySide(const std::vector<StoredProblem>& parts) {
  StoredProblem all;
  all.friction = parts.front().friction;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const StoredProblem& part : parts) {
    const int bodies = static_cast<int>(all.bodies.size()), rows = static_cast<int>(all.b.size());
    for (ProblemBlock block : part.blocks) {
      block.firstRow += rows;
      if (block.bodyA >= 0) block.bodyA += bodies;
      if (block.bodyB >= 0) block.bodyB += bodies;
      all.blocks.push_back(block);
    }
    append(all.bodies, part.bodies);
    append(all.jacobianA, part.jacobianA);
    append(all.jacobianB, part.jacobianB);
    append(all.b, part.b);
    append(all.lower, part.lower);
    append(all.upper, part.upper);
    // Of contacts alone there are no limits.
    for (auto* array : {&all.lower, &all.upper}) array->resize(all.b.size());
  }
  return all;
}

/// Stacks of one to four boxes and a pile with joints.
std::vector<StoredProblem> smallIslands(FrictionModel model) {
  return {boxStack(model, {1}, 0.5), boxStack(model, {1, 2}, 0.5), boxStack(model, {2, 1, 1}, 0.5),
          test::pileWithJoints(model, 0.5, 2), boxStack(model, {1, 1, 1, 1}, 0.5)};
}

class DeviceIslands : public test::OnTarget {};

// Alone, and beside a pile that is too large for a block of threads.
TEST_P(DeviceIslands, Sweeps_AreThoseOfTheColoredSweepOfTheProcessor) {
  for (const FrictionModel model : test::kModels) {
    for (const bool hasPile : {false, true}) {
      std::vector<StoredProblem> parts = smallIslands(model);
      if (hasPile) parts.insert(parts.begin(), test::randomPile(model, 4, 4, 5, 0.5, 2));
      const StoredProblem problem = sideBySide(parts);
      SorProxColoredSolver twin;
      DeviceSorSolver solver(GetParam());
      twin.coloringSettings.unit = ColorUnit::kContact;
      twin.coloringSettings.leastShare = solver.coloringSettings.leastShare = 0;
      sweepOnly(twin, 25);
      const Budget budget = sweepOnly(solver, 25);
      const std::vector<Real> expected = solve(twin, problem, budget).lambda;
      for (const auto precision : {SweepPrecision::kDouble, SweepPrecision::kFloat}) {
        solver.precision = precision;
        const std::vector<Real> lambda = solve(solver, problem, budget).lambda;
        EXPECT_LE(relativeDifference(lambda, expected), test::allowed(precision))
            << frictionModelName(model) << (hasPile ? " with a pile" : "");
        EXPECT_EQ(solver.work().executor.recordings, hasPile ? 1 : 0);
      }
    }
  }
}

TEST_P(DeviceIslands, Sweeps_HaveTheBitsOfTheHost) {
  const StoredProblem problem = sideBySide(smallIslands(FrictionModel::kCone));
  DeviceSorSolver solver(GetParam()), host(gpu::Target::kHost);
  test::expectSameBits(solver, host, problem);
}

// Each stops at the check at which it would alone, so that its answer is that of a solve of its
// own.
TEST_P(DeviceIslands, EachIsland_StopsByItself) {
  std::vector<StoredProblem> parts = smallIslands(FrictionModel::kCone);
  // The pile is several islands; the chain has joints alone.
  parts[3] = test::hangingChain(5);
  const StoredProblem problem = sideBySide(parts);
  const Budget budget{.tolerance = 1e-3, .iterations = 400};
  DeviceSorSolver solver(GetParam());
  solver.precision = SweepPrecision::kDouble;
  solver.settings.stopping.checkEvery = 2;
  const Answer answer = solve(solver, problem, budget);
  ASSERT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_LE(answer.judge.naturalMap, 1e-3);
  std::set<int> iterations;
  auto from = answer.lambda.begin();
  for (const StoredProblem& part : parts) {
    SorProxColoredSolver twin;
    twin.coloringSettings.unit = ColorUnit::kContact;
    twin.settings.stopping.checkEvery = 2;
    const Answer expected = solve(twin, part, budget);
    const auto rows = static_cast<std::ptrdiff_t>(part.b.size());
    EXPECT_LE(relativeDifference({from, from + rows}, expected.lambda), 1e-12);
    from += rows;
    iterations.insert(expected.report.iterations);
  }
  EXPECT_GE(iterations.size(), 3U);
  EXPECT_EQ(answer.report.iterations, *iterations.rbegin());
}

// What was solved is swept again from other impulses, measured or not.
TEST_P(DeviceIslands, NewImpulses_AreSweptAgain) {
  const StoredProblem problem = sideBySide(smallIslands(FrictionModel::kCone));
  DeviceSorSolver solver(GetParam()), fresh(GetParam());
  solver.precision = fresh.precision = SweepPrecision::kDouble;
  const Answer first = solve(solver, problem, {.tolerance = 1e-3, .iterations = 400});
  ASSERT_EQ(first.report.status, SolveStatus::kConverged);
  sweepOnly(solver, 5);
  const Budget budget = sweepOnly(fresh, 5);
  EXPECT_EQ(solve(solver, problem, budget).lambda, solve(fresh, problem, budget).lambda);
  EXPECT_EQ(solver.work().keptLayouts, 1);
}

// In float nothing is computed afresh in between: velocities go on from launch to launch.
TEST_P(DeviceIslands, SeveralLaunches_AreAsOne) {
  const StoredProblem problem = sideBySide(smallIslands(FrictionModel::kCone));
  DeviceSorSolver one(GetParam()), several(GetParam());
  one.precision = several.precision = SweepPrecision::kFloat;
  several.settings.stopping.checkEvery = 2;
  const std::vector<Real> expected = solve(one, problem, sweepOnly(one, 6)).lambda;
  EXPECT_EQ(solve(several, problem, {.tolerance = 0, .iterations = 6}).lambda, expected);
}

// 100 stacks: scale and start; λ and residual before the sweeps, and which islands are solved. Then
// at each of two checks one launch of ten sweeps, and the same with what is kept; λ of the end.
TEST_P(DeviceIslands, AHundredStacks_AreOneLaunchACheck) {
  const StoredProblem problem =
      sideBySide(std::vector<StoredProblem>(100, boxStack(FrictionModel::kCone, {1, 1}, 0.5)));
  DeviceSorSolver solver(GetParam());
  solver.precision = SweepPrecision::kDouble;
  const int every = GetParam() == gpu::Target::kCuda ? 2 : 10;
  solver.settings.stopping.checkEvery = every;
  solve(solver, problem, {.tolerance = 0, .iterations = 2 * every});
  constexpr int kMeasured = 3 + 2 + 1, kFinished = 1, kSwept = 1, kKept = 1;
  EXPECT_EQ(solver.work().executor.kernels,
            1 + 3 + kMeasured + 2 * (kSwept + kFinished + kMeasured + kKept));
  EXPECT_EQ(solver.work().executor.launches, solver.work().executor.kernels);
  EXPECT_EQ(solver.work().executor.recordings, 0);
}

// So many contacts fit a block of threads, and one more does not. Blocks of an island lie together,
// color by color.
TEST(IslandsOfAPlan, HaveAtMostSoManyContacts) {
  const StoredProblem problem = sideBySide({boxStack(FrictionModel::kCone, {1, 1, 1}, 0.5),
                                            boxStack(FrictionModel::kCone, {1, 1}, 0.5)});
  Coloring coloring;
  SweepPlan plan;
  for (const int size : {7, 8, 11, 12}) {
    coloring.plan(problem.view(), {.islandSize = size}, plan);
    const int islands = size < 8 ? 0 : size < 12 ? 1 : 2;
    EXPECT_EQ(plan.phases.front().isOfIslands, islands > 0);
    if (islands > 0) {
      EXPECT_EQ(plan.phases.front().endUnit, islands);
    }
    EXPECT_EQ(plan.phases.size() == 1, islands == 2);
    std::vector<int> blocks = plan.blocks;
    std::sort(blocks.begin(), blocks.end());
    for (int i = 0; i < plan.blockCount(); ++i) EXPECT_EQ(blocks[i], i);
    // That of the smaller stack.
    if (islands == 1) {
      EXPECT_GE(*std::min_element(plan.blocks.begin(), plan.blocks.begin() + 8), 12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceIslands, test::everyTarget(), test::targetName);

}  // namespace
}  // namespace drystone
