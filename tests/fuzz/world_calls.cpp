#include "tests/fuzz/world_calls.h"

#include "engine/model/joint_presets.h"

namespace drystone::fuzz {
namespace {

constexpr std::size_t kMostBodies = 10, kMostJoints = 8;

/// One that is there, or by few bytes one that is not.
template <class Id>
Id idOf(FuzzInput& in, const std::vector<Id>& known) {
  const int code = in.byte();
  if (known.empty() || code >= 250) return {code - 252, static_cast<std::uint32_t>(code & 1)};
  return known[static_cast<std::size_t>(code) % known.size()];
}
BodyId bodyOf(FuzzInput& in, const World& world) { return idOf(in, world.bodies()); }
JointId jointOf(FuzzInput& in, const World& world) { return idOf(in, world.joints()); }

int coordinateOf(FuzzInput& in) { return in.below(8) - 1; }

MassProperties massOf(FuzzInput& in) {
  MassProperties mass{.mass = in.positive(), .centerOfMass = in.vector()};
  mass.inertia.diagonal() = in.vector().cwiseAbs();
  if (in.flag()) mass.inertia(0, 1) = mass.inertia(1, 0) = in.real();
  return mass;
}

ForceTable tableOf(FuzzInput& in) {
  const Real first = in.real(), second = in.real();
  return ForceTable({{first, in.real()}, {second, in.real()}});
}

JointSpring springOf(FuzzInput& in) {
  JointSpring spring{.stiffness = in.positive(), .damping = in.positive(), .rest = in.real()};
  if (in.flag()) spring.forceTable = tableOf(in);
  if (in.flag()) spring.damperTable = tableOf(in);
  return spring;
}

JointMotor motorOf(FuzzInput& in) {
  JointMotor motor{.kind = static_cast<MotorKind>(in.below(2)), .target = Schedule(in.real())};
  if (in.flag()) motor.maxForce = in.positive();
  if (in.flag()) motor.servo = springOf(in);
  if (in.flag()) {
    const Real first = in.real(), second = in.real();
    motor.target = Schedule({{first, in.real()}, {second, in.real()}});
  }
  return motor;
}

JointAxis axisOf(FuzzInput& in) {
  JointAxis axis;
  switch (in.below(4)) {
    case 0:
      break;
    case 1:
      axis = JointAxis::locked(in.real());
      break;
    default:
      axis.lower = in.real();
      axis.upper = in.real();
  }
  if (in.flag()) axis.spring = springOf(in);
  if (in.flag()) axis.motor = motorOf(in);
  if (in.flag()) axis.friction = in.positive();
  return axis;
}

Material materialOf(FuzzInput& in) {
  Material material{.friction = in.positive()};
  if (in.flag()) material.frictionAcross = in.positive();
  if (in.flag()) material.frictionDirection = in.vector();
  material.restitution = in.within(0, 1.25);
  if (in.flag()) material.tangentialRestitution = in.real();
  if (in.flag()) material.compliance = in.positive();
  if (in.flag()) material.rollingResistance = in.positive();
  return material;
}

std::vector<VelocityKey> motionOf(FuzzInput& in) {
  std::vector<VelocityKey> keys(static_cast<std::size_t>(in.below(3)));
  for (VelocityKey& key : keys) key = {in.real(), in.vector(), in.vector()};
  return keys;
}

std::vector<ForceKey> forcesOf(FuzzInput& in) {
  std::vector<ForceKey> keys(static_cast<std::size_t>(in.below(3)));
  for (ForceKey& key : keys) key = {in.real(), in.vector(), in.vector()};
  return keys;
}

LockedAxes lockedOf(FuzzInput& in) {
  const int bits = in.byte();
  LockedAxes axes;
  for (int i = 0; i < 3; ++i) {
    axes.translation[static_cast<std::size_t>(i)] = (bits >> i & 1) != 0;
    axes.rotation[static_cast<std::size_t>(i)] = (bits >> (3 + i) & 1) != 0;
  }
  return axes;
}

void moveBody(FuzzInput& in, const BodyHandle& body) {
  const Vec3 first = in.vector();
  switch (in.below(6)) {
    case 0:
      return body.setPose({.position = first, .rotation = in.turn()});
    case 1:
      return body.setVelocity(first, in.vector());
    case 2:
      return body.applyForceAt(first, in.vector());
    case 3:
      return body.applyTorque(first);
    case 4:
      return body.applyImpulse(first, in.vector());
    default:
      return body.applyAngularImpulse(first);
  }
}

}  // namespace

void addBody(FuzzInput& in, World& world) {
  if (world.bodies().size() >= kMostBodies) return;
  BodyDefinition body;
  body.kind = static_cast<BodyKind>(in.below(4) % 3);  // dynamic ones twice as often
  body.pose = poseOf(in);
  if (in.byte() != 1) body.shape = shapeOf(in);
  const int more = in.byte();
  if (more & 1) body.mass = massOf(in);
  if (more & 2) body.density = in.positive();
  if (more & 4) body.linearVelocity = in.vector();
  if (more & 8) body.angularVelocity = in.vector();
  if (more & 16) body.motion = motionOf(in);
  if (more & 32) body.forces = forcesOf(in);
  if (more & 64) body.lockedAxes = lockedOf(in);
  if (more & 128) {
    body.isSensor = in.flag();
    body.surfaceVelocity = in.vector();
    body.material = in.below(4) - 1;
    body.gravityScale = in.real();
    body.linearDamping = in.positive();
  }
  world.addBody(body);
}

void addJoint(FuzzInput& in, World& world) {
  if (world.joints().size() >= kMostJoints) return;
  const auto presets = jointPresets();
  const JointPreset& preset = presets[in.byte() % presets.size()];
  const BodyId a = bodyOf(in, world), b = bodyOf(in, world);
  JointDefinition joint = presetJoint(preset.name, a, b);
  if (preset.geometry == JointGeometry::kGear) {
    joint.gear1 = jointOf(in, world);
    joint.gear2 = jointOf(in, world);
    joint.gearRatio = in.real();
    joint.bodyA = joint.bodyB = {};
  }
  const int more = in.byte();
  if (more & 1) joint.axes[static_cast<std::size_t>(in.below(6))] = axisOf(in);
  if (more & 2) joint.swingLimit = in.positive();
  if (more & 4) joint.breakingImpulse = in.positive();
  if (more & 8) joint.compliance = in.positive();
  joint.collide = (more & 16) != 0;
  if (more & 32) {
    world.addJoint(joint, poseOf(in));
  } else {
    joint.frameA = poseOf(in);
    joint.frameB = poseOf(in);
    world.addJoint(joint);
  }
}

void removeSomething(FuzzInput& in, World& world) {
  if (in.flag()) {
    world.removeBody(bodyOf(in, world));
  } else {
    world.removeJoint(jointOf(in, world));
  }
}

void changeBody(FuzzInput& in, World& world) {
  const BodyHandle body = world.body(bodyOf(in, world));
  switch (in.below(16)) {
    case 0:
      return body.setMass(massOf(in));
    case 1:
      return body.setDensity(in.positive());
    case 2:
      return body.setMaterial(in.below(4) - 1);
    case 3:
      return body.setKind(static_cast<BodyKind>(in.below(3)));
    case 4: {
      const auto mass = static_cast<ShapeMass>(in.below(2));
      return body.setShape(in.flag() ? std::optional<Shape>(shapeOf(in)) : std::nullopt, mass);
    }
    case 5:
      return body.setSurfaceVelocity(in.vector());
    case 6:
      return body.setSensor(in.flag());
    case 7:
      return body.setMotion(motionOf(in));
    case 8:
      return body.setForces(forcesOf(in));
    case 9: {
      const Real linear = in.positive();
      return body.setDamping(linear, in.positive());
    }
    case 10:
      return body.setLockedAxes(lockedOf(in));
    case 11:
      return body.setFilter({.group = in.byte(), .mask = in.byte()});
    case 12:
      return body.setAdhesion(in.positive());
    default:
      return moveBody(in, body);
  }
}

void changeJoint(FuzzInput& in, World& world) {
  const JointHandle joint = world.joint(jointOf(in, world));
  const int coordinate = coordinateOf(in);
  switch (in.below(12)) {
    case 0:
      return joint.setMotorTarget(coordinate, in.real());
    case 1:
      return joint.applyForce(coordinate, in.real());
    case 2: {
      const Real lower = in.real();
      return joint.setLimits(coordinate, lower, in.real());
    }
    case 3:
      return joint.setSpring(coordinate, springOf(in));
    case 4:
      return joint.setMotor(coordinate, motorOf(in));
    case 5:
      return joint.setFriction(coordinate, in.positive());
    case 6:
      return joint.setAxis(coordinate, axisOf(in), in.flag());
    case 7:
      return joint.setSwingLimit(in.positive());
    case 8:
      return joint.setBreakingImpulse(in.positive());
    case 9: {
      const Pose frameA = poseOf(in);
      return joint.setFrames(frameA, poseOf(in));
    }
    case 10:
      return joint.setGearRatio(in.real());
    default:
      joint.coordinate(coordinate);
      joint.rate(coordinate);
      joint.axisForce(coordinate);
  }
}

void changeWorld(FuzzInput& in, World& world) {
  switch (in.below(7)) {
    case 0:
      return world.setGravity(in.vector());
    case 1:
      return world.setTimestep(in.positive() / 60);
    case 2:
      world.addMaterial(materialOf(in));
      return;
    case 3:
      return world.setMaterial(in.below(4) - 1, materialOf(in));
    case 4: {
      const MaterialId a = in.below(4) - 1;
      return world.setMaterialPair(a, in.below(4) - 1, materialOf(in));
    }
    case 5: {
      const JointId joint = jointOf(in, world);
      const int coordinate = coordinateOf(in);
      const Real value = in.real();
      const JointPlace place{joint, coordinate, value, in.flag() ? in.real() : 0};
      return world.placeJoints({&place, 1});
    }
    default: {
      static constexpr std::string_view kNames[] = {"auto", "nsgs", "bpp", "none"};
      SolverChoice choice = world.settings().solver;
      choice.name = kNames[in.below(4)];
      choice.policy = static_cast<FailurePolicy>(in.below(3));
      if (in.flag()) choice.fallback = kNames[in.below(4)];
      return world.setSolver(choice);
    }
  }
}

void askQuery(FuzzInput& in, World& world) {
  const WorldQueries queries = world.queries();
  const BodyId without = bodyOf(in, world);
  const QueryFilter filter{.without = {&without, in.flag() ? std::size_t{1} : 0},
                           .sensors = in.flag()};
  const int kind = in.below(6);
  const Pose pose = poseOf(in);
  const auto requireHit = [](const std::optional<BodyHit>& hit) {
    if (!hit) return;
    require(hit->fraction >= 0 && hit->fraction <= 1, "a hit lies beyond the ends of its ray");
    require(hit->position.allFinite() && hit->normal.allFinite(), "a hit is not finite");
  };
  switch (kind) {
    case 0:
      return requireHit(queries.rayCast(pose.position, in.vector(), filter));
    case 1:
      for (const BodyHit& hit : queries.rayCastAll(pose.position, in.vector(), filter)) {
        requireHit(hit);
      }
      return;
    case 2: {
      const Shape shape = shapeOf(in);
      return requireHit(queries.shapeCast(shape, pose, in.vector(), filter));
    }
    case 3:
      queries.overlap(shapeOf(in), pose, filter);
      return;
    case 4: {
      const Shape shape = shapeOf(in);
      const BodyDistance distance = queries.closestPoints(shape, pose, bodyOf(in, world));
      require(!std::isnan(distance.gap) && distance.normal.allFinite(), "a distance is no number");
      return;
    }
    default: {
      const Shape shape = shapeOf(in);
      queries.closestBody(shape, pose, in.positive(), filter);
    }
  }
}

}  // namespace drystone::fuzz
