#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/narrow/contact_point.h"
#include "core/parallel.h"
#include "core/types.h"
#include "engine/model/body_store.h"
#include "engine/model/material.h"
#include "engine/model/world_settings.h"

namespace drystone {

class CollisionWorld;

/// Contacts that a thread takes at a time: some ten microseconds of work.
constexpr int kContactsPerRange = 256;

/// What soft steps keep of a contact from step to step.
struct SoftMemory {
  Real average = 0;  ///< λ_n of a step, filtered [N s]
  int wait = 0;      ///< steps until an exact solve of its island is tried again
  int backoff = 0;   ///< steps that were waited for the last time
  /// Exact solves of its island in a row, up to the last, that took a factor.
  std::uint32_t factors = 0;
};

/// A contact of this step, with what the rows need of the two bodies.
struct StepContact {
  ContactPoint point;
  int bodyA = -1, bodyB = -1;               ///< body slots; at least one is dynamic
  MaterialId materialA = 0, materialB = 0;  ///< of the parts that touch
  /// Square to the normal and to each other, world. The first has length 1, the second `across`:
  /// rows along them turn the ellipse of friction into a disc (M.5).
  Vec3 tangent1, tangent2;
  Real friction = 0;  ///< μ along tangent1, the larger one
  Real across = 1;    ///< μ along tangent2 over that along tangent1, in (0, 1]
  Real restitution = 0;
  Real tangentialRestitution = 0;
  Real compliance = 0;  ///< of the normal row [1/kg]
  /// Of the others [1/kg]: friction of a spring does not creep as far as that yields.
  Real tangentialCompliance = 0;
  Real gamma = 0;              ///< share of the overlap that the step takes back
  Real contensouRadius = 0;    ///< [m]
  Real rollingResistance = 0;  ///< μ_r [m]
  Real adhesion = 0;           ///< of the two surfaces, for all points of the two bodies [N]
  /// Length that makes the rates of rolling rows speeds, w_r = L t · ω: the shorter way from a
  /// centre of mass, at detection [m].
  Real rollingArm = 1;
  /// Of B's surface relative to A's as a modifier set it, world [m/s]; none: that of the bodies.
  std::optional<Vec3> slip;
  SoftMemory soft;
  Real forgiven = 0;      ///< overlap of its pair that no step could prevent [m]
  Real beyond = 0;        ///< gap at the end of the inner step beyond first order, as held [m]
  int block = -1;         ///< into ConstraintRows::blocks
  bool hasGrain = false;  ///< tangents follow directions of the bodies
  bool isSoft = false;    ///< compliant by its materials: not for the projection
  bool isSpring = false;  ///< with k and d of its materials: pushes with all of them, however deep
  /// Found at the end of the inner step: its gap leads to the one there, and is closed all.
  bool isLate = false;
  /// Late, and its pair overlaps on its way although it waited: it bounces now.
  bool isAtOnce = false;
  bool waits = false;  ///< bounces when it is closed, and does nothing in this inner step
};

/// Calls visit(first, last) for stretches of contacts that together are all of them, several at a
/// time. Contacts of one pair are in one stretch.
template <class Visit>
void forEachPairRange(std::span<StepContact> contacts, int threads, Visit&& visit) {
  const int count = static_cast<int>(contacts.size());
  // The first contact from `c` on that is the first of its pair.
  const auto pairFrom = [&](int c) {
    const auto isOfPairBefore = [&] {
      const ContactPoint &before = contacts[c - 1].point, &own = contacts[c].point;
      return own.colliderA == before.colliderA && own.colliderB == before.colliderB;
    };
    while (c > 0 && c < count && isOfPairBefore()) ++c;
    return contacts.begin() + c;
  };
  parallelRanges(count, kContactsPerRange, threads, [&](int begin, int end) {
    const auto first = pairFrom(begin), last = pairFrom(end);
    if (first < last) visit(first, last);
  });
}

/// The deepest overlaps of a set of contacts [m], ≥ 0.
struct DeepestOverlap {
  Real any = 0;
  Real error = 0;  ///< beyond what is forgiven, of materials without compliance: others yield
  int bodyA = -1, bodyB = -1;  ///< body slots of the error
  Real forgiven = 0;           ///< largest that is, of the same materials
  int forgivenA = -1, forgivenB = -1;

