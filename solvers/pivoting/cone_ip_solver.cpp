// V. Acary, P. Armand, H. M. Nguyen and M. Shpakovych, "Second order cone programming for
// frictional contact mechanics using interior point algorithm" (2022).

#include "solvers/pivoting/cone_ip_solver.h"

#include "solvers/pivoting/fixed_bound_method.h"

namespace drystone {
namespace {

SolverTraits coneIpTraits() {
  SolverTraits traits;
  traits.name = "cone-ip";
  traits.summary = "interior point on the cones of exact friction, then proximal points";
  traits.source = "Acary, Armand, Nguyen and Shpakovych 2022";
  traits.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kCone};
  traits.condensingPays = CondensingPays::kRarely;
  traits.iterations = kManyPivots;
  return traits;
}

}  // namespace

ConeIpSolver::ConeIpSolver() : ProxNewtonSolver(coneIpTraits()) {}

void ConeIpSolver::reserveOwn(const ProblemSize& size) {
  ProxNewtonSolver::reserveOwn(size);
  path.reserve(size);
}

FreeSystem& ConeIpSolver::begin(RowSystem& rows, const SolveContext& context, const Allowance&,
                                bool isPossible) {
  addStep(path, StageStart::kLast);
  if (isPossible) addStep(proximal, StageStart::kBest);
  if (isPossible) addStep(proximal, StageStart::kNothing);
  return attach(rows, context);
}

std::unique_ptr<ContactSolver> makeConeIpSolver() { return std::make_unique<ConeIpSolver>(); }

}  // namespace drystone
