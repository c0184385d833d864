#include "solvers/prox/scaled_blocks.h"

#include "solvers/problem/laws.h"

namespace drystone {

StepFigures figuresOf(const StepRule& rule) {
  return {.relaxation = rule.relaxation,
          .globalStep = rule.globalStep,
          .isGlobal = rule.strategy == StepStrategy::kGlobal,
          .isSplit = rule.strategy == StepStrategy::kSplit,
          .couplesAll = rule.couplesTangents(true)};
}

/// Simultaneous updates overshoot where they meet in a body. A ≼ diag(Ŝ_cc) holds when Ŝ is built
/// with each body's M⁻¹ times the number of updates that it takes part in (‖Σ x_i‖² ≤ n Σ ‖x_i‖²),
/// so R factors from Ŝ make every Jacobi sweep descend on the impulse energy. This is the mass
/// splitting of Tonge, Benevolenski and Voroshilov (2012).
void countUpdates(const ContactProblem& problem, const SweepPlan& plan,
                  std::vector<Real>& updates) {
  const int fixedBody = problem.bodyCount();
  updates.assign(fixedBody + 1, 0);
  for (const SweepPlan::Phase& phase : plan.phases) {
    if (!phase.isSimultaneous) continue;
    for (int k = plan.unitStart[phase.firstUnit]; k < plan.unitStart[phase.endUnit]; ++k) {
      const ProblemBlock& block = problem.blocks[plan.blocks[k]];
      for (const int body : {block.bodyA, block.bodyB}) {
        updates[body < 0 ? fixedBody : body] += block.law == BlockLaw::kContact ? 1 : block.rows;
      }
    }
  }
}

void BlockScaling::reserve(const ProblemSize& size) {
  roots_.reserve(size.bodies + 1);
  updatesPerBody_.reserve(size.bodies + 1);
}

void BlockScaling::prepare(const ContactProblem& problem, const SweepPlan& plan,
                           const StepRule& rule) {
  problem_ = problem;
  plan_ = &plan;
  figures_ = figuresOf(rule);
  fixedBody_ = problem.bodyCount();
  roots_.resize(fixedBody_ + 1);
  for (int body = 0; body < fixedBody_; ++body) roots_[body] = massRoot(problem.bodies[body]);
  roots_[fixedBody_] = {};
  countUpdates(problem, plan, updatesPerBody_);
}

void BlockScaling::scaleRow(int row, int bodyA, int bodyB, Real* scaled) const {
  const MassRoot& rootA = roots_[bodyA];
  const MassRoot& rootB = roots_[bodyB];
  scaleJacobian(problem_.jacobianA[row].data(), rootA.linear, rootA.angular.data(), scaled);
  scaleJacobian(problem_.jacobianB[row].data(), rootB.linear, rootB.angular.data(), scaled + 6);
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
  return figures_.isSplit && plan_->isSimultaneous(block) ? updatesPerBody_[body] : 1;
}

template <int kRows>
void BlockScaling::scale(int index, ScaledContact<kRows>& contact) const {
  const ProblemBlock& block = problem_.blocks[index];
  contact.bodyA = bodyIndex(block.bodyA);
  contact.bodyB = bodyIndex(block.bodyB);
  contact.firstRow = block.firstRow;
  contact.friction = block.friction;
  contact.second = secondCoefficient(problem_.friction, block);
  const Real updatesA = updatesOf(index, contact.bodyA);
  const Real updatesB = updatesOf(index, contact.bodyB);
  for (int i = 0; i < kRows; ++i) {
    const int row = block.firstRow + i;
    contact.b[i] = problem_.b[row];
    contact.compliance[i] = problem_.compliance.empty() ? 0 : problem_.compliance[row];
    scaleRow(row, contact.bodyA, contact.bodyB, contact.jacobian[i]);
  }
  const bool isCoupled = figures_.couplesAll || !plan_->isSimultaneous(index);
  makeContactSteps<kRows>(contact.jacobian, contact.compliance, updatesA, updatesB, figures_,
                          isCoupled, contact.steps);
}

template void BlockScaling::scale(int, ScaledContact<1>&) const;
template void BlockScaling::scale(int, ScaledContact<3>&) const;
template void BlockScaling::scale(int, ScaledContact<4>&) const;
template void BlockScaling::scale(int, ScaledContact<5>&) const;

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
    scaleRow(i, row.bodyA, row.bodyB, row.jacobian);
    row.step = rowStep(row.jacobian, row.compliance, updatesOf(index, row.bodyA),
                       updatesOf(index, row.bodyB), figures_);
  }
}

}  // namespace drystone