  void add(const StepContact& contact) {
    add(-contact.point.gap, contact.forgiven, contact.isSoft, contact.bodyA, contact.bodyB);
  }
  void add(Real depth, Real forgivenOne, bool isSoft, int a, int b);
};

/// Brings what is awake and can move to its place in the collision world, with the way that it
/// would go freely in h [s]; none where contacts are to be followed over the poses.
void placeColliders(const BodyStore& bodies, const WorldSettings& settings, Real h,
                    CollisionWorld& collision);

/// Whether a detected point lies between bodies of which one at least is dynamic and none a sensor.
bool isSolid(std::span<const int> bodyOfCollider, const BodyStore& bodies,
             const ContactPoint& point);

/// Leaves the detected points that do.
void keepSolid(std::span<const int> bodyOfCollider, const BodyStore& bodies,
               std::vector<ContactPoint>& points);

/// Makes contacts of such points, in their order (colliderA, colliderB, feature), each with its
/// pair's material and tangents. h: of the inner step [s].
void listContacts(std::span<const ContactPoint> points, std::span<const int> bodyOfCollider,
                  const BodyStore& bodies, const CollisionWorld& collision,
                  const MaterialTable& materials, const WorldSettings& settings, Real h,
                  std::vector<StepContact>& contacts);

/// Gives a contact what the two surfaces make together in an inner step of h [s], its tangents
/// included where they have directions.
void setSurfaces(const BodyStore& bodies, const SurfacePair& pair, const WorldSettings& settings,
                 Real h, StepContact& contact);

/// Velocity of B's surface relative to A's that comes on top of the bodies' own [m/s], world.
Vec3 surfaceSlip(const BodyStore& bodies, const StepContact& contact);

/// Arms of a contact: from the centres of mass to where its impulses act [m], world.
struct ContactArms {
  Vec3 a, b;
};

/// Between two dynamic bodies both arms end at one point, or those of a contact ahead on one line
/// along the way: what acts there keeps the angular momentum. Against a body that does not yield
/// each arm ends on its own surface, where the impulse will act when the gap is closed. Late
/// contacts have the arms of the end of the step.
ContactArms armsOf(const BodyStore& bodies, const StepContact& contact);

/// Gap of a pair at rest, at most [m]: what solvers leave.
constexpr Real kRestingGap = 1e-6;

/// Whether a contact makes its bodies part again.
inline bool bounces(const StepContact& contact) {
  return contact.restitution > 0 || contact.tangentialRestitution > 0;
}

/// Whether a pair meets in an inner step of h [s], faster than `threshold` [m/s]: w_n is `before`
/// at the start and `free` at the end of it.
inline bool meets(const StepContact& contact, Real before, Real free, Real threshold, Real h) {
  const bool closes = contact.point.gap <= 0 || free + contact.point.gap / h < 0;
  return closes && before < -threshold;
}

/// Where a contact is for people: what lies ahead is where it will be, on the body that does not
/// yield [m].
Vec3 touchPoint(const BodyStore& bodies, const StepContact& contact);

/// The first tangent of a contact, orthogonal to the unit normal: along the projection of the world
/// axis that is farthest from it, so that it varies smoothly with the normal nearly everywhere. The
/// second is normal × first.
Vec3 contactTangent(const Vec3& normal);

/// Turns the normal of a contact, and the tangents with it.
void setNormal(const Vec3& normal, StepContact& contact);

/// The rolling arm of a contact, by its arms: a ball's is its radius [m].
Real rollingArmOf(const BodyStore& bodies, const StepContact& contact);

/// Turns the tangents of a contact between surfaces with directions to the axes of its ellipse, and
/// sets its friction. `rotationA`, `rotationB`: of the frames of the two, when they meet. A
/// direction counts by its projection on the tangent plane; one that stands square to it has none,
/// and friction is there that of the mean.
void followGrain(const Quat& rotationA, const Quat& rotationB, const SurfacePair& pair,
                 StepContact& contact);
/// The same at other rotations, once more: what a modifier made of its friction stays.
void followGrainAgain(const Quat& rotationA, const Quat& rotationB, const MaterialTable& materials,
                      StepContact& contact);

}  // namespace drystone
