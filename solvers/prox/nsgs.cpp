#include "solvers/prox/nsgs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/check.h"

namespace drystone {

void NsgsSettings::visit(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kAccelerations = {"none", "anderson"};
  static constexpr std::array<std::string_view, 2> kOrders = {"forward", "symmetric"};
  static constexpr std::array<std::string_view, 3> kSchemes = {"auto", "assembled", "factorized"};
  stopping.visit(visitor);
  visitor.choice({"acceleration", "", "how the sweeps are sped up"}, acceleration, kAccelerations);
  visitor.integer({"memory", "", "sweeps that the acceleration combines"}, memory, 1,
                  AndersonAcceleration::kMaxMemory);
  visitor.real({"relaxation", "", "factor on every block's step"}, relaxation, 1e-3, 1.999);
  visitor.choice({"order", "", "order of the blocks in a sweep"}, order, kOrders);
  visitor.choice({"scheme", "", "what the sweeps work on"}, scheme, kSchemes);
}

NsgsSolver::NsgsSolver() {
  traits_.name = "nsgs";
  traits_.summary = "Gauss-Seidel with an exact Coulomb cone solve per contact, accelerated";
  traits_.source = "Moreau 1999; Jean 1999; Bonnefon & Daviet 2011; Walker & Ni 2011";
  traits_.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kCone};
}

void NsgsSolver::reserve(const ProblemSize& size) {
  system_.reserve(size);
  meter_.reserve(size);
  anderson_.reserve(size.rows + 6 * (size.bodies + 1), settings.memory);
  for (std::vector<Real>* values : {&before_, &change_, &w_, &best_, &weights_}) {
    values->reserve(size.rows);
  }
}

void NsgsSolver::weighRows(const ContactProblem& problem) {
  // Changes count by the kinetic energy that they stand for: rows of all units compare.
  weights_.resize(problem.b.size());
  system_.blockSizes(weights_);
  for (Real& weight : weights_) weight = weight > 0 ? std::sqrt(weight) : 1;
}

SolverReport NsgsSolver::solve(const ContactProblem& problem, ImpulseView impulses) {
  const Timer timer;
  SolverReport report;
  history_.clear();
  if (!traits_.supports(problem.friction)) {
    report.status = SolveStatus::kUnsupported;
    return report;
  }
  const std::size_t rows = problem.b.size();
  DRYSTONE_ASSERT(impulses.lambda.size() == rows);
  system_.prepare(problem, settings.scheme);
  report.assemblyMs = system_.assemblyMs();
  meter_.start(problem, settings.stopping);
  for (std::vector<Real>* values : {&before_, &change_, &w_, &best_}) values->resize(rows);
  system_.setImpulses(impulses.lambda);
  if (settings.acceleration == NsgsAcceleration::kAnderson) {
    weighRows(problem);
    anderson_.start(static_cast<int>(system_.state().size()), static_cast<int>(rows), weights_,
                    settings.memory);
  }
  report.status = iterate(problem, timer, report);
  std::copy(best_.begin(), best_.end(), impulses.lambda.begin());
  report.timeMs = timer.milliseconds();
  return report;
}

Real NsgsSolver::measure(int iteration) {
  system_.constraintVelocity(w_);
  const Real residual = meter_.measure(system_.lambda(), before_, w_);
  history_.add(iteration, residual);
  if (residual < bestResidual_) {
    bestResidual_ = residual;
    std::copy(system_.lambda().begin(), system_.lambda().end(), best_.begin());
  }
  return residual;
}

SolveStatus NsgsSolver::iterate(const ContactProblem& problem, const Timer& timer,
                                SolverReport& report) {
  const StoppingRule& rule = settings.stopping;
  const bool accelerated = settings.acceleration == NsgsAcceleration::kAnderson;
  std::copy(system_.lambda().begin(), system_.lambda().end(), best_.begin());
  bestResidual_ = kInfinity;
  Real bNorm = 0;
  for (Real b : problem.b) bNorm += b * b;
  bNorm = std::sqrt(bNorm);
  Real trigger = 3 * rule.tolerance;
  Real smallest = kInfinity;
  for (int iteration = 1; iteration <= rule.maxIterations; ++iteration) {
    report.iterations = iteration;
    std::copy(system_.lambda().begin(), system_.lambda().end(), before_.begin());
    const bool backward = settings.order == NsgsOrder::kSymmetric && iteration % 2 == 0;
    const SweepChange moved = system_.sweep(settings.relaxation, backward);
    Real squared = 0;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      change_[i] = system_.lambda()[i] - before_[i];
    }
    if (accelerated) {
      for (std::size_t i = 0; i < before_.size(); ++i) {
        const Real f = change_[i] * weights_[i];
        squared += f * f;
      }
    }
    const Real estimate = rule.criterion == StopCriterion::kNaturalMap
                              ? moved.velocity
                              : std::sqrt(moved.squared) / bNorm;
    const bool due = iteration % (10 * rule.checkEvery) == 0 || iteration == rule.maxIterations ||
                     estimate <= trigger ||
                     (iteration % rule.checkEvery == 0 && estimate <= 100 * rule.tolerance);
    if (due) {
      const Real residual = measure(iteration);
      if (residual <= rule.tolerance) return SolveStatus::kConverged;
      if (estimate <= trigger) trigger = std::min(trigger, estimate) * 0.7;
      if (moved.squared == 0) return SolveStatus::kStalled;
    }
    if (rule.timeLimit < 1e9 && timer.milliseconds() > 1e3 * rule.timeLimit) {
      measure(iteration);
      return SolveStatus::kTimeLimit;
    }
    if (!accelerated) continue;
    if (squared > 100 * smallest) {
      anderson_.restart();
      smallest = kInfinity;
      continue;
    }
    smallest = std::min(smallest, squared);
    anderson_.next(system_.state(), change_);
  }
  return SolveStatus::kIterationLimit;
}

std::unique_ptr<ContactSolver> makeNsgs() { return std::make_unique<NsgsSolver>(); }

}  // namespace drystone
