#include "engine/step/impact_problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Share of the energy of an impact that round-off may seem to add.
constexpr Real kRoundOffGain = 1e-9;

}  // namespace

void ImpactProblem::clear(int slots) {
  problem_.blocks.clear();
  problem_.bodies.clear();
  for (auto* array : {&problem_.b, &problem_.compliance, &problem_.lower, &problem_.upper, &target_,
                      &restitution_}) {
    array->clear();
  }
  for (auto* array : {&problem_.jacobianA, &problem_.jacobianB}) array->clear();
  isSoft_.clear();
  rowOf_.clear();
  for (const int slot : slots_) local_[slot] = -1;
  slots_.clear();
  local_.resize(slots, -1);
}

int ImpactProblem::localBody(int slot, bool moves) {
  if (!moves) return -1;
  if (local_[slot] < 0) {
    local_[slot] = static_cast<int>(slots_.size());
    slots_.push_back(slot);
  }
  return local_[slot];
}

void ImpactProblem::addRow(int row, Real velocity, Real target, const ConstraintRows& rows) {
  problem_.b.push_back(velocity);
  target_.push_back(target);
  problem_.compliance.push_back(rows.compliance[row]);
  problem_.lower.push_back(rows.lower[row]);
  problem_.upper.push_back(rows.upper[row]);
  problem_.jacobianA.push_back(rows.jacobianA[row]);
  problem_.jacobianB.push_back(rows.jacobianB[row]);
  rowOf_.push_back(row);
}

void ImpactProblem::addContact(const StepContact& contact, bool impacts,
                               std::span<const Real> velocity, const ConstraintRows& rows) {
  problem_.friction = rows.friction;
  problem_.timestep = rows.timestep;
  ProblemBlock block = rows.blocks[contact.block];
  block.firstRow = static_cast<int>(rowOf_.size());
  block.bodyA = localBody(contact.bodyA, block.bodyA >= 0);
  block.bodyB = localBody(contact.bodyB, block.bodyB >= 0);
  for (int i = 0; i < block.rows; ++i) {
    const bool isTangent = i == 1 || i == 2;
    const Real target = isTangent && impacts ? contact.tangentialRestitution * velocity[i] : 0;
    addRow(rows.firstRow[contact.block] + i, velocity[i], target, rows);
  }
  problem_.blocks.push_back(block);
  restitution_.push_back(impacts ? contact.restitution : 0);
  isSoft_.push_back(contact.isSoft ? 1 : 0);
}

void ImpactProblem::addLocks(const StepJointBlock& joint, const JointRowList& list,
                             const ConstraintRows& rows) {
  const auto isLock = [&](int i) {
    return lockedCoordinate(list.rows[joint.firstRow + i].key) >= 0;
  };
  int locks = 0;
  while (locks < joint.rows && isLock(locks)) ++locks;
  if (locks == 0) return;
  ProblemBlock block = rows.blocks[joint.block];
  block.firstRow = static_cast<int>(rowOf_.size());
  block.rows = locks;
  block.bodyA = localBody(joint.bodyA, block.bodyA >= 0);
  block.bodyB = localBody(joint.bodyB, block.bodyB >= 0);
  for (int i = 0; i < locks; ++i) addRow(rows.firstRow[joint.block] + i, 0, 0, rows);
  problem_.blocks.push_back(block);
  restitution_.push_back(0);
  isSoft_.push_back(1);
}

/// Compliance tells the shares of contacts that hold one body together. A contact that shares its
/// bodies with no other one needs none, and its impact is exact without.
void ImpactProblem::easeLoneContacts() {
  contactsOf_.assign(slots_.size(), 0);
  const auto count = [&](int body) { return body < 0 ? 1 : contactsOf_[body]; };
  for (const ProblemBlock& block : problem_.blocks) {
    for (const int body : {block.bodyA, block.bodyB}) {
      if (body >= 0) ++contactsOf_[body];
    }
  }
  for (std::size_t k = 0; k < problem_.blocks.size(); ++k) {
    const ProblemBlock& block = problem_.blocks[k];
    if (isSoft_[k] != 0 || count(block.bodyA) > 1 || count(block.bodyB) > 1) continue;
    std::fill_n(problem_.compliance.begin() + block.firstRow, block.rows, 0.0);
  }
}

SolveResult ImpactProblem::solveRows(const SolverChoice& choice, const Deadline& until,
                                     SolverPool& pool) {
  state_.assign(lambda_.size(), RowState::kUnknown);
  const SolveResult result = solveAlone(problem_.view(), choice, until, pool, {lambda_, state_});
  isWithin_ = isWithin_ && result.withinTolerance;
  return result;
}

