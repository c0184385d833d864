// Contacts at features that the start of a step does not show: docs/theory/ahead.md.
#include "engine/step/late_contacts.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include "core/parallel.h"
#include "engine/step/integrate.h"

namespace drystone {
namespace {

/// Share of the overlap looked for by which known ones may grow. The stabilisation takes a fifth of
/// an overlap back in a step: one that grew by so much each time would end at five quarters of
/// what is looked for, below the tolerance.
constexpr Real kCreep = 0.25;

/// Way of a step at the velocity that the solves may leave, times this, is no overlap to look for:
/// several contacts of a body add theirs.
constexpr Real kResidualWays = 10;

/// Cosine between the normals of two contacts of a pair on the same side of it, at least.
constexpr Real kSameSide = 0.5;

/// Angle by which two turn against each other for the end of a way to say what happens on it [rad].
constexpr Real kLittleTurn = 0.5;

/// Bodies that a thread takes at a time: some 10 µs of work.
constexpr int kMoversPerRange = 128;

/// Overlap that is looked for [m].
Real leastOverlap(const LookInput& input) {
  return std::max(input.overlapTolerance / 2,
                  kResidualWays * input.h * input.settings.solver.budget.tolerance);
}

std::pair<int, int> pairOf(const ContactPoint& point) { return {point.colliderA, point.colliderB}; }
std::pair<int, int> pairOfContact(const StepContact& contact) { return pairOf(contact.point); }

bool isBefore(const StepContact& p, const StepContact& q) {
  const auto orderOf = [](const ContactPoint& point) {
    return std::tuple(point.colliderA, point.colliderB, point.feature);
  };
  return orderOf(p.point) < orderOf(q.point);
}

/// How a body moves in its share of the step: of the centre of mass [m], and a rotation vector
/// [rad].
Vec6 wayOf(const LookInput& input, const BodyStore& bodies, int body) {
  const Real time = input.share.empty() ? input.h : input.share[body] * input.h;
  return time * bodies.velocity[body];
}

/// Whether the solve of a body met its tolerance, if there was one.
bool isSolved(const LookInput& input, const BodyStore& bodies, int body) {
  const int island = bodies.isDynamic(body) ? input.islands.ofBody[body] : -1;
  return island < 0 || input.reports[island].result.withinTolerance;
}

/// Lists what moves by more than `least` [m], with its poses at the end of the step.
void listMovers(const LookInput& input, const BodyStore& bodies, Real least, LateLook& look) {
  const int threads = input.settings.threads;
  const std::span<const int> active = bodies.active();
  const auto moves = [&](int i) {
    if (bodies.collider[i] < 0 || !isSolved(input, bodies, i)) return false;
    const Vec6 way = wayOf(input, bodies, i);
    const Real turn = way.tail<3>().norm();
    return way.head<3>().norm() + (turn > 0 ? bodies.reach[i] * turn : 0) > least;
  };
  look.select.list(
      static_cast<int>(active.size()), kMoversPerRange, threads,
      [&](int k) { return moves(active[k]) ? active[k] : -1; }, look.movers);
  const int count = static_cast<int>(look.movers.size());
  look.colliders.resize(look.movers.size());
  look.poses.resize(look.movers.size());
  parallelRanges(count, kMoversPerRange, threads, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const int i = look.movers[k];
      look.colliders[k] = bodies.collider[i];
      look.poses[k] = displaced({bodies.position[i], bodies.rotation[i]}, wayOf(input, bodies, i)) *
                      bodies.reference[i];
    }
  });
}

/// How far a body's point at an arm from its centre of mass goes, to first order [m].
Vec3 wayAt(const Vec6& way, const Vec3& arm) { return way.head<3>() + way.tail<3>().cross(arm); }

/// Share of its way that a body has gone at a time of the step, from 0 to 1.
Real goneAt(const LookInput& input, int body, Real time) {
  const Real share = input.share.empty() ? 1 : input.share[body];
  return share > 0 ? std::min<Real>(time / share, 1) : 1;
}

