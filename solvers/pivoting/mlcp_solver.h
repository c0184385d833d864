#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "solvers/pivoting/bound_loop.h"

namespace drystone {

/// Traits of a solver whose friction goes through the loop over bounds (M.10).
inline SolverTraits boundLoopTraits(std::string_view name, std::string_view summary,
                                    std::string_view source) {
  SolverTraits traits;
  traits.name = name;
  traits.summary = summary;
  traits.source = source;
  traits.iterations = kManyPivots;
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
  FixedBoundMethod& method() { return *method_; }

 protected:
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;

  SolverTraits traits_;
  std::unique_ptr<FixedBoundMethod> method_;
  BoundLoopSettings settings_;
  BoundLoop loop_;
};

/// Traits of a solver that ends at round-off, with friction by the loop over bounds (M.10).
SolverTraits directTraits(std::string_view name, std::string_view summary, std::string_view source);

std::unique_ptr<ContactSolver> makeBppSparseSolver();
std::unique_ptr<ContactSolver> makeBppAutoSolver();

}  // namespace drystone
