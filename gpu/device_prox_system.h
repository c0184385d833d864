#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "core/parallel.h"
#include "core/timer.h"
#include "gpu/backend.h"
#include "gpu/layout/sweep_view.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/prox/prox_system.h"

namespace drystone::gpu {

/// What the prox systems on a device have in common: `Form` says how one is laid out, its subclass
/// fills the host's image and reads it.
template <class Form>
class DeviceProxSystem : public ProxSystem {
 public:
  using Scalar = typename Form::Value;

  void setImpulses(std::span<const Real> lambda) final {
    start_.resize(lambda.size());
    parallelCopy(lambda, start_.data(), threads_);
    isAtStart_ = true;
    timeCopy([&] { writeImpulses(lambda); });
    backend_->setImpulses();
  }
  void getImpulses(std::span<Real> lambda) const final {
    if (isAtStart_) {
      parallelCopy(std::span<const Real>(start_), lambda.data(), threads_);
      return;
    }
    backend_->getImpulses();
    timeCopy([&] { readImpulses(lambda); });
  }
  void sweep() final {
    isAtStart_ = false;
    backend_->sweep();
  }
  /// By the clock of the device.
  double timeSweeps(int count) final {
    isAtStart_ = false;
    return backend_->timeSweeps(count);
  }
  /// Computes w on the device where it measures in double, else on the processor from the problem
  /// itself.
  void constraintVelocity(std::span<Real> w) final {
    if (readVelocity(w)) return;
    lambda_.resize(problem_.rowCount());
    bodyVelocity_.resize(problem_.bodyCount());
    getImpulses(lambda_);
    drystone::constraintVelocity(problem_, lambda_, bodyVelocity_, w);
  }
  void scaleSteps(Real factor) final {
    scaledBy_ *= factor;
    backend_->scaleSteps(static_cast<Scalar>(factor));
  }
  /// The same bound as WideSystem's: sweeps add up w with the relative precision of its parts, of
  /// which the largest impulse makes the largest, A_ii |λ_i|, read as |λ_i|/R_i.
  Real roundOff() const final {
    constexpr Real kTerms = 16;  // roundings that meet in one w
    return isDouble() ? 0 : kTerms * std::numeric_limits<Scalar>::epsilon() * largestOverStep();
  }

  /// Of all solves so far; `hostMs` is the solver's to tell.
  DeviceWork work() const {
    DeviceWork work = work_;
    if (backend_) work.executor = backend_->work();
    return work;
  }

 protected:
  explicit DeviceProxSystem(Target target) : target_(target) {}

  static constexpr bool isDouble() { return sizeof(Scalar) == sizeof(Real); }

  void reserveRows(const ProblemSize& size) {
    bodyVelocity_.reserve(size.bodies);
    for (auto* array : {&lambda_, &start_}) array->reserve(size.rows);
  }
  /// Makes room; `view_` then is the host's image.
  void allocate(const typename Form::Sizes& sizes) {
    if (!backend_) backend_ = makeBackend<Form>(target_);
    view_ = &backend_->allocate(sizes);
  }

  void countLayout(bool isKept) { ++(isKept ? work_.keptLayouts : work_.layouts); }
  /// `copy` moves numbers between the caller's arrays and the image, and does nothing else.
  template <class Copy>
  void timeCopy(Copy&& copy) const {
    const Timer timer;
    copy();
    work_.copyMs += timer.milliseconds();
  }

  /// What was swept in float is off the sets of the laws by its round-off.
  void returnRounded(std::span<Real> lambda) const {
    if (!isDouble()) returnToLaws(problem_, lambda, threads_);
  }

  /// λ of the problem's rows into the host's image, and back: on the sets of the laws in double,
  /// whatever the sweeps are in.
  virtual void writeImpulses(std::span<const Real> lambda) = 0;
  virtual void readImpulses(std::span<Real> lambda) const = 0;
  /// w by the device; false: it does not measure in double.
  virtual bool readVelocity(std::span<Real> w) = 0;
  /// Largest |λ_i|/R_i of the rows, of the λ last measured [m/s].
  virtual Real largestOverStep() const = 0;

  std::unique_ptr<Backend<Form>> backend_;  ///< made when it is first needed
  const typename Form::View* view_ = nullptr;
  ContactProblem problem_;
  int threads_ = 1;    ///< of the host's own work
  Real scaledBy_ = 1;  ///< all factors of scaleSteps since the last layout

 private:
  Target target_;
  std::vector<Vec6> bodyVelocity_;  ///< work space of constraintVelocity
  std::vector<Real> lambda_;        ///< the same
  std::vector<Real> start_;         ///< as set: no rounded warm start counts as another
  bool isAtStart_ = true;
  mutable DeviceWork work_;  ///< but for the executor's
};

/// The phases of a plan as the device sees them, but for that of islands.
inline void fillUnitPlan(FrictionModel model, const SweepPlan& plan, const StepRule& rule,
                         UnitPlan& unitPlan) {
  unitPlan.model = model;
  unitPlan.phases.clear();
  for (const SweepPlan::Phase& phase : plan.phases) {
    if (phase.isOfIslands) continue;
    unitPlan.phases.push_back({phase.firstUnit, phase.endUnit, phase.isSimultaneous,
                               rule.couplesTangents(phase.isSimultaneous)});
  }
}

}  // namespace drystone::gpu
