// What was measured at a body in the last step, for Python: docs/sensors.md.

#include <pybind11/stl.h>

#include "bindings/python/handles.h"

namespace drystone::python {
namespace {

py::tuple pairOf(const ContactForce& sum) {
  return py::make_tuple(toArray(sum.force), toArray(sum.torque));
}

py::tuple contactForce(const PythonBody& self, const py::object& other) {
  const BodyHandle body = self.handle();
  return pairOf(other.is_none() ? body.contactForce()
                                : body.contactForce(bodyIdOf(self.world, other)));
}

py::object imu(const PythonBody& self, const py::object& position, const py::object& orientation) {
  const std::optional<ImuReading> reading = self.handle().imu(poseOf(position, orientation));
  if (!reading) return py::none();
  return resultType("Imu")(toArray(reading->specificForce), toArray(reading->angularVelocity),
                           toArray(reading->angularAcceleration));
}

py::list contactsOf(const PythonBody& self) {
  py::list found;
  for (const BodyContact& contact : self.handle().contacts()) {
    found.append(resultType("BodyContact")(
        handleOf(self.world, contact.other), contact.part.part, contact.part.triangle,
        contact.otherPart.part, contact.otherPart.triangle, toArray(contact.position),
        toArray(contact.normal), contact.gap, toArray(contact.impulse), contact.normalImpulse));
  }
  return found;
}

}  // namespace

void addBodySensors(BodyClass& type) {
  type.def("contact_force", &contactForce, py::arg("other") = py::none(),
           "Force [N] and torque about the centre of mass [N m] of its contacts in the last step, "
           "of all or of those with one other body.");
  type.def(
      "contact_force_on_part",
      [](const PythonBody& self, int part) {
        return pairOf(self.handle().contactForceOnPart(part));
      },
      py::arg("part"), "The same of the contacts on one child of its compound.");
  type.def("contacts", &contactsOf,
           "Its contact points in the last step, as BodyContact. Some are only near and carry "
           "nothing.");
  type.def("imu", &imu, py::arg("position") = py::none(), py::arg("orientation") = py::none(),
           "What an inertial unit measures at a site of the reference frame [m], in the axes of "
           "the site: an Imu. None where there is no reading: before the first step, after "
           "restore(), set_pose() and changes of what the body is made of.");
}

}  // namespace drystone::python