/// Turns a contact of a time within the step into one of its start. `allowed`: overlap that it may
/// keep [m].
void bringBack(const LookInput& input, const BodyStore& bodies, Real time, Real allowed,
               StepContact& contact) {
  ContactPoint& point = contact.point;
  const int a = contact.bodyA, b = contact.bodyB;
  const Vec6 wayA = goneAt(input, a, time) * wayOf(input, bodies, a);
  const Vec6 wayB = goneAt(input, b, time) * wayOf(input, bodies, b);
  const Vec3 armA = point.onSurfaceA() - bodies.position[a] - wayA.head<3>();
  const Vec3 armB = point.onSurfaceB() - bodies.position[b] - wayB.head<3>();
  const Real mostPush = input.h * input.settings.stabilization.maxPushSpeed;
  // Its bodies may be stopped, and beyond that parted at the speed of the push-out.
  const Real apart = point.normal.dot(wayAt(wayB, armB) - wayAt(wayA, armA));
  point.gap = std::max(point.gap + allowed, std::min(apart, 0.0) - mostPush) - apart;
  const Vec3 onA = bodies.position[a] + armA, onB = bodies.position[b] + armB;
  point.position = 0.5 * (onA + onB);
  point.halfWay = 0.5 * (onB - onA);
  point.isAhead = true;
  contact.isLate = true;
  if (input.settings.friction == FrictionModel::kRolling) {
    contact.rollingArm = rollingArmOf(bodies, contact);
  }
}

/// What a pair overlaps by already, which the stabilisation takes back, and what is forgiven [m].
struct KnownOverlap {
  Real before = 0, forgiven = 0;
  bool waits = false;  ///< a contact of it does

  /// More than that a solve should have prevented.
  Real most(const LookInput& input) const {
    const Real least = leastOverlap(input);
    return std::max(before + kCreep * least, forgiven + least);
  }
  /// What a late contact leaves of it.
  Real kept(const LookInput& input) const {
    return std::max((1 - input.settings.velocityGamma(input.h)) * before, forgiven);
  }
};

KnownOverlap knownOverlap(std::span<const StepContact> contacts, std::pair<int, int> pair) {
  KnownOverlap known;
  auto one = std::ranges::lower_bound(contacts, pair, {}, pairOfContact);
  for (; one != contacts.end() && pairOf(one->point) == pair; ++one) {
    known.forgiven = one->forgiven;
    known.waits = known.waits || one->waits;
    if (!one->isLate) known.before = std::max(known.before, -one->point.gap);
  }
  return known;
}

/// Whether a pair may have late contacts. What sleeps is woken by the next detection.
bool takesPart(const LookInput& input, const BodyStore& bodies, int a, int b) {
  return isSolved(input, bodies, a) && isSolved(input, bodies, b) && !bodies.isAsleep(a) &&
         !bodies.isAsleep(b);
}

/// Leaves those points of a time within the step that a solve should have prevented, as contacts of
/// the start.
void keepMissing(const LookInput& input, const BodyStore& bodies,
                 std::span<const StepContact> contacts, std::vector<StepContact>& found) {
  std::erase_if(found, [&](StepContact& contact) {
    const KnownOverlap known = knownOverlap(contacts, pairOf(contact.point));
    contact.forgiven = known.forgiven;
    contact.isAtOnce = known.waits;
    if (!takesPart(input, bodies, contact.bodyA, contact.bodyB) ||
        -contact.point.gap <= known.most(input)) {
      return true;
    }
    bringBack(input, bodies, 1, known.kept(input), contact);
    return false;
  });
}

/// Rotation of a body's frame at a time of the step.
Quat rotationAt(const LookInput& input, const BodyStore& bodies, int body, Real time) {
  const Vec6 way = goneAt(input, body, time) * wayOf(input, bodies, body);
  return displaced(bodies.referencePose(body), way).rotation;
}

/// Has late contacts of a time of the step changed, and drops those of what yields, which may
/// overlap. Friction has the directions that the surfaces have then.
void modifyLate(const LookInput& input, const BodyStore& bodies, Real time,
                const CollisionWorld& collision, std::vector<StepContact>& found) {
  modifyContacts({.bodies = bodies,
                  .materials = input.materials,
                  .collision = collision,
                  .settings = input.settings,
                  .velocity = input.oldVelocity,
                  .h = input.h},
                 input.callbacks, found);
  std::erase_if(found, [](const StepContact& contact) { return contact.isSoft; });
  for (StepContact& contact : found) {
    if (!contact.hasGrain) continue;
    followGrainAgain(rotationAt(input, bodies, contact.bodyA, time),
                     rotationAt(input, bodies, contact.bodyB, time), input.materials, contact);
  }
}

/// Looks at the poses that the step goes to.
void lookAtEnd(const LookInput& input, const BodyStore& bodies,
               std::span<const StepContact> contacts, CollisionWorld& collision, LateLook& look) {
  const Real most = leastOverlap(input);
  listMovers(input, bodies, most, look);
  if (look.colliders.empty()) return;
  PairQuestion question(input.bodyOfCollider, bodies, input.callbacks);
  const auto pushes = [&](const ContactPoint& point) {
    return isSolid(input.bodyOfCollider, bodies, point) && question.accepts(point);
  };
  // By reference, since a copy of so many captures lies on the heap.
  collision.contactsAt(look.colliders, look.poses, std::cref(pushes), look.points);
  std::erase_if(look.points, [&](const ContactPoint& point) { return point.gap >= -most; });
  listContacts(look.points, input.bodyOfCollider, bodies, collision, input.materials,
               input.settings, input.h, look.found);
  keepMissing(input, bodies, contacts, look.found);
  modifyLate(input, bodies, 1, collision, look.found);
}

