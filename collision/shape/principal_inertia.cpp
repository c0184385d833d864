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
  // By a power of two, which costs no bit: the squares of large moments overflow. Beyond this one
  // the power itself would.
  constexpr int kMostExponent = 1000;
  const Real largest = inertia.cwiseAbs().maxCoeff();
  const int exponent = std::clamp(std::ilogb(largest), -kMostExponent, kMostExponent);
  Mat3 a = std::ldexp(1.0, -exponent) * inertia;
  a = ((a + a.transpose()) / 2).eval();
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
  return {std::ldexp(1.0, exponent) * a.diagonal(), Quat(axes).normalized()};
}

}  // namespace drystone
