#include "solvers/prox/factorized_system.h"

#include <cmath>

#include "engine/core/check.h"
#include "solvers/prox/relaxation.h"

namespace drystone {
namespace {

using BodyVelocity = FactorizedSystem::BodyVelocity;
using Row = FactorizedSystem::Row;
template <int kRows>
using Contact = FactorizedSystem::Contact<kRows>;

// Six entries at 16-byte alignment: three SSE2 registers.
using Six = Eigen::Map<Vec6, Eigen::Aligned16>;
using ConstSix = Eigen::Map<const Vec6, Eigen::Aligned16>;

/// Lower Cholesky factor of a positive semidefinite 3 x 3 matrix; a pivot that is not positive
/// gives a zero column (a body that does not turn about some axis).
Mat3 semidefiniteRoot(const Mat3& matrix) {
  Mat3 root = Mat3::Zero();
  for (int j = 0; j < 3; ++j) {
    Real pivot = matrix(j, j);
    for (int k = 0; k < j; ++k) pivot -= root(j, k) * root(j, k);
    if (!(pivot > 0)) continue;
    root(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < 3; ++i) {
      Real entry = matrix(i, j);
      for (int k = 0; k < j; ++k) entry -= root(i, k) * root(j, k);
      root(i, j) = entry / root(j, j);
    }
  }
  return root;
}

/// One body's six entries of J̃ = J L; L is lower triangular in its angular part.
inline void scaleJacobian(const Vec6& jacobian, const FactorizedSystem::MassRoot& root,
                          Real* scaled) {
  const Real x = jacobian[3], y = jacobian[4], z = jacobian[5];
  for (int i = 0; i < 3; ++i) scaled[i] = jacobian[i] * root.linear;
  scaled[3] = x * root.angular(0, 0) + y * root.angular(1, 0) + z * root.angular(2, 0);
  scaled[4] = y * root.angular(1, 1) + z * root.angular(2, 1);
  scaled[5] = z * root.angular(2, 2);
}

/// J̃ ũ of one row.
inline Real rowVelocity(const Real* jacobian, const BodyVelocity& a, const BodyVelocity& b) {
  return (ConstSix(jacobian).cwiseProduct(ConstSix(a.value)) +
          ConstSix(jacobian + 6).cwiseProduct(ConstSix(b.value)))
      .sum();
}

/// ũ += J̃ᵀ change for the bodies of one block. One expression a body, so that each velocity is read
/// and written once.
template <int kRows>
inline void addImpulse(const Real (*jacobian)[12], const Real* change, BodyVelocity& a,
                       BodyVelocity& b) {
  Vec6 atA = ConstSix(a.value);
  for (int i = 0; i < kRows; ++i) atA += change[i] * ConstSix(jacobian[i]);
  Six(a.value) = atA;
  Vec6 atB = ConstSix(b.value);
  for (int i = 0; i < kRows; ++i) atB += change[i] * ConstSix(jacobian[i] + 6);
  Six(b.value) = atB;
}

/// Reads velocities from `read` and adds to `write`; the same array for SOR, two for Jacobi.
template <FrictionModel kModel, int kRows>
void sweepContacts(std::span<Contact<kRows>> contacts, const BodyVelocity* read,
                   BodyVelocity* write) {
  for (Contact<kRows>& contact : contacts) {
    Real w[kRows];
    for (int i = 0; i < kRows; ++i) {
      w[i] = contact.b[i] + contact.compliance[i] * contact.lambda[i] +
             rowVelocity(contact.jacobian[i], read[contact.bodyA], read[contact.bodyB]);
    }
    Real change[kRows];
    updateContact<kModel, kRows>(contact.steps, contact.friction, contact.boxRadius, w,
                                 contact.lambda, change);
    addImpulse<kRows>(contact.jacobian, change, write[contact.bodyA], write[contact.bodyB]);
  }
}

void sweepRows(std::span<Row> rows, const BodyVelocity* read, BodyVelocity* write) {
  for (Row& row : rows) {
    const Real w = row.b + row.compliance * row.lambda +
                   rowVelocity(row.jacobian, read[row.bodyA], read[row.bodyB]);
    const Real lambda = std::clamp(row.lambda - row.step * w, row.lower, row.upper);
    const Real change = lambda - row.lambda;
    row.lambda = lambda;
    addImpulse<1>(&row.jacobian, &change, write[row.bodyA], write[row.bodyB]);
  }
}

}  // namespace

template <>
std::vector<Contact<1>>& FactorizedSystem::contacts<1>() {
  return contacts1_;
}
template <>
std::vector<Contact<3>>& FactorizedSystem::contacts<3>() {
  return contacts3_;
}
template <>
std::vector<Contact<4>>& FactorizedSystem::contacts<4>() {
  return contacts4_;
}

template <class Function>
void FactorizedSystem::forEachContactList(Function&& function) {
  function(contacts1_);
  function(contacts3_);
  function(contacts4_);
}
template <class Function>
void FactorizedSystem::forEachContactList(Function&& function) const {
  function(contacts1_);
  function(contacts3_);
  function(contacts4_);
}

void FactorizedSystem::reserve(const ProblemSize& size) {
  roots_.reserve(size.bodies + 1);
  updatesPerBody_.reserve(size.bodies + 1);
  velocity_.reserve(size.bodies + 1);
  nextVelocity_.reserve(size.bodies + 1);
  rows_.reserve(size.rows);
  forEachContactList([&](auto& contacts) { contacts.reserve(size.blocks); });
}

void FactorizedSystem::computeRoots(const ContactProblem& problem) {
  fixedBody_ = problem.bodyCount();
  roots_.resize(fixedBody_ + 1);
  for (int body = 0; body < fixedBody_; ++body) {
    const InverseInertia& inertia = problem.bodies[body];
    roots_[body].linear = std::sqrt(inertia.inverseMass);
    roots_[body].angular = semidefiniteRoot(inertia.inverseInertia);
  }
  roots_[fixedBody_] = {0, Mat3::Zero()};
}

/// Simultaneous updates overshoot where they meet in a body. A ≼ diag(Ŝ_cc) holds when Ŝ is built
/// with each body's M⁻¹ times the number of updates that it takes part in (‖Σ x_i‖² ≤ n Σ ‖x_i‖²),
/// so R factors from Ŝ make every Jacobi sweep descend on the impulse energy. This is the mass
/// splitting of Tonge, Benevolenski and Voroshilov (2012).
void FactorizedSystem::countUpdates(const ContactProblem& problem, SweepOrder order) {
  updatesPerBody_.assign(fixedBody_ + 1, order == SweepOrder::kSequential ? 1 : 0);
  if (order == SweepOrder::kSequential) return;
  for (const ProblemBlock& block : problem.blocks) {
    const Real updates = block.law == BlockLaw::kContact ? 1 : block.rows;
    updatesPerBody_[bodyIndex(block.bodyA)] += updates;
    updatesPerBody_[bodyIndex(block.bodyB)] += updates;
  }
}

template <int kRows>
void FactorizedSystem::packContact(const ContactProblem& problem, const ProblemBlock& block,
                                   const StepRule& rule) {
  Contact<kRows>& contact = contacts<kRows>().emplace_back();
  contact.bodyA = bodyIndex(block.bodyA);
  contact.bodyB = bodyIndex(block.bodyB);
  contact.firstRow = block.firstRow;
  contact.friction = block.friction;
  contact.boxRadius = block.friction * block.normalBound;
  const Real updatesA = updatesPerBody_[contact.bodyA];
  const Real updatesB = updatesPerBody_[contact.bodyB];
  Real diagonal[kRows * kRows];
  for (int i = 0; i < kRows; ++i) {
    const int row = block.firstRow + i;
    contact.b[i] = problem.b[row];
    contact.compliance[i] = problem.compliance.empty() ? 0 : problem.compliance[row];
    scaleJacobian(problem.jacobianA[row], roots_[contact.bodyA], contact.jacobian[i]);
    scaleJacobian(problem.jacobianB[row], roots_[contact.bodyB], contact.jacobian[i] + 6);
    for (int j = 0; j <= i; ++j) {
      const Real* p = contact.jacobian[i];
      const Real* q = contact.jacobian[j];
      const Real entry =
          updatesA * ConstSix(p).dot(ConstSix(q)) + updatesB * ConstSix(p + 6).dot(ConstSix(q + 6));
      diagonal[i * kRows + j] = diagonal[j * kRows + i] = entry;
    }
    diagonal[i * kRows + i] += contact.compliance[i];
  }
  if (rule.strategy == StepStrategy::kGlobal) {
    contact.steps.normal = contact.steps.tangent = rule.relaxation * rule.globalStep;
  } else {
    const ContactScales scales = contactScales(diagonal, kRows);
    contact.steps.normal = stepFor(rule.relaxation, scales.normal);
    contact.steps.tangent = stepFor(rule.relaxation, scales.tangent);
  }
  // One R for all rows is made for plain Jacobi sweeps; there the tangents see the old normal.
  const bool coupled = order_ == SweepOrder::kSequential || rule.strategy == StepStrategy::kLocal;
  for (int i = 1; i < kRows; ++i) {
    contact.steps.coupling[i - 1] = coupled ? diagonal[i * kRows] : 0;
  }
}

void FactorizedSystem::packRows(const ContactProblem& problem, const ProblemBlock& block,
                                const StepRule& rule) {
  for (int index = block.firstRow; index < block.firstRow + block.rows; ++index) {
    Row& row = rows_.emplace_back();
    row.row = index;
    row.bodyA = bodyIndex(block.bodyA);
    row.bodyB = bodyIndex(block.bodyB);
    row.b = problem.b[index];
    row.compliance = problem.compliance.empty() ? 0 : problem.compliance[index];
    row.lower = problem.lower[index];
    row.upper = problem.upper[index];
    scaleJacobian(problem.jacobianA[index], roots_[row.bodyA], row.jacobian);
    scaleJacobian(problem.jacobianB[index], roots_[row.bodyB], row.jacobian + 6);
    const Real scale = updatesPerBody_[row.bodyA] * ConstSix(row.jacobian).squaredNorm() +
                       updatesPerBody_[row.bodyB] * ConstSix(row.jacobian + 6).squaredNorm() +
                       row.compliance;
    row.step = rule.strategy == StepStrategy::kGlobal ? rule.relaxation * rule.globalStep
                                                      : stepFor(rule.relaxation, scale);
  }
}

void FactorizedSystem::prepare(const ContactProblem& problem, SweepOrder order,
                               const StepRule& rule) {
  DRYSTONE_ASSERT(!problem.assembled);
  model_ = problem.friction;
  order_ = order;
  computeRoots(problem);
  countUpdates(problem, order);
  velocity_.assign(fixedBody_ + 1, BodyVelocity{});
  nextVelocity_.resize(fixedBody_ + 1);
  rows_.clear();
  forEachContactList([](auto& contacts) { contacts.clear(); });
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kRows) {
      packRows(problem, block, rule);
    } else if (block.rows == 1) {
      packContact<1>(problem, block, rule);
    } else if (block.rows == 3) {
      packContact<3>(problem, block, rule);
    } else {
      packContact<4>(problem, block, rule);
    }
  }
}

