#include "solvers/problem/problem_ops.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/parallel.h"
#include "solvers/problem/contact_lanes.h"
#include "solvers/problem/laws.h"

namespace drystone {
namespace {

/// x · y in the order of two lanes, as Eigen has it of whole vectors. `head` and `tail` of x were
/// just made: a load of two entries of theirs at a time would wait until both are stored.
Real dotOfParts(const Vec3& head, const Vec3& tail, const Vec6& y) {
  const Real even = head[0] * y[0] + (head[2] * y[2] + tail[1] * y[4]);
  const Real odd = head[1] * y[1] + (tail[0] * y[3] + tail[2] * y[5]);
  return even + odd;
}

/// Upper half of values += J M⁻¹ Jᵀ of one body. kRows is fixed for the common contact.
template <int kRows>
void addToDiagonal(const InverseInertia& body, const Vec6* jacobian, int dynamicRows,
                   Real* values) {
  const int rows = kRows == Eigen::Dynamic ? dynamicRows : kRows;
  for (int i = 0; i < rows; ++i) {
    const Vec3 head = body.inverseMass * jacobian[i].head<3>();
    const Vec3 tail = body.inverseInertia * jacobian[i].tail<3>();
    for (int j = i; j < rows; ++j) values[i * rows + j] += dotOfParts(head, tail, jacobian[j]);
  }
}

/// Sets the entries of impulseToVelocity() of the bodies in [begin, end).
void impulseToRange(const ContactProblem& problem, std::span<const Real> lambda, int begin, int end,
                    std::span<Vec6> bodyVelocity) {
  std::fill(bodyVelocity.begin() + begin, bodyVelocity.begin() + end, Vec6::Zero());
  for (const ProblemBlock& block : problem.blocks) {
    const auto add = [&](int body, std::span<const Vec6> jacobian) {
      if (body < begin || body >= end) return;
      Vec6 sum = bodyVelocity[body];
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        sum += lambda[row] * jacobian[row];
      }
      bodyVelocity[body] = sum;
    };
    add(block.bodyA, problem.jacobianA);
    add(block.bodyB, problem.jacobianB);
  }
  for (int body = begin; body < end; ++body) {
    bodyVelocity[body] = applyInverseInertia(problem.bodies[body], bodyVelocity[body]);
  }
}

}  // namespace

void impulseToVelocity(const ContactProblem& problem, std::span<const Real> lambda,
                       std::span<Vec6> bodyVelocity, int threads) {
  DRYSTONE_ASSERT(static_cast<int>(bodyVelocity.size()) == problem.bodyCount());
  constexpr int kSharedBlocks = 1024;  // from which on threads share the bodies: some 20 µs of work
  const int count = problem.bodyCount();
  if (threads <= 1 || problem.blockCount() < kSharedBlocks) {
    return impulseToRange(problem, lambda, 0, count, bodyVelocity);
  }
  // Each thread looks at all blocks, in order, and adds to bodies of its own.
  parallelRanges(
      count, std::max((count + threads - 1) / threads, 1), threads,
      [&](int begin, int end) { impulseToRange(problem, lambda, begin, end, bodyVelocity); });
}

void relativeVelocity(const ContactProblem& problem, int begin, int end,
                      std::span<const Vec6> bodyVelocity, std::span<const Real> x,
                      std::span<Real> y) {
  const auto one = [&](int index) {
    const ProblemBlock& block = problem.blocks[index];
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      Real velocity = problem.compliance.empty() ? 0 : problem.compliance[row] * x[row];
      if (block.bodyA >= 0) velocity += problem.jacobianA[row].dot(bodyVelocity[block.bodyA]);
      if (block.bodyB >= 0) velocity += problem.jacobianB[row].dot(bodyVelocity[block.bodyB]);
      y[row] = velocity;
    }
  };
  const auto many = [&](int first, int last) {
    contactLanes().velocity({problem, first, last}, bodyVelocity.data(), x.data(), y.data());
  };
  forEachRun(problem, begin, end, isLaneBlock, many, one);
}

