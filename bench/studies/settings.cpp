// What every setting of every solver changes: each is set to other values, one at a time, and the
// solver solves problems of scenes again. A setting that changes nothing is a constant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "apps/support/command_line.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "bench/studies/measure.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"
#include "core/check.h"
#include "solvers/default_registry.h"
#include "solvers/driver/solve.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

/// The largest island of one step of a scene, and the impulses that the step began with.
struct IslandProblem {
  std::string name;
  StoredProblem problem;
  std::vector<Real> lambda;
  std::vector<RowState> state;
};

struct SceneStep {
  std::string scene;
  int step;  ///< late enough that bodies touch
};

// Stacks, sliding, impacts, machines with joints, great mass ratios: of some 40 to 6,000 rows.
const std::vector<SceneStep> kSceneSteps = {
    {"stack_20", 30}, {"arch", 30},  {"card_house", 20},    {"heavy_on_light", 30},
    {"wall", 60},     {"crane", 60}, {"chain_hanging", 30}, {"cylinders", 40},
    {"bricks", 120},  {"tower", 60}, {"pyramid_20", 5}};

IslandProblem largestIsland(const SceneStep& from) {
  const Scene scene = sceneWith(from.scene, "");
  IslandProblem largest{from.scene, {}, {}, {}};
  Shadow shadow({{"sor-prox", false, {{"max_iterations", "200"}}}}, 1);
  shadow.observer = [&](const ShadowView& view) {
    if (view.problem.rowCount() <= static_cast<int>(largest.lambda.size())) return;
    largest.problem = storedCopy(view.problem);
    largest.lambda.assign(view.warmLambda.begin(), view.warmLambda.end());
    largest.state.assign(view.warmState.begin(), view.warmState.end());
  };
  simulate(scene, shadow, {from.step, 1, 1}, kInfinity, [](World&) {});
  DRYSTONE_ASSERT(!largest.lambda.empty());
  return largest;
}

/// Other values of one setting.
struct Variation {
  std::string name, present;
  std::vector<SettingValue> others;
};

/// Ten times and a tenth of a number, four times and a quarter of a count, every other choice.
class Variations : public SettingVisitor {
 public:
  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    Variation& variation = add(info, fmt::format("{:g}", value));
    const bool atAnEnd = value == 0 || value >= kUnlimited;
    for (const Real factor : {0.1, 10.0}) {
      const Real other = std::clamp(atAnEnd ? factor : value * factor, low, high);
      if (other != value) variation.others.emplace_back(other);
    }
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    Variation& variation = add(info, fmt::format("{}", value));
    for (const Real factor : {0.25, 4.0}) {
      const Real other = std::clamp(std::round(std::max(value, 1) * factor), Real(low), Real(high));
      if (other != value) variation.others.emplace_back(static_cast<std::int64_t>(other));
    }
  }
  void boolean(const SettingInfo& info, bool& value) override {
    add(info, value ? "true" : "false").others.emplace_back(!value);
  }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    Variation& variation = add(info, std::string(names[value]));
    for (const std::string_view name : names) {
      if (name != names[value]) variation.others.emplace_back(std::string(name));
    }
  }

  std::vector<Variation> all;

 private:
  Variation& add(const SettingInfo& info, std::string present) {
    return all.emplace_back(Variation{std::string(info.name), std::move(present), {}});
  }
};

/// What a solver with some settings did on one problem.
struct Figures {
  bool taken = false;
  bool met = false;
  Real residual = 0;  ///< natural map as judged [m/s]
  Real work = 0;      ///< iterations, inner steps, pivots and factorisations
  Real ms = 0;        ///< of the faster of two solves
};

constexpr Real kMet = 1e-6;  // [m/s]

Figures solve(ContactSolver& solver, const Budget& budget, const IslandProblem& island) {
  Figures figures;
  SolveWorkspace workspace;
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::vector<Real> lambda = island.lambda;
    std::vector<RowState> state = island.state;
    const std::clock_t begin = std::clock();  // of the process, which has one thread
    const SolveResult result =
        solveProblem(solver, island.problem.view(), budget, {lambda, state}, workspace);
    const Real ms = 1e3 * static_cast<Real>(std::clock() - begin) / CLOCKS_PER_SEC;
    const SolverReport& report = result.solver;
    if (report.status == SolveStatus::kUnsupported) return figures;
    figures.taken = true;
    figures.met = result.judge.naturalMap <= kMet;
    figures.residual = result.judge.naturalMap;
    figures.work =
        static_cast<Real>(report.iterations + report.innerIterations + report.outerIterations +
                          report.pivots + report.factorizations);
    figures.ms = repeat == 0 ? ms : std::min(figures.ms, ms);
  }
  return figures;
}

std::vector<Figures> solveAll(ContactSolver& solver, const Budget& budget,
                              std::span<const IslandProblem> islands) {
  std::vector<Figures> all;
  for (const IslandProblem& island : islands) all.push_back(solve(solver, budget, island));
  return all;
}

