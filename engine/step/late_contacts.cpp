// Contacts at features that the start of a step does not show: docs/theory.md, "Late contacts".
#include "engine/step/late_contacts.h"

#include <algorithm>
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

/// Overlap that is looked for [m].
Real leastOverlap(const LookInput& input) {
  return std::max(input.overlapTolerance / 2,
                  kResidualWays * input.h * input.settings.solver.budget.tolerance);
}

std::pair<int, int> pairOf(const ContactPoint& point) { return {point.colliderA, point.colliderB}; }

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
  constexpr int kBodies = 128;  // of a range: some 10 µs of work
  const int threads = input.settings.threads;
  const std::span<const int> active = bodies.active();
  const auto moves = [&](int i) {
    if (bodies.collider[i] < 0 || !isSolved(input, bodies, i)) return false;
    const Vec6 way = wayOf(input, bodies, i);
    const Real turn = way.tail<3>().norm();
    return way.head<3>().norm() + (turn > 0 ? bodies.reach[i] * turn : 0) > least;
  };
  look.select.list(
      static_cast<int>(active.size()), kBodies, threads,
      [&](int k) { return moves(active[k]) ? active[k] : -1; }, look.movers);
  const int count = static_cast<int>(look.movers.size());
  look.colliders.resize(look.movers.size());
  look.poses.resize(look.movers.size());
  parallelRanges(count, kBodies, threads, [&](int begin, int end) {
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

/// Turns a contact of the end of the step into one of its start. `allowed`: overlap that it may
/// keep [m].
void bringBack(const LookInput& input, const BodyStore& bodies, Real allowed,
               StepContact& contact) {
  ContactPoint& point = contact.point;
  const int a = contact.bodyA, b = contact.bodyB;
  const Vec6 wayA = wayOf(input, bodies, a), wayB = wayOf(input, bodies, b);
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
}

/// Leaves those points that a solve should have prevented, as contacts of the start.
void keepMissing(const LookInput& input, const BodyStore& bodies,
                 std::span<const StepContact> contacts, std::vector<StepContact>& found) {
  const Real most = leastOverlap(input);
  auto known = contacts.begin();
  std::erase_if(found, [&](StepContact& contact) {
    const auto pair = pairOf(contact.point);
    while (known != contacts.end() && pairOf(known->point) < pair) ++known;
    // What the pair overlaps by already is taken back by the stabilisation.
    Real before = 0;
    for (auto one = known; one != contacts.end() && pairOf(one->point) == pair; ++one) {
      contact.forgiven = one->forgiven;
      if (!one->isLate) before = std::max(before, -one->point.gap);
    }
    // What sleeps is woken by the next detection.
    const bool takesPart = isSolved(input, bodies, contact.bodyA) &&
                           isSolved(input, bodies, contact.bodyB) &&
                           !bodies.isAsleep(contact.bodyA) && !bodies.isAsleep(contact.bodyB);
    if (!takesPart ||
        -contact.point.gap <= std::max(before + kCreep * most, contact.forgiven + most)) {
      return true;
    }
    const Real left = 1 - input.settings.velocityGamma(input.h);
    bringBack(input, bodies, std::max(left * before, contact.forgiven), contact);
    return false;
  });
}

}  // namespace

void findLateContacts(const LookInput& input, const BodyStore& bodies,
                      std::span<const StepContact> contacts, CollisionWorld& collision,
                      LateLook& look) {
  look.found.clear();
  const Real most = leastOverlap(input);
  listMovers(input, bodies, most, look);
  if (look.colliders.empty()) return;
  PairQuestion question(input.bodyOfCollider, bodies, input.callbacks);
  const auto pushes = [&](const ContactPoint& point) {
    return isSolid(input.bodyOfCollider, bodies, point) && question.accepts(point);
  };
  // By reference, since a copy of so many captures lies on the heap.
  collision.contactsAt(look.colliders, look.poses, std::ref(pushes), look.points);
  std::erase_if(look.points, [&](const ContactPoint& point) { return point.gap >= -most; });
  listContacts(look.points, input.bodyOfCollider, bodies, input.materials, input.settings, input.h,
               look.found);
  keepMissing(input, bodies, contacts, look.found);
  modifyContacts({.bodies = bodies,
                  .materials = input.materials,
                  .collision = collision,
                  .settings = input.settings,
                  .velocity = input.oldVelocity,
                  .h = input.h},
                 input.callbacks, look.found);
  // What yields may overlap.
  std::erase_if(look.found, [](const StepContact& contact) { return contact.isSoft; });
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
