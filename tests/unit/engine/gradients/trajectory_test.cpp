// Derivatives over many steps, and a step as a matrix.
#include "engine/gradients/trajectory_derivative.h"

#include <gtest/gtest.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "core/random.h"
#include "engine/gradients/step_matrix.h"
#include "tests/support/worlds.h"
#include "tests/unit/engine/gradients/step_scene.h"

namespace drystone {
namespace {

using test::StepScene;
using BodyEnd = Eigen::Matrix<Real, 12, 1>;

/// A step as its matrix gives it is that of forward().
TEST(StepMatrix, TimesADirection_IsTheForwardDerivative) {
  StepScene scene(0.3);
  scene.add(Sphere{0.5}, 2, {{0, 0, 0.4995}, Quat::Identity()}, {0.5, 0.3, 0}, {1, 2, 3});
  scene.add(Sphere{0.3}, 1, {{5, 0, 0.2995}, Quat::Identity()}, {0.1, -0.2, 0}, {0, 4, 1});
  scene.add(Sphere{0.3}, 1, {{0.3, 0.2, 0.4985 + std::sqrt(0.64 - 0.13)}, Quat::Identity()},
            {0.1, -0.2, 0}, {0, 4, 1});
  scene.substeps = 2;
  World world = scene.make();
  StepDerivative derivative(world);
  EXPECT_EQ(derivative.groups(), (std::vector{-1, 0, 1, 0}));
  const StepMatrix matrix = stepMatrix(derivative, world.bodies());
  ASSERT_EQ(matrix.bodies.size(), 3u);
  Random random(3);
  std::vector<Vec6> pose(4, Vec6::Zero()), velocity(4, Vec6::Zero()), load(4, Vec6::Zero());
  VecX state(36), force(18);
  for (int body = 0; body < 3; ++body) {
    for (int i = 0; i < 6; ++i) {
      pose[body + 1][i] = state[12 * body + i] = random.uniform(-1, 1);
      velocity[body + 1][i] = state[12 * body + 6 + i] = random.uniform(-1, 1);
      load[body + 1][i] = force[6 * body + i] = random.uniform(-1, 1);
    }
  }
  const StepOutcome outcome =
      derivative.forward({.pose = pose, .velocity = velocity, .load = load});
  const VecX next = matrix.byState * state + matrix.byLoad * force;
  for (int body = 0; body < 3; ++body) {
    BodyEnd expected;
    expected << outcome.pose[body + 1], outcome.velocity[body + 1];
    EXPECT_LT((next.segment<12>(12 * body) - expected).norm(), 1e-11 * expected.norm());
  }
  // Balls 1 and 3 touch, ball 2 is alone.
  const MatX dense(matrix.byState);
  EXPECT_EQ(dense.block(0, 12, 12, 12).norm(), 0);
  EXPECT_EQ(dense.block(12, 24, 12, 12).norm(), 0);
  EXPECT_GT(dense.block(0, 24, 12, 12).norm(), 0.01);
  EXPECT_LE(matrix.byState.nonZeros(), 5 * 144);
}

constexpr int kManySteps = 200;
constexpr Real kOfManySteps = 0.01;

/// A body of 2 kg in flight under f(k) = 3 N for even steps k. After N steps of semi-implicit
/// Euler, x = x₀ + N h v + h² Σ (N − k) (g + f(k)/m).
TEST(TrajectoryDerivative, FreeFlight_IsThatOfTheClosedForm) {
  StepScene scene;
  scene.add(Box{{0.3, 0.4, 0.5}}, 2, {{0, 0, 50}, Quat::Identity()}, {1, 2, 3});
  World world = scene.make();
  const BodyId box = world.bodies()[1];
  TrajectoryDerivative trajectory(world, kManySteps, [&](World& in, int step) {
    if (step % 2 == 0) in.body(box).applyForce({3, 0, 0});
  });
  std::vector<Vec6> end(2, Vec6::Zero());
  end[1][0] = 1;
  const TrajectoryGradient gradient = trajectory.adjoint({.pose = end});
  Real all = 0, even = 0;
  for (int k = 0; k < kManySteps; ++k) {
    all += kOfManySteps * kOfManySteps * (kManySteps - k);
    if (k % 2 == 0) even += kOfManySteps * kOfManySteps * (kManySteps - k);
  }
  EXPECT_NEAR(gradient.pose[1][0], 1, 1e-12);
  EXPECT_NEAR(gradient.velocity[1][0], kManySteps * kOfManySteps, 1e-12);
  EXPECT_NEAR(gradient.gravity.x(), all, 1e-12);
  EXPECT_NEAR(gradient.load[1][0], all / 2, 1e-12);
  EXPECT_NEAR(gradient.mass[1], -3 * even / 4, 1e-12);
  EXPECT_NEAR(world.body(box).centerOfMass().x(), kManySteps * kOfManySteps + 3 * even / 2, 1e-11);
}

/// The sum of x before all steps, as the visitor adds it: its derivative by v is h Σ k. What it
/// sees of loads is of the step alone: the force of step k moves x at the end by h² (N − k)/m, and
/// the states after it in the sum by h² (1 + … + N − k − 1)/m.
TEST(TrajectoryDerivative, Visitor_AddsCostsAndSeesEachStep) {
  StepScene scene;
  scene.add(Box{{0.3, 0.4, 0.5}}, 2, {{0, 0, 50}, Quat::Identity()});
  World world = scene.make();
  TrajectoryDerivative trajectory(world, 10);
  std::vector<Vec6> end(2, Vec6::Zero());
  end[1][0] = 1;
  int expected = 10;
  const auto gradient =
      trajectory.adjoint({.pose = end}, [&](int step, const StepDerivative&, StepGradient& own) {
        EXPECT_EQ(step, --expected);
        const int left = 10 - step;
        EXPECT_NEAR(own.load[1][0], 1e-4 * (left + left * (left - 1) / 2) / 2, 1e-15);
        own.pose[1][0] += 1;
      });
  EXPECT_EQ(expected, 0);
  EXPECT_NEAR(gradient.velocity[1][0], 0.01 * (10 + 45), 1e-14);
}

/// A ball that slides until it rolls, on a plane of another material.
struct RollingBall {
  Real friction = 0.2, mass = 2, speed = 3, gravity = -9.81;

