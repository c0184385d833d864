#include <fmt/format.h>

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "collision/shape/shape.h"

namespace drystone {

// Cyclic Jacobi: each rotation is by at most 45° and none is made for an entry that is already
// zero. So a diagonal inertia keeps its axes, a nearly diagonal one turns little, the axes are
// right-handed without a choice of signs, and small moments keep their relative accuracy.
PrincipalInertia principalInertia(const Mat3& inertia) {
  Mat3 a = (inertia + inertia.transpose()) / 2;
  Mat3 axes = Mat3::Identity();
  // What integration and parallel axes leave by rounding in an entry that should vanish.
  const Real negligible =
      8 * std::numeric_limits<Real>::epsilon() * a.diagonal().cwiseAbs().maxCoeff();
  // Convergence is quadratic: five sweeps reach round-off for 3×3, twelve never run out.
  for (int sweep = 0; sweep < 12; ++sweep) {
    bool rotated = false;
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      if (std::abs(a(p, q)) <= negligible) continue;
      Eigen::JacobiRotation<Real> rotation;
      rotation.makeJacobi(a, p, q);
      a.applyOnTheLeft(p, q, rotation.adjoint());
      a.applyOnTheRight(p, q, rotation);
      axes.applyOnTheRight(p, q, rotation);
      rotated = true;
    }
    if (!rotated) break;
  }
  return {a.diagonal(), Quat(axes).normalized()};
}

// For the principal moments of a body, I_3 = ∫ (x² + y²) dm ≤ ∫ (x² + y² + 2 z²) dm = I_1 + I_2,
// with equality for a flat one.
std::string inertiaProblem(const Mat3& inertia) {
  constexpr Real kSlack = 1e-9;  // rounding of the input and of the eigenvalues, for flat bodies
  Vec3 moments = principalInertia(inertia).moments;
  std::sort(moments.begin(), moments.end());
  const Real others = moments[0] + moments[1];
  if (!(moments[0] > 0)) return "must be positive definite";
  if (!(moments[2] > others * (1 + kSlack))) return "";
  return fmt::format(
      "no body has this inertia: its largest principal moment, {:.6g} kg m², is larger than the "
      "sum of the other two, {:.6g} kg m²",
      moments[2], others);
}

}  // namespace drystone
