#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/collision_world.h"
#include "engine/step/contacts.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/rows.h"

namespace drystone {

/// What an inner step knows of its impacts before they touch.
struct Waits {
  int contacts = 0;          ///< that wait
  std::vector<Vec3> struck;  ///< [body slots] about what impacts of now give a body [m/s]
  std::vector<Real> lived;   ///< [body slots] share of h after which a body meets another one
  std::vector<Real> share;   ///< [body slots] of h that a body moves; empty: all move for all of it
  /// [body slots] whether joints hold it to something kinematic that moves. Where it stood still
  /// for a part of the step it would be torn off. Known where something waits or stops.
  std::vector<std::uint8_t> isCarried;
  std::vector<int> group;   ///< [body slots] scratch: of bodies that joints hold together
  std::vector<Real> least;  ///< [body slots] scratch: the least share of a group
};

/// Lets the pairs that bounce, and meet within this inner step, come together before they do: marks
/// their contacts, which get no rows now. On a body that meets another one forces act at the
/// centre of mass until then only: changes `free`. The rebound is that of the next step, at the
/// touch. What is carried does not wait: it bounces at once, unless the other body waits alone.
void awaitTouches(const BodyStore& bodies, const WorldSettings& settings, Real h,
                  std::span<const StepJointBlock> joints, std::span<StepContact> contacts,
                  StepMotion& motion, Waits& waits);

/// Finds how long the bodies move at their new velocities: until a contact that waits is closed.
/// What would then be run into by its neighbours holds them up, too, and so do joints.
void shareStep(const BodyStore& bodies, std::span<const StepContact> contacts,
               std::span<const StepJointBlock> joints, Real h, Waits& waits);

/// Stops what would overlap on its way whatever the contacts say, before it does: what no solve
/// could prevent. Of two the lighter one stops, or the one that is not carried. Under Moreau that
/// is where the next half step brings it to the touch, if it can. Returns how many do.
int stopAtTouches(const BodyStore& bodies, std::span<const SweptTouch> touches,
                  std::span<const int> bodyOfCollider, std::span<const StepJointBlock> joints,
                  Integrator integrator, Waits& waits);

/// Lets what was stopped there go along with the other body for the rest of the step, the poses
/// being those of its end: along the axes that are not locked. Left where they stopped are bodies
/// on joints, those before something that was stopped itself, and those whose free axes lead into
/// the other body.
void carryStopped(std::span<const SweptTouch> touches, std::span<const ColliderSweep> sweeps,
                  std::span<const int> bodyOfCollider, std::span<const StepJointBlock> joints,
                  const Waits& waits, BodyStore& bodies);

}  // namespace drystone
