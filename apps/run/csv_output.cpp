#include "apps/run/csv_output.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "apps/support/command_line.h"
#include "apps/support/csv_values.h"
#include "core/hash.h"

namespace drystone::cli {
namespace {

/// The column of one field of the report, reached by a path of members; numbers are written so that
/// they read back exactly.
template <auto... kPath>
StepCsv::Column column(std::string title) {
  return {std::move(title),
          [](const CsvStep& step) { return csvNumber((step.report.*....*kPath)); }};
}

/// The column of the number of events of a kind.
template <auto kEvents>
StepCsv::Column eventCount(std::string title) {
  return {std::move(title),
          [](const CsvStep& step) { return csvNumber((step.events->*kEvents).size()); }};
}

StepCsv::Column figureColumn(const StepFigure& figure) {
  return {csvTitle(figure.name, figure.unit), [&figure](const CsvStep& step) {
            const Real value = figure.valueIn(step.report);
            return figure.isCount() ? csvNumber(static_cast<int>(value)) : csvNumber(value);
          }};
}

/// The columns of one force plate; without a reading they are empty.
template <class ValueOf>
StepCsv::Column plateColumn(std::size_t index, const std::string& title, ValueOf valueOf) {
  return {csvText(title), [index, valueOf](const CsvStep& step) {
            const ForcePlate& plate = step.plates[index];
            return plate.hasReading ? csvNumber(valueOf(plate.reading)) : std::string();
          }};
}

void addPlateColumns(std::size_t index, const std::string& name,
                     std::vector<StepCsv::Column>& all) {
  using Reading = ForcePlateReading;
  const auto add = [&](const std::string& what, auto valueOf) {
    all.push_back(plateColumn(index, "plate_" + name + "_" + what, valueOf));
  };
  constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    add(fmt::format("force_{}_N", kAxes[i]), [i](const Reading& r) { return r.force[i]; });
  }
  for (int i = 0; i < 3; ++i) {
    add(fmt::format("torque_{}_Nm", kAxes[i]), [i](const Reading& r) { return r.torque[i]; });
  }
  for (int i = 0; i < 3; ++i) {
    add(fmt::format("center_{}_m", kAxes[i]), [i](const Reading& r) {
      return r.center ? (*r.center)[i] : std::numeric_limits<Real>::quiet_NaN();
    });
  }
  add("force_error_N", [](const Reading& r) { return r.forceError; });
  add("torque_error_Nm", [](const Reading& r) { return r.torqueError; });
  add("center_error_m", [](const Reading& r) { return r.centerError; });
  add("contacts", [](const Reading& r) { return r.contacts.size(); });
  add("sum_unique", [](const Reading& r) { return r.isSumUnique ? 1 : 0; });
  add("shares_unique", [](const Reading& r) { return r.areSharesUnique ? 1 : 0; });
}

std::vector<StepCsv::Column> columns(bool withHash, bool withEvents,
                                     std::span<const std::string> plates) {
  std::vector<StepCsv::Column> all = {
      column<&StepReport::step>("step"),
      column<&StepReport::time>("time_s"),
      column<&StepReport::bodies>("bodies"),
      column<&StepReport::joints>("joints"),
  };
  for (const StepFigure& figure : kStepFigures) all.push_back(figureColumn(figure));
  all.insert(
      all.end(),
      {
          column<&StepReport::times, &StageTimes::step>("step_ms"),
          column<&StepReport::times, &StageTimes::collision>("collision_ms"),
          column<&StepReport::times, &StageTimes::rows>("rows_ms"),
          column<&StepReport::times, &StageTimes::assembly>("assembly_ms"),
          column<&StepReport::times, &StageTimes::solve>("solve_ms"),
          column<&StepReport::times, &StageTimes::integrate>("integrate_ms"),
          column<&StepReport::worst, &WorstSolve::substep>("worst_substep"),
          column<&StepReport::worst, &WorstSolve::island>("worst_island"),
          {"within_tolerance",
           [](const CsvStep& step) { return csvNumber(step.report.withinTolerance ? 1 : 0); }},
          column<&StepReport::jointTolerance>("joint_tolerance_m"),
          column<&StepReport::overlapTolerance>("overlap_tolerance_m"),
          column<&StepReport::energy, &EnergyLedger::kinetic>("kinetic_J"),
          column<&StepReport::energy, &EnergyLedger::potential>("potential_J"),
          column<&StepReport::energy, &EnergyLedger::kineticBefore>("kinetic_before_J"),
          column<&StepReport::energy, &EnergyLedger::kineticAfter>("kinetic_after_J"),
          column<&StepReport::energy, &EnergyLedger::ledgerError>("ledger_error_J"),
      });
  for (const EnergyFlow& flow : kEnergyFlows) {
    all.push_back({fmt::format("{}_J", flow.name), [value = flow.value](const CsvStep& step) {
                     return csvNumber(step.report.energy.*value);
                   }});
  }
  for (int i = 0; i < kSolveStatusCount; ++i) {
    all.push_back(
        {std::string(solveStatusName(static_cast<SolveStatus>(i))), [i](const CsvStep& step) {
           return csvNumber(step.report.status[static_cast<std::size_t>(i)]);
         }});
  }
  if (withEvents) {
    all.insert(all.end(), {eventCount<&StepEvents::contactsBegun>("contacts_begun"),
                           eventCount<&StepEvents::contactsEnded>("contacts_ended"),
                           eventCount<&StepEvents::sensorsBegun>("sensors_begun"),
                           eventCount<&StepEvents::sensorsEnded>("sensors_ended"),
                           eventCount<&StepEvents::jointsBroken>("joints_broken")});
  }
  for (std::size_t i = 0; i < plates.size(); ++i) {
    addPlateColumns(i, plates[i], all);
  }
  if (withHash) all.push_back({"hash", [](const CsvStep& step) { return hashText(step.hash); }});
  return all;
}

}  // namespace

