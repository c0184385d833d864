#include <fmt/format.h>

#include "apps/run/run_output.h"
#include "apps/support/json_values.h"
#include "apps/support/program.h"
#include "core/hash.h"

namespace drystone::cli {
namespace {

Json quartet(const Samples& samples) {
  return {{"mean", samples.mean()},
          {"median", samples.median()},
          {"p99", samples.p99()},
          {"max", samples.max()}};
}

Json tail(const Samples& samples) {
  return {{"median", samples.median()}, {"p99", samples.p99()}, {"max", samples.max()}};
}

Json meanAndMax(const Samples& samples) {
  return {{"mean", samples.mean()}, {"max", static_cast<std::int64_t>(samples.max())}};
}

Json maxAndEnd(const Samples& samples) { return {{"max", samples.max()}, {"end", samples.last()}}; }

Json stageTimes(const RunRecord& record) {
  Json times;
  for (std::size_t i = 0; i < kStages.size(); ++i)
    times[kStages[i].name] = quartet(record.times[i]);
  return times;
}

Json statusCounts(const RunRecord& record) {
  Json counts;
  for (int i = 0; i < kSolveStatusCount; ++i) {
    counts[std::string(solveStatusName(static_cast<SolveStatus>(i)))] =
        record.status[static_cast<std::size_t>(i)];
  }
  return counts;
}

Json leftOut(const SolverChoice& choice) {
  Json settings = Json::object();
  for (const SolverSetting& one : choice.leftOut) settings[one.name] = settingToJson(one.value);
  return settings;
}

}  // namespace

std::string runJson(const World& world, const RunRecord& record, const RunResult& result) {
  const WorldSettings& settings = world.settings();
  Json json;
  json["scene"] = result.scene;
  json["drystone"] = versionText();
  json["build"] = buildText();
  json["threads"] = settings.threads;
  json["integrator"] = integratorName(settings.integrator);
  json["friction"] = frictionModelName(settings.friction);
  json["solver"] = settings.solver.name;
  json["stands_for"] = settings.solver.standsFor;
  json["left_out"] = leftOut(settings.solver);
  json["settings"] = settingsToJson(result.solverSettings);
  json["tolerance_m_s"] = settings.solver.budget.tolerance;
  json["max_iterations"] = result.maxIterations;
  json["parameters"] = parameterValues(result.parameters);
  json["ended"] = record.stopped ? "stopped" : result.interrupted ? "interrupted" : "completed";
  json["steps"] = record.steps;
  json["steps_missed"] = record.stepsMissed;
  json["first_missed"] = record.firstMissed ? Json(*record.firstMissed) : Json(nullptr);
  json["dt"] = settings.timestep;
  json["simulated_s"] = record.simulated;
  json["bodies"] = world.bodyCount();
  json["joints"] = world.jointCount();
  json["contacts"] = {{"max", static_cast<std::int64_t>(record.contacts.max())},
                      {"mean", record.contacts.mean()}};
  json["rows"] = {{"max", static_cast<std::int64_t>(record.rows.max())}};
  json["islands"] = {{"max", static_cast<std::int64_t>(record.islands.max())},
                     {"largest_rows", record.largestIslandRows}};
  json["time_ms"] = stageTimes(record);
  json["iterations"] = meanAndMax(record.iterations);
  json["pivots"] = meanAndMax(record.pivots);
  json["factorizations"] = meanAndMax(record.factorizations);
  json["status"] = statusCounts(record);
  json["fallbacks"] = record.fallbacks;
  json["residual"] = {{"natural_map_m_s", tail(record.naturalMap)},
                      {"relative", tail(record.relative)},
                      {"energy_J", tail(record.energyError)},
                      {"cone_excess_Ns", {{"max", record.coneExcess.max()}}},
                      {"relaxation_error_m_s", tail(record.relaxationError)}};
  json["penetration_m"] = maxAndEnd(record.penetration);
  json["joint_drift_m"] = maxAndEnd(record.jointDrift);
  json["joint_turn_rad"] = maxAndEnd(record.jointTurn);
  Json flows = Json::object();
  for (const EnergyFlow& flow : kEnergyFlows) flows[flow.name] = record.ledger.*flow.value;
  json["energy_J"] = {{"start", record.energyStart},
                      {"end", record.energyEnd},
                      {"kinetic_end", record.kineticEnd},
                      {"stabilisation", record.ledger.stabilisation},
                      {"flows", flows},
                      {"ledger_error_max", record.ledgerErrorMax}};
  json["max_speed_m_s"] = record.maxSpeed;
  json["peak_memory_MB"] = result.peakMemoryMB;
  json["hash"] = hashText(result.hash);
  return jsonText(json);
}

}  // namespace drystone::cli
