// Forces that make a wanted motion.

#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/binding.h"
#include "core/input_error.h"
#include "engine/statics/inverse_dynamics.h"

namespace drystone::python {
namespace {

/// u⁺ of the dynamic bodies from rows of accelerations, one for each body.
std::vector<WantedVelocity> wantedOf(const World& world, const RealArray& accelerations) {
  const Real h = world.settings().substep();
  std::vector<WantedVelocity> out;
  py::ssize_t row = 0;
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    const Vec6 acceleration(accelerations.data(row++, 0));
    if (body.kind() == BodyKind::kDynamic) {
      out.push_back({id, body.linearVelocity() + h * acceleration.head<3>(),
                     body.angularVelocity() + h * acceleration.tail<3>()});
    } else if (!acceleration.isZero(0)) {
      throw InputError("inverse_dynamics: body '" + std::string(body.name()) +
                       "' moves by itself or not at all: its row of accelerations must be 0");
    }
  }
  return out;
}

py::dict contactForces(const std::vector<StaticContact>& contacts, const Rows& rows) {
  const auto count = static_cast<py::ssize_t>(contacts.size());
  RealArray position({count, py::ssize_t{3}}), normal({count, py::ssize_t{3}});
  RealArray force({count, py::ssize_t{3}}), normalForce(count), friction(count);
  IndexArray bodyA(count), bodyB(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const StaticContact& contact = contacts[static_cast<std::size_t>(i)];
    putVector(contact.position, position.mutable_data(i, 0));
    putVector(contact.normal, normal.mutable_data(i, 0));
    putVector(contact.force, force.mutable_data(i, 0));
    normalForce.mutable_at(i) = contact.normalForce;
    friction.mutable_at(i) = contact.friction;
    bodyA.mutable_at(i) = rows.of(contact.bodyA);
    bodyB.mutable_at(i) = rows.of(contact.bodyB);
  }
  py::dict result;
  result["body_a"] = bodyA;
  result["body_b"] = bodyB;
  result["position"] = position;
  result["normal"] = normal;
  result["force"] = force;
  result["normal_force"] = normalForce;
  result["friction_force"] = friction;
  return result;
}

py::dict blockedContacts(const std::vector<BlockedContact>& blocked, const Rows& rows, Real h) {
  const auto count = static_cast<py::ssize_t>(blocked.size());
  RealArray position({count, py::ssize_t{3}}), acceleration(count);
  IndexArray bodyA(count), bodyB(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const BlockedContact& contact = blocked[static_cast<std::size_t>(i)];
    putVector(contact.position, position.mutable_data(i, 0));
    acceleration.mutable_at(i) = contact.speed / h;
    bodyA.mutable_at(i) = rows.of(contact.bodyA);
    bodyB.mutable_at(i) = rows.of(contact.bodyB);
  }
  py::dict result;
  result["body_a"] = bodyA;
  result["body_b"] = bodyB;
  result["position"] = position;
  result["acceleration"] = acceleration;
  return result;
}

py::object answerObject(const WorldPointer& self, const InverseAnswer& answer) {
  const World& world = self->idle();
  const Rows rows(world.bodies());
  const Real h = world.settings().substep();
  py::list motors;
  for (const WantedMotor& one : answer.motors) {
    motors.append(resultType("MotorForce")(jointObject(self, one.joint), one.coordinate, one.force,
                                           one.most));
  }
  const auto count = static_cast<py::ssize_t>(world.bodies().size());
  RealArray lacks({count, py::ssize_t{6}}), lacking({count, py::ssize_t{6}});
  const Real none = answer.isSolved ? 0 : std::numeric_limits<Real>::quiet_NaN();
  std::fill_n(lacks.mutable_data(), lacks.size(), none);
  std::fill_n(lacking.mutable_data(), lacking.size(), none);
  for (const LackingMotion& one : answer.lacks) {
    const py::ssize_t row = rows.of(one.body);
    putVector(one.force, lacks.mutable_data(row, 0));
    putVector(one.torque, lacks.mutable_data(row, 3));
    putVector(one.linear / h, lacking.mutable_data(row, 0));
    putVector(one.angular / h, lacking.mutable_data(row, 3));
  }
  return resultType("InverseAnswer")(
      answer.isPossible, answer.isSolved, motors, contactForces(answer.contacts, rows), lacks,
      lacking, blockedContacts(answer.blocked, rows, h), answer.error, answer.reason);
}

py::object inverseDynamics(const WorldPointer& self, const py::object& accelerations,
                           std::optional<Real> reach) {
  World& world = self->idleOwn("inverse_dynamics").world;
  if (self->isBusy) throw InputError("inverse_dynamics: not from within a callback of a step");
  const auto count = static_cast<py::ssize_t>(world.bodies().size());
  const std::vector<WantedVelocity> wanted =
      wantedOf(world, arrayOf(accelerations, "accelerations", {count, 6}));
  return answerObject(self, InverseDynamics(world, reach).answer(wanted));
}

}  // namespace

void addInverseDynamics(WorldClass& type) {
  type.def("_inverse_dynamics", &inverseDynamics, py::arg("accelerations"), py::arg("reach"));
}

}  // namespace drystone::python
