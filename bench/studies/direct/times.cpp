// Time to solve the problems of a frame, by the factor of the free system: Lefebvre 2020,
// table 2.3. Frames without a tight row are left out, as there.
#include <algorithm>
#include <array>

#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"
#include "solvers/default_registry.h"

namespace drystone::bench {
namespace {

constexpr std::array<const char*, 5> kSolvers = {"bpp", "bpp-downdate", "bpp-skyline", "bpp-sparse",
                                                 "bpp-auto"};

/// Lefebvre 2020, table 2.1: the most candidates of a problem.
constexpr int kPublishedRounds = 35;

/// Frames of a scene from one kind of start.
struct StartTimes {
  int frames = 0;                             ///< with a tight row, and solved by every run
  int unsolved = 0;                           ///< with a tight row, left out
  Real tightShare = 0;                        ///< mean of a frame
  Real factorizations = 0;                    ///< of bpp, mean of a frame
  std::array<Real, kSolvers.size()> ms = {};  ///< mean of a frame
};

struct SceneTimes {
  std::string scene;
  int frames = 0;
  StartTimes warm, free;
  Real velocityError = 0;  ///< of problems that both runs solved
};

/// The five solvers, once from the warm start, and once from all rows free with the limit of the
/// thesis and with pivots alone, so that all of them go through the same candidates.
std::vector<ShadowRun> makeRuns() {
  std::vector<ShadowRun> runs;
  for (const char* solver : kSolvers) runs.push_back({solver});
  const SolverRegistry registry = makeDefaultRegistry();
  for (const char* solver : kSolvers) {
    ShadowRun run{solver, true, {{"max_iterations", std::to_string(kPublishedRounds)}}};
    for (const SettingDescription& setting : describeSettings(*registry.create(solver))) {
      const std::string& name = setting.name;
      if (name == "max_newton" || name == "max_proximal") {
        run.settings.emplace_back(name, "0");
      }
    }
    runs.push_back(run);
  }
  return runs;
}

/// Of a free start: by the block pivots that all solvers share, not by what follows on their limit.
bool isSolved(const SolverReport& report, bool startsFree) {
  return report.status == SolveStatus::kConverged &&
         (!startsFree || report.iterations <= kPublishedRounds);
}

void addFrame(std::span<const ShadowRecord> records, std::size_t firstRun, StartTimes& times) {
  int rows = 0, tight = 0;
  bool solved = true;
  std::array<Real, kSolvers.size()> ms = {};
  int factorizations = 0;
  for (const ShadowRecord& record : records) {
    rows += record.rows;
    tight += record.tightRows;
    factorizations += record.runs[firstRun].report.factorizations;
    for (std::size_t s = 0; s < kSolvers.size(); ++s) {
      const SolverReport& report = record.runs[firstRun + s].report;
      ms[s] += report.timeMs;
      solved = solved && isSolved(report, firstRun > 0);
    }
  }
  if (tight == 0) return;
  if (!solved) {
    ++times.unsolved;
    return;
  }
  ++times.frames;
  times.tightShare += static_cast<Real>(tight) / rows;
  times.factorizations += factorizations;
  for (std::size_t s = 0; s < kSolvers.size(); ++s) times.ms[s] += ms[s];
}

void takeMeans(StartTimes& times) {
  const Real count = std::max(times.frames, 1);
  times.tightShare /= count;
  times.factorizations /= count;
  for (Real& ms : times.ms) ms /= count;
}

SceneTimes measure(const StudyOptions& options, const std::string& name, CsvFile& csv) {
  const Scene scene = sceneWith(name, "");
  Shadow shadow(makeRuns(), options.repeats);
  SceneTimes times{name};
  const auto writeFrame = [&](Real time) {
    for (std::size_t r = 0; r < shadow.runs().size(); ++r) {
      int rows = 0, tight = 0, factorizations = 0;
      Real ms = 0;
      bool solved = true;
      for (const ShadowRecord& record : shadow.records) {
        const ShadowFigures& figures = record.runs[r];
        const bool converged = figures.report.status == SolveStatus::kConverged;
        rows += record.rows;
        tight += record.tightRows;
        ms += figures.report.timeMs;
        factorizations += figures.report.factorizations;
        solved = solved && isSolved(figures.report, shadow.runs()[r].startsFree);
        if (converged) times.velocityError = std::max(times.velocityError, figures.velocityError);
      }
      const ShadowRun& run = shadow.runs()[r];
      csv.row(name, time, rows, tight, run.startsFree ? "free" : "warm", run.solver, ms,
              factorizations, solved ? 1 : 0);
    }
  };
  times.frames =
      simulate(scene, shadow, framesOf(scene, options.seconds), kInfinity, [&](World& world) {
        addFrame(shadow.records, 0, times.warm);
        addFrame(shadow.records, kSolvers.size(), times.free);
        writeFrame(world.time());
      });
  takeMeans(times.warm);
  takeMeans(times.free);
  return times;
}

std::string timeCell(Real ms, Real full) {
  return ms > 0 ? fmt::format("{:.2f} ({:.1f} ×)", ms, full / ms) : "–";
}

void printTimes(const std::vector<SceneTimes>& scenes, bool startsFree) {
  fmt::print("### {}\n\n", startsFree ? "All rows free at the start, as published"
                                      : "From the sets and impulses of the step before");
  fmt::print(
      "| scene | frames | left out: not solved | tight rows, mean | factorizations, mean | bpp ms "
      "| "
      "bpp-downdate ms | bpp-skyline ms | bpp-sparse ms | bpp-auto ms | published: full ms | "
      "downdating ms | skyline ms |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const SceneTimes& scene : scenes) {
    const StartTimes& times = startsFree ? scene.free : scene.warm;
    const auto published =
        std::find_if(publishedMachines().begin(), publishedMachines().end(),
                     [&](const PublishedMachine& machine) { return machine.scene == scene.scene; });
    const Real full = times.ms[0];
    printRow(
        "| {} | {} of {} | {} | {:.1f} % | {:.1f} | {:.2f} | {} | {} | {} | {} | {:.1f} | {} | "
        "{} |\n",
        scene.scene, times.frames, scene.frames, times.unsolved, 100 * times.tightShare,
        times.factorizations, full, timeCell(times.ms[1], full), timeCell(times.ms[2], full),
        timeCell(times.ms[3], full), timeCell(times.ms[4], full), published->fullMs,
        published->downdate, published->skyline);
  }
  fmt::print("\n");
}

}  // namespace

void studyTimes(const StudyOptions& options) {
  fmt::print("## Solve time of a frame (Lefebvre 2020, table 2.3)\n\n");
  CsvFile csv(options, "times",
              "scene,time_s,rows,tight_rows,start,solver,solve_ms,factorizations,solved");
  std::vector<SceneTimes> scenes;
  for (const PublishedMachine& machine : publishedMachines()) {
    if (!options.wants(machine.scene)) continue;
    scenes.push_back(measure(options, machine.scene, csv));
    fmt::print(stderr, "times: {} done\n", machine.scene);
  }
  printTimes(scenes, true);
  printTimes(scenes, false);
  Real error = 0;
  for (const SceneTimes& scene : scenes) error = std::max(error, scene.velocityError);
  fmt::print(
      "{} s of each scene, frames with a tight row; sums over the islands of a frame, least of "
      "{} repeats of each problem. From all rows free: at most {} candidates of block pivoting; "
      "frames that this does not solve are left out. Largest difference of w to bpp over the "
      "largest |b|: {:.1e}. Published: Core i7-5820K at 3.3 GHz.\n\n",
      options.seconds, options.repeats, kPublishedRounds, error);
}

}  // namespace drystone::bench
