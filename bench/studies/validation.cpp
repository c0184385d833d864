// Motion of the engine against closed forms, published laws and converged integrations, with the
// order by which errors fall with the timestep. Prints a Markdown table a group, of which each row
// says whether it is met and where its error comes from; docs/validation.md explains the cases.
#include "bench/studies/study_program.h"
#include "bench/studies/validation/study.h"

int main(int argc, char** argv) {
  using namespace drystone::bench;
  StudyApp app("validation");
  StudyOptions options;
  options.program = "validation";
  const std::vector<Study> groups = {
      {"free", "Bodies that turn without forces", {}, [&] { validateFreeBodies(options); }},
      {"tops", "Heavy tops on a ball joint", {}, [&] { validateTops(options); }},
      {"pendulums", "Pendulums of one and two rods", {}, [&] { validatePendulums(options); }},
      {"friction",
       "Blocks and balls that slide, stick and roll",
       {},
       [&] { validateFriction(options); }},
      {"masonry",
       "Arches, overhangs, blocks that tip and rock",
       {},
       [&] { validateMasonry(options); }},
      {"impacts", "Balls that bounce, and a rod that jams", {}, [&] { validateImpacts(options); }},
      {"rolling",
       "Discs, cones, tippe tops and rattlebacks on a floor",
       {},
       [&] { validateRolling(options); }},
      {"chains", "A folded chain that falls", {}, [&] { validateChains(options); }},
      {"granular", "Columns and bins of balls", {}, [&] { validateGranular(options); }},
  };
  return runStudies(app, argc, argv, options, groups, machineLine() + ", one thread");
}
