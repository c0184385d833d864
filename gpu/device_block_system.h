#pragma once

#include <memory>
#include <vector>

#include "gpu/backend.h"
#include "gpu/forms/block_form.h"
#include "solvers/prox/naive_system.h"

namespace drystone::gpu {

/// The naive scheme on a device: A is assembled on the processor, with its R factors as for
/// NaiveSystem, and laid out for the device. In float w is measured on the processor from the
/// problem itself.
template <class Scalar>
class DeviceBlockSystem : public ProxSystem {
 public:
  explicit DeviceBlockSystem(Target target) : target_(target) {}

  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  void scaleSteps(Real factor) override;
  Real roundOff() const override;

  double assemblyMs() const { return naive_.assemblyMs(); }

 private:
  void sizeSlices();
  void fillPlace(int place);

  Target target_;
  std::unique_ptr<Backend<BlockForm<Scalar>>> backend_;  ///< made when it is first needed
  const BlockView<Scalar>* view_ = nullptr;
  ContactProblem problem_;
  const SweepPlan* plan_ = nullptr;
  NaiveSystem naive_;  ///< A and R
  BlockSizes sizes_;
  std::vector<std::size_t> valueStart_, columnStart_;  ///< [slices]
  std::vector<int> sliceRows_;                         ///< [slices]
  UnitPlan unitPlan_;
  std::vector<Vec6> bodyVelocity_;  ///< work space of constraintVelocity
  std::vector<Real> lambda_;        ///< the same
  std::vector<Real> start_;         ///< as set: no rounded warm start counts as another
  bool isAtStart_ = true;
};

extern template class DeviceBlockSystem<float>;
extern template class DeviceBlockSystem<double>;

}  // namespace drystone::gpu
