#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/export/export_targets.h"
#include "apps/support/command_line.h"
#include "apps/support/input_files.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "viewer/exporting/exported_run.h"

namespace drystone::cli {
namespace {
/// What plays fills in what is between, and is half as large as with the usual steps.
constexpr Real kUsualRate = 30;  // [1/s]
constexpr Real kMostRate = 1e6;  // [1/s]

struct ExportOptions {
  std::string recording;
  std::string html, csv, npz, gltf, vtk;
  std::optional<Real> from, to, rate;
  bool quiet = false;
};

/// A kind of file to write.
struct Target {
  const char* option;
  const std::string* place;  ///< empty: not asked for
  bool isFolder;
  bool isThinned;  ///< to kUsualRate where no rate is given
  /// Writes it; returns what it is, for the summary.
  std::string (*write)(const viewer::ExportedRun& run, const Frames& frames,
                       const std::string& place);
};

std::vector<Target> targetsOf(const ExportOptions& options) {
  return {{"--html", &options.html, false, true, writeHtml},
          {"--csv", &options.csv, true, false, writeCsv},
          {"--npz", &options.npz, false, false, writeNpz},
          {"--gltf", &options.gltf, false, true, writeGltf},
          {"--vtk", &options.vtk, true, true, writeVtk}};
}

void checkTargets(const ExportOptions& options, const std::vector<Target>& targets) {
  bool isAny = false;
  std::string names;
  std::vector<NamedOutput> outputs;
  for (const Target& target : targets) outputs.push_back({*target.place, target.option});
  refuseSameOutputs(outputs);
  for (const Target& target : targets) {
    names += (names.empty() ? "" : ", ") + std::string(target.option);
    if (target.place->empty()) continue;
    isAny = true;
    if (target.isFolder) {
      checkWritableDirectory(*target.place, target.option);
    } else {
      refuseInputFile(*target.place, target.option, std::vector{options.recording});
      checkWritableFile(*target.place, target.option);
    }
  }
  if (!isAny) throw UsageError(fmt::format("nothing to write: give one or more of {}", names));
}

int exportRecording(const ExportOptions& options) {
  setUpLog(options.quiet);
  const std::vector<Target> targets = targetsOf(options);
  requireFileKind(options.recording, FileKind::kRecording);
  const Recording recording(options.recording);
  if (options.from && options.to && *options.from > *options.to) {
    throw UsageError(
        fmt::format("--from: {:g} s is after --to, {:g} s", *options.from, *options.to));
  }
  checkTargets(options, targets);
  warnOfRecording(recording, options.recording);
  const Scene scene = readRecordedScene(recording.info());
  const World world = buildWorld(scene, makeRegistry());
  requireSameBodies(recording, world, options.recording);
  const viewer::ExportedRun run = viewer::exportedRun(recording, scene, world);
  for (const Target& target : targets) {
    if (target.place->empty()) continue;
    viewer::FrameChoice choice{options.from, options.to, options.rate};
    if (!choice.perSecond && target.isThinned) choice.perSecond = kUsualRate;
    const std::string what = target.write(run, chosenFrames(run, choice), *target.place);
    if (!options.quiet) fmt::print("{}: {}\n", *target.place, what);
  }
  return kDone;
}

}  // namespace

Command addExportCommand(CLI::App& program) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* app = program.add_subcommand("export", "Write a recording as files of other programs");
  app->add_option("recording", options->recording, "File that `drystone run --record` wrote")
      ->type_name("RECORDING")
      ->transform(notEmpty())
      ->required();
  app->add_option("--html", options->html, "One page that plays it in a browser, without network")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option(
         "--csv", options->csv,
         "Tables bodies.csv, contacts.csv and, with force plates, force_plates.csv, in a folder "
         "that is made if need be")
      ->type_name("FOLDER")
      ->transform(notEmpty());
  app->add_option("--npz", options->npz, "The numbers of these tables as arrays for numpy.load")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--gltf", options->gltf,
                  "Bodies and their motion as binary glTF, for Blender and other programs")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--vtk", options->vtk,
                  "Time series for ParaView, bodies.pvd and contacts.pvd, in a folder that is made "
                  "if need be")
      ->type_name("FOLDER")
      ->transform(notEmpty());
  app->add_option("--from", options->from, "Start at this simulated time [s]")
      ->type_name("S")
      ->transform(realNumber(0, kLargestReal, "s"));
  app->add_option("--to", options->to, "End at this simulated time [s]")
      ->type_name("S")
      ->transform(realNumber(0, kLargestReal, "s"));
  app->add_option("--fps", options->rate,
                  "Frames of a simulated second at most; without it all in --csv and --npz, 30 in "
                  "the others")
      ->type_name("RATE")
      ->transform(realNumber(1e-6, kMostRate, "1/s"));
  app->add_flag("--quiet,-q", options->quiet, "No summary and notes");
  app->footer(
      "Example:\n"
      "  drystone run crane --record crane.h5\n"
      "  drystone export crane.h5 --html crane.html --csv crane_tables\n");
  return {app, [options] { return exportRecording(*options); },
          "name the recording: a file that `drystone run --record` wrote"};
}

}  // namespace drystone::cli
