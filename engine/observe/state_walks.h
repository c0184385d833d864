#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/model/world_settings.h"
#include "engine/observe/state_streams.h"
#include "engine/step/events.h"
#include "engine/step/warm_starts.h"

namespace drystone {

// The lists of what evolves. What is walked has the members `settings`, `bodies`, `joints`, `data`,
// `events`, `time` and `stepCount` of WorldParts.

/// Whether contacts have moments beside their forces.
inline bool hasMoments(FrictionModel model) {
  return model == FrictionModel::kRolling || model == FrictionModel::kContensou;
}

/// Their lists and the timestep that they are of.
void warmStarts(auto& stream, const WorldSettings& settings, auto& joints, auto& timestep,
                auto& contacts) {
  using Stream = std::remove_reference_t<decltype(stream)>;
  std::size_t jointCount = joints.size();
  stream.count(jointCount);
  if constexpr (Stream::kReads) joints.resize(jointCount);
  for (auto& warm : joints) {
    stream.value(warm.joint);
    stream.value(warm.key);
    stream.value(warm.lambda);
    stream.value(warm.state);
  }
  stream.value(timestep);
  std::size_t contactCount = contacts.size();
  stream.count(contactCount);
  if constexpr (Stream::kReads) contacts.resize(contactCount);
  for (auto& warm : contacts) {
    stream.value(warm.colliderA);
    stream.value(warm.colliderB);
    stream.value(warm.feature);
    vector(stream, warm.impulse);
    if (settings.stepping == Stepping::kSoft) {
      vector(stream, warm.ahead);
      vector(stream, warm.trend);
      stream.value(warm.soft.factors);
    }
    stream.value(warm.torsion);
    stream.value(warm.soft.average);
    stream.value(warm.soft.wait);
    stream.value(warm.soft.backoff);
    vector(stream, warm.position);
    for (int i = 0; i < 4; ++i) stream.value(warm.state[i]);
    if (settings.friction == FrictionModel::kRolling) stream.value(warm.state[4]);
    if (hasMoments(settings.friction)) vector(stream, warm.moment);
  }
}
inline void warmStarts(auto& stream, const WorldSettings& settings, const WarmStarts& warm) {
  const auto joints = warm.joints();
  const auto contacts = warm.contacts();
  const Real timestep = warm.timestep();
  warmStarts(stream, settings, joints, timestep, contacts);
}
inline void warmStarts(StateReader& reader, const WorldSettings& settings, WarmStarts& warm) {
  std::vector<WarmJointRow> joints;
  std::vector<WarmContact> contacts;
  Real timestep = 0;
  warmStarts(reader, settings, joints, timestep, contacts);
  warm.restore(contacts, joints, timestep);
}

/// The one list of what evolves, of the bodies and joints that are there; saving, restoring and
/// hashing all walk it.
template <class Stream, class Parts>
void walkState(Stream& stream, Parts& world) {
  stream.value(world.time);
  stream.value(world.stepCount);
  stream.value(world.settings.timestep);
  vector(stream, world.settings.gravity);
  auto& bodies = world.bodies;
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.record[i].alive) continue;
    vector(stream, bodies.position[i]);
    auto&& rotation = bodies.rotation[i].coeffs();
    vector(stream, rotation);
    vector(stream, bodies.velocity[i]);
    vector(stream, bodies.load[i]);
    if (world.settings.integrator == Integrator::kMoreau) vector(stream, bodies.jointTorque[i]);
    if (world.settings.sleeping.enabled) {
      stream.value(bodies.asleep[i]);
      stream.value(bodies.disturbed[i]);
      stream.value(bodies.stillTime[i]);
    }
  }
  for (auto& joint : world.joints) {
    if (!joint.alive) continue;
    stream.value(joint.broken);
    for (auto& target : joint.target) stream.value(target);
    for (auto& angle : joint.angle) stream.value(angle);
    if (world.settings.jointRows == JointRows::kMean) {
      for (auto& lock : joint.lockRate) {
        stream.value(lock.kept);
        stream.value(lock.path);
      }
    }
    vector(stream, joint.impulse);
    vector(stream, joint.angularImpulse);
    vector(stream, joint.force);
  }
  warmStarts(stream, world.settings, world.data.warm);
}

/// What the lists of sleeping and other contacts hold: all to be saved, or read into one list.
inline std::vector<WarmContact> contactsOf(const WarmStarts& warm) { return warm.contacts(); }
inline std::span<WarmContact> contactsOf(WarmStarts& warm) { return warm.awakeContacts(); }
inline std::vector<ContactEvent> touchingOf(const EventTracker& tracker) {
  return allTouching(tracker);
}
inline std::vector<ContactEvent>& touchingOf(EventTracker& tracker) {
  tracker.resting.clear();
  tracker.restingVersion = 0;
  return tracker.touching;
}

void bodyId(auto& stream, auto& id) {
  stream.value(id.index);
  stream.value(id.generation);
}

/// Errors of the joints, which sleeping ones keep, overlap that is forgiven, arms of contacts, and
/// who touches whom: no part of the motion, but what sensors, the next step's report and its events
/// are made from.
template <class Stream, class Parts>
void walkObserved(Stream& stream, Parts& world) {
  auto&& warm = contactsOf(world.data.warm);
  auto&& pairs = touchingOf(world.events);
  for (auto& joint : world.joints) {
    if (!joint.alive) continue;
    stream.value(joint.drift);
    stream.value(joint.turnError);
  }
  for (auto& contact : warm) {
    stream.value(contact.forgiven);
    vector(stream, contact.arms.a);
    vector(stream, contact.arms.b);
  }
  for (int i = 0; i < world.bodies.slots(); ++i) {
    if (world.bodies.record[i].alive) stream.value(world.bodies.placed[i]);
  }
  auto& tracker = world.events;
  std::size_t touching = pairs.size();
  stream.count(touching);
  if constexpr (Stream::kReads) pairs.resize(touching);
  for (auto& pair : pairs) {
    bodyId(stream, pair.bodyA);
    bodyId(stream, pair.bodyB);
    stream.value(pair.attraction);
    vector(stream, pair.position);
    vector(stream, pair.normal);
  }
  std::size_t sensing = tracker.sensing.size();
  stream.count(sensing);
  if constexpr (Stream::kReads) tracker.sensing.resize(sensing);
  for (auto& pair : tracker.sensing) {
    bodyId(stream, pair.sensor);
    bodyId(stream, pair.visitor);
  }
}

}  // namespace drystone
