#include "gpu/device_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "solvers/problem/residual.h"

namespace drystone::gpu {
namespace {

constexpr int kGrain = 4096;  // elements of a range: some 10 µs of work

bool isCompliant(const ContactProblem& problem, int threads) {
  const auto compliance = problem.compliance;
  return parallelAny(static_cast<int>(compliance.size()), kGrain, threads, [&](int begin, int end) {
    return std::any_of(compliance.begin() + begin, compliance.begin() + end,
                       [](Real value) { return value != 0; });
  });
}

void copyRows(std::span<const Vec6> rows, double* to, int threads) {
  parallelRanges(static_cast<int>(rows.size()), kGrain, threads, [&](int begin, int end) {
    static_assert(sizeof(Vec6) == 6 * sizeof(double));
    std::copy_n(rows[begin].data(), std::size_t{6} * (end - begin), to + std::size_t{6} * begin);
  });
}

}  // namespace

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::reserve(const ProblemSize& size) {
  elements_.reserve(size.blocks);
  for (auto* array : {&contactStart_, &rowStart_}) array->reserve(size.blocks + 1);
  for (auto* array : {&slotStart_, &slotCursor_, &gatheredStart_}) array->reserve(size.bodies + 1);
  updates_.reserve(size.bodies + 1);
  islands_.reserve(size);
  unitPlan_.phases.reserve(SweepPlan::kMaxPhases);
  Base::reserveRows(size);
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::placeBlocks() {
  elements_.resize(plan_->blockCount());
  parallelRanges(plan_->blockCount(), kGrain, threads_, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const ProblemBlock& block = problem_.blocks[plan_->blocks[k]];
      const int jointRows = block.law == BlockLaw::kRows ? block.rows : 0;
      elements_[k] = {block.firstRow, block.bodyA, block.bodyB, jointRows, 0};
    }
  });
  int rows = 0, contacts = 0;
  const int units = static_cast<int>(plan_->unitStart.size()) - 1;
  contactStart_.resize(units + 1);
  rowStart_.resize(units + 1);
  for (int unit = 0; unit < units; ++unit) {
    rowStart_[unit] = rows;
    contactStart_[unit] = contacts;
    for (int k = plan_->unitStart[unit]; k < plan_->unitStart[unit + 1]; ++k) {
      Element& element = elements_[k];
      element.place = element.jointRows > 0 ? rows : contacts++;
      rows += element.jointRows;
    }
  }
  rowStart_[units] = rows;
  contactStart_[units] = contacts;
  sizes_.rows = rows;
  sizes_.contacts = contacts;
  sizes_.units = units;
  const bool endsSimultaneously = !plan_->phases.empty() && plan_->phases.back().isSimultaneous;
  const int safeUnits = endsSimultaneously ? plan_->phases.back().firstUnit : units;
  sizes_.safeContacts = contactStart_[safeUnits];
  sizes_.safeRows = rowStart_[safeUnits];
}

template <class Scalar, class Form>
template <class Visit>
void DeviceSystem<Scalar, Form>::visitElements(const SweepPlan::Phase& phase, Visit&& visit) const {
  const int begin = plan_->unitStart[phase.firstUnit], end = plan_->unitStart[phase.endUnit];
  for (int k = begin; k < end && sizes_.rows > 0; ++k) {
    for (int i = 0; i < elements_[k].jointRows; ++i) visit(elements_[k], i);
  }
  for (int k = begin; k < end; ++k) {
    if (elements_[k].jointRows == 0) visit(elements_[k], -1);
  }
}

