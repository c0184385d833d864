#include "solvers/problem/small_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solvers/problem/contact_problem.h"

namespace drystone {
namespace {

constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();
/// Convergence is quadratic: of 300,000 matrices, graded ones too, none took more than nine sweeps.
constexpr int kMaxSweeps = 12;
/// Of 600,000 matrices, graded ones and multiple eigenvalues too, none took more than 17 steps.
constexpr int kMaxSteps = 60;

struct Rotation {
  Real cosine, sine, tangent;
};

/// The smaller rotation that takes the off-diagonal entry of [[p, off], [off, q]] to zero.
Rotation rotationOf(Real p, Real q, Real off) {
  const Real cotangentOfTwice = (q - p) / (2 * off);
  const Real tangent =
      std::copysign(1, cotangentOfTwice) /
      (std::abs(cotangentOfTwice) + std::sqrt(1 + cotangentOfTwice * cotangentOfTwice));
  const Real cosine = 1 / std::sqrt(1 + tangent * tangent);
  return {cosine, tangent * cosine, tangent};
}

void rotate(const Rotation& rotation, Real& p, Real& q) {
  const Real old = p;
  p = rotation.cosine * old - rotation.sine * q;
  q = rotation.sine * old + rotation.cosine * q;
}

/// Absolute; NaN when an entry is not finite.
Real largestEntry(std::span<const Real> matrix) {
  Real largest = 0;
  for (const Real entry : matrix) {
    if (!std::isfinite(entry)) return std::numeric_limits<Real>::quiet_NaN();
    largest = std::max(largest, std::abs(entry));
  }
  return largest;
}

/// A symmetric matrix with nothing but its diagonal and what is next to it.
struct Tridiagonal {
  std::array<Real, kMaxBlockRows> diagonal{};
  std::array<Real, kMaxBlockRows> square{};  ///< of the entry at (i, i + 1)
};

/// By Householder's reflections A ← H A H, H = 1 − v vᵀ/c, that leave of each column what is next
/// to the diagonal [§8.3.1]. Works on the matrix in place.
Tridiagonal tridiagonalize(std::span<Real> matrix, int rows) {
  const auto a = [&](int i, int j) -> Real& { return matrix[i * rows + j]; };
  Tridiagonal result;
  std::array<Real, kMaxBlockRows> v{}, u{};
  for (int k = 0; k + 1 < rows; ++k) {
    Real below = 0;
    for (int i = k + 2; i < rows; ++i) below += a(i, k) * a(i, k);
    const Real next = a(k + 1, k);
    result.square[k] = next * next + below;
    if (below == 0) continue;
    const Real length = std::copysign(std::sqrt(result.square[k]), next);
    const Real c = length * (length + next);
    v[k + 1] = next + length;
    for (int i = k + 2; i < rows; ++i) v[i] = a(i, k);
    // A − v uᵀ − u vᵀ with u = (A v − v (vᵀ A v) / 2c) / c.
    Real product = 0;
    for (int i = k + 1; i < rows; ++i) {
      u[i] = 0;
      for (int j = k + 1; j < rows; ++j) u[i] += a(i, j) * v[j];
      u[i] /= c;
      product += u[i] * v[i];
    }
    for (int i = k + 1; i < rows; ++i) u[i] -= product / (2 * c) * v[i];
    for (int i = k + 1; i < rows; ++i) {
      for (int j = k + 1; j < rows; ++j) a(i, j) -= v[i] * u[j] + u[i] * v[j];
    }
  }
  for (int i = 0; i < rows; ++i) result.diagonal[i] = a(i, i);
  return result;
}

/// By QL steps without roots, in the form of Pal, Walker and Kahan [Parlett, The Symmetric
/// Eigenvalue Problem, §8.15]. Entries are at most 1.
Real largestEigenvalue(Tridiagonal& t, int rows) {
  Real* d = t.diagonal.data();
  Real* square = t.square.data();
  Real largest = -std::numeric_limits<Real>::infinity();
  int steps = 0;
  for (int first = 0; first < rows; ++first) {
    for (;;) {
      int last = first;
      while (last + 1 < rows && square[last] > kEpsilon * kEpsilon) ++last;
      if (last == first || ++steps > kMaxSteps) break;
      // The eigenvalue of the first two rows that is closer to the first one.
      const Real root = std::sqrt(square[first]);
      const Real half = (d[first + 1] - d[first]) / (2 * root);
      const Real shift = d[first] - root / (half + std::copysign(std::sqrt(half * half + 1), half));
      Real cosine = 1, sine = 0;  // squared
      Real gamma = d[last] - shift;
      Real p = gamma * gamma;
      for (int i = last - 1; i >= first; --i) {
        const Real sum = p + square[i];
        if (i + 1 < last) square[i + 1] = sine * sum;
        const Real lastCosine = cosine, lastGamma = gamma;
        cosine = p / sum;
        sine = square[i] / sum;
        gamma = cosine * (d[i] - shift) - sine * lastGamma;
        d[i + 1] = lastGamma + (d[i] - gamma);
        p = cosine > 0 ? gamma * gamma / cosine : lastCosine * square[i];
      }
      square[first] = sine * p;
      d[first] = shift + gamma;
    }
    largest = std::max(largest, d[first]);
  }
  return largest;
}

}  // namespace

Real largestEigenvalueInPlace(std::span<Real> matrix, int rows) {
  const Real scale = largestEntry(matrix);  // so that no square over- or underflows
  if (std::isnan(scale) || scale == 0) return scale;
  for (Real& entry : matrix) entry /= scale;
  Tridiagonal tridiagonal = tridiagonalize(matrix, rows);
  return scale * largestEigenvalue(tridiagonal, rows);
}

// Rotations of the columns of A make them orthogonal, A V = U: σ are their lengths, and
// A⁺ = Σ v uᵀ / σ².
void pseudoInverse(std::span<const Real> matrix, int rows, std::span<Real> inverse) {
  std::array<Real, kMaxBlockRows * kMaxBlockRows> storageU, storageV{};  // a column after the other
  const auto u = [&](int column) { return storageU.data() + column * rows; };
  const auto v = [&](int column) { return storageV.data() + column * rows; };
  const auto dot = [rows](const Real* x, const Real* y) {
    Real sum = 0;
    for (int i = 0; i < rows; ++i) sum += x[i] * y[i];
    return sum;
  };
  std::fill_n(inverse.begin(), rows * rows, 0.0);
  const Real scale = largestEntry(matrix);  // so that no square over- or underflows
  if (scale == 0) return;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) u(j)[i] = matrix[i * rows + j] / scale;
    v(i)[i] = 1;
  }
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMaxSweeps; ++sweep) {
    rotated = false;
    for (int p = 0; p < rows; ++p) {
      for (int q = p + 1; q < rows; ++q) {
        const Real pp = dot(u(p), u(p)), qq = dot(u(q), u(q)), pq = dot(u(p), u(q));
        if (std::abs(pq) <= rows * kEpsilon * std::sqrt(pp * qq)) continue;
        const Rotation rotation = rotationOf(pp, qq, pq);
        for (int i = 0; i < rows; ++i) {
          rotate(rotation, u(p)[i], u(q)[i]);
          rotate(rotation, v(p)[i], v(q)[i]);
        }
        rotated = true;
      }
    }
  }
  std::array<Real, kMaxBlockRows> square;  // σ²
  for (int k = 0; k < rows; ++k) square[k] = dot(u(k), u(k));
  const Real largest = std::sqrt(*std::max_element(square.begin(), square.begin() + rows));
  const Real negligible = rows * kEpsilon * largest;
  for (int k = 0; k < rows; ++k) {
    if (!(std::sqrt(square[k]) > negligible)) continue;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < rows; ++j)
        inverse[i * rows + j] += v(k)[i] * u(k)[j] / (scale * square[k]);
    }
  }
}

}  // namespace drystone
