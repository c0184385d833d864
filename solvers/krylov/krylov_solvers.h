#pragma once

#include <memory>

#include "solvers/krylov/free_preconditioner.h"
#include "solvers/pivoting/mlcp_solver.h"

namespace drystone {

/// A fixed-bound method with preconditioned conjugate gradients inside, as a solver: rows with
/// bounds and, by the loop over bounds, friction. It ends as the loop does (BoundLoop).
class KrylovSolver final : public MlcpSolver {
 public:
  /// `preconditioner` is part of the method.
  KrylovSolver(SolverTraits traits, std::unique_ptr<FixedBoundMethod> method,
               std::shared_ptr<FreePreconditioner> preconditioner)
      : MlcpSolver(std::move(traits), std::move(method)),
        preconditioner_(std::move(preconditioner)) {}

  /// What the preconditioners of the last solve took.
  const KrylovStatistics& statistics() const { return preconditioner_->statistics(); }

 private:
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    preconditioner_->clearStatistics();
    MlcpSolver::run(problem, context, impulses, report);
  }

  std::shared_ptr<FreePreconditioner> preconditioner_;
};

/// Block principal pivoting whose free systems are solved by conjugate gradients.
std::unique_ptr<ContactSolver> makeBppPcgSolver();
/// Preconditioned generalized conjugate gradients.
std::unique_ptr<ContactSolver> makePgcgSolver();

}  // namespace drystone
