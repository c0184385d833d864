#include "engine/step/sleeping.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "collision/collision_world.h"
#include "engine/step/union_find.h"

namespace drystone {
namespace {

/// A body that is not dynamic but pushes what touches it.
bool pushes(const BodyStore& bodies, int body) {
  return !bodies.isDynamic(body) &&
         (bodies.hasMovingSurface(body) || !bodies.velocity[body].isZero(0));
}

/// It pushes, or was changed from outside.
bool stirs(const BodyStore& bodies, int body) {
  return pushes(bodies, body) || (!bodies.isDynamic(body) && bodies.disturbed[body] != 0);
}

/// True when a motor of the joint drives it somewhere in the step that ends at `time` + h [s].
bool drives(const Joint& joint, Real time, Real h) {
  for (std::size_t i = 0; i < joint.axes.size(); ++i) {
    const auto& motor = joint.axes[i].motor;
    if (!motor) continue;
    const bool isSet = !std::isnan(joint.target[i]);
    const Real end = isSet ? joint.target[i] : motor->target.at(time + h);
    const bool moves = motor->kind == MotorKind::kVelocity
                           ? end != 0
                           : !isSet && end != motor->target.at(time);  // exact between equal keys
    if (moves) return true;
  }
  return false;
}

/// Whether the adhesion of a body changes in the inner step of h from `time` on [s]. What changed
/// in the last two counts as well: they may have been longer.
bool changesAdhesion(const BodyStore& bodies, int body, Real time, Real h) {
  const auto isDue = [&](const AdhesionKey& key) {
    return key.time > time - 2 * h && key.time <= time + h;
  };
  return std::ranges::any_of(bodies.record[body].adhesion, isDue);
}

/// Unites two sleeping bodies that are connected, or wakes the one that the other stirs or keeps
/// awake. Returns whether groups grew.
bool connect(BodyStore& bodies, std::vector<int>& parent, int a, int b) {
  if (bodies.isAsleep(a) && bodies.isAsleep(b)) {
    if (findRoot(parent, a) == findRoot(parent, b)) return false;
    unite(parent, a, b);
    return true;
  }
  if (bodies.isDynamic(a) && bodies.isDynamic(b)) {
    for (const int body : {a, b}) {
      if (bodies.isAsleep(body)) bodies.wake(body);
    }
  } else if (stirs(bodies, a)) {
    bodies.wake(b);
  } else if (stirs(bodies, b)) {
    bodies.wake(a);
  }
  return false;
}

/// Wakes the groups of which a body is awake, and counts the others.
int wakeGroups(BodyStore& bodies, SleepData& sleep) {
  std::vector<int>& parent = sleep.parent;
  int islands = 0;
  sleep.groupIsAwake.assign(parent.size(), 0);
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.isAsleep(i)) sleep.groupIsAwake[findRoot(parent, i)] = 1;
  }
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.isAsleep(i)) continue;
    const int root = findRoot(parent, i);
    if (sleep.groupIsAwake[root]) {
      bodies.wake(i);
    } else if (root == i) {
      ++islands;
    }
  }
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.isAsleep(i)) parent[i] = i;
  }
  return islands;
}

std::pair<int, int> pairOf(const SleepingPair& pair) { return {pair.colliderA, pair.colliderB}; }
std::pair<int, int> pairOf(const WarmContact& warm) { return {warm.colliderA, warm.colliderB}; }

/// Lists a contact that sleeps, after others of its pair.
void noteAsleep(const StepContact& contact, std::vector<SleepingPair>& pairs) {
  const ContactPoint& point = contact.point;
  if (pairs.empty() || pairOf(pairs.back()) != std::pair(point.colliderA, point.colliderB)) {
    pairs.push_back({.colliderA = point.colliderA,
                     .colliderB = point.colliderB,
                     .bodyA = contact.bodyA,
                     .bodyB = contact.bodyB,
                     .depth = -point.gap,
                     .forgiven = contact.forgiven,
                     .isSoft = contact.isSoft});
  }
  pairs.back().depth = std::max(pairs.back().depth, -point.gap);
}

