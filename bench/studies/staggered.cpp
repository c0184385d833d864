// Staggered projections and the Schur-complement active-set method beside the experiments of J. A.
// Litven's thesis (2013), ch. 5 and 7. Prints Markdown tables, with the published values where
// there are any; bench/plots/staggered.py draws the files of --csv.
#include "apps/support/option_checks.h"
#include "bench/studies/staggered/study.h"
#include "bench/studies/study_program.h"

int main(int argc, char** argv) {
  using namespace drystone::bench;
  namespace cli = drystone::cli;
  constexpr int kMostVariables = 1'000'000;
  constexpr int kMostRounds = 1'000'000;
  StudyApp app("staggered");
  StaggeredOptions options;
  options.program = "staggered";
  options.repeats = 1;
  options.limit = 40;
  app.add_option("--size", options.size, "variables of the random QPs and band matrices")
      ->transform(cli::wholeNumber(1, kMostVariables));
  app.add_option("--bandwidth", options.bandwidth, "their diagonals below the main one")
      ->transform(cli::wholeNumber(1, kMostVariables));
  app.add_option("--rounds", options.rounds, "rounds of a solve at most, of `scenes`")
      ->transform(cli::wholeNumber(1, kMostRounds));
  app.add_option("--limit", options.limit, "wall clock a scene, checked after every frame [s]")
      ->transform(cli::positiveNumber("s"));
  const std::vector<Study> studies = {
      {"qps",
       "Random banded QPs (table 7.1, figures 7.1 and 7.2)",
       {},
       [&] { studyRandomQps(options); }},
      {"banded",
       "Banded factor and block substitution against size (figure 5.3)",
       {},
       [&] { studyBanded(options); }},
      {"factors", "What a factor is worth in solves, and from which band on the bodies' space pays",
       factorScenes(), [&] { studyFactors(options); }},
      {"cylinders", "Both engines over a collision (figures 7.4 to 7.8)", collisionScenes(),
       [&] { studyCollision(options); }},
      {"scenes", "Rounds of the loop on scenes, by acceleration", convergenceScenes(),
       [&] { studyConvergence(options); }},
  };
  return runStudies(app, argc, argv, options, studies, machineLine() + ", one thread");
}
