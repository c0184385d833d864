// The direct solvers and their factors beside the experiments of C. Lefebvre's thesis (2020), ch. 2
// and 3: which way to factor the free system of a candidate pays when. Prints Markdown tables, with
// the published values where there are any; bench/plots/direct.py draws the files of --csv.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/studies/direct/study.h"
#include "bench/studies/study_program.h"

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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The direct solvers beside Lefebvre 2020, as Markdown tables.");
  StudyOptions options;
  options.program = "direct";
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
  return runStudy(app, argc, argv, [&] {
    fmt::print("{}, one thread\n\n", machineLine());
    for (const Study& study : kStudies) {
      if (!names.empty() && std::find(names.begin(), names.end(), study.name) == names.end()) {
        continue;
      }
      const Timer timer;
      study.run(options);
      fmt::print("Study `{}` took {:.0f} s.\n\n", study.name, timer.milliseconds() / 1e3);
      std::fflush(stdout);
    }
    for (const std::string& scene : options.unknownScenes()) {
      fmt::print(stderr, "--scene: no study that ran has a scene '{}'\n", scene);
    }
    return options.unknownScenes().empty() ? 0 : 2;
  });
}