void FactorizedSystem::recomputeVelocities() {
  std::fill(velocity_.begin(), velocity_.end(), BodyVelocity{});
  for (const Row& row : rows_) {
    addImpulse<1>(&row.jacobian, &row.lambda, velocity_[row.bodyA], velocity_[row.bodyB]);
  }
  forEachContactList([&]<int kRows>(const std::vector<Contact<kRows>>& contacts) {
    for (const Contact<kRows>& contact : contacts) {
      addImpulse<kRows>(contact.jacobian, contact.lambda, velocity_[contact.bodyA],
                        velocity_[contact.bodyB]);
    }
  });
}

void FactorizedSystem::setImpulses(std::span<const Real> lambda) {
  for (Row& row : rows_) row.lambda = lambda[row.row];
  forEachContactList([&]<int kRows>(std::vector<Contact<kRows>>& contacts) {
    for (Contact<kRows>& contact : contacts) {
      std::copy_n(&lambda[contact.firstRow], kRows, contact.lambda);
    }
  });
  recomputeVelocities();
}

void FactorizedSystem::getImpulses(std::span<Real> lambda) const {
  for (const Row& row : rows_) lambda[row.row] = row.lambda;
  forEachContactList([&]<int kRows>(const std::vector<Contact<kRows>>& contacts) {
    for (const Contact<kRows>& contact : contacts) {
      std::copy_n(contact.lambda, kRows, &lambda[contact.firstRow]);
    }
  });
}

