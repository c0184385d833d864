#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/solve/solve_output.h"
#include "apps/solve/stored_solve.h"
#include "apps/support/command_line.h"
#include "apps/support/input_files.h"
#include "apps/support/log.h"
#include "apps/support/memory_limit.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/support/solver_registry.h"
#include "core/input_error.h"
#include "engine/model/world_settings.h"
#include "scenes/scene_reader.h"

namespace drystone::cli {
namespace {

struct SolveCommandOptions {
  std::vector<std::string> problems;
  std::vector<std::string> solvers;
  std::vector<std::string> sets;
  std::string criterion, from = "file", solution, check;
  StoredSolveOptions solve;
  bool json = false, csv = false, strict = false, quiet = false;
};

/// What the solves of a command add up to.
struct Solved {
  std::vector<StoredSolve> rows;
  bool invalidInput = false;
  bool interrupted = false;
};

ChosenSolvers chosenSolvers(const std::vector<std::string>& asked, TwinUse use,
                            const SolverRegistry& registry) {
  if (asked.empty()) return {{SolverChoice{}.name}};
  std::vector<std::string> solvers;
  for (const std::string& list : asked) {
    for (const std::string& name : split(list, ',')) {
      if (name.empty()) throw UsageError(fmt::format("--solver: a name is missing in '{}'", list));
      if (name == "all") return {registry.names(), true};
      chooseName("solver", name, registry.names());
      if (std::find(solvers.begin(), solvers.end(), name) == solvers.end()) solvers.push_back(name);
    }
  }
  // Where others run, those without their device have rows that say why.
  const bool nobodyRuns = std::ranges::none_of(solvers, [&](const std::string& name) {
    return whyNotHere(registry.traits(name), use).empty();
  });
  if (nobodyRuns) requireSolver(registry, solvers.front(), use);
  return {solvers};
}

/// The options as the solves need them; throws UsageError for what is wrong with them.
StoredSolveOptions checkedOptions(const SolveCommandOptions& options) {
  static const std::vector<std::string> kMeasures = {"natural_map", "relative"};
  static const std::vector<std::string> kCondensations(kCondensationNames.begin(),
                                                       kCondensationNames.end());
  static const std::vector<std::string> kStarts = {"zero", "file"};
  StoredSolveOptions solve = options.solve;
  if (!options.criterion.empty()) {
    solve.measure = static_cast<Measure>(chooseName("criterion", options.criterion, kMeasures));
  }
  solve.fromFile = chooseName("start", options.from, kStarts) == 1;
  for (const std::string& text : options.sets) {
    const KeyValue set = parseKeyValue(text, "--set");
    if (set.key == "tolerance") throw UsageError("--set tolerance: give it as --tolerance");
    if (set.key == "condense") {
      solve.condensation =
          static_cast<Condensation>(chooseName("condense", set.value, kCondensations));
      continue;
    }
    try {
      if (!applySetting(solve.budget, set.key, set.value)) solve.settings.push_back(set);
    } catch (const InputError& error) {
      throw UsageError(fmt::format("--set {}: {}", text, error.what()));
    }
  }
  static const std::vector<std::string> kReferences = {"cpu"};
  if (!options.check.empty()) {
    chooseName("reference", options.check, kReferences);
    solve.checkTwin = true;
    if (solve.fallback) throw UsageError("--check and --fallback exclude each other");
  }
  if (options.json && options.csv) throw UsageError("--json and --csv exclude each other");
  return solve;
}

void requireTwins(const std::vector<std::string>& solvers, const SolverRegistry& registry) {
  for (const std::string& name : solvers) {
    if (!registry.traits(name).cpuTwin.empty()) continue;
    throw UsageError(fmt::format(
        "--check cpu: solver '{}' has no CPU twin to be compared with; those for devices have",
        name));
  }
}

/// Before the work, and once a solver: the notes of the solves are in the table and the files.
void noteTwins(const std::vector<std::string>& solvers, const SolverRegistry& registry,
               const StoredSolveOptions& options) {
  for (const std::string& name : solvers) {
    SolverChoice choice = choiceOf(registry, name, options);
    const ReplacedSolver replaced = replaceByCpuTwin(registry, choice);
    logReplacement(replaced, choice.name);
  }
}

void checkSolutionFile(const std::string& path, const std::vector<ProblemInput>& inputs,
                       const std::vector<std::string>& solvers) {
  if (inputs.size() != 1 || solvers.size() != 1) {
    throw UsageError(fmt::format("--solution takes one problem and one solver, got {} and {}",
                                 inputs.size(), solvers.size()));
  }
  if (!path.ends_with(".json") && !path.ends_with(".hdf5") && !path.ends_with(".h5")) {
    throw UsageError(fmt::format("--solution: '{}' must end in .json, .hdf5 or .h5", path));
  }
  const std::vector<std::string> input = {inputs.front().path};
  refuseInputFile(path, "--solution", input);
  checkWritableFile(path, "--solution");
}

void writeSolution(const std::string& path, const ReadProblem& problem, const StoredSolve& row) {
  writeProblemFile(path, problem.problem.view(),
                   {.name = problem.name,
                    .info = problem.info,
                    .warmStart = problem.warmStart,
                    .warmStates = problem.warmStates,
                    .solution = row.lambda});
}

/// Solves every problem with every solver, reading one problem at a time: collections are large.
Solved solveAll(const SolveCommandOptions& options, StoredSolveOptions solve,
                const std::vector<ProblemInput>& inputs, const ChosenSolvers& solvers,
                const SolverRegistry& registry, SolveTable& table) {
  const bool asTable = !options.json && !options.csv && !options.quiet;
  if (options.csv) fmt::print("{}\n", solveCsvHeader());
  const InterruptGuard interrupt;
  solve.interrupt = &interrupt;
  ProgressBar bar(!options.quiet);
  Solved outcome;
  bool hasHeader = false;
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    try {
      requireFileKind(inputs[p].path, FileKind::kProblem);
      const ReadProblem problem = readProblemFile(inputs[p].path);
      for (const std::string& solver : solvers.names) {
        outcome.interrupted = outcome.interrupted || interrupt.requested();
        if (outcome.interrupted) return outcome;
        if (bar.due()) {
          bar.draw(static_cast<double>(p) / static_cast<double>(inputs.size()),
                   fmt::format("{}/{}  {}  {}", p + 1, inputs.size(), inputs[p].name, solver));
        }
        outcome.rows.push_back(solveStored(problem, inputs[p].name, registry, solver, solve));
        const StoredSolve& row = outcome.rows.back();
        if (!options.solution.empty() && !row.lambda.empty()) {
          writeSolution(options.solution, problem, row);
        }
        bar.clear();
        if (options.csv) fmt::print("{}\n", solveCsvLine(row));
        // The summary names what is left out.
        const bool isLeftOut = solvers.every && row.report.status == SolveStatus::kUnsupported;
        if (asTable && !isLeftOut) {
          // With the first line: a table of nothing needs no header.
          if (!std::exchange(hasHeader, true)) fmt::print("{}", table.header());
          fmt::print("{}", table.line(row));
          if (row.check) fmt::print("{}", checkText(*row.check));
        }
        std::fflush(stdout);
        outcome.rows.back().lambda = {};
        if (interrupt.requested() && row.timeMs.count() < solve.repeat) outcome.interrupted = true;
      }
    } catch (const InputError& error) {
      // The other files may be right, and all wrong ones are to be named together.
      bar.clear();
      for (const std::string& text : error.problems()) logError(text);
      outcome.invalidInput = true;
    }
  }
  return outcome;
}

int exitCodeOf(const SolveCommandOptions& options, const Solved& outcome) {
  if (outcome.interrupted) return kInterrupted;
  if (outcome.invalidInput) return kInvalidInput;
  const auto failed = std::count_if(
      outcome.rows.begin(), outcome.rows.end(),
      [](const StoredSolve& row) { return row.check.has_value() && row.check->failed; });
  if (failed > 0) {
    logError(fmt::format(
        "--check: {} of {} missed the tolerance by more than twice what the CPU twin left", failed,
        counted(std::ssize(outcome.rows), "solve")));
    return kCheckFailed;
  }
  if (!options.strict) return kDone;
  int missed = 0, withoutDevice = 0;
  for (const StoredSolve& row : outcome.rows) {
    withoutDevice += row.isHere ? 0 : 1;
    missed += row.isHere && !row.reached ? 1 : 0;
  }
  if (withoutDevice > 0) {
    logInfo(fmt::format("--strict leaves out {} by solvers that cannot run here",
                        counted(withoutDevice, "solve")));
  }
  if (missed == 0) return kDone;
  logError(fmt::format("--strict: {} of {} missed the tolerance", missed,
                       counted(std::ssize(outcome.rows) - withoutDevice, "solve")));
  return kSolverFailure;
}

int solveProblems(const SolveCommandOptions& options) {
  setUpLog(options.quiet);
  const SolverRegistry registry = makeRegistry();
  const StoredSolveOptions solve = checkedOptions(options);
  const ChosenSolvers solvers = chosenSolvers(options.solvers, twinUse(solve), registry);
  if (solve.checkTwin) requireTwins(solvers.names, registry);
  checkSettings(registry, solvers.names, solve);
  if (solve.fallback) noteTwins(solvers.names, registry, solve);
  const std::vector<ProblemInput> inputs = findProblems(options.problems);
  if (!options.solution.empty()) checkSolutionFile(options.solution, inputs, solvers.names);
  SolveTable table(inputs, solvers.names);
  const Solved outcome = solveAll(options, solve, inputs, solvers, registry, table);
  if (options.json) {
    fmt::print("{}", solveJson(outcome.rows));
  } else if (!options.csv && !options.quiet) {
    fmt::print("{}{}", solveSummary(outcome.rows, solvers), table.footer());
  }
  return exitCodeOf(options, outcome);
}

}  // namespace

