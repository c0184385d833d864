#include "solvers/pivoting/direct_solvers.h"

#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/bpp.h"
#include "solvers/pivoting/mlcp_solver.h"

namespace drystone {

SolverTraits directTraits(std::string_view name, std::string_view summary,
                          std::string_view source) {
  SolverTraits traits = boundLoopTraits(name, summary, source);
  traits.exact = true;
  return traits;
}

std::unique_ptr<ContactSolver> makeBppSparseSolver() {
  return std::make_unique<BlockPrincipalPivotingSolver>(
      directTraits("bpp-sparse",
                   "block pivoting with a block-sparse factor in the space of the bodies",
                   "own; Júdice and Pires 1994"),
      std::make_unique<SparseSpaceFactor>());
}

std::unique_ptr<ContactSolver> makeBppAutoSolver() {
  SolverTraits traits =
      directTraits("bpp-auto", "block pivoting with the factor that suits the problem",
                   "own; Lefebvre 2020, §2.2.2");
  traits.whenToTake = "the default: joints, machines, high mass ratios; answers to round-off";
  return std::make_unique<BlockPrincipalPivotingSolver>(std::move(traits),
                                                        std::make_unique<CheapestFactor>());
}

}  // namespace drystone
