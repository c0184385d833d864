#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/input_files.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "viewer/exporting/html_page.h"

namespace drystone::cli {
namespace {
namespace fs = std::filesystem;

/// The page fills in what is between, and is half as large as with the usual steps.
constexpr Real kUsualRate = 30;  // [1/s]
constexpr Real kMostRate = 1e6;  // [1/s]
/// Browsers give a text of a page no more than half of this.
constexpr double kLargestPage = 1e9;  // [bytes]

struct ExportOptions {
  std::string recording;
  std::string html;
  std::optional<Real> from, to, rate;
  bool quiet = false;
};

using Frames = std::vector<std::int64_t>;

/// A kind of file to write.
struct Target {
  const char* option;
  const std::string* place;  ///< empty: not asked for
  bool isFolder;
  bool isThinned;  ///< to kUsualRate where no rate is given
  /// Writes it; returns what it is, for the summary.
  std::function<std::string(const viewer::ExportedRun& run, const Frames& frames,
                            const std::string& place)>
      write;
};

std::string sizeText(double bytes) {
  return bytes < 1e6 ? fmt::format("{:.0f} kB", std::ceil(bytes / 1e3))
                     : fmt::format("{:.1f} MB", bytes / 1e6);
}

void writeFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file)
    throw std::runtime_error(fmt::format("{}: cannot be written: is the disk full?", path));
}

std::string writeHtml(const viewer::ExportedRun& run, const Frames& frames,
                      const std::string& place) {
  const std::string page = viewer::htmlPage(run, frames);
  if (static_cast<double>(page.size()) > kLargestPage) {
    throw UsageError(fmt::format(
        "--html: the page would have {}, more than browsers read: shorten it by --from and --to, "
        "or take a smaller --fps",
        sizeText(static_cast<double>(page.size()))));
  }
  writeFile(place, page);
  return fmt::format("{}, {}", counted(std::ssize(frames), "frame"),
                     sizeText(static_cast<double>(page.size())));
}

std::vector<Target> targetsOf(const ExportOptions& options) {
  return {{"--html", &options.html, false, true, writeHtml}};
}

void checkTargets(const ExportOptions& options, const std::vector<Target>& targets) {
  bool isAny = false;
  std::string names;
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
  CLI::App* app =
      program.add_subcommand("export", "Write a recording as a page that plays it in a browser");
  app->add_option("recording", options->recording, "File that `drystone run --record` wrote")
      ->type_name("RECORDING")
      ->transform(notEmpty())
      ->required();
  app->add_option("--html", options->html, "One page that plays it in a browser, without network")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--from", options->from, "Start at this simulated time [s]")
      ->type_name("S")
      ->transform(realNumber(0, kLargestReal, "s"));
  app->add_option("--to", options->to, "End at this simulated time [s]")
      ->type_name("S")
      ->transform(realNumber(0, kLargestReal, "s"));
  app->add_option("--fps", options->rate, "Frames of a simulated second at most; 30 without it")
      ->type_name("RATE")
      ->transform(realNumber(1e-6, kMostRate, "1/s"));
  app->add_flag("--quiet,-q", options->quiet, "No summary and notes");
  app->footer(
      "Example:\n"
      "  drystone run crane --record crane.h5\n"
      "  drystone export crane.h5 --html crane.html\n");
  return {app, [options] { return exportRecording(*options); },
          "name the recording: a file that `drystone run --record` wrote"};
}

}  // namespace drystone::cli
