#include "solvers/problem/residual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/parallel.h"
#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/problem/small_matrix.h"

namespace drystone {
namespace {

/// Largest root 1 + e of t³ − 3 t = 2 q, where −1 ≤ q ≤ 1: Newton steps on e³ + 3 e² = 2 (1 + q)
/// from above, where they converge without passing the root; a third of the time of acos and cos.
inline Real largestCubicRoot(Real q) {
  constexpr int kSteps = 5;  // from 15 % off at most: 2e-2, 3e-4, 7e-8, round-off
  const Real right = 2 * (1 + q);
  Real e = std::sqrt(right / 3);
  for (int i = 0; i < kSteps; ++i) {
    const Real step = (e * e * (e + 3) - right) / (3 * e * (e + 2));
    e = e > 0 ? e - step : e;
  }
  return 1 + e;
}

/// Symmetric parts of 3 × 3 matrices, entry by entry, for a loop that the compiler makes wide.
struct SymmetricBatch {
  static constexpr int kMost = kBlocksAtOnce;
  Real diagonal[3][kMost];
  Real o01[kMost], o02[kMost], o12[kMost];

  void put(int i, const Real* a) {
    for (int k = 0; k < 3; ++k) diagonal[k][i] = a[4 * k];
    o01[i] = (a[1] + a[3]) / 2;
    o02[i] = (a[2] + a[6]) / 2;
    o12[i] = (a[5] + a[7]) / 2;
  }

  /// By the characteristic cubic. Without branches; a multiple of the unit matrix has p = 0.
  void largestEigenvalues(int count, Real* result) const {
    for (int i = 0; i < count; ++i) {
      const Real mean = (diagonal[0][i] + diagonal[1][i] + diagonal[2][i]) / 3;
      const Real d0 = diagonal[0][i] - mean;
      const Real d1 = diagonal[1][i] - mean;
      const Real d2 = diagonal[2][i] - mean;
      const Real off = o01[i] * o01[i] + o02[i] * o02[i] + o12[i] * o12[i];
      const Real p = std::sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * off) / 6);
      const Real determinant = d0 * (d1 * d2 - o12[i] * o12[i]) -
                               o01[i] * (o01[i] * d2 - o12[i] * o02[i]) +
                               o02[i] * (o01[i] * o12[i] - d1 * o02[i]);
      const Real ratio = determinant / (2 * p * p * p);
      const Real cosine = ratio < -1 ? -1 : (ratio > 1 ? 1 : ratio);
      result[i] = p > 0 ? mean + p * largestCubicRoot(cosine) : mean;
    }
  }
};

Real largestEigenvalueOfAny(const Real* matrix, int rows) {
  std::array<Real, kMaxBlockRows * kMaxBlockRows> symmetric;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      symmetric[i * rows + j] = (matrix[i * rows + j] + matrix[j * rows + i]) / 2;
    }
  }
  return largestEigenvalueInPlace({symmetric.data(), static_cast<std::size_t>(rows * rows)}, rows);
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

/// Largest |entry| of the part of A in the block's columns [1/kg].
Real largestInColumns(const BlockSparseMatrix& a, int block) {
  Real largest = 0;
  for (std::size_t stored = 0; stored < a.blockColumn.size(); ++stored) {
    if (a.blockColumn[stored] != block) continue;
    for (int i = a.valueStart[stored]; i < a.valueStart[stored + 1]; ++i) {
      largest = std::max(largest, std::abs(a.values[i]));
    }
  }
  return largest;
}

/// A bound of the spectral norm of what is left of a block without its symmetric part.
Real skewNorm(const Real* matrix, int rows) {
  Real squared = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < i; ++j) {
      const Real skew = (matrix[i * rows + j] - matrix[j * rows + i]) / 2;
      squared += skew * skew;
    }
  }
  return std::sqrt(squared);
}

/// naturalMap() of a contact. Where the projection moves nothing, F = ρ w is taken as it is: λ − (λ
/// − ρ w) would lose w beside a large λ, and impulses that grow without end would pass for a
/// solution. Loops of a fixed length stay in registers.
template <int kRows>
void contactMap(FrictionModel friction, const ProblemBlock& info, Real rho, const Real* lambda,
                const Real* w, Real* f) {
  Real step[4], before[4], z[4];
  for (int i = 0; i < kRows; ++i) step[i] = rho * w[i];
  const bool isCone = kRows == 3 && friction == FrictionModel::kCone;
  if (isCone) step[0] += rho * info.friction * std::sqrt(w[1] * w[1] + w[2] * w[2]);
  for (int i = 0; i < kRows; ++i) before[i] = z[i] = lambda[i] - step[i];
  if (isCone) {
    projectCone(info.friction, z);
  } else {
    z[0] = std::max<Real>(z[0], 0);  // in this order a NaN stays one
    projectFriction(friction, frictionRadius(friction, info, lambda[0]), z + 1);
  }
  for (int i = 0; i < kRows; ++i) f[i] = z[i] == before[i] ? step[i] : lambda[i] - z[i];
}

}  // namespace

