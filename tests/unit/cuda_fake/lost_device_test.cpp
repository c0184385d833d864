// A device that goes away amid a world's steps: the error reaches who asked for the step, whichever
// thread it came up in.
#include <gmock/gmock.h>

#include "gpu/devices.h"
#include "gpu/gpu_solvers.h"
#include "solvers/default_registry.h"
#include "tests/support/cuda_fake/device.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using cuda_fake::Call;
using cuda_fake::Device;

constexpr int kBoxes = 8;

/// Boxes apart from each other, an island each, which a solver of that name solves on four threads.
World boxesApart(const std::string& solver) {
  SolverRegistry registry = makeDefaultRegistry();
  gpu::addGpuSolvers(registry);
  WorldSettings settings;
  settings.threads = 4;
  settings.solver.name = solver;
  settings.solver.budget.tolerance = 1e-12;  // no warm start is good enough
  settings.solver.budget.iterations = 3;
  World world(settings, registry);
  test::addPlane(world);
  for (int i = 0; i < kBoxes; ++i) test::addUnitBox(world, {4.0 * i, 0, 0.5}, {1, 0, -1});
  return world;
}

// The dense solvers get the islands from a parallel loop; gpu-sor gets all of them as one problem.
TEST(LostDevice, AmidAStepOnFourThreads_IsAnErrorOfTheStep) {
  for (const char* solver : {"gpu-jor-dense", "gpu-sor"}) {
    World world = boxesApart(solver);
    const int before = Device::get().launches();
    ASSERT_EQ(std::ssize(world.step().islands), kBoxes);
    ASSERT_GT(Device::get().launches(), before) << solver << " solved without its device";
    Device::get().lose();
    EXPECT_THROW(world.step(), gpu::DeviceError) << solver;
    EXPECT_THROW(world.step(), gpu::DeviceError) << solver << ": it does not come back";
    Device::get().restore();
  }
}

// One call of one island fails: no other island's error is needed for it to be told.
TEST(LostDevice, OneCallThatFailsInALoop_IsAnErrorOfTheStep) {
  for (const Call call : {Call::kLaunch, Call::kCopy, Call::kSync}) {
    World world = boxesApart("gpu-jor-dense");
    world.step();
    Device::get().failAt(call, 20, cudaErrorLaunchFailure);
    EXPECT_THROW(world.step(), gpu::DeviceError);
    EXPECT_NO_THROW(world.step()) << "the device is as it was";
  }
}

}  // namespace
}  // namespace drystone
