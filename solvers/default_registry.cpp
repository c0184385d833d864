#include "solvers/default_registry.h"

#include "solvers/automatic/auto_solver.h"
#include "solvers/first_order/apgd.h"
#include "solvers/krylov/krylov_solvers.h"
#include "solvers/pivoting/cone_ip_solver.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "solvers/pivoting/prox_newton_solver.h"
#include "solvers/prox/nsgs.h"
#include "solvers/prox/prox_solver.h"
#include "solvers/prox/sor_prox_wide.h"
#include "solvers/reference/reference_solvers.h"
#include "solvers/staggered/staggered.h"

namespace drystone {

SolverRegistry makeDefaultRegistry() {
  SolverRegistry registry;
  registry.add(&makeAutoSolver);
  registry.add(&makeMurtySolver);
  registry.add(&makeKellerSolver);
  registry.add(&makeLemkeSolver);
  registry.add(&makeBppSolver);
  registry.add(&makeBppDowndateSolver);
  registry.add(&makeBppSkylineSolver);
  registry.add(&makeBppCachedSolver);
  registry.add(&makeBppSparseSolver);
  registry.add(&makeBppAutoSolver);
  registry.add(&makeProxNewtonSolver);
  registry.add(&makeConeIpSolver);
  registry.add(&makeBppPcgSolver);
  registry.add(&makePgcgSolver);
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<SorProxSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<JacobiProxSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<SorProxColoredSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<SorProxWideSolver>(); });
  registry.add(&makeNsgs);
  registry.add(&makeApgd);
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<StaggeredSolver>(); });
  return registry;
}

}  // namespace drystone
