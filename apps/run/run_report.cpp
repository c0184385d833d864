#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "apps/run/run_output.h"
#include "apps/support/command_line.h"
#include "apps/support/run_summary.h"
#include "apps/support/solver_registry.h"
#include "apps/support/table.h"
#include "core/hash.h"
#include "engine/model/solver_presets.h"

namespace drystone::cli {
namespace {

std::string heading(const World& world, const RunRecord& record, const RunResult& result) {
  const WorldSettings& settings = world.settings();
  int dynamic = 0;
  for (const BodyId body : world.bodies()) dynamic += world.body(body).kind() == BodyKind::kDynamic;
  std::string text = summaryLine("Scene", fmt::format("{} ({})", result.scene, result.source));
  if (!result.description.empty()) text += summaryLine("", result.description);
  text += summaryLine("Model", fmt::format("{}, dt {:.6g} s, friction {}; {} ({} dynamic), {}",
                                           integratorName(settings.integrator), settings.timestep,
                                           frictionModelName(settings.friction),
                                           counted(std::ssize(world.bodies()), "body", "bodies"),
                                           dynamic, counted(std::ssize(world.joints()), "joint")));
  text += summaryLine("Solver", fmt::format("{}: {}", settings.solver.name, result.solverSummary));
  if (!result.replaced.name.empty())
    text += summaryLine("", result.replaced.text(settings.solver.name));
  const Budget& budget = settings.solver.budget;
  const SolverPreset* preset = presetOf(settings.solver, settings.timestep);
  const std::string tolerance = fmt::format("tolerance {:.3g} m/s", budget.tolerance);
  text += summaryLine(
      "", preset == nullptr ? tolerance : fmt::format("preset {} ({})", preset->name, tolerance));
  std::vector<std::string> changed;
  if (budget.iterations) changed.push_back(fmt::format("max_iterations = {}", *budget.iterations));
  if (budget.seconds < kUnlimited) {
    changed.push_back(fmt::format("time_limit_s = {}", budget.seconds));
  }
  if (settings.solver.stepSeconds < kUnlimited) {
    changed.push_back(fmt::format("budget_ms = {:.4g}", 1e3 * settings.solver.stepSeconds));
  }
  for (const SolverSetting& setting : settings.solver.settings) {
    changed.push_back(fmt::format("{} = {}", setting.name, settingText(setting.value)));
  }
  if (!changed.empty()) text += summaryLine("", joined(changed));
  // The solver `auto` goes on by itself: without a fallback it lacks none.
  const std::string& fallback = settings.solver.fallback;
  const bool goesOn = settings.solver.name == SolverChoice{}.name && fallback.empty();
  text += summaryLine(
      "", (goesOn ? "" : fmt::format("fallback {}, ", fallback.empty() ? "none" : fallback)) +
              counted(settings.threads, "thread"));
  text += summaryLine(
      "Run", fmt::format("{}, {:.4g} s simulated in {:.3g} s: {}, {:.3g} x real time",
                         counted(record.steps, "step"), record.simulated, result.wallSeconds,
                         rateText(static_cast<double>(record.steps) / result.wallSeconds),
                         record.simulated / result.wallSeconds));
  if (result.interrupted)
    text += summaryLine("", "INTERRUPTED: the report covers the steps so far");
  if (!record.failure.empty()) {
    text +=
        summaryLine("", (record.diverged.empty() ? "STOPPED: " : "DIVERGED: ") + record.failure);
  }
  return text;
}

/// A bar for a share of the step, as long as `kWidth` for all of it.
std::string bar(double share) {
  constexpr double kWidth = 40;  // columns: a table with it fits a terminal of 100
  return std::string(static_cast<std::size_t>(std::lround(kWidth * share)), '#');
}

/// Where the step goes, the widest stage first; what took no time at all is left out.
std::string profileTable(const RunRecord& record) {
  using enum Table::Align;
  Table table({{"Stage [ms]"},
               {"mean", kRight},
               {"median", kRight},
               {"p99", kRight},
               {"max", kRight},
               {"threads", kRight},
               {"share", kRight},
               {""}});
  std::array<std::size_t, kStageCount> order;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t i) { return record.stages[i].wall.sum(); });
  const double step = record.times[0].sum();
  for (const std::size_t i : order) {
    const StageSamples& stage = record.stages[i];
    if (stage.wall.sum() == 0) continue;
    const double share = stage.wall.sum() / step;
    table.addRow({fmt::format("  {}", kStepStages[i].words()), threeDigits(stage.wall.mean()),
                  threeDigits(stage.wall.median()), threeDigits(stage.wall.p99()),
                  threeDigits(stage.wall.max()), fmt::format("{:.2f}", stage.threads()),
                  fmt::format("{:.1f} %", 100 * share), bar(share)});
  }
  return table.plain(0);
}

