#include "apps/sweep/sweep_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/support/csv_values.h"
#include "core/hash.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

/// How the values of a run's steps become one.
struct Statistic {
  std::string_view name;
  double (*of)(const Samples& samples);
};
constexpr std::array<Statistic, 5> kStatistics = {
    {{"max", [](const Samples& samples) { return samples.max(); }},
     {"median", [](const Samples& samples) { return samples.median(); }},
     {"mean", [](const Samples& samples) { return samples.mean(); }},
     {"p99", [](const Samples& samples) { return samples.p99(); }},
     {"end", [](const Samples& samples) { return samples.last(); }}}};

/// A figure of the run as a whole.
struct RunFigure {
  std::string_view name, unit;
  double (*of)(const RunRecord& record);
};
constexpr std::array<RunFigure, 12> kRunFigures = {{
    {"steps", "", [](const RunRecord& run) { return static_cast<double>(run.steps); }},
    {"simulated", "s", [](const RunRecord& run) { return run.simulated; }},
    {"steps_missed", "", [](const RunRecord& run) { return static_cast<double>(run.stepsMissed); }},
    {"steps_within", "",
     [](const RunRecord& run) { return static_cast<double>(run.steps - run.stepsMissed); }},
    {"residual_missed", "",
     [](const RunRecord& run) { return static_cast<double>(run.solvesMissed); }},
    {"joints_missed", "",
     [](const RunRecord& run) { return static_cast<double>(run.jointsMissed); }},
    {"overlap_missed", "",
     [](const RunRecord& run) { return static_cast<double>(run.overlapsMissed); }},
    {"steps_time_limited", "",
     [](const RunRecord& run) { return static_cast<double>(run.stepsTimeLimited); }},
    {"kinetic_start", "J", [](const RunRecord& run) { return run.kineticStart; }},
    {"kinetic_end", "J", [](const RunRecord& run) { return run.kineticEnd; }},
    {"potential_end", "J", [](const RunRecord& run) { return run.potentialEnd; }},
    {"ledger_error_max", "J", [](const RunRecord& run) { return run.ledgerErrorMax; }},
}};

/// Of a body at the end: its reference frame's position, its centre of mass's velocity.
struct BodyFigure {
  std::string_view name, unit;
  Real (*of)(const ConstBodyHandle& body);
};
constexpr std::array<BodyFigure, 7> kBodyFigures = {{
    {"x", "m", [](const ConstBodyHandle& body) { return body.pose().position.x(); }},
    {"y", "m", [](const ConstBodyHandle& body) { return body.pose().position.y(); }},
    {"z", "m", [](const ConstBodyHandle& body) { return body.pose().position.z(); }},
    {"vx", "m/s", [](const ConstBodyHandle& body) { return body.linearVelocity().x(); }},
    {"vy", "m/s", [](const ConstBodyHandle& body) { return body.linearVelocity().y(); }},
    {"vz", "m/s", [](const ConstBodyHandle& body) { return body.linearVelocity().z(); }},
    {"speed", "m/s", [](const ConstBodyHandle& body) { return body.linearVelocity().norm(); }},
}};

constexpr std::string_view kBodies = "bodies.";
constexpr std::string_view kStepTime = "step_ms";

template <class Table>
auto* findNamed(const Table& table, std::string_view name) {
  const auto found =
      std::ranges::find_if(table, [name](const auto& one) { return name == one.name; });
  return found == table.end() ? nullptr : &*found;
}

/// A name without its statistic, and that; none where it ends in none.
std::optional<std::pair<std::string, const Statistic*>> splitStatistic(const std::string& name) {
  const std::size_t last = name.rfind('_');
  if (last == std::string::npos) return std::nullopt;
  const Statistic* statistic = findNamed(kStatistics, name.substr(last + 1));
  if (statistic == nullptr) return std::nullopt;
  return std::pair(name.substr(0, last), statistic);
}

/// A count reads as one: 20 and not 20.0.
std::string figureText(double value) { return csvNumber(value); }

