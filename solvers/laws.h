#pragma once

#include <algorithm>
#include <cmath>

#include "solvers/contact_problem.h"

namespace drystone {

/// Euclidean projection of z on {x : |x_1|, |x_2| ≤ radius}.
void projectBox(Real radius, Real* z);
/// … on {x : ‖x‖₁ ≤ radius}, two components.
void projectDiamond(Real radius, Real* z);
/// … on {x : ‖x‖₂ ≤ radius}, two components.
void projectDisc(Real radius, Real* z);
/// … on {x : ‖(x_1, x_2, 3/2 x_3)‖₂ ≤ radius}, three components (Contensou ellipsoid).
void projectEllipsoid(Real radius, Real* z);
/// … of (z_n, z_t1, z_t2) on the second-order cone {‖x_t‖₂ ≤ μ x_n}, three components.
void projectCone(Real mu, Real* z);

/// Projects the tangential part z (1 … 3 components after the normal) on the friction set of the
/// model, whose radius is μ times the given normal impulse (for `box`: the caller passes μ λ̄_n).
void projectFriction(FrictionModel model, Real radius, Real* z);

/// prox of one contact block: normal on [0, ∞), then friction with that normal (003 §4.5, 004 §2.3).
void projectContact(FrictionModel model, const ProblemBlock& block, Real* z);

/// By how much the tangential part exceeds the friction set of the model [N s], 0 inside.
Real frictionExcess(FrictionModel model, const ProblemBlock& block, const Real* lambda);

}  // namespace drystone
