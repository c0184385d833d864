// The prox solvers beside the experiments of the theses of M. Poulsen (2010) and G. Nützi (2011).
// Prints Markdown tables, with the published values where there are any.
#include "bench/studies/prox/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/studies/study_program.h"
#include "engine/core/parallel.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

struct Study {
  const char* name;
  void (*run)(const ProxOptions&);
};

constexpr Study kStudies[] = {
    {"bandwidth", &studyBandwidth}, {"generated", &studyGenerated}, {"problems", &studyProblems},
    {"quality", &studyQuality},     {"schemes", &studySchemes},     {"threads", &studyThreads},
    {"weak", &studyWeakScaling},
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The prox solvers beside Poulsen 2010 and Nützi 2011, as Markdown tables.");
  ProxOptions options;
  options.program = "prox";
  for (int threads = 1; threads <= availableThreads(); threads *= 2) {
    options.threads.push_back(threads);
  }
  std::vector<std::string> names, known;
  for (const Study& study : kStudies) known.emplace_back(study.name);
  app.name("bench_prox");
  app.option_defaults()->always_capture_default();
  app.add_option("study", names, "studies to run; all unless given")->check(CLI::IsMember(known));
  app.add_option("--scene", options.scenes, "scenes of the studies; all of theirs unless given");
  app.add_option("--sweeps", options.sweeps, "of the sequential Gauss-Seidel that sets the quality")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "numbers of threads to measure")
      ->check(CLI::PositiveNumber);
  app.add_option("--repeats", options.repeats, "of every timed solve; the fastest counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--csv", options.csvFolder, "folder for the data of the plots");
  return runStudy(app, argc, argv, [&] {
    fmt::print("{}, {} processors\n\n", machineLine(), availableThreads());
    for (const Study& study : kStudies) {
      if (!names.empty() && std::find(names.begin(), names.end(), study.name) == names.end()) {
        continue;
      }
      study.run(options);
      std::fflush(stdout);
    }
    for (const std::string& scene : options.unknownScenes()) {
      fmt::print(stderr, "--scene: no study that ran has a scene '{}'\n", scene);
    }
    return options.unknownScenes().empty() ? 0 : 2;
  });
}
