#include "bench/studies/study_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "apps/bench/bench_studies.h"
#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "bench/studies/study.h"
#include "core/wording.h"

namespace drystone::bench {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A paragraph for each study: what it is about, and its scenes.
std::string studyLines(const std::vector<Study>& studies) {
  std::string lines = "Studies:\n";
  for (const Study& study : studies) {
    lines += fmt::format("  {:<11} {}{}\n", study.name, study.summary,
                         study.mustBeNamed ? "; runs where it is named" : "");
    if (!study.scenes.empty()) {
      lines += fmt::format("  {:<11} scenes: {}\n", "", cli::joined(study.scenes, " "));
    }
  }
  return lines;
}

/// The studies of those names, or all; with scenes, of these the ones that have one of them. Throws
/// UsageError for a name or scene that there is not.
std::vector<Study> chosen(const std::vector<Study>& studies, const std::vector<std::string>& names,
                          const std::vector<std::string>& scenes) {
  std::vector<std::string> known;
  for (const Study& study : studies) known.push_back(study.name);
  for (const std::string& name : names) cli::chooseName("study", name, known);
  std::vector<Study> named = studies;
  std::erase_if(named, [&](const Study& study) {
    return names.empty() ? study.mustBeNamed : !has(names, study.name);
  });
  if (scenes.empty()) return named;
  std::vector<std::string> offered;
  for (const Study& study : named) {
    for (const std::string& scene : study.scenes) {
      if (!has(offered, scene)) offered.push_back(scene);
    }
  }
  for (const std::string& scene : scenes) {
    if (has(offered, scene)) continue;
    throw cli::UsageError(
        offered.empty()
            ? fmt::format("--scene {}: the studies asked for have no scenes to choose from", scene)
            : fmt::format("--scene {}: no study asked for has it; {}", scene,
                          didYouMean(scene, offered)));
  }
  std::erase_if(named, [&](const Study& study) {
    return std::none_of(study.scenes.begin(), study.scenes.end(),
                        [&](const std::string& scene) { return has(scenes, scene); });
  });
  return named;
}

}  // namespace

StudyApp::StudyApp(const std::string& name)
    : CLI::App(std::string(cli::benchSummary(name)), "drystone bench " + name) {
  option_defaults()->always_capture_default();
}

void StudyApp::addCsv(std::string& folder) {
  add_option("--csv", folder, "folder for the data of the plots")
      ->type_name("DIR")
      ->transform(cli::notEmpty());
}

CLI::Option* StudyApp::addWords(const std::string& name, std::vector<std::string>& values,
                                const std::string& type, const std::string& help) {
  // Without the empty list as the default in the help.
  return add_option(name, values, help)
      ->type_name(type)
      ->transform(cli::notEmpty())
      ->default_str("");
}

void StudyApp::addRepeatable(const std::string& name, std::vector<std::string>& values,
                             const std::string& type, const std::string& help) {
  addWords(name, values, type, help)->allow_extra_args(false);
}

int runStudy(StudyApp& app, int argc, char** argv, const std::function<int()>& study) {
  cli::setUpLog(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return cli::finishOutput(app.exit(help));
  } catch (const CLI::ParseError& error) {
    return cli::reportUsage(app.get_name(), cli::usageProblem(app, app.remaining(true), error));
  }
  return cli::finishOutput(cli::runReporting(study));
}

int runStudies(StudyApp& app, int argc, char** argv, StudyOptions& options,
               const std::vector<Study>& studies, const std::string& headline,
               const std::function<void()>& require) {
  std::vector<std::string> names;
  app.addWords("study", names, "STUDY",
               "studies to run; unless given all but those that must be named");
  app.addRepeatable("--scene", options.scenes, "SCENE",
                    "scene of the studies, repeatable; all of theirs unless given");
  app.add_option("--repeats", options.repeats,
                 "of every timed solve; the fastest counts, of sweeps alone the median")
      ->transform(cli::wholeNumber(1, kMostRepeats));
  app.addCsv(options.csvFolder);
  app.footer(studyLines(studies));
  return runStudy(app, argc, argv, [&] {
    const std::vector<Study> toRun = chosen(studies, names, options.scenes);
    require();
    options.checkCsvFolder();
    fmt::print("{}\n\n", headline);
    for (const Study& study : toRun) {
      const Timer timer;
      study.run();
      fmt::print("Study `{}` took {:.0f} s.\n\n", study.name, timer.milliseconds() / 1e3);
      std::fflush(stdout);
    }
    return cli::kDone;
  });
}

std::string machineLine() {
  std::string processor = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    processor = line.substr(line.find(':') + 2);
    break;
  }
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}", __clang_major__);
#else
  const std::string compiler = fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
  return fmt::format("{}, {}, {}", processor, DRYSTONE_BUILD_TYPE, compiler);
}

}  // namespace drystone::bench