// The radius of gyration of its bodies about the axis of an angular row, where it is above 1 m.
Real armOf(const ContactProblem& problem, const ProblemBlock& block, int row) {
  if (!problem.arms.empty()) return problem.arms[row];
  if (problem.bodies.empty()) return 1;
  Real mass = 0;     // [1/kg]
  Real inertia = 0;  // [1/(kg m²)]
  const auto add = [&](int body, const Vec6& jacobian) {
    if (body < 0) return true;
    if (jacobian[0] != 0 || jacobian[1] != 0 || jacobian[2] != 0) return false;
    const Vec3 axis = jacobian.tail<3>();
    mass += problem.bodies[body].inverseMass * axis.squaredNorm();
    inertia += axis.dot(problem.bodies[body].inverseInertia * axis);
    return true;
  };
  if (!add(block.bodyA, problem.jacobianA[row]) || !add(block.bodyB, problem.jacobianB[row])) {
    return 1;
  }
  return mass > inertia && inertia > 0 ? std::sqrt(mass / inertia) : 1;
}

Real largestEigenvalue(const Real* matrix, int rows) {
  DRYSTONE_ASSERT(rows >= 1 && rows <= kMaxBlockRows);
  if (rows == 1) return matrix[0];
  if (rows == 3) {
    SymmetricBatch one;
    one.put(0, matrix);
    Real result = 0;
    one.largestEigenvalues(1, &result);
    return result;
  }
  return largestEigenvalueOfAny(matrix, rows);
}

void blockSteps(const ContactProblem& problem, int begin, int end, const DiagonalBlock* diagonals,
                Real* steps) {
  DRYSTONE_ASSERT(end - begin <= SymmetricBatch::kMost);
  SymmetricBatch batch;
  int inBatch[SymmetricBatch::kMost];
  int count = 0;
  for (int block = begin; block < end; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    const Real* diagonal = diagonals[block - begin].data();
    Real& step = steps[block - begin];
    if (!hasBounds(problem, info)) {
      step = trace(diagonal, info.rows);
    } else if (info.rows == 3) {
      batch.put(count, diagonal);
      inBatch[count++] = block - begin;
    } else {
      step = largestEigenvalue(diagonal, info.rows);
    }
  }
  Real largest[SymmetricBatch::kMost];
  batch.largestEigenvalues(count, largest);
  for (int i = 0; i < count; ++i) steps[inBatch[i]] = largest[i];
  for (int block = begin; block < end; ++block) {
    Real& step = steps[block - begin];
    if (problem.assembled != nullptr) {
      step += skewNorm(diagonals[block - begin].data(), problem.blocks[block].rows);
      if (!(step > 0)) step = largestInColumns(*problem.assembled, block);
    }
    step = step > 0 ? 1 / step : 1;
  }
}

void naturalMap(const ContactProblem& problem, int block, Real rho, const Real* lambda,
                const Real* w, Real* f) {
  const ProblemBlock& info = problem.blocks[block];
  if (info.law == BlockLaw::kRows) {
    for (int i = 0; i < info.rows; ++i) {
      const int row = info.firstRow + i;
      f[i] = std::clamp(rho * w[i], lambda[i] - problem.upper[row], lambda[i] - problem.lower[row]);
    }
    return;
  }
  if (info.rows == 3) return contactMap<3>(problem.friction, info, rho, lambda, w, f);
  if (info.rows == 4) return contactMap<4>(problem.friction, info, rho, lambda, w, f);
  contactMap<1>(problem.friction, info, rho, lambda, w, f);
}

Real normalError(FrictionModel model, Real rho, int rows, const Real* lambda, const Real* w) {
  // Without a difference of impulses, in which w would be lost.
  const Real alone = std::abs(rho * w[0] <= lambda[0] ? w[0] : lambda[0] / rho);
  if (!(w[0] > 0) || model == FrictionModel::kBox) return alone;
  Real squared = 0;
  for (int i = 0; i < rows; ++i) squared += lambda[i] * lambda[i];
  return std::max(alone, std::min(std::sqrt(squared) / rho, w[0]));
}

BlockError blockError(const ContactProblem& problem, int block, Real rho, const Real* lambda,
                      const Real* w) {
  const ProblemBlock& info = problem.blocks[block];
  BlockError error;
  Real f[kMaxBlockRows];
  naturalMap(problem, block, rho, lambda, w, f);
  for (int i = 0; i < info.rows; ++i) {
    if (info.law == BlockLaw::kRows) f[i] *= armOf(problem, info, info.firstRow + i);
    error.squared += f[i] * f[i];
  }
  error.squared /= rho * rho;
  if (info.law == BlockLaw::kRows) return error;
  error.normal = normalError(problem.friction, rho, info.rows, lambda, w);
  // It is at most √(1 + μ²) times the map of the cone: half of it leaves the map alone to μ = 1.
  constexpr Real kNormalShare = 0.5;
  const Real normal = kNormalShare * error.normal;
  // In this order a map that is not a number stays.
  error.squared = std::max(error.squared, normal * normal);
  return error;
}

