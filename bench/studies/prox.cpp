// The prox solvers beside the experiments of the theses of M. Poulsen (2010) and G. Nützi (2011).
// Prints Markdown tables, with the published values where there are any; bench/plots/prox.py draws
// the files of --csv.
#include "apps/support/option_checks.h"
#include "bench/studies/prox/studies.h"
#include "bench/studies/study_program.h"
#include "core/parallel.h"

int main(int argc, char** argv) {
  using namespace drystone::bench;
  namespace cli = drystone::cli;
  constexpr int kMostThreads = 1024;
  constexpr int kMostSweeps = 1'000'000;
  StudyApp app("prox");
  ProxOptions options;
  options.program = "prox";
  const int available = drystone::availableThreads();
  for (int threads = 1; threads <= available; threads *= 2) options.threads.push_back(threads);
  app.add_option("--sweeps", options.sweeps, "of the sequential Gauss-Seidel that sets the quality")
      ->transform(cli::wholeNumber(1, kMostSweeps));
  app.add_option("--threads", options.threads, "numbers of threads to measure")
      ->transform(cli::wholeNumber(1, kMostThreads));
  const std::vector<std::string> balls = ballScenes();
  const std::vector<Study> studies = {
      {"bandwidth", "What a sweep moves beside what a copy moves", bandwidthScenes(),
       [&] { studyBandwidth(options); }},
      {"generated", "Random problems", {}, [&] { studyGenerated(options); }},
      {"problems", "Contacts, blocks of T and colors", balls, [&] { studyProblems(options); }},
      {"quality", "Sweeps to the quality of the sequential ones", balls,
       [&] { studyQuality(options); }},
      {"schemes", "Time to lay out and of a sweep, by scheme", balls,
       [&] { studySchemes(options); }},
      {"threads", "Time to that quality over threads", threadScenes(),
       [&] { studyThreads(options); }},
      {"weak", "Time of a sweep when problems grow with the threads", weakScenes(),
       [&] { studyWeakScaling(options); }},
  };
  return runStudies(app, argc, argv, options, studies,
                    fmt::format("{}, {} processors", machineLine(), available));
}
