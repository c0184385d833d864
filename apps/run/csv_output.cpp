#include "apps/run/csv_output.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "apps/run/run_output.h"
#include "apps/support/csv_values.h"
#include "core/hash.h"

namespace drystone::cli {
namespace {

/// One column: its title with the unit, and its text for a step.
struct Column {
  std::string title;
  std::string (*text)(const StepReport& report);
};

/// The column of one field, reached by a path of members; numbers are written so that they read
/// back exactly.
template <auto... kPath>
Column column(std::string title) {
  return {std::move(title),
          [](const StepReport& report) { return csvNumber((report.*....*kPath)); }};
}

int largestIslandRows(const StepReport& report) {
  int largest = 0;
  for (const IslandReport& island : report.islands) largest = std::max(largest, island.rows);
  return largest;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      column<&StepReport::step>("step"),
      column<&StepReport::time>("time_s"),
      column<&StepReport::bodies>("bodies"),
      column<&StepReport::joints>("joints"),
      column<&StepReport::contacts>("contacts"),
      column<&StepReport::rows>("rows"),
      {"islands",
       [](const StepReport& report) { return fmt::format("{}", report.islands.size()); }},
      {"largest_island_rows",
       [](const StepReport& report) { return fmt::format("{}", largestIslandRows(report)); }},
      column<&StepReport::asleepBodies>("asleep_bodies"),
      column<&StepReport::asleepIslands>("asleep_islands"),
      column<&StepReport::warmStarted>("warm_started"),
      column<&StepReport::detections>("detections"),
      column<&StepReport::times, &StageTimes::step>("step_ms"),
      column<&StepReport::times, &StageTimes::collision>("collision_ms"),
      column<&StepReport::times, &StageTimes::rows>("rows_ms"),
      column<&StepReport::times, &StageTimes::assembly>("assembly_ms"),
      column<&StepReport::times, &StageTimes::solve>("solve_ms"),
      column<&StepReport::times, &StageTimes::integrate>("integrate_ms"),
      column<&StepReport::iterations>("iterations"),
      column<&StepReport::pivots>("pivots"),
      column<&StepReport::factorizations>("factorizations"),
      column<&StepReport::fallbacks>("fallbacks"),
      column<&StepReport::naturalMap>("natural_map_m_s"),
      column<&StepReport::relative>("relative"),
      column<&StepReport::energyError>("energy_error_J"),
      column<&StepReport::coneExcess>("cone_excess_Ns"),
      column<&StepReport::relaxationError>("relaxation_error_m_s"),
      column<&StepReport::worstIsland>("worst_island"),
      {"within_tolerance",
       [](const StepReport& report) { return std::string(report.withinTolerance ? "1" : "0"); }},
      column<&StepReport::maxPenetration>("penetration_m"),
      column<&StepReport::maxJointDrift>("joint_drift_m"),
      column<&StepReport::maxJointTurn>("joint_turn_rad"),
      column<&StepReport::maxSpeed>("max_speed_m_s"),
      column<&StepReport::energy, &EnergyLedger::kinetic>("kinetic_J"),
      column<&StepReport::energy, &EnergyLedger::potential>("potential_J"),
      column<&StepReport::energy, &EnergyLedger::kineticBefore>("kinetic_before_J"),
      column<&StepReport::energy, &EnergyLedger::kineticAfter>("kinetic_after_J"),
      column<&StepReport::energy, &EnergyLedger::ledgerError>("ledger_error_J"),
  };
  return all;
}

/// Number of events of a kind.
struct EventColumn {
  const char* title;
  std::size_t (*count)(const StepEvents& events);
};

constexpr EventColumn kEventColumns[] = {
    {"contacts_begun", [](const StepEvents& events) { return events.contactsBegun.size(); }},
    {"contacts_ended", [](const StepEvents& events) { return events.contactsEnded.size(); }},
    {"sensors_begun", [](const StepEvents& events) { return events.sensorsBegun.size(); }},
    {"sensors_ended", [](const StepEvents& events) { return events.sensorsEnded.size(); }},
    {"joints_broken", [](const StepEvents& events) { return events.jointsBroken.size(); }},
};

std::string header(bool withHash) {
  std::string text;
  for (const Column& one : columns()) text += (text.empty() ? "" : ",") + one.title;
  for (const EnergyFlow& flow : kEnergyFlows) text += fmt::format(",{}_J", flow.name);
  for (int i = 0; i < kSolveStatusCount; ++i) {
    text += fmt::format(",{}", solveStatusName(static_cast<SolveStatus>(i)));
  }
  for (const EventColumn& one : kEventColumns) text += fmt::format(",{}", one.title);
  return withHash ? text + ",hash" : text;
}

}  // namespace

