// Scale: what a world on several processes sends, counted, and the memory of bodies and contacts.
#include "bench/studies/scale/scale_studies.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"

int main(int argc, char** argv) {
  using namespace drystone::bench;
  StudyApp app("scale");
  StudyOptions options;
  options.program = "scale";
  const std::vector<Study> studies = {
      {"traffic",
       "messages and bytes of a step, ghosts, contacts over borders, iterations",
       {"ball_grid_small", "ball_grid_medium"},
       [&] { runTraffic(options); }},
      {"memory",
       "bytes a body and a contact, built and after steps",
       {},
       [&] { runMemory(options); }},
      {"million", "two steps of 990,000 spheres: memory and judgement; takes some 17 GB", {}, [&] {
         runMillion(options);
       }}};
  return runStudies(app, argc, argv, options, studies, "scale: processes and memory");
}
