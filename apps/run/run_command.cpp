#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/run/contact_check.h"
#include "apps/run/csv_output.h"
#include "apps/run/distributed_run.h"
#include "apps/run/problem_dumper.h"
#include "apps/run/run_output.h"
#include "apps/support/command_line.h"
#include "apps/support/input_files.h"
#include "apps/support/log.h"
#include "apps/support/memory_limit.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/support/run_record.h"
#include "apps/support/run_setup.h"
#include "apps/support/run_summary.h"
#include "apps/support/solver_registry.h"
#include "apps/support/state_file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/timer.h"
#include "engine/recording/recorder.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"

namespace drystone::cli {
namespace {

struct RunOptions {
  SimulationOptions simulation;
  StateFiles states;
  std::string csv, events, joints, record;
  bool recordParallel = false;
  std::string dumpFolder, dumpWhen = "failed", dumpFormat = "json";
  std::string check;                    ///< what to check, or nothing
  std::optional<std::int64_t> explain;  ///< step
  bool eventsPersist = false;
  bool bodies = false, hash = false, strict = false, profile = false, json = false, quiet = false;
};

/// Files of a run, opened before it starts so that a wrong path costs nothing.
struct RunFiles {
  std::optional<StepCsv> csv;
  std::optional<EventCsv> events;
  std::optional<JointCsv> joints;
  std::optional<ProblemDumper> dumper;
  std::optional<Recorder> recorder;  ///< made with the world
};

RunFiles openFiles(const RunOptions& options, const Scene& scene) {
  RunFiles files;
  const NamedOutput outputs[] = {{options.csv, "--csv"},
                                 {options.events, "--events"},
                                 {options.joints, "--joints"},
                                 {options.record, "--record"},
                                 {options.states.save, "--save"}};
  refuseSameOutputs(outputs);
  for (const auto& [path, option] : outputs) checkOutputFile(path, option, scene.files);
  requireDiskFile(options.record, "--record");
  requireDiskFile(options.states.save, "--save");
  if (!options.dumpFolder.empty()) {
    static const std::vector<std::string> kFormats = {"json", "hdf5"};
    DumpOptions dump;
    dump.folder = options.dumpFolder;
    parseDumpWhen(options.dumpWhen, dump);
    dump.extension = kFormats[static_cast<std::size_t>(
        chooseName("format of problems", options.dumpFormat, kFormats))];
    files.dumper.emplace(dump, scene.name);
    if (const std::size_t there = problemFilesIn(dump.folder).size(); there > 0) {
      logWarning(fmt::format(
          "--dump-problems: '{}' already holds {}; those of the same name are "
          "replaced, the others stay among the new ones",
          options.dumpFolder, counted(static_cast<std::int64_t>(there), "problem file")));
    }
  }
  if (!options.csv.empty()) {
    std::vector<std::string> plates;
    for (const SceneForcePlate& plate : scene.forcePlates) plates.push_back(plate.definition.name);
    files.csv.emplace(options.csv, options.hash, true, plates);
  }
  if (!options.events.empty()) files.events.emplace(options.events, options.eventsPersist);
  if (!options.joints.empty()) files.joints.emplace(options.joints);
  return files;
}

/// Most memory that the process ever held [MB].
double peakMemoryMB() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;  // Linux counts in KiB
}

/// Steps until the count is reached, a signal comes or a step fails.
void simulate(World& world, std::int64_t steps, const SceneOutput& output, const StateFiles& states,
              RunFiles& files, bool showProgress, RunRecord& record, RunResult& result) {
  const InterruptGuard interrupt;
  ProgressBar bar(showProgress);
  const Timer timer;
  while (record.steps < steps && record.failure.empty()) {
    world.step();
    record.addStep(world);
    const bool isLast = record.steps == steps || !record.failure.empty();
    const bool isRow = isLast || record.steps % output.every == 0;
    if (files.csv && isRow) files.csv->addStep(world);
    if (files.joints && isRow) files.joints->addStep(world);
    if (files.events) files.events->addStep(world);
    if (files.dumper) files.dumper->afterStep(world);
    if (files.recorder) files.recorder->addStep(world);
    if (states.isDue(record.steps, isLast)) saveToFile(states, world);
    if (record.steps == result.explained) result.explanation = explainStep(world);
    if (interrupt.requested()) {
      result.interrupted = !isLast;
      if (!isLast && !states.save.empty()) saveToFile(states, world);
      break;
    }
    if (!bar.due()) continue;
    const double rate = static_cast<double>(record.steps) / timer.milliseconds() * 1000;
    bar.draw(static_cast<double>(record.steps) / static_cast<double>(steps),
             fmt::format("t {:.2f}/{:.2f} s  {}  residual {:.1e} m/s", record.simulated,
                         static_cast<double>(steps) * world.settings().timestep, rateText(rate),
                         world.lastReport().naturalMap));
  }
  result.wallSeconds = timer.milliseconds() / 1000;
}

/// Says why the tolerance of a preset was missed where another solver may meet it.
void warnOfPreset(const RunOptions& options, const World& world, const RunRecord& record) {
  const std::string& preset = options.simulation.preset;
  const std::string& solver = world.settings().solver.name;
  const std::string thorough = SolverChoice{}.name;
  if (preset.empty() || solver == thorough) return;
  if (record.solvesMissed == 0 || record.stepsTimeLimited > 0) return;
  logWarning(
      fmt::format("--preset {}: {} missed its tolerance in {} of {}. A preset changes no solver; "
                  "--solver {} goes on until the tolerance is met",
                  preset, solver, record.solvesMissed, counted(record.steps, "step"), thorough));
}

void writeResult(const RunOptions& options, const World& world, const RunRecord& record,
                 const RunResult& result) {
  if (options.json) {
    fmt::print("{}", runJson(world, record, result));
  } else if (!options.quiet) {
    fmt::print("{}{}", runReport(world, record, result, options.hash), result.explanation);
  } else if (options.hash) {
    fmt::print("{}\n", hashText(result.hash));
  }
}

int exitCodeOf(const RunOptions& options, const RunRecord& record, const RunResult& result) {
  if (!record.failure.empty()) {
    logError(record.failure);
    return kSolverFailure;
  }
  const bool missed = options.strict && record.firstMissed;
  if (missed) {
    logError(
        fmt::format("--strict: {} of {} missed a tolerance, the first is step {} (residual {}, "
                    "joints {}, overlap {})",
                    record.stepsMissed, counted(record.steps, "step"), *record.firstMissed,
                    record.solvesMissed, record.jointsMissed, record.overlapsMissed));
  }
  const bool forgave = options.strict && record.stepsForgiven > 0;
  if (forgave) {
    const WorstError& worst = record.worstForgiven;
    logError(
        fmt::format("--strict: overlap beyond its tolerance was forgiven in {} of {}, worst {:.3g} "
                    "m of {} - {}; move them apart, or raise world.overlap_tolerance",
                    record.stepsForgiven, counted(record.steps, "step"), worst.value, worst.bodyA,
                    worst.bodyB));
  }
  const ContactCheck* check = result.contactCheck;
  const bool isWrong = options.strict && check && check->beyond > 0;
  if (isWrong) {
    logError(
        fmt::format("--strict: {} of {} beyond a tolerance, the first in step {}; some are by "
                    "design, as the summary without --quiet says",
                    check->beyond, counted(check->checked, "contact"), check->firstBeyond));
  }
  // A run that was cut short says so before all else: what it missed is only part of the answer.
  if (result.interrupted) return kInterrupted;
  return missed || forgave || isWrong ? kSolverFailure : kDone;
}

/// What of the options a run on several processes takes.
DistributedRunOptions distributedOptions(const RunOptions& options) {
  DistributedRunOptions result{.simulation = options.simulation,
                               .states = options.states,
                               .csv = options.csv,
                               .record = options.record,
                               .recordParallel = options.recordParallel,
                               .hash = options.hash,
                               .strict = options.strict,
                               .json = options.json,
                               .quiet = options.quiet};
  const std::pair<bool, const char*> others[] = {{!options.events.empty(), "--events"},
                                                 {!options.joints.empty(), "--joints"},
                                                 {!options.dumpFolder.empty(), "--dump-problems"},
                                                 {!options.check.empty(), "--check"},
                                                 {options.explain.has_value(), "--explain"},
                                                 {options.bodies, "--bodies"},
                                                 {options.profile, "--profile"}};
  for (const auto& [isGiven, name] : others) {
    if (isGiven) result.refused.emplace_back(name);
  }
  return result;
}

int runScene(const RunOptions& options) {
  if (isLaunchedWithOthers()) return runOnProcesses(distributedOptions(options));
  if (options.bodies && options.quiet && !options.json) {
    throw UsageError(
        "--bodies adds to the summary, which --quiet leaves out: take one of them, "
        "or --json");
  }
  setUpLog(options.quiet);
  const SolverRegistry registry = makeRegistry();
  const bool checksContacts = wantsContactCheck(options.check);
  const SceneSource source = findScene(options.simulation, registry);
  const ReadyScene scene = setUpScene(source, options.simulation, registry);
  logWarnings(sceneWarnings(scene, registry));
  const std::int64_t steps = stepsToDo(options.simulation, scene);
  if (options.explain > steps) {
    throw UsageError(
        fmt::format("--explain {}: the run has only {}; name one of them, or run longer",
                    *options.explain, counted(steps, "step")));
  }
  RunFiles files = openFiles(options, scene);
  const SolverChoice& choice = scene.settings.solver;

  RunResult result;
  result.explained = options.explain;
  result.showsProfile = options.profile;
  result.showsBodies = options.bodies;
  result.scene = scene.name;
  result.description = scene.description;
  result.parameters = scene.parameters;
  result.source =
      findLibraryScene(options.simulation.scene) != nullptr ? "library" : options.simulation.scene;
  result.solverSummary = registry.traits(choice.name).summary;
  result.replaced = scene.replaced;
  result.solverSettings = effectiveSettings(registry, choice.name, choice.settings);
  result.maxIterations = choice.budget.iterations.value_or(registry.traits(choice.name).iterations);
  if (scene.settings.threads > availableThreads()) {
    logWarning(fmt::format("{} on {}", counted(scene.settings.threads, "thread"),
                           counted(availableThreads(), "processor")));
  }

  World world = buildWorld(scene, registry);
  if (files.joints && world.joints().empty()) {
    logWarning(fmt::format("--joints: the scene has no joints, so '{}' gets its header alone",
                           options.joints));
  }
  restoreFromFile(options.simulation.restore, world);
  RunRecord record(world);
  std::optional<ContactCheck> contactCheck;
  if (checksContacts) result.contactCheck = &contactCheck.emplace(world);
  if (!options.record.empty()) {
    files.recorder.emplace(options.record,
                           recordingInfo(source, scene, options.simulation, registry), world);
  }
  simulate(world, steps, scene.output, options.states, files, !options.quiet, record, result);
  if (files.recorder) files.recorder->finish(world);
  result.hash = world.observe().hash();
  result.peakMemoryMB = peakMemoryMB();
  if (files.dumper) {
    const int written = files.dumper->finish();
    logInfo(fmt::format("{} written to {}", counted(written, "problem"), options.dumpFolder));
  }
  if (options.explain && result.explanation.empty()) {
    logWarning(fmt::format("--explain {}: the run ended early, after {}", *options.explain,
                           counted(record.steps, "step")));
  }
  warnOfPreset(options, world, record);
  writeResult(options, world, record, result);
  return exitCodeOf(options, record, result);
}

void addSimulationOptions(CLI::App& app, SimulationOptions& options) {
  app.add_option("scene", options.scene, "Scene file, or name of a library scene")
      ->type_name("SCENE")
      ->transform(notEmpty())
      ->required();
  addSceneOptions(app, options);
  CLI::Option* steps =
      app.add_option("--steps", options.steps, "Number of steps; default: the scene's duration")
          ->type_name("N")
          ->transform(wholeNumber(1, kMostSteps));
  app.add_option("--time", options.time, "Time to simulate [s]")
      ->type_name("S")
      ->transform(realNumber(kLeastTime, kLargestReal, "s"))
      ->excludes(steps);
}

}  // namespace