  World make() const {
    WorldSettings settings = test::settingsFor("bpp");
    settings.solver.budget.tolerance = 1e-13;
    settings.gravity = {0.3, 0, gravity};
    settings.timestep = kOfManySteps;
    World world(settings, test::registry());
    const MaterialId plane = world.addMaterial({.friction = friction});
    const MaterialId ball = world.addMaterial({.friction = 0.05});
    test::addPlane(world, plane);
    const BodyId id = test::addBody(world, Sphere{0.5}, mass, {{0, 0, 0.499}, Quat::Identity()},
                                    {speed, 0.5, 0}, {1, 0, 2});
    world.body(id).setMaterial(ball);
    return world;
  }
  Real way() const {
    World world = make();
    for (int i = 0; i < kManySteps; ++i) world.step();
    return world.body(world.bodies()[1]).centerOfMass().x();
  }
};

/// Within 200 steps: 1.2 s of sliding under μ = 0.1, then rolling.
TEST(TrajectoryDerivative, BallThatSlidesAndRolls_IsThatOfDifferences) {
  const RollingBall ball;
  World world = ball.make();
  TrajectoryDerivative trajectory(world, kManySteps);
  std::vector<Vec6> end(2, Vec6::Zero());
  end[1][0] = 1;
  const TrajectoryGradient gradient = trajectory.adjoint({.pose = end});
  const auto expectDifference = [&](Real derivative, Real RollingBall::*number) {
    RollingBall ahead, behind;
    ahead.*number += 1e-5;
    behind.*number -= 1e-5;
    const Real difference = (ahead.way() - behind.way()) / 2e-5;
    EXPECT_NEAR(derivative / difference, 1, 1e-7) << difference;
  };
  ASSERT_EQ(gradient.friction.size(), 3u);
  expectDifference(gradient.friction[1], &RollingBall::friction);
  expectDifference(gradient.velocity[1][0], &RollingBall::speed);
  expectDifference(gradient.gravity.z(), &RollingBall::gravity);
  EXPECT_LT(std::abs(gradient.mass[1]), 1e-9);  // friction is in proportion to it

  // Forward along all of these gives the same.
  std::vector<Vec6> velocity(2, Vec6::Zero());
  velocity[1][0] = 0.7;
  const std::vector<Real> friction{0, 0.2, -0.1};
  const TrajectoryOutcome outcome =
      trajectory.forward({.velocity = velocity, .friction = friction, .gravity = {0.1, 0.2, 0.3}});
  EXPECT_NEAR(outcome.pose[1][0],
              0.7 * gradient.velocity[1][0] + 0.2 * gradient.friction[1] -
                  0.1 * gradient.friction[2] + gradient.gravity.dot(Vec3(0.1, 0.2, 0.3)),
              1e-9);
  EXPECT_TRUE(outcome.hasCertainStates);
  EXPECT_LT(outcome.residual, 1e-12);
  EXPECT_GT(std::min(outcome.ahead, outcome.behind), 1e-4);
}

/// The world is where its steps took it, and goes on as if nothing had been asked.
TEST(TrajectoryDerivative, LeavesTheWorldAtTheEnd) {
  World world = RollingBall().make(), other = RollingBall().make();
  const auto push = [](World& in, int step) {
    in.body(in.bodies()[1]).applyForce({0, 0.1 * step, 0});
  };
  TrajectoryDerivative trajectory(world, 17, push);
  for (int i = 0; i < 17; ++i) {
    push(other, i);
    other.step();
  }
  EXPECT_EQ(world.observe().hash(), other.observe().hash());
  std::vector<Vec6> one(2, Vec6::Ones());
  trajectory.adjoint({.pose = one});
  trajectory.forward({.pose = one});
  EXPECT_EQ(world.observe().hash(), other.observe().hash());
  world.step();
  other.step();
  EXPECT_EQ(world.observe().hash(), other.observe().hash());
}

/// A ball falls by 11 mm, and in the second step by 12 mm where 10 mm are left: its number is in
/// the message, and the world at the end.
TEST(TrajectoryDerivative, StepWithoutDerivative_IsNamed) {
  StepScene scene(0.2);
  scene.material.restitution = 0.5;
  scene.add(Sphere{0.5}, 2, {{0, 0, 0.521}, Quat::Identity()}, {0, 0, -1});
  World world = scene.make();
  TrajectoryDerivative trajectory(world, 5);
  const Real time = world.time();
  try {
    trajectory.forward({.gravity = {0, 0, 1}});
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("step 2 of 5: step derivative: a bounce"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(world.time(), time);
  EXPECT_THROW(TrajectoryDerivative(world, 0), InputError);
}

}  // namespace
}  // namespace drystone
