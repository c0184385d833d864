// V. Acary, P. Armand, H. M. Nguyen and M. Shpakovych, "Second order cone programming for
// frictional contact mechanics using interior point algorithm" (2022), and the references there for
// the algebra of the cone. The shift is not a parameter here: its derivative is part of the step.

#include "solvers/pivoting/cone_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace drystone {
namespace {

Real tangentSize(const Vec3& z) { return std::hypot(z[1], z[2]); }

/// z_n² − ‖z_t‖².
Real determinant(const Vec3& z) {
  const Real t = tangentSize(z);
  return (z[0] - t) * (z[0] + t);
}

/// The product ∘ of the cone's algebra.
Vec3 product(const Vec3& p, const Vec3& q) {
  return {p.dot(q), p[0] * q[1] + q[0] * p[1], p[0] * q[2] + q[0] * p[2]};
}

/// z of v ∘ z = r.
Vec3 quotient(const Vec3& r, const Vec3& v) {
  const Real z = (v[0] * r[0] - v[1] * r[1] - v[2] * r[2]) / determinant(v);
  return {z, (r[1] - z * v[1]) / v[0], (r[2] - z * v[2]) / v[0]};
}

/// y_n − ‖u_t‖ = a + √(‖u_t‖² + a²) − ‖u_t‖ without what cancels, a > 0.
Real heightOf(Real a, Real slip) { return a + a * a / (std::hypot(slip, a) + slip); }

}  // namespace

ConePair::ConePair(int firstRow, Real friction, Real step, Real m, const Vec3& lambda,
                   const Vec3& w)
    : firstRow_(firstRow), friction_(friction) {
  // The smoothed projection x/√ρ = (z + √(z∘z + 4 m e))/2 of z = x/√ρ − √ρ y, eigenvalue by
  // eigenvalue.
  const Real root = std::sqrt(step);
  const Real a = w[0] / friction;  // a pair rounds its edge only where it opens
  const Vec3 shifted(a + std::hypot(w[1], w[2], std::max<Real>(a, 0)), w[1], w[2]);
  const Vec3 z = toCone(lambda) / root - root * shifted;
  const auto smooth = [&](Real value) {
    const Real size = std::sqrt(value * value + 4 * m);
    return value > 0 ? (value + size) / 2 : 2 * m / (size - value);
  };
  const Real slip = tangentSize(z);
  const Real plus = smooth(z[0] + slip), minus = smooth(z[0] - slip);
  const Real along = slip > 0 ? root * (plus - minus) / (2 * slip) : 0;
  impulse_ = {root * (plus + minus) / (2 * friction), along * z[1], along * z[2]};
  // y = m x⁻¹, and the u that it is of.
  const Real inverse = m / (step * plus * minus);
  velocity_ = {m / (2 * impulse_[0]), -inverse * impulse_[1], -inverse * impulse_[2]};
}

Vec3 ConePair::y() const {
  const Real a = velocity_[0] / friction_;
  return {a + std::hypot(velocity_[1], velocity_[2], a), velocity_[1], velocity_[2]};
}

void ConePair::scale() {
  const Vec3 x = this->x(), y = this->y();
  const Real a = velocity_[0] / friction_, slip = tangentSize(velocity_);
  const Real rootX = std::sqrt(determinant(x));
  const Real rootY = std::sqrt(heightOf(a, slip) * (y[0] + slip));
  const Vec3 unitX = x / rootX, unitY = y / rootY;
  const Real gamma = std::sqrt((1 + unitX.dot(unitY)) / 2);
  const Vec3 sum(unitY[0] + unitX[0], unitY[1] - unitX[1], unitY[2] - unitX[2]);
  const Vec3 center = sum / (2 * gamma);
  const Real along = tangentSize(center);
  direction_[0] = along > 0 ? center[1] / along : 1;
  direction_[1] = along > 0 ? center[2] / along : 0;
  const Real eta = std::sqrt(rootY / rootX);
  eigenvalues_ = {eta * (center[0] + along), eta / (center[0] + along), eta};
  const Real h = std::hypot(slip, a);
  slope_ = {(1 + a / h) / friction_, velocity_[1] / h, velocity_[2] / h};
}

