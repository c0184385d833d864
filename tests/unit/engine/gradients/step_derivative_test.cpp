// Derivatives of whole steps are those of central differences of World::step().
#include "engine/gradients/step_derivative.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// All that a step is differentiated by, or a direction in it; the rotations as vectors from the
/// left. [bodies]
struct StepNumbers {
  std::vector<Vec6> pose, velocity, load;
  std::vector<Real> mass;
  Real friction = 0;
  Vec3 gravity = Vec3::Zero();
};

/// A world over a static plane, body 0. Its other bodies begin with `numbers`, rotations apart.
struct StepScene {
  explicit StepScene(Real friction = 0.5) {
    numbers.friction = friction;
    numbers.gravity = Vec3(0, 0, -9.81);
    add(Plane{}, 0, {});
  }
  void add(const Shape& shape, Real mass, const Pose& pose, const Vec3& velocity = Vec3::Zero(),
           const Vec3& spin = Vec3::Zero()) {
    shapes.push_back(shape);
    rotations.push_back(pose.rotation);
    Vec6 place, motion;
    place << pose.position, Vec3::Zero();
    motion << velocity, spin;
    numbers.pose.push_back(place);
    numbers.velocity.push_back(motion);
    numbers.load.push_back(Vec6::Zero());
    numbers.mass.push_back(mass);
  }
  /// The world of numbers + t direction.
  World make(const StepNumbers& direction = {}, Real t = 0) const;

  std::vector<Shape> shapes;
  std::vector<Quat> rotations;
  StepNumbers numbers;
  Material material;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Real damping = 0;  ///< [1/s]
};

Vec6 moved(const std::vector<Vec6>& from, const std::vector<Vec6>& direction, int i, Real t) {
  return direction.empty() ? from[i] : Vec6(from[i] + t * direction[i]);
}

World StepScene::make(const StepNumbers& direction, Real t) const {
  WorldSettings settings = test::settingsFor("bpp");
  settings.solver.budget.tolerance = 1e-13;
  settings.gravity = numbers.gravity + t * direction.gravity;
  settings.integrator = integrator;
  settings.timestep = 0.01;
  settings.sleeping.enabled = false;
  World world(settings, test::registry());
  Material own = material;
  own.friction = numbers.friction + t * direction.friction;
  const MaterialId id = world.addMaterial(own);
  world.setMaterialPair(id, id, own);
  for (int i = 0; i < static_cast<int>(shapes.size()); ++i) {
    const Vec6 place = moved(numbers.pose, direction.pose, i, t);
    const Vec6 motion = moved(numbers.velocity, direction.velocity, i, t);
    const Real angle = place.tail<3>().norm();
    const Quat turn =
        angle > 0 ? test::turn(place.tail<3>() / angle, angle) : Quat(Quat::Identity());
    BodyDefinition body;
    body.shape = shapes[i];
    body.material = id;
    body.pose = {place.head<3>(), (turn * rotations[i]).normalized()};
    if (i == 0) {
      body.kind = BodyKind::kStatic;
      world.addBody(body);
      continue;
    }
    const Real mass = numbers.mass[i] + (direction.mass.empty() ? 0 : t * direction.mass[i]);
    body.mass = massOf(shapes[i], mass);
    body.linearVelocity = motion.head<3>();
    body.angularVelocity = motion.tail<3>();
    body.linearDamping = damping;
    body.angularDamping = 2 * damping;
    const BodyId added = world.addBody(body);
    const Vec6 load = moved(numbers.load, direction.load, i, t);
    world.body(added).applyForce(load.head<3>());
    world.body(added).applyTorque(load.tail<3>());
  }
  return world;
}

std::vector<Vec6> randomEntries(std::size_t count, Random& random) {
  std::vector<Vec6> values(count);
  for (Vec6& value : values) {
    for (Real& entry : value) entry = random.uniform(-1, 1);
  }
  return values;
}

constexpr const char* kKinds[] = {"pose", "velocity", "load", "mass", "friction", "gravity"};

