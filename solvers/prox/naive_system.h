#pragma once

#include <vector>

#include "solvers/problem/problem_ops.h"
#include "solvers/problem/prox_math.h"
#include "solvers/prox/prox_system.h"

namespace drystone {

/// The naive scheme (Poulsen 2010, §3.4, fig. 3.5): sweeps over the block rows of A. A problem in
/// body form is assembled first. Takes A as it is given: rank deficient or slightly unsymmetric.
class NaiveSystem : public ProxSystem {
 public:
  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  void scaleSteps(Real factor) override;

  double assemblyMs() const { return assemblyMs_; }
  const BlockSparseMatrix& matrix() const { return *matrix_; }
  /// R of every row [kg].
  std::span<const Real> steps() const { return steps_; }
  const StepRule& rule() const { return rule_; }

 private:
  void computeSteps();
  void addNeighbours(int block, Real* scales) const;
  template <FrictionModel kModel>
  void sweepContact(int block, bool isCoupled, std::span<Real> write);
  void sweepRows(int block, bool isCoupled, std::span<Real> write);
  template <FrictionModel kModel>
  void sweepPhase(const SweepPlan::Phase& phase);

  ContactProblem problem_;
  const SweepPlan* plan_ = nullptr;
  StepRule rule_;
  int threads_ = 1;
  AssemblyWorkspace assembly_;
  BlockSparseMatrix owned_;
  const BlockSparseMatrix* matrix_ = nullptr;
  double assemblyMs_ = 0;
  std::vector<Real> steps_;  ///< [rows] R; the tangents of a contact share theirs
  std::vector<Real> lambda_, next_;
};

}  // namespace drystone