ConePair::Unknown ConePair::unknown(int i) const {
  constexpr Real kHalfRoot = 0.70710678118654752;
  const Real side = i == 0 ? kHalfRoot : -kHalfRoot;
  const Vec3 q = i == 2 ? Vec3(0, -direction_[1], direction_[0])
                        : Vec3(kHalfRoot, side * direction_[0], side * direction_[1]);
  return {{q[0] * slope_[0], q[1] + q[0] * slope_[1], q[2] + q[0] * slope_[2]},
          {q[0] / friction_, q[1], q[2]},
          eigenvalues_[i] * eigenvalues_[i]};
}

Vec3 ConePair::applyB(const Vec3& u) const { return {slope_.dot(u), u[1], u[2]}; }

Vec3 ConePair::applyInverseB(const Vec3& y) const {
  return {(y[0] - slope_[1] * y[1] - slope_[2] * y[2]) / slope_[0], y[1], y[2]};
}

Vec3 ConePair::applyW(int power, const Vec3& z) const {
  const auto factor = [&](int i) {
    const Real value = eigenvalues_[i];
    return power == 2 ? value * value : power == 1 ? value : 1 / value;
  };
  const Real along = direction_[0] * z[1] + direction_[1] * z[2];
  const Real across = factor(2) * (direction_[0] * z[2] - direction_[1] * z[1]);
  const Real plus = factor(0) * (z[0] + along) / 2, minus = factor(1) * (z[0] - along) / 2;
  const Real next = plus - minus;
  return {plus + minus, next * direction_[0] - across * direction_[1],
          next * direction_[1] + across * direction_[0]};
}

void ConePair::aim(Real target, bool corrects) {
  Vec3 wanted(target, 0, 0);
  if (corrects) {
    wanted -= product(applyW(1, toCone(impulseStep_)), applyW(-1, applyB(velocityStep_)));
  }
  // Of B⁻¹ W (v \ (wanted − v ∘ v)) + u, v = W x: y is homogeneous in u, so that B⁻¹ y = u.
  pull_ = applyInverseB(applyW(1, quotient(wanted, applyW(1, x()))));
}

Real ConePair::longestStep() const {
  Real share = std::numeric_limits<Real>::infinity();
  const auto limit = [&](Real root) {
    if (root > 0) share = std::min(share, root);
  };
  if (velocityStep_[0] < 0) limit(-velocity_[0] / velocityStep_[0]);
  const Vec3 x = this->x(), step = toCone(impulseStep_);
  if (step[0] < 0) limit(-x[0] / step[0]);
  // det(x + s dx) = p + 2 q s + r s²; both roots without what cancels.
  const Real p = determinant(x), r = determinant(step);
  const Real q = x[0] * step[0] - x[1] * step[1] - x[2] * step[2];
  const Real inside = q * q - p * r;
  if (!(inside >= 0)) return share;
  const Real k = -q - std::copysign(std::sqrt(inside), q);
  if (r != 0) limit(k / r);
  if (k != 0) limit(p / k);
  return share;
}

Real ConePair::productAfter(Real share) const {
  const Vec3 u = velocity_ + share * velocityStep_;
  const Real a = std::max<Real>(u[0], 0) / friction_;
  const Vec3 y(a + std::hypot(tangentSize(u), a), u[1], u[2]);
  return toCone(impulse_ + share * impulseStep_).dot(y);
}

void ConePair::move(Real share) {
  impulse_ += share * impulseStep_;
  velocity_ += share * velocityStep_;
  impulseStep_.setZero();
  velocityStep_.setZero();
}

}  // namespace drystone
