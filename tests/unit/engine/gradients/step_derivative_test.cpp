// Derivatives of whole steps are those of central differences of World::step().
#include "engine/gradients/step_derivative.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/support/worlds.h"
#include "tests/unit/engine/gradients/step_scene.h"

namespace drystone {
namespace {

using test::expectDerivative;
using test::StepScene;

/// Spin, damping and loads, without contacts, under both integrators.
TEST(StepDerivative, FreeFlight_IsThatOfDifferences) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    StepScene scene;
    scene.integrator = integrator;
    scene.damping = 0.7;
    scene.add(Box{{0.3, 0.4, 0.5}}, 2, {{0, 0, 5}, test::turn(Vec3(1, 2, 3).normalized(), 0.7)},
              {1, 2, 3}, {4, -9, 6});
    scene.numbers.load[1] << 3, 2, 1, 0.4, -0.3, 0.2;
    expectDerivative(scene, 0);
  }
}

/// A ball on the plane, lower by 1 mm than it should be: it slips, or rolls.
TEST(StepDerivative, BallOnPlane_IsThatOfDifferences) {
  for (const Real friction : {0.2, 5.0}) {
    for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
      StepScene scene(friction);
      scene.integrator = integrator;
      scene.add(Sphere{0.5}, 2, {{0.1, 0.2, 0.499}, test::turn(Vec3::UnitX(), 0.3)}, {0.5, 0.3, 0},
                {1, 2, 3});
      scene.numbers.load[1] << 3, 2, 1, 0.4, -0.3, 0.2;
      expectDerivative(scene, 1);
    }
  }
}

/// Four corners that stick or slide, with a push of 8 N against the friction of 9.8 N or 5.9 N.
TEST(StepDerivative, BoxOnPlane_IsThatOfDifferences) {
  for (const Real friction : {0.5, 0.3}) {
    StepScene scene(friction);
    scene.material.compliance = 1e-4;
    scene.add(Box{{0.3, 0.4, 0.5}}, 2, {{0.1, 0.2, 0.4999}, test::turn(Vec3::UnitZ(), 0.3)});
    scene.numbers.load[1] << 7, -4, 0, 0.1, 0.2, 0.3;
    expectDerivative(scene, 4);
  }
}

/// A tilted box lands on an edge and rebounds, slipping.
TEST(StepDerivative, BoxThatBounces_IsThatOfDifferences) {
  StepScene scene(0.2);
  scene.material.restitution = 0.4;
  scene.add(
      Box{{0.3, 0.4, 0.5}}, 2,
      {{0, 0, 0.3 * std::sin(0.3) + 0.5 * std::cos(0.3) - 1e-4}, test::turn(Vec3::UnitY(), 0.3)},
      {1, 0.5, -2}, {0.3, 0.2, 0.1});
  scene.numbers.load[1] << 3, 2, 1, 0.4, -0.3, 0.2;
  expectDerivative(scene, 2);
}

/// A box that spins lands on a corner, and one more is near and stays open.
TEST(StepDerivative, CornerThatLands_IsThatOfDifferences) {
  StepScene scene(0.4);
  const Quat tilt = test::turn(Vec3(1, 1.2, 0.1).normalized(), 0.6);
  const Vec3 half(0.3, 0.4, 0.01);
  const Real reach = (tilt.toRotationMatrix().row(2).transpose().cwiseAbs()).dot(half);
  scene.integrator = Integrator::kMoreau;
  scene.add(Box{half}, 2, {{0, 0, reach}, tilt}, {0.2, 0.1, -0.1}, {1, 2, 3});
  scene.numbers.load[1] << 3, 2, 1, 0.4, -0.3, 0.2;
  expectDerivative(scene, 2);
}

/// A ball on a ball on the plane: the normal between them turns by their curvature.
TEST(StepDerivative, BallOnBall_IsThatOfDifferences) {
  StepScene scene(0.3);
  scene.add(Sphere{0.5}, 2, {{0, 0, 0.4995}, Quat::Identity()}, {0.5, 0.3, 0}, {1, 2, 3});
  scene.add(Sphere{0.3}, 1, {{0.3, 0.2, 0.4995 + std::sqrt(0.64 - 0.13) - 1e-3}, Quat::Identity()},
            {0.1, -0.2, 0}, {0, 4, 1});
  expectDerivative(scene, 2);
}

/// A hull stands on a box that slides: its corners ride on a face that moves itself.
TEST(StepDerivative, HullOnBox_IsThatOfDifferences) {
  StepScene scene(0.3);
  scene.material.compliance = 1e-4;
  scene.add(Box{{0.6, 0.7, 0.1}}, 2, {{0, 0, 0.0998}, test::turn(Vec3::UnitZ(), 0.2)}, {1, 0.2, 0},
            {0, 0, 0.5});
  std::vector<Vec3> corners;
  for (const Real z : {-0.2, 0.2}) {
    for (const Real x : {-0.3, 0.3}) corners.insert(corners.end(), {{x, -0.2, z}, {0, 0.4, z}});
  }
  scene.add(makeHull(corners), 1, {{0.05, 0.1, 0.3995}, Quat::Identity()}, {0.4, 0.1, 0},
            {0, 0, -0.3});
  scene.numbers.load[2] << 3, 2, 1, 0.1, -0.1, 0.2;
  expectDerivative(scene, 7);
}

