#pragma once

#include <vector>

#include "solvers/prox/prox_system.h"
#include "solvers/prox/scaled_blocks.h"

namespace drystone {

/// The factorized scheme (Poulsen 2010, §3.4.2) in mass-scaled coordinates. With M⁻¹ = L Lᵀ per
/// body, A = J̃ J̃ᵀ + C where J̃ = J L, and the bodies carry ũ = J̃ᵀ λ instead of M⁻¹ Jᵀ λ. One scaled
/// Jacobian then serves both halves of an update, w = J̃ ũ + C λ + b and ũ += J̃ᵀ Δλ, which halves
/// the memory that a sweep reads; M⁻¹ Jᵀ is never stored. All data of a contact lie together, in
/// the order of execution.
class FactorizedSystem : public ProxSystem {
 public:
  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  void scaleSteps(Real factor) override;

  /// ũ of a body, padded to one cache line.
  struct alignas(64) BodyVelocity {
    Real value[8] = {};
  };

 private:
  template <int kRows>
  std::vector<ScaledContact<kRows>>& contacts();
  template <class Function>
  void forEachContactList(Function&& function);
  template <class Function>
  void forEachContactList(Function&& function) const;
  int contactCount() const;

  template <FrictionModel kModel>
  void sweepPhase(const SweepPlan::Phase& phase);
  template <FrictionModel kModel>
  void sweepSimultaneously(const SweepPlan::Phase& phase);
  void placeBlocks(const ContactProblem& problem);
  void listBlocksByBody();
  template <int kRows, class RowImpulse, class ContactImpulse>
  void addImpulses(int firstUnit, int endUnit, RowImpulse&& ofRow, ContactImpulse&& ofContact);
  void recomputeVelocities();

  FrictionModel model_ = FrictionModel::kCone;
  const SweepPlan* plan_ = nullptr;
  int threads_ = 1;
  int fixedBody_ = 0;
  BlockScaling scaling_;
  std::vector<BodyVelocity> velocity_;
  std::vector<int> rowStart_, contactStart_;     ///< [units + 1] into rows_ and the contacts
  std::vector<int> placeOf_;                     ///< [blocks] of the plan: first row, or contact
  std::vector<Real> rowChange_, contactChange_;  ///< Δλ of a simultaneous phase
  std::vector<int> bodyStart_, bodyEntries_;     ///< rows and contacts by body, where threads > 1
  std::vector<ScaledJointRow> rows_;
  std::vector<ScaledContact<1>> contacts1_;
  std::vector<ScaledContact<3>> contacts3_;
  std::vector<ScaledContact<4>> contacts4_;
  std::vector<ScaledContact<5>> contacts5_;
};

}  // namespace drystone
