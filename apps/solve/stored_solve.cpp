#include "apps/solve/stored_solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/support/command_line.h"
#include "apps/support/program.h"
#include "apps/support/solver_registry.h"
#include "core/input_error.h"
#include "core/wording.h"
#include "gpu/gpu_solvers.h"
#include "solvers/problem/residual.h"

namespace drystone::cli {
namespace {

bool has(const std::vector<SettingDescription>& settings, std::string_view name) {
  return std::any_of(settings.begin(), settings.end(),
                     [name](const SettingDescription& setting) { return setting.name == name; });
}

/// Passes the options on to the solver. One without a choice of criterion ends at its own
/// tolerance: at round-off, or where its rounds no longer change anything.
void configure(ContactSolver& solver, const StoredSolveOptions& options, Measure measure,
               Real tolerance) {
  const std::vector<SettingDescription> settings = describeSettings(solver);
  if (has(settings, "criterion")) {
    applySetting(solver, "criterion", std::string(measureName(measure)));
    if (measure == Measure::kRelative) applySetting(solver, "relative_tolerance", tolerance);
  }
  for (const auto& [key, value] : options.settings) {
    if (has(settings, key)) applySetting(solver, key, value);
  }
}

}  // namespace

TwinUse twinUse(const StoredSolveOptions& options) {
  if (options.fallback) return TwinUse::kWillDo;
  return options.checkTwin ? TwinUse::kNone : TwinUse::kOffered;
}

namespace {

/// Figures of an answer that does not exist: nothing that could pass for good.
JudgeReport noAnswer() {
  JudgeReport report;
  report.finite = false;
  report.naturalMap = report.relative = report.energyMax = report.coneExcess = kInfinity;
  report.normalImpulseMin = -kInfinity;
  return report;
}

/// Makes the row that of a solver which does not take the problem.
void refuse(StoredSolve& row, const std::string& reason, const std::string& note) {
  row.report.status = SolveStatus::kUnsupported;
  row.judge = noAnswer();
  row.lambda.clear();
  row.whyNot = reason;
  row.note = note;
}

/// Whether the solver takes the problem. The row says why, where it does not.
bool isTaken(const SolverTraits& traits, const ContactProblem& problem, TwinUse use,
             StoredSolve& row) {
  if (const std::string advice = whyNotHere(traits, use); !advice.empty()) {
    refuse(row, std::string(traits.unavailable()), advice);
    return false;
  }
  SolverNeeds needs = needsOf(problem);
  needs.isHere = false;  // asked above
  const std::string reason = whyNot(traits, needs);
  if (!reason.empty()) refuse(row, reason, reason);
  return reason.empty();
}

std::string noteOf(const SolveResult& result) {
  std::string note;
  const auto add = [&note](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  if (result.reason != SolveReason::kAsked) add(std::string(solveReasonName(result.reason)));
  // One round, or a round an iteration, says nothing that the iterations do not.
  const int rounds = result.solver.outerIterations;
  if (rounds > 1 && rounds != result.solver.iterations) {
    add(counted(rounds, "outer iteration"));
  }
  if (result.solver.regularization > 0) {
    add(fmt::format("regularized by {:.3g} 1/kg", result.solver.regularization));
  }
  if (result.solver.regularizedRows > 0) {
    add(fmt::format("{} softened by up to {:.3g} 1/kg",
                    counted(result.solver.regularizedRows, "friction row"),
                    result.solver.addedCompliance));
  }
  if (result.solver.relaxationError > 0) {
    add(fmt::format("relaxed by {:.3g} m/s", result.solver.relaxationError));
  }
  return note;
}

/// What a solver made of a problem.
struct Answer {
  SolveResult result;
  std::vector<Real> lambda;
  bool startsElsewhere = false;  ///< than at zero
};

/// Natural map to ask of a method that cannot stop by the relative error [m/s]. The relative error
/// sums over contacts and takes ρ = 1 kg: a hundredth of what it is relative to was enough for
/// every stored problem.
Real naturalMapFor(Real relative, const ContactProblem& problem) {
  constexpr Real kShare = 0.01;
  Real largest = 0;
  for (const Real b : problem.b) largest = std::max(largest, std::abs(b));
  return largest > 0 ? kShare * relative * largest : Budget{}.tolerance;
}

Answer solveOnce(ContactSolver& solver, const ReadProblem& problem,
                 const StoredSolveOptions& options, const StoredSolve& row) {
  const ContactProblem view = problem.problem.view();
  const std::size_t rows = view.b.size();
  solver.reserve({view.bodyCount(), view.blockCount(), view.rowCount()});
  const bool warm = options.fromFile && !problem.warmStart.empty();
  const bool warmStates = warm && !problem.warmStates.empty();
  Budget budget = options.budget;
  budget.tolerance =
      row.measure == Measure::kNaturalMap ? row.tolerance : naturalMapFor(row.tolerance, view);
  SolveWorkspace workspace;
  Answer answer;
  answer.lambda = warm ? problem.warmStart : std::vector<Real>(rows, 0.0);
  answer.startsElsewhere = std::any_of(answer.lambda.begin(), answer.lambda.end(),
                                       [](Real impulse) { return impulse != 0; });
  std::vector<RowState> states =
      warmStates ? problem.warmStates : std::vector<RowState>(rows, RowState::kUnknown);
  // Twins are compared as a device gets the problem.
  const Condensation condensation = options.checkTwin ? Condensation::kNever : options.condensation;
  answer.result =
      solveProblem(solver, view, budget, {answer.lambda, states}, workspace, nullptr, condensation);
  return answer;
}

/// The twin with the settings of the solver.
std::unique_ptr<ContactSolver> twinOf(ContactSolver& solver, const SolverRegistry& registry) {
  std::unique_ptr<ContactSolver> twin = registry.create(solver.traits().cpuTwin);
  copySharedSettings(solver, *twin);
  return twin;
}

Real figureOf(const JudgeReport& judge, Measure measure) {
  return measure == Measure::kRelative ? judge.relative : judge.naturalMap;
}

bool isReached(const JudgeReport& judge, const StoredSolve& row, const ContactProblem& problem) {
  return judge.finite && figureOf(judge, row.measure) <= row.tolerance &&
         (row.measure == Measure::kNaturalMap ||
          confirmation(problem.b, judge.naturalMap, row.tolerance) <= row.tolerance);
}

}  // namespace

std::string_view measureName(Measure measure) {
  return measure == Measure::kRelative ? "relative" : "natural_map";
}

Measure measureFor(const StoredSolveOptions& options, const ReadProblem& problem) {
  const bool assembled = problem.problem.assembled.has_value();
  return options.measure.value_or(assembled ? Measure::kRelative : Measure::kNaturalMap);
}

Real defaultTolerance(Measure measure) { return measure == Measure::kRelative ? 1e-8 : 1e-6; }

void checkSettings(const SolverRegistry& registry, const std::vector<std::string>& solvers,
                   const StoredSolveOptions& options) {
  for (const auto& [key, value] : options.settings) {
    bool taken = false;
    std::vector<std::string> known;
    for (const std::string& name : solvers) {
      const std::unique_ptr<ContactSolver> solver = registry.create(name);
      const std::vector<SettingDescription> settings = describeSettings(*solver);
      for (const SettingDescription& setting : settings) {
        if (std::find(known.begin(), known.end(), setting.name) == known.end()) {
          known.push_back(setting.name);
        }
      }
      if (!has(settings, key)) continue;
      taken = true;
      try {
        applySetting(*solver, key, value);
      } catch (const InputError& error) {
        throw UsageError(fmt::format("--set {}={}: {}", key, value, error.what()));
      }
    }
    if (!taken) {
      throw UsageError(fmt::format("--set: no solver of {} has a setting '{}'; {}", joined(solvers),
                                   key, didYouMean(key, known)));
    }
  }
}

SolverChoice choiceOf(const SolverRegistry& registry, const std::string& solver,
                      const StoredSolveOptions& options) {
  SolverChoice choice;
  choice.name = solver;
  const std::vector<SettingDescription> known = describeSettings(*registry.create(solver));
  for (const auto& [key, value] : options.settings) {
    if (has(known, key)) choice.settings.push_back({key, value});
  }
  return choice;
}

StoredSolve solveStored(const ReadProblem& problem, const std::string& name,
                        const SolverRegistry& registry, const std::string& solverName,
                        const StoredSolveOptions& options) {
  const ContactProblem view = problem.problem.view();
  StoredSolve row;
  row.problem = name;
  row.solver = solverName;
  row.rows = view.rowCount();
  row.contacts = view.contactCount();
  row.measure = measureFor(options, problem);
  row.tolerance = options.tolerance.value_or(defaultTolerance(row.measure));
  const SolverTraits& traits = registry.traits(solverName);
  row.isHere = whyNotHere(traits, twinUse(options)).empty();
  if (!isTaken(traits, view, twinUse(options), row)) return row;

  std::unique_ptr<ContactSolver> solver = registry.create(solverName);
  configure(*solver, options, row.measure, row.tolerance);
  std::string standsIn;
  if (!traits.unavailable().empty()) {
    SolverChoice choice = choiceOf(registry, solverName, options);
    const ReplacedSolver replaced = replaceByCpuTwin(registry, choice);
    row.ranBy = choice.name;
    standsIn = fmt::format("{} {}", choice.name, replaced.text(choice.name));
    solver = twinOf(*solver, registry);
  }
  for (int round = 0; round < options.repeat; ++round) {
    const Answer answer = solveOnce(*solver, problem, options, row);
    row.timeMs.add(answer.result.solver.timeMs);
    const bool isStopped = options.interrupt != nullptr && options.interrupt->requested();
    if (round + 1 < options.repeat && !isStopped) continue;
    row.report = answer.result.solver;
    row.judge = answer.result.judge;
    row.lambda = answer.lambda;
    row.isWarm = answer.startsElsewhere;
    row.note = noteOf(answer.result);
    if (const gpu::DeviceWork* work = gpu::deviceWorkOf(*solver)) row.device = *work;
    break;
  }
  if (row.report.status == SolveStatus::kUnsupported) {
    const std::string reason = "does not take a problem of this size or kind";
    refuse(row, reason, reason);
    return row;
  }
  if (!standsIn.empty()) row.note += (row.note.empty() ? "" : "; ") + standsIn;
  row.reached = isReached(row.judge, row, view);
  if (options.checkTwin) {
    const std::unique_ptr<ContactSolver> twin = twinOf(*solver, registry);
    const Answer answer = solveOnce(*twin, problem, options, row);
    row.check = {.twin = std::string(traits.cpuTwin),
                 .report = answer.result.solver,
                 .judge = answer.result.judge,
                 .difference = compareImpulses(row.lambda, answer.lambda)};
    row.check->failed = !row.reached && !(figureOf(row.judge, row.measure) <=
                                          2 * figureOf(row.check->judge, row.measure));
  }
  return row;
}

}  // namespace drystone::cli