/// Puts pairs that were detected anew into the list.
void replacePairs(SleepData& sleep) {
  const auto isBefore = [](const SleepingPair& p, const SleepingPair& q) {
    return pairOf(p) < pairOf(q);
  };
  sleep.merged.clear();
  // Of equal ones that of the first list stays.
  std::ranges::set_union(sleep.dropped, sleep.pairs, std::back_inserter(sleep.merged), isBefore);
  sleep.pairs.swap(sleep.merged);
}

/// The overlaps of all that sleeps. What is forgiven of them fades with their warm starts.
DeepestOverlap overlapAsleep(const WarmStarts& warm, std::span<SleepingPair> pairs) {
  DeepestOverlap overlap;
  WarmLookup lookup(warm.lists(), [](const WarmContact& contact) { return pairOf(contact); });
  for (SleepingPair& pair : pairs) {
    if (pair.forgiven > 0) {
      const WarmContact* const old = lookup.take(pairOf(pair));
      pair.forgiven = old != nullptr ? std::min(old->forgiven, std::max<Real>(pair.depth, 0)) : 0;
    }
    overlap.add(pair.depth, pair.forgiven, pair.isSoft, pair.bodyA, pair.bodyB);
  }
  return overlap;
}

/// Why the bodies stay awake, as far as they themselves know.
/// The step to come of h from `time` on [s] counts for what is scheduled.
AwakeReason reasonOfBody(const BodyStore& bodies, const Sleeping& rule, Real time, Real h,
                         int body) {
  if (!bodies.maySleep[body]) return AwakeReason::kDisabled;
  if (!bodies.load[body].isZero(0) || bodies.isForced(body, time, h)) {
    return AwakeReason::kAppliedLoad;
  }
  if (bodies.stillTime[body] == 0) return AwakeReason::kTooFast;
  // Half a step for the round-off of the sum.
  return bodies.stillTime[body] + h / 2 < rule.time ? AwakeReason::kNotLongEnough
                                                    : AwakeReason::kNone;
}

/// Stops a body and returns the kinetic energy that it had [J].
Real putToSleep(int body, BodyStore& bodies, CollisionWorld& collision) {
  const Real energy = bodies.kineticEnergy(body, bodies.velocity[body]);
  bodies.sleep(body);
  // The last time for as long as it sleeps.
  const int collider = bodies.collider[body];
  if (collider >= 0) collision.setPose(collider, bodies.referencePose(body));
  return energy;
}

}  // namespace

void disturbBody(int body, const JointStore& joints, const WarmStarts& warm,
                 std::span<const int> bodyOfCollider, BodyStore& bodies) {
  bodies.wake(body);
  bodies.disturbed[body] = 1;
  for (const Joint& joint : joints) {
    if (!joint.active()) continue;
    if (joint.bodyA == body) bodies.wake(joint.bodyB);
    if (joint.bodyB == body) bodies.wake(joint.bodyA);
  }
  const int collider = bodies.collider[body];
  if (collider < 0) return;
  for (const auto* list : {&warm.lists().awake, &warm.lists().asleep}) {
    for (const WarmContact& contact : *list) {
      if (contact.colliderA == collider) bodies.wake(bodyOfCollider[contact.colliderB]);
      if (contact.colliderB == collider) bodies.wake(bodyOfCollider[contact.colliderA]);
    }
  }
}

