#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/types.h"

// The algebra of second-order cones {x : ‖(x_2 … x_k)‖ ≤ x_1}, and the scaling of Nesterov and
// Todd. E. D. Andersen, C. Roos and T. Terlaky, "On implementing a primal-dual interior-point
// method for conic quadratic optimization", Mathematical Programming 95 (2003).
namespace drystone::conic {

/// x_1² − ‖(x_2 …)‖² without what cancels.
template <class V>
Real determinant(const V& x) {
  const Real tail = x.tail(x.size() - 1).norm();
  return (x[0] - tail) * (x[0] + tail);
}

/// The product ∘ of the cone's algebra.
inline VecX product(const VecX& p, const VecX& q) {
  VecX out = p[0] * q + q[0] * p;
  out[0] = p.dot(q);
  return out;
}

/// z of v ∘ z = r.
inline VecX quotient(const VecX& r, const VecX& v) {
  const auto n = v.size() - 1;
  VecX z(v.size());
  z[0] = (v[0] * r[0] - v.tail(n).dot(r.tail(n))) / determinant(v);
  z.tail(n) = (r.tail(n) - z[0] * v.tail(n)) / v[0];
  return z;
}

/// Share of the step at which x leaves its cone; ∞: never.
template <class X, class D>
Real wayOut(const X& x, const D& dx) {
  Real share = std::numeric_limits<Real>::infinity();
  const auto limit = [&](Real root) {
    if (root > 0) share = std::min(share, root);
  };
  if (dx[0] < 0) limit(-x[0] / dx[0]);
  const auto n = x.size() - 1;
  const Real p = determinant(x), r = determinant(dx);
  const Real q = x[0] * dx[0] - x.tail(n).dot(dx.tail(n));
  const Real inside = q * q - p * r;
  if (n == 0 || !(inside >= 0)) return share;
  const Real k = -q - std::copysign(std::sqrt(inside), q);
  if (r != 0) limit(k / r);
  if (k != 0) limit(p / k);
  return share;
}

/// W of one cone, W² x = z: e times the symmetric matrix of the unit vector w.
struct ConeScaling {
  int first = 0, size = 1;
  Real eta = 1;
  VecX w;

  /// By inner points of the cone, whose parts begin at `first`.
  void set(const VecX& x, const VecX& z) {
    const VecX xi = x.segment(first, size), zi = z.segment(first, size);
    const Real rootX = std::sqrt(determinant(xi)), rootZ = std::sqrt(determinant(zi));
    const Real gamma = std::sqrt((1 + xi.dot(zi) / (rootX * rootZ)) / 2);
    w = zi / rootZ - xi / rootX;
    w[0] = zi[0] / rootZ + xi[0] / rootX;
    w /= 2 * gamma;
    // On the hyperboloid to rounding, as the inverse below takes it.
    w[0] = std::sqrt(1 + w.tail(size - 1).squaredNorm());
    eta = std::sqrt(rootZ / rootX);
  }
  VecX apply(const VecX& v, bool isInverse) const {
    const auto n = size - 1;
    const Real sign = isInverse ? -1 : 1;
    const Real along = w.tail(n).dot(v.tail(n));
    VecX out(size);
    out[0] = w[0] * v[0] + sign * along;
    out.tail(n) = v.tail(n) + (sign * v[0] + along / (1 + w[0])) * w.tail(n);
    return isInverse ? VecX(out / eta) : VecX(out * eta);
  }
  /// Entry of W⁻².
  Real inverseSquare(int i, int j) const {
    const Real flip = (i == 0) == (j == 0) ? 1 : -1;
    const Real reflection = i != j ? 0 : i == 0 ? 1 : -1;
    return (2 * flip * w[i] * w[j] - reflection) / (eta * eta);
  }
};

}  // namespace drystone::conic