void FactorizedSystem::sweep() {
  const BodyVelocity* read = velocity_.data();
  BodyVelocity* write = velocity_.data();
  if (order_ == SweepOrder::kSimultaneous) {
    std::copy(velocity_.begin(), velocity_.end(), nextVelocity_.begin());
    write = nextVelocity_.data();
  }
  sweepRows(rows_, read, write);
  dispatchFrictionModel(model_, [&]<FrictionModel kModel>() {
    constexpr int kRows = contactRows(kModel);
    sweepContacts<kModel, kRows>(contacts<kRows>(), read, write);
  });
  if (order_ == SweepOrder::kSimultaneous) velocity_.swap(nextVelocity_);
}

void FactorizedSystem::constraintVelocity(std::span<Real> w) {
  recomputeVelocities();
  for (const Row& row : rows_) {
    w[row.row] = row.b + row.compliance * row.lambda +
                 rowVelocity(row.jacobian, velocity_[row.bodyA], velocity_[row.bodyB]);
  }
  forEachContactList([&]<int kRows>(const std::vector<Contact<kRows>>& contacts) {
    for (const Contact<kRows>& contact : contacts) {
      for (int i = 0; i < kRows; ++i) {
        w[contact.firstRow + i] =
            contact.b[i] + contact.compliance[i] * contact.lambda[i] +
            rowVelocity(contact.jacobian[i], velocity_[contact.bodyA], velocity_[contact.bodyB]);
      }
    }
  });
}

void FactorizedSystem::scaleSteps(Real factor) {
  for (Row& row : rows_) row.step *= factor;
  forEachContactList([&](auto& contacts) {
    for (auto& contact : contacts) {
      contact.steps.normal *= factor;
      contact.steps.tangent *= factor;
    }
  });
}

}  // namespace drystone