template <class Scalar, class Form>
template <class Task>
void DeviceSystem<Scalar, Form>::forBodyRanges(Task&& task) const {
  const int share = (problem_.bodyCount() + threads_ - 1) / threads_;
  parallelRanges(problem_.bodyCount(), std::max(share, kGrain), threads_, [&](int begin, int end) {
    task([begin, end](int body) { return body >= begin && body < end; });
  });
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::countSlots() {
  const int bodies = problem_.bodyCount();
  slotStart_.assign(bodies + 1, 0);
  gatheredStart_.assign(bodies, 0);
  sizes_.gatheredBodies = 0;
  const bool endsSimultaneously = !plan_->phases.empty() && plan_->phases.back().isSimultaneous;
  for (const SweepPlan::Phase& phase : plan_->phases) {
    DRYSTONE_ASSERT(!phase.isSimultaneous || &phase == &plan_->phases.back());
    if (phase.isSimultaneous) {
      std::copy(slotStart_.begin() + 1, slotStart_.end(), gatheredStart_.begin());
    }
    forBodyRanges([&](auto&& isOwn) {
      visitElements(phase, [&](const Element& element, int) {
        if (isOwn(element.bodyA)) ++slotStart_[element.bodyA + 1];
        if (isOwn(element.bodyB)) ++slotStart_[element.bodyB + 1];
      });
    });
  }
  for (int body = 0; body < bodies && endsSimultaneously; ++body) {
    if (slotStart_[body + 1] > gatheredStart_[body]) ++sizes_.gatheredBodies;
  }
  for (int body = 0; body < bodies; ++body) slotStart_[body + 1] += slotStart_[body];
  sizes_.bodies = bodies;
  sizes_.entries = slotStart_.back();
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::fillSlots() {
  const SweepView<Scalar>& view = *view_;
  slotCursor_.assign(slotStart_.begin(), slotStart_.end());
  forBodyRanges([&](auto&& isOwn) {
    for (const SweepPlan::Phase& phase : plan_->phases) {
      visitElements(phase, [&](const Element& element, int row) {
        const bool isRow = row >= 0;
        const int at = element.place + std::max(row, 0);
        if (isOwn(element.bodyA)) {
          (isRow ? view.rowSlotA : view.slotA)[at] = slotCursor_[element.bodyA]++;
        }
        if (isOwn(element.bodyB)) {
          (isRow ? view.rowSlotB : view.slotB)[at] = slotCursor_[element.bodyB]++;
        }
      });
    }
  });
  if (sizes_.gatheredBodies > 0) {
    int gathered = 0;
    for (int body = 0; body < sizes_.bodies; ++body) {
      const int first = slotStart_[body] + gatheredStart_[body];
      if (first == slotStart_[body + 1]) continue;
      view.gatheredBody[gathered] = body;
      view.gatheredStart[gathered++] = first;
    }
    countUpdates(problem_, *plan_, updates_);
    std::copy(updates_.begin(), updates_.end(), view.updates);
  }
  std::copy(slotStart_.begin(), slotStart_.end(), view.slotStart);
  std::copy(contactStart_.begin(), contactStart_.end(), view.contactStart);
  std::copy(rowStart_.begin(), rowStart_.end(), view.rowStart);
}

/// All indices but the slots of bodies that move.
template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::fillPlaces() {
  const SweepView<Scalar>& view = *view_;
  const auto bodyIndex = [&](int body) { return body < 0 ? sizes_.bodies : body; };
  parallelRanges(plan_->blockCount(), kGrain, threads_, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const Element& element = elements_[k];
      const int bodyA = bodyIndex(element.bodyA), bodyB = bodyIndex(element.bodyB);
      if (element.jointRows == 0) {
        view.contactRow[element.place] = element.firstRow;
        view.bodyA[element.place] = bodyA;
        view.bodyB[element.place] = bodyB;
        view.slotA[element.place] = view.slotB[element.place] = -1;
      }
      for (int i = 0; i < element.jointRows; ++i) {
        const int at = element.place + i;
        view.rowRow[at] = element.firstRow + i;
        view.rowBodyA[at] = bodyA;
        view.rowBodyB[at] = bodyB;
        view.rowSlotA[at] = view.rowSlotB[at] = -1;
        view.jointRows[at] = i == 0 ? element.jointRows : 0;
      }
    }
  });
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::layOut() {
  placeBlocks();
  countSlots();
  islands_.build(problem_, *plan_, sizes_);
  Base::allocate(sizes_);
  fillPlaces();
  fillSlots();
  islands_.copyTo(*view_);
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::copyProblem() {
  const SweepView<Scalar>& view = *view_;
  copyRows(problem_.jacobianA, view.problemJacobianA, threads_);
  copyRows(problem_.jacobianB, view.problemJacobianB, threads_);
  parallelCopy(problem_.b, view.problemB, threads_);
  if (sizes_.hasCompliance) parallelCopy(problem_.compliance, view.problemCompliance, threads_);
  if (sizes_.rows > 0) {
    parallelCopy(problem_.lower, view.problemLower, threads_);
    parallelCopy(problem_.upper, view.problemUpper, threads_);
  }
  constexpr std::size_t kEntries = SweepView<Scalar>::kRootEntries;
  parallelRanges(sizes_.bodies, kGrain, threads_, [&](int begin, int end) {
    for (int body = begin; body < end; ++body) {
      const MassRoot root = massRoot(problem_.bodies[body]);
      double* to = view.roots + kEntries * body;
      to[0] = root.linear;
      std::copy_n(root.angular.data(), kEntries - 1, to + 1);
    }
  });
  std::fill_n(view.roots + kEntries * sizes_.bodies, kEntries, 0);
  parallelRanges(plan_->blockCount(), kGrain, threads_, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      if (elements_[k].jointRows > 0) continue;
      const ProblemBlock& block = problem_.blocks[plan_->blocks[k]];
      const int place = elements_[k].place;
      view.problemFriction[place] = block.friction;
      view.problemBoxRadius[place] = block.friction * block.normalBound;
    }
  });
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::prepare(const ContactProblem& problem, const SweepPlan& plan,
                                         const StepRule& rule, int threads) {
  DRYSTONE_ASSERT(!problem.assembled);
  problem_ = problem;
  plan_ = &plan;
  threads_ = std::max(threads, 1);
  scaledBy_ = 1;
  hasSteps_ = false;
  // Until all is done, nothing is laid out: the device may fail on the way.
  const std::uint64_t before = std::exchange(laidOut_, 0);
  const bool hasCompliance = isCompliant(problem, threads_);
  const bool isKept = plan.revision != 0 && plan.revision == before &&
                      sizes_.contactRows == contactRows(problem.friction) &&
                      sizes_.hasCompliance == hasCompliance;
  sizes_.contactRows = contactRows(problem.friction);
  sizes_.hasCompliance = hasCompliance;
  sizes_.problemRows = problem.rowCount();
  if (!isKept) layOut();
  Base::countLayout(isKept);
  Base::timeCopy([&] { copyProblem(); });
  fillUnitPlan(problem.friction, plan, rule, unitPlan_);
  unitPlan_.figures = figuresOf(rule);
  backend_->upload(unitPlan_, isKept);
  laidOut_ = plan.revision;
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::writeImpulses(std::span<const Real> lambda) {
  parallelCopy(lambda, view_->impulse, threads_);
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::readImpulses(std::span<Real> lambda) const {
  parallelCopy(std::span<const Real>(view_->impulse, lambda.size()), lambda.data(), threads_);
}

template <class Scalar, class Form>
bool DeviceSystem<Scalar, Form>::readVelocity(std::span<Real> w) {
  backend_->constraintVelocity();
  backend_->fetch(view_->w, w.size() * sizeof(double));
  Base::timeCopy(
      [&] { parallelCopy(std::span<const Real>(view_->w, w.size()), w.data(), threads_); });
  return true;
}

/// ρ of contacts, and of joints with the arms of their rows, by place.
template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::copySteps(std::span<const Real> steps) {
  const SweepView<Scalar>& view = *view_;
  parallelRanges(plan_->blockCount(), kGrain, threads_, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const Element& element = elements_[k];
      const int index = plan_->blocks[k];
      const bool isJoint = element.jointRows > 0;
      view.blockStep[(isJoint ? sizes_.contacts : 0) + element.place] = steps[index];
      for (int i = 0; i < element.jointRows; ++i) {
        view.arm[element.place + i] = armOf(problem_, problem_.blocks[index], element.firstRow + i);
      }
    }
  });
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::sendSteps(std::span<const Real> steps) {
  if (hasSteps_) return;
  Base::timeCopy([&] { copySteps(steps); });
  backend_->send(view_->blockStep, (sizes_.contacts + sizes_.rows) * sizeof(double));
  if (sizes_.rows > 0) backend_->send(view_->arm, sizes_.rows * sizeof(double));
  hasSteps_ = true;
}

template <class Scalar, class Form>
Real DeviceSystem<Scalar, Form>::naturalMap(std::span<const Real> steps) {
  sendSteps(steps);
  backend_->measureResidual(tolerance_);
  backend_->fetch(view_->residual, sizeof(Residual));
  return std::isfinite(view_->residual->sum) ? std::sqrt(view_->residual->largest) : kInfinity;
}

template <class Scalar, class Form>
void DeviceSystem<Scalar, Form>::getKept(std::span<Real> lambda) {
  backend_->fetch(view_->kept, lambda.size() * sizeof(double));
  Base::timeCopy([&] {
    parallelCopy(std::span<const Real>(view_->kept, lambda.size()), lambda.data(), threads_);
  });
}

/// Of R as first made, at most larger than it is now.
template <class Scalar, class Form>
Real DeviceSystem<Scalar, Form>::largestOverStep() const {
  return view_->residual->overStep * scaledBy_;
}

template class DeviceSystem<float>;
template class DeviceSystem<double>;
template class DeviceSystem<float, DescentForm<float>>;
template class DeviceSystem<double, DescentForm<double>>;

}  // namespace drystone::gpu