StepCsv::StepCsv(const std::filesystem::path& path, bool withHash, bool withEvents,
                 std::span<const std::string> plates)
    : file_(path, "--csv"), columns_(columns(withHash, withEvents, plates)), withHash_(withHash) {
  std::vector<std::string> titles;
  for (const Column& one : columns_) titles.push_back(one.title);
  file_.writeLine(joined(titles, ","));
}

void StepCsv::addStep(const World& world) {
  const std::uint64_t hash = withHash_ ? world.observe().hash() : 0;
  addStep({world.lastReport(), &world.lastEvents(), hash, world.forcePlates()});
}

void StepCsv::addStep(const CsvStep& step) {
  std::vector<std::string> fields;
  for (const Column& one : columns_) fields.push_back(one.text(step));
  file_.writeLine(joined(fields, ","));
}

namespace {

/// The body's name; of one that is gone only the slot and generation are known.
std::string bodyName(const World& world, BodyId body) {
  if (world.contains(body)) return std::string(world.body(body).name());
  return fmt::format("removed_{}_{}", body.index, body.generation);
}

/// What every row starts with.
std::string rowStart(const World& world, const char* event, BodyId a, BodyId b) {
  return csvRow(world.stepCount(), world.time(), event, bodyName(world, a), bodyName(world, b)) +
         ",";
}

}  // namespace

EventCsv::EventCsv(const std::filesystem::path& path, bool withLasting)
    : file_(path, "--events"), withLasting_(withLasting) {
  file_.writeLine(
      "step,time_s,event,body_a,body_b,joint,impulse_Ns,approach_m_s,points,x_m,y_m,z_m,nx,ny,nz,"
      "attraction_Ns");
}

void EventCsv::addStep(const World& world) {
  const StepEvents& events = world.lastEvents();
  const auto addContacts = [&](const char* name, const std::vector<ContactEvent>& list) {
    for (const ContactEvent& e : list) {
      file_.writeLine(rowStart(world, name, e.bodyA, e.bodyB) +
                      csvRow("", e.normalImpulse, e.approachSpeed, e.points, e.position, e.normal,
                             e.attraction));
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
    file_.writeLine(rowStart(world, "joint_break", e.bodyA, e.bodyB) +
                    csvRow(world.joint(e.joint).name(), e.impulse) + ",,,,,,,,,");
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
  for (const JointId id : world.joints()) {
    const ConstJointHandle joint = world.joint(id);
    const JointReaction reaction = joint.reaction();
    std::string row =
        csvRow(world.stepCount(), world.time(), joint.name(), reaction.force, reaction.torque);
    const int count = joint.coordinateCount();
    for (int i = 0; i < kMostCoordinates; ++i) {
      row += i < count ? "," + csvNumber(joint.coordinate(i)) : ",";
    }
    file_.writeLine(row);
  }
}

}  // namespace drystone::cli
