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

Json figures(const RunRecord& record) {
  Json all;
  for (std::size_t i = 0; i < kStepFigures.size(); ++i) {
    const StepFigure& figure = kStepFigures[i];
    const Samples& samples = record.figures[i];
    Json& one = all[figure.name] = {{"unit", figure.unit}};
    one.update(quartet(samples));
    one["end"] = samples.last();
    if (!figure.isCount()) continue;
    for (const char* key : {"max", "end"}) one[key] = one[key].get<std::int64_t>();
  }
  return all;
}

Json stageTimes(const RunRecord& record) {
  Json times;
  for (std::size_t i = 0; i < kParts.size(); ++i) times[kParts[i].name] = quartet(record.times[i]);
  Json& stages = times["stages"];
  for (std::size_t i = 0; i < kStepStages.size(); ++i) {
    Json& one = stages[kStepStages[i].name] = quartet(record.stages[i].wall);
    one["threads"] = record.stages[i].threads();
  }
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

Json leftOut(const ReplacedSolver& replaced) {
  Json settings = Json::object();
  for (const SolverSetting& one : replaced.leftOut) settings[one.name] = settingToJson(one.value);
  return settings;
}

/// Where nothing deviated, place and step are null.
Json worstToJson(const WorstContact& worst) {
  if (worst.step == 0) return {{"value", worst.value}, {"step", nullptr}, {"bodies", nullptr}};
  return {{"value", worst.value}, {"step", worst.step}, {"bodies", {worst.bodyA, worst.bodyB}}};
}

/// Where no solve left anything, all but the value are null.
Json worstToJson(const WorstStep& worst) {
  if (worst.step == 0) {
    return {
        {"m_s", 0}, {"step", nullptr}, {"island", nullptr}, {"at", nullptr}, {"bodies", nullptr}};
  }
  return {{"m_s", worst.naturalMap},
          {"step", worst.step},
          {"island", worst.island},
          {"at", worst.isAtContact ? "contact" : "joint"},
          {"bodies", {worst.bodyA, worst.bodyB}}};
}

/// Where nothing was ever off, step and bodies are null.
Json worstToJson(const WorstError& worst) {
  if (worst.step == 0) return {{"m", worst.value}, {"step", nullptr}, {"bodies", nullptr}};
  return {{"m", worst.value}, {"step", worst.step}, {"bodies", {worst.bodyA, worst.bodyB}}};
}

Json contactCheckToJson(const ContactCheck& check) {
  Json pairs = Json::array();
  for (const PairBeyond& pair : check.pairsBeyond) {
    pairs.push_back({{"bodies", {pair.bodyA, pair.bodyB}},
                     {"contacts", pair.contacts},
                     {"first_step", pair.firstStep},
                     {"last_step", pair.lastStep},
                     {"gap_m", pair.largest.gap},
                     {"normal_rad", pair.largest.normal},
                     {"place_m", pair.largest.place}});
  }
  return {{"checked", check.checked},
          {"beyond", check.beyond},
          {"first_beyond", check.firstBeyond > 0 ? Json(check.firstBeyond) : Json(nullptr)},
          {"not_checked", check.unchecked},
          {"gap_tolerance_m", certify::kGapTolerance},
          {"normal_tolerance_rad", certify::kNormalTolerance},
          {"place_tolerance_m", certify::kPlaceTolerance},
          {"gap_m", worstToJson(check.gap)},
          {"normal_rad", worstToJson(check.normal)},
          {"place_m", worstToJson(check.place)},
          {"pairs_beyond", pairs}};
}

Json componentsOf(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json bodyStates(const World& world) {
  Json states = Json::array();
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    const Pose pose = body.pose();
    const Quat& q = pose.rotation;
    states.push_back({{"name", body.name()},
                      {"position_m", componentsOf(pose.position)},
                      {"orientation", {q.w(), q.x(), q.y(), q.z()}},
                      {"velocity_m_s", componentsOf(body.linearVelocity())},
                      {"angular_velocity_rad_s", componentsOf(body.angularVelocity())}});
  }
  return states;
}

const char* endOf(const RunRecord& record, const RunResult& result) {
  if (!record.diverged.empty()) return "diverged";
  if (!record.failure.empty()) return "stopped";
  return result.interrupted ? "interrupted" : "completed";
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
  json["stands_for"] = result.replaced.name;
  json["left_out"] = leftOut(result.replaced);
  json["settings"] = settingsToJson(result.solverSettings);
  json["tolerance_m_s"] = settings.solver.budget.tolerance;
  json["max_iterations"] = result.maxIterations;
  const Real stepSeconds = settings.solver.stepSeconds;
  json["budget_ms"] = stepSeconds < kUnlimited ? Json(1e3 * stepSeconds) : Json(nullptr);
  json["steps_time_limited"] = record.stepsTimeLimited;
  json["parameters"] = parameterValues(result.parameters);
  json["ended"] = endOf(record, result);
  json["diverged"] = record.diverged.empty() ? Json(nullptr) : Json(record.diverged);
  json["steps"] = record.steps;
  json["steps_missed"] = record.stepsMissed;
  json["first_missed"] = record.firstMissed ? Json(*record.firstMissed) : Json(nullptr);
  json["missed"] = {{"residual", record.solvesMissed},
                    {"joints", record.jointsMissed},
                    {"overlap", record.overlapsMissed}};
  json["steps_forgiven"] = record.stepsForgiven;
  json["worst_residual"] = worstToJson(record.worst);
  json["joint_tolerance_m"] = record.jointTolerance;
  json["overlap_tolerance_m"] = record.overlapTolerance;
  json["worst_joint"] = worstToJson(record.worstJoint);
  json["worst_joint"]["joint"] = record.worstJoint.joint;
  json["worst_overlap"] = worstToJson(record.worstOverlap);
  json["worst_forgiven"] = worstToJson(record.worstForgiven);
  json["dt"] = settings.timestep;
  json["simulated_s"] = record.simulated;
  json["bodies"] = std::ssize(world.bodies());
  json["joints"] = std::ssize(world.joints());
  json["time_ms"] = stageTimes(record);
  json["status"] = statusCounts(record);
  json["fallbacks"] = record.fallbacks;
  json["figures"] = figures(record);
  Json flows = Json::object();
  for (const EnergyFlow& flow : kEnergyFlows) flows[flow.name] = record.ledger.*flow.value;
  json["energy_J"] = {
      {"kinetic", {{"start", record.kineticStart}, {"end", record.kineticEnd}}},
      {"potential", {{"start", record.potentialStart}, {"end", record.potentialEnd}}},
      {"flows", flows},
      {"ledger_error_max", record.ledgerErrorMax}};
  if (result.contactCheck) json["contact_check"] = contactCheckToJson(*result.contactCheck);
  if (result.showsBodies) json["body_states"] = bodyStates(world);
  json["peak_memory_MB"] = result.peakMemoryMB;
  json["hash"] = hashText(result.hash);
  return jsonText(json);
}

}  // namespace drystone::cli
