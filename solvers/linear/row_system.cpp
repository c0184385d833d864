#include "solvers/linear/row_system.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/timer.h"

namespace drystone {
namespace {

/// Velocities below this are nothing, also when there are no others to compare with [m/s].
constexpr Real kLeastScale = 1e-12;

}  // namespace

void RowSystem::reserve(const ProblemSize& size) {
  scaledRows_.reserve(size.rows);
  roots_.reserve(size.bodies);
  bodyImpulse_.reserve(size.bodies);
  compliance_.reserve(size.rows);
  diagonal_.reserve(size.rows);
  isIdle_.reserve(size.rows);
  steps_.reserve(size);
  shift_.reserve(size.rows);
}

void RowSystem::prepare(const ContactProblem& problem, bool assemble) {
  problem_ = problem;
  steps_.start(problem);
  assemblyMs_ = 0;
  asymmetry_ = 0;
  shift_.assign(problem.rowCount(), 0);
  matrix_ = problem.assembled;
  compliance_.assign(problem.compliance.begin(), problem.compliance.end());
  if (matrix_ != nullptr) {
    asymmetry_ = matrix_->asymmetry();
    compliance_.assign(problem.rowCount(), 0);
  } else {
    scaleRows();
    if (assemble) {
      const Timer timer;
      assembleDelassus(problem, assembly_, assembled_);
      matrix_ = &assembled_;
      assemblyMs_ = timer.milliseconds();
    }
  }
  measureDiagonal();
  findIdleRows();
  velocityScale_ = kLeastScale;
  for (const Real value : problem.b) {
    velocityScale_ = std::isfinite(value) ? std::max(velocityScale_, std::abs(value)) : kInfinity;
  }
}

void RowSystem::scaleRows() {
  const int bodies = problem_.bodyCount();
  roots_.resize(bodies);
  bodyImpulse_.resize(bodies);
  scaledRows_.resize(problem_.rowCount());
  for (int i = 0; i < bodies; ++i) roots_[i] = massRoot(problem_.bodies[i]);
  const auto scale = [&](int body, const Vec6& jacobian, Vec6& row) {
    if (body < 0) {
      row.setZero();
      return;
    }
    row.head<3>() = roots_[body].linear * jacobian.head<3>();
    row.tail<3>().noalias() = roots_[body].angular.transpose() * jacobian.tail<3>();
  };
  for (const ProblemBlock& block : problem_.blocks) {
    DRYSTONE_ASSERT(block.bodyA != block.bodyB || block.bodyA < 0);
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      scale(block.bodyA, problem_.jacobianA[row], scaledRows_[row].onA);
      scale(block.bodyB, problem_.jacobianB[row], scaledRows_[row].onB);
    }
  }
}

void RowSystem::measureDiagonal() {
  diagonal_.resize(problem_.rowCount());
  for (int c = 0; c < problem_.blockCount(); ++c) {
    const ProblemBlock& block = problem_.blocks[c];
    for (int i = 0; i < block.rows; ++i) {
      const int row = block.firstRow + i;
      if (problem_.assembled != nullptr) {
        diagonal_[row] =
            matrix_->values[matrix_->valueStart[matrix_->diagonal[c]] + i * (block.rows + 1)];
      } else {
        const ScaledRow& g = scaledRows_[row];
        diagonal_[row] = g.onA.squaredNorm() + g.onB.squaredNorm() + compliance(row);
      }
    }
  }
}

void RowSystem::findIdleRows() {
  isIdle_.resize(problem_.rowCount());
  for (int row = 0; row < rowCount(); ++row) isIdle_[row] = diagonal_[row] == 0 ? 1 : 0;
  const auto isMarked = [](std::uint8_t mark) { return mark != 0; };
  hasIdleRows_ = std::any_of(isIdle_.begin(), isIdle_.end(), isMarked);
  // In body form no diagonal is no row.
  if (!hasIdleRows_ || problem_.assembled == nullptr) return;
  for (int c = 0; c < matrix_->blockCount(); ++c) {
    for (int k = matrix_->blockStart[c]; k < matrix_->blockStart[c + 1]; ++k) {
      const int width = matrix_->blockRows(matrix_->blockColumn[k]);
      const Real* value = matrix_->values.data() + matrix_->valueStart[k];
      for (int row = matrix_->rowStart[c]; row < matrix_->rowStart[c + 1]; ++row, value += width) {
        if (std::any_of(value, value + width, [](Real entry) { return entry != 0; })) {
          isIdle_[row] = 0;
        }
      }
    }
  }
  hasIdleRows_ = std::any_of(isIdle_.begin(), isIdle_.end(), isMarked);
}

void RowSystem::multiply(std::span<const Real> x, std::span<Vec6> bodyImpulse,
                         std::span<Real> y) const {
  if (problem_.assembled != nullptr) {
    matrix_->multiply(x, y);
    return;
  }
  for (Vec6& impulse : bodyImpulse) impulse.setZero();
  for (const ProblemBlock& block : problem_.blocks) {
    Vec6 onA = Vec6::Zero(), onB = Vec6::Zero();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      onA += scaledRows_[row].onA * x[row];
      onB += scaledRows_[row].onB * x[row];
    }
    if (block.bodyA >= 0) bodyImpulse[block.bodyA] += onA;
    if (block.bodyB >= 0) bodyImpulse[block.bodyB] += onB;
  }
  for (const ProblemBlock& block : problem_.blocks) {
    const Vec6 onA = block.bodyA >= 0 ? bodyImpulse[block.bodyA] : Vec6::Zero();
    const Vec6 onB = block.bodyB >= 0 ? bodyImpulse[block.bodyB] : Vec6::Zero();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      y[row] =
          scaledRows_[row].onA.dot(onA) + scaledRows_[row].onB.dot(onB) + compliance(row) * x[row];
    }
  }
}

Real RowSystem::roundOff(std::span<const Real> lambda) const {
  Real largest = 0;
  for (int row = 0; row < rowCount(); ++row) {
    largest = std::max(largest, kRoundOff * diagonal_[row] * std::abs(lambda[row]));
  }
  return largest;
}

void RowSystem::velocity(std::span<const Real> lambda, std::span<Real> w) {
  multiply(lambda, w);
  for (int row = 0; row < rowCount(); ++row) w[row] += problem_.b[row] + shift_[row];
}

}  // namespace drystone
