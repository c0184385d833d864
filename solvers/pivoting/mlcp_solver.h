#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "solvers/pivoting/bound_loop.h"
#include "solvers/problem/idle_rows.h"

namespace drystone {

/// Traits of a solver whose friction goes through the loop over bounds (M.10).
inline SolverTraits boundLoopTraits(std::string_view name, std::string_view summary,
                                    std::string_view source) {
  SolverTraits traits;
  traits.name = name;
  traits.summary = summary;
  traits.source = source;
  traits.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid,
                           FrictionModel::kCone};
  return traits;
}

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