Command addSolveCommand(CLI::App& program) {
  constexpr Real kLeastTimeLimit = 1e-9;  // [s] the resolution of clocks
  constexpr int kMostRepeats = 1'000'000;
  auto options = std::make_shared<SolveCommandOptions>();
  CLI::App* app =
      program.add_subcommand("solve", "Solve stored contact problems and judge the answers");
  app->add_option("problems", options->problems, "Problem files, folders of them, or patterns")
      ->type_name("PROBLEM")
      ->transform(notEmpty())
      ->required();
  app->add_option("--solver", options->solvers, "Solvers, separated by commas, or `all`")
      ->type_name("A,B,…|all")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_option("--set", options->sets, "Setting of the solvers that have it, repeatable")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_option("--tolerance", options->solve.tolerance,
                  "Error that counts as solved; default 1e-8 (relative), 1e-6 m/s (natural_map)")
      ->type_name("X")
      ->transform(realNumber(0, kLargestReal, ""));
  app->add_option("--criterion", options->criterion,
                  "relative or natural_map; default: relative for assembled problems, natural_map "
                  "for those in body form")
      ->type_name("NAME")
      ->transform(notEmpty());
  app->add_option("--max-iterations", options->solve.budget.iterations,
                  "Most sweeps, steps, pivots or rounds of a solve")
      ->type_name("N")
      ->transform(wholeNumber(0, std::numeric_limits<int>::max()));
  app->add_option("--time-limit", options->solve.budget.seconds, "Most time of a solve [s]")
      ->type_name("S")
      ->transform(realNumber(kLeastTimeLimit, kLargestReal, "s"))
      ->capture_default_str();
  app->add_option("--repeat", options->solve.repeat,
                  "Solve N times from the same start; for timing")
      ->type_name("N")
      ->transform(wholeNumber(1, kMostRepeats))
      ->capture_default_str();
  app->add_option("--from", options->from,
                  "Start: `file` is the stored warm start, or zero where there is none; or `zero`")
      ->type_name("START")
      ->capture_default_str();
  app->add_option("--check", options->check,
                  "`cpu`: compare solvers for devices with their CPU twins")
      ->type_name("cpu")
      ->transform(notEmpty());
  app->add_flag("--fallback", options->solve.fallback,
                "Where a solver needs a device that is not here, run its CPU twin");
  app->add_option("--solution", options->solution,
                  "Write the problem with its answer; .json or .hdf5")
      ->type_name("FILE")
      ->transform(notEmpty());
  addMemoryLimit(*app);
  app->add_flag("--json", options->json, "Print a JSON array, one object per solve");
  app->add_flag("--csv", options->csv, "Print CSV, one line per solve");
  app->add_flag("--strict", options->strict, "Exit with 4 if a solve missed the tolerance");
  app->add_flag("--quiet,-q", options->quiet, "No table, summary or progress");
  app->footer(
      "Example:\n"
      "  drystone solve problems/ --solver nsgs,bpp --tolerance 1e-6\n"
      "  drystone solve step000120_island000.json --solver all --repeat 10 --json\n");
  return {app, [options] { return solveProblems(*options); },
          "name the problems to solve: files, folders of them, or patterns"};
}

}  // namespace drystone::cli
