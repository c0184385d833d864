#pragma once

#include <vector>

#include "solvers/prox/naive_system.h"

namespace drystone {

/// The T scheme (Poulsen 2010, §3.4.1): sweeps over the block rows of T = 1 − R A with c = R b, so
/// that the argument of the prox is z = T λ − c at once. Saves R (A λ + b) in every sweep and costs
/// as much again as assembling A; pays where few contacts share bodies and sweeps are many.
class TSystem : public ProxSystem {
 public:
  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  /// T ← 1 − ν (1 − T), c ← ν c (Poulsen 2010, Eq. 3.14, 3.17).
  void scaleSteps(Real factor) override;

  double assemblyMs() const { return assemblyMs_; }

 private:
  template <FrictionModel kModel>
  void sweepContact(int block, bool isCoupled, std::span<Real> write) const;
  void sweepRows(int block, bool isCoupled, std::span<Real> write) const;
  template <FrictionModel kModel>
  void sweepPhase(const SweepPlan::Phase& phase);

  NaiveSystem naive_;  // A and R
  const BlockSparseMatrix* matrix_ = nullptr;
  BlockSparseMatrix t_;
  ContactProblem problem_;
  const SweepPlan* plan_ = nullptr;
  int threads_ = 1;
  double assemblyMs_ = 0;
  std::vector<Real> c_, lambda_, next_;
};

}  // namespace drystone
