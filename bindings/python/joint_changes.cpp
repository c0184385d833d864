// What a joint is made of, for Python: read from its definition, and changed between steps.

#include <pybind11/stl.h>

#include "bindings/python/handles.h"

namespace drystone::python {
namespace {

/// A number, or rows of a time and a number.
Schedule scheduleOf(const py::object& value, const char* name) {
  if (py::isinstance<py::str>(value) || !py::hasattr(value, "__len__")) {
    return {realOf(value, name)};
  }
  const RealArray rows = arrayOf(value, name, {-1, 2});
  std::vector<Schedule::Key> keys;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) keys.push_back({rows.at(i, 0), rows.at(i, 1)});
  return Schedule(std::move(keys));
}

void setMotor(const PythonJoint& self, const py::args& others, const py::object& velocity,
              const py::object& position, Real maxForce, const std::optional<Real>& stiffness,
              Real damping, Coordinate coordinate) {
  if (!others.empty()) {
    throw InputError("set_motor: say what the target is: velocity= or position=");
  }
  const bool hasVelocity = !velocity.is_none(), hasPosition = !position.is_none();
  const JointHandle joint = self.handle();
  const int index = coordinateOf(joint, coordinate);
  if (hasVelocity && hasPosition)
    throw InputError("set_motor: give velocity or position, not both");
  if (stiffness && !hasPosition) throw InputError("set_motor: stiffness is for a position");
  if (damping != 0 && !stiffness) {
    throw InputError("set_motor: damping needs stiffness; leave both out for a hard motor");
  }
  if (!hasVelocity && !hasPosition) return joint.setMotor(index, std::nullopt);
  JointMotor motor{
      .kind = hasPosition ? MotorKind::kPosition : MotorKind::kVelocity,
      .target = hasPosition ? scheduleOf(position, "position") : scheduleOf(velocity, "velocity"),
      .maxForce = maxForce};
  if (stiffness) motor.servo = JointSpring{.stiffness = *stiffness, .damping = damping};
  joint.setMotor(index, motor);
}

/// Rows of extension or rate, and force.
ForceTable tableOf(const py::object& value, const char* name) {
  if (value.is_none()) return {};
  const RealArray rows = arrayOf(value, name, {-1, 2});
  std::vector<ForceTable::Point> points;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) points.push_back({rows.at(i, 0), rows.at(i, 1)});
  return ForceTable(std::move(points));
}

void setSpring(const PythonJoint& self, std::optional<Real> stiffness, Real damping, Real rest,
               const py::object& forceTable, const py::object& damperTable, Coordinate coordinate) {
  const JointHandle joint = self.handle();
  const int index = coordinateOf(joint, coordinate);
  const bool isNone = !stiffness && damping == 0 && forceTable.is_none() && damperTable.is_none();
  if (isNone) return joint.setSpring(index, std::nullopt);
  joint.setSpring(index, JointSpring{.stiffness = stiffness.value_or(0),
                                     .damping = damping,
                                     .rest = rest,
                                     .forceTable = tableOf(forceTable, "force_table"),
                                     .damperTable = tableOf(damperTable, "damper_table")});
}

py::tuple limits(const PythonJoint& self, Coordinate coordinate) {
  const JointHandle joint = self.handle();
  const int index = coordinateOf(joint, coordinate);
  if (index < 0 || index >= joint.coordinateCount()) {
    throw InputError("joint '" + std::string(joint.name()) + "' has the coordinates 0 to " +
                     std::to_string(joint.coordinateCount() - 1) + ", not " +
                     std::to_string(index));
  }
  const JointDefinition definition = joint.definition();
  return py::make_tuple(definition.axes[index].lower, definition.axes[index].upper);
}

Pose frameOf(const py::object& frame, const char* name) {
  if (!py::isinstance<py::sequence>(frame) || py::len(frame) != 2) {
    throw InputError(std::string(name) + " must be a position and an orientation w, x, y, z");
  }
  return poseOf(frame[py::int_(0)], frame[py::int_(1)]);
}

py::tuple frameTuple(const Pose& frame) {
  return py::make_tuple(toArray(frame.position), toArray(frame.rotation));
}

/// None: the joint has no such body, as gears have not.
py::object bodyOrNone(const WorldPointer& world, BodyId id) {
  return id.index < 0 ? py::none() : handleOf(world, id);
}

