#include "solvers/problem/residual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/parallel.h"
#include "solvers/problem/cone_math.h"
#include "solvers/problem/contact_lanes.h"
#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/problem/residual_math.h"
#include "solvers/problem/small_matrix.h"

namespace drystone {
namespace {

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

/// naturalMap() of a contact with rolling: De Saxcé's shift and the projection on the whole cone,
/// see coneMap().
void rollingMap(const ProblemBlock& info, Real rho, const Real* lambda, const Real* w, Real* f) {
  constexpr FrictionModel kModel = FrictionModel::kRolling;
  constexpr int kRows = contactRows(kModel);
  Real step[kRows], before[kRows], z[kRows];
  for (int i = 0; i < kRows; ++i) step[i] = rho * w[i];
  step[0] += rho * deSaxceShift(kModel, info, w + 1);
  for (int i = 0; i < kRows; ++i) before[i] = z[i] = lambda[i] - step[i];
  projectJointly(kModel, info, z);
  for (int i = 0; i < kRows; ++i) f[i] = z[i] == before[i] ? step[i] : lambda[i] - z[i];
}

/// ρ_c of a block of which λ_max, or whatever stands for it, is known.
Real stepOf(const ContactProblem& problem, int block, const Real* diagonal, Real largest) {
  if (problem.assembled != nullptr) {
    largest += skewNorm(diagonal, problem.blocks[block].rows);
    if (!(largest > 0)) largest = largestInColumns(*problem.assembled, block);
  }
  return largest > 0 ? 1 / largest : 1;
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
    const Real upper[] = {matrix[0], (matrix[1] + matrix[3]) / 2, (matrix[2] + matrix[6]) / 2,
                          matrix[4], (matrix[5] + matrix[7]) / 2, matrix[8]};
    return largestEigenvalueOfThree(upper);
  }
  return largestEigenvalueOfAny(matrix, rows);
}

Real blockStep(const ContactProblem& problem, int block, const DiagonalBlock& diagonal) {
  const ProblemBlock& info = problem.blocks[block];
  const Real largest = hasBounds(problem, info) ? largestEigenvalue(diagonal.data(), info.rows)
                                                : trace(diagonal.data(), info.rows);
  return stepOf(problem, block, diagonal.data(), largest);
}

void measureBlocks(const ContactProblem& problem, int begin, int end, const bool* skip,
                   Real* diagonal, Real* steps) {
  const auto measureOne = [&](int block) {
    if (skip != nullptr && skip[block - begin]) return;
    const ProblemBlock& info = problem.blocks[block];
    DiagonalBlock own;
    // A block without bounds asks for its trace alone.
    if (hasBounds(problem, info)) {
      diagonalBlock(problem, block, own.data());
    } else {
      diagonalEntries(problem, block, own.data());
    }
    for (int i = 0; i < info.rows; ++i) diagonal[info.firstRow + i] = own[i * (info.rows + 1)];
    steps[block - begin] = blockStep(problem, block, own);
  };
  const auto measureMany = [&](int first, int last) {
    const int at = first - begin;
    contactLanes().measure({problem, first, last}, skip == nullptr ? nullptr : skip + at, diagonal,
                           steps + at);
    for (Real& step : std::span(steps + at, last - first)) step = step > 0 ? 1 / step : 1;
  };
  forEachRun(problem, begin, end, isLaneContact, measureMany, measureOne);
}

void naturalMap(const ContactProblem& problem, int block, Real rho, const Real* lambda,
                const Real* w, Real* f) {
  const ProblemBlock& info = problem.blocks[block];
  if (info.law == BlockLaw::kRows) {
    for (int i = 0; i < info.rows; ++i) {
      const int row = info.firstRow + i;
      f[i] = rowMap(rho, problem.lower[row], problem.upper[row], lambda[i], w[i]);
    }
    return;
  }
  if (isLaneCone(problem, info)) return coneMap<Real>(info.friction, rho, lambda, w, f);
  if (problem.friction == FrictionModel::kRolling) return rollingMap(info, rho, lambda, w, f);
  const Real radius = frictionRadius(problem.friction, info, lambda[0]);
  if (info.rows == 3) return contactMap<3>(problem.friction, radius, rho, lambda, w, f);
  if (info.rows == 4) return contactMap<4>(problem.friction, radius, rho, lambda, w, f);
  contactMap<1>(problem.friction, radius, rho, lambda, w, f);
}

Real normalError(FrictionModel model, Real rho, int rows, const Real* lambda, const Real* w) {
  if (model == FrictionModel::kBox) return aloneError(rho, lambda[0], w[0]);
  Real squared = 0;
  for (int i = 0; i < rows; ++i) squared += lambda[i] * lambda[i];
  return partingError(rho, squared, lambda[0], w[0]);
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
  error.squared = wholeError(error.squared, error.normal);
  return error;
}

void blockErrors(const ContactProblem& problem, int begin, int end, const bool* idle,
                 const Real* steps, const Real* lambda, const Real* w, BlockError* errors) {
  const auto measureOne = [&](int block) {
    const int first = problem.blocks[block].firstRow;
    const int at = block - begin;
    if (idle != nullptr && idle[at]) return;
    errors[at] = blockError(problem, block, steps[at], lambda + first, w + first);
  };
  const auto measureMany = [&](int first, int last) {
    const int at = first - begin;
    contactLanes().errors({problem, first, last}, steps + at, lambda, w, errors + at);
  };
  forEachRun(problem, begin, end, isLaneCone, measureMany, measureOne);
  if (idle == nullptr) return;
  for (int at = 0; at < end - begin; ++at) {
    if (idle[at]) errors[at] = {};
  }
}

void NaturalMapSum::add(const ContactProblem& problem, int begin, int end, const Real* steps,
                        const Real* lambda, const Real* w) {
  std::array<BlockError, kBlocksAtOnce> errors;
  for (int first = begin; first < end; first += kBlocksAtOnce) {
    const int last = std::min(first + kBlocksAtOnce, end);
    blockErrors(problem, first, last, nullptr, steps + first, lambda, w, errors.data());
    for (int block = first; block < last; ++block) add(block, errors[block - first]);
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
  sum.add(problem, 0, problem.blockCount(), steps.data(), lambda.data(), w.data());
  return sum.size();
}

void RelativeErrorSum::add(const ContactProblem& problem, int block, const Real* lambda,
                           const Real* w) {
  const ProblemBlock& info = problem.blocks[block];
  Real f[kMaxBlockRows];
  naturalMap(problem, block, 1, lambda, w, f);
  for (int i = 0; i < info.rows; ++i) {
    const Real terms[] = {f[i], problem.b[info.firstRow + i], lambda[i], w[i]};
    for (int k = 0; k < 4; ++k) sums[k] += terms[k] * terms[k];
  }
}

void RelativeErrorSum::add(const RelativeErrorSum& later) {
  for (int k = 0; k < 4; ++k) sums[k] += later.sums[k];
}

Real RelativeErrorSum::value() const {
  const Real error = sums[0];
  if (!std::isfinite(error)) return kInfinity;  // finite impulses too, whose squares are not
  return error == 0 ? 0 : std::sqrt(error / std::max({sums[1], sums[2], sums[3]}));
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
  return energyError(diagonal, lambda[rowInBlock], w, low, high);
}

void ProblemScales::reserve(const ProblemSize& size) {
  steps_.reserve(size.blocks);
  diagonal_.reserve(size.rows);
}

ContactProblem ProblemScales::measure(const ContactProblem& problem, int threads) {
  steps_.resize(problem.blockCount());
  diagonal_.resize(problem.rowCount());
  parallelRanges(problem.blockCount(), kBlocksAtOnce, threads, [&](int begin, int end) {
    measureBlocks(problem, begin, end, nullptr, diagonal_.data(), &steps_[begin]);
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
