// The direct solvers and their factors beside the experiments of C. Lefebvre's thesis (2020), ch. 2
// and 3: which way to factor the free system of a candidate pays when. Prints Markdown tables, with
// the published values where there are any; bench/plots/direct.py draws the files of --csv.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "bench/studies/direct/study.h"
#include "engine/core/input_error.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

struct Study {
  const char* name;
  void (*run)(const StudyOptions&);
};

constexpr Study kStudies[] = {
    {"scenes", &studyMachines}, {"times", &studyTimes},     {"scaling", &studyScaling},
    {"errors", &studyErrors},   {"tight", &studyTightRows}, {"random", &studyRandomMatrices},
    {"cache", &studyCache},     {"spaces", &studySpaces},   {"exponential", &studyExponential},
    {"cycles", &studyCycles},
};

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

std::string machineLine() {
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}", __clang_major__);
#else
  const std::string compiler = fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
  return fmt::format("{}, {}, {}, one thread", processorName(), DRYSTONE_BUILD_TYPE, compiler);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The direct solvers beside Lefebvre 2020, as Markdown tables.");
  StudyOptions options;
  std::vector<std::string> names, known;
  for (const Study& study : kStudies) known.emplace_back(study.name);
  app.name("bench_direct");
  app.option_defaults()->always_capture_default();
  app.add_option("study", names, "studies to run; all unless given")->check(CLI::IsMember(known));
  app.add_option("--seconds", options.seconds, "simulated time of the six machines [s]")
      ->check(CLI::PositiveNumber);
  app.add_option("--limit", options.limit, "wall clock a scene where a study samples frames [s]")
      ->check(CLI::PositiveNumber);
  app.add_option("--repeats", options.repeats, "of every timed solve; the fastest counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--scene", options.scenes, "scenes of the studies; all of theirs unless given");
  app.add_option("--csv", options.csvFolder, "folder for the data of the plots");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  fmt::print("{}\n\n", machineLine());
  try {
    for (const Study& study : kStudies) {
      if (!names.empty() && std::find(names.begin(), names.end(), study.name) == names.end()) {
        continue;
      }
      const Timer timer;
      study.run(options);
      fmt::print("Study `{}` took {:.0f} s.\n\n", study.name, timer.milliseconds() / 1e3);
      std::fflush(stdout);
    }
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  for (const std::string& scene : options.unknownScenes()) {
    fmt::print(stderr, "--scene: no study that ran has a scene '{}'\n", scene);
  }
  return options.unknownScenes().empty() ? 0 : 2;
}
