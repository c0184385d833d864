#include "solvers/problem/idle_rows.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace drystone {
namespace {

bool movesBody(const InverseInertia& body, const Vec6& jacobian) {
  if (body.inverseMass > 0 && !jacobian.head<3>().isZero(0)) return true;
  const Vec3 angular = jacobian.tail<3>();
  return angular.dot(body.inverseInertia * angular) > 0;
}

bool isIdleInA(const BlockSparseMatrix& a, int block, int rowInBlock) {
  for (int stored = a.blockStart[block]; stored < a.blockStart[block + 1]; ++stored) {
    const int columns = a.blockRows(a.blockColumn[stored]);
    const Real* values = &a.values[a.valueStart[stored] + rowInBlock * columns];
    const bool isZero = std::all_of(values, values + columns, [](Real x) { return x == 0; });
    if (!isZero) return false;
  }
  return true;
}

bool isIdle(const ContactProblem& problem, int block, int rowInBlock) {
  if (problem.assembled != nullptr) return isIdleInA(*problem.assembled, block, rowInBlock);
  const ProblemBlock& info = problem.blocks[block];
  const int row = info.firstRow + rowInBlock;
  if (!problem.compliance.empty() && problem.compliance[row] > 0) return false;
  const auto moves = [&](int body, const Vec6& jacobian) {
    return body >= 0 && movesBody(problem.bodies[body], jacobian);
  };
  return !moves(info.bodyA, problem.jacobianA[row]) && !moves(info.bodyB, problem.jacobianB[row]);
}

/// Whether there is something to answer: a contact whose normal moves something has nothing.
bool hasIdleRow(const ContactProblem& problem, int block) {
  const ProblemBlock& info = problem.blocks[block];
  const int rows = info.law == BlockLaw::kRows ? info.rows : 1;
  for (int i = 0; i < rows; ++i) {
    if (isIdle(problem, block, i)) return true;
  }
  return false;
}

}  // namespace

Real stillVelocity(std::span<const Real> b) {
  constexpr Real kShare = 1e-10;
  constexpr Real kLeastScale = 1e-12;  // [m/s] nothing, also when there is nothing to compare with
  Real largest = kLeastScale;
  for (const Real value : b) largest = std::max(largest, std::abs(value));
  return kShare * largest;
}

IdleAnswer idleAnswer(Real b, Real lower, Real upper, Real still) {
  const Real least = std::clamp<Real>(0, lower, upper);
  if (lower == upper || std::abs(b) <= still) return {least, true};
  const Real bound = b > 0 ? lower : upper;
  return std::isfinite(bound) ? IdleAnswer{bound, true} : IdleAnswer{least, false};
}

void IdleRows::answerRow(int row, Real lower, Real upper, std::span<Real> lambda) {
  const IdleAnswer answer = idleAnswer(problem_.b[row], lower, upper, still_);
  lambda[row] = answer.lambda;
  if (answer.isPossible) return;
  isPossible_ = false;
  leaveOut(row);
}

void IdleRows::leaveOut(int row) {
  if (problem_.b.data() != b_.data()) {
    b_.assign(problem_.b.begin(), problem_.b.end());
    problem_.b = b_;
  }
  b_[row] = 0;
}

void IdleRows::answerBlock(int block, std::span<Real> lambda) {
  const ProblemBlock& info = problem_.blocks[block];
  if (info.law == BlockLaw::kRows) {
    for (int i = 0; i < info.rows; ++i) {
      const int row = info.firstRow + i;
      if (isIdle(problem_, block, i)) {
        answerRow(row, problem_.lower[row], problem_.upper[row], lambda);
      }
    }
    return;
  }
  if (!isIdle(problem_, block, 0)) return;
  answerRow(info.firstRow, 0, kInfinity, lambda);
  for (int i = 1; i < info.rows; ++i) {
    if (!isIdle(problem_, block, i)) continue;
    const int row = info.firstRow + i;
    if (problem_.friction == FrictionModel::kBox) {
      const Real radius = info.friction * info.normalBound;
      answerRow(row, -radius, radius, lambda);
    } else {
      // Without a normal impulse there is no friction, and the slip does not matter.
      lambda[row] = 0;
      leaveOut(row);
    }
  }
}

const ContactProblem& IdleRows::answer(const ContactProblem& problem, std::span<Real> lambda,
                                       int threads) {
  problem_ = problem;
  isPossible_ = true;
  const int blocks = problem.blockCount();
  hasIdle_.assign((blocks + kBlocks - 1) / kBlocks, 0);
  parallelRanges(blocks, kBlocks, threads, [&](int begin, int end) {
    for (int block = begin; block < end; ++block) {
      if (hasIdleRow(problem, block)) hasIdle_[begin / kBlocks] = 1;
    }
  });
  if (std::find(hasIdle_.begin(), hasIdle_.end(), 1) == hasIdle_.end()) return problem_;
  still_ = stillVelocity(problem.b);
  for (int block = 0; block < blocks; ++block) {
    if (hasIdle_[block / kBlocks] != 0) answerBlock(block, lambda);
  }
  return problem_;
}

}  // namespace drystone
