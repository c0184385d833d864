#include "apps/run/distributed_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/support/json_values.h"
#include "apps/support/program.h"
#include "apps/support/run_summary.h"
#include "core/hash.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

Json trafficToJson(const Traffic& traffic) {
  return {{"messages", traffic.messages}, {"bytes", traffic.bytes}};
}

const char* endOf(const StepReport& last) {
  if (last.hasDiverged()) return "diverged";
  return last.failed ? "stopped" : "completed";
}

}  // namespace

void DistributedRecord::add(const StepReport& report, const DistributedFigures& figures) {
  if (++steps == 1) kineticStart = report.energy.kineticBefore;
  missed += report.withinTolerance ? 0 : 1;
  solvesMissed += report.solvesWithin ? 0 : 1;
  jointsMissed += report.jointsWithin() ? 0 : 1;
  overlapsMissed += report.overlapsWithin() ? 0 : 1;
  naturalMap = std::max(naturalMap, report.naturalMap);
  overlap = std::max(overlap, report.overlapError);
  stepsForgiven += report.overlapForgiven > 0 ? 1 : 0;
  forgiven = std::max(forgiven, report.overlapForgiven);
  ledgerError = std::max(ledgerError, std::abs(report.energy.ledgerError));
  migrated += figures.migrated;
  rebalanced += figures.isRebalanced ? 1 : 0;
  sharedIterations += figures.sharedIterations;
  traffic.messages += figures.traffic.messages;
  traffic.bytes += figures.traffic.bytes;
}

std::string distributedReport(const ReadyScene& scene, int processes, const DistributedWorld& world,
                              const DistributedRecord& record) {
  const StepReport& last = world.lastReport();
  const DistributedFigures& figures = world.figures();
  const double steps = static_cast<double>(std::max<std::int64_t>(record.steps, 1));
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<13}{}\n", name, value);
  };
  line("Scene", fmt::format("{}, {} bodies, {} joints, dt {:.6g} s", scene.name, last.bodies,
                            last.joints, scene.settings.timestep));
  line("Processes", fmt::format("{}, with {} to {} moving bodies; {} ghosts at the end", processes,
                                figures.ownBodiesLeast, figures.ownBodiesMost, figures.ghosts));
  line("Run", fmt::format("{}, {:.4g} s simulated in {:.3g} s: {}", counted(record.steps, "step"),
                          last.time, record.seconds,
                          rateText(static_cast<double>(record.steps) / record.seconds)));
  line("Solver",
       fmt::format("{} within a process, apgd over several: {:.4g} iterations a step, {} "
                   "rows in the last",
                   scene.settings.solver.name, static_cast<double>(record.sharedIterations) / steps,
                   figures.sharedRows));
  line("Contacts", fmt::format("{} in the last step, {} rows", last.contacts, last.rows));
  line("Residual", fmt::format("natural map {:.3g} m/s at most; tolerance {:.3g} m/s",
                               record.naturalMap, scene.settings.solver.budget.tolerance));
  line("Overlap",
       fmt::format("{:.3g} m at most; tolerance {:.3g} m", record.overlap, last.overlapTolerance));
  line("Missed",
       fmt::format("{} (residual {}, joints {}, overlap {})", counted(record.missed, "step"),
                   record.solvesMissed, record.jointsMissed, record.overlapsMissed));
  if (record.stepsForgiven > 0) {
    line("Forgiven",
         fmt::format("overlap in {}, of bodies that were placed in each other; worst {:.3g} m",
                     counted(record.stepsForgiven, "step"), record.forgiven));
  }
  line("Energy", fmt::format("kinetic {:.6g} J at the start, {:.6g} J at the end; the ledger of a "
                             "step closes to {:.2g} J",
                             record.kineticStart, last.energy.kinetic, record.ledgerError));
  line("Traffic", fmt::format("{:.4g} messages and {:.4g} kB a step; {} changed the process, {} of "
                              "space",
                              static_cast<double>(record.traffic.messages) / steps,
                              static_cast<double>(record.traffic.bytes) / steps / 1e3,
                              counted(record.migrated, "body", "bodies"),
                              counted(record.rebalanced, "new bisection")));
  if (record.output.messages > 0) {
    line("Output",
         fmt::format("{} messages and {:.4g} kB of the run gathered what it wrote",
                     record.output.messages, static_cast<double>(record.output.bytes) / 1e3));
  }
  return text;
}

std::string distributedJson(const ReadyScene& scene, int processes, const DistributedWorld& world,
                            const DistributedRecord& record, std::uint64_t hash) {
  const StepReport& last = world.lastReport();
  const DistributedFigures& figures = world.figures();
  Json json;
  json["scene"] = scene.name;
  json["drystone"] = versionText();
  json["build"] = buildText();
  json["processes"] = processes;
  json["threads"] = scene.settings.threads;
  json["solver"] = scene.settings.solver.name;
  json["tolerance_m_s"] = scene.settings.solver.budget.tolerance;
  json["parameters"] = parameterValues(scene.parameters);
  json["ended"] = endOf(last);
  json["diverged"] = last.hasDiverged() ? Json(world.nameOf(last.diverged.index)) : Json(nullptr);
  json["steps"] = record.steps;
  json["steps_missed"] = record.missed;
  json["missed"] = {{"residual", record.solvesMissed},
                    {"joints", record.jointsMissed},
                    {"overlap", record.overlapsMissed}};
  json["steps_forgiven"] = record.stepsForgiven;
  json["joint_tolerance_m"] = last.jointTolerance;
  json["overlap_tolerance_m"] = last.overlapTolerance;
  json["natural_map_max"] = record.naturalMap;
  json["overlap_error_max"] = record.overlap;
  json["overlap_forgiven_max"] = record.forgiven;
  json["dt"] = scene.settings.timestep;
  json["simulated_s"] = last.time;
  json["wall_s"] = record.seconds;
  json["bodies"] = last.bodies;
  json["joints"] = last.joints;
  for (const StepFigure& figure : kStepFigures) {
    const Real value = figure.valueIn(last);
    json["figures_end"][figure.name] =
        figure.isCount() ? Json(static_cast<std::int64_t>(value)) : Json(value);
  }
  json["energy_J"] = {{"kinetic", {{"start", record.kineticStart}, {"end", last.energy.kinetic}}},
                      {"ledger_error_max", record.ledgerError}};
  json["own_bodies"] = {{"least", figures.ownBodiesLeast}, {"most", figures.ownBodiesMost}};
  json["ghosts"] = figures.ghosts;
  json["shared_rows"] = figures.sharedRows;
  json["shared_iterations"] = record.sharedIterations;
  json["bodies_migrated"] = record.migrated;
  json["new_bisections"] = record.rebalanced;
  json["traffic"] = trafficToJson(record.traffic);
  json["output_traffic"] = trafficToJson(record.output);
  json["hash"] = hashText(hash);
  return jsonText(json);
}

}  // namespace drystone::cli
