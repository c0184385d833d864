#pragma once

#include <memory>
#include <vector>

#include "gpu/backend.h"
#include "gpu/forms/factorized_form.h"
#include "solvers/prox/prox_system.h"
#include "solvers/prox/scaled_blocks.h"

namespace drystone::gpu {

/// The factorized scheme on a device: the problem is brought into mass-scaled coordinates on the
/// processor, as for FactorizedSystem, and laid out for the device. A plan has one simultaneous
/// phase at most, the last. In float w is measured on the processor from the problem itself.
template <class Scalar>
class DeviceSystem : public ProxSystem {
 public:
  explicit DeviceSystem(Target target) : target_(target) {}

  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  void scaleSteps(Real factor) override;
  Real roundOff() const override;

 private:
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

  Target target_;
  std::unique_ptr<Backend<FactorizedForm<Scalar>>> backend_;  ///< made when it is first needed
  const SweepView<Scalar>* view_ = nullptr;
  ContactProblem problem_;
  const SweepPlan* plan_ = nullptr;
  BlockScaling scaling_;
  std::vector<int> placeOf_;                  ///< [blocks] of the plan: first row, or contact
  std::vector<int> contactStart_, rowStart_;  ///< [units + 1]
  std::vector<int> slotStart_, slotCursor_, gatheredStart_;  ///< [bodies + 1], by body
  std::vector<int> rowOfContact_, rowOfRow_;                 ///< first row in the problem
  UnitPlan unitPlan_;
  SweepSizes sizes_;
  std::vector<Vec6> bodyVelocity_;  ///< work space of constraintVelocity
  std::vector<Real> lambda_;        ///< the same
  std::vector<Real> start_;         ///< as set: no rounded warm start counts as another
  bool isAtStart_ = true;
};

extern template class DeviceSystem<float>;
extern template class DeviceSystem<double>;

}  // namespace drystone::gpu
