#include "engine/observe/world_observer.h"

namespace drystone {
namespace {

ContactSnapshot snapshotOf(const WorldParts& world, const StepContact& contact) {
  const BodyStore& bodies = world.bodies;
  const ConstraintRows& rows = world.data.rows;
  const Islands& islands = world.data.islands;
  const int first = rows.firstRow[contact.block];
  const int dynamic = bodies.isDynamic(contact.bodyA) ? contact.bodyA : contact.bodyB;
  ContactSnapshot out;
  out.bodyA = bodies.idOf(contact.bodyA);
  out.bodyB = bodies.idOf(contact.bodyB);
  out.position = contact.point.position;
  out.normal = contact.point.normal;
  out.gap = contact.point.gap;
  out.normalImpulse = rows.lambda[first];
  out.impulse = rows.lambda[first] * contact.point.normal;
  if (rows.blocks[contact.block].rows >= 3) {
    out.impulse +=
        rows.lambda[first + 1] * contact.tangent1 + rows.lambda[first + 2] * contact.tangent2;
  }
  out.friction = contact.friction;
  out.island = islands.ofBody[dynamic];
  return out;
}

}  // namespace

void takeSnapshot(const WorldParts& world, WorldSnapshot& out) {
  const BodyStore& bodies = world.bodies;
  out.step = world.stepCount;
  out.time = world.time;
  out.bodies.clear();
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.record[slot].alive) continue;
    const bool known = slot < static_cast<int>(world.data.islands.ofBody.size());
    out.bodies.push_back({.id = bodies.idOf(slot),
                          .kind = bodies.kind[slot],
                          .pose = bodies.referencePose(slot),
                          .centerOfMass = bodies.position[slot],
                          .linearVelocity = bodies.velocity[slot].head<3>(),
                          .angularVelocity = bodies.velocity[slot].tail<3>(),
                          .island = known ? world.data.islands.ofBody[slot] : -1,
                          .awake = !bodies.isAsleep(slot)});
  }
  out.contacts.clear();
  for (const StepContact& contact : world.data.contacts) {
    out.contacts.push_back(snapshotOf(world, contact));
  }
}

}  // namespace drystone
