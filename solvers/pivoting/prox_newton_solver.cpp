// R. T. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
// and Optimization 14 (1976); Newton steps as P. Alart and A. Curnier, Computer Methods in Applied
// Mechanics and Engineering 92 (1991).

#include "solvers/pivoting/prox_newton_solver.h"

#include "solvers/pivoting/fixed_bound_method.h"

namespace drystone {
namespace {

SolverTraits proxNewtonTraits() {
  SolverTraits traits;
  traits.name = "prox-newton";
  traits.summary = "proximal points, each solved by Newton steps on all laws at once";
  traits.source = "Rockafellar 1976; Alart and Curnier 1991";
  traits.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid,
                           FrictionModel::kDiamond, FrictionModel::kCone};
  traits.condensingPays = CondensingPays::kRarely;
  traits.iterations = kManyPivots;
  return traits;
}

}  // namespace

ProxNewtonSolver::ProxNewtonSolver() : ProxNewtonSolver(proxNewtonTraits()) {}

void ProxNewtonSolver::reserveOwn(const ProblemSize& size) {
  StagedSolver::reserveOwn(size);
  factor_.reserve(size);
  system_.reserve(size);
}

FreeSystem& ProxNewtonSolver::attach(RowSystem& rows, const SolveContext& context) {
  factor_.setDeadline(context.deadline);
  system_.attach(rows, factor_, BasisKind::kGeneral);
  return system_;
}

FreeSystem& ProxNewtonSolver::begin(RowSystem& rows, const SolveContext& context, const Allowance&,
                                    bool isPossible) {
  addStep(proximal, StageStart::kLast);
  if (isPossible) addStep(proximal, StageStart::kNothing);
  return attach(rows, context);
}

std::unique_ptr<ContactSolver> makeProxNewtonSolver() {
  return std::make_unique<ProxNewtonSolver>();
}

}  // namespace drystone