/// A setting at another value beside its default, over the problems that both take.
struct Change {
  int taken = 0, metBefore = 0, metAfter = 0;
  Real residual = 1, work = 1, time = 1;  ///< geometric means of the ratios

  /// More or fewer problems met, or a mean that a user would see. What a repeated run changes by
  /// itself stays below in residual and work, which repeat to the bit, and mostly in time.
  bool matters() const {
    const auto beyond = [](Real ratio, Real bound) { return ratio > bound || ratio * bound < 1; };
    return metBefore != metAfter || beyond(residual, 2) || beyond(work, 1.2) || beyond(time, 1.3);
  }
};

Change compare(std::span<const Figures> before, std::span<const Figures> after) {
  // Below that, residuals are round-off.
  constexpr Real kRoundOff = 1e-13;
  constexpr Real kClockMs = 0.01;  // what the clock does not tell apart
  Change change;
  Real residual = 0, work = 0, time = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i].taken || !after[i].taken) continue;
    ++change.taken;
    change.metBefore += before[i].met;
    change.metAfter += after[i].met;
    residual +=
        std::log(std::max(after[i].residual, kRoundOff) / std::max(before[i].residual, kRoundOff));
    work += std::log((after[i].work + 1) / (before[i].work + 1));
    time += std::log((after[i].ms + kClockMs) / (before[i].ms + kClockMs));
  }
  if (change.taken == 0) return change;
  change.residual = std::exp(residual / change.taken);
  change.work = std::exp(work / change.taken);
  change.time = std::exp(time / change.taken);
  return change;
}

std::string textOf(const SettingValue& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Real>) {
          return fmt::format("{:g}", held);
        } else {
          return fmt::format("{}", held);
        }
      },
      value);
}

class SettingsStudy {
 public:
  SettingsStudy(const SolverRegistry& registry, std::vector<IslandProblem> islands, Real limit)
      : registry_(registry),
        islands_(std::move(islands)),
        budget_{.tolerance = kMet, .seconds = limit} {}

  /// Rows of the table for all settings of a solver; the names of those without effect.
  std::vector<std::string> run(const std::string& solver) const {
    std::vector<std::string> withoutEffect;
    const std::vector<Figures> before = solveAll(*registry_.create(solver), budget_, islands_);
    Variations variations;
    registry_.create(solver)->visitSettings(variations);
    for (const Variation& variation : variations.all) {
      bool matters = variation.others.empty();
      for (const SettingValue& other : variation.others) {
        const std::unique_ptr<ContactSolver> changed = registry_.create(solver);
        applySetting(*changed, variation.name, other);
        const Change change = compare(before, solveAll(*changed, budget_, islands_));
        matters = matters || change.matters() || change.taken == 0;
        printRow("| {} | {} | {} | {} | {} | {} of {} | {} | {:.2g} | {:.2f} | {:.2f} | {} |\n",
                 solver, variation.name, variation.present, textOf(other), change.taken,
                 change.metBefore, change.taken, change.metAfter, change.residual, change.work,
                 change.time, change.matters() ? "yes" : "");
      }
      if (!matters) withoutEffect.push_back(variation.name);
    }
    return withoutEffect;
  }

 private:
  const SolverRegistry& registry_;
  std::vector<IslandProblem> islands_;
  Budget budget_;
};

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("settings");
  std::vector<std::string> solvers;
  Real limit = 0.5;
  app.addWords("solver", solvers, "SOLVER", "solvers whose settings are varied; all unless given");
  app.add_option("--limit", limit, "time of one solve [s]")->transform(cli::positiveNumber("s"));
  return runStudy(app, argc, argv, [&] {
    const SolverRegistry registry = makeDefaultRegistry();
    for (const std::string& solver : solvers) cli::requireSolver(registry, solver);
    if (solvers.empty()) solvers = registry.names();
    fmt::print("{}; at most {:g} s a solve\n\n| problem | rows | contacts |\n|---|--:|--:|\n",
               machineLine(), limit);
    std::vector<IslandProblem> islands;
    for (const SceneStep& from : kSceneSteps) {
      islands.push_back(largestIsland(from));
      const ContactProblem view = islands.back().problem.view();
      printRow("| {}, step {} | {} | {} |\n", from.scene, from.step, view.rowCount(),
               view.contactCount());
    }
    fmt::print(
        "\nRatios are geometric means over the problems that both values take.\n\n"
        "| solver | setting | default | other value | problems | met by default | met | residual | "
        "work | time | matters |\n|---|---|---|---|--:|--:|--:|--:|--:|--:|---|\n");
    const SettingsStudy study(registry, std::move(islands), limit);
    std::string withoutEffect;
    for (const std::string& solver : solvers) {
      for (const std::string& name : study.run(solver)) {
        withoutEffect += fmt::format("- `{}` of {}\n", name, solver);
      }
    }
    fmt::print("\nSettings of which no value mattered on these problems:\n\n{}",
               withoutEffect.empty() ? "none\n" : withoutEffect);
    return cli::kDone;
  });
}
