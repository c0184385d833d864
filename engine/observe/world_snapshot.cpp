#include "engine/model/joint_coordinates.h"
#include "engine/observe/snapshot.h"
#include "engine/observe/world_state.h"
#include "engine/step/world_parts.h"

namespace drystone {

ContactSnapshot snapshotOf(const WorldParts& world, const StepContact& contact) {
  const BodyStore& bodies = world.bodies;
  const ConstraintRows& rows = world.data.rows;
  const Islands& islands = world.data.islands;
  const int dynamic = bodies.isDynamic(contact.bodyA) ? contact.bodyA : contact.bodyB;
  ContactSnapshot out;
  out.bodyA = bodies.idOf(contact.bodyA);
  out.bodyB = bodies.idOf(contact.bodyB);
  out.position = touchPoint(bodies, contact);
  out.normal = contact.point.normal;
  out.gap = contact.point.gap;
  out.normalImpulse = rows.impulse(rows.firstRow[contact.block]);
  out.attraction = rows.pull(rows.firstRow[contact.block]);
  out.impulse = contactImpulse(contact, rows);
  out.friction = contact.friction;
  out.tangent = contact.tangent1;
  out.frictionAcross = contact.across * contact.friction;
  out.island = islands.ofBody[dynamic];
  out.block = contact.block - islands.blockStart[out.island];
  if (rows.isTied(out.island)) out.block = rows.tied[out.island].placeOf(out.block);
  return out;
}

namespace {

BodySnapshot snapshotOf(const WorldParts& world, int slot) {
  const BodyStore& bodies = world.bodies;
  const bool known = slot < static_cast<int>(world.data.islands.ofBody.size());
  BodySnapshot out{.id = bodies.idOf(slot),
                   .kind = bodies.kind[slot],
                   .pose = bodies.referencePose(slot),
                   .centerOfMass = bodies.position[slot],
                   .linearVelocity = bodies.velocity[slot].head<3>(),
                   .angularVelocity = bodies.velocity[slot].tail<3>(),
                   .island = known ? world.data.islands.ofBody[slot] : -1,
                   .awake = !bodies.isAsleep(slot)};
  if (bodies.collider[slot] >= 0) {
    if (const std::optional<Bounds> bounds = world.collision.bounds(bodies.collider[slot])) {
      out.boundsLower = bounds->lower;
      out.boundsUpper = bounds->upper;
    }
  }
  return out;
}

JointSnapshot jointSnapshotOf(const WorldParts& world, int slot) {
  const BodyStore& bodies = world.bodies;
  const Joint& joint = world.joints[slot];
  const bool isGear = joint.geometry == JointGeometry::kGear;
  const int a = joint.bodyA, b = joint.bodyB;
  const auto frameOn = [](const Joint& of, int body) -> const Pose& {
    return of.bodyA == body ? of.frameA : of.frameB;
  };
  const Pose& frameA = isGear ? frameOn(world.joints[joint.gear1], a) : joint.frameA;
  const Pose& frameB = isGear ? frameOn(world.joints[joint.gear2], b) : joint.frameB;
  Pose placedB = Pose{bodies.position[b], bodies.rotation[b]} * frameB;
  if (!isGear) placedB.position = endOnB(bodies, joint);
  return {.id = world.joints.idOf(slot),
          .geometry = joint.geometry,
          .bodyA = bodies.idOf(a),
          .bodyB = bodies.idOf(b),
          .frameA = Pose{bodies.position[a], bodies.rotation[a]} * frameA,
          .frameB = placedB,
          .reaction = joint.reaction(world.settings.timestep)};
}

}  // namespace

void takeSnapshot(const WorldParts& world, WorldSnapshot& out) {
  const BodyStore& bodies = world.bodies;
  out.step = world.stepCount;
  out.time = simulatedTime(world);
  out.bodies.clear();
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.record[slot].alive) continue;
    out.bodies.push_back(snapshotOf(world, slot));
  }
  out.contacts.clear();
  for (const StepContact& contact : world.data.contacts) {
    out.contacts.push_back(snapshotOf(world, contact));
  }
  out.joints.clear();
  for (int slot = 0; slot < world.joints.slots(); ++slot) {
    if (world.joints[slot].active()) out.joints.push_back(jointSnapshotOf(world, slot));
  }
}

}  // namespace drystone
