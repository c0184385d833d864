#pragma once

#include <vector>

#include "engine/model/joint_store.h"
#include "engine/step/rows.h"

namespace drystone {

/// Adds the geometric stiffness of the joints to the inertia of their bodies for this inner step,
/// and brings u* in line (Andrews, Teichmann and Kry 2017). A force f that acts on a body at the
/// arm r turns it back, or away, as the arm turns: ∂(r × f)/∂θ = −K, K = (f·r) 1 − sym(r fᵀ). Taken
/// at the end of the step, −h K ω⁺ h joins the equation of motion, so that the inertia becomes I +
/// h² K. For the forces of ball joints this block per body is the whole derivative; the turning of
/// the axes that torques act about, of slides and of rods is left out. Only directions in which the
/// step would not resolve the swinging get it, and no negative stiffness does.
///
/// Uses the joint forces of the inner step before, and h of this one [s]. Changes `inverseInertia`,
/// which the next change of pose makes anew.
void addGeometricStiffness(const JointStore& joints, Real h, BodyStore& bodies, StepMotion& motion);

}  // namespace drystone