Command addRunCommand(CLI::App& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* app = program.add_subcommand("run", "Simulate a scene and report on every solve");
  addSimulationOptions(*app, options->simulation);
  app->add_option("--csv", options->csv, "Write a row per step")
      ->type_name("FILE")
      ->transform(notEmpty());
  CLI::Option* events = app->add_option("--events", options->events,
                                        "Write a row for each contact or sensor that begins or "
                                        "ends, and each joint that breaks")
                            ->type_name("FILE")
                            ->transform(notEmpty());
  app->add_flag("--events-persist", options->eventsPersist,
                "In --events, also a row per step for each pair that goes on touching")
      ->needs(events);
  app->add_option("--joints", options->joints,
                  "Write a row per step and joint: its reaction and its coordinates")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--check", options->check,
                  "contacts: hold every contact against closed forms of the shapes, to 1e-6 m and "
                  "1e-3 rad. The summary names the pairs beyond, and why some are by design")
      ->type_name("WHAT")
      ->transform(notEmpty());
  CLI::Option* explain =
      app->add_option(
             "--explain", options->explain,
             "Say of this step how each island was solved, and what was tried; counts from 1")
          ->type_name("STEP")
          ->transform(wholeNumber(1, kMostSteps));
  CLI::Option* record = app->add_option("--record", options->record,
                                        "Write an HDF5 recording that `drystone replay` reads")
                            ->type_name("FILE")
                            ->transform(notEmpty());
  app->add_flag("--record-parallel", options->recordParallel,
                "All processes of a run write its recording, by a parallel HDF5")
      ->needs(record);
  CLI::Option* save =
      app->add_option("--save", options->states.save,
                      "Write the state at the end, from which --restore goes on, on any number of "
                      "processes")
          ->type_name("FILE")
          ->transform(notEmpty());
  app->add_option("--save-every", options->states.every, "Write it every N steps, too")
      ->type_name("N")
      ->transform(wholeNumber(1, kMostSteps))
      ->needs(save);
  app->add_option("--restore", options->simulation.restore,
                  "Start from a state of the same scene that --save wrote")
      ->type_name("FILE")
      ->transform(notEmpty());
  CLI::Option* dump = app->add_option("--dump-problems", options->dumpFolder,
                                      "Write contact problems that `drystone solve` reads")
                          ->type_name("DIR")
                          ->transform(notEmpty());
  app->add_option("--dump-when", options->dumpWhen, "Which: all, failed, largest or step=N")
      ->type_name("WHEN")
      ->capture_default_str()
      ->needs(dump);
  app->add_option("--dump-format", options->dumpFormat, "json or hdf5")
      ->type_name("FORMAT")
      ->capture_default_str()
      ->needs(dump);
  app->add_flag("--bodies", options->bodies,
                "Add where each body is at the end, how it is turned and how it moves");
  app->add_flag("--hash", options->hash,
                "Add the hash of the final state (in --csv: of each step)");
  app->add_flag("--strict", options->strict,
                "Exit with 4 if a step missed a tolerance, or had an overlap forgiven, or --check "
                "missed one");
  CLI::Option* profile = app->add_flag(
      "--profile", options->profile,
      "In the summary, the time of every stage of a step, and how many threads were at work");
  addMemoryLimit(*app);
  app->add_flag("--json", options->json, "Print one JSON object")
      ->excludes(explain)
      ->excludes(profile);
  app->add_flag("--quiet,-q", options->quiet, "No summary, progress or notes")
      ->excludes(explain)
      ->excludes(profile);
  app->footer(
      "Example:\n"
      "  drystone run stack_10 --solver bpp --time 5 --csv steps.csv\n"
      "  drystone run wall --record wall.h5\n"
      "  drystone run heavy_on_light --set scene.ratio=1e4 --set tolerance=1e-8 --json\n");
  return {app, [options] { return runScene(*options); },
          "name the scene to run: a scene file, or a name of `drystone list scenes`"};
}

}  // namespace drystone::cli
