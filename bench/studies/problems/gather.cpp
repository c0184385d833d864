// Where the problems of the comparison come from.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/support/solver_registry.h"
#include "bench/studies/measure.h"
#include "bench/studies/problems/problems.h"
#include "scenes/scene_builder.h"

namespace drystone::bench {
namespace {

/// The largest island of the last step, where there is one.
std::optional<NamedProblem> largestIsland(const World& world, const std::string& scene) {
  const WorldObserver observer = world.observe();
  int best = -1, rows = 0;
  for (int island = 0; island < observer.islandCount(); ++island) {
    const int candidate = observer.islandProblem(island).rowCount();
    if (candidate <= rows) continue;
    rows = candidate;
    best = island;
  }
  if (best < 0) return std::nullopt;
  const std::span<const Real> start = observer.islandWarmStart(best);
  const std::span<const RowState> states = observer.islandWarmStates(best);
  NamedProblem problem;
  problem.name = fmt::format("{}-{}", scene, world.lastReport().step);
  problem.read.problem = storedCopy(observer.islandProblem(best));
  problem.read.warmStart.assign(start.begin(), start.end());
  problem.read.warmStates.assign(states.begin(), states.end());
  return problem;
}

}  // namespace

std::vector<std::string> problemScenes() {
  return {"stack_20",  "arch",   "card_house", "heavy_on_light",  "wall",     "tower",
          "rocks",     "crane",  "winch",      "vehicle",         "offshore", "forklift",
          "forwarder", "trucks", "chain_rod",  "breakable_bridge"};
}

std::vector<NamedProblem> islandsOf(const std::string& name, int count, Real seconds) {
  Scene scene = sceneWith(name, "auto");
  scene.settings.friction = FrictionModel::kCone;
  const SolverRegistry registry = cli::makeRegistry();
  World world = buildWorld(scene, registry);
  const int last = std::min(static_cast<int>(seconds / scene.settings.timestep),
                            static_cast<int>(scene.stepCount()));
  std::vector<NamedProblem> problems;
  for (int k = 1; k <= count; ++k) {
    if (world.lastReport().step >= last * k / count) continue;  // fewer steps than islands
    while (world.lastReport().step < last * k / count) world.step();
    if (std::optional<NamedProblem> island = largestIsland(world, name)) {
      problems.push_back(std::move(*island));
    }
  }
  return problems;
}

SolverVariant parseVariant(const std::string& text, const SolverRegistry& registry) {
  const std::size_t colon = text.find(':');
  SolverVariant variant{text, text.substr(0, colon), {}};
  cli::requireSolver(registry, variant.solver, cli::TwinUse::kNone);
  if (colon == std::string::npos) return variant;
  for (const std::string& setting : cli::split(text.substr(colon + 1), ',')) {
    variant.settings.push_back(cli::parseKeyValue(setting, "--solver"));
  }
  cli::StoredSolveOptions options;
  options.settings = variant.settings;
  cli::checkSettings(registry, {variant.solver}, options);
  return variant;
}

ProfileEntry measureProblem(const NamedProblem& problem, const SolverVariant& variant,
                            Real tolerance, const ProfileOptions& options,
                            const SolverRegistry& registry, CsvFile& csv) {
  cli::StoredSolveOptions solve;
  solve.tolerance = tolerance;
  solve.budget.seconds = options.limit;
  solve.repeat = options.study.repeats;
  solve.fromFile = !options.fromZero;
  solve.settings = variant.settings;
  const cli::StoredSolve done =
      cli::solveStored(problem.read, problem.name, registry, variant.solver, solve);
  const bool taken = done.report.status != SolveStatus::kUnsupported;
  const Real ms = taken ? done.timeMs.min() : 0;
  csv.row(problem.name, variant.label, tolerance, std::string(cli::measureName(done.measure)),
          done.rows, done.contacts, std::string(solveStatusName(done.report.status)),
          done.reached ? 1 : 0, done.report.iterations, ms, done.judge.naturalMap,
          done.judge.relative);
  return {taken, done.reached && ms <= 1e3 * options.limit, ms, done.judge.naturalMap,
          done.report.status};
}

Real profileAt(std::span<const std::vector<ProfileEntry>> entries, std::size_t solver,
               Real factor) {
  const std::size_t problems = entries[solver].size();
  int within = 0;
  for (std::size_t p = 0; p < problems; ++p) {
    if (!entries[solver][p].solved) continue;
    Real fastest = entries[solver][p].ms;
    for (const std::vector<ProfileEntry>& other : entries) {
      if (other[p].solved) fastest = std::min(fastest, other[p].ms);
    }
    within += entries[solver][p].ms <= factor * fastest ? 1 : 0;
  }
  return problems > 0 ? static_cast<Real>(within) / static_cast<Real>(problems) : 0;
}

}  // namespace drystone::bench
