#include "solvers/prox/scaled_blocks.h"

#include <cmath>

#include "solvers/prox/relaxation.h"

namespace drystone {
namespace {

/// One entry at a time: they were just written so, and a wider load would wait for all of them.
inline Real dotOfSix(const Real* x, const Real* y) {
  Real sum = 0;
  for (int i = 0; i < 6; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

void BlockScaling::reserve(const ProblemSize& size) {
  roots_.reserve(size.bodies + 1);
  updatesPerBody_.reserve(size.bodies + 1);
}

void BlockScaling::prepare(const ContactProblem& problem, const SweepPlan& plan,
                           const StepRule& rule) {
  problem_ = problem;
  plan_ = &plan;
  rule_ = rule;
  fixedBody_ = problem.bodyCount();
  roots_.resize(fixedBody_ + 1);
  for (int body = 0; body < fixedBody_; ++body) roots_[body] = massRoot(problem.bodies[body]);
  roots_[fixedBody_] = {};
  countUpdates();
}

/// One body's six entries of J̃ = J L; L is lower triangular in its angular part.
void BlockScaling::scaleJacobian(const Vec6& jacobian, const MassRoot& root, Real* scaled) {
  const Real x = jacobian[3], y = jacobian[4], z = jacobian[5];
  for (int i = 0; i < 3; ++i) scaled[i] = jacobian[i] * root.linear;
  scaled[3] = x * root.angular(0, 0) + y * root.angular(1, 0) + z * root.angular(2, 0);
  scaled[4] = y * root.angular(1, 1) + z * root.angular(2, 1);
  scaled[5] = z * root.angular(2, 2);
}

/// Simultaneous updates overshoot where they meet in a body. A ≼ diag(Ŝ_cc) holds when Ŝ is built
/// with each body's M⁻¹ times the number of updates that it takes part in (‖Σ x_i‖² ≤ n Σ ‖x_i‖²),
/// so R factors from Ŝ make every Jacobi sweep descend on the impulse energy. This is the mass
/// splitting of Tonge, Benevolenski and Voroshilov (2012).
void BlockScaling::countUpdates() {
  updatesPerBody_.assign(fixedBody_ + 1, 0);
  for (int index = 0; index < problem_.blockCount(); ++index) {
    if (!plan_->isSimultaneous(index)) continue;
    const ProblemBlock& block = problem_.blocks[index];
    const Real updates = block.law == BlockLaw::kContact ? 1 : block.rows;
    updatesPerBody_[bodyIndex(block.bodyA)] += updates;
    updatesPerBody_[bodyIndex(block.bodyB)] += updates;
  }
}

void BlockScaling::prefetch(int index) const {
  constexpr int kLine = 64;
  const ProblemBlock& block = problem_.blocks[index];
  const auto ask = [](const void* begin, int bytes) {
    for (int at = 0; at < bytes; at += kLine)
      __builtin_prefetch(static_cast<const char*>(begin) + at);
  };
  const int bytes = block.rows * static_cast<int>(sizeof(Vec6));
  ask(&problem_.jacobianA[block.firstRow], bytes);
  ask(&problem_.jacobianB[block.firstRow], bytes);
  ask(&problem_.b[block.firstRow], 1);
  ask(&roots_[bodyIndex(block.bodyA)], sizeof(MassRoot));
  ask(&roots_[bodyIndex(block.bodyB)], sizeof(MassRoot));
}

Real BlockScaling::updatesOf(int block, int body) const {
  const bool isSplit = rule_.strategy == StepStrategy::kSplit;
  return isSplit && plan_->isSimultaneous(block) ? updatesPerBody_[body] : 1;
}

template <int kRows>
void BlockScaling::scale(int index, ScaledContact<kRows>& contact) const {
  const ProblemBlock& block = problem_.blocks[index];
  contact.bodyA = bodyIndex(block.bodyA);
  contact.bodyB = bodyIndex(block.bodyB);
  contact.firstRow = block.firstRow;
  contact.friction = block.friction;
  contact.boxRadius = block.friction * block.normalBound;
  const Real updatesA = updatesOf(index, contact.bodyA);
  const Real updatesB = updatesOf(index, contact.bodyB);
  Real diagonal[kRows * kRows];
  for (int i = 0; i < kRows; ++i) {
    const int row = block.firstRow + i;
    contact.b[i] = problem_.b[row];
    contact.compliance[i] = problem_.compliance.empty() ? 0 : problem_.compliance[row];
    scaleJacobian(problem_.jacobianA[row], roots_[contact.bodyA], contact.jacobian[i]);
    scaleJacobian(problem_.jacobianB[row], roots_[contact.bodyB], contact.jacobian[i] + 6);
    for (int j = 0; j <= i; ++j) {
      const Real* p = contact.jacobian[i];
      const Real* q = contact.jacobian[j];
      const Real entry = updatesA * dotOfSix(p, q) + updatesB * dotOfSix(p + 6, q + 6);
      diagonal[i * kRows + j] = diagonal[j * kRows + i] = entry;
    }
    diagonal[i * kRows + i] += contact.compliance[i];
  }
  if (rule_.strategy == StepStrategy::kGlobal) {
    contact.steps.normal = contact.steps.tangent = rule_.relaxation * rule_.globalStep;
  } else {
    const ContactScales scales = contactScales(diagonal, kRows);
    contact.steps.normal = stepFor(rule_.relaxation, scales.normal);
    contact.steps.tangent = stepFor(rule_.relaxation, scales.tangent);
  }
  const bool coupled = rule_.couplesTangents(plan_->isSimultaneous(index));
  for (int i = 1; i < kRows; ++i) {
    contact.steps.coupling[i - 1] = coupled ? diagonal[i * kRows] : 0;
  }
}

template void BlockScaling::scale(int, ScaledContact<1>&) const;
template void BlockScaling::scale(int, ScaledContact<3>&) const;
template void BlockScaling::scale(int, ScaledContact<4>&) const;

void BlockScaling::scaleRows(int index, ScaledJointRow* rows) const {
  const ProblemBlock& block = problem_.blocks[index];
  for (int i = block.firstRow; i < block.firstRow + block.rows; ++i) {
    ScaledJointRow& row = rows[i - block.firstRow];
    row.row = i;
    row.bodyA = bodyIndex(block.bodyA);
    row.bodyB = bodyIndex(block.bodyB);
    row.b = problem_.b[i];
    row.compliance = problem_.compliance.empty() ? 0 : problem_.compliance[i];
    row.lower = problem_.lower[i];
    row.upper = problem_.upper[i];
    scaleJacobian(problem_.jacobianA[i], roots_[row.bodyA], row.jacobian);
    scaleJacobian(problem_.jacobianB[i], roots_[row.bodyB], row.jacobian + 6);
    const Real scale = updatesOf(index, row.bodyA) * ConstSix(row.jacobian).squaredNorm() +
                       updatesOf(index, row.bodyB) * ConstSix(row.jacobian + 6).squaredNorm() +
                       row.compliance;
    row.step = rule_.strategy == StepStrategy::kGlobal ? rule_.relaxation * rule_.globalStep
                                                       : stepFor(rule_.relaxation, scale);
  }
}

}  // namespace drystone
