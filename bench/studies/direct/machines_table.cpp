// How large and how badly conditioned the problems of the six machines are: Lefebvre 2020,
// table 2.2.
#include <algorithm>

#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {

std::span<const PublishedMachine> publishedMachines() {
  static const std::vector<PublishedMachine> kMachines = {
      {"crane", 6300, 430, "1e9", 12.4, "4.7 (2.7 ×)", "3.4 (3.6 ×)"},
      {"winch", 400, 370, "1e8", 2.0, "2.4 (0.9 ×)", "1.6 (1.3 ×)"},
      {"vehicle", 20000, 260, "1e19", 3.0, "2.2 (1.4 ×)", "2.1 (1.4 ×)"},
      {"offshore", 4400000, 350, "1e9", 6.7, "4.0 (1.7 ×)", "2.9 (2.3 ×)"},
      {"forklift", 2700, 300, "1e8", 1.2, "1.0 (1.3 ×)", "0.8 (1.5 ×)"},
      {"forwarder", 6500, 250, "1e11", 3.1, "2.5 (1.2 ×)", "2.0 (1.6 ×)"},
  };
  return kMachines;
}

std::vector<std::string> machineScenes() { return scenesOf(publishedMachines()); }

namespace {

constexpr int kSamples = 20;  ///< of the condition number, a scene

}  // namespace

void studyMachines(const StudyOptions& options) {
  fmt::print("## Machines (Lefebvre 2020, table 2.2)\n\n");
  fmt::print(
      "| scene | mass ratio | published | rows of a step, most | of an island, most | published | "
      "condition number of A, largest island | published | eigenvalues at round-off, most |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const PublishedMachine& machine : publishedMachines()) {
    if (!options.wants(machine.scene)) continue;
    const Scene scene = sceneWith(machine.scene, "");
    const FrameRange range = framesOf(scene, options.seconds);
    Shadow shadow({{"bpp-auto"}}, 1);
    Real ratio = 0, condition = 0;
    int singularRows = 0;
    int stepRows = 0, islandRows = 0, step = 0, sampleRows = 0;
    const int stride = std::max(range.count / kSamples, 1);
    // Which island is the largest shows when the frame is over, and its view does not last till
    // then.
    StoredProblem largestIsland;
    shadow.observer = [&](const ShadowView& view) {
      const ContactProblem& problem = view.problem;
      if (step % stride != 0 || problem.rowCount() <= sampleRows) return;
      sampleRows = problem.rowCount();
      largestIsland = storedCopy(problem);
    };
    simulate(scene, shadow, range, kInfinity, [&](World& world) {
      if (step == 0) ratio = massRatio(world);
      if (sampleRows > 0) {
        const Condition found = conditionOf(largestIsland.view());
        condition = std::max(condition, found.value);
        singularRows = std::max(singularRows, found.singularRows);
      }
      sampleRows = 0;
      int rows = 0;
      for (const ShadowRecord& record : shadow.records) {
        rows += record.rows;
        islandRows = std::max(islandRows, record.rows);
      }
      stepRows = std::max(stepRows, rows);
      ++step;
    });
    printRow("| {} | {:.6g} | {:.6g} | {} | {} | {} | {:.1e} | {} | {} |\n", machine.scene, ratio,
             machine.massRatio, stepRows, islandRows, machine.rows, condition, machine.condition,
             singularRows);
  }
  fmt::print("\n{} s of each scene; condition numbers of {} frames.\n\n", options.seconds,
             kSamples);
}

}  // namespace drystone::bench
