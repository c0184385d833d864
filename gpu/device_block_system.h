#pragma once

#include <vector>

#include "gpu/device_prox_system.h"
#include "gpu/forms/block_form.h"
#include "solvers/prox/naive_system.h"

namespace drystone::gpu {

/// The naive scheme on a device: A is assembled on the processor, with its R factors as for
/// NaiveSystem, and laid out for the device. In float w is measured on the processor from the
/// problem itself.
template <class Scalar>
class DeviceBlockSystem : public DeviceProxSystem<BlockForm<Scalar>> {
 public:
  explicit DeviceBlockSystem(Target target) : DeviceProxSystem<BlockForm<Scalar>>(target) {}

  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;

  double assemblyMs() const { return naive_.assemblyMs(); }

 private:
  using Base = DeviceProxSystem<BlockForm<Scalar>>;
  using Base::backend_;
  using Base::problem_;
  using Base::view_;

  void writeImpulses(std::span<const Real> lambda) override;
  void readImpulses(std::span<Real> lambda) const override;
  bool readVelocity(std::span<Real> w) override;
  Real largestOverStep() const override;
  void sizeSlices();
  void fillPlace(int place);

  const SweepPlan* plan_ = nullptr;
  NaiveSystem naive_;  ///< A and R
  BlockSizes sizes_;
  std::vector<std::size_t> valueStart_, columnStart_;  ///< [slices]
  std::vector<int> sliceRows_;                         ///< [slices]
  UnitPlan unitPlan_;
};

extern template class DeviceBlockSystem<float>;
extern template class DeviceBlockSystem<double>;

}  // namespace drystone::gpu
