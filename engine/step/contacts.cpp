#include "engine/step/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "collision/collision_world.h"
#include "core/parallel.h"

namespace drystone {

void DeepestOverlap::add(Real depth, Real forgivenOne, bool isSoft, int a, int b) {
  any = std::max(any, depth);
  if (isSoft) return;
  if (forgivenOne > forgiven) {
    forgiven = forgivenOne;
    forgivenA = a;
    forgivenB = b;
  }
  if (depth - forgivenOne <= error) return;
  error = depth - forgivenOne;
  bodyA = a;
  bodyB = b;
}

namespace {

/// How the body's shape would go freely in h, to first order; where it turns by more than a radian,
/// what turning makes of the way is exact.
ColliderMotion freeWay(const BodyStore& bodies, int body, const Pose& shape, const Vec3& gravity,
                       Real h, bool mayFlyPast) {
  ColliderMotion motion;
  motion.turn = h * bodies.velocity[body].tail<3>();
  const Vec3 arm = shape.position - bodies.position[body];
  const Real angle = motion.turn.norm();
  const Vec3 byTurning = angle > 1
                             ? Vec3(Eigen::AngleAxis<Real>(angle, motion.turn / angle) * arm - arm)
                             : motion.turn.cross(arm);
  motion.way = h * bodies.velocity[body].head<3>() + byTurning;
  if (angle > 0 && !arm.isZero(0))
    motion.arc = arm.norm() * (1 - std::cos(std::min(angle / 2, M_PI)));
  if (mayFlyPast) motion.flight = motion.way;
  if (bodies.isDynamic(body)) motion.way += h * h * bodies.gravityOf(body, gravity);
  return motion;
}

/// Shorter than this it would be no scale [m].
constexpr Real kLeastRollingArm = 1e-6;

/// Finds the materials of what touches.
void findMaterials(const BodyStore& bodies, const CollisionWorld& collision, StepContact& contact) {
  const int a = contact.bodyA, b = contact.bodyB;
  contact.materialA = bodies.material[a];
  contact.materialB = bodies.material[b];
  if (bodies.hasPartMaterials[a] == 0 && bodies.hasPartMaterials[b] == 0) return;
  const auto [partA, partB] = collision.touchedParts(contact.point);
  contact.materialA = bodies.materialOf(a, partA);
  contact.materialB = bodies.materialOf(b, partB);
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
        looksAhead ? freeWay(bodies, i, pose, settings.gravity, h, settings.findsLateContacts())
                   : ColliderMotion{});
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
                  const BodyStore& bodies, const CollisionWorld& collision,
                  const MaterialTable& materials, const WorldSettings& settings, Real h,
                  std::vector<StepContact>& contacts) {
  contacts.resize(points.size());
  // `last` is the contact before, or null, and `pair` is of its materials.
  const auto make = [&](const ContactPoint& point, const StepContact* last, SurfacePair& pair,
                        StepContact& contact) {
    contact = {.point = point,
               .bodyA = bodyOfCollider[point.colliderA],
               .bodyB = bodyOfCollider[point.colliderB]};
    // The points of a face share their normal.
    if (last != nullptr && !last->hasGrain && last->point.normal == point.normal) {
      contact.tangent1 = last->tangent1;
      contact.tangent2 = last->tangent2;
    } else {
      setNormal(point.normal, contact);
    }
    findMaterials(bodies, collision, contact);
    if (last == nullptr || last->materialA != contact.materialA ||
        last->materialB != contact.materialB) {
      pair = materials.combine(contact.materialA, contact.materialB);
    }
    setSurfaces(bodies, pair, settings, h, contact);
  };
  parallelRanges(static_cast<int>(points.size()), kContactsPerRange, settings.threads,
                 [&](int begin, int end) {
                   SurfacePair pair;
                   for (int c = begin; c < end; ++c) {
                     make(points[c], c > begin ? &contacts[c - 1] : nullptr, pair, contacts[c]);
                   }
                 });
  if (settings.contactSet == ContactSet::kClosed) {  // (M.4)
    std::erase_if(contacts, [](const StepContact& contact) { return contact.point.gap > 0; });
  }
}

void setSurfaces(const BodyStore& bodies, const SurfacePair& pair, const WorldSettings& settings,
                 Real h, StepContact& contact) {
  const Material& material = pair.material;
  contact.friction = material.friction;
  contact.restitution = material.restitution;
  contact.tangentialRestitution = material.tangentialRestitution;
  const Stabilization& stabilization = settings.stabilization;
  const std::optional<ContactSpring> spring = springOf(material);
  contact.isSpring = spring.has_value();
  contact.isSoft = spring || material.compliance.value_or(0) > 0;
  contact.tangentialCompliance = material.compliance.value_or(stabilization.complianceFor(h));
  contact.compliance = spring ? spring->compliance(h) : contact.tangentialCompliance;
  // What is soft on purpose rests on γ, whoever takes the other overlaps back.
  contact.gamma = spring           ? spring->share(h)
                  : contact.isSoft ? stabilization.gammaFor(h)
                                   : settings.velocityGamma(h);
  contact.contensouRadius = material.contensouRadius;
  contact.rollingResistance = material.rollingResistance;
  contact.adhesion = material.adhesion;
  if (settings.friction == FrictionModel::kRolling) {
    contact.rollingArm = rollingArmOf(bodies, contact);
  }
  contact.hasGrain = pair.hasGrain();
  if (contact.hasGrain) {
    followGrain(bodies.referencePose(contact.bodyA).rotation,
                bodies.referencePose(contact.bodyB).rotation, pair, contact);
  }
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

Real rollingArmOf(const BodyStore& bodies, const StepContact& contact) {
  const ContactArms arms = armsOf(bodies, contact);
  Real arm = std::numeric_limits<Real>::infinity();
  if (bodies.isDynamic(contact.bodyA)) arm = arms.a.norm();
  if (bodies.isDynamic(contact.bodyB)) arm = std::min(arm, arms.b.norm());
  return std::max(arm, kLeastRollingArm);
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

void followGrain(const Quat& rotationA, const Quat& rotationB, const SurfacePair& pair,
                 StepContact& contact) {
  // Sine of a direction to the normal below which its projection is round-off of the poses.
  constexpr Real kSquare = 1e-6;
  setNormal(contact.point.normal, contact);
  // Logarithms of the ellipses without their mean: symmetric, trace 0, ((x, y), (y, -x)).
  Real x = 0, y = 0;
  const auto add = [&](const Quat& rotation, const FrictionGrain& grain) {
    if (grain.stretch == 0) return;
    const Vec3 direction = rotation * grain.direction;
    const Real first = direction.dot(contact.tangent1), second = direction.dot(contact.tangent2);
    const Real squared = first * first + second * second;
    if (squared < kSquare * kSquare) return;
    x += grain.stretch * (first * first - second * second) / squared;
    y += grain.stretch * 2 * first * second / squared;
  };
  add(rotationA, pair.grainA);
  add(rotationB, pair.grainB);
  const Real stretch = std::hypot(x, y);
  contact.friction = pair.material.friction * std::exp(stretch);
  contact.across = std::exp(-2 * stretch);
  if (stretch > 0) {
    const Real angle = 0.5 * std::atan2(y, x);
    const Vec3 base = contact.tangent1;
    contact.tangent1 = std::cos(angle) * base + std::sin(angle) * contact.tangent2;
    contact.tangent2 = contact.point.normal.cross(contact.tangent1);
  }
  contact.tangent2 *= contact.across;
}

void followGrainAgain(const Quat& rotationA, const Quat& rotationB, const MaterialTable& materials,
                      StepContact& contact) {
  SurfacePair pair = materials.combine(contact.materialA, contact.materialB);
  pair.material.friction = contact.friction * std::sqrt(contact.across);  // mean over directions
  followGrain(rotationA, rotationB, pair, contact);
}

}  // namespace drystone