void applyDelassus(const ContactProblem& problem, std::span<const Real> x,
                   std::span<Vec6> bodyVelocity, std::span<Real> y) {
  DRYSTONE_ASSERT(static_cast<int>(x.size()) == problem.rowCount());
  DRYSTONE_ASSERT(static_cast<int>(y.size()) == problem.rowCount());
  if (problem.assembled) return problem.assembled->multiply(x, y);
  impulseToVelocity(problem, x, bodyVelocity);
  relativeVelocity(problem, 0, problem.blockCount(), bodyVelocity, x, y);
}

void constraintVelocity(const ContactProblem& problem, std::span<const Real> lambda,
                        std::span<Vec6> bodyVelocity, std::span<Real> w) {
  applyDelassus(problem, lambda, bodyVelocity, w);
  for (int row = 0; row < problem.rowCount(); ++row) w[row] += problem.b[row];
}

void diagonalBlock(const ContactProblem& problem, int block, Real* values) {
  const ProblemBlock& info = problem.blocks[block];
  const int rows = info.rows;
  if (problem.assembled) {
    const BlockSparseMatrix& matrix = *problem.assembled;
    const Real* first = &matrix.values[matrix.valueStart[matrix.diagonal[block]]];
    std::copy(first, first + rows * rows, values);
    return;
  }
  std::fill(values, values + rows * rows, 0);
  const auto addBody = [&](int body, std::span<const Vec6> jacobian) {
    if (body < 0) return;
    const InverseInertia& inertia = problem.bodies[body];
    if (rows == 3) return addToDiagonal<3>(inertia, &jacobian[info.firstRow], rows, values);
    addToDiagonal<Eigen::Dynamic>(inertia, &jacobian[info.firstRow], rows, values);
  };
  addBody(info.bodyA, problem.jacobianA);
  addBody(info.bodyB, problem.jacobianB);
  for (int i = 0; i < rows; ++i) {
    if (!problem.compliance.empty()) values[i * rows + i] += problem.compliance[info.firstRow + i];
    for (int j = 0; j < i; ++j) values[i * rows + j] = values[j * rows + i];
  }
}

void diagonalEntries(const ContactProblem& problem, int block, Real* values) {
  if (problem.assembled) return diagonalBlock(problem, block, values);
  const ProblemBlock& info = problem.blocks[block];
  const auto ofBody = [&](int body, const Vec6& jacobian) {
    return body < 0 ? 0 : applyInverseInertia(problem.bodies[body], jacobian).dot(jacobian);
  };
  for (int i = 0; i < info.rows; ++i) {
    const int row = info.firstRow + i;
    Real& entry = values[i * (info.rows + 1)];
    entry = ofBody(info.bodyA, problem.jacobianA[row]) + ofBody(info.bodyB, problem.jacobianB[row]);
    if (!problem.compliance.empty()) entry += problem.compliance[row];
  }
}

void replaceNonFinite(std::span<Real> lambda, int threads) {
  constexpr int kGrain = 1 << 14;  // rows of a range: some 10 µs of work
  parallelRanges(static_cast<int>(lambda.size()), kGrain, threads, [&](int begin, int end) {
    for (Real& value : lambda.subspan(begin, end - begin)) {
      if (!std::isfinite(value)) value = 0;
    }
  });
}

void returnToLaws(const ContactProblem& problem, std::span<Real> lambda, int threads) {
  constexpr int kGrain = 1 << 12;  // blocks of a range: some 20 µs of work
  parallelRanges(problem.blockCount(), kGrain, threads, [&](int begin, int end) {
    for (const ProblemBlock& block : problem.blocks.subspan(begin, end - begin)) {
      if (block.law == BlockLaw::kContact) {
        projectContact(problem.friction, block, &lambda[block.firstRow]);
        continue;
      }
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        lambda[row] = std::clamp(lambda[row], problem.lower[row], problem.upper[row]);
      }
    }
  });
}

}  // namespace drystone
