#pragma once

#include <span>
#include <vector>

#include "collision/collision_world.h"
#include "core/parallel_select.h"
#include "engine/step/callbacks.h"
#include "engine/step/islands.h"
#include "engine/step/step_report.h"

namespace drystone {

/// What a look at the end of an inner step of h goes by.
struct LookInput {
  const WorldSettings& settings;
  Real h;                                 ///< [s]
  Real overlapTolerance;                  ///< of a step that is met [m]
  std::span<const Real> share;            ///< [body slots] of h that each moves; empty: all
  const Islands& islands;                 ///< of the solve
  std::span<const IslandReport> reports;  ///< of these
  std::span<const int> bodyOfCollider;
  const MaterialTable& materials;
  std::span<const Vec6> oldVelocity;  ///< [body slots] at the start of the inner step
  Callbacks& callbacks;
};

/// What it finds, and its work space.
struct LateLook {
  std::vector<StepContact> found;  ///< in the order of contacts
  /// Pairs that overlap on the way. Where the step is taken all the same their bodies have to stop
  /// before.
  std::vector<SweptTouch> touches;
  int swept = 0;  ///< bodies that move so far that their way was looked at

  ParallelSelect select;
  std::vector<int> movers;           ///< body slots of what moves, then of what moves far enough
  std::vector<int> colliders;        ///< what moves far enough for other features to touch
  std::vector<Pose> poses;           ///< of these at the end of the step
  std::vector<ContactPoint> points;  ///< of these there
  std::vector<ColliderSweep> sweeps;
  std::vector<StepContact> onWay;  ///< found before the end
  std::vector<StepContact> ofPair;
};

/// Finds the contacts that bodies would have at the poses that an inner step goes to with the
/// velocities that they have now, and that are missing in its `contacts`. Those are points of pairs
/// that overlap there by more than half of the tolerance beyond what is forgiven and what they
/// overlap by now. Where a solve missed its tolerance nothing is looked for.
///
/// Where a body moves by more than half of its least extent, or two by more than half of what their
/// thinnest parts measure together, all of the way is looked at, so that nothing passes: what
/// overlaps there first has its contact at the poses of then.
///
/// A contact that is found has the normal, and each body's arm, of those poses. Its gap is the
/// one that leads to the overlap there at the present velocities. That is one step of Newton's
/// method for the gap at the end: a solve with it leaves an overlap of second order in what it
/// changes of the velocities.
void findLateContacts(const LookInput& input, const BodyStore& bodies,
                      std::span<const StepContact> contacts, CollisionWorld& collision,
                      LateLook& look);

/// Puts them into their places among the contacts. Those of the same features stay as well, as they
/// bound the motion on another side.
void addLateContacts(std::span<const StepContact> found, std::vector<StepContact>& contacts);

}  // namespace drystone
