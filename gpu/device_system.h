#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device_prox_system.h"
#include "gpu/forms/descent_form.h"
#include "gpu/forms/factorized_form.h"
#include "gpu/island_layout.h"
#include "solvers/prox/scaled_blocks.h"

namespace drystone::gpu {

/// The factorized scheme on a device: the rows of the problem go there as they are, and kernels
/// bring them into mass-scaled coordinates as FactorizedSystem does. What lies where is laid out by
/// the host, and kept as long as the plan and its revision stay. A plan has one simultaneous phase
/// at most, the last. w and its residual are measured on the device, in double. `Form`: that one,
/// or one with more launches and arrays.
template <class Scalar, class Form = FactorizedForm<Scalar>>
class DeviceSystem : public DeviceProxSystem<Form>, private OwnMeasurement {
 public:
  explicit DeviceSystem(Target target) : DeviceProxSystem<Form>(target) {}

  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  OwnMeasurement* measurement() override { return this; }
  /// First row of the block that the last natural map is of; −1: every block is solved exactly.
  int worstRow() const { return view_->residual->worstRow; }
  /// Natural map [m/s] at which an island of its own is solved and swept no more; at first none is.
  void setTolerance(Real tolerance) { tolerance_ = tolerance; }

 protected:
  /// Brings ρ there, unless the device has it since the last layout.
  void sendSteps(std::span<const Real> steps);

  using Base = DeviceProxSystem<Form>;
  using Base::backend_;
  using Base::view_;
  typename Form::Plan unitPlan_;

 private:
  using Base::problem_;
  using Base::scaledBy_;
  using Base::threads_;

  void writeImpulses(std::span<const Real> lambda) override;
  void readImpulses(std::span<Real> lambda) const override;
  bool readVelocity(std::span<Real> w) override;
  Real largestOverStep() const override;
  Real naturalMap(std::span<const Real> steps) override;
  void keep() override { backend_->keepImpulses(); }
  void getKept(std::span<Real> lambda) override;
  /// A block in the order of execution.
  struct Element {
    int firstRow, bodyA, bodyB;
    int jointRows;  ///< 0: a contact
    int place;      ///< of the contact, or of the first joint row
  };
  void layOut();
  void placeBlocks();
  void countSlots();
  void fillSlots();
  void fillPlaces();
  void copyProblem();
  void copySteps(std::span<const Real> steps);
  /// Calls `visit(element, row)` for the contacts and joint rows of a phase: the rows first, each
  /// in the order of execution; row −1: a contact.
  template <class Visit>
  void visitElements(const SweepPlan::Phase& phase, Visit&& visit) const;
  /// Calls `task(isOwn)` for ranges of bodies at the same time; `isOwn(body)`: the body is one of
  /// them. Bodies at rest are in none.
  template <class Task>
  void forBodyRanges(Task&& task) const;

  const SweepPlan* plan_ = nullptr;
  std::uint64_t laidOut_ = 0;  ///< revision of the plan
  bool hasSteps_ = false;      ///< the device has ρ of this problem
  std::vector<Element> elements_;
  std::vector<int> contactStart_, rowStart_;                 ///< [units + 1]
  std::vector<int> slotStart_, slotCursor_, gatheredStart_;  ///< [bodies + 1], by body
  std::vector<Real> updates_;                                ///< [bodies + 1]
  IslandLayout islands_;
  Real tolerance_ = -1;
  SweepSizes sizes_;
};

extern template class DeviceSystem<float>;
extern template class DeviceSystem<double>;
extern template class DeviceSystem<float, DescentForm<float>>;
extern template class DeviceSystem<double, DescentForm<double>>;

}  // namespace drystone::gpu
