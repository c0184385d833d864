#include "solvers/direct/bpp.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/core/timer.h"
#include "solvers/residual.h"

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
  visitor.real({"tolerance", "", "natural map that ends the friction iteration over the largest |b|"},
               settings_.tolerance, 0, 1);
  visitor.integer({"max_outer", "", "rounds of the friction bound loop"}, settings_.maxOuter, 0,
                  1'000'000);
  visitor.integer({"max_newton", "", "coupled friction steps before the bound loop takes over"},
                  settings_.maxNewton, 0, 1'000'000);
  visitor.real({"stiffness", "", ""}, settings_.stiffness, 0, 1);
}

void BlockPrincipalPivotingSolver::reserve(const ProblemSize& size) {
  rows_.reserve(size);
  bodyFactor_.reserve(size);
  system_.reserve(size);
  candidate_.reserve(size);
  pivoting_.reserve(size);
  states_.reserve(size);
  newton_.reserve(size);
  proximal_.reserve(size);
  sets_.reserve(size.rows);
  bounds_.lower.reserve(size.rows);
  bounds_.upper.reserve(size.rows);
  w_.reserve(size.rows);
  bestLambda_.reserve(size.rows);
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
  report = needsCoupling(problem) ? solveCoupled(impulses) : solveFixedBounds(impulses);
  report.factorizations = system_.factorizations();
  report.regularization = system_.regularization();
  report.assemblyMs = rows_.assemblyMs();
  report.timeMs = timer.milliseconds();
  return report;
}

SolverReport BlockPrincipalPivotingSolver::solveFixedBounds(ImpulseView impulses) {
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
  SolverReport report;
  report.status = outcome.status;
  report.iterations = outcome.rounds;
  report.pivots = outcome.pivots;
  return report;
}

SolverReport BlockPrincipalPivotingSolver::solveCoupled(ImpulseView impulses) {
  const ContactProblem& problem = rows_.problem();
  const bool cones = problem.friction == FrictionModel::kCone;
  const std::span<Real> lambda = impulses.lambda;
  SolverReport report;
  w_.resize(rows_.rowCount());
  rows_.velocity(lambda, w_);
  states_.start(rows_, impulses.state, lambda, w_);
  const Real tolerance = settings_.tolerance * rows_.velocityScale();
  NewtonOutcome outcome = newton_.run(rows_, system_, states_, lambda, w_, tolerance,
                                      settings_.maxNewton, history_, 0);
  report.iterations = outcome.iterations;
  report.pivots = outcome.changes;
  Real best = outcome.naturalMap;
  bestLambda_.assign(lambda.begin(), lambda.end());
  bool verbose = getenv("BPPV") != nullptr;
  if (verbose) printf("newton: %d its nat %.3e\n", outcome.iterations, outcome.naturalMap);
  bounds_.assign(problem);
  outerLambda_.assign(lambda.begin(), lambda.end());
  while (!outcome.converged && report.outerIterations < settings_.maxOuter) {
    ++report.outerIterations;
    rows_.velocity(outerLambda_, w_);
    for (int c = 0; c < problem.blockCount(); ++c) {
      const ProblemBlock& block = problem.blocks[c];
      if (block.law != BlockLaw::kContact) continue;
      const int first = block.firstRow;
      if (cones) {
        rows_.shift()[first] = block.friction * std::hypot(w_[first + 1], w_[first + 2]);
      } else {
        bounds_.setFriction(block, block.friction * std::max(0.0, outerLambda_[first]));
      }
    }
    const auto po = proximal_.run(rows_, system_, bounds_, cones, settings_.stiffness, 1e-2 * rows_.velocityScale() * 1e-2,
                                  50, outerLambda_);
    std::fill(rows_.shift().begin(), rows_.shift().end(), 0.0);
    rows_.velocity(outerLambda_, w_);
    const Real nat = naturalMapSize(problem, rows_.steps(), outerLambda_, w_).largest;
    std::copy(outerLambda_.begin(), outerLambda_.end(), lambda.begin());
    states_.classify(rows_, lambda, w_);
    outcome = newton_.run(rows_, system_, states_, lambda, w_, tolerance, 8, history_,
                          report.iterations);
    if (verbose) printf("outer %d: prox its %d conv %d nat %.3e -> newton %d its nat %.3e\n", report.outerIterations, po.iterations, po.converged, nat, outcome.iterations, outcome.naturalMap);
    report.iterations += po.iterations + outcome.iterations;
    if (outcome.naturalMap < best) {
      best = outcome.naturalMap;
      bestLambda_.assign(lambda.begin(), lambda.end());
    }
  }
  std::copy(bestLambda_.begin(), bestLambda_.end(), lambda.begin());
  report.status = outcome.converged ? SolveStatus::kConverged : SolveStatus::kIterationLimit;
  states_.write(rows_, lambda, impulses.state);
  return report;
}

std::unique_ptr<ContactSolver> makeBppSolver() {
  return std::make_unique<BlockPrincipalPivotingSolver>();
}

}  // namespace drystone