void wakeIslands(std::span<const StepContact> contacts, const JointStore& joints,
                 const WarmStarts& warm, std::span<const int> bodyOfCollider, Real time, Real h,
                 BodyStore& bodies, SleepData& sleep) {
  sleep.islands = 0;
  const auto& asleep = bodies.asleep;
  sleep.wasAsleep.assign(asleep.begin(), asleep.end());
  if (bodies.countAsleep() == 0) {
    sleep.parent.clear();
    return;
  }

  for (int i = 0; i < bodies.slots(); ++i) {
    if (bodies.hasForces[i] != 0 && bodies.isAsleep(i) && bodies.isForced(i, time, h))
      bodies.wake(i);
    if (bodies.hasAdhesion[i] == 0 || !changesAdhesion(bodies, i, time, h)) continue;
    bodies.disturbed[i] = 1;
    bodies.wake(i);
  }
  while (std::ssize(sleep.parent) < bodies.slots()) {
    sleep.parent.push_back(static_cast<int>(sleep.parent.size()));
  }
  bool hasGrown = false;
  for (const StepContact& contact : contacts) {
    hasGrown = connect(bodies, sleep.parent, contact.bodyA, contact.bodyB) || hasGrown;
  }
  for (const Joint& joint : joints) {
    if (!isInForce(joints, joint)) continue;
    hasGrown = connect(bodies, sleep.parent, joint.bodyA, joint.bodyB) || hasGrown;
    if (joint.isFurtherSpan()) {  // hangs together with the first one over bodies that stand still
      const auto mover = [&](const Joint& span) {
        return bodies.isDynamic(span.bodyA) ? span.bodyA : span.bodyB;
      };
      hasGrown =
          connect(bodies, sleep.parent, mover(joints[joint.cable]), mover(joint)) || hasGrown;
    }
    if (drives(joint, time, h)) {
      bodies.wake(joint.bodyA);
      bodies.wake(joint.bodyB);
    }
  }
  // Also what moved away from a sleeping body before the detection.
  const auto wakeStirred = [&](std::span<const WarmContact> before) {
    for (const WarmContact& contact : before) {
      const int a = bodyOfCollider[contact.colliderA], b = bodyOfCollider[contact.colliderB];
      if (stirs(bodies, a)) bodies.wake(b);
      if (stirs(bodies, b)) bodies.wake(a);
    }
  };
  wakeStirred(warm.lists().awake);
  const auto stirsAt = [&](int collider) { return stirs(bodies, bodyOfCollider[collider]); };
  if (std::ranges::any_of(warm.supports(), stirsAt)) wakeStirred(warm.lists().asleep);
  if (hasGrown || sleep.groupsVersion != bodies.activeVersion()) {
    sleep.groups = wakeGroups(bodies, sleep);
    sleep.groupsVersion = bodies.activeVersion();
  }
  sleep.islands = sleep.groups;
}

void forgetWokenReactions(const BodyStore& bodies, const SleepData& sleep, JointStore& joints) {
  for (Joint& joint : joints) {
    if (sleep.wasAsleep[joint.bodyA] || sleep.wasAsleep[joint.bodyB]) {
      if (!isAsleep(bodies, joint)) joint.forgetImpulses();
    }
  }
}

bool markResting(const BodyStore& bodies, CollisionWorld& collision, SleepData& sleep) {
  if (sleep.restingVersion == bodies.activeVersion()) return false;
  sleep.isResting.clear();
  for (int i = 0; i < bodies.slots(); ++i) {
    const auto collider = static_cast<std::size_t>(std::max(bodies.collider[i], 0));
    if (bodies.collider[i] < 0) continue;
    if (collider >= sleep.isResting.size()) sleep.isResting.resize(collider + 1);
    // Sensors tell at every detection what they overlap.
    const bool rests = bodies.isAsleep(i) || bodies.kind[i] == BodyKind::kStatic;
    sleep.isResting[collider] = rests && bodies.isSensor[i] == 0 ? 1 : 0;
  }
  collision.setResting(sleep.isResting);
  sleep.restingVersion = bodies.activeVersion();
  return true;
}

void dropSleepingContacts(const BodyStore& bodies, const WarmStarts& warm,
                          std::vector<StepContact>& contacts, SleepData& sleep) {
  bool isNew = false;
  if (sleep.pairsVersion != bodies.activeVersion()) {
    std::erase_if(sleep.pairs, [&](const SleepingPair& pair) {
      return !bodies.areAsleep(pair.bodyA, pair.bodyB);
    });
    sleep.pairsVersion = bodies.activeVersion();
    isNew = true;
  }
  sleep.dropped.clear();
  if (sleep.islands > 0) {
    std::erase_if(contacts, [&](const StepContact& contact) {
      if (!bodies.areAsleep(contact.bodyA, contact.bodyB)) return false;
      noteAsleep(contact, sleep.dropped);
      return true;
    });
  }
  if (!sleep.dropped.empty()) replacePairs(sleep);
  if (isNew || !sleep.dropped.empty() || sleep.isForgiving) {
    sleep.overlap = overlapAsleep(warm, sleep.pairs);
    sleep.isForgiving = std::ranges::any_of(
        sleep.pairs, [](const SleepingPair& pair) { return pair.forgiven > 0; });
  }
}

