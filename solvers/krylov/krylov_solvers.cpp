#include "solvers/krylov/krylov_solvers.h"

#include "solvers/krylov/generalized_cg.h"
#include "solvers/krylov/pcg_pivot_method.h"
#include "solvers/pivoting/mlcp_solver.h"

namespace drystone {
namespace {

/// Ho's inner residual, 1e-6, misjudges signs where the compliance is small: 350 candidates instead
/// of 33 (docs/solvers/bpp-pcg.md).
constexpr PivotSettings kPcgPivots = {.trialTolerance = 1e-10, .maxRounds = 20'000};

}  // namespace

std::unique_ptr<ContactSolver> makeBppPcgSolver() {
  auto preconditioner = std::make_shared<FreePreconditioner>();
  SolverTraits traits = boundLoopTraits(
      "bpp-pcg", "block pivoting; free systems by preconditioned conjugate gradients",
      "Ho 2022, §5.1");
  traits.condensingPays = CondensingPays::kRarely;
  return std::make_unique<KrylovSolver>(
      std::move(traits), std::make_unique<PcgPivotMethod>(preconditioner, kPcgPivots),
      preconditioner);
}

std::unique_ptr<ContactSolver> makePgcgSolver() {
  auto preconditioner = std::make_shared<FreePreconditioner>();
  SolverTraits traits = boundLoopTraits(
      "pgcg", "conjugate gradients within the bounds; rows that meet one become tight",
      "O'Leary 1980; Ho 2022, §5.2");
  traits.condensingPays = CondensingPays::kRarely;
  traits.whenToTake = "tens of thousands of well-conditioned rows, with preconditioner=jacobi";
  return std::make_unique<KrylovSolver>(
      std::move(traits), std::make_unique<GeneralizedCg>(preconditioner), preconditioner);
}

}  // namespace drystone
