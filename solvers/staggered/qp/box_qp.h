#pragma once

#include <span>
#include <vector>

#include "solvers/linear/symmetric_matrix.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// min ½ xᵀHx − cᵀx subject to lower ≤ x ≤ upper, H symmetric positive semi-definite. The gradient
/// g = Hx − c is the multiplier of the bounds: ≥ 0 at the lower one, ≤ 0 at the upper one, 0
/// between. A non-owning view.
struct BoxQp {
  const SymmetricMatrix* hessian = nullptr;
  std::span<const Real> linear;  ///< c
  std::span<const Real> lower, upper;

  int size() const { return static_cast<int>(linear.size()); }
};

/// Largest distance from the KKT conditions, |x − Π(x − g/m)| m over the variables, in the unit of
/// g; m > 0 has the size of the diagonal of H. ∞ where a number is not finite.
Real kktError(const BoxQp& qp, std::span<const Real> metric, std::span<const Real> x,
              std::span<const Real> gradient);

/// Working sets are row states: free, or fixed at the lower or the upper bound. Completes and
/// corrects them: a variable of zero width is fixed, an infinite bound holds nothing, and what is
/// unknown is free unless the start `x` lies at a bound and is not 0.
void admitSets(const BoxQp& qp, std::span<const Real> x, std::span<RowState> sets);

}  // namespace drystone
