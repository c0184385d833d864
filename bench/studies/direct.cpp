// The direct solvers and their factors beside the experiments of C. Lefebvre's thesis (2020), ch. 2
// and 3: which way to factor the free system of a candidate pays when. Prints Markdown tables, with
// the published values where there are any; bench/plots/direct.py draws the files of --csv.
#include "apps/support/option_checks.h"
#include "bench/studies/direct/study.h"
#include "bench/studies/study_program.h"

int main(int argc, char** argv) {
  using namespace drystone::bench;
  namespace cli = drystone::cli;
  StudyApp app("direct");
  StudyOptions options;
  options.program = "direct";
  app.add_option("--seconds", options.seconds, "simulated time of the six machines [s]")
      ->transform(cli::positiveNumber("s"));
  app.add_option("--limit", options.limit, "wall clock a scene where a study samples frames [s]")
      ->transform(cli::positiveNumber("s"));
  const std::vector<std::string> machines = machineScenes();
  const std::vector<Study> studies = {
      {"scenes", "Size and condition of the six machines", machines,
       [&] { studyMachines(options); }},
      {"times", "Time of a frame by every way to factor", machines, [&] { studyTimes(options); }},
      {"scaling", "Time against rows", scalingScenes(), [&] { studyScaling(options); }},
      {"errors", "What downdating loses", errorScenes(), [&] { studyErrors(options); }},
      {"tight", "Share of tight rows over time", machines, [&] { studyTightRows(options); }},
      {"random", "Downdating of random matrices", {}, [&] { studyRandomMatrices(options); }},
      {"cache", "Factors kept within a solve", cacheScenes(), [&] { studyCache(options); }},
      {"spaces", "Factors in the space of rows or of bodies", spacesScenes(),
       [&] { studySpaces(options); }},
      {"exponential",
       "The matrices on which pivoting takes exponentially long",
       {},
       [&] { studyExponential(options); }},
      {"cycles", "Sets that recur under plain block pivoting", cyclesScenes(),
       [&] { studyCycles(options); }},
  };
  return runStudies(app, argc, argv, options, studies, machineLine() + ", one thread");
}
