#pragma once

#include <algorithm>
#include <cmath>

#include "solvers/problem/contact_problem.h"
#include "solvers/problem/prox_math.h"

namespace drystone {

/// Euclidean projection of (z_n, z_t1, z_t2) on the second-order cone {‖x_t‖₂ ≤ μ x_n}, three
/// components.
inline void projectCone(Real mu, Real* z) {
  const Real slip = std::sqrt(z[1] * z[1] + z[2] * z[2]);
  if (z[0] >= 0 && slip <= mu * z[0]) return;
  if (mu * slip <= -z[0]) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  const Real normal = (z[0] + mu * slip) / (1 + mu * mu);
  const Real scale = slip > 0 ? mu * normal / slip : 0;
  z[0] = normal;
  z[1] *= scale;
  z[2] *= scale;
}

/// Radius of the friction set of a contact whose normal impulse is `normal`: μ λ̄_n for `box`, else
/// μ max(0, normal) [N s].
inline Real frictionRadius(FrictionModel model, const ProblemBlock& block, Real normal) {
  return block.friction *
         (model == FrictionModel::kBox ? block.normalBound : std::max<Real>(0, normal));
}

/// Radius of the set of its rolling impulses under `rolling` [unit of λ_r].
inline Real rollingRadius(const ProblemBlock& block, Real normal) {
  return block.rolling * std::max<Real>(0, normal);
}

/// What a prox step of a contact needs beside μ: μ λ̄_n of `box`, μ_r of `rolling`.
inline Real secondCoefficient(FrictionModel model, const ProblemBlock& block) {
  return model == FrictionModel::kRolling ? block.rolling : block.friction * block.normalBound;
}

/// prox of one contact block: normal on [0, ∞), then friction with that normal (Nützi 2011, §4.5;
/// Poulsen 2010, §2.3).
inline void projectContact(FrictionModel model, const ProblemBlock& block, Real* z) {
  z[0] = std::max<Real>(0, z[0]);
  projectFriction(model, frictionRadius(model, block, z[0]), z + 1, rollingRadius(block, z[0]));
}

/// Projection of a contact's impulse (normal and friction together) on its whole set: λ_n ≥ 0 with
/// the friction set of that λ_n, the cone of the convex relaxation (M.15). `box`: of λ̄_n.
void projectJointly(FrictionModel model, const ProblemBlock& block, Real* z);

/// De Saxcé's shift of a contact, μ times the dual norm of its tangential velocity `w` (1 … 4
/// components after the normal), and of `rolling` μ_r ‖w_r‖ on top: the largest −w_t·λ_t that
/// friction yields per unit of λ_n [m/s].
/// Exact friction is the condition λ ∈ K, w + shift n ∈ K*, λ·(w + shift n) = 0. 0 for `none` and
/// `box`, whose friction does not follow λ_n.
Real deSaxceShift(FrictionModel model, const ProblemBlock& block, const Real* w);

/// By how much the tangential part exceeds the friction set of the model [N s], 0 inside; the
/// larger of both excesses under `rolling`.
Real frictionExcess(FrictionModel model, const ProblemBlock& block, const Real* lambda);

/// Half-width of the friction set along tangential row `row` (1 … 4) through the point `lambda`:
/// the bounds that this row has while the others stand still [N s]. 0 when the others alone exceed
/// it.
Real frictionSlice(FrictionModel model, const ProblemBlock& block, const Real* lambda, int row);

}  // namespace drystone
