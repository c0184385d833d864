// What a step says about itself: its report, and what began, lasted and ended in it.

#include "bindings/python/binding.h"

namespace drystone::python {
namespace {

py::dict energyOf(const ReportFigures& report) {
  py::dict energy;
  for (const EnergyFlow& flow : kEnergyFlows) energy[flow.name] = report.energy.*flow.value;
  energy["kinetic"] = report.energy.kinetic;
  energy["potential"] = report.energy.potential;
  return energy;
}

}  // namespace

py::object eventsObject(const StepEvents& events, const BodyNamer& bodyOf,
                        const JointNamer& jointOf) {
  const auto contacts = [&](const std::vector<ContactEvent>& list) {
    py::list result;
    for (const ContactEvent& event : list) {
      result.append(resultType("ContactEvent")(
          bodyOf(event.bodyA), bodyOf(event.bodyB), event.normalImpulse, event.approachSpeed,
          event.points, toArray(event.position), toArray(event.normal), event.attraction));
    }
    return result;
  };
  const auto sensors = [&](const std::vector<SensorEvent>& list) {
    py::list result;
    for (const SensorEvent& event : list) {
      result.append(resultType("SensorEvent")(bodyOf(event.sensor), bodyOf(event.visitor)));
    }
    return result;
  };
  py::list breaks;
  for (const JointBreakEvent& event : events.jointsBroken) {
    breaks.append(resultType("JointBreak")(jointOf(event.joint), bodyOf(event.bodyA),
                                           bodyOf(event.bodyB), event.impulse));
  }
  return resultType("Events")(contacts(events.contactsBegun), contacts(events.contactsLasting),
                              contacts(events.contactsEnded), sensors(events.sensorsBegun),
                              sensors(events.sensorsEnded), breaks);
}

ReportFigures::ReportFigures(const StepReport& report)
    : energy(report.energy),
      step(report.step),
      time(report.time),
      stepMs(report.times.step),
      withinTolerance(report.withinTolerance),
      failed(report.failed),
      diverged(report.hasDiverged()) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = kStepFigures[i].valueIn(report);
}

void addReport(py::module_& module) {
  using Report = ReportFigures;
  py::class_<Report> type(module, "StepReport", "What a step says about itself; a copy.");
  for (std::size_t i = 0; i < kStepFigures.size(); ++i) {
    const StepFigure& figure = kStepFigures[i];
    const std::string unit = figure.unit[0] == '\0' ? "" : std::string(" [") + figure.unit + "]";
    type.def_property_readonly(
        figure.name,
        [i](const Report& report) -> py::object {
          if (kStepFigures[i].isCount()) return py::int_(static_cast<int>(report.values[i]));
          return py::float_(report.values[i]);
        },
        (figure.help + unit + ", " + figure.ruleText()).c_str());
  }
  type.def("__repr__", [](const py::object& self) {
    const auto& report = self.cast<const Report&>();
    const auto figure = [&self](const char* name) {
      return numberText(py::cast<Real>(self.attr(name)));
    };
    return "<StepReport of step " + std::to_string(report.step) + " at " + numberText(report.time) +
           " s: " + figure("contacts") + " contacts, natural_map " + figure("natural_map") +
           " m/s, " +
           (report.diverged          ? "diverged"
            : report.withinTolerance ? "within tolerance"
                                     : "not within tolerance") +
           ">";
  });
  type.def_readonly("step", &Report::step, "Steps done, this one included.");
  type.def_readonly("time", &Report::time, "Simulated time at its end [s].");
  type.def_readonly("within_tolerance", &Report::withinTolerance,
                    "Solves, joints and overlaps met their tolerances, and nothing diverged.");
  type.def_readonly("failed", &Report::failed,
                    "It diverged, or missed a tolerance under the policy 'stop'.");
  type.def_readonly("diverged", &Report::diverged);
  type.def_readonly("step_ms", &Report::stepMs, "Wall time of the step [ms].");
  type.def_property_readonly("energy", &energyOf, "Sources of energy by name, and its sums [J].");
}

void addEvents(WorldClass& type) {
  type.def(
      "events",
      [](const WorldPointer& self) {
        return eventsObject(
            self->idle().lastEvents(), [&self](BodyId id) { return handleOf(self, id); },
            [&self](JointId id) { return handleOf(self, id); });
      },
      "What began, lasted and ended in the last step: an Events. A body or joint in it may have "
      "been removed since; `exists` tells. Empty after restore().");
}

}  // namespace drystone::python
