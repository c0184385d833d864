#include "solvers/pivoting/mlcp_solver.h"

#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/bpp.h"

namespace drystone {

void MlcpSolver::visitSettings(SettingVisitor& visitor) {
  method_->visitSettings(visitor);
  settings_.visit(visitor);
}

void MlcpSolver::reserveOwn(const ProblemSize& size) {
  method_->reserve(size);
  loop_.reserve(size);
}

void MlcpSolver::run(const ContactProblem& problem, const SolveContext& context,
                     ImpulseView impulses, SolverReport& report) {
  Spending spending{.iterationsLeft = context.iterations};
  settings_.tolerance = context.tolerance;
  settings_.allowance = {spending, context.deadline};
  loop_.solve(problem, *method_, settings_, impulses, context.history, report);
  settings_.allowance = {};
  method_->setAllowance({});
  report.iterations = context.iterations - spending.iterationsLeft;
}

SolverTraits directTraits(std::string_view name, std::string_view summary,
                          std::string_view source) {
  SolverTraits traits = boundLoopTraits(name, summary, source);
  traits.endsAtRoundOff = true;
  return traits;
}

std::unique_ptr<ContactSolver> makeBppSparseSolver() {
  SolverTraits traits = directTraits(
      "bpp-sparse", "block pivoting with a block-sparse factor in the space of the bodies",
      "own; Júdice and Pires 1994");
  traits.condensingPays = CondensingPays::kRarely;
  return std::make_unique<BlockPrincipalPivotingSolver>(std::move(traits),
                                                        std::make_unique<SparseSpaceFactor>());
}

std::unique_ptr<ContactSolver> makeBppAutoSolver() {
  SolverTraits traits =
      directTraits("bpp-auto", "block principal pivoting with the factor that suits the problem",
                   "own; Lefebvre 2020, §2.2.2");
  traits.condensingPays = CondensingPays::kRarely;
  return std::make_unique<BlockPrincipalPivotingSolver>(std::move(traits),
                                                        std::make_unique<CheapestFactor>());
}

}  // namespace drystone