void addAxisChanges(JointClass& type) {
  type.def(
      "set_motor", &setMotor, py::arg("velocity") = py::none(), py::arg("position") = py::none(),
      py::arg("max_force") = kInfinity, py::arg("stiffness") = py::none(), py::arg("damping") = 0.0,
      py::arg("coordinate") = py::none(),
      "A motor for a velocity [m/s], [rad/s] or a position [m], [rad]; with neither, none. Each "
      "is a number, or a schedule: rows (k, 2) of a time [s] and a number, linear between them.");
  type.def(
      "set_motor_target",
      [](const PythonJoint& self, Real target, Coordinate coordinate) {
        const JointHandle joint = self.handle();
        joint.setMotorTarget(coordinateOf(joint, coordinate), target);
      },
      py::arg("target"), py::arg("coordinate") = py::none(),
      "Holds the target of the motor from now on [m], [rad] or their rates.");
  type.def(
      "apply_force",
      [](const PythonJoint& self, Real force, Coordinate coordinate) {
        const JointHandle joint = self.handle();
        joint.applyForce(coordinateOf(joint, coordinate), force);
      },
      py::arg("force"), py::arg("coordinate") = py::none(),
      "Drives the coordinate up in the next step, whatever its rate [N], [N m]. Adds up.");
  type.def(
      "set_limits",
      [](const PythonJoint& self, const py::object& lower, const py::object& upper,
         Coordinate coordinate) {
        const JointHandle joint = self.handle();
        joint.setLimits(coordinateOf(joint, coordinate),
                        lower.is_none() ? -kInfinity : realOf(lower, "lower"),
                        upper.is_none() ? kInfinity : realOf(upper, "upper"));
      },
      py::arg("lower"), py::arg("upper"), py::arg("coordinate") = py::none(),
      "Range of the coordinate [m], [rad]; None or infinite: no end.");
  type.def("limits", &limits, py::arg("coordinate") = py::none(),
           "Lower and upper end of the coordinate [m], [rad]; infinite: none; equal: a lock.");
  type.def("set_spring", &setSpring, py::arg("stiffness") = py::none(), py::arg("damping") = 0.0,
           py::arg("rest") = 0.0, py::kw_only(), py::arg("force_table") = py::none(),
           py::arg("damper_table") = py::none(), py::arg("coordinate") = py::none(),
           "A spring [N/m], [N m/rad] with a damper [N s/m], [N m s/rad] about a rest [m], [rad]; "
           "without a number none. Tables (k, 2) have force over extension less rest, and over "
           "rate, in place of the two numbers.");
  type.def(
      "set_friction",
      [](const PythonJoint& self, Real force, Coordinate coordinate) {
        const JointHandle joint = self.handle();
        joint.setFriction(coordinateOf(joint, coordinate), force);
      },
      py::arg("force"), py::arg("coordinate") = py::none(),
      "Dry friction of the coordinate [N], [N m].");
}

}  // namespace

void addJointChanges(JointClass& type) {
  addAxisChanges(type);
  addSetting(
      type, "swing_limit", [](const JointDefinition& joint) { return joint.swingLimit; },
      [](const PythonJoint& self, Real angle) { self.handle().setSwingLimit(angle); },
      "Largest angle between the x axes of the frames [rad]; infinite: none.");
  addSetting(
      type, "breaking_impulse", [](const JointDefinition& joint) { return joint.breakingImpulse; },
      [](const PythonJoint& self, Real impulse) { self.handle().setBreakingImpulse(impulse); },
      "Largest linear impulse of a step that it bears [N s]; infinite: it never breaks.");
  addSetting(
      type, "compliance", [](const JointDefinition& joint) { return joint.compliance; },
      [](const PythonJoint& self, std::optional<Real> compliance) {
        self.handle().setCompliance(compliance);
      },
      "Of locked rows and limits [1/kg]; None: that of the world.");
  addSetting(
      type, "collide", [](const JointDefinition& joint) { return joint.collide; },
      [](const PythonJoint& self, bool collide) { self.handle().setCollide(collide); },
      "The two bodies may touch.");
  addSetting(
      type, "gear_ratio", [](const JointDefinition& joint) { return joint.gearRatio; },
      [](const PythonJoint& self, Real ratio) { self.handle().setGearRatio(ratio); },
      "Of gears, which hold from where they stand.");
  type.def(
      "set_frames",
      [](const PythonJoint& self, const py::object& a, const py::object& b) {
        const Pose first = frameOf(a, "frame_a"), second = frameOf(b, "frame_b");
        self.handle().setFrames(first, second);
      },
      py::arg("frame_a"), py::arg("frame_b"),
      "Both frames in the reference frames of their bodies, each a position [m] and an orientation "
      "w, x, y, z.");
  type.def_property_readonly(
      "frames",
      [](const PythonJoint& self) {
        const JointDefinition joint = self.handle().definition();
        return py::make_tuple(frameTuple(joint.frameA), frameTuple(joint.frameB));
      },
      "Both frames, as set_frames() takes them.");
  type.def_property_readonly(
      "bodies",
      [](const PythonJoint& self) {
        const JointDefinition joint = self.handle().definition();
        return py::make_tuple(bodyOrNone(self.world, joint.bodyA),
                              bodyOrNone(self.world, joint.bodyB));
      },
      "Bodies a and b; None for those of gears.");
}

}  // namespace drystone::python
