#include "solvers/prox/sor_prox_wide.h"

namespace drystone {
namespace {

SolverTraits wideTraits() {
  SolverTraits traits;
  traits.name = "sor-prox-wide";
  traits.summary = "sor-prox-colored with eight contacts at a time in vector lanes";
  traits.whenToTake = "large piles at a fixed budget of sweeps, fastest, and on many threads";
  traits.source = "own; Poulsen 2010, chapters 4 and 7";
  traits.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                           FrictionModel::kPyramid, FrictionModel::kDiamond,
                           FrictionModel::kCone,    FrictionModel::kContensou};
  traits.takesAssembledForm = false;
  traits.parallel = true;
  return traits;
}

}  // namespace

SorProxWideSolver::SorProxWideSolver() : ProxSolver(wideTraits()) {
  coloringSettings.unit = ColorUnit::kContact;
}

void SorProxWideSolver::visitSettings(SettingVisitor& visitor) {
  settings.visitSweeps(visitor);
  visitPrecision(visitor, precision);
  coloringSettings.visitColors(visitor);
}

void SorProxWideSolver::reserveOwn(const ProblemSize& size) {
  ProxSolver::reserveOwn(size);
  coloring_.reserve(size);
}

void SorProxWideSolver::reserveSystems(const ProblemSize& size) {
  if (precision != SweepPrecision::kDouble) floats_.reserve(size);
  if (precision != SweepPrecision::kFloat) doubles_.reserve(size);
}

void SorProxWideSolver::makePlan(const ContactProblem& problem, SweepPlan& plan) {
  coloring_.plan(problem, coloringSettings, plan);
}

ProxSystem* SorProxWideSolver::layOut(const ContactProblem& problem, const SweepPlan& plan,
                                      const StepRule& rule, SolverReport&) {
  const bool inFloat = startsInFloat(precision, settings.stopping.criterion);
  ProxSystem* system = &doubles_;
  if (inFloat) system = &floats_;
  system->prepare(problem, plan, rule, threads());
  return system;
}

ProxSystem* SorProxWideSolver::sharper(const ContactProblem& problem, const SweepPlan& plan,
                                       const StepRule& rule) {
  if (precision != SweepPrecision::kMixed) return nullptr;
  doubles_.prepare(problem, plan, rule, threads());
  return &doubles_;
}

}  // namespace drystone
