#include "solvers/direct/bpp.h"

#include <algorithm>

#include "engine/core/timer.h"

namespace drystone {
namespace {

constexpr int kDenseRows = 300;

bool needsCoupling(const ContactProblem& problem) {
  if (problem.friction != FrictionModel::kPyramid && problem.friction != FrictionModel::kCone) {
    return false;
  }
  return std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const ProblemBlock& block) {
    return block.law == BlockLaw::kContact && block.friction > 0;
  });
}

}  // namespace

const SolverTraits& BlockPrincipalPivotingSolver::traits() const {
  static const SolverTraits kTraits = [] {
    SolverTraits traits;
    traits.name = "bpp";
    traits.summary = "block principal pivoting with a direct factor of the free system";
    traits.source = "Júdice and Pires 1994; Ho 2023, §2.5";
    traits.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid,
                             FrictionModel::kCone};
    traits.exact = true;
    return traits;
  }();
  return kTraits;
}

void BlockPrincipalPivotingSolver::visitSettings(SettingVisitor& visitor) {
  settings_.pivoting.visit(visitor);
  settings_.newton.visit(visitor);
}

void BlockPrincipalPivotingSolver::reserve(const ProblemSize& size) {
  rows_.reserve(size);
  bodyFactor_.reserve(size);
  system_.reserve(size);
  candidate_.reserve(size);
  pivoting_.reserve(size);
  states_.reserve(size);
  newton_.reserve(size);
  sets_.reserve(size.rows);
  bounds_.lower.reserve(size.rows);
  bounds_.upper.reserve(size.rows);
  w_.reserve(size.rows);
}

FreeFactor& BlockPrincipalPivotingSolver::chooseFactor(const ContactProblem& problem) {
  if (problem.assembled == nullptr) return bodyFactor_;
  if (problem.rowCount() <= kDenseRows) return denseFactor_;
  return sparseFactor_;
}

SolverReport BlockPrincipalPivotingSolver::solve(const ContactProblem& problem,
                                                 ImpulseView impulses) {
  const Timer timer;
  history_.clear();
  SolverReport report;
  if (!traits().supports(problem.friction)) {
    report.status = SolveStatus::kUnsupported;
    return report;
  }
  rows_.prepare(problem, false);
  system_.attach(rows_, chooseFactor(problem));
  candidate_.attach(rows_, system_);
  const bool coupled = needsCoupling(problem);
  if (!coupled) solveFixedBounds(impulses, report);
  if (coupled || report.status != SolveStatus::kConverged) solveCoupled(impulses, report);
  // With fixed bounds the damped steps end near the right sets, from which pivots finish.
  if (!coupled && report.status != SolveStatus::kConverged) solveFixedBounds(impulses, report);
  report.factorizations = system_.factorizations();
  report.regularization = system_.regularization();
  report.assemblyMs = rows_.assemblyMs();
  report.timeMs = timer.milliseconds();
  return report;
}

void BlockPrincipalPivotingSolver::solveFixedBounds(ImpulseView impulses, SolverReport& report) {
  const ContactProblem& problem = rows_.problem();
  bounds_.assign(problem);
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kContact) {
      bounds_.setFriction(block, block.friction * block.normalBound);
    }
  }
  sets_.start(bounds_, impulses.state, impulses.lambda);
  const PivotOutcome outcome = pivoting_.run(candidate_, bounds_, settings_.pivoting, sets_,
                                             impulses.lambda, &history_);
  std::copy(sets_.states().begin(), sets_.states().end(), impulses.state.begin());
  report.status = outcome.status;
  report.iterations += outcome.rounds;
  report.pivots += outcome.pivots;
}

void BlockPrincipalPivotingSolver::solveCoupled(ImpulseView impulses, SolverReport& report) {
  w_.resize(rows_.rowCount());
  rows_.velocity(impulses.lambda, w_);
  states_.start(rows_, impulses.state, impulses.lambda, w_);
  const NewtonOutcome outcome = newton_.run(rows_, system_, states_, impulses.lambda, w_,
                                            settings_.newton, history_);
  states_.write(rows_, impulses.lambda, impulses.state);
  report.outerIterations = outcome.iterations;
  report.iterations += outcome.iterations;
  report.pivots += outcome.changes;
  if (outcome.converged) {
    report.status = SolveStatus::kConverged;
  } else if (report.status == SolveStatus::kConverged) {
    report.status = SolveStatus::kIterationLimit;
  }
}

std::unique_ptr<ContactSolver> makeBppSolver() {
  return std::make_unique<BlockPrincipalPivotingSolver>();
}

}  // namespace drystone
