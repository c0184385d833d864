#pragma once

#include <vector>

#include "gpu/device_prox_system.h"
#include "gpu/forms/dense_form.h"
#include "solvers/prox/naive_system.h"

namespace drystone::gpu {

/// Prox iterations on a dense T = 1 − R A, as Nützi 2011 has them; contacts only, in the problem's
/// order. w is measured on the processor. The plan says which R factors, and must fit the method.
template <class Scalar>
class DeviceDenseSystem : public DeviceProxSystem<DenseForm<Scalar>>, private SweepComparison {
 public:
  explicit DeviceDenseSystem(Target target) : DeviceProxSystem<DenseForm<Scalar>>(target) {}

  /// T of more rows than these takes too much memory: 4.5 GiB in double.
  static constexpr int kMostRows = 24'576;

  /// Before `prepare`: what comes from settings. The rest of the plan comes from the problem.
  void setMethod(const DensePlan& plan) { densePlan_ = plan; }

  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;

  SweepComparison* comparison() override { return densePlan_.comparesSweeps ? this : nullptr; }
  double assemblyMs() const { return naive_.assemblyMs(); }

 private:
  using Base = DeviceProxSystem<DenseForm<Scalar>>;
  using Base::backend_;
  using Base::problem_;
  using Base::view_;

  void writeImpulses(std::span<const Real> lambda) override;
  void readImpulses(std::span<Real> lambda) const override;
  bool readVelocity(std::span<Real> w) override;
  bool standsStill() override;
  void getPrevious(std::span<Real> lambda) override;
  Real largestOverStep() const override;
  void fillRows(int block);

  NaiveSystem naive_;  ///< A and R
  DensePlan densePlan_;
};

extern template class DeviceDenseSystem<float>;
extern template class DeviceDenseSystem<double>;

}  // namespace drystone::gpu