std::optional<SweepFigure> stepFigure(const std::string& name) {
  const auto parts = splitStatistic(name);
  if (!parts) return std::nullopt;
  const auto& [base, statistic] = *parts;
  if (base == kStepTime) {
    return SweepFigure{fmt::format("step_{}_ms", statistic->name),
                       [statistic = statistic](const World&, const RunRecord& record) {
                         return figureText(statistic->of(record.times[0]));
                       }};
  }
  const StepFigure* figure = findNamed(kStepFigures, base);
  if (figure == nullptr) return std::nullopt;
  const std::size_t index = static_cast<std::size_t>(figure - kStepFigures.data());
  return SweepFigure{csvTitle(name, figure->unit),
                     [index, statistic = statistic](const World&, const RunRecord& record) {
                       return figureText(statistic->of(record.figures[index]));
                     }};
}

std::optional<SweepFigure> bodyFigure(const std::string& name) {
  const std::string body = bodyOfFigure(name);
  if (body.empty()) return std::nullopt;
  const BodyFigure* figure = findNamed(kBodyFigures, name.substr(kBodies.size() + body.size() + 1));
  if (figure == nullptr) return std::nullopt;
  return SweepFigure{csvTitle(name, std::string(figure->unit)),
                     [figure, body](const World& world, const RunRecord&) {
                       const auto all = world.bodies();
                       const auto found = std::ranges::find_if(
                           all, [&](BodyId id) { return world.body(id).name() == body; });
                       return figureText(found == all.end() ? std::numeric_limits<Real>::quiet_NaN()
                                                            : figure->of(world.body(*found)));
                     }};
}

std::optional<SweepFigure> findFigure(const std::string& name) {
  if (name == "hash") {
    return SweepFigure{name, [](const World& world, const RunRecord&) {
                         return hashText(world.observe().hash());
                       }};
  }
  if (const RunFigure* figure = findNamed(kRunFigures, name)) {
    return SweepFigure{
        csvTitle(name, std::string(figure->unit)),
        [figure](const World&, const RunRecord& record) { return figureText(figure->of(record)); }};
  }
  if (auto figure = bodyFigure(name)) return figure;
  return stepFigure(name);
}

std::vector<std::string> allNames() {
  std::vector<std::string> names = {"hash"};
  for (const RunFigure& figure : kRunFigures) names.emplace_back(figure.name);
  for (const Statistic& statistic : kStatistics) {
    names.push_back(fmt::format("{}_{}", kStepTime, statistic.name));
    for (const StepFigure& figure : kStepFigures) {
      names.push_back(fmt::format("{}_{}", figure.name, statistic.name));
    }
  }
  return names;
}

}  // namespace

std::string bodyOfFigure(const std::string& name) {
  const std::size_t last = name.rfind('.');
  if (!name.starts_with(kBodies) || last <= kBodies.size()) return "";
  return name.substr(kBodies.size(), last - kBodies.size());
}

std::string figureProblem(const std::string& name) {
  if (findFigure(name)) return "";
  std::vector<std::string> names;
  if (const std::string body = bodyOfFigure(name); !body.empty()) {
    for (const BodyFigure& figure : kBodyFigures) names.emplace_back(figure.name);
    return fmt::format("there is no figure \"{}\" of a body; take bodies.{}.NAME with one of {}",
                       name, body, fmt::join(names, ", "));
  }
  names = allNames();
  if (findNamed(kStepFigures, name) != nullptr) {
    return fmt::format(
        "needs what to take of the steps: \"{0}_max\", \"{0}_median\", "
        "\"{0}_mean\", \"{0}_p99\" or \"{0}_end\"",
        name);
  }
  const std::vector<std::string> near = nearNames(name, names);
  return fmt::format("there is no figure \"{}\"; {}", name,
                     near.empty() ? "docs/sweep.md lists them" : didYouMean(name, names));
}

SweepFigure figureNamed(const std::string& name) { return findFigure(name).value(); }

std::vector<std::string> defaultFigures() {
  return {"steps",
          "steps_within",
          "steps_missed",
          "natural_map_max",
          "natural_map_median",
          "overlap_error_max",
          "energy_error_max",
          "contacts_max",
          "step_ms_mean",
          "hash"};
}

}  // namespace drystone::cli
