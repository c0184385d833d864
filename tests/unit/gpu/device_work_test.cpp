// What solves on a device cost in copies and launches: exact numbers, so that a copy or a launch
// more is seen where there is no device to time.
#include <gmock/gmock.h>

#include "gpu/counting_executor.h"
#include "gpu/device_apgd_solver.h"
#include "gpu/device_prox_solver.h"
#include "gpu/gpu_solvers.h"
#include "gpu/host_executor.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/sweeps.h"
#include "tests/unit/gpu/targets.h"

namespace drystone {
namespace {

using gpu::DeviceJorSolver;
using gpu::DeviceProxSolver;
using gpu::DeviceSorSolver;
using gpu::DeviceWork;
using gpu::ExecutorWork;

constexpr int kFewSweeps = 5;

class DeviceWorkOf : public test::OnTarget {};

/// A box of one body on the ground by four contacts: four colors, 12 rows. Bytes of an array are
/// those up to the next multiple of 128 behind it:
///   kept: 5 of contacts, 2 of units, 1 of bodies, 8 × 128
///   as the problem has it: 2 Jacobians of 576 → 640, b 128, roots 256, μ and its box 2 × 128
///   λ: 128
/// One by one, of just what there is: w of 12 rows, ρ of 4 contacts.
constexpr std::int64_t kKeptBytes = 1024, kInputBytes = 1920, kLambdaBytes = 128;
constexpr std::int64_t kVelocityBytes = 12 * 8, kStepBytes = 4 * 8;
constexpr std::int64_t kResidualBytes = sizeof(gpu::Residual);
/// w takes three kernels, its residual two.
constexpr int kVelocityLaunches = 3, kResidualLaunches = kVelocityLaunches + 2;

const StoredProblem& box() {
  static const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 2, 0.5);
  return problem;
}

/// Not once, and not before the first sweep.
Budget withoutMeasuring(DeviceProxSolver& solver) {
  solver.precision = SweepPrecision::kFloat;
  return test::sweepOnly(solver, kFewSweeps);
}

// Scale the rows; λ and ũ of the start, three kernels; sweeps, a launch each; λ of the end.
TEST_P(DeviceWorkOf, ASolve_IsTwoCopiesUpAndOneDown) {
  DeviceSorSolver solver(GetParam());
  solver.coloringSettings.islandSize = 0;
  const Budget budget = withoutMeasuring(solver);
  test::solve(solver, box(), budget);
  const ExecutorWork& work = solver.work().executor;
  EXPECT_EQ(work.uploads, 2);
  EXPECT_EQ(work.uploadedBytes, kKeptBytes + kInputBytes + kLambdaBytes);
  EXPECT_EQ(work.downloads, 1);
  EXPECT_EQ(work.downloadedBytes, kLambdaBytes);
  EXPECT_EQ(work.launches, 1 + 3 + kFewSweeps + 1);
  EXPECT_EQ(work.kernels, 1 + 3 + 4 * kFewSweeps + 1);
  EXPECT_EQ(work.recordings, 1);
}

// The indices stay on the device.
TEST_P(DeviceWorkOf, ASolveOfTheSameGraph_CopiesWhatTheProblemHas) {
  DeviceSorSolver solver(GetParam());
  solver.coloringSettings.islandSize = 0;
  const Budget budget = withoutMeasuring(solver);
  test::solve(solver, box(), budget);
  EXPECT_EQ(solver.work().layouts, 1);
  EXPECT_EQ(solver.work().keptLayouts, 0);
  for (int round = 0; round < 2; ++round) {
    test::solve(solver, box(), budget);
    EXPECT_EQ(solver.work().layouts, 0);
    EXPECT_EQ(solver.work().keptLayouts, 1);
    EXPECT_EQ(solver.work().executor.uploads, 2);
    EXPECT_EQ(solver.work().executor.uploadedBytes, kInputBytes + kLambdaBytes);
    EXPECT_EQ(solver.work().executor.launches, 1 + 3 + kFewSweeps + 1);
  }
  test::solve(solver, test::boxStack(FrictionModel::kCone, {1, 1}, 0.5), budget);
  EXPECT_EQ(solver.work().layouts, 1);
  EXPECT_EQ(solver.work().keptLayouts, 0);
}

// Before the sweeps and after the last: a figure each, whatever there are of contacts. The steps of
// the natural map go up once. What is better than the start is kept on the device; the answer comes
// once.
TEST_P(DeviceWorkOf, Measuring_FetchesOneFigure) {
  for (const int checks : {1, kFewSweeps}) {
    DeviceSorSolver solver(GetParam());
    solver.coloringSettings.islandSize = 0;
    solver.precision = SweepPrecision::kFloat;
    solver.settings.stopping.checkEvery = kFewSweeps / checks;
    test::solve(solver, box(), {.tolerance = 0, .iterations = kFewSweeps});
    const ExecutorWork& work = solver.work().executor;
    EXPECT_EQ(work.uploads, 2 + 1);
    EXPECT_EQ(work.uploadedBytes, kKeptBytes + kInputBytes + kLambdaBytes + kStepBytes);
    EXPECT_EQ(work.downloads, 1 + checks + 1);
    EXPECT_EQ(work.downloadedBytes, (1 + checks) * kResidualBytes + kLambdaBytes);
    // Each iterate: λ of the problem's rows, its residual, and to keep it.
    EXPECT_EQ(work.launches,
              1 + 3 + kResidualLaunches + kFewSweeps + checks * (1 + kResidualLaunches + 1));
  }
}

// Where a criterion needs w itself, that comes, with λ of all but the start.
TEST_P(DeviceWorkOf, MeasuringByAnotherCriterion_FetchesVelocities) {
  DeviceSorSolver solver(GetParam());
  solver.coloringSettings.islandSize = 0;
  solver.precision = SweepPrecision::kDouble;
  solver.settings.stopping.checkEvery = kFewSweeps;
  solver.settings.stopping.criterion = StopCriterion::kRelative;
  solver.settings.stopping.relativeTolerance = 0;
  test::solve(solver, box(), {.tolerance = 0, .iterations = kFewSweeps});
  const ExecutorWork& work = solver.work().executor;
  EXPECT_EQ(work.uploads, 2);
  EXPECT_EQ(work.downloads, 2 + 1);
  EXPECT_EQ(work.downloadedBytes, 2 * kVelocityBytes + kLambdaBytes);
  EXPECT_EQ(work.launches, 1 + 3 + kVelocityLaunches + kFewSweeps + 1 + kVelocityLaunches);
}

// All contacts by one kernel, and a second one that adds up what they give the bodies.
TEST_P(DeviceWorkOf, ASimultaneousSweep_IsTwoKernels) {
  DeviceJorSolver solver(GetParam());
  const Budget budget = withoutMeasuring(solver);
  test::solve(solver, box(), budget);
  EXPECT_EQ(solver.work().executor.kernels, 1 + 3 + 2 * kFewSweeps + 1);
  EXPECT_EQ(solver.work().executor.launches, 1 + 3 + kFewSweeps + 1);
}

// Float down to its round-off, then double: a layout each.
TEST_P(DeviceWorkOf, MixedPrecision_CountsBothSystems) {
  DeviceSorSolver solver(GetParam());
  solver.coloringSettings.islandSize = 0;
  solver.precision = SweepPrecision::kMixed;
  test::solve(solver, box(), {.tolerance = 1e-13, .iterations = 2000});
  EXPECT_EQ(solver.work().layouts, 2);
  EXPECT_EQ(solver.work().executor.recordings, 2);
  test::solve(solver, box(), {.tolerance = 1e-13, .iterations = 2000});
  EXPECT_EQ(solver.work().keptLayouts, 2);
}

// They do not overlap, so that the solve takes no less than their sum.
TEST_P(DeviceWorkOf, Times_AreParts) {
  DeviceSorSolver solver(GetParam());
  solver.coloringSettings.islandSize = 0;
  const test::Answer answer = test::solve(solver, box());
  const DeviceWork& work = solver.work();
  EXPECT_GT(work.executor.ms, 0);
  EXPECT_GT(work.copyMs, 0);
  EXPECT_GT(work.hostMs, 0);
  EXPECT_LE(work.executor.ms + work.copyMs + work.hostMs, answer.report.timeMs);
}

// Five kernels a trial, replayed as one call; a look fetches what decides, once for all steps and
// once more for those that were too long. Nothing else goes up or down while it steps.
TEST_P(DeviceWorkOf, ADescent_IsALaunchAStepAndALookACheck) {
  constexpr int kTrialKernels = 5, kStartLaunches = 1 + 3 + 1;
  for (const ApgdLaw law : {ApgdLaw::kRelaxed, ApgdLaw::kExact}) {
    gpu::DeviceApgdSolver solver(GetParam());
    solver.precision = SweepPrecision::kDouble;
    solver.settings.law = law;
    solver.settings.stopping.checkEvery = kFewSweeps;
    const test::Answer answer =
        test::solve(solver, box(), {.tolerance = 0, .iterations = kFewSweeps});
    const ExecutorWork& work = solver.work().executor;
    const int trials = kFewSweeps + answer.report.stepReductions;
    // The shift of the relaxation is taken off before the residual.
    const int residual = kResidualLaunches + (law == ApgdLaw::kRelaxed ? 1 : 0);
    const int measured = residual + 1 + (1 + residual + 1);  // the start, and what the steps left
    EXPECT_EQ(work.uploads, 3) << "the problem, λ, and the steps of the natural map";
    EXPECT_EQ(work.launches, kStartLaunches + measured + trials);
    EXPECT_EQ(work.kernels, kStartLaunches + measured + kTrialKernels * trials);
    const std::int64_t looks = work.downloads - 3;  // two residuals and the answer
    EXPECT_GE(looks, 1);
    EXPECT_LE(looks, 1 + answer.report.stepReductions);
    EXPECT_EQ(work.downloadedBytes,
              2 * kResidualBytes + 12 * 8 + looks * std::int64_t{sizeof(DescentFigures)});
  }
}

TEST_P(DeviceWorkOf, OtherSolvers_IsNone) {
  const DeviceJorSolver jor(GetParam());
  const gpu::DeviceApgdSolver apgd(GetParam());
  EXPECT_EQ(gpu::deviceWorkOf(jor), &jor.work());
  EXPECT_EQ(gpu::deviceWorkOf(apgd), &apgd.work());
  EXPECT_EQ(gpu::deviceWorkOf(SorProxSolver()), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceWorkOf, test::everyTarget(), test::targetName);

struct Nothing {
  void operator()(int) const {}
};

// On a processor the launches of a recording come when it runs, on a device when it is made.
TEST(CountingExecutor, ARecording_CountsWhenItIsReplayed) {
  gpu::CountingExecutor<gpu::HostExecutor> executor;
  gpu::CountingExecutor<gpu::HostExecutor>::Recording recording;
  executor.record(recording, [&] {
    executor.forEach(3, Nothing{});
    executor.forEach(0, Nothing{});
    executor.forEach(1, Nothing{}, 64);
  });
  EXPECT_EQ(executor.work().kernels, 0);
  EXPECT_EQ(executor.work().launches, 0);
  executor.replay(recording);
  executor.replay(recording);
  EXPECT_EQ(executor.work().kernels, 4);
  EXPECT_EQ(executor.work().launches, 2);
  executor.forEach(5, Nothing{});
  EXPECT_EQ(executor.work().kernels, 5);
  EXPECT_EQ(executor.work().launches, 3);
}

}  // namespace
}  // namespace drystone
