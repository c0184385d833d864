#include "solvers/problem/sum_bound.h"

#include <algorithm>
#include <cmath>

#include "solvers/problem/problem_ops.h"
#include "solvers/problem/residual.h"

namespace drystone {
namespace {

/// Steps of a least-squares fit, at most: what it leaves makes the bound larger and no less true.
constexpr int kMostFitSteps = 400;
/// Of the target: where a fit ends. A few roundings of sums over the rows of a body.
constexpr Real kFitEnd = 1e-15;
/// A sum is unique where what a fit leaves of its weights is round-off after so many steps.
constexpr Real kUniqueShare = 1e-8;

Real dot(std::span<const Real> x, std::span<const Real> y) {
  Real sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// What a motion with the relative velocities w of a contact lacks to be in the dual cone [m/s].
Real lackOf(const ProblemBlock& block, const Real* w) {
  const Real slip = block.rows > 1 ? std::hypot(w[1], w[2]) : 0;
  return block.friction * slip - w[0];
}

Real slipOf(const ProblemBlock& block, const Real* w) {
  return block.rows > 1 ? block.friction * std::hypot(w[1], w[2]) : 0;
}

/// y = J v.
void relative(const ContactProblem& problem, std::span<const Vec6> v, std::span<Real> y) {
  for (const ProblemBlock& block : problem.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      y[row] = 0;
      if (block.bodyA >= 0) y[row] += problem.jacobianA[row].dot(v[block.bodyA]);
      if (block.bodyB >= 0) y[row] += problem.jacobianB[row].dot(v[block.bodyB]);
    }
  }
}

/// y = Jᵀ x.
void gather(const ContactProblem& problem, std::span<const Real> x, std::span<Vec6> y) {
  std::ranges::fill(y, Vec6::Zero());
  for (const ProblemBlock& block : problem.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (block.bodyA >= 0) y[block.bodyA] += x[row] * problem.jacobianA[row];
      if (block.bodyB >= 0) y[block.bodyB] += x[row] * problem.jacobianB[row];
    }
  }
}

/// yᵀ M⁻¹ y.
Real inverseEnergy(const ContactProblem& problem, std::span<const Vec6> y) {
  Real sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += y[i].dot(applyInverseInertia(problem.bodies[i], y[i]));
  }
  return sum;
}

bool isMeasurable(const ContactProblem& problem) {
  const bool isKnown =
      problem.friction == FrictionModel::kNone || problem.friction == FrictionModel::kCone;
  return isKnown && problem.assembled == nullptr &&
         std::ranges::all_of(problem.blocks, [](const ProblemBlock& block) {
           return block.law == BlockLaw::kContact;
         });
}

}  // namespace

bool SumBound::isIdle(const ProblemBlock& block) const {
  const Real a = block.bodyA >= 0 ? problem_.jacobianA[block.firstRow].squaredNorm() : 0;
  const Real b = block.bodyB >= 0 ? problem_.jacobianB[block.firstRow].squaredNorm() : 0;
  return a + b == 0;
}

// Conjugate gradients for least squares: bodies in the metric of M, so that the motion that is
// found has the least energy of all with its J v. Once more on what is left, which takes the
// round-off of the first pass away.
void SumBound::fit(std::span<const Real> target) {
  const std::size_t rows = target.size(), bodies = problem_.bodies.size();
  std::ranges::fill(momentum_, Vec6::Zero());
  std::ranges::copy(target, left_.begin());
  const Real size = dot(target, target);
  for (int pass = 0; pass < 2; ++pass) {
    gather(problem_, left_, gradient_);
    Real slope = inverseEnergy(problem_, gradient_);
    direction_ = gradient_;
    for (int step = 0; step < kMostFitSteps && slope > 0; ++step) {
      for (std::size_t i = 0; i < bodies; ++i) {
        pushed_[i] = applyInverseInertia(problem_.bodies[i], direction_[i]);
      }
      relative(problem_, pushed_, step_);
      const Real curvature = dot(step_, step_);
      if (!(curvature > 0)) break;
      const Real length = slope / curvature;
      for (std::size_t i = 0; i < bodies; ++i) momentum_[i] += length * direction_[i];
      for (std::size_t i = 0; i < rows; ++i) left_[i] -= length * step_[i];
      gather(problem_, left_, gradient_);
      const Real next = inverseEnergy(problem_, gradient_);
      // The slope falls with the square of what is left along motions.
      if (next <= kFitEnd * kFitEnd * curvature / slope * size) break;
      for (std::size_t i = 0; i < bodies; ++i) {
        direction_[i] = gradient_[i] + (next / slope) * direction_[i];
      }
      slope = next;
      if (dot(left_, left_) <= kFitEnd * kFitEnd * size) break;
    }
    for (std::size_t i = 0; i < bodies; ++i) {
      v_[i] = applyInverseInertia(problem_.bodies[i], momentum_[i]);
    }
    relative(problem_, v_, step_);
    for (std::size_t i = 0; i < rows; ++i) left_[i] = target[i] - step_[i];
  }
}

Real SumBound::energyNorm() const {
  return std::sqrt(std::max<Real>(inverseEnergy(problem_, momentum_), 0));
}

