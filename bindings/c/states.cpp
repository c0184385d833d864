// What a world of C is made of as a whole: saved states, arrays of all bodies, events.

#include "bindings/c/boundary.h"

namespace drystone::c {
namespace {

/// `columns` numbers of each body to a buffer of the caller.
template <class Read>
drystone_error writeNumbers(drystone_world* handle, std::size_t columns, double* numbers,
                            std::size_t capacity, std::size_t* count, Read&& read) {
  return guarded([&] {
    const World& world = worldOf(handle);
    const std::vector<BodyId> bodies = world.bodies();
    if (!fits(columns * bodies.size(), numbers, capacity, count)) return;
    double* row = numbers;
    for (const BodyId id : bodies) {
      read(world.body(id), row);
      row += columns;
    }
  });
}

RestoreMode modeOf(int mode) {
  if (mode == DRYSTONE_RESTORE_EXACT) return RestoreMode::kExact;
  if (mode == DRYSTONE_RESTORE_MATCHING) return RestoreMode::kMatching;
  if (mode == DRYSTONE_RESTORE_BY_NAME) return RestoreMode::kByName;
  throw InputError("mode must be DRYSTONE_RESTORE_EXACT, _MATCHING or _BY_NAME, got " +
                   std::to_string(mode));
}

drystone_event emptyEvent(int kind, BodyId a, BodyId b) {
  return {.kind = kind, .a = toId(a), .b = toId(b), .joint = {.index = -1, .generation = 0}};
}

void addContacts(const std::vector<ContactEvent>& contacts, int kind,
                 std::vector<drystone_event>& events) {
  for (const ContactEvent& from : contacts) {
    drystone_event event = emptyEvent(kind, from.bodyA, from.bodyB);
    event.impulse = from.normalImpulse;
    event.approach_speed = from.approachSpeed;
    event.attraction = from.attraction;
    put(from.position, event.position);
    put(from.normal, event.normal);
    events.push_back(event);
  }
}

}  // namespace

std::vector<drystone_event> eventsOf(const StepEvents& from) {
  std::vector<drystone_event> events;
  addContacts(from.contactsBegun, DRYSTONE_CONTACT_BEGUN, events);
  addContacts(from.contactsLasting, DRYSTONE_CONTACT_LASTING, events);
  addContacts(from.contactsEnded, DRYSTONE_CONTACT_ENDED, events);
  for (const SensorEvent& one : from.sensorsBegun) {
    events.push_back(emptyEvent(DRYSTONE_SENSOR_BEGUN, one.sensor, one.visitor));
  }
  for (const SensorEvent& one : from.sensorsEnded) {
    events.push_back(emptyEvent(DRYSTONE_SENSOR_ENDED, one.sensor, one.visitor));
  }
  for (const JointBreakEvent& one : from.jointsBroken) {
    drystone_event event = emptyEvent(DRYSTONE_JOINT_BROKEN, one.bodyA, one.bodyB);
    event.joint = toId(one.joint);
    event.impulse = one.impulse;
    events.push_back(event);
  }
  return events;
}

extern "C" {

drystone_error drystone_world_save(drystone_world* world, void* bytes, size_t capacity,
                                   size_t* count) {
  return guarded([&] {
    const std::vector<std::byte> state = worldOf(world).save();
    if (fits(state.size(), bytes, capacity, count)) {
      std::memcpy(bytes, state.data(), state.size());
    }
  });
}

drystone_error drystone_world_restore(drystone_world* world, const void* bytes, size_t count,
                                      int mode, size_t* left_out) {
  return guarded([&] {
    World& restored = worldOf(world);
    const auto state = spanOf(static_cast<const std::byte*>(bytes), count, "bytes");
    requireNotRecorded(*world, "drystone_world_restore");
    const RestoreReport report = restored.restore(state, modeOf(mode));
    if (left_out == nullptr) return;
    *left_out = report.bodiesNotHere.size() + report.bodiesNotSaved.size() +
                report.jointsNotHere.size() + report.jointsNotSaved.size();
  });
}

drystone_error drystone_world_hash(drystone_world* world, uint64_t* hash) {
  return guarded([&] { given(hash, "hash") = worldOf(world).observe().hash(); });
}

drystone_error drystone_world_bodies(drystone_world* world, drystone_body_id* ids, size_t capacity,
                                     size_t* count) {
  return guarded([&] { writeIds(worldOf(world).bodies(), ids, capacity, count); });
}

drystone_error drystone_world_joints(drystone_world* world, drystone_joint_id* ids, size_t capacity,
                                     size_t* count) {
  return guarded([&] { writeIds(worldOf(world).joints(), ids, capacity, count); });
}

drystone_error drystone_world_positions(drystone_world* world, double* numbers, size_t capacity,
                                        size_t* count) {
  return writeNumbers(
      world, 3, numbers, capacity, count,
      [](const ConstBodyHandle& body, double* row) { put(body.pose().position, row); });
}

drystone_error drystone_world_orientations(drystone_world* world, double* numbers, size_t capacity,
                                           size_t* count) {
  return writeNumbers(world, 4, numbers, capacity, count,
                      [](const ConstBodyHandle& body, double* row) {
                        std::ranges::copy(toPose(body.pose()).orientation, row);
                      });
}

drystone_error drystone_world_velocities(drystone_world* world, double* numbers, size_t capacity,
                                         size_t* count) {
  return writeNumbers(world, 6, numbers, capacity, count,
                      [](const ConstBodyHandle& body, double* row) {
                        put(body.linearVelocity(), row);
                        put(body.angularVelocity(), row + 3);
                      });
}

drystone_error drystone_world_events(drystone_world* world, drystone_event* events,
                                     size_t element_size, size_t capacity, size_t* count) {
  return guarded([&] {
    writeElements(eventsOf(worldOf(world).lastEvents()), events, element_size, capacity, count);
  });
}

}  // extern "C"

}  // namespace drystone::c
