// Size and condition, outer iterations, error and time on the scenes of Ho 2022: tables 6.1 to 6.4
// and the data of figures 6.2 and 6.3. Frames without a tight row are left out, as there.
#include <algorithm>
#include <array>

#include "apps/support/progress.h"
#include "bench/studies/krylov/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

/// In the order of the published columns; the last one carries the simulation on.
constexpr std::array<const char*, 3> kSolvers = {"bpp-pcg", "pgcg", "bpp-auto"};
constexpr std::array<std::size_t, 3> kRun = {1, 2, 0};

struct SceneFigures {
  const PublishedScene* published = nullptr;
  Real massRatio = 0;
  int rows = 0;
  Condition condition;
  int countedFrames = 0, sharedFrames = 0;  ///< of these: solved by all
  std::array<Real, 3> outer = {}, ms = {};  ///< sums over the shared frames
  std::array<Real, 3> energyMax = {};       ///< over the frames that the solver solved
  std::array<int, 3> unsolved = {};
  std::vector<std::string> unsolvedFrames;
};

void addFrame(std::span<const ShadowRecord> records, Real time, Real condition, SceneFigures& scene,
              CsvFile& csv) {
  std::array<FrameFigures, 3> frame;
  for (std::size_t s = 0; s < frame.size(); ++s) frame[s] = figuresOf(records, kRun[s]);
  scene.rows = std::max(scene.rows, frame[0].rows);
  if (frame[0].tightRows == 0 && !scene.published->onlyJoints) return;
  ++scene.countedFrames;
  bool allSolved = true;
  for (std::size_t s = 0; s < frame.size(); ++s) {
    const FrameFigures& one = frame[s];
    csv.row(scene.published->scene, time, one.rows, one.tightRows, condition, kSolvers[s],
            one.outer, one.inner, one.ms, one.energyMax, one.solved() ? 1 : 0);
    allSolved = allSolved && one.solved();
    if (one.solved()) {
      scene.energyMax[s] = std::max(scene.energyMax[s], one.energyMax);
      continue;
    }
    ++scene.unsolved[s];
    scene.unsolvedFrames.push_back(fmt::format("{} at {:.3f} s: {} ({}, {:.1e} J)",
                                               scene.published->scene, time, kSolvers[s],
                                               solveStatusName(one.status), one.energyMax));
  }
  if (!allSolved) return;
  ++scene.sharedFrames;
  for (std::size_t s = 0; s < frame.size(); ++s) {
    scene.outer[s] += frame[s].outer;
    scene.ms[s] += frame[s].ms;
  }
}

SceneFigures measure(const PublishedScene& published, const KrylovOptions& options, CsvFile& csv) {
  const Scene scene = krylovScene(published.scene);
  Shadow shadow({{"bpp-auto"}, krylovRun(options, "bpp-pcg"), krylovRun(options, "pgcg")},
                options.repeats);
  SceneFigures figures;
  figures.published = &published;
  // The island that takes the thesis's part in the condition number: the one with the most rows.
  StoredProblem largest;
  int largestRows = 0;
  shadow.observer = [&](const ShadowView& view) {
    if (view.problem.rowCount() <= largestRows) return;
    largestRows = view.problem.rowCount();
    largest = storedCopy(view.problem);
  };
  cli::ProgressBar bar(true);
  simulate(scene, shadow, sampledFrames(scene, published.first, published.seconds, options.frames),
           options.limit, [&](World& world) {
             figures.massRatio = massRatio(world);
             const Condition condition =
                 largestRows > 0 ? conditionOf(largest.view()) : Condition();
             if (condition.value > figures.condition.value) figures.condition = condition;
             largestRows = 0;
             addFrame(shadow.records, world.time(), condition.value, figures, csv);
             bar.draw(std::min(1.0, (world.time() - published.first) / published.seconds),
                      published.scene);
           });
  bar.clear();
  return figures;
}