/// A random direction in one kind of data, or in all.
StepNumbers directionOf(const std::string& kind, std::size_t bodies, Random& random) {
  StepNumbers direction;
  const auto has = [&](const char* name) { return kind == name || kind == "all"; };
  if (has("pose")) direction.pose = randomEntries(bodies, random);
  if (has("velocity")) direction.velocity = randomEntries(bodies, random);
  if (has("velocity")) direction.velocity[0].setZero();
  if (has("load")) direction.load = randomEntries(bodies, random);
  if (has("mass")) {
    for (std::size_t i = 0; i < bodies; ++i) direction.mass.push_back(random.uniform(-1, 1));
  }
  if (has("friction")) direction.friction = 1;
  if (has("gravity")) direction.gravity = randomEntries(1, random)[0].head<3>();
  return direction;
}

StepOutcome forward(StepDerivative& derivative, const StepNumbers& direction) {
  const std::vector<Real> friction(derivative.contacts().size(), direction.friction);
  return derivative.forward({.pose = direction.pose,
                             .velocity = direction.velocity,
                             .load = direction.load,
                             .mass = direction.mass,
                             .friction = friction,
                             .gravity = direction.gravity});
}

Real largest(const std::vector<Vec6>& values) {
  Real most = 0;
  for (const Vec6& value : values) most = std::max(most, value.cwiseAbs().maxCoeff());
  return most;
}

/// How far the derivative is from central differences of the world's own step, relative to the
/// largest entry. Where that is 0, as by mass of what falls freely, round-off is over 1e-3.
Real differenceError(const StepScene& scene, const StepNumbers& direction,
                     const StepOutcome& outcome, Real t) {
  World ahead = scene.make(direction, t), behind = scene.make(direction, -t);
  ahead.step();
  behind.step();
  Real error = 0;
  for (const BodyId id : ahead.bodies()) {
    const auto a = ahead.body(id), b = behind.body(id);
    const Eigen::AngleAxisd turn(a.pose().rotation * b.pose().rotation.conjugate());
    Vec6 pose, velocity;
    pose << a.centerOfMass() - b.centerOfMass(), turn.angle() * turn.axis();
    velocity << a.linearVelocity() - b.linearVelocity(), a.angularVelocity() - b.angularVelocity();
    error = std::max({error, (pose / (2 * t) - outcome.pose[id.index]).cwiseAbs().maxCoeff(),
                      (velocity / (2 * t) - outcome.velocity[id.index]).cwiseAbs().maxCoeff()});
  }
  return error / std::max({largest(outcome.velocity), largest(outcome.pose), 1e-3});
}

/// Compares each kind of data with differences of step t, and the adjoint with the forward
/// derivative.
void expectDerivative(const StepScene& scene, std::size_t contacts, Real tolerance = 1e-6,
                      Real t = 1e-6) {
  World world = scene.make();
  StepDerivative derivative(world);
  ASSERT_EQ(derivative.contacts().size(), contacts);
  EXPECT_TRUE(derivative.certificate().hasCertainStates);
  Random random(7);
  for (const std::string kind : kKinds) {
    const StepNumbers direction = directionOf(kind, scene.shapes.size(), random);
    const StepOutcome outcome = forward(derivative, direction);
    ASSERT_GT(std::min(outcome.ahead, outcome.behind), t) << kind;
    const Real error = differenceError(scene, direction, outcome, t);
    EXPECT_LT(error, tolerance) << kind;
  }
  const StepNumbers direction = directionOf("all", scene.shapes.size(), random);
  const StepOutcome outcome = forward(derivative, direction);
  const std::vector<Vec6> pose = randomEntries(scene.shapes.size(), random);
  const std::vector<Vec6> velocity = randomEntries(scene.shapes.size(), random);
  const StepGradient gradient = derivative.adjoint({.pose = pose, .velocity = velocity});
  Real along = 0, back = direction.gravity.dot(gradient.gravity), size = 0;
  for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
    along += pose[i].dot(outcome.pose[i]) + velocity[i].dot(outcome.velocity[i]);
    back += direction.pose[i].dot(gradient.pose[i]) +
            direction.velocity[i].dot(gradient.velocity[i]) +
            direction.load[i].dot(gradient.load[i]) + direction.mass[i] * gradient.mass[i];
    size += gradient.pose[i].norm() + gradient.velocity[i].norm();
  }
  for (const Real friction : gradient.friction) back += direction.friction * friction;
  EXPECT_NEAR(along, back, 1e-9 * size);
}

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
