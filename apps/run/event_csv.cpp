#include "apps/run/event_csv.h"

#include <fmt/format.h>

#include "apps/support/csv_values.h"

namespace drystone::cli {
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

}  // namespace drystone::cli
