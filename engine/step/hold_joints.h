#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/parallel_select.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/contact_anchors.h"
#include "engine/step/islands.h"
#include "engine/step/rows.h"
#include "engine/step/solve_islands.h"

namespace drystone {

/// What holding the joints of an inner step of h works with.
struct HoldInput {
  const WorldSettings& settings;
  Real h;  ///< [s]
  const Islands& islands;
  std::span<const char> isHeld;  ///< [islands] or empty: which hold already
  JointRowList& list;            ///< gets what its rows hold
  const JointStore& joints;
  std::span<StepContact> contacts;     ///< likewise
  const CollisionWorld& collision;     ///< where the contacts were found
  Real overlapTolerance;               ///< of a step that is met [m]
  std::span<const Vec6> freeVelocity;  ///< u* [body slots]
  Deadline until;                      ///< no solve begins after it
};

/// One thread's arrays.
struct HoldWorkspace {
  std::vector<Real> beyond;  ///< [rows of the island] what the rows hold of it so far [m]
  std::vector<Real> next;    ///< likewise at the present velocities
  std::vector<Real> lambda, b, bestBeyond;  ///< of the best answer so far
  std::vector<Real> change;                 ///< to what its rows hold, by its velocities [m]
  std::vector<Real> given;                  ///< b of the first solve
  std::vector<RowState> state;
  std::vector<Pose> poses;               ///< [bodies of the island] at detection
  std::vector<InverseInertia> inertias;  ///< likewise, with what was added to them
};

/// What all threads share.
struct HoldData {
  std::vector<int> islands;            ///< those with a joint or contact that turns far
  ParallelSelect select;               ///< lists these
  std::vector<ContactAnchor> anchors;  ///< [contacts] of islands whose contacts are held
  std::vector<char> holdsContacts;     ///< [islands that are held]
  std::vector<int> carriers;           ///< kinematic bodies that move
  std::vector<Pose> carrierPoses;      ///< at detection
  std::vector<HoldWorkspace> threads;  ///< [threads]
};

/// What the locks of lengths of a block of joint rows are off beyond first order at the present
/// poses, to which its bodies came with the velocities `a` and `b` in h: calls visit(i, error) for
/// row i of the block [m]. Locks that are soft, and gears, are not held.
template <class Visit>
void forEachHeldLock(const BodyStore& bodies, const JointStore& joints, const JointRowList& list,
                     const StepJointBlock& block, const Vec6& a, const Vec6& b, Real h,
                     Visit&& visit) {
  const Joint& joint = joints[block.joint];
  if (joint.geometry == JointGeometry::kGear || isSoft(joint)) return;
  std::array<JointCoordinate, 6> q;
  jointCoordinates(bodies, joints, joint, q);
  for (int i = 0; i < block.rows; ++i) {
    const StepJointRow& row = list.rows[block.firstRow + i];
    const int coordinate = lockedCoordinate(row.key);
    // The axle of a rolling wheel that is steered would camber within the step, and its tread slip.
    if (coordinate < 0 || isAngle(joint.geometry, coordinate)) continue;
    const Real firstOrder = h * (row.jacobianA.dot(a) + row.jacobianB.dot(b) + row.rate);
    visit(i, q[coordinate].value - row.value - firstOrder);
  }
}

/// Error of a joint that a step of h may leave beyond first order [m]: what the velocities of the
/// next ones take back of what they may leave in the long run.
Real heldJointError(const WorldSettings& settings, Real h);

/// A row J u⁺ = -γ φ/h reaches what it promises, φ⁺ = (1 - γ) φ, to first order in h only: a body
/// that turns by ω h leaves ½ (ω h)² of its arm. Where a joint turns so far that γ would leave more
/// than 3e-5 m, the island is solved again with the rest of φ⁺ in b, until the poses that the step
/// goes to fulfil the promise. The impulses still act along J of the detection: where nothing else
/// moves this is SHAKE (Ryckaert, Ciccotti and Berendsen 1977), which is symplectic, so that
/// swinging loses no energy. Angles are left to γ. Contacts, limits and motors of the island are
/// solved with it.
///
/// A contact is held likewise where its bodies turn so far that they would overlap by more than the
/// tolerance: as by a corner that rolls over a face. What is missing of its gap joins b, up to the
/// speed of the push-out, and the work of it is that of the stabilisation. Contacts that lie ahead
/// or are soft are left alone.
///
/// Reads and changes λ, states and b of those islands and the velocities of their bodies, which are
/// u⁺ before and after. Poses stay.
void holdJoints(const HoldInput& input, SolverPool& pool, BodyStore& bodies, ConstraintRows& rows,
                std::vector<IslandReport>& reports, HoldData& data);

}  // namespace drystone
