#pragma once

#include <memory>

#include "solvers/driver/contact_solver.h"
#include "solvers/pivoting/cone_interior_point.h"
#include "solvers/pivoting/prox_newton_solver.h"

namespace drystone {

/// The interior point on the cones of exact friction (Acary, Armand, Nguyen and Shpakovych 2022)
/// for w = A λ + b with bounds on rows and friction of the models none, box and cone. Where the
/// path turns back, proximal points go on from its best answer, and then from nothing.
///
/// The stopping test is the natural map [m/s] of the problem as given.
class ConeIpSolver : public ProxNewtonSolver {
 public:
  ConeIpSolver();

  ConeInteriorPoint path{newton};

 private:
  void reserveOwn(const ProblemSize& size) override;
  FreeSystem& begin(RowSystem& rows, const SolveContext& context, const Allowance& allowance,
                    bool isPossible) override;
};

std::unique_ptr<ContactSolver> makeConeIpSolver();

}  // namespace drystone
