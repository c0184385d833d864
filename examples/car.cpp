// A car with springs, steering and drive goes round a circle of ten metres. A wheel joint is all of
// a suspension: the wheel travels along an upright axis, steers about it and spins about its axle.
//
// The car starts at the origin along x, with y to its left and z up. Units are metres, kilograms,
// seconds and radians.
#include <drystone/drystone.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace {

using namespace drystone;

constexpr double kWheelBase = 2.6, kTrack = 1.6;  // between axles, and between left and right
constexpr double kWheelRadius = 0.35, kRideHeight = 0.65;  // of the chassis above the ground

struct Car {
  BodyId chassis;
  std::array<JointId, 4> wheels;  // front left, front right, rear left, rear right
};

/// Where a wheel stands against the middle of the chassis.
Vec3 cornerOf(int wheel) {
  const double x = (wheel < 2 ? 0.5 : -0.5) * kWheelBase;
  const double y = (wheel % 2 == 0 ? 0.5 : -0.5) * kTrack;
  return {x, y, kWheelRadius - kRideHeight};
}

JointId addWheel(World& world, BodyId chassis, int wheel) {
  const Pose chassisPose = world.body(chassis).pose();
  // A cylinder has its axis along z: turn it to y, the axle.
  const Pose pose{chassisPose * cornerOf(wheel), rotationBetween(Vec3::UnitZ(), Vec3::UnitY())};
  const BodyId body = world.addBody(
      {.shape = Cylinder{.radius = kWheelRadius, .halfLength = 0.1}, .pose = pose, .density = 260});

  JointDefinition joint = wheelJoint(chassis, body);
  // The spring bears its corner of the car where it starts, and has 10 cm either way.
  const double stiffness = 40e3, load = world.body(chassis).mass() / 4 * 9.81;
  joint.axes[kAlongX] = JointAxis::limited(-0.1, 0.1);
  joint.axes[kAlongX].spring =
      JointSpring{.stiffness = stiffness, .damping = 3e3, .rest = -load / stiffness};
  if (wheel < 2) {  // front wheels steer
    joint.axes[kAboutX] = JointAxis::limited(-0.6, 0.6);
    joint.axes[kAboutX].motor = JointMotor{.kind = MotorKind::kPosition, .maxForce = 2e3};
  } else {  // rear wheels drive
    joint.axes[kAboutZ].motor = JointMotor{.kind = MotorKind::kVelocity, .maxForce = 500};
  }
  // The frame of the joint: x is up, for travel and steering, and z is the axle.
  return world.addJoint(joint, jointFrame(pose.position, Vec3::UnitZ(), Vec3::UnitY()));
}

Car addCar(World& world) {
  Car car;
  car.chassis = world.addBody({.name = "chassis",
                               .shape = Box{{1.9, 0.65, 0.25}},
                               .pose = {{0, 0, kRideHeight}},
                               .density = 500});
  for (int i = 0; i < 4; ++i) car.wheels[i] = addWheel(world, car.chassis, i);
  return car;
}

/// Turns to the left about a point beside the rear axle, so that no wheel has to slip sideways; the
/// wheels inside the curve steer more and roll less far.
void drive(World& world, const Car& car, double speed, double radius) {
  for (int i = 0; i < 4; ++i) {
    const double toCentre = radius - cornerOf(i).y();
    if (i < 2) {
      world.joint(car.wheels[i]).setMotorTarget(kAboutX, std::atan2(kWheelBase, toCentre));
    } else {
      world.joint(car.wheels[i]).setMotorTarget(kAboutZ, speed / kWheelRadius * toCentre / radius);
    }
  }
}

}  // namespace

int main() {
  const SolverRegistry solvers = makeDefaultRegistry();
  World world({}, solvers);
  world.setMaterial(0, {.friction = 0.9});
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  const Car car = addCar(world);

  constexpr double kSpeed = 5, kRadius = 10;
  double leastUp = 1;  // cosine of the largest lean
  double turned = 0, way = 0;
  while (world.time() < 20) {
    // Speeds up within the first four seconds.
    drive(world, car, kSpeed * std::min(world.time() / 4, 1.0), kRadius);
    world.step();
    const ConstBodyHandle chassis = world.body(car.chassis);
    leastUp = std::min(leastUp, (chassis.pose().rotation * Vec3::UnitZ()).z());
    if (world.time() < 6) continue;
    turned += chassis.angularVelocity().z() * world.settings().timestep;
    // Of the middle of the rear axle, which the circle is meant for.
    const Vec3 arm = chassis.pose().rotation * Vec3(-kWheelBase / 2, 0, 0);
    way += (chassis.linearVelocity() + chassis.angularVelocity().cross(arm)).head<2>().norm() *
           world.settings().timestep;
  }

  const double radius = way / turned, lean = std::acos(std::min(leastUp, 1.0)) * 180 / M_PI;
  std::printf("radius %.2f m, %.2f m/s, leans by %.1f degrees at most\n", radius, way / 14, lean);
  const bool isGood = std::abs(radius - kRadius) < 0.5 && lean < 5 && way / 14 > 4.5;
  return isGood ? 0 : 1;
}
