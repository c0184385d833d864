#pragma once

#include <cmath>

#include "core/host_device.h"
#ifdef __CUDACC__
#define DRYSTONE_INLINE inline
#else
#include "core/lanes.h"
#endif

// Figures of a contact with three rows under the exact cone, without branches: of one contact (T =
// double), or of several as lanes. One source, so that both give the same bits; devices have no
// lanes.

namespace drystone {

DRYSTONE_HD DRYSTONE_INLINE double squareRoot(double x) { return std::sqrt(x); }
#ifndef __CUDACC__
DRYSTONE_INLINE wide::Lanes<double> squareRoot(const wide::Lanes<double>& x) {
  wide::Lanes<double> root;
  for (int lane = 0; lane < wide::kLanes<double>; ++lane) root[lane] = std::sqrt(x[lane]);
  return root;
}
#endif

// As std::max and std::min: of a NaN and a number the former.
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T maximum(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T minimum(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T magnitude(const T& x) {
  return x < T{} ? -x : x;
}

/// Largest root 1 + e of t³ − 3 t = 2 q, where −1 ≤ q ≤ 1: Newton steps on e³ + 3 e² = 2 (1 + q)
/// from above, where they converge without passing the root; a third of the time of acos and cos.
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T largestCubicRoot(const T& q) {
  constexpr int kSteps = 5;  // from 15 % off at most: 2e-2, 3e-4, 7e-8, round-off
  const T right = 2 * (1 + q);
  T e = squareRoot(right / 3);
  for (int i = 0; i < kSteps; ++i) {
    const T step = (e * e * (e + 3) - right) / (3 * e * (e + 2));
    e = e > T{} ? e - step : e;
  }
  return 1 + e;
}

/// Largest eigenvalue of a symmetric 3 × 3 matrix by its characteristic cubic. `upper`: the entries
/// 00, 01, 02, 11, 12, 22. A multiple of the unit matrix has p = 0.
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T largestEigenvalueOfThree(const T* upper) {
  const T one = T{} + 1;
  const T &o01 = upper[1], &o02 = upper[2], &o12 = upper[4];
  const T mean = (upper[0] + upper[3] + upper[5]) / 3;
  const T d0 = upper[0] - mean;
  const T d1 = upper[3] - mean;
  const T d2 = upper[5] - mean;
  const T off = o01 * o01 + o02 * o02 + o12 * o12;
  const T p = squareRoot((d0 * d0 + d1 * d1 + d2 * d2 + 2 * off) / 6);
  const T determinant =
      d0 * (d1 * d2 - o12 * o12) - o01 * (o01 * d2 - o12 * o02) + o02 * (o01 * o12 - d1 * o02);
  const T ratio = determinant / (2 * p * p * p);
  const T cosine = ratio < -one ? -one : (ratio > one ? one : ratio);
  return p > T{} ? mean + p * largestCubicRoot<T>(cosine) : mean;
}

/// F of the natural map (M.11) with De Saxcé's shift. Where the projection moves nothing, F = ρ w
/// is taken as it is: λ − (λ − ρ w) would lose w beside a large λ, and impulses that grow without
/// end would pass for a solution.
template <class T>
DRYSTONE_HD DRYSTONE_INLINE void coneMap(const T& mu, const T& rho, const T* lambda, const T* w,
                                         T* f) {
  const T zero{};
  T step[3], z[3];
  for (int i = 0; i < 3; ++i) step[i] = rho * w[i];
  step[0] += rho * mu * squareRoot(w[1] * w[1] + w[2] * w[2]);
  for (int i = 0; i < 3; ++i) z[i] = lambda[i] - step[i];
  // The projection on the cone, as projectCone() has it.
  const T slip = squareRoot(z[1] * z[1] + z[2] * z[2]);
  const auto isInside = (z[0] >= zero) & (slip <= mu * z[0]);
  const auto isPolar = mu * slip <= -z[0];
  const T normal = (z[0] + mu * slip) / (1 + mu * mu);
  const T scale = slip > zero ? mu * normal / slip : zero;
  const T foot[3] = {normal, z[1] * scale, z[2] * scale};
  for (int i = 0; i < 3; ++i) {
    const T projected = isInside ? z[i] : (isPolar ? zero : foot[i]);
    f[i] = projected == z[i] ? step[i] : lambda[i] - projected;
  }
}

/// |min(λ_n/ρ, w_n)| [m/s], without a difference of impulses, in which w would be lost.
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T aloneError(const T& rho, const T& lambdaN, const T& wN) {
  return magnitude<T>(rho * wN <= lambdaN ? wN : lambdaN / rho);
}

/// normalError() of a contact whose friction follows its normal: where it parts it carries nothing.
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T partingError(const T& rho, const T& squaredImpulse, const T& lambdaN,
                                           const T& wN) {
  const T alone = aloneError<T>(rho, lambdaN, wN);
  const T carried = maximum<T>(alone, minimum<T>(squareRoot(squaredImpulse) / rho, wN));
  return wN > T{} ? carried : alone;
}

/// BlockError::squared of a contact [m²/s²] from its map over ρ, squared, and its normal's error.
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T wholeError(const T& map, const T& normalError) {
  // It is at most √(1 + μ²) times the map of the cone: half of it leaves the map alone to μ = 1.
  constexpr double kNormalShare = 0.5;
  const T normal = kNormalShare * normalError;
  // In this order a map that is not a number stays.
  return maximum<T>(map, normal * normal);
}

/// E of one row (M.13) [J], whose impulse is bound to [low, high].
template <class T>
DRYSTONE_HD DRYSTONE_INLINE T energyError(const T& diagonal, const T& lambda, const T& w,
                                          const T& low, const T& high) {
  const T free = lambda - w / diagonal;
  const T change = lambda - (free < low ? low : (high < free ? high : free));
  return diagonal > T{} ? diagonal * change * change / 2 : T{};
}

}  // namespace drystone