void NaturalMapSum::add(const ContactProblem& problem, int block, Real rho, const Real* lambda,
                        const Real* w) {
  const BlockError error = blockError(problem, block, rho, lambda, w);
  sum_ += error.squared;
  normal_ = std::max(normal_, error.normal);
  if (error.squared > largest_) {
    largest_ = error.squared;
    worstBlock_ = block;
  }
}

void NaturalMapSum::add(const NaturalMapSum& later) {
  sum_ += later.sum_;
  normal_ = std::max(normal_, later.normal_);
  if (later.largest_ > largest_) {
    largest_ = later.largest_;
    worstBlock_ = later.worstBlock_;
  }
}

Real NaturalMapSum::largest() const {
  // A sum that is not a number has no worst block; the caller must see it all the same.
  return std::isfinite(sum_) ? std::sqrt(largest_) : kInfinity;
}

NaturalMapSize NaturalMapSum::size() const {
  NaturalMapSize size;
  size.largest = largest();
  size.worstBlock = worstBlock_;
  size.norm = std::sqrt(sum_);
  size.normal = normal_;
  return size;
}

NaturalMapSize naturalMapSize(const ContactProblem& problem, std::span<const Real> steps,
                              std::span<const Real> lambda, std::span<const Real> w) {
  NaturalMapSum sum;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const int first = problem.blocks[block].firstRow;
    sum.add(problem, block, steps[block], &lambda[first], &w[first]);
  }
  return sum.size();
}

void RelativeErrorSum::add(const ContactProblem& problem, int block, const Real* lambda,
                           const Real* w) {
  const ProblemBlock& info = problem.blocks[block];
  Real f[kMaxBlockRows];
  naturalMap(problem, block, 1, lambda, w, f);
  for (int i = 0; i < info.rows; ++i) {
    const Real b = problem.b[info.firstRow + i];
    error_ += f[i] * f[i];
    b_ += b * b;
    lambda_ += lambda[i] * lambda[i];
    w_ += w[i] * w[i];
  }
}

void RelativeErrorSum::add(const RelativeErrorSum& later) {
  error_ += later.error_;
  b_ += later.b_;
  lambda_ += later.lambda_;
  w_ += later.w_;
}

Real RelativeErrorSum::value() const {
  if (!std::isfinite(error_)) return kInfinity;  // finite impulses too, whose squares are not
  return error_ == 0 ? 0 : std::sqrt(error_ / std::max({b_, lambda_, w_}));
}

Real relativeError(const ContactProblem& problem, std::span<const Real> lambda,
                   std::span<const Real> w) {
  RelativeErrorSum sum;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const int first = problem.blocks[block].firstRow;
    sum.add(problem, block, &lambda[first], &w[first]);
  }
  return sum.value();
}

Real confirmation(std::span<const Real> b, Real naturalMap, Real tolerance) {
  Real largest = 0;
  for (const Real value : b) largest = std::max(largest, std::abs(value));
  // tolerance / min(√tolerance, 0.1), also where the tolerance is 0.
  const Real scale = std::max(std::sqrt(tolerance), 10 * tolerance);
  return largest == 0 ? 0 : naturalMap / largest * scale;
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

void ProblemScales::reserve(const ProblemSize& size) {
  steps_.reserve(size.blocks);
  diagonal_.reserve(size.rows);
}

ContactProblem ProblemScales::measure(const ContactProblem& problem, int threads) {
  steps_.resize(problem.blockCount());
  diagonal_.resize(problem.rowCount());
  parallelRanges(problem.blockCount(), kBlocksAtOnce, threads, [&](int begin, int end) {
    std::array<DiagonalBlock, kBlocksAtOnce> diagonals;
    for (int block = begin; block < end; ++block) {
      const ProblemBlock& info = problem.blocks[block];
      Real* own = diagonals[block - begin].data();
      // A block without bounds asks for its trace alone.
      if (hasBounds(problem, info)) {
        diagonalBlock(problem, block, own);
      } else {
        diagonalEntries(problem, block, own);
      }
      for (int i = 0; i < info.rows; ++i) {
        diagonal_[info.firstRow + i] = own[i * (info.rows + 1)];
      }
    }
    blockSteps(problem, begin, end, diagonals.data(), &steps_[begin]);
  });
  ContactProblem measured = problem;
  measured.steps = steps_;
  measured.diagonal = diagonal_;
  return measured;
}

void BlockSteps::start(const ContactProblem& problem, int threads) {
  problem_ = problem;
  threads_ = threads;
}

std::span<const Real> BlockSteps::values() const {
  if (problem_.steps.empty()) problem_ = scales_.measure(problem_, threads_);
  return problem_.steps;
}

}  // namespace drystone
