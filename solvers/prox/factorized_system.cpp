#include "solvers/prox/factorized_system.h"

#include <cmath>

#include "core/check.h"

namespace drystone {
namespace {

using BodyVelocity = FactorizedSystem::BodyVelocity;

constexpr int kGrain = 256;  // blocks of a range: some 10 µs of work

/// J̃ ũ of one row.
inline Real rowVelocity(const Real* jacobian, const BodyVelocity& a, const BodyVelocity& b) {
  return (ConstSix(jacobian).cwiseProduct(ConstSix(a.value)) +
          ConstSix(jacobian + 6).cwiseProduct(ConstSix(b.value)))
      .sum();
}

/// ũ += J̃ᵀ change for the bodies of one row or contact. One expression a body, so that each
/// velocity is read and written once; that of the fixed body stays untouched, since threads share
/// it.
template <int kRows, class Element>
inline void addImpulse(const Element& element, const Real (*jacobian)[12], const Real* change,
                       int fixedBody, BodyVelocity* velocity) {
  if (element.bodyA != fixedBody) {
    Real* value = velocity[element.bodyA].value;
    Vec6 atA = ConstSix(value);
    for (int i = 0; i < kRows; ++i) atA += change[i] * ConstSix(jacobian[i]);
    Six{value} = atA;
  }
  if (element.bodyB != fixedBody) {
    Real* value = velocity[element.bodyB].value;
    Vec6 atB = ConstSix(value);
    for (int i = 0; i < kRows; ++i) atB += change[i] * ConstSix(jacobian[i] + 6);
    Six{value} = atB;
  }
}

/// w of one contact from ũ of its bodies.
template <int kRows>
inline void contactVelocity(const ScaledContact<kRows>& contact, const BodyVelocity* velocity,
                            Real* w) {
  for (int i = 0; i < kRows; ++i) {
    w[i] = contact.b[i] + contact.compliance[i] * contact.lambda[i] +
           rowVelocity(contact.jacobian[i], velocity[contact.bodyA], velocity[contact.bodyB]);
  }
}
inline Real velocityOfRow(const ScaledJointRow& row, const BodyVelocity* velocity) {
  return row.b + row.compliance * row.lambda +
         rowVelocity(row.jacobian, velocity[row.bodyA], velocity[row.bodyB]);
}

/// Updates λ of one contact or row; `change` receives the difference.
template <FrictionModel kModel, int kRows>
inline void update(ScaledContact<kRows>& contact, const BodyVelocity* velocity, Real* change) {
  Real w[kRows];
  contactVelocity(contact, velocity, w);
  updateContact<kModel, kRows>(contact.steps, contact.friction, contact.second, w, contact.lambda,
                               change);
}
inline Real update(ScaledJointRow& row, const BodyVelocity* velocity) {
  return updateRow(row.step, row.lower, row.upper, velocityOfRow(row, velocity), &row.lambda);
}

}  // namespace

template <>
std::vector<ScaledContact<1>>& FactorizedSystem::contacts<1>() {
  return contacts1_;
}
template <>
std::vector<ScaledContact<3>>& FactorizedSystem::contacts<3>() {
  return contacts3_;
}
template <>
std::vector<ScaledContact<4>>& FactorizedSystem::contacts<4>() {
  return contacts4_;
}

template <>
std::vector<ScaledContact<5>>& FactorizedSystem::contacts<5>() {
  return contacts5_;
}

template <class Function>
void FactorizedSystem::forEachContactList(Function&& function) {
  function(contacts1_);
  function(contacts3_);
  function(contacts4_);
  function(contacts5_);
}
template <class Function>
void FactorizedSystem::forEachContactList(Function&& function) const {
  function(contacts1_);
  function(contacts3_);
  function(contacts4_);
  function(contacts5_);
}

void FactorizedSystem::reserve(const ProblemSize& size) {
  scaling_.reserve(size);
  velocity_.reserve(size.bodies + 1);
  for (auto* array : {&rowStart_, &contactStart_, &placeOf_}) array->reserve(size.blocks + 1);
  for (auto* array : {&rowChange_, &contactChange_}) array->reserve(size.rows);
  bodyStart_.reserve(size.bodies + 2);
  bodyEntries_.reserve(2 * size.rows);
  rows_.reserve(size.rows);
  forEachContactList([&](auto& contacts) { contacts.reserve(size.blocks); });
}

int FactorizedSystem::contactCount() const {
  return static_cast<int>(contacts1_.size() + contacts3_.size() + contacts4_.size() +
                          contacts5_.size());
}

void FactorizedSystem::prepare(const ContactProblem& problem, const SweepPlan& plan,
                               const StepRule& rule, int threads) {
  DRYSTONE_ASSERT(!problem.assembled);
  model_ = problem.friction;
  plan_ = &plan;
  threads_ = threads;
  scaling_.prepare(problem, plan, rule);
  fixedBody_ = scaling_.fixedBody();
  velocity_.assign(fixedBody_ + 1, BodyVelocity{});
  placeBlocks(problem);
  parallelRanges(plan.blockCount(), kGrain, threads, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      if (k + BlockScaling::kPrefetchAhead < end) {
        scaling_.prefetch(plan.blocks[k + BlockScaling::kPrefetchAhead]);
      }
      const int index = plan.blocks[k];
      const ProblemBlock& block = problem.blocks[index];
      if (block.law == BlockLaw::kRows) {
        scaling_.scaleRows(index, &rows_[placeOf_[k]]);
      } else if (block.rows == 1) {
        scaling_.scale(index, contacts1_[placeOf_[k]]);
      } else if (block.rows == 3) {
        scaling_.scale(index, contacts3_[placeOf_[k]]);
      } else if (block.rows == 4) {
        scaling_.scale(index, contacts4_[placeOf_[k]]);
      } else {
        scaling_.scale(index, contacts5_[placeOf_[k]]);
      }
    }
  });
  rowChange_.resize(rows_.size());
  contactChange_.resize(static_cast<std::size_t>(contactCount()) * contactRows(model_));
  if (threads_ > 1) listBlocksByBody();
}

