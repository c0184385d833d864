#include "tests/unit/engine/gradients/step_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>

#include "core/random.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

/// An entry of a direction that may be empty.
template <class Value>
Value at(const std::vector<Value>& values, std::size_t i) {
  if constexpr (std::is_same_v<Value, Real>) {
    return values.empty() ? 0 : values[i];
  } else {
    return values.empty() ? Value(Value::Zero()) : values[i];
  }
}

Quat turnBy(const Vec3& turn) {
  const Real angle = turn.norm();
  return angle > 0 ? test::turn(turn / angle, angle) : Quat(Quat::Identity());
}

JointAxis movedRange(JointAxis axis, Real goal) {
  axis.lower += goal;
  axis.upper += goal;
  return axis;
}

/// A joint whose goals, caps and frames move.
JointDefinition movedJoint(JointDefinition joint, const StepNumbers& direction, std::size_t i,
                           Real t) {
  const Real goal = t * at(direction.goal, i), cap = t * at(direction.cap, i);
  for (JointAxis& axis : joint.axes) {
    if (!axis.isLocked()) axis = movedRange(axis, goal);
    if (axis.spring) axis.spring->rest += goal;
    if (axis.motor) axis.motor->target = axis.motor->target.at(0) + goal;
    if (axis.motor) axis.motor->maxForce += cap;
    if (axis.friction > 0) axis.friction += cap;
  }
  if (joint.swingLimit < kInfinity) joint.swingLimit += goal;
  const auto moveFrame = [&](const Vec6& change, Pose& frame) {
    frame.position += frame.rotation * change.head<3>();
    frame.rotation = (frame.rotation * turnBy(change.tail<3>())).normalized();
  };
  moveFrame(t * at(direction.frameA, i), joint.frameA);
  moveFrame(t * at(direction.frameB, i), joint.frameB);
  return joint;
}

}  // namespace

StepScene::StepScene(Real friction) {
  numbers.friction = friction;
  numbers.gravity = Vec3(0, 0, -9.81);
  add(Plane{}, 0, {});
}

void StepScene::add(const Shape& shape, Real mass, const Pose& pose, const Vec3& velocity,
                    const Vec3& spin) {
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

World StepScene::make(const StepNumbers& direction, Real t) const {
  WorldSettings settings = test::settingsFor("bpp");
  settings.solver.budget.tolerance = 1e-13;
  settings.gravity = numbers.gravity + t * direction.gravity;
  settings.integrator = integrator;
  settings.timestep = 0.01;
  settings.sleeping.enabled = false;
  settings.holdJoints = holdJoints;
  settings.substeps = substeps;
  World world(settings, test::registry());
  Material own = material;
  own.friction = numbers.friction + t * direction.friction;
  const MaterialId id = world.addMaterial(own);
  world.setMaterialPair(id, id, own);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Vec6 motion = numbers.velocity[i] + t * at(direction.velocity, i);
    BodyDefinition body;
    body.shape = shapes[i];
    body.material = id;
    body.pose = {numbers.pose[i].head<3>(), rotations[i]};
    if (i == 0) {
      body.kind = BodyKind::kStatic;
      world.addBody(body);
      continue;
    }
    body.mass = massOf(shapes[i], numbers.mass[i] + t * at(direction.mass, i));
    body.linearVelocity = motion.head<3>();
    body.angularVelocity = motion.tail<3>();
    body.linearDamping = damping;
    body.angularDamping = 2 * damping;
    const BodyId added = world.addBody(body);
    const Vec6 load = numbers.load[i] + t * at(direction.load, i);
    world.body(added).applyForce(load.head<3>());
    world.body(added).applyTorque(load.tail<3>());
  }
  const std::vector<BodyId> bodies = world.bodies();
  std::vector<JointId> made;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    JointDefinition joint = movedJoint(joints[i], direction, i, t);
    if (joint.geometry == JointGeometry::kGear) {
      joint.gear1 = made[joint.gear1.index];
      joint.gear2 = made[joint.gear2.index];
    } else {
      joint.bodyA = bodies[joint.bodyA.index];
      joint.bodyB = bodies[joint.bodyB.index];
    }
    made.push_back(world.addJoint(joint));
  }
  for (std::size_t i = 0; i < direction.pose.size(); ++i) {
    const Vec6 change = t * direction.pose[i];
    const auto body = world.body(bodies[i]);
    const Pose pose = body.pose();
    // A turn about the centre of mass, as the derivative has it.
    const Quat turn = turnBy(change.tail<3>());
    const Vec3 centre = body.centerOfMass();
    body.setPose({centre + change.head<3>() + turn * (pose.position - centre),
                  (turn * pose.rotation).normalized()});
  }
  return world;
}

