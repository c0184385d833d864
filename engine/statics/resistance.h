#pragma once

#include "core/types.h"
#include "engine/statics/statics.h"

namespace drystone {

/// What a body bears on top of the dead load, in whatever direction it comes.
struct StaticResistance {
  Real force = 0;                       ///< at its centre of mass, in the worst direction [N]
  Vec3 forceDirection = Vec3::UnitX();  ///< unit, world; any where the force is 0 or ∞
  Real torque = 0;                      ///< about the worst axis [N m]
  Vec3 torqueAxis = Vec3::UnitX();      ///< likewise
  int searches = 0;                     ///< directions that were looked at
  int undecided = 0;                    ///< of these, those in which the search ended before
};

/// The safety of a grasp, or of anything else that holds a body: the radius of the largest ball of
/// forces, and of torques, that Statics::answer lets the body bear. 0 where the scene falls without
/// them, ∞ where any is borne, NaN where no direction was decided. The caveat of Statics holds.
///
/// What a body bears is a convex set W. From a direction d in which it bears r, the mechanism of
/// the collapse has the normal n of W there, and W bears at most r d·n ≤ r along n. So n is the
/// next direction, until r falls no more: a local minimum, searched from 14 directions. Throws
/// InputError for a body that is not dynamic.
StaticResistance resistanceOf(const Statics& statics, BodyId body);

}  // namespace drystone
