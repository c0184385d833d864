#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Denominators of the local R factors of a contact (Nützi 2011, Eq. 4.42, 4.43): its normal entry,
/// and the largest of its tangential entries, or a little more than half of the largest absolute
/// row sum of the tangents where that is larger: R = α/scale is stable up to α λ_max/scale = 2, and
/// λ_max may be the whole row sum (the tip of a thin rod that lies between the tangents).
struct ContactScales {
  Real normal = 0;
  Real tangent = 0;
};
constexpr Real kShareOfRowSum = 0.55;  // stable up to α = 1.1 whatever the block is
inline ContactScales contactScales(const Real* diagonalBlock, int rows) {
  ContactScales scales;
  scales.normal = diagonalBlock[0];
  for (int i = 1; i < rows; ++i) {
    Real rowSum = 0;
    for (int j = 1; j < rows; ++j) rowSum += std::abs(diagonalBlock[i * rows + j]);
    scales.tangent =
        std::max({scales.tangent, diagonalBlock[i * rows + i], kShareOfRowSum * rowSum});
  }
  // Where nothing moves the tangents, friction still has to find its bound against the slip.
  if (!(scales.tangent > 0)) scales.tangent = scales.normal;
  return scales;
}

/// α/scale, or 0 for a row that nothing moves: its impulse then stays as it is.
inline Real stepFor(Real relaxation, Real scale) { return scale > 0 ? relaxation / scale : 0; }

/// Work space of `globalStep`.
struct SpectrumWorkspace {
  std::vector<Real> x, y;
  std::vector<Vec6> bodyVelocity;
};

/// 2/(λ_min + λ_max) of A (Poulsen 2010, Eq. 3.24) [kg], from power iterations on A and on λ_max 1
/// − A. A power iteration comes from inside the spectrum, so λ_max is raised by 2 % and λ_min is an
/// upper estimate: R stays below 2/λ_max whatever they miss.
Real globalStep(const ContactProblem& problem, SpectrumWorkspace& workspace);

}  // namespace drystone