void forgetSleepingPairs(int body, SleepData& sleep) {
  std::erase_if(sleep.pairs,
                [&](const SleepingPair& pair) { return pair.bodyA == body || pair.bodyB == body; });
}

void forgetSleepers(SleepData& sleep) {
  sleep.parent.clear();
  sleep.pairs.clear();
}

void beginMisses(int slots, SleepData& sleep) {
  sleep.missed.assign(static_cast<std::size_t>(slots), 0);
}

void noteMisses(const Islands& islands, std::span<const IslandReport> reports, SleepData& sleep) {
  for (int island = 0; island < islands.count(); ++island) {
    if (reports[island].result.withinTolerance) continue;
    for (int i = islands.bodyStart[island]; i < islands.bodyStart[island + 1]; ++i) {
      sleep.missed[islands.bodies[i]] = 1;
    }
  }
}

void timeStillness(const Sleeping& rule, Real timestep, BodyStore& bodies) {
  for (const int i : bodies.active()) {
    if (!bodies.isDynamic(i)) continue;
    const Vec6& u = bodies.velocity[i];
    const bool slow =
        u.head<3>().norm() <= rule.linearSpeed && u.tail<3>().norm() <= rule.angularSpeed;
    bodies.stillTime[i] = slow ? bodies.stillTime[i] + timestep : 0;
  }
}

void findAwakeReasons(const BodyStore& bodies, const JointStore& joints, const Islands& islands,
                      std::span<const StepJointBlock> blocks, std::span<const StepContact> contacts,
                      const Sleeping& rule, Real time, Real timestep,
                      std::span<const std::uint8_t> missed, std::span<IslandReport> reports) {
  for (int island = 0; island < islands.count(); ++island) {
    AwakeReason reason = AwakeReason::kNone;
    const auto note = [&](AwakeReason other) {
      if (other != AwakeReason::kNone && (reason == AwakeReason::kNone || other < reason)) {
        reason = other;
      }
    };
    for (int i = islands.bodyStart[island]; i < islands.bodyStart[island + 1]; ++i) {
      note(reasonOfBody(bodies, rule, time, timestep, islands.bodies[i]));
      if (missed[islands.bodies[i]]) note(AwakeReason::kMissedTolerance);
    }
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      const BlockSource source = islands.sources[k];
      const auto [a, b] = bodiesOf(source, blocks, contacts);
      if (pushes(bodies, a) || pushes(bodies, b)) note(AwakeReason::kMovingNeighbour);
      // The step to come counts: what moves then would only wake the island again.
      if (source.isJoint() && drives(joints[blocks[source.index].joint], time, timestep)) {
        note(AwakeReason::kMotor);
      }
    }
    reports[island].awake = reason;
  }
}

void fallAsleep(const Islands& islands, const SleepData& sleep, const WorldSettings& settings,
                Real time, BodyStore& bodies, CollisionWorld& collision, StepReport& report) {
  report.asleepIslands = sleep.islands;
  Real energy = 0;
  for (int island = 0; island < islands.count(); ++island) {
    if (report.islands[island].awake != AwakeReason::kNone) continue;
    ++report.asleepIslands;
    for (int i = islands.bodyStart[island]; i < islands.bodyStart[island + 1]; ++i) {
      energy += putToSleep(islands.bodies[i], bodies, collision);
    }
  }
  // What nothing holds is an island by itself, and at rest only where nothing pulls: slow as it may
  // be at the top of a throw, it will fall.
  for (int i = 0; i < bodies.slots(); ++i) {
    if (bodies.isAwake(i) && islands.ofBody[i] < 0 && !sleep.missed[i] &&
        bodies.gravityOf(i, settings.gravity).isZero(0) &&
        reasonOfBody(bodies, settings.sleeping, time, settings.timestep, i) == AwakeReason::kNone) {
      ++report.asleepIslands;
      energy += putToSleep(i, bodies, collision);
    }
  }
  report.asleepBodies += bodies.countAsleep();
  std::ranges::fill(bodies.disturbed, 0);
  report.energy.sleep -= energy;
  report.energy.kinetic -= energy;
}

}  // namespace drystone
