// Poulsen 2010, tables 6.1 to 6.3 and figures 7.5 to 7.10: strong scaling over threads, of a sweep
// and of a whole solve to the quality of 50 sequential Gauss-Seidel sweeps.
#include "bench/studies/prox/prox_run.h"
#include "bench/studies/prox/studies.h"

namespace drystone::bench {
namespace {

constexpr int kSettledStep = 150;  // of pile_8000, from where it hardly moves

struct Case {
  std::string scene;
  int step;
};

/// His scenes, and a heap that has settled.
std::vector<Case> cases() {
  std::vector<Case> list;
  for (const std::string& scene : ballScenes()) list.push_back({scene, 0});
  list.push_back({"pile_8000", kSettledStep});
  return list;
}

}  // namespace

std::span<const ProxRun> parallelRuns() {
  static const std::vector<ProxRun> kRuns = {
      {"Jacobi, T", "jacobi-prox", {{"scheme", "T"}}},
      {"Jacobi, factorized", "jacobi-prox"},
      {"greedy, T", "sor-prox-colored", {{"scheme", "T"}, {"color_unit", "contact"}}},
      {"greedy, factorized", "sor-prox-colored", {{"color_unit", "contact"}}},
      {"balanced, T",
       "sor-prox-colored",
       {{"scheme", "T"}, {"color_unit", "contact"}, {"coloring", "balanced"}}},
      {"balanced, factorized",
       "sor-prox-colored",
       {{"color_unit", "contact"}, {"coloring", "balanced"}}},
      {"lanes, float", "sor-prox-wide", {{"precision", "float"}}},
  };
  return kRuns;
}

std::vector<std::string> threadScenes() { return scenesOf(cases()); }

void studyThreads(const ProxOptions& options) {
  CsvFile csv(options, "threads", "scene,contacts,run,threads,sweeps,prepare_ms,sweep_ms,solve_ms");
  fmt::print(
      "## Threads: ms to the quality of {} sequential sweeps (a sweep against its time at {} "
      "thread{})\n\n",
      options.sweeps, options.threads.front(), options.threads.front() == 1 ? "" : "s");
  fmt::print("| scene | run | sweeps |");
  for (const int threads : options.threads) fmt::print(" {} |", threads);
  fmt::print("\n|---|---|--:|");
  for (std::size_t i = 0; i < options.threads.size(); ++i) fmt::print("--:|");
  fmt::print("\n");
  for (const auto& [scene, step] : cases()) {
    if (!options.wants(scene)) continue;
    const Frame frame = frameOf(scene, step);
    const std::size_t contacts = frame.problem.blocks.size();
    const Real gamma = targetQuality(frame.problem, options.sweeps);
    const ProxFigures sequential =
        measureProx(frame.problem, {"", "sor-prox"}, options.sweeps, 1, options.repeats);
    const Real sequentialMs = sequential.prepareMs + options.sweeps * sequential.sweepMs;
    fmt::print("| {} | sequential, factorized | {} | {:.1f} |", scene, options.sweeps,
               sequentialMs);
    for (std::size_t i = 1; i < options.threads.size(); ++i) fmt::print(" – |");
    printRow("\n");
    csv.row(scene, contacts, "sequential, factorized", 1, options.sweeps, sequential.prepareMs,
            sequential.sweepMs, sequentialMs);
    for (const ProxRun& run : parallelRuns()) {
      const int most = 20 * options.sweeps;
      const int sweeps = sweepsToQuality(frame.problem, run, gamma, most);
      if (sweeps > most) {
        fmt::print("| {} | {} | > {} |", scene, run.label, most);
        for (std::size_t i = 0; i < options.threads.size(); ++i) fmt::print(" – |");
        printRow("\n");
        continue;
      }
      fmt::print("| {} | {} | {} |", scene, run.label, sweeps);
      Real oneThread = 0;
      for (const int threads : options.threads) {
        const ProxFigures figures =
            measureProx(frame.problem, run, options.sweeps, threads, options.repeats);
        if (oneThread == 0) oneThread = figures.sweepMs;
        const Real solve = figures.prepareMs + sweeps * figures.sweepMs;
        printRow(" {:.1f} ({:.2f} ×) |", solve, oneThread / figures.sweepMs);
        csv.row(scene, contacts, run.label, threads, sweeps, figures.prepareMs, figures.sweepMs,
                solve);
      }
      fmt::print("\n");
    }
  }
  fmt::print("\n");
}

}  // namespace drystone::bench
