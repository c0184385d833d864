// Joints of a world for Python: where they stand, and what they do.

#include <pybind11/stl.h>

#include "bindings/python/handles.h"

namespace drystone::python {

int coordinateOf(const JointHandle& joint, Coordinate asked) {
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

namespace {

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

}  // namespace

void addJoints(py::module_& module) {
  JointClass type(module, "Joint", closedType(),
                  "One joint of a world. Its coordinates are ALONG_X to ABOUT_Z, [m] "
                  "and [rad]; where one alone "
                  "is free, it need not be named. Once the joint was removed, all but "
                  "`exists` raise InputError.");
  addIdentity(type);
  type.def("__repr__", [](const PythonJoint& self) {
    if (!self.world->isIdle()) return std::string("<Joint of a world in a step>");
    const World& world = self.world->world;
    if (!world.contains(self.id)) return std::string("<Joint, removed or broken>");
    const JointDefinition joint = world.joint(self.id).definition();
    std::string text = "<Joint '" + joint.name + "'";
    if (joint.bodyA.index >= 0) {
      text += " of '" + std::string(world.body(joint.bodyA).name()) + "' and '" +
              std::string(world.body(joint.bodyB).name()) + "'";
    }
    return text + ">";
  });
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
  type.def(
      "torque_about_frame_a",
      [](const PythonJoint& self) { return toArray(self.handle().torqueAboutFrameA()); },
      "Torque on body b of that reaction about the origin of frame a, (3,) [N m].");
  addJointChanges(type);
  module.attr("ALONG_X") = static_cast<int>(kAlongX);
  module.attr("ALONG_Y") = static_cast<int>(kAlongY);
  module.attr("ALONG_Z") = static_cast<int>(kAlongZ);
  module.attr("ABOUT_X") = static_cast<int>(kAboutX);
  module.attr("ABOUT_Y") = static_cast<int>(kAboutY);
  module.attr("ABOUT_Z") = static_cast<int>(kAboutZ);
}

}  // namespace drystone::python
