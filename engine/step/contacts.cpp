#include "engine/step/contacts.h"

#include "engine/step/contact_anchors.h"
#include "engine/step/contact_tangent.h"
#include "engine/step/events.h"

namespace drystone {

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
    contact.tangent1 = contactTangent(point.normal);
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
