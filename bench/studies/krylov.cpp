// The solvers by conjugate gradients beside the experiments of A. Ho's thesis (2022), ch. 6. Prints
// Markdown tables, with the published values where there are any; bench/plots/krylov.py draws the
// files of --csv.
#include "apps/support/option_checks.h"
#include "bench/studies/krylov/study.h"
#include "bench/studies/study_program.h"

int main(int argc, char** argv) {
  using namespace drystone::bench;
  namespace cli = drystone::cli;
  constexpr int kMostFrames = 100'000;
  constexpr int kMostRounds = 1'000'000;
  constexpr int kMostRows = 1'000'000;
  StudyApp app("krylov");
  KrylovOptions options;
  options.program = "krylov";
  options.repeats = 1;
  options.limit = 45;
  app.add_option("--frames", options.frames, "frames looked at of each scene")
      ->transform(cli::wholeNumber(1, kMostFrames));
  app.add_option("--rounds", options.rounds, "outer iterations of a solve at most")
      ->transform(cli::wholeNumber(1, kMostRounds));
  app.add_option("--rows", options.rows, "rows of the largest problem of `growth`")
      ->transform(cli::wholeNumber(1, kMostRows));
  app.add_option("--limit", options.limit,
                 "wall clock a scene, checked after every frame, and of every solve [s]")
      ->transform(cli::positiveNumber("s"));
  const std::vector<Study> studies = {
      {"scenes", "Size, outer iterations, error and time (tables 6.1 to 6.4)",
       publishedSceneNames(), [&] { studyScenes(options); }},
      {"preconds", "Inner iterations by preconditioner (figures 6.1 and 6.4)",
       preconditionerScenes(), [&] { studyPreconditioners(options); }},
      {"regularize", "Effect of adaptive regularization (table 6.5)", regularizationScenes(),
       [&] { studyRegularization(options); }},
      {"cycles", "Frames on which block pivots find no answer", cycleScenes(),
       [&] { studyKrylovCycles(options); }},
      {"growth", "Conjugate gradients against the best direct solver over rows", growthScenes(),
       [&] { studyGrowth(options); }},
  };
  return runStudies(app, argc, argv, options, studies, machineLine() + ", one thread");
}
