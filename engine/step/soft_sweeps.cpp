#include "engine/step/soft_sweeps.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

Vec6 scaledRow(const MassRoot& root, const Vec6& jacobian) {
  Vec6 row;
  row.head<3>() = root.linear * jacobian.head<3>();
  row.tail<3>() = root.angular.transpose() * jacobian.tail<3>();
  return row;
}

/// L v.
Vec6 unscaled(const MassRoot& root, const Vec6& v) {
  Vec6 u;
  u.head<3>() = root.linear * v.head<3>();
  u.tail<3>() = root.angular * v.tail<3>();
  return u;
}

/// v with L v = u; 0 along what is locked.
Vec6 scaled(const MassRoot& root, const Vec6& u) {
  Vec6 v = Vec6::Zero();
  if (root.linear > 0) v.head<3>() = u.head<3>() / root.linear;
  for (int i = 0; i < 3; ++i) {
    Real rest = u[3 + i];
    for (int j = 0; j < i; ++j) rest -= root.angular(i, j) * v[3 + j];
    if (root.angular(i, i) > 0) v[3 + i] = rest / root.angular(i, i);
  }
  return v;
}

/// One island at work.
class Sweeps : public SoftContactSweeps<Sweeps> {
 public:
  Sweeps(const SoftInput& input, SoftWorkspace& work)
      : SoftContactSweeps(work.contacts, work.lambda, input.h / kSoftSubsteps, input.maxPush),
        input_(input),
        work_(work) {}

  void prepare(std::span<const Real> lambda);
  void run(std::span<Real> total, std::span<Vec6> way);

  Real velocity(const SoftContact& contact, int i) const {
    return along(contact, i, work_.velocity) + input_.fixed[contact.firstRow + i];
  }
  Real gap(const SoftContact& contact) const {
    return contact.gap + along(contact, 0, work_.way) + time_ * input_.fixed[contact.firstRow];
  }
  void apply(const SoftContact& contact, int i, Real impulse) {
    const ScaledRow& row = work_.rows[contact.firstRow + i];
    if (contact.bodyA >= 0) work_.velocity[contact.bodyA] += impulse * row.onA;
    if (contact.bodyB >= 0) work_.velocity[contact.bodyB] += impulse * row.onB;
  }

 private:
  void applyAll();
  void move();

  /// Along a row: of a velocity, or of a way.
  Real along(const SoftContact& contact, int i, const std::vector<Vec6>& v) const {
    const ScaledRow& row = work_.rows[contact.firstRow + i];
    Real sum = 0;
    if (contact.bodyA >= 0) sum += row.onA.dot(v[contact.bodyA]);
    if (contact.bodyB >= 0) sum += row.onB.dot(v[contact.bodyB]);
    return sum;
  }
  const SoftInput& input_;
  SoftWorkspace& work_;
  Real time_ = 0;  // since the start [s]
};

void Sweeps::prepare(std::span<const Real> lambda) {
  const ContactProblem& problem = input_.problem;
  const int bodies = problem.bodyCount();
  work_.roots.resize(bodies);
  work_.velocity.resize(bodies);
  work_.gain.resize(bodies);
  work_.way.assign(bodies, Vec6::Zero());
  for (int i = 0; i < bodies; ++i) {
    work_.roots[i] = massRoot(problem.bodies[i]);
    work_.velocity[i] = scaled(work_.roots[i], input_.old[i]);
    work_.gain[i] = (scaled(work_.roots[i], input_.free[i]) - work_.velocity[i]) / kSoftSubsteps;
  }
  work_.rows.resize(problem.rowCount());
  work_.contacts.clear();
  work_.lambda.resize(problem.rowCount());
  for (int row = 0; row < problem.rowCount(); ++row)
    work_.lambda[row] = lambda[row] / kSoftSubsteps;
  for (int k = 0; k < problem.blockCount(); ++k) {
    const ProblemBlock& block = problem.blocks[k];
    SoftContact contact{.bodyA = block.bodyA,
                        .bodyB = block.bodyB,
                        .firstRow = block.firstRow,
                        .rows = block.rows,
                        .friction = block.friction,
                        .gap = input_.gap[k],
                        .leak = kSoftLeakShare * input_.average[k] / kSoftSubsteps,
                        .tangentStep = 0};
    Real diagonal[3] = {};
    for (int i = 0; i < block.rows; ++i) {
      const int row = block.firstRow + i;
      ScaledRow& scaled = work_.rows[row];
      scaled = {};
      if (block.bodyA >= 0) {
        scaled.onA = scaledRow(work_.roots[block.bodyA], problem.jacobianA[row]);
      }
      if (block.bodyB >= 0) {
        scaled.onB = scaledRow(work_.roots[block.bodyB], problem.jacobianB[row]);
      }
      diagonal[i] = scaled.onA.squaredNorm() + scaled.onB.squaredNorm();
    }
    contact.normalMass = diagonal[0] > 0 ? 1 / diagonal[0] : 0;
    if (block.rows == 3) {
      const ScaledRow &p = work_.rows[block.firstRow + 1], &q = work_.rows[block.firstRow + 2];
      const Real cross = p.onA.dot(q.onA) + p.onB.dot(q.onB);
      contact.tangentStep = softTangentStep(diagonal[1], diagonal[2], cross);
    }
    softenContact(block.bodyA < 0 || block.bodyB < 0, h_, contact);
    work_.contacts.push_back(contact);
  }
}

void Sweeps::applyAll() {
  for (std::size_t i = 0; i < work_.velocity.size(); ++i) work_.velocity[i] += work_.gain[i];
  for (const SoftContact& contact : work_.contacts) {
    for (int i = 0; i < contact.rows; ++i) apply(contact, i, work_.lambda[contact.firstRow + i]);
  }
}

void Sweeps::move() {
  for (std::size_t i = 0; i < work_.way.size(); ++i) work_.way[i] += h_ * work_.velocity[i];
  time_ += h_;
}

void Sweeps::run(std::span<Real> total, std::span<Vec6> way) {
  std::fill(total.begin(), total.end(), 0.0);
  for (int k = 0; k < kSoftSubsteps; ++k) {
    applyAll();
    push();
    move();
    relax();
    for (std::size_t row = 0; row < total.size(); ++row) total[row] += work_.lambda[row];
  }
  rebound([&](const SoftContact& contact) { return input_.restitution[contact.firstRow]; }, total);
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = unscaled(work_.roots[i], work_.way[i]);
}

}  // namespace

void fixedVelocities(const ContactProblem& problem, std::span<const Real> restitution,
                     std::span<const Real> stabilization, std::span<const Vec6> free,
                     std::vector<Real>& fixed) {
  fixed.resize(problem.rowCount());
  for (const ProblemBlock& block : problem.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      Real own = 0;
      if (block.bodyA >= 0) own += problem.jacobianA[row].dot(free[block.bodyA]);
      if (block.bodyB >= 0) own += problem.jacobianB[row].dot(free[block.bodyB]);
      fixed[row] = problem.b[row] - restitution[row] - stabilization[row] - own;
    }
  }
}

void softSweeps(const SoftInput& input, SoftWorkspace& work, std::span<Real> lambda,
                std::span<Vec6> way) {
  Sweeps sweeps(input, work);
  sweeps.prepare(lambda);
  sweeps.run(lambda, way);
}

}  // namespace drystone
