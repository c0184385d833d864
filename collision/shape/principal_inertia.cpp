#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace drystone
