#pragma once

#include <vector>

#include "gpu/device_prox_system.h"
#include "gpu/forms/factorized_form.h"
#include "solvers/prox/scaled_blocks.h"

namespace drystone::gpu {

/// The factorized scheme on a device: the problem is brought into mass-scaled coordinates on the
/// processor, as for FactorizedSystem, and laid out for the device. A plan has one simultaneous
/// phase at most, the last. In float w is measured on the processor from the problem itself.
template <class Scalar>
class DeviceSystem : public DeviceProxSystem<FactorizedForm<Scalar>> {
 public:
  explicit DeviceSystem(Target target) : DeviceProxSystem<FactorizedForm<Scalar>>(target) {}

  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;

 private:
  using Base = DeviceProxSystem<FactorizedForm<Scalar>>;
  using Base::backend_;
  using Base::problem_;
  using Base::view_;

  void writeImpulses(std::span<const Real> lambda) override;
  void readImpulses(std::span<Real> lambda) const override;
  bool readVelocity(std::span<Real> w) override;
  Real largestOverStep() const override;
  void placeBlocks();
  void countSlots();
  void fillSlots();
  template <int kRows>
  void fillContact(int block, int place);
  void fillRows(int block, int place);
  /// Calls `visit(element, bodyA, bodyB, isRow)` for the contacts and joint rows of a phase: the
  /// rows first, each in the order of execution.
  template <class Visit>
  void visitElements(const SweepPlan::Phase& phase, Visit&& visit) const;
  /// Calls `copy(row, value)` with the value of every row of the problem.
  template <class Copy>
  void forEachRow(Scalar* contacts, Scalar* rows, Copy&& copy) const;

  const SweepPlan* plan_ = nullptr;
  BlockScaling scaling_;
  std::vector<int> placeOf_;                  ///< [blocks] of the plan: first row, or contact
  std::vector<int> contactStart_, rowStart_;  ///< [units + 1]
  std::vector<int> slotStart_, slotCursor_, gatheredStart_;  ///< [bodies + 1], by body
  std::vector<int> rowOfContact_, rowOfRow_;                 ///< first row in the problem
  UnitPlan unitPlan_;
  SweepSizes sizes_;
};

extern template class DeviceSystem<float>;
extern template class DeviceSystem<double>;

}  // namespace drystone::gpu
