#include "engine/step/contacts.h"

#include <cmath>

#include "engine/step/events.h"

namespace drystone {
namespace {

/// A unit vector orthogonal to the unit normal: along the projection of the world axis that is
/// farthest from it, so that it varies smoothly with the normal nearly everywhere.
Vec3 tangentOf(const Vec3& normal) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    // A margin breaks near-ties the same way every step: a diagonal normal must not flip axes.
    if (std::abs(normal[i]) < std::abs(normal[axis]) - 1e-3) axis = i;
  }
  Vec3 tangent = Vec3::Unit(axis) - normal[axis] * normal;
  return tangent.normalized();
}

}  // namespace

void detectContacts(WorldParts& world, StepData& data) {
  const BodyStore& bodies = world.bodies;
  const WorldSettings& settings = world.settings;
  for (int i = 0; i < bodies.slots(); ++i) {
    if (bodies.collider[i] < 0 || bodies.isAsleep(i)) continue;
    if (bodies.kind[i] != BodyKind::kStatic) {
      world.collision.setPose(bodies.collider[i], bodies.referencePose(i));
    }
  }
  world.collision.detect(data.points);

  const Real worldCompliance = settings.stabilization.complianceFor(settings.substep());
  data.contacts.clear();
  for (const ContactPoint& point : data.points) {
    const int a = world.bodyOfCollider[point.colliderA];
    const int b = world.bodyOfCollider[point.colliderB];
    if (bodies.isSensor[a] || bodies.isSensor[b]) {
      if (point.gap <= 0) senseTouch(world, a, b);
      continue;
    }
    if (!bodies.isDynamic(a) && !bodies.isDynamic(b)) continue;
    if (settings.contactSet == ContactSet::kClosed && point.gap > 0) continue;  // (M.4)
    const Material pair = world.materials.combine(bodies.material[a], bodies.material[b]);
    StepContact& contact = data.contacts.emplace_back();
    contact.point = point;
    contact.bodyA = a;
    contact.bodyB = b;
    contact.tangent1 = tangentOf(point.normal);
    contact.tangent2 = point.normal.cross(contact.tangent1);
    contact.friction = pair.friction;
    contact.restitution = pair.restitution;
    contact.tangentialRestitution = pair.tangentialRestitution;
    contact.compliance = pair.compliance.value_or(worldCompliance);
    contact.isSoft = pair.compliance.value_or(0) > 0;
    contact.contensouRadius = pair.contensouRadius;
  }
}

}  // namespace drystone
