#pragma once

#include <functional>

#include "collision/collision_world.h"
#include "core/types.h"
#include "engine/model/body.h"
#include "engine/model/material.h"

namespace drystone {

// What a step asks of its users. Both functions are called on the thread that calls World::step(),
// in the order of the contacts, at every detection: for each inner step, and again where a step is
// looked through or halved. So that a run repeats to the bit, they depend on their arguments and on
// what stays the same within a step. They may read bodies, joints and materials; what would change
// the world, or look at it from outside, throws InputError. What they throw comes out of
// World::step() when the step is complete: the pair or contact that it was about is then as if
// there were no function. docs/callbacks.md.

/// Whether two bodies meet, asked of each pair that has contact points; a sensor's pairs included.
/// A pair that is refused has no contacts and no events, and wakes nothing. A has the lower
/// collider.
using PairFilter = std::function<bool(BodyId a, BodyId b)>;

/// One contact point, as a ContactModifier sees it; world axes.
struct ContactChange {
  BodyId bodyA{}, bodyB{};
  TouchedPart partA{}, partB{};  ///< of compounds, meshes and height fields
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from A to B
  Real gap = 0;                  ///< at the start of the inner step; negative: overlap [m]
  /// Of B's point relative to A's at the start of the inner step, surface velocities apart [m/s].
  /// normal.dot(velocity) < 0: the two approach.
  Vec3 velocity = Vec3::Zero();

  // To be changed; changes of the members above do nothing.
  /// What the two make together, with the ranges of every material. Its friction is the mean over
  /// the directions. How friction differs between these is the materials' own: a changed
  /// `frictionAcross` or `frictionDirection` throws InputError.
  Material material{};
  /// Of B's surface relative to A's, on top of the motion of the bodies [m/s]. Contacts feel the
  /// part of it in their tangent plane.
  Vec3 surfaceVelocity = Vec3::Zero();
  bool isDisabled = false;  ///< true: there is no such contact in this inner step
};

/// Changes a contact point before the step uses it.
using ContactModifier = std::function<void(ContactChange& contact)>;

}  // namespace drystone