/// The way of a body in its share of the step.
ColliderSweep sweepOf(const LookInput& input, const BodyStore& bodies, int body,
                      const CollisionWorld& collision) {
  const Vec6 way = wayOf(input, bodies, body);
  const Vec3 center = bodies.position[body], turn = way.tail<3>();
  const Real reach = bodies.reach[body];
  ColliderSweep sweep{.collider = bodies.collider[body],
                      .center = center,
                      .way = way.head<3>(),
                      .turn = turn,
                      .reach = reach,
                      .turning = collision.turningOf(bodies.collider[body], center, turn, reach),
                      .share = input.share.empty() ? 1 : input.share[body]};
  sweep.isFast = sweep.length() > ColliderSweep::kSlowShare * bodies.extent[body];
  return sweep;
}

/// Lists the ways of all that moves. Returns whether some of it moves so far that it may pass
/// something: a body by half of its extent, or of what a part of it is thick. What a solve missed
/// is looked at, too: it may pass nothing either.
bool listSweeps(const LookInput& input, const BodyStore& bodies, const CollisionWorld& collision,
                LateLook& look) {
  const int threads = input.settings.threads;
  const std::span<const int> active = bodies.active();
  const auto moves = [&](int i) {
    return bodies.collider[i] >= 0 && !bodies.velocity[i].isZero(0) &&
           (input.share.empty() || input.share[i] > 0);
  };
  look.select.list(
      static_cast<int>(active.size()), kMoversPerRange, threads,
      [&](int k) { return moves(active[k]) ? active[k] : -1; }, look.movers);
  look.sweeps.resize(look.movers.size());
  std::atomic<bool> mayPass = false;
  parallelRanges(static_cast<int>(look.movers.size()), kMoversPerRange, threads,
                 [&](int begin, int end) {
                   for (int k = begin; k < end; ++k) {
                     const ColliderSweep sweep = sweepOf(input, bodies, look.movers[k], collision);
                     look.sweeps[k] = sweep;
                     const Real thinnest = collision.thinnestOf(sweep.collider);
                     if (sweep.isFast || sweep.length() > ColliderSweep::kSlowShare * thinnest) {
                       mayPass.store(true, std::memory_order_relaxed);
                     }
                   }
                 });
  return mayPass;
}

/// Replaces `look.ofPair` by the contacts of the points of two at a time on their way.
void listOfPair(const LookInput& input, const BodyStore& bodies,
                std::span<const StepContact> contacts, const SweptTouch& touch, Real time,
                const CollisionWorld& collision, LateLook& look) {
  listContacts(look.points, input.bodyOfCollider, bodies, collision, input.materials,
               input.settings, input.h, look.ofPair);
  const KnownOverlap known = knownOverlap(contacts, {touch.colliderA, touch.colliderB});
  for (StepContact& contact : look.ofPair) {
    contact.forgiven = known.forgiven;
    contact.isAtOnce = known.waits;
    bringBack(input, bodies, time, known.kept(input), contact);
  }
}

/// The same with the points that overlap then.
void contactsOnWay(const LookInput& input, const BodyStore& bodies,
                   std::span<const StepContact> contacts, const SweptTouch& touch, Real time,
                   CollisionWorld& collision, LateLook& look) {
  look.colliders.clear();
  look.poses.clear();
  const auto bodyOfSweep = [&](const ColliderSweep& sweep) {
    return input.bodyOfCollider[sweep.collider];
  };
  for (const int collider : {touch.colliderA, touch.colliderB}) {
    const int body = input.bodyOfCollider[collider];
    const auto sweep = std::ranges::lower_bound(look.sweeps, body, {}, bodyOfSweep);
    if (sweep == look.sweeps.end() || sweep->collider != collider) continue;  // it stands still
    look.colliders.push_back(collider);
    look.poses.push_back(sweptPose(*sweep, bodies.referencePose(body), time));
  }
  const auto pushes = [&](const ContactPoint& point) {
    return point.colliderA == touch.colliderA && point.colliderB == touch.colliderB &&
           point.gap < 0;
  };
  collision.contactsAt(look.colliders, look.poses, std::cref(pushes), look.points);
  listOfPair(input, bodies, contacts, touch, time, collision, look);
}

