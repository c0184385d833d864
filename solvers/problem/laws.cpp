#include "solvers/problem/laws.h"

namespace drystone {
namespace {

/// The norm whose ball of the friction radius is the friction set.
Real frictionNorm(FrictionModel model, const Real* t) {
  switch (model) {
    case FrictionModel::kNone:
      return 0;
    case FrictionModel::kBox:
    case FrictionModel::kPyramid:
      return std::max(std::abs(t[0]), std::abs(t[1]));
    case FrictionModel::kDiamond:
      return std::abs(t[0]) + std::abs(t[1]);
    case FrictionModel::kCone:
      return std::sqrt(t[0] * t[0] + t[1] * t[1]);
    case FrictionModel::kContensou:
      return std::sqrt(t[0] * t[0] + t[1] * t[1] +
                       kTorsionWeight<Real> * kTorsionWeight<Real> * t[2] * t[2]);
    case FrictionModel::kRolling:  // of its tangents alone
      return std::sqrt(t[0] * t[0] + t[1] * t[1]);
  }
  return 0;
}

/// ‖λ_r‖ or ‖w_r‖ of the components after the normal.
Real rollingNorm(const Real* t) { return std::sqrt(t[2] * t[2] + t[3] * t[3]); }

/// λ_n of the projection of z on {‖x_t‖ ≤ μ x_n, ‖x_r‖ ≤ μ_r x_n}, for z outside of it: the root of
/// x_n − z_n = Σ μ_i (‖z_i‖ − μ_i x_n)₊, whose right side is piecewise linear. A part binds below
/// ‖z_i‖/μ_i.
Real rollingConeFoot(const ProblemBlock& block, const Real* z) {
  const Real mu[2] = {block.friction, block.rolling};
  const Real size[2] = {std::sqrt(z[1] * z[1] + z[2] * z[2]), rollingNorm(z + 1)};
  const int last = size[0] * mu[1] >= size[1] * mu[0] ? 0 : 1;  // binds up to the larger x_n
  const Real one = (z[0] + mu[last] * size[last]) / (1 + mu[last] * mu[last]);
  if (size[1 - last] <= mu[1 - last] * one) return one;
  return (z[0] + mu[0] * size[0] + mu[1] * size[1]) / (1 + mu[0] * mu[0] + mu[1] * mu[1]);
}

/// λ_n of the projection of z on the elliptic cone of `contensou`, for z outside of it; not
/// positive where the foot is the apex. Along the ray of the foot's multiplier x_i = μ² n z_i / d_i
/// with d_i = (μ² + a_i) n − a_i z_n, a = (1, 1, 9/4), and the foot lies on the surface where S(n)
/// = Σ (μ √a_i z_i / d_i)² = 1. 1/√S is concave (a power mean of the d_i), so that Newton on 1/√S =
/// 1 from the largest root of a single term, which is below, comes from the left and needs few
/// steps.
Real ellipticConeFoot(Real mu, const Real* z) {
  const Real a[2] = {1, kTorsionWeight<Real> * kTorsionWeight<Real>};
  const Real p[2] = {mu * std::sqrt(z[1] * z[1] + z[2] * z[2]),
                     mu * kTorsionWeight<Real> * std::abs(z[3])};
  Real n = -kInfinity;
  for (int i = 0; i < 2; ++i) n = std::max(n, (a[i] * z[0] + p[i]) / (mu * mu + a[i]));
  for (int iteration = 0; iteration < 50; ++iteration) {
    Real s = 0;
    Real slope = 0;
    for (int i = 0; i < 2; ++i) {
      const Real d = (mu * mu + a[i]) * n - a[i] * z[0];
      if (!(p[i] > 0 && d > 0)) continue;
      s += (p[i] / d) * (p[i] / d);
      slope += (p[i] / d) * (p[i] / d) * (mu * mu + a[i]) / d;
    }
    if (!(s > 1)) break;
    const Real step = s * (std::sqrt(s) - 1) / slope;
    n += step;
    if (step <= 1e-15 * std::abs(n)) break;
  }
  return n;
}

/// λ_n of the projection of z on {‖x_t‖ ≤ μ x_n}, likewise: the n that minimises
/// ½ (n − z_n)² + ½ dist²(z_t, the friction set of n).
Real coneFoot(FrictionModel model, const ProblemBlock& block, const Real* z) {
  const Real mu = block.friction;
  const Real larger = std::max(std::abs(z[1]), std::abs(z[2]));
  const Real smaller = std::min(std::abs(z[1]), std::abs(z[2]));
  // One tangent beyond its bound; both of them, or the face of the diamond, where that is not so.
  const Real one = (z[0] + mu * larger) / (1 + mu * mu);
  switch (model) {
    case FrictionModel::kPyramid:
      return smaller <= mu * one ? one : (z[0] + mu * (larger + smaller)) / (1 + 2 * mu * mu);
    case FrictionModel::kDiamond:
      return larger - smaller >= mu * one
                 ? one
                 : (z[0] + mu * (larger + smaller) / 2) / (1 + mu * mu / 2);
    case FrictionModel::kContensou:
      return ellipticConeFoot(mu, z);
    case FrictionModel::kRolling:
      return rollingConeFoot(block, z);
    default:
      return (z[0] + mu * std::sqrt(z[1] * z[1] + z[2] * z[2])) / (1 + mu * mu);
  }
}

}  // namespace

void projectJointly(FrictionModel model, const ProblemBlock& block, Real* z) {
  const Real mu = block.friction;
  if (!followsNormal(model)) return projectContact(model, block, z);
  // Its sign apart: without friction 0 ≤ −0 holds for a contact that pulls.
  const bool rolls = model == FrictionModel::kRolling;
  if (z[0] >= 0 && frictionNorm(model, z + 1) <= mu * z[0] &&
      (!rolls || rollingNorm(z + 1) <= block.rolling * z[0])) {
    return;
  }
  z[0] = std::max<Real>(coneFoot(model, block, z), 0);  // in this order a NaN stays one
  projectFriction(model, mu * z[0], z + 1, rollingRadius(block, z[0]));
}

Real deSaxceShift(FrictionModel model, const ProblemBlock& block, const Real* w) {
  const Real mu = block.friction;
  switch (model) {
    case FrictionModel::kNone:
    case FrictionModel::kBox:
      return 0;
    case FrictionModel::kPyramid:
      return mu * (std::abs(w[0]) + std::abs(w[1]));
    case FrictionModel::kDiamond:
      return mu * std::max(std::abs(w[0]), std::abs(w[1]));
    case FrictionModel::kCone:
      return mu * std::sqrt(w[0] * w[0] + w[1] * w[1]);
    case FrictionModel::kContensou: {
      const Real torsion = w[2] / kTorsionWeight<Real>;
      return mu * std::sqrt(w[0] * w[0] + w[1] * w[1] + torsion * torsion);
    }
    case FrictionModel::kRolling:
      return mu * std::sqrt(w[0] * w[0] + w[1] * w[1]) + block.rolling * rollingNorm(w);
  }
  return 0;
}

Real frictionExcess(FrictionModel model, const ProblemBlock& block, const Real* lambda) {
  if (model == FrictionModel::kNone) return 0;
  const Real radius = frictionRadius(model, block, lambda[0]);
  Real excess = frictionNorm(model, lambda + 1) - radius;
  if (model == FrictionModel::kRolling) {
    excess = std::max(excess, rollingNorm(lambda + 1) - rollingRadius(block, lambda[0]));
  }
  return std::max<Real>(0, excess);
}

Real frictionSlice(FrictionModel model, const ProblemBlock& block, const Real* lambda, int row) {
  const Real radius = frictionRadius(model, block, lambda[0]);
  if (model == FrictionModel::kRolling) {
    const Real reach = row < 3 ? radius : rollingRadius(block, lambda[0]);
    const Real other = lambda[row < 3 ? 3 - row : 7 - row];
    return std::sqrt(std::max<Real>(0, (reach - other) * (reach + other)));
  }
  const int tangents = contactRows(model) - 1;
  Real others[3] = {0, 0, 0};
  for (int i = 0; i < tangents; ++i) others[i] = i == row - 1 ? 0 : lambda[i + 1];
  const Real used = frictionNorm(model, others);
  switch (model) {
    case FrictionModel::kBox:
    case FrictionModel::kPyramid:
      return radius;
    case FrictionModel::kDiamond:
      return std::max<Real>(0, radius - used);
    default: {
      const Real weight = row == 3 ? kTorsionWeight<Real> : 1;
      return std::sqrt(std::max<Real>(0, (radius - used) * (radius + used))) / weight;
    }
  }
}

}  // namespace drystone
