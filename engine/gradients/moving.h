#pragma once

#include <Eigen/Geometry>

#include "core/types.h"
#include "engine/step/spin.h"

namespace drystone {

// Numbers and vectors with their derivatives by `columns` parameters. What these operations make of
// them has its own, exactly.

template <int columns>
struct MovingNumberBy {
  Real value = 0;
  Eigen::Matrix<Real, 1, columns> rate = Eigen::Matrix<Real, 1, columns>::Zero();
};

template <int columns>
struct MovingVectorBy {
  Vec3 value = Vec3::Zero();
  Eigen::Matrix<Real, 3, columns> rate = Eigen::Matrix<Real, 3, columns>::Zero();
};

template <int n>
MovingNumberBy<n> operator/(const MovingNumberBy<n>& a, const MovingNumberBy<n>& b) {
  const Real quotient = a.value / b.value;
  return {quotient, (a.rate - quotient * b.rate) / b.value};
}

template <int n>
MovingVectorBy<n> operator-(const MovingVectorBy<n>& a) {
  return {-a.value, -a.rate};
}
template <int n>
MovingVectorBy<n> operator+(const MovingVectorBy<n>& a, const MovingVectorBy<n>& b) {
  return {a.value + b.value, a.rate + b.rate};
}
template <int n>
MovingVectorBy<n> operator-(const MovingVectorBy<n>& a, const MovingVectorBy<n>& b) {
  return {a.value - b.value, a.rate - b.rate};
}
template <int n>
MovingVectorBy<n> operator*(Real s, const MovingVectorBy<n>& a) {
  return {s * a.value, s * a.rate};
}
template <int n>
MovingVectorBy<n> operator*(const MovingNumberBy<n>& s, const MovingVectorBy<n>& a) {
  return {s.value * a.value, s.value * a.rate + a.value * s.rate};
}
template <int n>
MovingVectorBy<n> operator/(const MovingVectorBy<n>& a, const MovingNumberBy<n>& s) {
  const Vec3 quotient = a.value / s.value;
  return {quotient, (a.rate - quotient * s.rate) / s.value};
}
template <int n>
MovingVectorBy<n> cross(const MovingVectorBy<n>& a, const MovingVectorBy<n>& b) {
  return {a.value.cross(b.value), skew(a.value) * b.rate - skew(b.value) * a.rate};
}
template <int n>
MovingNumberBy<n> dot(const MovingVectorBy<n>& a, const MovingVectorBy<n>& b) {
  return {a.value.dot(b.value), a.value.transpose() * b.rate + b.value.transpose() * a.rate};
}
template <int n>
MovingNumberBy<n> norm(const MovingVectorBy<n>& a) {
  return {a.value.norm(), a.value.normalized().transpose() * a.rate};
}

}  // namespace drystone