bool ImpactProblem::compress(const SolverChoice& choice, const Deadline& until, SolverPool& pool) {
  for (std::size_t row = 0; row < target_.size(); ++row) problem_.b[row] += target_[row];
  lambda_.assign(rowOf_.size(), 0.0);
  solveRows(choice, until, pool);
  compression_ = lambda_;
  return std::any_of(lambda_.begin(), lambda_.end(), [](Real one) { return one != 0; });
}

void ImpactProblem::expand(const SolverChoice& choice, const Deadline& until, SolverPool& pool) {
  const int blocks = static_cast<int>(problem_.blocks.size());
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (int k = 0; k < blocks; ++k) {
    const int normal = problem_.blocks[k].firstRow;
    if (restitution_[k] > 0) lambda_[normal] = restitution_[k] * compression_[normal];
  }
  for (std::size_t row = 0; row < lambda_.size(); ++row)
    total_[row] = compression_[row] + lambda_[row];
  impulseToVelocity(problem_.view(), total_, velocity_);
  relativeVelocity(problem_.view(), 0, blocks, velocity_, zero_, along_);
  for (std::size_t row = 0; row < along_.size(); ++row)
    problem_.b[row] = before_[row] + along_[row] + target_[row];

  // A given normal impulse acts through b. Its own row is the equation A_nn (λ_n − e λ_n) = 0,
  // apart from all others, so that the friction has its bound from it.
  normalA_.resize(blocks);
  normalB_.resize(blocks);
  normalCompliance_.resize(blocks);
  for (int k = 0; k < blocks; ++k) {
    if (restitution_[k] == 0) continue;
    const int normal = problem_.blocks[k].firstRow;
    std::array<Real, kMaxBlockRows * kMaxBlockRows> diagonal;
    diagonalEntries(problem_.view(), k, diagonal.data());
    normalA_[k] = problem_.jacobianA[normal];
    normalB_[k] = problem_.jacobianB[normal];
    normalCompliance_[k] = problem_.compliance[normal];
    problem_.jacobianA[normal].setZero();
    problem_.jacobianB[normal].setZero();
    problem_.compliance[normal] = diagonal[0];
    problem_.b[normal] = -diagonal[0] * lambda_[normal];
    problem_.blocks[k].normalBound = lambda_[normal];
  }
  solveRows(choice, until, pool);
  for (int k = 0; k < blocks; ++k) {
    if (restitution_[k] == 0) continue;
    const int normal = problem_.blocks[k].firstRow;
    problem_.jacobianA[normal] = normalA_[k];
    problem_.jacobianB[normal] = normalB_[k];
    problem_.compliance[normal] = normalCompliance_[k];
    lambda_[normal] = restitution_[k] * compression_[normal];
  }
  for (std::size_t row = 0; row < lambda_.size(); ++row)
    total_[row] = compression_[row] + lambda_[row];
}

/// Energy that impulses bring in: ½ λ · (w⁻ + w⁺) [J].
Real ImpactProblem::work(std::span<const Real> lambda) {
  impulseToVelocity(problem_.view(), lambda, velocity_);
  relativeVelocity(problem_.view(), 0, static_cast<int>(problem_.blocks.size()), velocity_, zero_,
                   along_);
  Real work = 0;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    work += lambda[row] * (before_[row] + 0.5 * along_[row]);
  }
  return work;
}

bool ImpactProblem::solve(const BodyStore& bodies, const SolverChoice& choice,
                          const Deadline& until, SolverPool& pool) {
  for (const int slot : slots_) problem_.bodies.push_back(bodies.inverseInertia[slot]);
  easeLoneContacts();
  isWithin_ = true;
  before_ = problem_.b;
  zero_.assign(before_.size(), 0.0);
  along_.resize(before_.size());
  velocity_.resize(slots_.size());
  if (!compress(choice, until, pool)) return false;
  total_ = compression_;
  Real least = kInfinity;
  for (const Real restitution : restitution_) {
    if (restitution > 0) least = std::min(least, restitution);
  }
  if (least < kInfinity) {
    expand(choice, until, pool);
    Real noise = 0;
    for (std::size_t row = 0; row < total_.size(); ++row) {
      noise += std::abs(total_[row]) *
               (kRoundOffGain * std::abs(before_[row]) + choice.budget.tolerance);
    }
    // Restitutions that differ may gain energy. The compression as a whole, times the least one,
    // never does.
    if (work(total_) > noise) {
      for (std::size_t row = 0; row < total_.size(); ++row) {
        total_[row] = (1 + least) * compression_[row];
      }
    }
  }
  impulseToVelocity(problem_.view(), total_, velocity_);
  return true;
}

void ImpactProblem::addTo(std::span<Real> impulse, std::span<Vec6> change) const {
  for (std::size_t row = 0; row < rowOf_.size(); ++row) impulse[rowOf_[row]] += total_[row];
  for (std::size_t body = 0; body < slots_.size(); ++body) change[slots_[body]] += velocity_[body];
}

}  // namespace drystone
