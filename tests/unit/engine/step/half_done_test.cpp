// A world whose memory ended amid a change: what it gives up stays taken, and a restore finds what
// is left as if nothing had failed.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/step/half_done.h"
#include "engine/step/world_parts.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/fail_each.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

/// Bodies whose colliders are not in the order of the bodies, and with a free index between.
World withMixedColliders() {
  World world(settingsFor("auto"), registry());
  addGround(world);
  std::vector<BodyId> bodies;
  const Shape shape = Box{{0.5, 0.5, 0.5}};
  for (const auto& [name, x] : {std::pair("a", 0.0), {"b", 2.0}, {"c", 4.0}}) {
    bodies.push_back(world.addBody({.name = name, .shape = shape, .pose = {{x, 0, 0.4}}}));
  }
  world.body(bodies[0]).setShape(std::nullopt);
  world.addBody({.name = "d", .shape = shape, .pose = {{0.2, 0, 1.3}}});  // takes that of a
  world.body(bodies[0]).setShape(shape);
  world.removeBody(bodies[1]);
  world.step();
  return world;
}

class HalfDone : public testing::Test {
 protected:
  void SetUp() override {
    if (allocationCount() == 0) GTEST_SKIP() << "the heap is a sanitizer's own";
    state = world.save();
    world.restore(state, RestoreMode::kByName);
    expected = world.save();
  }

  /// A step that ends half done.
  static void breakAStep(World& world) {
    for (int n = 1; n < 100; ++n) {
      failAllocation(n);
      try {
        world.step();
      } catch (const std::bad_alloc&) {
      }
      failAllocation(0);
      try {
        world.save();
      } catch (const InputError&) {
        return;
      }
    }
    FAIL() << "the world stays whole";
  }

  World world = withMixedColliders();
  std::vector<std::byte> state, expected;
};

// What is saved by name has no indices of colliders: they are those that the world had.
TEST_F(HalfDone, AndAgainInTheRestore_CollidersHaveTheirIndices) {
  const int failed = failEach([&] { world.restore(state, RestoreMode::kByName); },
                              [&](bool) {
                                world.restore(state, RestoreMode::kByName);
                                EXPECT_EQ(world.save(), expected);
                                breakAStep(world);
                              });
  EXPECT_GT(failed, 10);
}

TEST_F(HalfDone, ByAnotherShape_TheColliderHasItsIndex) {
  const BodyHandle a = world.body(world.findBody("a"));
  const int failed = failEach([&] { a.setShape(Sphere{0.3}); },
                              [&](bool) {
                                world.restore(state, RestoreMode::kByName);
                                EXPECT_EQ(world.save(), expected);
                              });
  EXPECT_GT(failed, 2);
}

// What a half done world gives up needs memory, which the step that failed took from this thread.
TEST_F(HalfDone, TheNextChangeOfAJoint_IsAllOrNothing) {
  World other(settingsFor("auto"), registry());
  const BodyId a = addUnitBox(other, {0, 0, 0}), b = addUnitBox(other, {0, 0, 1});
  const JointHandle hinge = other.joint(other.addJoint(hingeJoint(a, b)));
  const std::vector<std::byte> before = other.save();
  breakAStep(world);
  const int failed = failEach([&] { hinge.setLimits(kAboutX, -1, 1); },
                              [&](bool isDone) {
                                if (isDone) other.restore(before);
                                EXPECT_EQ(other.save(), before);
                                world.restore(state);
                                breakAStep(world);
                              });
  EXPECT_GT(failed, 2);
}

/// Says whether it is destroyed.
class MarkedSolver final : public ContactSolver {
 public:
  explicit MarkedSolver(bool& isDestroyed) : isDestroyed_(isDestroyed) {}
  ~MarkedSolver() override { isDestroyed_ = true; }
  const SolverTraits& traits() const override { return traits_; }

 private:
  void visitSettings(SettingVisitor&) override {}
  void reserveOwn(const ProblemSize&) override {}
  void run(const ContactProblem&, const SolveContext&, ImpulseView, SolverReport&) override {}

  SolverTraits traits_;
  bool& isDestroyed_;
};

// An Eigen matrix whose growth failed points to what it freed, and its end would free that again.
TEST(Abandoned, StepDataAndSolvers_AreNotDestroyedWithTheWorld) {
  if (allocationCount() == 0) GTEST_SKIP() << "what stays taken is a leak to a sanitizer";
  bool isDestroyed = false;
  {
    WorldParts world{.collision = CollisionWorld({})};
    world.data.points.resize(1);
    world.solvers.lanes.emplace_back().solver = std::make_unique<MarkedSolver>(isDestroyed);
    prepareToAbandon();
    abandon(world);
    EXPECT_TRUE(world.isHalfDone);
    EXPECT_TRUE(world.data.points.empty());
    EXPECT_TRUE(world.solvers.lanes.empty());
  }
  EXPECT_FALSE(isDestroyed);
}

}  // namespace
}  // namespace drystone::test