StepCsv::StepCsv(const std::filesystem::path& path, bool withHash)
    : file_(path, "--csv"), withHash_(withHash) {
  file_.writeLine(header(withHash));
}

void StepCsv::addStep(const World& world) {
  const StepReport& report = world.lastReport();
  std::string row;
  for (const Column& one : columns()) row += (row.empty() ? "" : ",") + one.text(report);
  for (const EnergyFlow& flow : kEnergyFlows) row += "," + csvNumber(report.energy.*flow.value);
  for (const int count : report.status) row += fmt::format(",{}", count);
  for (const EventColumn& one : kEventColumns) {
    row += fmt::format(",{}", one.count(world.lastEvents()));
  }
  if (withHash_) row += "," + hashText(world.hash());
  file_.writeLine(row);
}

namespace {

/// The body's name; of one that is gone only the slot and generation are known.
std::string bodyName(const World& world, BodyId body) {
  if (world.contains(body)) return csvText(std::string(world.name(body)));
  return fmt::format("removed_{}_{}", body.index, body.generation);
}

/// What every row starts with.
std::string rowStart(const World& world, const char* event, BodyId a, BodyId b) {
  return fmt::format("{},{},{},{},{}", world.stepCount(), csvNumber(world.time()), event,
                     bodyName(world, a), bodyName(world, b));
}

}  // namespace

EventCsv::EventCsv(const std::filesystem::path& path, bool withLasting)
    : file_(path, "--events"), withLasting_(withLasting) {
  file_.writeLine(
      "step,time_s,event,body_a,body_b,joint,impulse_Ns,approach_m_s,points,x_m,y_m,z_m,nx,ny,nz");
}

void EventCsv::addStep(const World& world) {
  const StepEvents& events = world.lastEvents();
  const auto addContacts = [&](const char* name, const std::vector<ContactEvent>& list) {
    for (const ContactEvent& e : list) {
      file_.writeLine(rowStart(world, name, e.bodyA, e.bodyB) + ",," + csvNumber(e.normalImpulse) +
                      "," + csvNumber(e.approachSpeed) + "," + csvNumber(e.points) + "," +
                      csvVector(e.position) + "," + csvVector(e.normal));
    }
  };
  const auto addSensors = [&](const char* name, const std::vector<SensorEvent>& list) {
    for (const SensorEvent& e : list) {
      file_.writeLine(rowStart(world, name, e.sensor, e.visitor) + ",,,,,,,,,,");
    }
  };
  addContacts("contact_begin", events.contactsBegun);
  if (withLasting_) addContacts("contact_persist", events.contactsLasting);
  addContacts("contact_end", events.contactsEnded);
  addSensors("sensor_begin", events.sensorsBegun);
  addSensors("sensor_end", events.sensorsEnded);
  for (const JointBreakEvent& e : events.jointsBroken) {
    file_.writeLine(rowStart(world, "joint_break", e.bodyA, e.bodyB) + "," +
                    csvText(std::string(world.name(e.joint))) + "," + csvNumber(e.impulse) +
                    ",,,,,,,,");
  }
}

namespace {

constexpr int kMostCoordinates = 6;

}  // namespace

JointCsv::JointCsv(const std::filesystem::path& path) : file_(path, "--joints") {
  file_.writeLine(
      "step,time_s,joint,force_x_N,force_y_N,force_z_N,torque_x_Nm,torque_y_Nm,torque_z_Nm,"
      "q1,q2,q3,q4,q5,q6");
}

void JointCsv::addStep(const World& world) {
  const std::string start = csvNumber(world.stepCount()) + "," + csvNumber(world.time()) + ",";
  for (const JointId joint : world.joints()) {
    const JointReaction reaction = world.jointReaction(joint);
    std::string row = start + csvText(std::string(world.name(joint))) + "," +
                      csvVector(reaction.force) + "," + csvVector(reaction.torque);
    const int count = world.coordinateCount(joint);
    for (int i = 0; i < kMostCoordinates; ++i) {
      row += i < count ? "," + csvNumber(world.jointCoordinate(joint, i)) : ",";
    }
    file_.writeLine(row);
  }
}

}  // namespace drystone::cli
