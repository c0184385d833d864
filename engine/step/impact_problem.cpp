#include "engine/step/impact_problem.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Share of the speed of an impact that is round-off, and what compliance leaves.
constexpr Real kSmallShare = 1e-8;

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
  if (!rows.lower.empty()) {
    problem_.lower.push_back(rows.lower[row]);
    problem_.upper.push_back(rows.upper[row]);
  }
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

void ImpactProblem::solveRows(const SolverChoice& choice, const Deadline& until, SolverPool& pool) {
  state_.assign(lambda_.size(), RowState::kUnknown);
  const SolveResult result = solveAlone(problem_.view(), choice, until, pool, {lambda_, state_});
  isWithin_ = isWithin_ && result.withinTolerance;
}

/// Measures what the impulses found so far do to the velocities along the rows.
void ImpactProblem::measure() {
  impulseToVelocity(problem_.view(), total_, velocity_);
  relativeVelocity(problem_.view(), 0, static_cast<int>(problem_.blocks.size()), velocity_, zero_,
                   along_);
}

/// Makes b that of the velocities measured last, and lets a solve start from nothing.
void ImpactProblem::beginSolve() {
  for (std::size_t row = 0; row < before_.size(); ++row) {
    problem_.b[row] = before_[row] + along_[row] + target_[row];
  }
  lambda_.assign(before_.size(), 0.0);
}

void ImpactProblem::solveOnTop(const SolverChoice& choice, const Deadline& until,
                               SolverPool& pool) {
  beginSolve();
  solveRows(choice, until, pool);
  for (std::size_t row = 0; row < total_.size(); ++row) total_[row] += lambda_[row];
  measure();
}

void ImpactProblem::expand(const SolverChoice& choice, const Deadline& until, SolverPool& pool) {
  const int blocks = static_cast<int>(problem_.blocks.size());
  const auto forEachGiven = [&](auto&& visit) {
    for (int k = 0; k < blocks; ++k) {
      const int normal = problem_.blocks[k].firstRow;
      if (restitution_[k] > 0) visit(k, normal, restitution_[k] * compression_[normal]);
    }
  };
  forEachGiven([&](int, int normal, Real given) { total_[normal] += given; });
  measure();
  beginSolve();
  // A given normal impulse acts through b. Its own row is the equation A_nn (λ_n − e λ_n) = 0,
  // apart from all others, so that the friction has its bound from it.
  normalA_.resize(blocks);
  normalB_.resize(blocks);
  normalCompliance_.resize(blocks);
  forEachGiven([&](int k, int normal, Real given) {
    std::array<Real, kMaxBlockRows * kMaxBlockRows> diagonal;
    diagonalEntries(problem_.view(), k, diagonal.data());
    normalA_[k] = problem_.jacobianA[normal];
    normalB_[k] = problem_.jacobianB[normal];
    normalCompliance_[k] = problem_.compliance[normal];
    problem_.jacobianA[normal].setZero();
    problem_.jacobianB[normal].setZero();
    problem_.compliance[normal] = diagonal[0];
    problem_.b[normal] = -diagonal[0] * given;
    problem_.blocks[k].normalBound = given;
    lambda_[normal] = given;
  });
  solveRows(choice, until, pool);
  forEachGiven([&](int k, int normal, Real) {
    problem_.jacobianA[normal] = normalA_[k];
    problem_.jacobianB[normal] = normalB_[k];
    problem_.compliance[normal] = normalCompliance_[k];
    lambda_[normal] = 0;  // it is in the total already
  });
  for (std::size_t row = 0; row < total_.size(); ++row) total_[row] += lambda_[row];
  measure();
}

/// Fastest approach of a contact at the velocities measured last [m/s].
Real ImpactProblem::approach() const {
  Real fastest = 0;
  for (const ProblemBlock& block : problem_.blocks) {
    if (block.law != BlockLaw::kContact) continue;
    fastest = std::max(fastest, -before_[block.firstRow] - along_[block.firstRow]);
  }
  return fastest;
}

/// Whether the impulses bring energy in, ½ λ · (w⁻ + w⁺) > 0, beyond round-off and tolerance.
bool ImpactProblem::gainsEnergy(Real tolerance) const {
  Real work = 0, noise = 0;
  for (std::size_t row = 0; row < total_.size(); ++row) {
    work += total_[row] * (before_[row] + 0.5 * along_[row]);
    noise += std::abs(total_[row]) * (kSmallShare * std::abs(before_[row]) + tolerance);
  }
  return work > noise;
}

bool ImpactProblem::solve(const BodyStore& bodies, const SolverChoice& choice,
                          const Deadline& until, SolverPool& pool) {
  for (const int slot : slots_) problem_.bodies.push_back(bodies.inverseInertia[slot]);
  easeLoneContacts();
  isWithin_ = true;
  before_ = problem_.b;
  for (auto* array : {&zero_, &along_, &total_}) array->assign(before_.size(), 0.0);
  velocity_.resize(slots_.size());
  const Real tolerance = choice.budget.tolerance;
  const Real small = tolerance + kSmallShare * approach();
  solveOnTop(choice, until, pool);  // the compression
  compression_ = total_;
  Real least = kInfinity;
  for (const Real restitution : restitution_) {
    if (restitution > 0) least = std::min(least, restitution);
  }
  if (least < kInfinity) {
    expand(choice, until, pool);
    if (approach() > small) solveOnTop(choice, until, pool);
    // Contacts of several restitutions may gain energy. The whole compression again, times the
    // least of them, never does.
    if (gainsEnergy(tolerance)) {
      for (std::size_t row = 0; row < total_.size(); ++row) {
        total_[row] = (1 + least) * compression_[row];
      }
      measure();
    }
  }
  return std::any_of(total_.begin(), total_.end(), [](Real one) { return one != 0; });
}

void ImpactProblem::addTo(std::span<Real> impulse, std::span<Vec6> change) const {
  for (std::size_t row = 0; row < rowOf_.size(); ++row) impulse[rowOf_[row]] += total_[row];
  for (std::size_t body = 0; body < slots_.size(); ++body) change[slots_[body]] += velocity_[body];
}

}  // namespace drystone
