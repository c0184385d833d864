#include "engine/step/sleeping.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/step/joint_row_list.h"
#include "engine/step/union_find.h"
#include "engine/step/world_parts.h"

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

/// Unites two bodies that are connected, or wakes the one that the other stirs.
void connect(BodyStore& bodies, std::vector<int>& parent, int a, int b) {
  if (bodies.isDynamic(a) && bodies.isDynamic(b)) {
    unite(parent, a, b);
  } else if (stirs(bodies, a)) {
    wakeBody(bodies, b);
  } else if (stirs(bodies, b)) {
    wakeBody(bodies, a);
  }
}

/// Two sorted lists into one. Both keep their capacity, so that warm steps allocate nothing.
template <class Warm, class Order>
void mergeSorted(std::vector<Warm>& into, const std::vector<Warm>& other,
                 std::vector<Warm>& scratch, Order&& order) {
  if (other.empty()) return;
  scratch.resize(into.size() + other.size());
  std::merge(into.begin(), into.end(), other.begin(), other.end(), scratch.begin(),
             [&](const Warm& p, const Warm& q) { return order(p) < order(q); });
  into.assign(scratch.begin(), scratch.end());
}

/// Why the bodies stay awake, as far as they themselves know.
AwakeReason reasonOfBody(const BodyStore& bodies, const Sleeping& rule, Real h, int body) {
  if (!bodies.maySleep[body]) return AwakeReason::kDisabled;
  if (!bodies.load[body].isZero(0)) return AwakeReason::kAppliedLoad;
  if (bodies.stillTime[body] == 0) return AwakeReason::kTooFast;
  // Half a step for the round-off of the sum.
  return bodies.stillTime[body] + h / 2 < rule.time ? AwakeReason::kNotLongEnough
                                                    : AwakeReason::kNone;
}

AwakeReason reasonOfIsland(const WorldParts& world, const StepData& data,
                           const IslandReport& report, int island) {
  const BodyStore& bodies = world.bodies;
  const Islands& islands = data.islands;
  const Real h = world.settings.timestep;
  AwakeReason reason = AwakeReason::kNone;
  const auto note = [&](AwakeReason other) {
    if (other != AwakeReason::kNone && (reason == AwakeReason::kNone || other < reason)) {
      reason = other;
    }
  };
  for (int i = islands.bodyStart[island]; i < islands.bodyStart[island + 1]; ++i) {
    note(reasonOfBody(bodies, world.settings.sleeping, h, islands.bodies[i]));
  }
  const int joints = static_cast<int>(data.jointBlocks.size());
  for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
    const int source = islands.sources[k];
    const bool isJoint = source < joints;
    const int a = isJoint ? data.jointBlocks[source].bodyA : data.contacts[source - joints].bodyA;
    const int b = isJoint ? data.jointBlocks[source].bodyB : data.contacts[source - joints].bodyB;
    if (pushes(bodies, a) || pushes(bodies, b)) note(AwakeReason::kMovingNeighbour);
    // The step to come counts: what moves then would only wake the island again.
    if (isJoint && drives(world.joints[data.jointBlocks[source].joint], world.time, h)) {
      note(AwakeReason::kMotor);
    }
  }
  if (!report.result.withinTolerance) note(AwakeReason::kMissedTolerance);
  return reason;
}

/// Stops a body and returns the kinetic energy that it had [J].
Real putToSleep(WorldParts& world, int body) {
  BodyStore& bodies = world.bodies;
  const Real energy = bodies.kineticEnergy(body, bodies.velocity[body]);
  bodies.asleep[body] = 1;
  bodies.velocity[body].setZero();
  // The last time for as long as it sleeps.
  const int collider = bodies.collider[body];
  if (collider >= 0) world.collision.setPose(collider, bodies.referencePose(body));
  return energy;
}

void timeStillness(BodyStore& bodies, const Sleeping& rule, Real h) {
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.isAwake(i)) continue;
    const Vec6& u = bodies.velocity[i];
    const bool slow =
        u.head<3>().norm() <= rule.linearSpeed && u.tail<3>().norm() <= rule.angularSpeed;
    bodies.stillTime[i] = slow ? bodies.stillTime[i] + h : 0;
  }
}

}  // namespace

void wakeBody(BodyStore& bodies, int body) {
  bodies.asleep[body] = 0;
  bodies.stillTime[body] = 0;
}

void wakeAll(BodyStore& bodies) {
  for (int i = 0; i < bodies.slots(); ++i) wakeBody(bodies, i);
}

void disturbBody(WorldParts& world, int body) {
  if (!world.settings.sleeping.enabled) return;
  BodyStore& bodies = world.bodies;
  wakeBody(bodies, body);
  bodies.disturbed[body] = 1;
  for (const Joint& joint : world.joints) {
    if (!joint.active()) continue;
    if (joint.bodyA == body) wakeBody(bodies, joint.bodyB);
    if (joint.bodyB == body) wakeBody(bodies, joint.bodyA);
  }
  const int collider = bodies.collider[body];
  if (collider < 0) return;
  for (const WarmContact& warm : world.data.warm) {
    if (warm.colliderA == collider) wakeBody(bodies, world.bodyOfCollider[warm.colliderB]);
    if (warm.colliderB == collider) wakeBody(bodies, world.bodyOfCollider[warm.colliderA]);
  }
}

bool areAsleep(const BodyStore& bodies, int a, int b) {
  return !bodies.isAwake(a) && !bodies.isAwake(b) && (bodies.isAsleep(a) || bodies.isAsleep(b));
}

bool isAsleep(const BodyStore& bodies, const Joint& joint) {
  return joint.active() && areAsleep(bodies, joint.bodyA, joint.bodyB);
}

