// Many worlds side by side: what their steps allocate, and one that is stepped alone. That they
// have the bits of single ones is tested with determinism.
#include <gtest/gtest.h>

#include <vector>

#include "engine/world/world_batch.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// A pendulum with a motor, and a box that lies on the ground.
World pendulumWorld() {
  World world(test::settingsFor("bpp-auto"), test::registry());
  test::addGround(world);
  test::addUnitBox(world, {3, 0, 0.5});
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId bob = test::addBody(world, Sphere{0.1}, 1, {.position = {0, 1, 3}});
  JointDefinition hinge = hingeJoint(post, bob);
  hinge.axes[kAboutX].motor = JointMotor{.target = 0.1, .maxForce = 1};
  world.addJoint(hinge, Pose{.position = {0, 0, 3}});
  return world;
}

TEST(WorldBatch, WarmSteps_AllocateNothing) {
  for (const int threads : {1, 2}) {
    WorldBatch batch(4, pendulumWorld, threads);
    const std::vector<Real> forces = {1, 2, 3, 4}, targets = {0.1, 0.2, 0.3, 0.4};
    std::vector<Real> rates(4), positions(4 * 4 * 3);
    const auto round = [&] {
      batch.setForces(forces);
      batch.setMotorTargets(targets);
      batch.step(3);
      batch.readRates(rates);
      batch.readPositions(positions);
    };
    // On a busy machine it may take long until each thread has stepped a world.
    int quiet = 0;
    for (int i = 0; i < 2000 && quiet < 40; ++i) {
      const std::int64_t before = test::allocationCount();
      round();
      quiet = test::allocationCount() == before ? quiet + 1 : 0;
    }
    EXPECT_EQ(quiet, 40) << threads << " threads";
    EXPECT_NE(rates[0], rates[3]);
  }
}

TEST(WorldBatch, AWorldThatIsSteppedAlone_HasTheSameBits) {
  WorldBatch batch(2, pendulumWorld, 1);
  for (int i = 0; i < 5; ++i) batch.world(0).step();
  World alone = pendulumWorld();
  for (int i = 0; i < 5; ++i) alone.step();
  EXPECT_EQ(batch.world(0).observe().hash(), alone.observe().hash());
  batch.step(3);
  for (int i = 0; i < 3; ++i) alone.step();
  EXPECT_EQ(batch.world(0).observe().hash(), alone.observe().hash());
}

}  // namespace
}  // namespace drystone