/// Whether two may overlap where they come closest: a modifier takes that out, or they yield. Such
/// a pair stops no body, also where no contact of it can be made.
bool mayOverlap(const LookInput& input, const BodyStore& bodies,
                std::span<const StepContact> contacts, const SweptTouch& touch,
                const CollisionWorld& collision, LateLook& look) {
  look.points.assign(1, touch.closest);
  listOfPair(input, bodies, contacts, touch, touch.time, collision, look);
  modifyLate(input, bodies, touch.time, collision, look.ofPair);
  return look.ofPair.empty();
}

/// Whether two have a contact, which are sorted.
bool hasPair(std::span<const StepContact> contacts, const SweptTouch& touch) {
  return std::ranges::binary_search(contacts, std::pair(touch.colliderA, touch.colliderB), {},
                                    pairOfContact);
}

/// Looks at the ways of what is fast. Contacts that are found there take the place of those that
/// their pairs have at the end.
void lookOnWay(const LookInput& input, const BodyStore& bodies,
               std::span<const StepContact> contacts, CollisionWorld& collision, LateLook& look) {
  const auto allowed = [&](int colliderA, int colliderB) {
    const int a = input.bodyOfCollider[colliderA], b = input.bodyOfCollider[colliderB];
    const bool isSolidPair =
        !bodies.isSensor[a] && !bodies.isSensor[b] && (bodies.isDynamic(a) || bodies.isDynamic(b));
    if (!isSolidPair) return kInfinity;
    return knownOverlap(contacts, {colliderA, colliderB}).most(input);
  };
  look.swept = collision.sweep(look.sweeps, std::cref(allowed),
                               look.touches);  // by reference: no copy on the heap
  look.onWay.clear();
  PairQuestion question(input.bodyOfCollider, bodies, input.callbacks);
  std::erase_if(look.touches, [&](const SweptTouch& touch) {
    if (!question.accepts({.colliderA = touch.colliderA, .colliderB = touch.colliderB}))
      return true;
    const auto may = [&] { return mayOverlap(input, bodies, contacts, touch, collision, look); };
    // What still overlaps at the end, on the same side, has passed nothing yet: it is held there,
    // unless it turns so far that the end says little of the way.
    const bool isHeldAtEnd = touch.sameSide > kSameSide && touch.turn < kLittleTurn;
    const int a = input.bodyOfCollider[touch.colliderA];
    const int b = input.bodyOfCollider[touch.colliderB];
    if (!takesPart(input, bodies, a, b)) return (isHeldAtEnd && !touch.isDeepAtEnd) || may();
    if (isHeldAtEnd && hasPair(look.found, touch)) return false;
    if (isHeldAtEnd && !touch.isDeepAtEnd) return true;
    if (hasPair(look.onWay, touch)) return false;  // parts that met before have such contacts
    // A surface may have no contact where a shape only just overlaps a triangle of it.
    Real time = touch.time;
    for (const Real deeper : {0.0, 0.1, 0.3, 1.0}) {
      time = touch.time + deeper * (touch.deep - touch.time);
      contactsOnWay(input, bodies, contacts, touch, time, collision, look);
      if (!look.ofPair.empty()) break;
    }
    if (look.ofPair.empty()) return may();
    modifyLate(input, bodies, time, collision, look.ofPair);
    look.onWay.insert(look.onWay.end(), look.ofPair.begin(), look.ofPair.end());
    return look.ofPair.empty();  // the two may overlap
  });
  std::erase_if(look.found, [&](const StepContact& contact) {
    return std::ranges::binary_search(look.onWay, pairOf(contact.point), {}, pairOfContact);
  });
  addLateContacts(look.onWay, look.found);
}

}  // namespace

void findLateContacts(const LookInput& input, const BodyStore& bodies,
                      std::span<const StepContact> contacts, CollisionWorld& collision,
                      LateLook& look) {
  look.found.clear();
  look.touches.clear();
  look.swept = 0;
  const bool mayPass = listSweeps(input, bodies, collision, look);
  collision.findPairsOnWays(look.sweeps);
  lookAtEnd(input, bodies, contacts, collision, look);
  if (mayPass) lookOnWay(input, bodies, contacts, collision, look);
}

void addLateContacts(std::span<const StepContact> found, std::vector<StepContact>& contacts) {
  std::size_t old = contacts.size(), late = found.size(), place = old + late;
  contacts.resize(place);
  // From the end on, in place: std::inplace_merge() takes memory for it.
  while (late > 0) {
    const bool isOldLast = old > 0 && isBefore(found[late - 1], contacts[old - 1]);
    contacts[--place] = isOldLast ? contacts[--old] : found[--late];
  }
}

}  // namespace drystone