/// Energies below this share of the largest of a run are round-off, and say nothing.
constexpr Real kEnergyRoundOff = 1e-12;

/// The largest kinetic energy at an end of the run, or work of a source [J].
Real largestEnergy(const RunRecord& record) {
  Real largest = std::max(record.kineticStart, record.kineticEnd);
  for (const EnergyFlow& flow : kEnergyFlows) {
    largest = std::max(largest, std::abs(record.ledger.*flow.value));
  }
  return largest;
}

/// The sources that gave kinetic energy or took any [J], but those below `least`.
std::string flows(const EnergyLedger& ledger, Real least) {
  std::string text;
  for (const EnergyFlow& flow : kEnergyFlows) {
    const Real value = ledger.*flow.value;
    if (std::abs(value) <= least || flow.value == &EnergyLedger::projection) continue;
    text += fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", flow.name, value);
  }
  return text.empty() ? "nothing" : text;
}

std::string energy(const RunRecord& record) {
  const Real least = kEnergyRoundOff * largestEnergy(record);
  const auto startAndEnd = [&](const char* what, Real start, Real end) {
    const auto shown = [&](Real value) { return std::abs(value) <= least ? 0 : value; };
    return fmt::format("{} {:.6g} at the start, {:.6g} at the end", what, shown(start), shown(end));
  };
  std::string text =
      summaryLine("Energy [J]", startAndEnd("kinetic", record.kineticStart, record.kineticEnd));
  text +=
      summaryLine("", fmt::format("the change is the work of: {}; a step's ledger closes to {:.3g}",
                                  flows(record.ledger, least), record.ledgerErrorMax));
  text += summaryLine("", startAndEnd("potential of gravity (0 at the origin)",
                                      record.potentialStart, record.potentialEnd));
  if (record.ledger.projection != 0) {
    text += summaryLine("", fmt::format("of that change the projection of poses made {:.3g}",
                                        record.ledger.projection));
  }
  const Real change =
      record.kineticEnd - record.kineticStart + (record.potentialEnd - record.potentialStart);
  return text +
         summaryLine("", fmt::format("kinetic + potential changed by {:.3g} in all", change));
}

std::string contacts(const ContactCheck& check) {
  std::string text, label = "Contacts";
  for (const std::string& one : contactCheckLines(check)) {
    text += summaryLine(std::exchange(label, ""), one);
  }
  return text;
}

/// Numbers that belong together, for the eye: six digits, and round-off as 0.
template <std::size_t kCount>
std::string numbers(const std::array<Real, kCount>& values) {
  std::string text;
  for (const Real value : values) {
    constexpr Real kSmallest = 1e-9;  // [m], [m/s], [rad/s]
    const Real rounded = std::abs(value) < kSmallest ? 0 : value;
    text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", rounded);
  }
  return text;
}

std::string numbers(const Vec3& v) { return numbers(std::array{v.x(), v.y(), v.z()}); }

/// Where each body is at the end and how it moves there.
std::string bodyTable(const World& world) {
  Table table({{"Bodies at the end"},
               {"position [m]"},
               {"orientation w, x, y, z"},
               {"velocity [m/s]"},
               {"angular velocity [rad/s]"}});
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    const Pose pose = body.pose();
    const Quat& q = pose.rotation;
    table.addRow({fmt::format("  {}", body.name()), numbers(pose.position),
                  numbers(std::array{q.w(), q.x(), q.y(), q.z()}), numbers(body.linearVelocity()),
                  numbers(body.angularVelocity())});
  }
  return table.plain(0);
}

}  // namespace

std::string runReport(const World& world, const RunRecord& record, const RunResult& result,
                      bool showHash) {
  std::string text =
      heading(world, record, result) + "\n" + partTable(record) + "\n" +
      (result.showsProfile ? profileTable(record) + "\n" : "") + figureTable(record) + "\n" +
      (result.showsBodies ? bodyTable(world) + "\n" : "") +
      outcomeText(record, world.settings().solver.budget.tolerance) +
      (result.contactCheck ? contacts(*result.contactCheck) : "") + "\n" + energy(record) +
      summaryLine("Memory", fmt::format("{:.1f} MB at most", result.peakMemoryMB));
  if (showHash) text += summaryLine("Hash", hashText(result.hash));
  return text;
}

}  // namespace drystone::cli