/// Gives every block its place in the lists, in the order of execution. Elements keep what they
/// hold, since all of it is written anew.
void FactorizedSystem::placeBlocks(const ContactProblem& problem) {
  int rows = 0, contacts = 0;
  placeOf_.resize(plan_->blockCount());
  rowStart_.clear();
  contactStart_.clear();
  for (std::size_t unit = 0; unit + 1 < plan_->unitStart.size(); ++unit) {
    rowStart_.push_back(rows);
    contactStart_.push_back(contacts);
    for (int k = plan_->unitStart[unit]; k < plan_->unitStart[unit + 1]; ++k) {
      const ProblemBlock& block = problem.blocks[plan_->blocks[k]];
      const bool isJoint = block.law == BlockLaw::kRows;
      placeOf_[k] = isJoint ? rows : contacts;
      (isJoint ? rows : contacts) += isJoint ? block.rows : 1;
    }
  }
  rowStart_.push_back(rows);
  contactStart_.push_back(contacts);
  rows_.resize(rows);
  forEachContactList([&]<int kRows>(std::vector<ScaledContact<kRows>>& list) {
    list.resize(kRows == contactRows(model_) ? contacts : 0);
  });
}

/// Rows by their index in rows_, then contacts by theirs behind, for each body in the order of
/// execution.
void FactorizedSystem::listBlocksByBody() {
  bodyStart_.assign(fixedBody_ + 2, 0);
  const auto forEachEnd = [&](auto&& visit) {
    int entry = 0;
    const auto visitList = [&](const auto& list) {
      for (const auto& element : list) {
        visit(element.bodyA, entry);
        if (element.bodyB != element.bodyA) visit(element.bodyB, entry);
        ++entry;
      }
    };
    visitList(rows_);
    forEachContactList(visitList);
  };
  forEachEnd([&](int body, int) { ++bodyStart_[body + 1]; });
  for (int body = 0; body <= fixedBody_; ++body) bodyStart_[body + 1] += bodyStart_[body];
  bodyEntries_.resize(bodyStart_.back());
  forEachEnd([&](int body, int entry) { bodyEntries_[bodyStart_[body]++] = entry; });
  for (int body = fixedBody_ + 1; body > 0; --body) bodyStart_[body] = bodyStart_[body - 1];
  bodyStart_[0] = 0;
}

