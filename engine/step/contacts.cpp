#include "engine/step/contacts.h"

#include <cmath>

#include "collision/collision_world.h"
#include "core/parallel.h"

namespace drystone {

void DeepestOverlap::add(Real depth, Real forgiven, bool isSoft, int a, int b) {
  any = std::max(any, depth);
  if (isSoft || depth - forgiven <= error) return;
  error = depth - forgiven;
  bodyA = a;
  bodyB = b;
}

namespace {

/// How the body's shape would go freely in h, to first order; where it turns by more than a radian,
/// what turning makes of the way is exact.
ColliderMotion freeWay(const BodyStore& bodies, int body, const Pose& shape, const Vec3& gravity,
                       Real h) {
  ColliderMotion motion;
  motion.turn = h * bodies.velocity[body].tail<3>();
  const Vec3 arm = shape.position - bodies.position[body];
  const Real angle = motion.turn.norm();
  const Vec3 byTurning = angle > 1
                             ? Vec3(Eigen::AngleAxis<Real>(angle, motion.turn / angle) * arm - arm)
                             : motion.turn.cross(arm);
  motion.way = h * bodies.velocity[body].head<3>() + byTurning;
  if (bodies.isDynamic(body)) motion.way += h * h * bodies.gravityOf(body, gravity);
  return motion;
}

}  // namespace

void placeColliders(const BodyStore& bodies, const WorldSettings& settings, Real h,
                    CollisionWorld& collision) {
  const bool looksAhead = settings.looksAhead();
  for (const int i : bodies.active()) {
    if (bodies.collider[i] < 0) continue;
    const Pose pose = bodies.referencePose(i);
    collision.setPose(
        bodies.collider[i], pose,
        looksAhead ? freeWay(bodies, i, pose, settings.gravity, h) : ColliderMotion{});
  }
}

bool isSolid(std::span<const int> bodyOfCollider, const BodyStore& bodies,
             const ContactPoint& point) {
  const int a = bodyOfCollider[point.colliderA];
  const int b = bodyOfCollider[point.colliderB];
  return !bodies.isSensor[a] && !bodies.isSensor[b] && (bodies.isDynamic(a) || bodies.isDynamic(b));
}

void keepSolid(std::span<const int> bodyOfCollider, const BodyStore& bodies,
               std::vector<ContactPoint>& points) {
  std::erase_if(points,
                [&](const ContactPoint& point) { return !isSolid(bodyOfCollider, bodies, point); });
}

void listContacts(std::span<const ContactPoint> points, std::span<const int> bodyOfCollider,
                  const BodyStore& bodies, const MaterialTable& materials,
                  const WorldSettings& settings, Real h, std::vector<StepContact>& contacts) {
  const Real worldCompliance = settings.stabilization.complianceFor(h);
  contacts.resize(points.size());
  const auto make = [&](const ContactPoint& point, const StepContact* last) {
    StepContact contact;
    contact.point = point;
    contact.bodyA = bodyOfCollider[point.colliderA];
    contact.bodyB = bodyOfCollider[point.colliderB];
    // The points of a face share their normal.
    if (last != nullptr && last->point.normal == point.normal) {
      contact.tangent1 = last->tangent1;
      contact.tangent2 = last->tangent2;
    } else {
      setNormal(point.normal, contact);
    }
    const Material pair =
        materials.combine(bodies.material[contact.bodyA], bodies.material[contact.bodyB]);
    setMaterial(pair, worldCompliance, contact);
    return contact;
  };
  parallelRanges(static_cast<int>(points.size()), kContactsPerRange, settings.threads,
                 [&](int begin, int end) {
                   for (int c = begin; c < end; ++c) {
                     contacts[c] = make(points[c], c > begin ? &contacts[c - 1] : nullptr);
                   }
                 });
  if (settings.contactSet == ContactSet::kClosed) {  // (M.4)
    std::erase_if(contacts, [](const StepContact& contact) { return contact.point.gap > 0; });
  }
}

void setMaterial(const Material& pair, Real worldCompliance, StepContact& contact) {
  contact.friction = pair.friction;
  contact.restitution = pair.restitution;
  contact.tangentialRestitution = pair.tangentialRestitution;
  contact.compliance = pair.compliance.value_or(worldCompliance);
  contact.isSoft = pair.compliance.value_or(0) > 0;
  contact.contensouRadius = pair.contensouRadius;
}

Vec3 surfaceSlip(const BodyStore& bodies, const StepContact& contact) {
  if (contact.slip) return *contact.slip;
  const int a = contact.bodyA, b = contact.bodyB;
  Vec3 slip = Vec3::Zero();
  if (bodies.hasMovingSurface(b)) slip += bodies.rotation[b] * bodies.surfaceVelocity[b];
  if (bodies.hasMovingSurface(a)) slip -= bodies.rotation[a] * bodies.surfaceVelocity[a];
  return slip;
}

ContactArms armsOf(const BodyStore& bodies, const StepContact& contact) {
  const ContactPoint& point = contact.point;
  const Vec3 &a = bodies.position[contact.bodyA], &b = bodies.position[contact.bodyB];
  const bool isBetweenMovers = bodies.isDynamic(contact.bodyA) && bodies.isDynamic(contact.bodyB);
  if (isBetweenMovers || contact.isLate) {
    return {point.onA() - a, point.onB() - b};
  }
  return {point.onSurfaceA() - a, point.onSurfaceB() - b};
}

Vec3 touchPoint(const BodyStore& bodies, const StepContact& contact) {
  const ContactPoint& point = contact.point;
  if (contact.isLate) return bodies.isDynamic(contact.bodyB) ? point.onA() : point.onB();
  if (!bodies.isDynamic(contact.bodyA)) return point.onSurfaceA();
  return bodies.isDynamic(contact.bodyB) ? point.position : point.onSurfaceB();
}

Vec3 contactTangent(const Vec3& normal) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    // A margin breaks near-ties the same way every step: a diagonal normal must not flip axes.
    if (std::abs(normal[i]) < std::abs(normal[axis]) - 1e-3) axis = i;
  }
  Vec3 tangent = Vec3::Unit(axis) - normal[axis] * normal;
  return tangent.normalized();
}

void setNormal(const Vec3& normal, StepContact& contact) {
  contact.point.normal = normal;
  contact.tangent1 = contactTangent(normal);
  contact.tangent2 = normal.cross(contact.tangent1);
}

}  // namespace drystone
