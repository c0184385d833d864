#pragma once

#include <memory>
#include <utility>

#include "solvers/direct/bound_loop.h"
#include "solvers/idle_rows.h"

namespace drystone {

/// A fixed-bound method as a solver: friction by the loop over its bounds (M.10).
class MlcpSolver : public ContactSolver {
 public:
  MlcpSolver(SolverTraits traits, std::unique_ptr<FixedBoundMethod> method)
      : traits_(std::move(traits)), method_(std::move(method)) {}

  const SolverTraits& traits() const override { return traits_; }
  void visitSettings(SettingVisitor& visitor) override;
  void reserve(const ProblemSize& size) override;
  SolverReport solve(const ContactProblem& problem, ImpulseView impulses) override;

 private:
  SolverTraits traits_;
  std::unique_ptr<FixedBoundMethod> method_;
  IdleRows idleRows_;
  BoundLoopSettings settings_;
  BoundLoop loop_;
};

}  // namespace drystone
