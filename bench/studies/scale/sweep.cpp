// What `drystone sweep` takes beside its runs: against a bare loop that makes and steps the same
// worlds.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/support/run_setup.h"
#include "apps/sweep/run_sweep.h"
#include "apps/sweep/sweep_run.h"
#include "apps/sweep/sweep_table.h"
#include "bench/studies/scale/scale_studies.h"
#include "core/hash.h"
#include "core/timer.h"
#include "distributed/processes.h"
#include "scenes/scene_builder.h"

namespace drystone::bench {
namespace {

struct SweepCase {
  const char* scene;
  const char* key;
  double from, to;
  int steps, runs;
};

constexpr SweepCase kCases[] = {{"ball_grid_small", "generators.0.mass", 1, 2, 20, 100},
                                {"ball_grid_small", "generators.0.mass", 1, 2, 100, 30},
                                {"slope_slip", "scene.friction", 0.1, 0.3, 60, 1000}};

/// Of all runs [ms].
struct SweepTimes {
  double sweep = kUnlimited;  ///< by the command, its table included
  double loop = kUnlimited;   ///< worlds made from scenes that were read before, stepped and hashed
  double steps = kUnlimited;  ///< the steps of that
  double reading = kUnlimited;  ///< scenes of the loop, before it
};

/// A folder that goes with the object.
class StudyFolder {
 public:
  StudyFolder() { std::filesystem::create_directory(path_); }
  ~StudyFolder() { std::filesystem::remove_all(path_); }
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / fmt::format("drystone_sweep_{}", getpid());
};

/// The hashes of the loop must stand in the rows of the sweep.
void requireSame(const cli::SweepTable& table, const std::vector<std::string>& hashes) {
  for (const auto& [run, line] : table.rows) {
    if (line.find(hashes[static_cast<std::size_t>(run - 1)]) == std::string::npos) {
      throw std::runtime_error(fmt::format("run {} has other bits in a loop: {}", run, line));
    }
  }
}

/// One round of both.
void timeRound(const SweepCase& one, const cli::ReadySweep& sweep, const std::string& output,
               SweepTimes& best) {
  const cli::StudyRuns runs(sweep.study);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(runs.count()));
  std::iota(numbers.begin(), numbers.end(), 1);
  cli::SweepJournal journal(output, false);
  cli::SweepTable table;
  const cli::SweepRows rows{journal, table};
  LoneProcess alone;
  Timer timer;
  journal.start(sweep.header());
  cli::doRuns(sweep, runs, numbers, 1, false, alone, &rows);
  best.sweep = std::min(best.sweep, timer.lap());
  journal.remove();

  SweepTimes now{0, 0, 0, 0};
  std::vector<std::string> hashes;
  for (const std::int64_t number : numbers) {
    timer.restart();
    const Scene scene =
        cli::setUpScene(sweep.scene, sweep.optionsOf(runs.run(number)), sweep.registry);
    now.reading += timer.lap();
    {
      World world = buildWorld(scene, sweep.registry);
      for (int step = 0; step < one.steps; ++step) now.steps += world.step().times.step;
      hashes.push_back(hashText(world.observe().hash()));
    }
    now.loop += timer.lap();
  }
  requireSame(table, hashes);
  best.loop = std::min(best.loop, now.loop);
  best.steps = std::min(best.steps, now.steps);
  best.reading = std::min(best.reading, now.reading);
}

}  // namespace

void runSweeps(const StudyOptions& options) {
  CsvFile csv(options, "sweep", "scene,steps,runs,sweep_ms,loop_ms,steps_ms,reading_ms");
  printRow(
      "| scene | steps a run | runs | sweep ms a run | loop | its steps | reading | sweep over "
      "loop | sweep over steps |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  const StudyFolder folder;
  for (const SweepCase& one : kCases) {
    if (!options.wants(one.scene)) continue;
    std::ofstream(folder.file("study.json")) << fmt::format(
        R"({{"scene": "{}", "steps": {}, "figures": ["hash"],
             "vary": {{"{}": {{"from": {}, "to": {}, "count": {}}}}}}})",
        one.scene, one.steps, one.key, one.from, one.to, one.runs);
    const cli::ReadySweep sweep = cli::prepareSweep(folder.file("study.json"));
    SweepTimes best;
    for (int round = 0; round < options.repeats; ++round) {
      timeRound(one, sweep, folder.file("table.csv"), best);
    }
    csv.row(one.scene, one.steps, one.runs, best.sweep, best.loop, best.steps, best.reading);
    const double each = 1.0 / one.runs;
    printRow("| {} | {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.4f} | {:.4f} |\n", one.scene,
             one.steps, one.runs, each * best.sweep, each * best.loop, each * best.steps,
             each * best.reading, best.sweep / best.loop, best.sweep / best.steps);
  }
}

}  // namespace drystone::bench
