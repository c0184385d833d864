#pragma once

#include <memory>

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/chosen_factor.h"
#include "solvers/linear/free_system.h"
#include "solvers/pivoting/cone_interior_point.h"
#include "solvers/pivoting/staged_solver.h"

namespace drystone {

/// The interior point on the cones of exact friction with the cheapest factor, and proximal points
/// from its best answer where the path turns back.
class ConeIpSolver : public StagedSolver {
 public:
  ConeIpSolver();

  ConeInteriorPoint path{newton};

 private:
  void reserveOwn(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem& problem) const override {
    return factor_.needsMatrix(problem);
  }
  FreeSystem& begin(RowSystem& rows, const SolveContext& context, const Allowance& allowance,
                    bool isPossible) override;

  CheapestFactor factor_;
  FreeSystem system_;
};

std::unique_ptr<ContactSolver> makeConeIpSolver();

}  // namespace drystone