void printSizes(const std::vector<SceneFigures>& scenes) {
  fmt::print(
      "### Size (table 6.1)\n\n| scene | mass ratio | published | rows of a frame, most | "
      "published "
      "| condition of A, largest island | published | eigenvalues at round-off "
      "|\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const SceneFigures& scene : scenes) {
    const PublishedScene& published = *scene.published;
    printRow("| {} | {:.0f}:1 | {} | {} | {} | {}{:.0e} | {} | {} |\n", published.scene,
             scene.massRatio, published.massRatio, scene.rows, published.rows,
             scene.condition.isBound ? "≥ " : "", scene.condition.value, published.condition,
             scene.condition.isBound ? "–" : std::to_string(scene.condition.singularRows));
  }
  fmt::print("\n≥: by Lanczos steps, which stop short of the smallest eigenvalue.\n\n");
}

template <class Cell>
void printBySolver(const char* title, const std::vector<SceneFigures>& scenes, Cell cell,
                   const std::string (PublishedScene::*published)[3]) {
  fmt::print("### {}\n\n| scene | frames |", title);
  for (const char* solver : kSolvers) fmt::print(" {} |", solver);
  for (const char* solver : {"bpp-pcg", "pgcg", "bpp"}) fmt::print(" published: {} |", solver);
  fmt::print("\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const SceneFigures& scene : scenes) {
    fmt::print("| {} | {} of {} |", scene.published->scene, scene.sharedFrames,
               scene.countedFrames);
    for (std::size_t s = 0; s < kSolvers.size(); ++s) fmt::print(" {} |", cell(scene, s));
    for (std::size_t s = 0; s < kSolvers.size(); ++s) {
      fmt::print(" {} |", ((*scene.published).*published)[s]);
    }
    printRow("\n");
  }
  fmt::print("\n");
}

std::string meanCell(const SceneFigures& scene, Real sum, const char* format) {
  if (scene.sharedFrames == 0) return "–";
  return fmt::format(fmt::runtime(format), sum / scene.sharedFrames);
}

}  // namespace

void studyScenes(const KrylovOptions& options) {
  fmt::print("## Scenes (Ho 2022, tables 6.1 to 6.4)\n\n");
  CsvFile csv(options, "frames",
              "scene,time_s,rows,tight_rows,condition,solver,outer,inner,ms,energy_j,solved");
  std::vector<SceneFigures> scenes;
  for (const PublishedScene& published : publishedScenes()) {
    if (options.wants(published.scene)) scenes.push_back(measure(published, options, csv));
  }
  printSizes(scenes);
  printBySolver(
      "Outer iterations, mean of a frame (table 6.2)", scenes,
      [](const SceneFigures& scene, std::size_t s) {
        return meanCell(scene, scene.outer[s], "{:.1f}");
      },
      &PublishedScene::outer);
  printBySolver(
      "LCP error (M.13), largest of the solved frames [J] (table 6.3)", scenes,
      [](const SceneFigures& scene, std::size_t s) {
        if (scene.unsolved[s] == scene.countedFrames) return std::string("–");
        return fmt::format("{:.1e}", scene.energyMax[s]);
      },
      &PublishedScene::error);
  printBySolver(
      "Processor time, mean of a frame [ms] (table 6.4)", scenes,
      [](const SceneFigures& scene, std::size_t s) {
        const std::string ms = meanCell(scene, scene.ms[s], "{:.3g}");
        if (s == 2 || scene.sharedFrames == 0) return ms;
        return fmt::format("{} ({:.2g} ×)", ms, scene.ms[2] / scene.ms[s]);
      },
      &PublishedScene::milliseconds);
  int tight = 0;
  std::vector<std::string> unsolved;
  for (const SceneFigures& scene : scenes) {
    tight += scene.countedFrames;
    unsolved.insert(unsolved.end(), scene.unsolvedFrames.begin(), scene.unsolvedFrames.end());
  }
  fmt::print("Solves that did not converge, of {}: {}.\n", 3 * tight, unsolved.size());
  for (const std::string& line : unsolved) fmt::print("- {}\n", line);
  fmt::print(
      "\nFrames with a tight row, of spinner (joints alone) all; iterations and times are sums "
      "over the islands of a frame, over "
      "the frames that all three solved. Box friction, warm starts, at most {} outer iterations. "
      "bpp-auto carries the simulation on.\n\n",
      options.rounds);
}

}  // namespace drystone::bench
