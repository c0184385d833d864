#pragma once

#include <span>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/rows.h"

namespace drystone {

/// Gives kinematic bodies the velocity that their motion prescribes at `time` [s].
void setPrescribedVelocities(Real time, BodyStore& bodies);

/// The velocity that the motion of a kinematic body with keys prescribes at `time` [s].
Vec6 prescribedVelocity(const BodyStore& bodies, int body, Real time);

/// Keeps the velocities at the start of an inner step.
void keepVelocities(const BodyStore& bodies, StepMotion& motion);

/// Keeps the rotations before the poses go on from where contacts and joints were met.
void keepRotations(const BodyStore& bodies, StepMotion& motion);
/// Keeps the velocities at the end of the last inner step, and the gravity of the step [m/s²].
void keepEnd(const BodyStore& bodies, const Vec3& gravity, StepMotion& motion);
/// Forgets them for one body, which was changed from outside, or is gone.
void forgetEnd(int body, StepMotion& motion);

/// Loads and u* of every body in the inner step of h that starts at `time` [s] (M.1): gravity,
/// applied and scheduled loads, and the gyroscopic term.
void freeMotion(const BodyStore& bodies, const WorldSettings& settings, Real time, Real h,
                StepMotion& motion);

/// Adds the geometric stiffness of the joints to the inertia of their bodies for this inner step,
/// and brings u* in line (Andrews, Teichmann and Kry 2017). A force f that acts on a body at the
/// arm r turns it back, or away, as the arm turns: ∂(r × f)/∂θ = −K, K = (f·r) 1 − sym(r fᵀ). Taken
/// at the end of the step, −h K ω⁺ h joins the equation of motion, so that the inertia becomes I +
/// h² K. For the forces of ball joints this block per body is the whole derivative; the turning of
/// the axes that torques act about, of slides and of rods is left out. Only directions in which the
/// step would not resolve the swinging get it, and no negative stiffness does.
///
/// Without `keepTurning` all turning in these directions is damped. With the islands of the step
/// all of K is added in those where a direction needs it. The added inertia keeps the mean turning
/// of each island, so that a straight chain swings undamped, and half of what its bodies turn
/// against that.
///
/// Uses the joint forces of the inner step before, and h of this one [s]. Changes `inverseInertia`,
/// which the next change of pose makes anew.
void addGeometricStiffness(const JointStore& joints, Real h, const Islands* keepTurning,
                           BodyStore& bodies, StepMotion& motion);

/// A pose after a displacement: of the position [m], and a rotation vector [rad], world axes.
Pose displaced(const Pose& pose, const Vec6& displacement);

/// Moves one body by a displacement: of the centre of mass [m], and a rotation vector [rad], world
/// axes. Updates M⁻¹.
void displaceBody(int body, const Vec6& displacement, BodyStore& bodies);

/// Moves every body by `duration` [s] with its present velocity (M.2): the rotation by the
/// exponential map, renormalised. Updates M⁻¹. `share`: of it that each body moves; empty: all.
/// Joints count the whole turns on the way.
void advancePoses(Real duration, std::span<const Real> share, int threads, BodyStore& bodies,
                  JointStore& joints);

/// The first body whose velocity, or position after h of it [s], is not finite or above what inputs
/// may be (kLargestInput, [m], [m/s], [rad/s]); -1: none. Those of bodies that stand are not asked.
int firstDiverging(const BodyStore& bodies, Real h, int threads);

/// u⁺ = u* + M⁻¹ Jᵀ λ (M.7), written to the velocities of one island's bodies.
void applyImpulses(const Islands& islands, int island, const ConstraintRows& rows,
                   std::span<const Vec6> freeVelocity, BodyStore& bodies);

/// Likewise of all bodies.
void applyImpulses(const Islands& islands, const ConstraintRows& rows,
                   std::span<const Vec6> freeVelocity, int threads, BodyStore& bodies);

}  // namespace drystone
