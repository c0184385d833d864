#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "apps/commands.h"
#include "apps/replay/replay.h"
#include "apps/support/command_line.h"
#include "apps/support/input_files.h"
#include "apps/support/log.h"
#include "apps/support/memory_limit.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "apps/support/state_file.h"
#include "core/input_error.h"
#include "scenes/recorded_world.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"

namespace drystone::cli {
namespace {

struct ReplayOptions {
  std::string file, solver, restore;
  std::vector<std::string> sets;
  std::optional<int> threads;
  bool report = false, json = false, quiet = false;

  /// Another solver or other values: not the same run any more.
  bool changesRun() const { return !solver.empty() || !sets.empty(); }
};

/// The recorded command line with what this one changes of it.
SimulationOptions replayedOptions(const ReplayOptions& options, const Recording& recording) {
  SimulationOptions run = recordedOptions(recording.info(), options.file);
  if (!options.solver.empty()) {
    // They were given for the recorded solver; another one need not have them.
    std::erase_if(run.sets, &isSolverSetting);
    run.solver = options.solver;
  }
  run.sets.insert(run.sets.end(), options.sets.begin(), options.sets.end());
  if (options.threads) run.threads = options.threads;
  return run;
}

/// A recording names the state that it begins from, and does not hold it.
void requireState(const ReplayOptions& options, const std::string& recorded) {
  if (recorded.empty() || !options.restore.empty()) return;
  throw InputError(
      fmt::format("{}: begins from the state '{}' that `run --restore` was given, and does not "
                  "hold it; give that state: --restore FILE",
                  options.file, recorded));
}

/// Options that go with a run, or with what it prints.
void requireReportAlone(const ReplayOptions& options) {
  const std::pair<const char*, bool> others[] = {{"--solver", !options.solver.empty()},
                                                 {"--set", !options.sets.empty()},
                                                 {"--restore", !options.restore.empty()},
                                                 {"--threads", options.threads.has_value()},
                                                 {"--json", options.json},
                                                 {"--quiet", options.quiet}};
  for (const auto& [option, isGiven] : others) {
    if (!isGiven) continue;
    throw UsageError(fmt::format(
        "--report cannot be combined with {}: it runs nothing, and prints text", option));
  }
}

int replay(const ReplayOptions& options) {
  setUpLog(options.quiet);
  if (options.report) requireReportAlone(options);
  const SolverRegistry registry = makeRegistry();
  if (!options.solver.empty()) requireSolver(registry, options.solver);
  requireFileKind(options.file, FileKind::kRecording);
  const Recording recording(options.file);
  if (options.report) {
    warnOfRecording(recording, options.file);
    fmt::print("{}", recordedReport(recording, options.file));
    return kDone;
  }
  if (isWorldOfProgram(recording.info())) {
    throw InputError(fmt::format(
        "{}: is of a world that a program made, and only that program can run it again; `drystone "
        "render` and `drystone view` show it",
        options.file));
  }
  if (recording.info().processes == 0) {
    throw UsageError(fmt::format(
        "{}: shows the mechanism of a verdict, which nothing simulated; `drystone view` "
        "plays it",
        options.file));
  }
  warnOfBuild(recording.info(), options.file);
  warnOfRecording(recording, options.file);
  const SimulationOptions run = replayedOptions(options, recording);
  requireState(options, run.restore);
  const Scene scene = setUpScene(recordedSource(recording.info()), run, registry);
  World world = buildWorld(scene, registry);
  requireSameBodies(recording, world, options.file);
  restoreFromFile(options.restore, world);

  // Several processes solve together what one solves alone: no bit is to be the same.
  const int processes = recording.info().processes;
  const bool comparesHashes = !options.changesRun() && processes == 1;
  if (processes > 1) {
    logInfo(
        fmt::format("{}: was recorded on {} processes, and runs on one here: the motion is "
                    "compared, in place of the bits",
                    options.file, processes));
  }
  ReplayResult result;
  {
    const InterruptGuard interrupt;
    ProgressBar bar(!options.quiet);
    const auto monitor = [&](std::int64_t steps) {
      if (bar.due()) {
        bar.draw(static_cast<double>(steps) / static_cast<double>(recording.stepCount()),
                 fmt::format("step {} of {}", steps, recording.stepCount()));
      }
      return interrupt.requested();
    };
    result = comparesHashes ? compareHashes(recording, world, monitor)
                            : compareMotion(recording, world, monitor);
  }
  const ReplayReport report = {options.file, recording, result, world, comparesHashes};
  if (options.json) {
    fmt::print("{}", replayJson(report));
  } else if (!options.quiet) {
    fmt::print("{}", replayText(report));
  }
  if (result.interrupted) return kInterrupted;
  return result.firstDifferent ? kCheckFailed : kDone;
}

}  // namespace

Command addReplayCommand(CLI::App& program) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* app =
      program.add_subcommand("replay", "Run a recording again and compare every step with it");
  app->add_option("recording", options->file, "File that `drystone run --record` wrote")
      ->type_name("RECORDING")
      ->transform(notEmpty())
      ->required();
  app->add_flag("--report", options->report,
                "Print most of the summary of the recorded run, and run nothing");
  app->add_option("--solver", options->solver,
                  "Run with another solver and report how far the motion deviates")
      ->type_name("NAME")
      ->transform(notEmpty());
  app->add_option("--set", options->sets, "Change a value likewise, repeatable; keys as in `run`")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_option("--restore", options->restore,
                  "The state that the recorded run began from, where it had --restore")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--threads", options->threads, "Threads; the result does not depend on them")
      ->type_name("N")
      ->transform(wholeNumber(1, kMostThreads));
  addMemoryLimit(*app);
  app->add_flag("--json", options->json, "Print one JSON object");
  app->add_flag("--quiet,-q", options->quiet, "No summary, progress or notes");
  app->footer(
      "Example:\n"
      "  drystone run wall --steps 200 --record wall.h5\n"
      "  drystone replay wall.h5\n"
      "  drystone replay wall.h5 --report\n"
      "  drystone replay wall.h5 --solver nsgs --set tolerance=1e-8\n");
  return {app, [options] { return replay(*options); },
          "name the recording: a file that `drystone run --record` wrote"};
}

}  // namespace drystone::cli
