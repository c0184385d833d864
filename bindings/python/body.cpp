// Bodies of a world for Python: where they are, and what pushes them.

#include <pybind11/stl.h>

#include "bindings/python/handles.h"

namespace drystone::python {
namespace {

/// For properties, of which None is no value.
void requireGiven(const py::object& value, const char* name) {
  if (value.is_none()) throw InputError(std::string(name) + " must be numbers, got None");
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

/// What pushes a body of another kind would be without effect.
BodyHandle pushed(const PythonBody& self, const char* function) {
  const BodyHandle body = self.handle();
  if (body.kind() == BodyKind::kDynamic) return body;
  throw InputError(std::string(function) + ": body '" + std::string(body.name()) +
                   "' is not dynamic, and nothing pushes it: set its kind or its velocity");
}

void applyForce(const PythonBody& self, const py::handle& force, const py::object& at) {
  const BodyHandle body = pushed(self, "apply_force");
  const Vec3 value = vectorOf(force, "force");
  if (at.is_none()) {
    body.applyForce(value);
  } else {
    body.applyForceAt(value, vectorOf(at, "at"));
  }
}

void applyImpulse(const PythonBody& self, const py::handle& impulse, const py::object& at) {
  const BodyHandle body = pushed(self, "apply_impulse");
  body.applyImpulse(vectorOf(impulse, "impulse"),
                    at.is_none() ? body.centerOfMass() : vectorOf(at, "at"));
}

std::vector<py::object> jointsOf(const PythonBody& self) {
  std::vector<py::object> joints;
  for (const JointId id : self.handle().joints()) joints.push_back(jointObject(self.world, id));
  return joints;
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

Pose poseOf(const py::object& position, const py::object& orientation) {
  Pose pose;
  if (!position.is_none()) pose.position = vectorOf(position, "position");
  if (!orientation.is_none()) pose.rotation = quaternionOf(orientation, "orientation");
  return pose;
}

py::object handleOf(const WorldPointer& world, BodyId id) {
  return py::cast(PythonBody{world, id});
}

py::object handleOf(const WorldPointer& world, JointId id) {
  return py::cast(PythonJoint{world, id});
}

py::object bodyObject(const WorldPointer& world, BodyId id) {
  world->idle().body(id);
  return handleOf(world, id);
}

py::object jointObject(const WorldPointer& world, JointId id) {
  world->idle().joint(id);
  return handleOf(world, id);
}

BodyId bodyIdOf(const WorldPointer& world, const py::handle& body) {
  return idOf<PythonBody>(world, body, "Body");
}

JointId jointIdOf(const WorldPointer& world, const py::handle& joint) {
  return idOf<PythonJoint>(world, joint, "Joint");
}

void addBodies(py::module_& module) {
  BodyClass type(module, "Body", closedType(),
                 "One body of a world. Vectors are in world axes. Once it was removed, "
                 "all but `exists` raise InputError.");
  addIdentity(type);
  type.def("__repr__", [](const PythonBody& self) {
    if (!self.world->isIdle()) return std::string("<Body of a world in a step>");
    if (!self.world->world.contains(self.id)) return std::string("<Body, removed>");
    return "<Body '" + std::string(self.handle().name()) + "'>";
  });
  const auto read = [&type](const char* name, auto get, const char* doc) {
    type.def_property_readonly(
        name, [get](const PythonBody& self) { return get(self.handle()); }, doc);
  };
  read(
      "is_awake", [](const BodyHandle& body) { return body.isAwake(); },
      "Only dynamic ones sleep.");
  read(
      "center_of_mass", [](const BodyHandle& body) { return toArray(body.centerOfMass()); },
      "Centre of mass, (3,) [m].");
  type.def_property(
      "position", [](const PythonBody& self) { return toArray(self.handle().pose().position); },
      [](const PythonBody& self, const py::object& value) {
        requireGiven(value, "position");
        setPose(self, value, py::none());
      },
      "Of the reference frame, (3,) [m].");
  type.def_property(
      "orientation", [](const PythonBody& self) { return toArray(self.handle().pose().rotation); },
      [](const PythonBody& self, const py::object& value) {
        requireGiven(value, "orientation");
        setPose(self, py::none(), value);
      },
      "Unit quaternion w, x, y, z of the reference frame, (4,).");
  type.def_property(
      "linear_velocity",
      [](const PythonBody& self) { return toArray(self.handle().linearVelocity()); },
      [](const PythonBody& self, const py::object& value) {
        requireGiven(value, "linear_velocity");
        setVelocity(self, value, py::none());
      },
      "Of the centre of mass, (3,) [m/s].");
  type.def_property(
      "angular_velocity",
      [](const PythonBody& self) { return toArray(self.handle().angularVelocity()); },
      [](const PythonBody& self, const py::object& value) {
        requireGiven(value, "angular_velocity");
        setVelocity(self, py::none(), value);
      },
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
        pushed(self, "apply_torque").applyTorque(vectorOf(torque, "torque"));
      },
      py::arg("torque"), "Torque [N m] for the next step.");
  type.def("apply_impulse", &applyImpulse, py::arg("impulse"), py::arg("at") = py::none(),
           "Impulse [N s] at once, at a point [m] or the centre of mass.");
  type.def(
      "apply_angular_impulse",
      [](const PythonBody& self, const py::object& impulse) {
        pushed(self, "apply_angular_impulse").applyAngularImpulse(vectorOf(impulse, "impulse"));
      },
      py::arg("impulse"), "Angular impulse [N m s] at once.");
  type.def(
      "velocity_at",
      [](const PythonBody& self, const py::object& point) {
        return toArray(self.handle().velocityAt(vectorOf(point, "point")));
      },
      py::arg("point"), "Velocity [m/s] of its point that is at a place [m] now.");
  type.def_property_readonly("joints", &jointsOf, "Joints on it, without the broken ones.");
  type.def(
      "wake", [](const PythonBody& self) { self.handle().wake(); },
      "Wakes it, and with the next step its island.");
  addBodyChanges(type);
  addBodySensors(type);
}

}  // namespace drystone::python
