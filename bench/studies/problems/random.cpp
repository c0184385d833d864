// Random problems of bodies: what each solver solves from zero, and what it misses.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/support/command_line.h"
#include "apps/support/output_file.h"
#include "apps/support/progress.h"
#include "bench/studies/problems/problems.h"
#include "bench/studies/study_program.h"
#include "tests/support/random_problems.h"

namespace drystone::bench {
namespace {

std::vector<std::string> kindsOf(const RandomProblems& random) {
  if (!random.kinds.empty()) return random.kinds;
  return {test::kRandomKinds.begin(), test::kRandomKinds.end()};
}

NamedProblem makeProblem(const std::string& kind, int seed) {
  NamedProblem problem;
  problem.name = fmt::format("{}-{}", kind, seed);
  problem.read.problem = test::randomProblem(kind, static_cast<std::uint64_t>(seed));
  return problem;
}

/// What one solver made of the problems of one kind.
struct KindTally {
  int solved = 0;
  std::vector<Real> ms;
  std::string slowest;
};

void dump(const NamedProblem& problem, const std::string& folder) {
  if (folder.empty()) return;
  const auto path = std::filesystem::path(folder) / (problem.name + ".json");
  writeProblemFile(path.string(), problem.read.problem.view(), {.name = problem.name});
}

}  // namespace

void checkRandomProblems(const RandomProblems& random) {
  const std::vector<std::string> known(test::kRandomKinds.begin(), test::kRandomKinds.end());
  for (const std::string& kind : random.kinds) cli::chooseName("kind", kind, known);
  if (!random.dumpFolder.empty()) cli::checkWritableDirectory(random.dumpFolder, "--dump");
}

void studyRandomProblems(const RandomProblems& random, const std::vector<SolverVariant>& variants,
                         const ProfileOptions& options, const SolverRegistry& registry,
                         CsvFile& csv) {
  fmt::print("{}, one thread. {} random problems of each kind, at most {} s a solve, from zero.\n",
             machineLine(), random.count, options.limit);
  cli::ProgressBar bar(true);
  for (const Real tolerance : options.tolerances) {
    fmt::print("\nTolerance {:g}\n\n", tolerance);
    fmt::print(
        "| kind | largest rows | solver | solved | median ms | slowest ms | slowest seed |\n");
    fmt::print("|---|--:|---|--:|--:|--:|--:|\n");
    std::string misses;
    for (const std::string& kind : kindsOf(random)) {
      std::vector<KindTally> tallies(variants.size());
      std::size_t mostRows = 0;
      for (int seed = 0; seed < random.count; ++seed) {
        const NamedProblem problem = makeProblem(kind, seed);
        mostRows = std::max(mostRows, problem.read.problem.b.size());
        bar.draw(static_cast<double>(seed) / random.count, problem.name);
        for (std::size_t s = 0; s < variants.size(); ++s) {
          KindTally& tally = tallies[s];
          const ProfileEntry entry =
              measureProblem(problem, variants[s], tolerance, options, registry, csv);
          if (tally.ms.empty() || entry.ms > *std::ranges::max_element(tally.ms)) {
            tally.slowest = std::to_string(seed);
          }
          tally.ms.push_back(entry.ms);
          tally.solved += entry.solved ? 1 : 0;
          if (entry.solved) continue;
          misses += fmt::format("{} misses {} ({} rows): {:.2g} m/s after {:.3g} ms, {}\n",
                                variants[s].label, problem.name, problem.read.problem.b.size(),
                                entry.naturalMap, entry.ms, solveStatusName(entry.status));
          dump(problem, random.dumpFolder);
        }
      }
      bar.clear();
      for (std::size_t s = 0; s < variants.size(); ++s) {
        std::vector<Real>& ms = tallies[s].ms;
        const Real slowest = *std::ranges::max_element(ms);
        std::ranges::nth_element(ms, ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2));
        printRow("| {} | {} | {} | {} of {} | {:.3g} | {:.3g} | {} |\n", kind, mostRows,
                 variants[s].label, tallies[s].solved, random.count, ms[ms.size() / 2], slowest,
                 tallies[s].slowest);
      }
    }
    fmt::print("\n{}", misses.empty() ? "None is missed.\n" : misses);
  }
}

}  // namespace drystone::bench
