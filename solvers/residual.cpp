#include "solvers/residual.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/check.h"
#include "solvers/laws.h"

namespace drystone {
namespace {

/// Largest root 1 + e of t³ − 3 t = 2 q, where −1 ≤ q ≤ 1: Newton steps on e³ + 3 e² = 2 (1 + q)
/// from above, where they converge without passing the root; a third of the time of acos and cos.
Real largestCubicRoot(Real q) {
  constexpr int kSteps = 5;  // from 15 % off at most: 2e-2, 3e-4, 7e-8, round-off
  const Real right = 2 * (1 + q);
  Real e = std::sqrt(right / 3);
  for (int i = 0; i < kSteps && e > 0; ++i) {
    e -= (e * e * (e + 3) - right) / (3 * e * (e + 2));
  }
  return 1 + e;
}

/// By the characteristic cubic; a is row-major, symmetric part taken.
Real largestEigenvalue3(const Real* a) {
  const Real mean = (a[0] + a[4] + a[8]) / 3;
  const Real d0 = a[0] - mean;
  const Real d1 = a[4] - mean;
  const Real d2 = a[8] - mean;
  const Real o01 = (a[1] + a[3]) / 2;
  const Real o02 = (a[2] + a[6]) / 2;
  const Real o12 = (a[5] + a[7]) / 2;
  const Real off = o01 * o01 + o02 * o02 + o12 * o12;
  const Real p = std::sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * off) / 6);
  if (!(p > 0)) return mean;
  const Real determinant =
      d0 * (d1 * d2 - o12 * o12) - o01 * (o01 * d2 - o12 * o02) + o02 * (o01 * o12 - d1 * o02);
  const Real cosine = std::clamp<Real>(determinant / (2 * p * p * p), -1, 1);
  return mean + p * largestCubicRoot(cosine);
}

bool hasBounds(const ContactProblem& problem, const ProblemBlock& block) {
  if (block.law == BlockLaw::kContact) return true;
  for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
    if (problem.lower[row] > -kInfinity || problem.upper[row] < kInfinity) return true;
  }
  return false;
}

Real trace(const Real* matrix, int rows) {
  Real sum = 0;
  for (int i = 0; i < rows; ++i) sum += matrix[i * (rows + 1)];
  return sum;
}

}  // namespace

Real largestEigenvalue(const Real* matrix, int rows) {
  DRYSTONE_ASSERT(rows >= 1 && rows <= kMaxBlockRows);
  if (rows == 1) return matrix[0];
  if (rows == 3) return largestEigenvalue3(matrix);
  using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMaxBlockRows,
                              kMaxBlockRows>;
  const Eigen::Map<const Small> a(matrix, rows, rows);
  const Small symmetric = (a + a.transpose()) / 2;
  if (!symmetric.allFinite()) return std::numeric_limits<Real>::quiet_NaN();
  const Eigen::SelfAdjointEigenSolver<Small> solver(symmetric, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[rows - 1];
}

Real blockStep(const ContactProblem& problem, int block, const Real* diagonalBlock) {
  const ProblemBlock& info = problem.blocks[block];
  const Real largest = hasBounds(problem, info) ? largestEigenvalue(diagonalBlock, info.rows)
                                                : trace(diagonalBlock, info.rows);
  return largest > 0 ? 1 / largest : 1;
}

void naturalMap(const ContactProblem& problem, int block, Real rho, const Real* lambda,
                const Real* w, Real* f) {
  const ProblemBlock& info = problem.blocks[block];
  if (info.law == BlockLaw::kRows) {
    for (int i = 0; i < info.rows; ++i) {
      const int row = info.firstRow + i;
      f[i] = lambda[i] - std::clamp(lambda[i] - rho * w[i], problem.lower[row], problem.upper[row]);
    }
    return;
  }
  Real z[4];
  for (int i = 0; i < info.rows; ++i) z[i] = lambda[i] - rho * w[i];
  if (problem.friction == FrictionModel::kCone) {
    z[0] -= rho * info.friction * std::sqrt(w[1] * w[1] + w[2] * w[2]);
    projectCone(info.friction, z);
  } else {
    z[0] = std::max<Real>(0, z[0]);
    projectFriction(problem.friction, frictionRadius(problem.friction, info, lambda[0]), z + 1);
  }
  for (int i = 0; i < info.rows; ++i) f[i] = lambda[i] - z[i];
}

NaturalMapSize naturalMapSize(const ContactProblem& problem, std::span<const Real> blockSteps,
                              std::span<const Real> lambda, std::span<const Real> w) {
  NaturalMapSize size;
  Real sum = 0;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const int first = problem.blocks[block].firstRow;
    Real f[kMaxBlockRows];
    naturalMap(problem, block, blockSteps[block], &lambda[first], &w[first], f);
    Real squared = 0;
    for (int i = 0; i < problem.blocks[block].rows; ++i) squared += f[i] * f[i];
    squared /= blockSteps[block] * blockSteps[block];
    sum += squared;
    if (squared > size.largest) {
      size.largest = squared;
      size.worstBlock = block;
    }
  }
  size.largest = std::sqrt(size.largest);
  // A sum that is not a number has no worst block; the caller must see it all the same.
  if (!std::isfinite(sum)) size.largest = kInfinity;
  size.norm = std::sqrt(sum);
  return size;
}

Real relativeError(const ContactProblem& problem, std::span<const Real> lambda,
                   std::span<const Real> w) {
  Real error = 0;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const int first = problem.blocks[block].firstRow;
    Real f[kMaxBlockRows];
    naturalMap(problem, block, 1, &lambda[first], &w[first], f);
    for (int i = 0; i < problem.blocks[block].rows; ++i) error += f[i] * f[i];
  }
  const auto squaredNorm = [](std::span<const Real> x) {
    Real sum = 0;
    for (const Real value : x) sum += value * value;
    return sum;
  };
  const Real scale = std::max({squaredNorm(problem.b), squaredNorm(lambda), squaredNorm(w)});
  return error == 0 ? 0 : std::sqrt(error / scale);
}

Real rowEnergyError(const ContactProblem& problem, int block, int rowInBlock, Real diagonal,
                    const Real* lambda, Real w) {
  if (!(diagonal > 0)) return 0;
  const ProblemBlock& info = problem.blocks[block];
  Real low = 0;
  Real high = kInfinity;
  if (info.law == BlockLaw::kRows) {
    low = problem.lower[info.firstRow + rowInBlock];
    high = problem.upper[info.firstRow + rowInBlock];
  } else if (rowInBlock > 0) {
    high = frictionSlice(problem.friction, info, lambda, rowInBlock);
    low = -high;
  }
  const Real change = lambda[rowInBlock] - std::clamp(lambda[rowInBlock] - w / diagonal, low, high);
  return diagonal * change * change / 2;
}

}  // namespace drystone
