// Which solver solves how many contact problems how fast: performance profiles over stored problems
// and over islands of running scenes. Prints a Markdown table for each tolerance, and the problems
// that no solver solved; bench/plots/problems.py draws the file of --csv.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "apps/support/input_files.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/support/solver_registry.h"
#include "bench/studies/problems/problems.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

/// Columns of the profile: share solved within so many times the fastest time.
constexpr std::array<Real, 5> kFactors = {1, 2, 5, 10, 100};

struct Options : ProfileOptions {
  std::vector<std::string> files, solvers;
  int islands = 4;
  RandomProblems random;
};

/// The solvers asked for; of "all", those that can run here.
std::vector<SolverVariant> variantsOf(const Options& options, const SolverRegistry& registry) {
  std::vector<SolverVariant> variants;
  std::vector<std::string> asked = options.solvers;
  if (asked.empty()) asked = {options.random.count > 0 ? "auto" : "all"};
  for (const std::string& text : asked) {
    if (text != "all") {
      variants.push_back(parseVariant(text, registry));
      continue;
    }
    for (const std::string& name : registry.names()) {
      if (registry.traits(name).unavailable().empty()) variants.push_back({name, name, {}});
    }
  }
  return variants;
}

std::vector<NamedProblem> problemsOf(const Options& options, cli::ProgressBar& bar) {
  std::vector<NamedProblem> problems;
  const bool asked = !options.files.empty() || !options.study.scenes.empty();
  std::vector<cli::ProblemInput> files;
  if (!options.files.empty()) files = cli::findProblems(options.files);
  for (const cli::ProblemInput& file : files) {
    problems.push_back({file.name, readProblemFile(file.path)});
  }
  const std::vector<std::string> scenes = asked ? options.study.scenes : problemScenes();
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    bar.draw(static_cast<double>(i) / static_cast<double>(scenes.size()),
             "islands of " + scenes[i]);
    for (NamedProblem& problem : islandsOf(scenes[i], options.islands, options.study.seconds)) {
      problems.push_back(std::move(problem));
    }
  }
  return problems;
}

using Entries = std::vector<std::vector<ProfileEntry>>;  // [solver][problem]

/// The solver that solves most stands first; of equals, the one with the best profile.
std::vector<std::size_t> ranked(const Entries& entries) {
  std::vector<std::size_t> order(entries.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  const auto merit = [&](std::size_t s) {
    Real sum = 100 * profileAt(entries, s, kInfinity);
    for (const Real factor : kFactors) sum += profileAt(entries, s, factor);
    return sum;
  };
  std::ranges::stable_sort(order, std::greater<>(), merit);
  return order;
}

void printTable(const Entries& entries, const std::vector<SolverVariant>& variants) {
  fmt::print("| solver | solved | taken |");
  for (const Real factor : kFactors) fmt::print(" ≤ {:g} × |", factor);
  fmt::print(" mean ms |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const std::size_t s : ranked(entries)) {
    int solved = 0, taken = 0;
    Real ms = 0;
    for (const ProfileEntry& entry : entries[s]) {
      solved += entry.solved ? 1 : 0;
      taken += entry.taken ? 1 : 0;
      ms += entry.ms;
    }
    fmt::print("| {} | {} | {} |", variants[s].label, solved, taken);
    for (const Real factor : kFactors) {
      fmt::print(" {:.0f} % |", 100 * profileAt(entries, s, factor));
    }
    fmt::print(" {:.3g} |\n", taken > 0 ? ms / taken : 0);
  }
}

void printUnsolved(const Entries& entries, const std::vector<NamedProblem>& problems) {
  std::string names;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const bool isSolved =
        std::ranges::any_of(entries, [p](const auto& one) { return one[p].solved; });
    if (!isSolved) names += (names.empty() ? "" : ", ") + problems[p].name;
  }
  fmt::print("\nSolved by none: {}.\n\n", names.empty() ? "no problem" : names);
}

