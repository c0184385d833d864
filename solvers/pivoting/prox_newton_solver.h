#pragma once

#include <memory>
#include <utility>

#include "solvers/linear/chosen_factor.h"
#include "solvers/linear/free_system.h"
#include "solvers/pivoting/staged_solver.h"

namespace drystone {

/// Proximal points (Rockafellar 1976) for w = A λ + b with bounds on rows and friction at contacts,
/// of all models but contensou: each point solves the problem with a proximal term at all rows, by
/// semismooth Newton steps on its natural map. The stopping test is the natural map [m/s] of the
/// problem as given. A cold start follows where the warm one leads astray.
class ProxNewtonSolver : public StagedSolver {
 public:
  ProxNewtonSolver();

 protected:
  /// For solvers with other stages before the points.
  explicit ProxNewtonSolver(SolverTraits traits) : StagedSolver(std::move(traits)) {}
  void reserveOwn(const ProblemSize& size) override;
  /// Binds the factor to the problem.
  FreeSystem& attach(RowSystem& rows, const SolveContext& context);

 private:
  bool needsMatrix(const ContactProblem& problem) const override {
    return factor_.needsMatrix(problem);
  }
  FreeSystem& begin(RowSystem& rows, const SolveContext& context, const Allowance& allowance,
                    bool isPossible) override;

  CheapestFactor factor_;
  FreeSystem system_;
};

std::unique_ptr<ContactSolver> makeProxNewtonSolver();

}  // namespace drystone