namespace {

std::vector<Vec6> randomEntries(std::size_t count, Random& random) {
  std::vector<Vec6> values(count);
  for (Vec6& value : values) {
    for (Real& entry : value) entry = random.uniform(-1, 1);
  }
  return values;
}

std::vector<Real> randomNumbers(std::size_t count, Random& random) {
  std::vector<Real> values(count);
  for (Real& value : values) value = random.uniform(-1, 1);
  return values;
}

constexpr const char* kKinds[] = {"pose",    "velocity", "load", "mass", "friction",
                                  "gravity", "goal",     "cap",  "frame"};

/// A random direction in one kind of data, or in all.
StepNumbers directionOf(const std::string& kind, const StepScene& scene, Random& random) {
  const std::size_t bodies = scene.shapes.size(), joints = scene.joints.size();
  StepNumbers direction;
  const auto has = [&](const char* name) { return kind == name || kind == "all"; };
  if (has("pose")) direction.pose = randomEntries(bodies, random);
  if (has("velocity")) direction.velocity = randomEntries(bodies, random);
  if (has("velocity")) direction.velocity[0].setZero();
  if (has("load")) direction.load = randomEntries(bodies, random);
  if (has("mass")) direction.mass = randomNumbers(bodies, random);
  if (has("friction")) direction.friction = 1;
  if (has("gravity")) direction.gravity = randomEntries(1, random)[0].head<3>();
  if (has("goal")) direction.goal = randomNumbers(joints, random);
  if (has("cap")) direction.cap = randomNumbers(joints, random);
  if (has("frame") && !scene.gearsKeepFrames) {
    direction.frameA = randomEntries(joints, random);
    direction.frameB = randomEntries(joints, random);
  }
  return direction;
}

/// The numbers of joints for each drive.
std::vector<Real> ofDrives(const StepDerivative& derivative, const std::vector<Real>& ofJoints) {
  std::vector<Real> values;
  for (const StepDrive& drive : derivative.drives()) {
    values.push_back(at(ofJoints, static_cast<std::size_t>(drive.joint.index)));
  }
  return values;
}

StepOutcome forward(StepDerivative& derivative, const StepNumbers& direction) {
  const std::vector<Real> friction(derivative.contacts().size(), direction.friction);
  const std::vector<Real> goal = ofDrives(derivative, direction.goal);
  const std::vector<Real> cap = ofDrives(derivative, direction.cap);
  return derivative.forward({.pose = direction.pose,
                             .velocity = direction.velocity,
                             .load = direction.load,
                             .mass = direction.mass,
                             .friction = friction,
                             .goal = goal,
                             .cap = cap,
                             .frameA = direction.frameA,
                             .frameB = direction.frameB,
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
  Real error = 0;  // NaN would be lost in the maxima
  for (const auto* ends : {&outcome.pose, &outcome.velocity}) {
    for (const Vec6& end : *ends) EXPECT_TRUE(end.allFinite());
  }
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

Real dot(const std::vector<Vec6>& a, const std::vector<Vec6>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

Real dot(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void expectTransposed(const StepScene& scene, StepDerivative& derivative, Random& random) {
  const StepNumbers direction = directionOf("all", scene, random);
  const StepOutcome outcome = forward(derivative, direction);
  const std::vector<Vec6> pose = randomEntries(scene.shapes.size(), random);
  const std::vector<Vec6> velocity = randomEntries(scene.shapes.size(), random);
  const StepGradient gradient = derivative.adjoint({.pose = pose, .velocity = velocity});
  const Real along = dot(pose, outcome.pose) + dot(velocity, outcome.velocity);
  Real back = direction.gravity.dot(gradient.gravity) + dot(direction.pose, gradient.pose) +
              dot(direction.velocity, gradient.velocity) + dot(direction.load, gradient.load) +
              dot(direction.mass, gradient.mass) + dot(direction.frameA, gradient.frameA) +
              dot(direction.frameB, gradient.frameB) +
              dot(ofDrives(derivative, direction.goal), gradient.goal) +
              dot(ofDrives(derivative, direction.cap), gradient.cap);
  for (const Real friction : gradient.friction) back += direction.friction * friction;
  Real size = 0;
  for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
    size += gradient.pose[i].norm() + gradient.velocity[i].norm();
  }
  EXPECT_NEAR(along, back, 1e-9 * size);
}

}  // namespace

void expectDerivative(const StepScene& scene, std::size_t contacts, Real tolerance, Real t) {
  World world = scene.make();
  StepDerivative derivative(world);
  ASSERT_EQ(derivative.contacts().size(), contacts);
  EXPECT_TRUE(derivative.certificate().hasCertainStates);
  Random random(7);
  for (const std::string kind : kKinds) {
    const StepNumbers direction = directionOf(kind, scene, random);
    const StepOutcome outcome = forward(derivative, direction);
    ASSERT_GT(std::min(outcome.ahead, outcome.behind), t) << kind;
    const Real error = differenceError(scene, direction, outcome, t);
    EXPECT_LT(error, tolerance) << kind;
  }
  expectTransposed(scene, derivative, random);
}

}  // namespace drystone::test
