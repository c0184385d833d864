// Contacts at features that the start of a step does not show: docs/theory.md, "Late contacts".
#include "engine/step/late_contacts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/step/integrate.h"

namespace drystone {
namespace {

/// Share of the overlap looked for by which known ones may grow: half of what the stabilisation
/// takes back in a step.
constexpr Real kCreep = 0.1;

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
  look.colliders.clear();
  look.poses.clear();
  for (int i = 0; i < bodies.slots(); ++i) {
    const bool moves = bodies.kind[i] != BodyKind::kStatic && !bodies.isAsleep(i);
    if (bodies.collider[i] < 0 || !moves || !isSolved(input, bodies, i)) continue;
    const Vec6 way = wayOf(input, bodies, i);
    if (way.head<3>().norm() + bodies.reach[i] * way.tail<3>().norm() <= least) continue;
    look.colliders.push_back(bodies.collider[i]);
    look.poses.push_back(displaced({bodies.position[i], bodies.rotation[i]}, way) *
                         bodies.reference[i]);
  }
}

/// Leaves those points that a solve should have prevented.
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
    const bool areSolved =
        isSolved(input, bodies, contact.bodyA) && isSolved(input, bodies, contact.bodyB);
    return contact.isSoft || !areSolved ||
           -contact.point.gap <= std::max(before + kCreep * most, contact.forgiven + most);
  });
}

/// Turns a contact of the end of the step into one of its start.
void bringBack(const LookInput& input, const BodyStore& bodies, StepContact& contact) {
  ContactPoint& point = contact.point;
  const auto armOf = [&](int body, const Vec3& at) -> Vec3 {
    return at - bodies.position[body] - wayOf(input, bodies, body).head<3>();
  };
  const auto velocityAt = [&](int body, const Vec3& arm) -> Vec3 {
    const Vec6& u = bodies.velocity[body];
    return u.head<3>() + u.tail<3>().cross(arm);
  };
  const int a = contact.bodyA, b = contact.bodyB;
  const Vec3 armA = armOf(a, point.onSurfaceA()), armB = armOf(b, point.onSurfaceB());
  point.gap -= input.h * point.normal.dot(velocityAt(b, armB) - velocityAt(a, armA));
  const Vec3 onA = bodies.position[a] + armA, onB = bodies.position[b] + armB;
  point.position = 0.5 * (onA + onB);
  point.halfWay = 0.5 * (onB - onA);
  point.isAhead = true;
  contact.isLate = true;
}

}  // namespace

void findLateContacts(const LookInput& input, const BodyStore& bodies,
                      std::span<const StepContact> contacts, CollisionWorld& collision,
                      LateLook& look) {
  look.found.clear();
  const Real most = leastOverlap(input);
  listMovers(input, bodies, most, look);
  if (look.colliders.empty()) return;
  collision.contactsAt(look.colliders, look.poses, look.points);
  std::erase_if(look.points, [&](const ContactPoint& point) { return point.gap >= -most; });
  keepSolid(input.bodyOfCollider, bodies, look.points);
  listContacts(look.points, input.bodyOfCollider, bodies, input.materials, input.settings, input.h,
               look.found);
  keepMissing(input, bodies, contacts, look.found);
  for (StepContact& contact : look.found) bringBack(input, bodies, contact);
}

void addLateContacts(std::span<const StepContact> found, std::vector<StepContact>& contacts) {
  const auto middle = static_cast<std::ptrdiff_t>(contacts.size());
  contacts.insert(contacts.end(), found.begin(), found.end());
  std::inplace_merge(contacts.begin(), contacts.begin() + middle, contacts.end(), isBefore);
}

}  // namespace drystone
