#pragma once

#include "core/types.h"

namespace drystone {

/// One contact with its friction, as an interior point on the second-order cone
/// L = {z : ‖z_t‖ < z_n} sees it: the impulse λ and a velocity u, which equals that of the contact
/// in the end, with
///   x = T λ = (μ λ_n, λ_t),  y = (a + √(‖u_t‖² + a²), u_t),  a = u_n/μ.
/// Both lie in L as long as λ is inside its cone and u_n > 0. Where u_n vanishes y is w with De
/// Saxcé's shift. Until then a rounds the edge that the shift has where nothing slips, so that y
/// has a derivative B everywhere. Friction is x ∘ y = 0; the path to it is x ∘ y = m e, e = (1, 0,
/// 0). W is the scaling of Nesterov and Todd, W² x = y. Its eigenvectors are (1, ±d)/√2 and the one
/// across d, where d is the direction of the tangents of its centre.
class ConePair {
 public:
  /// A contact of friction μ > 0 whose rows start at `firstRow`, on the path at m [J]: λ and w
  /// are the nearest that lie there; `step` is ρ of the natural map [kg].
  ConePair(int firstRow, Real friction, Real step, Real m, const Vec3& lambda, const Vec3& w);

  int firstRow() const { return firstRow_; }
  const Vec3& impulse() const { return impulse_; }    ///< λ [N s]
  const Vec3& velocity() const { return velocity_; }  ///< u [m/s]

  /// Prepares W and B for steps from the present point.
  void scale();
  /// One of the three unknowns of Θ = B⁻¹ W² T: the equation R and column C with Rᵀ Θ C = weight.
  struct Unknown {
    Vec3 equation, column;
    Real weight;  ///< [1/kg]
  };
  Unknown unknown(int i) const;
  /// Θ λ [m/s].
  Vec3 applyTheta(const Vec3& lambda) const { return applyInverseB(applyW(2, toCone(lambda))); }

  /// Sets the pull towards x ∘ y = target e; `corrects`: with the second-order term of the last
  /// step.
  void aim(Real target, bool corrects);
  /// A step of λ and u solves (A + Θ) dλ = pull − w [m/s].
  const Vec3& pull() const { return pull_; }
  void follow(const Vec3& impulseStep, const Vec3& velocityStep) {
    impulseStep_ = impulseStep;
    velocityStep_ = velocityStep;
  }
  /// Share of the step at which x or y leaves the cone.
  Real longestStep() const;
  /// x·y after a share of the step; m on the path [J].
  Real productAfter(Real share) const;
  void move(Real share);

 private:
  Vec3 toCone(const Vec3& lambda) const { return {friction_ * lambda[0], lambda[1], lambda[2]}; }
  Vec3 x() const { return toCone(impulse_); }
  Vec3 y() const;
  Vec3 applyB(const Vec3& u) const;
  Vec3 applyInverseB(const Vec3& y) const;
  Vec3 applyW(int power, const Vec3& z) const;

  int firstRow_;
  Real friction_;
  Vec3 impulse_, velocity_, pull_;
  Vec3 impulseStep_ = Vec3::Zero(), velocityStep_ = Vec3::Zero();
  Vec3 eigenvalues_;   // of W
  Real direction_[2];  // d
  Vec3 slope_;         // first row of B
};

}  // namespace drystone