/// ũ += J̃ᵀ x over the rows and contacts of some units, where x comes from `ofRow(index)` and
/// `ofContact(index)`. With threads and all units each body gathers what belongs to it, in the
/// order in which one thread would have scattered it: the same bits.
template <int kRows, class RowImpulse, class ContactImpulse>
void FactorizedSystem::addImpulses(int firstUnit, int endUnit, RowImpulse&& ofRow,
                                   ContactImpulse&& ofContact) {
  const std::vector<ScaledContact<kRows>>& list = contacts<kRows>();
  const int rowCount = static_cast<int>(rows_.size());
  const int units = static_cast<int>(rowStart_.size()) - 1;
  if (threads_ > 1 && firstUnit == 0 && endUnit == units) {
    constexpr int kBodies = 64;  // of a range
    parallelRanges(fixedBody_, kBodies, threads_, [&](int begin, int end) {
      for (int body = begin; body < end; ++body) {
        Vec6 sum = ConstSix(velocity_[body].value);
        for (int k = bodyStart_[body]; k < bodyStart_[body + 1]; ++k) {
          const int entry = bodyEntries_[k];
          if (entry < rowCount) {
            const ScaledJointRow& row = rows_[entry];
            if (row.bodyA == body) sum += *ofRow(entry) * ConstSix(row.jacobian);
            if (row.bodyB == body) sum += *ofRow(entry) * ConstSix(row.jacobian + 6);
          } else {
            const ScaledContact<kRows>& contact = list[entry - rowCount];
            const Real* impulse = ofContact(entry - rowCount);
            for (const int side : {0, 6}) {
              if ((side == 0 ? contact.bodyA : contact.bodyB) != body) continue;
              for (int i = 0; i < kRows; ++i) {
                sum += impulse[i] * ConstSix(contact.jacobian[i] + side);
              }
            }
          }
        }
        Six(velocity_[body].value) = sum;
      }
    });
    return;
  }
  for (int i = rowStart_[firstUnit]; i < rowStart_[endUnit]; ++i) {
    const ScaledJointRow& row = rows_[i];
    addImpulse<1>(row, &row.jacobian, ofRow(i), fixedBody_, velocity_.data());
  }
  for (int i = contactStart_[firstUnit]; i < contactStart_[endUnit]; ++i) {
    const ScaledContact<kRows>& contact = list[i];
    addImpulse<kRows>(contact, contact.jacobian, ofContact(i), fixedBody_, velocity_.data());
  }
}

void FactorizedSystem::recomputeVelocities() {
  std::fill(velocity_.begin(), velocity_.end(), BodyVelocity{});
  const int units = static_cast<int>(rowStart_.size()) - 1;
  dispatchFrictionModel(model_, [&]<FrictionModel kModel>() {
    constexpr int kRows = contactRows(kModel);
    addImpulses<kRows>(
        0, units, [&](int i) { return &rows_[i].lambda; },
        [&](int i) { return contacts<kRows>()[i].lambda; });
  });
}