/// A bar across another one, edge on edge.
TEST(StepDerivative, EdgeAcrossEdge_IsThatOfDifferences) {
  StepScene scene(0.4);
  const Quat onEdge = test::turn(Vec3::UnitX(), std::numbers::pi / 4);
  const Real half = std::numbers::sqrt2 * 0.2;
  scene.add(Box{{1, 0.2, 0.2}}, 3, {{0, 0, 1}, onEdge}, {0, 0, 0.1}, {0.1, 0.2, 0.3});
  scene.add(Box{{1, 0.2, 0.2}}, 2,
            {{0.1, 0.2, 1 + 2 * half - 1e-4}, test::turn(Vec3::UnitZ(), 1.2) * onEdge},
            {0.3, 0, -0.5}, {0.2, -0.1, 0.4});
  expectDerivative(scene, 1);
}

/// A capsule that rolls and yaws on the plane, on both of its ends.
TEST(StepDerivative, CapsuleOnPlane_IsThatOfDifferences) {
  StepScene scene(0.3);
  scene.material.compliance = 1e-4;
  const Quat lying = test::turn(Vec3::UnitX(), std::numbers::pi / 2);
  scene.add(Capsule{.radius = 0.2, .halfLength = 0.4}, 2, {{0.1, 0.2, 0.1999}, lying},
            {0.5, 0.3, 0}, {1, 2, 0.3});
  scene.numbers.load[1] << 3, 2, 1, 0.4, -0.3, 0.2;
  expectDerivative(scene, 2);
}

/// A ball on the side of a capsule, another one on its end, and a capsule across it.
TEST(StepDerivative, SidesOfCapsules_AreThoseOfDifferences) {
  StepScene scene(0.3);
  const Quat lying = test::turn(Vec3(1, 0.1, 0).normalized(), 1.5);
  const Capsule shape{.radius = 0.2, .halfLength = 0.6};
  scene.add(shape, 3, {{0, 0, 2}, lying}, {0.2, 0.1, 0.3}, {0.4, 0.3, -0.2});
  const auto placed = [&](Real along, const Vec3& out) -> Vec3 {
    return Vec3(0, 0, 2) + lying * Vec3(out.x(), out.y(), along + out.z());
  };
  // All come together: a contact that is open would show nothing.
  const auto add = [&](const Shape& other, Real mass, const Pose& pose, const Vec3& out) {
    scene.add(other, mass, pose, lying * -out + Vec3(0.1, -0.2, 0.1), {0.3, 2, 1});
  };
  const Vec3 below(0.6, -0.8, 0), beyond(0.48, 0.64, -0.6), above(0.6, 0.8, 0);
  add(Sphere{0.3}, 1, {placed(0.25, 0.4999 * below), Quat::Identity()}, below);
  add(Sphere{0.1}, 0.5, {placed(-0.6, 0.2999 * beyond), Quat::Identity()}, beyond);
  add(shape, 2, {placed(-0.1, 0.3999 * above), lying * test::turn(above, 1.2)}, above);
  scene.numbers.load[4] << 3, 2, 1, 0.1, -0.1, 0.2;
  expectDerivative(scene, 3);
}

/// Where a box stops that slides, and how that answers to friction: the steps chained.
std::pair<Real, Real> slideToStop(Real friction) {
  StepScene scene(friction);
  scene.add(Box{{0.3, 0.4, 0.05}}, 2, {{0, 0, 0.0499}, Quat::Identity()}, {2, 0, 0});
  World world = scene.make();
  std::vector<Vec6> pose(2, Vec6::Zero()), velocity(2, Vec6::Zero());
  const BodyId box = world.bodies()[1];
  while (world.body(box).linearVelocity().x() > 1e-6) {
    StepDerivative derivative(world);
    const std::vector<Real> one(derivative.contacts().size(), 1);
    const StepOutcome next =
        derivative.forward({.pose = pose, .velocity = velocity, .friction = one});
    pose = next.pose;
    velocity = next.velocity;
    world.step();
  }
  return {world.body(box).centerOfMass().x(), pose[1][0]};
}

/// The way is v²/(2 μ g) and h v/2 less, since a step moves with its last velocity; its derivative
/// thus -v²/(2 μ² g), to the part of a step in which it stops.
TEST(StepDerivative, ChainOfSteps_FindsFrictionFromTheWayToAStop) {
  const Real wanted = slideToStop(0.37).first;
  Real friction = 0.6, off = 1;
  EXPECT_NEAR(slideToStop(0.6).second, -2 * 2 / (2 * 0.36 * 9.81), 0.02);
  for (int i = 0; i < 8 && std::abs(off) > 1e-12; ++i) {
    const auto [way, slope] = slideToStop(friction);
    off = way - wanted;
    friction -= off / slope;
  }
  EXPECT_NEAR(friction, 0.37, 1e-9);
}

}  // namespace
}  // namespace drystone
