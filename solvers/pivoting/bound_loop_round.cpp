// The problem of one round of the loop: its tangents turned along the slip, and its proximal term.

#include "solvers/pivoting/bound_loop.h"

#include <algorithm>
#include <cmath>

#include "solvers/problem/laws.h"

namespace drystone {

void BoundLoop::turnTangents(std::span<const Real> lambda, std::span<const Real> w) {
  const ContactProblem& problem = rows_.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (!isCoupled(problem, block)) continue;
    const int tangent = block.firstRow + 1;
    // Turned rows would have a compliance that is not diagonal.
    const bool canTurn = problem.compliance.empty() ||
                         problem.compliance[tangent] == problem.compliance[tangent + 1];
    const Real z1 = lambda[tangent] - rows_.step(c) * w[tangent];
    const Real z2 = lambda[tangent + 1] - rows_.step(c) * w[tangent + 1];
    const Real length = std::hypot(z1, z2);
    if (length > 0 && canTurn) frames_[c] = {z1 / length, z2 / length};
    const Real radius = block.friction * normalBound_[c];
    alongBefore_[c] = canTurn ? std::min(length, radius) : 0;
    slipCompliance_[c] =
        canTurn && length > radius && radius > 0 ? (length / radius - 1) / rows_.step(c) : 0;
  }
}

template <class Turn>
void BoundLoop::forEachTurned(Turn&& turn) const {
  const ContactProblem& problem = rows_.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    if (isCoupled(problem, problem.blocks[c]) && frames_[c].cosine != 1) {
      turn(c, problem.blocks[c].firstRow + 1, frames_[c].cosine, frames_[c].sine);
    }
  }
}

void BoundLoop::toFrames(std::span<Real> lambda) const {
  forEachTurned([&](int, int t, Real cosine, Real sine) {
    const Real x = lambda[t], y = lambda[t + 1];
    lambda[t] = cosine * x + sine * y;
    lambda[t + 1] = cosine * y - sine * x;
  });
}

void BoundLoop::fromFrames(std::span<Real> lambda) const {
  forEachTurned([&](int, int t, Real cosine, Real sine) {
    const Real x = lambda[t], y = lambda[t + 1];
    lambda[t] = cosine * x - sine * y;
    lambda[t + 1] = cosine * y + sine * x;
  });
}

void BoundLoop::prepareTurned(bool assemble) {
  copyProblem();
  addProximalTerm();
  turnedRows_.prepare(turned_.view(), assemble);
  if (!proximal_.isOn()) return;
  turnedPoint_.assign(proximal_.point().begin(), proximal_.point().end());
  toFrames(turnedPoint_);
  for (int row = 0; row < rows_.rowCount(); ++row) {
    turnedRows_.shift()[row] = -proximal_.weight(row) * turnedPoint_[row];
  }
}

/// A contact's rows have one weight, so that its frame does not matter.
void BoundLoop::addProximalTerm() {
  if (!proximal_.isOn()) return;
  if (!turned_.assembled) {
    for (int row = 0; row < rows_.rowCount(); ++row) {
      turned_.compliance[row] += proximal_.weight(row);
    }
    return;
  }
  BlockSparseMatrix& matrix = *turned_.assembled;
  for (int c = 0; c < matrix.blockCount(); ++c) {
    const int size = matrix.blockRows(c);
    Real* values = matrix.values.data() + matrix.valueStart[matrix.diagonal[c]];
    for (int i = 0; i < size; ++i) {
      values[i * (size + 1)] += proximal_.weight(turned_.blocks[c].firstRow + i);
    }
  }
}

Real BoundLoop::continueProximal(Real error) {
  if (proximal_.isOn()) {
    for (int row = 0; row < rows_.rowCount(); ++row) {
      w_[row] += proximal_.weight(row) * (lambda_[row] - proximal_.point()[row]);
    }
    const ContactProblem& problem = rows_.problem();
    const Real withTerm = naturalMapSize(problem, rows_.steps(), lambda_, w_).largest;
    proximal_.endRound(lambda_, withTerm, error);
    if (!proximal_.isNew()) return withTerm;
  } else {
    proximal_.start(rows_, bestLambda_, errorOf(bestLambda_).largest);
  }
  lambda_.assign(proximal_.point().begin(), proximal_.point().end());
  errorOf(lambda_);
  return kInfinity;
}

void BoundLoop::copyProblem() {
  const ContactProblem& problem = rows_.problem();
  const auto copy = [](const auto& from, auto& to) { to.assign(from.begin(), from.end()); };
  turned_.friction = FrictionModel::kBox;
  turned_.timestep = problem.timestep;
  copy(problem.blocks, turned_.blocks);
  copy(problem.b, turned_.b);
  copy(problem.lower, turned_.lower);
  copy(problem.upper, turned_.upper);
  copy(problem.bodies, turned_.bodies);
  copy(problem.jacobianA, turned_.jacobianA);
  copy(problem.jacobianB, turned_.jacobianB);
  copy(problem.compliance, turned_.compliance);
  turned_.compliance.resize(problem.rowCount(), 0);
  toFrames(turned_.b);
  if (problem.assembled != nullptr) {
    turned_.assembled = *problem.assembled;
    turnAssembled();
  } else {
    turned_.assembled.reset();
    turnRows();
  }
}

void BoundLoop::turnRows() {
  forEachTurned([&](int, int t, Real cosine, Real sine) {
    for (auto* jacobian : {&turned_.jacobianA, &turned_.jacobianB}) {
      const Vec6 x = (*jacobian)[t], y = (*jacobian)[t + 1];
      (*jacobian)[t] = cosine * x + sine * y;
      (*jacobian)[t + 1] = cosine * y - sine * x;
    }
  });
  for (int c = 0; c < static_cast<int>(turned_.blocks.size()); ++c) {
    if (slipCompliance_[c] > 0) {
      turned_.compliance[turned_.blocks[c].firstRow + 2] += slipCompliance_[c];
    }
  }
}

void BoundLoop::turnAssembled() {
  BlockSparseMatrix& matrix = *turned_.assembled;
  const auto isTurned = [&](int c) {
    return isCoupled(rows_.problem(), rows_.problem().blocks[c]) && frames_[c].cosine != 1;
  };
  for (int c = 0; c < matrix.blockCount(); ++c) {
    for (int k = matrix.blockStart[c]; k < matrix.blockStart[c + 1]; ++k) {
      const int d = matrix.blockColumn[k];
      const int width = matrix.blockRows(d);
      Real* values = matrix.values.data() + matrix.valueStart[k];
      if (isTurned(c)) {
        for (int j = 0; j < width; ++j) {
          const Real x = values[width + j], y = values[2 * width + j];
          values[width + j] = frames_[c].cosine * x + frames_[c].sine * y;
          values[2 * width + j] = frames_[c].cosine * y - frames_[c].sine * x;
        }
      }
      if (isTurned(d)) {
        for (int i = 0; i < matrix.blockRows(c); ++i) {
          Real* row = values + i * width;
          const Real x = row[1], y = row[2];
          row[1] = frames_[d].cosine * x + frames_[d].sine * y;
          row[2] = frames_[d].cosine * y - frames_[d].sine * x;
        }
      }
    }
    if (slipCompliance_[c] > 0) {
      matrix.values[matrix.valueStart[matrix.diagonal[c]] + 8] += slipCompliance_[c];
    }
  }
}

}  // namespace drystone
