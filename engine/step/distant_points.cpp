#include "engine/step/distant_points.h"

#include <algorithm>

#include "engine/step/union_find.h"

namespace drystone {
namespace {

/// Gaps that rows keep closed whatever moves, over the margin.
constexpr Real kNearShare = 0.1;
/// Way in a step of what counts as at rest, over the margin: a tenth of the gaps that stay.
constexpr Real kRestShare = 0.01;

/// Whether a body comes farther than `way` [m] in h [s], or may by what acts on it.
bool isFast(const BodyStore& bodies, int body, Real h, Real way) {
  const Vec6& u = bodies.velocity[body];
  const Real turning = u.tail<3>().norm();
  const Real speed = u.head<3>().norm() + (turning > 0 ? bodies.reach[body] * turning : 0);
  return speed * h > way || bodies.hasForces[body] != 0 || !bodies.load[body].isZero(0) ||
         !bodies.surfaceVelocity[body].isZero(0);
}

/// Way of a body that nothing holds, in h [m].
Vec3 freeWay(const BodyStore& bodies, int body, const Vec3& gravity, Real h) {
  const Vec3 velocity = bodies.velocity[body].head<3>();
  if (!bodies.isAwake(body)) return h * velocity;
  return h * (velocity + h * bodies.gravityOf(body, gravity));
}

}  // namespace

void dropDistant(const BodyStore& bodies, const JointStore& joints,
                 std::span<const int> bodyOfCollider, const WorldSettings& settings, Real h,
                 MovingGroups& groups, std::vector<ContactPoint>& points) {
  const Real nearGap = kNearShare * settings.contactMargin;
  const auto isDistant = [&](const ContactPoint& point) {
    if (point.gap <= nearGap || point.isAhead) return false;
    const auto wayAlongNormal = [&](int collider) {
      return freeWay(bodies, bodyOfCollider[collider], settings.gravity, h).dot(point.normal);
    };
    // Each of the two may go freely or be held where it is, as by what it stands on.
    const Real closing = std::max(wayAlongNormal(point.colliderA), 0.0) -
                         std::min(wayAlongNormal(point.colliderB), 0.0);
    return point.gap - closing > nearGap;
  };
  if (std::ranges::none_of(points, isDistant)) return;

  const int slots = bodies.slots();
  startGroups(groups.parent, slots);
  groups.isFast.resize(slots);
  for (int body = 0; body < slots; ++body) {
    groups.isFast[body] = isFast(bodies, body, h, kRestShare * settings.contactMargin);
  }
  // What does not yield joins no group, and makes those fast that it touches.
  const auto join = [&](int a, int b) {
    const int ofA = bodies.isDynamic(a) ? findRoot(groups.parent, a) : a;
    const int ofB = bodies.isDynamic(b) ? findRoot(groups.parent, b) : b;
    const bool fast = groups.isFast[ofA] != 0 || groups.isFast[ofB] != 0;
    if (bodies.isDynamic(a)) groups.isFast[ofA] = fast;
    if (bodies.isDynamic(b)) groups.isFast[ofB] = fast;
    if (!bodies.isDynamic(a) || !bodies.isDynamic(b)) return;
    unite(groups.parent, ofA, ofB);
  };
  for (const Joint& joint : joints) {
    if (!joint.active()) continue;
    for (const int body : {joint.bodyA, joint.bodyB}) {
      if (bodies.isDynamic(body)) groups.isFast[body] = 1;
    }
  }
  for (const ContactPoint& point : points) {
    join(bodyOfCollider[point.colliderA], bodyOfCollider[point.colliderB]);
  }
  const auto isOfFast = [&](int body) {
    return bodies.isDynamic(body) && groups.isFast[findRoot(groups.parent, body)] != 0;
  };
  std::erase_if(points, [&](const ContactPoint& point) {
    return isDistant(point) && !isOfFast(bodyOfCollider[point.colliderA]) &&
           !isOfFast(bodyOfCollider[point.colliderB]);
  });
}

}  // namespace drystone
