#include "gpu/device_system.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace drystone::gpu {
namespace {

constexpr int kGrain = 256;  // blocks of a range: some 10 µs of work

bool isCompliant(const ContactProblem& problem) {
  return std::any_of(problem.compliance.begin(), problem.compliance.end(),
                     [](Real compliance) { return compliance != 0; });
}

}  // namespace

template <class Scalar>
void DeviceSystem<Scalar>::reserve(const ProblemSize& size) {
  scaling_.reserve(size);
  for (auto* array : {&placeOf_, &contactStart_, &rowStart_}) array->reserve(size.blocks + 1);
  for (auto* array : {&slotStart_, &slotCursor_, &gatheredStart_}) array->reserve(size.bodies + 1);
  rowOfContact_.reserve(size.blocks);
  rowOfRow_.reserve(size.rows);
  unitPlan_.phases.reserve(SweepPlan::kMaxPhases);
  Base::reserveRows(size);
}

template <class Scalar>
void DeviceSystem<Scalar>::placeBlocks() {
  int rows = 0, contacts = 0;
  placeOf_.resize(plan_->blockCount());
  contactStart_.clear();
  rowStart_.clear();
  rowOfContact_.clear();
  rowOfRow_.clear();
  for (std::size_t unit = 0; unit + 1 < plan_->unitStart.size(); ++unit) {
    rowStart_.push_back(rows);
    contactStart_.push_back(contacts);
    for (int k = plan_->unitStart[unit]; k < plan_->unitStart[unit + 1]; ++k) {
      const ProblemBlock& block = problem_.blocks[plan_->blocks[k]];
      if (block.law == BlockLaw::kContact) {
        placeOf_[k] = contacts++;
        rowOfContact_.push_back(block.firstRow);
        continue;
      }
      placeOf_[k] = rows;
      rows += block.rows;
      for (int i = 0; i < block.rows; ++i) rowOfRow_.push_back(block.firstRow + i);
    }
  }
  rowStart_.push_back(rows);
  contactStart_.push_back(contacts);
  sizes_.rows = rows;
  sizes_.contacts = contacts;
  sizes_.units = static_cast<int>(plan_->unitStart.size()) - 1;
}

template <class Scalar>
template <class Visit>
void DeviceSystem<Scalar>::visitElements(const SweepPlan::Phase& phase, Visit&& visit) const {
  for (const bool isRow : {true, false}) {
    for (int k = plan_->unitStart[phase.firstUnit]; k < plan_->unitStart[phase.endUnit]; ++k) {
      const ProblemBlock& block = problem_.blocks[plan_->blocks[k]];
      if ((block.law == BlockLaw::kRows) != isRow) continue;
      for (int i = 0; i < (isRow ? block.rows : 1); ++i) {
        visit(placeOf_[k] + i, block.bodyA, block.bodyB, isRow);
      }
    }
  }
}

template <class Scalar>
void DeviceSystem<Scalar>::countSlots() {
  const int bodies = problem_.bodyCount();
  slotStart_.assign(bodies + 1, 0);
  gatheredStart_.assign(bodies, 0);
  sizes_.gatheredBodies = 0;
  const auto count = [&](int, int bodyA, int bodyB, bool) {
    if (bodyA >= 0) ++slotStart_[bodyA + 1];
    if (bodyB >= 0) ++slotStart_[bodyB + 1];
  };
  for (const SweepPlan::Phase& phase : plan_->phases) {
    DRYSTONE_ASSERT(!phase.isSimultaneous || &phase == &plan_->phases.back());
    if (phase.isSimultaneous) {
      std::copy(slotStart_.begin() + 1, slotStart_.end(), gatheredStart_.begin());
    }
    visitElements(phase, count);
  }
  if (!plan_->phases.empty() && plan_->phases.back().isSimultaneous) {
    for (int body = 0; body < bodies; ++body) {
      if (slotStart_[body + 1] > gatheredStart_[body]) ++sizes_.gatheredBodies;
    }
  }
  for (int body = 0; body < bodies; ++body) slotStart_[body + 1] += slotStart_[body];
  sizes_.bodies = bodies;
  sizes_.entries = slotStart_.back();
}

template <class Scalar>
void DeviceSystem<Scalar>::fillSlots() {
  const SweepView<Scalar>& view = *view_;
  slotCursor_.assign(slotStart_.begin(), slotStart_.end());
  const auto take = [&](int body) { return body < 0 ? -1 : slotCursor_[body]++; };
  for (const SweepPlan::Phase& phase : plan_->phases) {
    visitElements(phase, [&](int element, int bodyA, int bodyB, bool isRow) {
      (isRow ? view.rowSlotA : view.slotA)[element] = take(bodyA);
      (isRow ? view.rowSlotB : view.slotB)[element] = take(bodyB);
    });
  }
  if (sizes_.gatheredBodies > 0) {
    int gathered = 0;
    for (int body = 0; body < sizes_.bodies; ++body) {
      const int first = slotStart_[body] + gatheredStart_[body];
      if (first == slotStart_[body + 1]) continue;
      view.gatheredBody[gathered] = body;
      view.gatheredStart[gathered++] = first;
    }
  }
  std::copy(slotStart_.begin(), slotStart_.end(), view.slotStart);
  std::copy(contactStart_.begin(), contactStart_.end(), view.contactStart);
  std::copy(rowStart_.begin(), rowStart_.end(), view.rowStart);
}

