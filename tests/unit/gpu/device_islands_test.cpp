// Small islands, a block of threads each: swept as the colors of all would be, and each until it is
// solved, as if it were alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "gpu/device_prox_solver.h"
#include "gpu/kernels/island_kernels.h"
#include "solvers/prox/coloring.h"
#include "solvers/prox/prox_solver.h"
#include "tests/support/problem_builder.h"
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

/// λ of so many sweeps of all that the processor colors contact by contact, in double.
std::vector<Real> sweptByTheTwin(const StoredProblem& problem, int sweeps) {
  SorProxColoredSolver twin;
  twin.coloringSettings.unit = ColorUnit::kContact;
  twin.coloringSettings.leastShare = 0;
  return solve(twin, problem, sweepOnly(twin, sweeps)).lambda;
}

// A launch has a hundred sweeps at most, and what is left over gets one of its own.
TEST_P(DeviceIslands, ManySweeps_AreAllDone) {
  const StoredProblem problem = boxStack(FrictionModel::kCone, {1, 1, 1, 1}, 0.5);
  for (const int sweeps : {99, 100, 101, 250}) {
    DeviceSorSolver solver(GetParam());
    solver.precision = SweepPrecision::kDouble;
    const std::vector<Real> lambda = solve(solver, problem, sweepOnly(solver, sweeps)).lambda;
    const std::vector<Real> expected = sweptByTheTwin(problem, sweeps);
    EXPECT_LE(relativeDifference(lambda, expected), 1e-12) << sweeps;
    EXPECT_GE(relativeDifference(lambda, sweptByTheTwin(problem, sweeps - 1)), 1e-11) << sweeps;
  }
}

// The matrix has no islands of its own: all are swept color by color.
TEST_P(DeviceIslands, OfTheNaiveScheme_AreColored) {
  const StoredProblem problem = sideBySide(smallIslands(FrictionModel::kCone));
  DeviceSorSolver solver(GetParam());
  solver.scheme = gpu::DeviceScheme::kNaive;
  solver.precision = SweepPrecision::kDouble;
  solver.coloringSettings.leastShare = 0;
  const std::vector<Real> lambda = solve(solver, problem, sweepOnly(solver, 25)).lambda;
  EXPECT_LE(relativeDifference(lambda, sweptByTheTwin(problem, 25)), 1e-12);
}

/// Spheres in a row, each pushed against the one before: one contact less than there are spheres.
StoredProblem sphereRow(int spheres) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  for (int i = 0; i < spheres; ++i) {
    const Vec3 pushed(0.01 * (i % 3), 0.02, -0.05 * i);
    const int sphere =
        builder.addSphere(1 + i % 2, 0.5, Vec3(0, 0, i), test::twist(pushed, Vec3(0.1, 0, 0)));
    if (i > 0) builder.addContact(sphere - 1, sphere, Vec3(0, 0, i - 0.5), Vec3::UnitZ(), 0.5);
  }
  return builder.build();
}

// 128 contacts fill a block of threads, between 32 bodies or 129; 132 are swept by color.
TEST_P(DeviceIslands, TheLargest_FillABlock) {
  const auto stack = [](int boxes) {
    return boxStack(FrictionModel::kCone, std::vector<Real>(boxes, 1), 0.5);
  };
  const auto expectSwept = [&](const StoredProblem& problem, int recordings) {
    DeviceSorSolver solver(GetParam());
    solver.precision = SweepPrecision::kDouble;
    solver.coloringSettings.leastShare = 0;
    const std::vector<Real> lambda = solve(solver, problem, sweepOnly(solver, 25)).lambda;
    EXPECT_LE(relativeDifference(lambda, sweptByTheTwin(problem, 25)), 1e-12);
    EXPECT_EQ(solver.work().executor.recordings, recordings) << problem.bodies.size() << " bodies";
  };
  expectSwept(stack(32), 0);
  expectSwept(stack(33), 1);
  expectSwept(sphereRow(129), 0);
  expectSwept(sphereRow(130), 1);
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

// What is solved is swept no more, so that it has the bits of its own solve.
TEST_P(DeviceIslands, EachIsland_KeepsItsBitsInEveryPrecision) {
  std::vector<StoredProblem> parts = smallIslands(FrictionModel::kCone);
  parts[3] = test::hangingChain(5);
  const StoredProblem problem = sideBySide(parts);
  const Budget budget{.tolerance = 1e-3, .iterations = 400};
  for (const auto precision :
       {SweepPrecision::kFloat, SweepPrecision::kMixed, SweepPrecision::kDouble}) {
    const auto answerOf = [&](const StoredProblem& some) {
      DeviceSorSolver solver(GetParam());
      solver.precision = precision;
      solver.settings.stopping.checkEvery = 2;
      return solve(solver, some, budget);
    };
    const Answer answer = answerOf(problem);
    ASSERT_EQ(answer.report.status, SolveStatus::kConverged);
    auto from = answer.lambda.begin();
    for (const StoredProblem& part : parts) {
      const auto rows = static_cast<std::ptrdiff_t>(part.b.size());
      EXPECT_EQ(std::vector<Real>(from, from + rows), answerOf(part).lambda);
      from += rows;
    }
  }
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

// A body with 70 contacts has six more than there are colors. The stack beside it is an island.
TEST(IslandsOfAPlan, AreNoneWhereAUnitFindsNoColor) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  const int box = builder.addBox(1, Vec3(40, 0.5, 0.5), Vec3(0, 0, 0.5));
  for (int i = 0; i < 70; ++i) builder.addContact(-1, box, Vec3(i - 35, 0, 0), Vec3::UnitZ(), 0.5);
  const StoredProblem problem =
      sideBySide({builder.build(), boxStack(FrictionModel::kCone, {1, 1}, 0.5)});
  Coloring coloring;
  SweepPlan plan;
  coloring.plan(problem.view(), {.unit = ColorUnit::kContact, .leastShare = 0, .islandSize = 128},
                plan);
  ASSERT_TRUE(plan.phases.front().isOfIslands);
  EXPECT_EQ(plan.phases.front().endUnit, 1);
  EXPECT_EQ(plan.phases.size(), 1 + 64 + 1U);
  ASSERT_TRUE(plan.phases.back().isSimultaneous);
  EXPECT_EQ(plan.phases.back().endUnit - plan.phases.back().firstUnit, 6);
}

// How small a color may be goes by the units that have colors: 20 of a stack, not 200 of islands.
TEST(IslandsOfAPlan, DoNotCountForTheLeastColor) {
  std::vector<StoredProblem> parts(50, boxStack(FrictionModel::kCone, {1}, 0.5));
  parts.push_back(boxStack(FrictionModel::kCone, {1, 1, 1, 1, 1}, 0.5));
  const StoredProblem problem = sideBySide(parts);
  Coloring coloring;
  SweepPlan plan;
  coloring.plan(problem.view(), {.unit = ColorUnit::kContact, .leastShare = 0.05, .islandSize = 8},
                plan);
  EXPECT_EQ(plan.phases.front().endUnit, 50);
  EXPECT_FALSE(plan.phases.back().isSimultaneous);
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceIslands, test::everyTarget(), test::targetName);

}  // namespace
}  // namespace drystone