int countAsleep(const BodyStore& bodies) {
  return static_cast<int>(std::count(bodies.asleep.begin(), bodies.asleep.end(), 1));
}

void wakeIslands(WorldParts& world, StepData& data) {
  BodyStore& bodies = world.bodies;
  SleepData& sleep = data.sleep;
  sleep.maxPenetration = 0;
  sleep.islands = 0;
  const auto& asleep = bodies.asleep;
  if (std::find(asleep.begin(), asleep.end(), 1) == asleep.end()) return;

  sleep.wasAsleep.assign(asleep.begin(), asleep.end());
  startGroups(sleep.parent, bodies.slots());
  for (const StepContact& contact : data.contacts) {
    connect(bodies, sleep.parent, contact.bodyA, contact.bodyB);
  }
  for (const Joint& joint : world.joints) {
    if (!isInForce(world, joint)) continue;
    connect(bodies, sleep.parent, joint.bodyA, joint.bodyB);
    if (drives(joint, world.time, world.settings.substep())) {
      wakeBody(bodies, joint.bodyA);
      wakeBody(bodies, joint.bodyB);
    }
  }
  // Also what moved away from a sleeping body before the detection.
  for (const WarmContact& warm : data.warm) {
    const int a = world.bodyOfCollider[warm.colliderA], b = world.bodyOfCollider[warm.colliderB];
    if (stirs(bodies, a)) wakeBody(bodies, b);
    if (stirs(bodies, b)) wakeBody(bodies, a);
  }
  sleep.groupIsAwake.assign(asleep.size(), 0);
  for (int i = 0; i < bodies.slots(); ++i) {
    if (bodies.isAwake(i)) sleep.groupIsAwake[findRoot(sleep.parent, i)] = 1;
  }
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.isAsleep(i)) continue;
    const int root = findRoot(sleep.parent, i);
    if (sleep.groupIsAwake[root]) {
      wakeBody(bodies, i);
    } else if (root == i) {
      ++sleep.islands;
    }
  }
  // Reactions of joints were kept while they slept; the step adds to them from zero.
  for (Joint& joint : world.joints) {
    if (sleep.wasAsleep[joint.bodyA] || sleep.wasAsleep[joint.bodyB]) {
      if (!isAsleep(bodies, joint)) joint.forgetImpulses();
    }
  }
  std::erase_if(data.contacts, [&](const StepContact& contact) {
    if (!areAsleep(bodies, contact.bodyA, contact.bodyB)) return false;
    sleep.maxPenetration = std::max(sleep.maxPenetration, -contact.point.gap);
    return true;
  });
}

void setAsideWarmStarts(const WorldParts& world, Real timestep, StepData& data) {
  const BodyStore& bodies = world.bodies;
  SleepData& sleep = data.sleep;
  sleep.warm.clear();
  sleep.warmJoints.clear();
  if (sleep.islands == 0) return;
  const Real scale = timestep / data.warmTimestep;
  for (const WarmContact& warm : data.warm) {
    const int a = world.bodyOfCollider[warm.colliderA], b = world.bodyOfCollider[warm.colliderB];
    if (!areAsleep(bodies, a, b)) continue;
    WarmContact& kept = sleep.warm.emplace_back(warm);
    kept.impulse *= scale;
    kept.torsion *= scale;
  }
  for (const WarmJointRow& warm : data.warmJoints) {
    if (!isAsleep(bodies, world.joints[warm.joint])) continue;
    sleep.warmJoints.emplace_back(warm).lambda *= scale;
  }
}

void putBackWarmStarts(StepData& data) {
  SleepData& sleep = data.sleep;
  mergeSorted(data.warm, sleep.warm, sleep.mergedWarm, [](const WarmContact& warm) {
    return std::tuple(warm.colliderA, warm.colliderB, warm.feature);
  });
  mergeSorted(data.warmJoints, sleep.warmJoints, sleep.mergedWarmJoints,
              [](const WarmJointRow& warm) { return std::pair(warm.joint, warm.key); });
}

void fallAsleep(WorldParts& world, const StepData& data, StepReport& report) {
  BodyStore& bodies = world.bodies;
  const Sleeping& rule = world.settings.sleeping;
  if (!rule.enabled) return;
  const Real h = world.settings.timestep;
  const Islands& islands = data.islands;
  timeStillness(bodies, rule, h);
  report.asleepIslands = data.sleep.islands;
  Real energy = 0;
  for (int island = 0; island < islands.count(); ++island) {
    IslandReport& own = report.islands[island];
    own.awake = reasonOfIsland(world, data, own, island);
    if (own.awake != AwakeReason::kNone) continue;
    ++report.asleepIslands;
    for (int i = islands.bodyStart[island]; i < islands.bodyStart[island + 1]; ++i) {
      energy += putToSleep(world, islands.bodies[i]);
    }
  }
  // What nothing holds is an island by itself, and at rest only where nothing pulls: slow as it may
  // be at the top of a throw, it will fall.
  const bool isWeightless = world.settings.gravity.isZero(0);
  for (int i = 0; i < bodies.slots(); ++i) {
    if (isWeightless && bodies.isAwake(i) && islands.ofBody[i] < 0 &&
        reasonOfBody(bodies, rule, h, i) == AwakeReason::kNone) {
      ++report.asleepIslands;
      energy += putToSleep(world, i);
    }
    report.asleepBodies += bodies.isAsleep(i) ? 1 : 0;
    bodies.disturbed[i] = 0;
  }
  report.energy.sleep -= energy;
  report.energy.kinetic -= energy;
}

}  // namespace drystone
