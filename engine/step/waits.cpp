// Pairs that bounce arrive in one step and rebound in the next: docs/theory/ahead.md.
#include "engine/step/waits.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/step/cable_rows.h"
#include "engine/step/integrate.h"
#include "engine/step/union_find.h"

namespace drystone {
namespace {

/// Share of a step's way that is no gap: so near the impact is as good now as at the touch.
constexpr Real kAtOnce = 0.05;
/// Share of the approach below which a body does not wait for the other one.
constexpr Real kLeastPart = 0.1;
/// Way that is not worth waiting for [m].
constexpr Real kLeastWay = 1e-8;
/// Rounds in which bodies hold up their neighbours; farther ones overlap for a step.
constexpr int kMostRounds = 50;

/// What either body does to close a gap [m/s].
struct Approach {
  Real a, b;
  Real sum() const { return a + b; }
};

Approach approachOf(const BodyStore& bodies, const StepContact& contact,
                    std::span<const Vec6> velocity) {
  const ContactArms arms = armsOf(bodies, contact);
  const auto along = [&](int body, const Vec3& arm) {
    const Vec6& u = velocity[body];
    return contact.point.normal.dot(u.head<3>() + u.tail<3>().cross(arm));
  };
  return {along(contact.bodyA, arms.a), -along(contact.bodyB, arms.b)};
}

/// The bodies that have to wait for a gap not to close.
struct Waiting {
  bool a = false, b = false;
  bool none() const { return !a && !b; }
};

Waiting whoWaits(const BodyStore& bodies, const Waits& waits, const StepContact& contact,
                 const Approach& approach) {
  const Real least = std::max(kLeastPart * approach.sum(), 0.0);
  const auto may = [&](int body) { return bodies.isDynamic(body) && !waits.isCarried[body]; };
  return {may(contact.bodyA) && approach.a > least, may(contact.bodyB) && approach.b > least};
}

/// Time until two meet that approach at `before` at the start and `after` at the end of h, with a
/// constant acceleration: velocities are those of the middle of the steps [s].
Real timeToTouch(Real gap, Real before, Real after, Real h) {
  const Real acceleration = (after - before) / h;
  const Real start = 0.5 * (before + after);
  const Real square = std::max(start * start + 2 * acceleration * gap, 0.0);
  return 2 * gap / (start + std::sqrt(square));
}

/// Groups the bodies that joints hold together.
void groupByJoints(const BodyStore& bodies, std::span<const StepJointBlock> joints, Waits& waits) {
  startGroups(waits.group, bodies.slots());
  for (const StepJointBlock& joint : joints) {
    if (!bodies.isDynamic(joint.bodyA) || !bodies.isDynamic(joint.bodyB)) continue;
    unite(waits.group, joint.bodyA, joint.bodyB);
  }
  for (const StepJointBlock& joint : joints) {
    if (joint.cable >= 0)
      unite(waits.group, moverOf(bodies, joint), moverOf(bodies, leadOf(joints, joint)));
  }
}

/// Marks what joints hold to something kinematic that moves: that waits for nothing.
void findCarried(const BodyStore& bodies, std::span<const StepJointBlock> joints, Waits& waits) {
  groupByJoints(bodies, joints, waits);
  waits.isCarried.assign(bodies.slots(), 0);
  const auto moves = [&](int body) {
    return bodies.kind[body] == BodyKind::kKinematic && !bodies.velocity[body].isZero(0);
  };
  for (const StepJointBlock& joint : joints) {
    if (moves(joint.bodyA)) waits.isCarried[findRoot(waits.group, joint.bodyB)] = 1;
    if (moves(joint.bodyB)) waits.isCarried[findRoot(waits.group, joint.bodyA)] = 1;
  }
  for (const int body : bodies.active()) {
    waits.isCarried[body] = waits.isCarried[findRoot(waits.group, body)];
  }
}

/// Of two bodies that would overlap, at least one of them dynamic.
struct StoppedPair {
  int stopped = -1, other = -1;
};

StoppedPair whoStops(const BodyStore& bodies, const Waits& waits, const SweptTouch& touch,
                     std::span<const int> bodyOfCollider) {
  const int a = bodyOfCollider[touch.colliderA], b = bodyOfCollider[touch.colliderB];
  const bool isLighterA = bodies.isAwake(a) && bodies.mass[a] < bodies.mass[b];
  // What is carried is torn off where it stops: better the other one, where there is a choice.
  const bool isChoice = bodies.isAwake(a) && waits.isCarried[a] != waits.isCarried[b];
  const bool isA = !bodies.isAwake(b) || (isChoice ? waits.isCarried[b] != 0 : isLighterA);
  return isA ? StoppedPair{a, b} : StoppedPair{b, a};
}

/// Share of the second half of a step of Moreau that a body may go which is free for a share of h
/// after the middle. The next step goes half of h on before it can stop the body again.
Real freeBeforeMiddle(Real free) { return std::max<Real>(2 * free - 1, 0); }

/// The displacement of a body that goes along with something: of its centre of mass [m], and a
/// rotation vector [rad].
Vec6 displacementBy(const Pose& carried, const Vec3& position) {
  const Eigen::AngleAxis<Real> turn(carried.rotation);
  Vec6 displacement;
  displacement << carried * position - position, turn.angle() * turn.axis();
  return displacement;
}

/// Lets the bodies of a group move for the same share, the least of theirs. Returns whether that
/// changes one.
bool shareAlongJoints(const BodyStore& bodies, Waits& waits) {
  std::vector<Real>& share = waits.share;
  waits.least.assign(share.size(), 1.0);
  for (const int body : bodies.active()) {
    Real& least = waits.least[findRoot(waits.group, body)];
    least = std::min(least, share[body]);
  }
  bool changes = false;
  for (const int body : bodies.active()) {
    const Real least = waits.least[findRoot(waits.group, body)];
    changes = changes || share[body] != least;
    share[body] = least;
  }
  return changes;
}

}  // namespace

void awaitTouches(const BodyStore& bodies, const WorldSettings& settings, Real h,
                  std::span<const StepJointBlock> joints, std::span<StepContact> contacts,
                  StepMotion& motion, Waits& waits) {
  waits.contacts = 0;
  bool isStruck = false;
  for (StepContact& contact : contacts) {
    contact.waits = false;
    // Moreau's step meets at its middle, and has moved on by half a step before the next solve.
    if (!bounces(contact) || settings.integrator == Integrator::kMoreau) continue;
    const Approach old = approachOf(bodies, contact, motion.old);
    const Approach free = approachOf(bodies, contact, motion.free);
    const Real gap = contact.point.gap;
    if (old.sum() <= settings.restitutionThreshold) continue;
    if (gap > 0 && h * free.sum() <= gap) continue;
    if (waits.contacts == 0 && !isStruck) {
      waits.struck.assign(bodies.slots(), Vec3::Zero());
      waits.lived.assign(bodies.slots(), 1.0);
      findCarried(bodies, joints, waits);
    }
    const Waiting who = whoWaits(bodies, waits, contact, free);
    const Real others = (who.a ? 0 : free.a) + (who.b ? 0 : free.b);
    if (gap <= kAtOnce * h * old.sum() || who.none() || gap <= h * others || contact.isAtOnce) {
      isStruck = true;
      // At most, against a much heavier body.
      const Vec3 change = 2 * old.sum() * contact.point.normal;
      waits.struck[contact.bodyA] -= change;
      waits.struck[contact.bodyB] += change;
      continue;
    }
    contact.waits = true;
    ++waits.contacts;
    const Real lived = std::min(timeToTouch(gap, old.sum(), free.sum(), h) / h, 1.0);
    if (who.a) waits.lived[contact.bodyA] = std::min(waits.lived[contact.bodyA], lived);
    if (who.b) waits.lived[contact.bodyB] = std::min(waits.lived[contact.bodyB], lived);
  }
  if (isStruck) {
    // What is struck now may reach the next one within this step: that is an impact of its own.
    for (StepContact& contact : contacts) {
      if (!bounces(contact) || contact.waits || contact.point.gap <= kRestingGap) continue;
      const Approach struck{contact.point.normal.dot(waits.struck[contact.bodyA]),
                            -contact.point.normal.dot(waits.struck[contact.bodyB])};
      const Real approach = struck.sum();
      if (approach <= settings.restitutionThreshold || h * approach <= contact.point.gap) continue;
      if (whoWaits(bodies, waits, contact, struck).none()) continue;
      if (approachOf(bodies, contact, motion.old).sum() > settings.restitutionThreshold) continue;
      contact.waits = true;
      ++waits.contacts;
    }
  }
  if (waits.contacts == 0) return;
  for (const int i : bodies.active()) {
    if (waits.lived[i] == 1) continue;
    const Vec3 change = motion.free[i].head<3>() - motion.old[i].head<3>();
    motion.free[i].head<3>() = motion.old[i].head<3>() + waits.lived[i] * change;
    motion.damped[i].head<3>() *= waits.lived[i];
  }
}

void shareStep(const BodyStore& bodies, std::span<const StepContact> contacts,
               std::span<const StepJointBlock> joints, Real h, Waits& waits) {
  std::vector<Real>& share = waits.share;
  share.clear();
  if (waits.contacts == 0) return;
  share.assign(bodies.slots(), 1.0);
  groupByJoints(bodies, joints, waits);
  const auto holdUp = [&](const StepContact& contact) {
    Real& shareA = share[contact.bodyA];
    Real& shareB = share[contact.bodyB];
    if (!contact.waits && shareA == 1 && shareB == 1) return false;
    const Approach whole = approachOf(bodies, contact, bodies.velocity);
    const Approach now{shareA * whole.a, shareB * whole.b};
    const Real gap = contact.point.gap;
    // One with rows may end as it would if nothing waited.
    const Real end = contact.waits ? 0 : std::min({gap, gap - h * whole.sum(), 0.0});
    if (gap - h * now.sum() >= end - kLeastWay) return false;
    const Waiting who = whoWaits(bodies, waits, contact, now);
    if (who.none()) return false;
    const Real own = (who.a ? now.a : 0) + (who.b ? now.b : 0);
    const Real factor = std::clamp(((gap - end) / h - (now.sum() - own)) / own, 0.0, 1.0);
    if (who.a) shareA *= factor;
    if (who.b) shareB *= factor;
    return factor < 1;
  };
  bool changes = true;
  for (int round = 0; round < kMostRounds && changes; ++round) {
    changes = false;
    for (const StepContact& contact : contacts) changes = holdUp(contact) || changes;
    changes = shareAlongJoints(bodies, waits) || changes;
  }
}

int stopAtTouches(const BodyStore& bodies, std::span<const SweptTouch> touches,
                  std::span<const int> bodyOfCollider, std::span<const StepJointBlock> joints,
                  Integrator integrator, Waits& waits) {
  std::vector<Real>& share = waits.share;
  if (touches.empty()) return 0;
  if (share.empty()) share.assign(bodies.slots(), 1.0);
  findCarried(bodies, joints, waits);
  int stopped = 0;
  for (const SweptTouch& touch : touches) {
    Real& own = share[whoStops(bodies, waits, touch, bodyOfCollider).stopped];
    const Real free = integrator == Integrator::kMoreau ? freeBeforeMiddle(touch.free) : touch.free;
    if (own <= free) continue;
    own = free;
    ++stopped;
  }
  shareAlongJoints(bodies, waits);
  return stopped;
}

void carryStopped(std::span<const SweptTouch> touches, std::span<const ColliderSweep> sweeps,
                  std::span<const int> bodyOfCollider, std::span<const StepJointBlock> joints,
                  const Waits& waits, BodyStore& bodies) {
  const auto pairOf = [&](const SweptTouch& touch) {
    return whoStops(bodies, waits, touch, bodyOfCollider);
  };
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const SweptTouch& touch = touches[i];
    const StoppedPair pair = pairOf(touch);
    const int stopped = pair.stopped;
    const auto carrier =
        std::ranges::find(sweeps, bodies.collider[pair.other], &ColliderSweep::collider);
    if (carrier == sweeps.end() || waits.share[pair.other] < 1) continue;
    if (waits.share[stopped] != touch.free) continue;  // something else stopped it before
    const bool wasCarried = std::ranges::any_of(touches.first(i), [&](const SweptTouch& earlier) {
      return pairOf(earlier).stopped == stopped && earlier.free == touch.free;
    });
    const bool hangs = std::ranges::any_of(joints, [&](const StepJointBlock& joint) {
      return joint.bodyA == stopped || joint.bodyB == stopped;
    });
    if (wasCarried || hangs) continue;
    const auto goneBy = [&](Real time) { return sweptPose(*carrier, Pose{}, time); };
    const Pose carried = goneBy(1) * goneBy(touch.free).inverse();
    const Vec6 whole = displacementBy(carried, bodies.position[stopped]);
    Vec6 left = whole;
    bodies.dropLocked(stopped, left);
    // Locked axes may leave of it what leads into the carrier: better none of it then.
    const bool isA = bodyOfCollider[touch.colliderA] == stopped;
    const Vec3 toCarrier = isA ? touch.closest.normal : Vec3(-touch.closest.normal);
    const Vec3 way = left.head<3>(), lost = way - whole.head<3>();
    if (toCarrier.dot(way) > 0 && toCarrier.dot(lost) > 0) continue;
    displaceBody(stopped, left, bodies);
  }
}

}  // namespace drystone