void FactorizedSystem::setImpulses(std::span<const Real> lambda) {
  for (ScaledJointRow& row : rows_) row.lambda = lambda[row.row];
  forEachContactList([&]<int kRows>(std::vector<ScaledContact<kRows>>& contacts) {
    for (ScaledContact<kRows>& contact : contacts) {
      std::copy_n(&lambda[contact.firstRow], kRows, contact.lambda);
    }
  });
  recomputeVelocities();
}

void FactorizedSystem::getImpulses(std::span<Real> lambda) const {
  for (const ScaledJointRow& row : rows_) lambda[row.row] = row.lambda;
  forEachContactList([&]<int kRows>(const std::vector<ScaledContact<kRows>>& contacts) {
    for (const ScaledContact<kRows>& contact : contacts) {
      std::copy_n(contact.lambda, kRows, &lambda[contact.firstRow]);
    }
  });
}

template <FrictionModel kModel>
void FactorizedSystem::sweepPhase(const SweepPlan::Phase& phase) {
  constexpr int kRows = contactRows(kModel);
  std::vector<ScaledContact<kRows>>& list = contacts<kRows>();
  BodyVelocity* velocity = velocity_.data();
  forUnits(phase, threads_, [&](int first, int end) {
    for (int i = rowStart_[first]; i < rowStart_[end]; ++i) {
      ScaledJointRow& row = rows_[i];
      const Real change = update(row, velocity);
      addImpulse<1>(row, &row.jacobian, &change, fixedBody_, velocity);
    }
    for (int i = contactStart_[first]; i < contactStart_[end]; ++i) {
      ScaledContact<kRows>& contact = list[i];
      Real change[kRows];
      update<kModel, kRows>(contact, velocity, change);
      addImpulse<kRows>(contact, contact.jacobian, change, fixedBody_, velocity);
    }
  });
}

template <FrictionModel kModel>
void FactorizedSystem::sweepSimultaneously(const SweepPlan::Phase& phase) {
  constexpr int kRows = contactRows(kModel);
  std::vector<ScaledContact<kRows>>& list = contacts<kRows>();
  forUnits(phase, threads_, [&](int first, int end) {
    for (int i = rowStart_[first]; i < rowStart_[end]; ++i) {
      rowChange_[i] = update(rows_[i], velocity_.data());
    }
    for (int i = contactStart_[first]; i < contactStart_[end]; ++i) {
      update<kModel, kRows>(list[i], velocity_.data(), &contactChange_[i * kRows]);
    }
  });
  addImpulses<kRows>(
      phase.firstUnit, phase.endUnit, [&](int i) { return &rowChange_[i]; },
      [&](int i) { return &contactChange_[i * kRows]; });
}

void FactorizedSystem::sweep() {
  dispatchFrictionModel(model_, [&]<FrictionModel kModel>() {
    for (const SweepPlan::Phase& phase : plan_->phases) {
      if (phase.isSimultaneous) {
        sweepSimultaneously<kModel>(phase);
      } else {
        sweepPhase<kModel>(phase);
      }
    }
  });
}

void FactorizedSystem::constraintVelocity(std::span<Real> w) {
  recomputeVelocities();
  parallelRanges(static_cast<int>(rows_.size()), kGrain, threads_, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) w[rows_[i].row] = velocityOfRow(rows_[i], velocity_.data());
  });
  forEachContactList([&]<int kRows>(const std::vector<ScaledContact<kRows>>& contacts) {
    parallelRanges(static_cast<int>(contacts.size()), kGrain, threads_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        contactVelocity(contacts[i], velocity_.data(), &w[contacts[i].firstRow]);
      }
    });
  });
}

void FactorizedSystem::scaleSteps(Real factor) {
  for (ScaledJointRow& row : rows_) row.step *= factor;
  forEachContactList([&](auto& contacts) {
    for (auto& contact : contacts) {
      contact.steps.normal *= factor;
      contact.steps.tangent *= factor;
      if constexpr (requires { contact.steps.rolling; }) contact.steps.rolling *= factor;
    }
  });
}

}  // namespace drystone
