#pragma once

#include "core/types.h"

namespace drystone {

/// One contact with exact Coulomb friction on its own: find λ ∈ R³ with w = W λ + q,
/// 0 ≤ λ_n ⟂ w_n ≥ 0, ‖λ_t‖ ≤ μ λ_n, and λ_t opposite to w_t with ‖λ_t‖ = μ λ_n where it slips.
/// W is the contact's diagonal block; its symmetric part is positive semidefinite.
///
/// q_n ≥ 0 is open. Else scale W by W_nn and q by |q_n|; eliminating λ_n by w_n = 0 leaves
/// (S + s 1) λ_t = −r with the Schur complement S = W_tt − W_tn W_nt, r = q_t + W_tn and
/// s = ‖w_t‖/‖λ_t‖ ≥ 0. Stick is s = 0; slip is the root s > 0 of μ λ_n(s) = ‖λ_t(s)‖, a quartic
/// (Bonnefon & Daviet, Quartic formulation of Coulomb 3D frictional contact, 2011). One exists
/// whenever stick leaves the cone: μ λ_n − ‖λ_t‖ is negative at s = 0 then, and positive for s → ∞.
/// It is found by Newton steps within a bracket, to round-off. Where tangents are redundant, S is
/// singular: of the impulses that stop the slip the smallest one is taken.
class LocalConeSolve {
 public:
  LocalConeSolve() = default;
  /// `w` is row-major, 3 x 3 [1/kg].
  LocalConeSolve(const Real* w, Real mu);

  /// Solves for `q` [m/s]; `lambda` [N s] is the answer. `slip` is s of an earlier solve on entry,
  /// a guess that saves steps (0: none), and of this one on return; 0 when it sticks or is open.
  void solve(const Real* q, Real* lambda, Real& slip) const;

 private:
  struct Scaled;  // r and what depends on it

  bool findSlip(const Scaled& problem, Real& s) const;
  void solveByProjection(const Real* q, Real* lambda) const;
  void turnTangents(Real size);
  void setTangents(Real t1, Real t2, Real* lambda) const;

  Real cos_ = 1, sin_ = 0;                      ///< turn of the tangents that the rest is in
  int redundantAxes_ = 0;                       ///< last so many of them on which nothing moves
  Real a1_ = 0, a2_ = 0;                        ///< W_nt / W_nn
  Real c1_ = 0, c2_ = 0;                        ///< W_tn / W_nn
  Real s11_ = 0, s12_ = 0, s21_ = 0, s22_ = 0;  ///< S, with its round-off on the diagonal
  Real normal_ = 0;                             ///< W_nn; 0: nothing moves along the normal
  Real inverseNormal_ = 0;
  Real mu_ = 0;
};

}  // namespace drystone