bool SumBound::openAll() {
  std::ranges::fill(target_, 0.0);
  for (const ProblemBlock& block : problem_.blocks) {
    if (!isIdle(block)) target_[block.firstRow] = 1;
  }
  fit(target_);
  lifted_ = v_;
  opening_ = energyNorm();
  relative(problem_, lifted_, lift_);
  for (std::size_t c = 0; c < margin_.size(); ++c) {
    const ProblemBlock& block = problem_.blocks[c];
    margin_[c] = isIdle(block) ? 1 : -lackOf(block, &lift_[block.firstRow]);
    if (!(margin_[c] > 0)) return false;
  }
  return true;
}

bool SumBound::measure(const ContactProblem& problem, std::span<const Real> lambda) {
  velocityError_ = kInfinity;
  if (!isMeasurable(problem)) return false;
  problem_ = problem;
  const auto rows = static_cast<std::size_t>(problem.rowCount());
  for (auto* array : {&w_, &f_, &hat_, &target_, &lift_, &left_, &relative_, &step_}) {
    array->assign(rows, 0);
  }
  for (auto* array : {&margin_, &shift_}) array->assign(problem.blocks.size(), 0);
  for (auto* array : {&v_, &momentum_, &lifted_, &gradient_, &direction_, &pushed_}) {
    array->assign(problem.bodies.size(), Vec6::Zero());
  }
  if (!openAll()) return false;

  constraintVelocity(problem, lambda, pushed_, w_);
  Real gap = 0;
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (isIdle(block)) continue;
    const int first = block.firstRow;
    DiagonalBlock diagonal;
    diagonalBlock(problem, c, diagonal.data());
    const Real rho = blockStep(problem, c, diagonal);
    naturalMap(problem, c, rho, &lambda[first], &w_[first], &f_[first]);
    for (int i = first; i < first + block.rows; ++i) {
      hat_[i] = lambda[i] - f_[i];  // what the law allows
      target_[i] = f_[i] / rho;
      gap += hat_[i] * w_[i];
    }
    const Real slip = slipOf(block, &w_[first]);
    gap += hat_[first] * slip;
    const Real friction = block.rows > 1 ? std::hypot(hat_[first + 1], hat_[first + 2]) : 0;
    // Round-off apart, on the cone is what slips.
    const bool sticks = hat_[first] > 0 && friction < (1 - 1e-9) * block.friction * hat_[first];
    const bool opens = hat_[first] <= 0 && lackOf(block, &w_[first]) <= 0;
    const bool mayRest = sticks || opens;
    if (mayRest) target_[first] -= slip;
    shift_[c] = mayRest ? 0 : slip;
    if (opens) std::fill_n(&target_[first], block.rows, 0.0);
  }
  // δ: what the velocities are to lose. What remains impossible, the opening motion makes possible.
  fit(target_);
  relative(problem, v_, relative_);
  Real most = 0;
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (isIdle(block)) continue;
    const int first = block.firstRow;
    Real w[3] = {};
    for (int i = 0; i < block.rows; ++i) w[i] = w_[first + i] - relative_[first + i];
    w[0] += shift_[c];
    most = std::max(most, lackOf(block, w) / margin_[c]);
  }
  for (std::size_t i = 0; i < relative_.size(); ++i) {
    relative_[i] -= most * lift_[i];
    gap -= lambda[i] * relative_[i];
  }
  // e² ≤ e (‖δ‖_M + ‖F‖_A) + gap
  applyDelassus(problem, f_, pushed_, step_);
  const Real linear = energyNorm() + most * opening_ + std::sqrt(std::max<Real>(dot(f_, step_), 0));
  velocityError_ = (linear + std::sqrt(std::max<Real>(linear * linear + 4 * gap, 0))) / 2;

  Real own = 0, steepest = 0, least = kInfinity;
  for (std::size_t c = 0; c < margin_.size(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (isIdle(block)) continue;
    Real squared = 0;
    for (int i = block.firstRow; i < block.firstRow + block.rows; ++i) {
      squared += lambda[i] * lambda[i];
    }
    own += std::sqrt(squared);
    if (block.rows > 1) steepest = std::max(steepest, block.friction);
    least = std::min(least, margin_[c]);
  }
  const Real exact = (dot(lambda, lift_) + velocityError_ * opening_) / least;
  total_ = own + std::sqrt(1 + steepest * steepest) * std::max<Real>(exact, 0);
  return true;
}

Real SumBound::errorOf(std::span<const Real> weights) {
  isUnique_ = false;
  if (velocityError_ == kInfinity) return kInfinity;
  fit(weights);
  Real largest = 0, scale = 0;
  for (const ProblemBlock& block : problem_.blocks) {
    if (isIdle(block)) continue;
    Real squared = 0, own = 0;
    for (int i = block.firstRow; i < block.firstRow + block.rows; ++i) {
      squared += left_[i] * left_[i];
      own += weights[i] * weights[i];
    }
    largest = std::max(largest, std::sqrt(squared));
    scale = std::max(scale, std::sqrt(own));
  }
  isUnique_ = largest <= kUniqueShare * scale;
  return energyNorm() * velocityError_ + largest * total_;
}

}  // namespace drystone