int study(const Options& options) {
  options.study.checkCsvFolder();
  const SolverRegistry registry = cli::makeRegistry();
  const std::vector<SolverVariant> variants = variantsOf(options, registry);
  checkRandomProblems(options.random);
  CsvFile csv(options.study, "profiles", kProfileColumns);
  if (options.random.count > 0) {
    studyRandomProblems(options.random, variants, options, registry, csv);
    return 0;
  }
  cli::ProgressBar bar(true);
  const std::vector<NamedProblem> problems = problemsOf(options, bar);
  bar.clear();
  fmt::print("{}, one thread. {} problems, at most {} s a solve, the fastest of {}, {}.\n\n",
             machineLine(), problems.size(), options.limit, options.study.repeats,
             options.fromZero ? "from zero" : "from the warm start where there is one");
  for (std::size_t t = 0; t < options.tolerances.size(); ++t) {
    const Real tolerance = options.tolerances[t];
    Entries entries(variants.size());
    for (std::size_t p = 0; p < problems.size(); ++p) {
      for (std::size_t s = 0; s < variants.size(); ++s) {
        bar.draw((static_cast<double>(t * problems.size() + p)) /
                     static_cast<double>(options.tolerances.size() * problems.size()),
                 problems[p].name + "  " + variants[s].label);
        entries[s].push_back(
            measureProblem(problems[p], variants[s], tolerance, options, registry, csv));
      }
    }
    bar.clear();
    fmt::print("Tolerance {:g}\n\n", tolerance);
    printTable(entries, variants);
    printUnsolved(entries, problems);
    std::fflush(stdout);
  }
  fmt::print(
      "solved: problems within the tolerance, as judged; of problems in body form by the natural\n"
      "map [m/s], of assembled ones by the relative error. taken: problems of a kind that the\n"
      "solver takes. ≤ τ ×: share of all problems solved within τ times the time of the fastest\n"
      "solver. mean ms: of a solve that was taken, solved or not.\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("problems");
  Options options;
  options.study.program = "problems";
  options.study.repeats = 1;
  options.study.seconds = 10;
  app.add_option("problems", options.files,
                 "problem files or folders; without them or --scene: islands of the scenes below")
      ->type_name("PROBLEM");
  app.addRepeatable("--solver", options.solvers, "SOLVER[:KEY=VALUE,…]",
                    "solver, with settings of its own, or `all`: the default, or with --random "
                    "`auto`");
  app.addRepeatable("--scene", options.study.scenes, "SCENE", "islands of this scene");
  app.add_option("--islands", options.islands, "islands of a scene, spread over its time")
      ->transform(cli::wholeNumber(1, kMostRepeats));
  app.add_option("--seconds", options.study.seconds, "simulated time of a scene at most [s]")
      ->transform(cli::positiveNumber("s"));
  app.add_option("--tolerance", options.tolerances, "error that counts as solved, repeatable")
      ->allow_extra_args(false);
  app.add_option("--limit", options.limit, "wall clock of a solve at most [s]")
      ->transform(cli::positiveNumber("s"));
  app.add_option("--repeats", options.study.repeats, "solves of which the fastest counts")
      ->transform(cli::wholeNumber(1, kMostRepeats));
  app.add_flag("--from-zero", options.fromZero, "start at zero instead of the warm starts");
  CLI::Option* random =
      app.add_option("--random", options.random.count,
                     "this many random problems of each kind, from zero, and list what is missed")
          ->default_str("")
          ->transform(cli::wholeNumber(1, kMostRepeats))
          ->excludes("problems")
          ->excludes("--scene");
  app.addRepeatable("--kind", options.random.kinds, "KIND", "kind of random problems");
  app.get_option("--kind")->needs(random);
  app.add_option("--dump", options.random.dumpFolder,
                 "folder for the files of random problems that are missed")
      ->type_name("DIR")
      ->transform(cli::notEmpty())
      ->needs(random);
  app.addCsv(options.study.csvFolder);
  return runStudy(app, argc, argv, [&] { return study(options); });
}
