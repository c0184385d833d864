#include "tests/unit/engine/world/random_changes.h"

#include <utility>

#include "collision/shape/shape.h"

namespace drystone::test {
namespace {

Material randomMaterial(Random& random) {
  Material material{.friction = random.uniform(0.2, 1), .restitution = random.uniform(0, 0.5)};
  if (below(random, 4) == 0) material.compliance = random.uniform(0, 1e-3);
  return material;
}

JointSpring randomSpring(Random& random) {
  JointSpring spring{.stiffness = random.uniform(1, 200), .damping = random.uniform(0, 10)};
  if (below(random, 3) != 0) return spring;
  spring.stiffness = 0;
  spring.forceTable = ForceTable({{-1, -random.uniform(0, 50)}, {0, 0}, {0.5, 20}});
  return spring;
}

JointMotor randomMotor(Random& random) {
  const Real end = random.uniform(-1, 1);
  JointMotor motor{.target = Schedule({{0, 0}, {random.uniform(1, 20), end}}),
                   .maxForce = random.uniform(0, 50)};
  if (coin(random)) return motor;
  motor.kind = MotorKind::kPosition;
  if (coin(random)) motor.servo = JointSpring{.stiffness = 100, .damping = 5};
  return motor;
}

Shape randomShape(Random& random) {
  const Real size = random.uniform(0.2, 0.5);
  switch (below(random, 3)) {
    case 0:
      return Box{Vec3::Constant(size)};
    case 1:
      return Sphere{size};
    default:
      return Compound{{{Sphere{size}, {}}, {Box{{0.2, 0.1, 0.3}}, {{0.2, 0, 0.1}}}}};
  }
}

}  // namespace

void changeBodyAtRandom(const BodyHandle& body, int materials, Random& random) {
  const bool isDynamic = body.kind() == BodyKind::kDynamic;
  switch (below(random, 21)) {
    case 0:
      return isDynamic ? body.setMass({random.uniform(0.5, 5), randomVector(random, 0.2),
                                       random.uniform(0.2, 1) * Mat3::Identity()})
                       : body.setVelocity(randomVector(random, 1), randomVector(random, 1));
    case 1:
      return body.shape() != nullptr ? body.setDensity(random.uniform(0.5, 5)) : body.wake();
    case 2:
      return body.setMaterial(below(random, materials));
    case 3:
      return body.setFilter({.mask = below(random, 4) == 0 ? 1u : 0xffffffffu});
    case 4:
      return body.setKind(below(random, 4) == 0 ? BodyKind::kKinematic : BodyKind::kDynamic);
    case 5:
      return body.setShape(randomShape(random));
    case 6:
      return body.setShape(randomShape(random), ShapeMass::kByDensity);
    case 7:
      if (coin(random)) return body.setSurfaceVelocity(Vec3::Zero());
      return body.setSurfaceVelocity(randomVector(random, 1));
    case 8:
      return body.shape() != nullptr ? body.setSensor(below(random, 4) == 0) : body.wake();
    case 9:
      return body.setAllowSleep(below(random, 4) != 0);
    case 10: {
      const Real linear = random.uniform();
      return body.setDamping(linear, random.uniform());
    }
    case 11:
      return body.setGravityScale(random.uniform(0.5, 1.5));
    case 12: {
      if (coin(random)) return body.setLockedAxes({});
      const bool x = coin(random), y = coin(random), aboutX = coin(random), aboutY = coin(random);
      return body.setLockedAxes({{x, y, false}, {aboutX, aboutY, coin(random)}});
    }
    case 13: {
      const Vec3 impulse = randomVector(random, 2);
      return body.applyImpulse(impulse, body.centerOfMass() + randomVector(random, 0.3));
    }
    case 14:
      return body.applyAngularImpulse(randomVector(random, 0.5));
    case 15:
      return below(random, 4) == 0 ? body.setShape(std::nullopt) : body.wake();
    case 16:
      if (below(random, 3) != 0) return body.setForces({});
      return body.setForces({{.time = 0, .force = randomVector(random, 3)}});
    case 17:
      return body.setMotion({{0, randomVector(random, 1), Vec3::Zero()}});
    case 18: {
      const Vec3 force = randomVector(random, 20);
      return body.applyForceAt(force, body.centerOfMass() + randomVector(random, 0.3));
    }
    case 19:
      return below(random, 4) == 0 ? body.setKind(BodyKind::kStatic) : body.wake();
    default:
      return body.setPose({Vec3(0, 0, 4) + randomVector(random, 2), body.pose().rotation});
  }
}

void changeJointAtRandom(const JointHandle& joint, Random& random) {
  const int coordinate = below(random, joint.coordinateCount());
  const Real here = joint.coordinate(coordinate);
  switch (below(random, 13)) {
    case 0:
      return joint.setLimits(coordinate, here, here);
    case 1: {
      const Real lower = here - random.uniform(0, 0.5);
      return joint.setLimits(coordinate, lower, here + random.uniform(0, 0.5));
    }
    case 2:
      return joint.setLimits(coordinate, -kInfinity, kInfinity);
    case 3:
      if (coin(random)) return joint.setSpring(coordinate, std::nullopt);
      return joint.setSpring(coordinate, randomSpring(random));
    case 4:
      if (coin(random)) return joint.setMotor(coordinate, std::nullopt);
      return joint.setMotor(coordinate, randomMotor(random));
    case 5:
      return joint.setFriction(coordinate, coin(random) ? 0 : random.uniform(0, 3));
    case 6:
      return joint.setSwingLimit(coin(random) ? kInfinity : random.uniform(0.1, 2));
    case 7:
      return joint.setBreakingImpulse(below(random, 3) == 0 ? random.uniform(0.05, 2) : kInfinity);
    case 8:
      if (coin(random)) return joint.setCompliance(std::nullopt);
      return joint.setCompliance(coin(random) ? 0 : random.uniform(0, 0.01));
    case 9:
      return joint.setCollide(coin(random));
    case 10: {
      // Other axes through the points that it has, or a little off.
      const JointDefinition made = joint.definition();
      const Quat turn = randomTurn(random);
      const Vec3 away = coin(random) ? Vec3(Vec3::Zero()) : randomVector(random, 0.05);
      return joint.setFrames({made.frameA.position, made.frameA.rotation * turn},
                             {made.frameB.position + away, made.frameB.rotation * turn});
    }
    case 11:
      return joint.setGearRatio(random.uniform(-2, 2));
    default:
      return joint.setMotorTarget(coordinate, random.uniform(-1, 1));
  }
}

void changeWorldAtRandom(World& world, int materials, Random& random) {
  const MaterialId material = below(random, materials);
  switch (below(random, 5)) {
    case 0:
      return world.setMaterial(material, randomMaterial(random));
    case 1: {
      const MaterialId other = below(random, materials);
      return world.setMaterialPair(material, other, randomMaterial(random));
    }
    case 2:
      return world.setGravity(Vec3(0, 0, -9.81) + randomVector(random, 1));
    case 3:
      return world.setTimestep(random.uniform(0.005, 0.02));
    default:
      return world.setThreads(1 + below(random, 3));
  }
}

}  // namespace drystone::test
