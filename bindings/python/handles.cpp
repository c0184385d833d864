// Bodies and joints of a world for Python. Each call looks its body up, so that a stale one raises.

#include <pybind11/stl.h>

#include <functional>
#include <optional>

#include "bindings/python/binding.h"
#include "core/input_error.h"

namespace drystone::python {
namespace {

struct PythonBody {
  WorldPointer world;
  BodyId id;

  BodyHandle handle() const { return world->idle().body(id); }
  bool operator==(const PythonBody&) const = default;
};

struct PythonJoint {
  WorldPointer world;
  JointId id;

  JointHandle handle() const { return world->idle().joint(id); }
  bool operator==(const PythonJoint&) const = default;
};

template <class Handle>
std::size_t hashOf(const Handle& handle) {
  return std::hash<const void*>()(handle.world.get()) ^
         (static_cast<std::size_t>(handle.id.generation) << 32 ^
          static_cast<unsigned>(handle.id.index));
}

template <class Handle, class... Options>
void addIdentity(py::class_<Handle, Options...>& type) {
  type.def(
      "__eq__", [](const Handle& self, const Handle& other) { return self == other; },
      py::is_operator());
  type.def("__hash__", &hashOf<Handle>);
  type.def_property_readonly(
      "exists", [](const Handle& self) { return self.world->idle().contains(self.id); },
      "False once it was removed, or broke.");
  type.def_property_readonly("name",
                             [](const Handle& self) { return std::string(self.handle().name()); });
}

const char* kindName(BodyKind kind) {
  if (kind == BodyKind::kDynamic) return "dynamic";
  return kind == BodyKind::kStatic ? "static" : "kinematic";
}

void setPose(const PythonBody& self, const py::object& position, const py::object& orientation) {
  const BodyHandle body = self.handle();
  Pose pose = body.pose();
  if (!position.is_none()) pose.position = vectorOf(position, "position");
  if (!orientation.is_none()) pose.rotation = quaternionOf(orientation, "orientation");
  body.setPose(pose);
}

void setVelocity(const PythonBody& self, const py::object& linear, const py::object& angular) {
  const BodyHandle body = self.handle();
  const Vec3 v = linear.is_none() ? body.linearVelocity() : vectorOf(linear, "linear");
  const Vec3 w = angular.is_none() ? body.angularVelocity() : vectorOf(angular, "angular");
  body.setVelocity(v, w);
}

void applyForce(const PythonBody& self, const py::handle& force, const py::object& at) {
  const Vec3 value = vectorOf(force, "force");
  if (at.is_none()) {
    self.handle().applyForce(value);
  } else {
    self.handle().applyForceAt(value, vectorOf(at, "at"));
  }
}

void applyImpulse(const PythonBody& self, const py::handle& impulse, const py::object& at) {
  const BodyHandle body = self.handle();
  body.applyImpulse(vectorOf(impulse, "impulse"),
                    at.is_none() ? body.centerOfMass() : vectorOf(at, "at"));
}

py::tuple contactForce(const PythonBody& self, const py::object& other) {
  const BodyHandle body = self.handle();
  const ContactForce sum =
      other.is_none() ? body.contactForce() : body.contactForce(bodyIdOf(self.world, other));
  return py::make_tuple(toArray(sum.force), toArray(sum.torque));
}

std::vector<py::object> jointsOf(const PythonBody& self) {
  std::vector<py::object> joints;
  for (const JointId id : self.handle().joints()) joints.push_back(jointObject(self.world, id));
  return joints;
}

void addBodyClass(py::module_& module) {
  py::class_<PythonBody> type(
      module, "Body",
      "One body of a world. Vectors are in world axes. Once it was removed, "
      "all but `exists` raise InputError.");
  addIdentity(type);
  type.def("__repr__", [](const PythonBody& self) {
    if (self.world->isBusy) return std::string("<Body of a world in a step>");
    if (!self.world->world.contains(self.id)) return std::string("<Body, removed>");
    return "<Body '" + std::string(self.handle().name()) + "'>";
  });
  const auto read = [&type](const char* name, auto get, const char* doc) {
    type.def_property_readonly(
        name, [get](const PythonBody& self) { return get(self.handle()); }, doc);
  };
  read(
      "kind", [](const BodyHandle& body) { return kindName(body.kind()); },
      "'dynamic', 'static' or 'kinematic'.");
  read(
      "mass", [](const BodyHandle& body) { return body.mass(); },
      "Mass [kg]; infinite unless dynamic.");
  read(
      "is_awake", [](const BodyHandle& body) { return body.isAwake(); },
      "Only dynamic ones sleep.");
  read(
      "center_of_mass", [](const BodyHandle& body) { return toArray(body.centerOfMass()); },
      "Centre of mass, (3,) [m].");
  type.def_property(
      "position", [](const PythonBody& self) { return toArray(self.handle().pose().position); },
      [](const PythonBody& self, const py::object& value) { setPose(self, value, py::none()); },
      "Of the reference frame, (3,) [m].");
  type.def_property(
      "orientation", [](const PythonBody& self) { return toArray(self.handle().pose().rotation); },
      [](const PythonBody& self, const py::object& value) { setPose(self, py::none(), value); },
      "Unit quaternion w, x, y, z of the reference frame, (4,).");
  type.def_property(
      "linear_velocity",
      [](const PythonBody& self) { return toArray(self.handle().linearVelocity()); },
      [](const PythonBody& self, const py::object& value) { setVelocity(self, value, py::none()); },
      "Of the centre of mass, (3,) [m/s].");
  type.def_property(
      "angular_velocity",
      [](const PythonBody& self) { return toArray(self.handle().angularVelocity()); },
      [](const PythonBody& self, const py::object& value) { setVelocity(self, py::none(), value); },
      "(3,) [rad/s].");
  type.def("set_pose", &setPose, py::arg("position") = py::none(),
           py::arg("orientation") = py::none(), "Position [m] and quaternion w, x, y, z.");
  type.def("set_velocity", &setVelocity, py::arg("linear") = py::none(),
           py::arg("angular") = py::none(), "Of the centre of mass [m/s], and [rad/s].");
  type.def("apply_force", &applyForce, py::arg("force"), py::arg("at") = py::none(),
           "Force [N] for the next step, at a point [m] or the centre of mass.");
  type.def(
      "apply_torque",
      [](const PythonBody& self, const py::object& torque) {
        self.handle().applyTorque(vectorOf(torque, "torque"));
      },
      py::arg("torque"), "Torque [N m] for the next step.");
  type.def("apply_impulse", &applyImpulse, py::arg("impulse"), py::arg("at") = py::none(),
           "Impulse [N s] at once, at a point [m] or the centre of mass.");
  type.def(
      "apply_angular_impulse",
      [](const PythonBody& self, const py::object& impulse) {
        self.handle().applyAngularImpulse(vectorOf(impulse, "impulse"));
      },
      py::arg("impulse"), "Angular impulse [N m s] at once.");
  type.def("contact_force", &contactForce, py::arg("other") = py::none(),
           "Force [N] and torque about the centre of mass [N m] of its contacts in the last step, "
           "of all or of those with one other body.");
  type.def(
      "velocity_at",
      [](const PythonBody& self, const py::object& point) {
        return toArray(self.handle().velocityAt(vectorOf(point, "point")));
      },
      py::arg("point"), "Velocity [m/s] of its point that is at a place [m] now.");
  type.def_property_readonly("joints", &jointsOf, "Joints on it, without the broken ones.");
  type.def("wake", [](const PythonBody& self) { self.handle().wake(); });
}

/// The coordinate that is asked for; without one the only one that is free.
int coordinateOf(const JointHandle& joint, std::optional<int> asked) {
  if (asked) return *asked;
  const JointDefinition definition = joint.definition();
  int found = -1, count = 0;
  for (int i = 0; i < joint.coordinateCount(); ++i) {
    if (definition.axes[i].isLocked()) continue;
    found = i;
    ++count;
  }
  if (joint.coordinateCount() == 1) return 0;
  if (count != 1) {
    throw InputError("joint '" + definition.name + "' has " + std::to_string(count) +
                     " free coordinates: give one of ALONG_X to ABOUT_Z");
  }
  return found;
}

using Coordinate = std::optional<int>;

void setMotor(const PythonJoint& self, const std::optional<Real>& velocity,
              const std::optional<Real>& position, Real maxForce,
              const std::optional<Real>& stiffness, Real damping, Coordinate coordinate) {
  const JointHandle joint = self.handle();
  const int index = coordinateOf(joint, coordinate);
  if (velocity && position) throw InputError("set_motor: give velocity or position, not both");
  if (stiffness && !position) throw InputError("set_motor: stiffness is for a position");
  if (damping != 0 && !stiffness) {
    throw InputError("set_motor: damping needs stiffness; leave both out for a hard motor");
  }
  if (!velocity && !position) return joint.setMotor(index, std::nullopt);
  JointMotor motor{.kind = position ? MotorKind::kPosition : MotorKind::kVelocity,
                   .target = position ? *position : *velocity,
                   .maxForce = maxForce};
  if (stiffness) motor.servo = JointSpring{.stiffness = *stiffness, .damping = damping};
  joint.setMotor(index, motor);
}

py::dict axisForce(const PythonJoint& self, Coordinate coordinate) {
  const JointHandle joint = self.handle();
  const AxisForce force = joint.axisForce(coordinateOf(joint, coordinate));
  py::dict parts;
  parts["lock"] = force.lock;
  parts["limit"] = force.limit;
  parts["spring"] = force.spring;
  parts["motor"] = force.motor;
  parts["friction"] = force.friction;
  parts["total"] = force.total();
  return parts;
}

void addJointClass(py::module_& module) {
  py::class_<PythonJoint> type(module, "Joint",
                               "One joint of a world. Its coordinates are ALONG_X to ABOUT_Z, [m] "
                               "and [rad]; where one alone "
                               "is free, it need not be named. Once the joint was removed, all but "
                               "`exists` raise InputError.");
  addIdentity(type);
  const auto onCoordinate = [&type](const char* name, auto get, const char* doc) {
    type.def(
        name,
        [get](const PythonJoint& self, Coordinate coordinate) {
          const JointHandle joint = self.handle();
          return get(joint, coordinateOf(joint, coordinate));
        },
        py::arg("coordinate") = py::none(), doc);
  };
  onCoordinate(
      "coordinate", [](const JointHandle& joint, int i) { return joint.coordinate(i); },
      "Where the joint stands [m], [rad].");
  onCoordinate(
      "rate", [](const JointHandle& joint, int i) { return joint.rate(i); },
      "Rate of the coordinate [m/s], [rad/s].");
  type.def("axis_force", &axisForce, py::arg("coordinate") = py::none(),
           "What lock, limit, spring, motor and friction did along a coordinate in the last step "
           "[N], [N m].");
  type.def(
      "reaction",
      [](const PythonJoint& self) {
        const JointReaction reaction = self.handle().reaction();
        return py::make_tuple(toArray(reaction.force), toArray(reaction.torque));
      },
      "Force on body b [N] and torque on it about the origin of its frame [N m] in the last step.");
  type.def("set_motor", &setMotor, py::kw_only(), py::arg("velocity") = py::none(),
           py::arg("position") = py::none(), py::arg("max_force") = kInfinity,
           py::arg("stiffness") = py::none(), py::arg("damping") = 0.0,
           py::arg("coordinate") = py::none(),
           "A motor for a velocity [m/s], [rad/s] or a position [m], [rad]; with neither, none.");
  type.def(
      "set_motor_target",
      [](const PythonJoint& self, Real target, Coordinate coordinate) {
        const JointHandle joint = self.handle();
        joint.setMotorTarget(coordinateOf(joint, coordinate), target);
      },
      py::arg("target"), py::arg("coordinate") = py::none(),
      "Holds the target of the motor from now on [m], [rad] or their rates.");
  type.def(
      "set_limits",
      [](const PythonJoint& self, Real lower, Real upper, Coordinate coordinate) {
        const JointHandle joint = self.handle();
        joint.setLimits(coordinateOf(joint, coordinate), lower, upper);
      },
      py::arg("lower"), py::arg("upper"), py::arg("coordinate") = py::none(),
      "Range of the coordinate [m], [rad].");
  module.attr("ALONG_X") = static_cast<int>(kAlongX);
  module.attr("ALONG_Y") = static_cast<int>(kAlongY);
  module.attr("ALONG_Z") = static_cast<int>(kAlongZ);
  module.attr("ABOUT_X") = static_cast<int>(kAboutX);
  module.attr("ABOUT_Y") = static_cast<int>(kAboutY);
  module.attr("ABOUT_Z") = static_cast<int>(kAboutZ);
}

/// The id of a handle of this world that was not removed.
template <class Handle>
auto idOf(const WorldPointer& world, const py::handle& object, const char* what) {
  if (!py::isinstance<Handle>(object)) {
    throw InputError(std::string("must be a ") + what + ", got " +
                     py::cast<std::string>(py::repr(object)));
  }
  const auto& handle = object.cast<const Handle&>();
  if (handle.world != world) throw InputError(std::string(what) + " of another world");
  return handle.handle().id();
}

}  // namespace

py::object bodyObject(const WorldPointer& world, BodyId id) {
  world->idle().body(id);
  return py::cast(PythonBody{world, id});
}

py::object jointObject(const WorldPointer& world, JointId id) {
  world->idle().joint(id);
  return py::cast(PythonJoint{world, id});
}

BodyId bodyIdOf(const WorldPointer& world, const py::handle& body) {
  return idOf<PythonBody>(world, body, "Body");
}

JointId jointIdOf(const WorldPointer& world, const py::handle& joint) {
  return idOf<PythonJoint>(world, joint, "Joint");
}

void addHandles(py::module_& module) {
  addBodyClass(module);
  addJointClass(module);
}

}  // namespace drystone::python