template <class Scalar>
template <int kRows>
void DeviceSystem<Scalar>::fillContact(int block, int place) {
  const SweepView<Scalar>& view = *view_;
  ScaledContact<kRows> contact;
  scaling_.scale(block, contact);
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < 12; ++k) {
      view.jacobian[view.at(12 * i + k, place)] = static_cast<Scalar>(contact.jacobian[i][k]);
    }
    view.b[view.at(i, place)] = static_cast<Scalar>(contact.b[i]);
    if (view.compliance != nullptr) {
      view.compliance[view.at(i, place)] = static_cast<Scalar>(contact.compliance[i]);
    }
  }
  for (int i = 0; i + 1 < kRows; ++i) {
    view.coupling[view.at(i, place)] = static_cast<Scalar>(contact.steps.coupling[i]);
  }
  view.normalStep[place] = static_cast<Scalar>(contact.steps.normal);
  view.tangentStep[place] = static_cast<Scalar>(contact.steps.tangent);
  view.friction[place] = static_cast<Scalar>(contact.friction);
  view.boxRadius[place] = static_cast<Scalar>(contact.boxRadius);
  view.bodyA[place] = contact.bodyA;
  view.bodyB[place] = contact.bodyB;
}

template <class Scalar>
void DeviceSystem<Scalar>::fillRows(int block, int place) {
  const SweepView<Scalar>& view = *view_;
  ScaledJointRow rows[kMaxBlockRows];
  scaling_.scaleRows(block, rows);
  for (int i = 0; i < problem_.blocks[block].rows; ++i) {
    const ScaledJointRow& row = rows[i];
    const int at = place + i;
    for (int k = 0; k < 12; ++k) {
      view.rowJacobian[view.atRow(k, at)] = static_cast<Scalar>(row.jacobian[k]);
    }
    view.rowB[at] = static_cast<Scalar>(row.b);
    view.rowCompliance[at] = static_cast<Scalar>(row.compliance);
    view.rowLower[at] = static_cast<Scalar>(row.lower);
    view.rowUpper[at] = static_cast<Scalar>(row.upper);
    view.rowStep[at] = static_cast<Scalar>(row.step);
    view.rowBodyA[at] = row.bodyA;
    view.rowBodyB[at] = row.bodyB;
  }
}

template <class Scalar>
void DeviceSystem<Scalar>::prepare(const ContactProblem& problem, const SweepPlan& plan,
                                   const StepRule& rule, int threads) {
  DRYSTONE_ASSERT(!problem.assembled);
  problem_ = problem;
  plan_ = &plan;
  scaling_.prepare(problem, plan, rule);
  sizes_.contactRows = contactRows(problem.friction);
  sizes_.hasCompliance = isCompliant(problem);
  placeBlocks();
  countSlots();
  Base::allocate(sizes_);
  parallelRanges(plan.blockCount(), kGrain, threads, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const int block = plan.blocks[k];
      if (problem.blocks[block].law == BlockLaw::kRows) {
        fillRows(block, placeOf_[k]);
      } else if (sizes_.contactRows == 1) {
        fillContact<1>(block, placeOf_[k]);
      } else if (sizes_.contactRows == 3) {
        fillContact<3>(block, placeOf_[k]);
      } else {
        fillContact<4>(block, placeOf_[k]);
      }
    }
  });
  fillSlots();
  fillUnitPlan(problem.friction, plan, rule, unitPlan_);
  backend_->upload(unitPlan_);
}

template <class Scalar>
template <class Copy>
void DeviceSystem<Scalar>::forEachRow(Scalar* contacts, Scalar* rows, Copy&& copy) const {
  for (int i = 0; i < sizes_.contactRows; ++i) {
    for (int contact = 0; contact < sizes_.contacts; ++contact) {
      copy(rowOfContact_[contact] + i, contacts[view_->at(i, contact)]);
    }
  }
  for (int row = 0; row < sizes_.rows; ++row) copy(rowOfRow_[row], rows[row]);
}

template <class Scalar>
void DeviceSystem<Scalar>::writeImpulses(std::span<const Real> lambda) {
  forEachRow(view_->lambda, view_->rowLambda,
             [&](int row, Scalar& value) { value = static_cast<Scalar>(lambda[row]); });
}

template <class Scalar>
void DeviceSystem<Scalar>::readImpulses(std::span<Real> lambda) const {
  forEachRow(view_->lambda, view_->rowLambda, [&](int row, Scalar value) { lambda[row] = value; });
}

template <class Scalar>
bool DeviceSystem<Scalar>::readVelocity(std::span<Real> w) {
  backend_->constraintVelocity();
  forEachRow(view_->w, view_->rowW,
             [&](int row, Scalar value) { w[row] = static_cast<Real>(value); });
  return true;
}

/// Of R as first uploaded, at most larger than it is now.
template <class Scalar>
Real DeviceSystem<Scalar>::largestOverStep() const {
  Real largest = 0;
  const auto take = [&](Scalar lambda, Scalar step) {
    if (step > 0) largest = std::max<Real>(largest, std::abs(lambda) / step);
  };
  for (int row = 0; row < sizes_.rows; ++row) take(view_->rowLambda[row], view_->rowStep[row]);
  for (int contact = 0; contact < sizes_.contacts; ++contact) {
    take(view_->lambda[contact], view_->normalStep[contact]);
  }
  return largest;
}

template class DeviceSystem<float>;
template class DeviceSystem<double>;

}  // namespace drystone::gpu
