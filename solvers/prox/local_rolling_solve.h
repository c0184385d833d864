#pragma once

#include <array>

#include "core/types.h"
#include "solvers/problem/scale_math.h"

namespace drystone {

/// One contact of the `rolling` model on its own: find λ ∈ R⁵ with w = W λ + q, 0 ≤ λ_n ⟂ w_n ≥ 0,
/// ‖λ_t‖ ≤ μ λ_n and ‖λ_r‖ ≤ μ_r λ_n, each opposite to its velocity where it is at its bound. W is
/// the contact's diagonal block; its symmetric part is positive semidefinite.
///
/// Normal, tangents and rolling are swept in turn by projection (updateContact) until they stand
/// still to round-off, or for so many sweeps as one contact is worth: what is left then is for the
/// next sweep over all contacts.
class LocalRollingSolve {
 public:
  LocalRollingSolve() = default;
  /// `w` is row-major, 5 x 5.
  LocalRollingSolve(const Real* w, Real mu, Real rolling);

  /// Solves for `q`. `lambda`: a guess on entry, the answer on return.
  void solve(const Real* q, Real* lambda) const;

 private:
  static constexpr int kRows = contactRows(FrictionModel::kRolling);

  std::array<Real, kRows* kRows> w_ = {};
  ContactSteps<kRows> steps_;
  Real mu_ = 0, rolling_ = 0;
};

}  // namespace drystone
