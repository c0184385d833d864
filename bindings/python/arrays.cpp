// What a world is at present as arrays, which are copies, in the order of World.bodies.

#include <algorithm>

#include "bindings/python/binding.h"

namespace drystone::python {

Rows::Rows(const std::vector<BodyId>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    rows_.emplace(bodies[i].index, static_cast<py::ssize_t>(i));
  }
}

py::ssize_t Rows::of(BodyId id) const {
  const auto found = rows_.find(id.index);
  return found == rows_.end() ? -1 : found->second;
}

void putVector(const Vec3& vector, Real* row) { std::copy_n(vector.data(), 3, row); }

void putRotation(const Quat& rotation, Real* row) {
  row[0] = rotation.w();
  putVector(rotation.vec(), row + 1);
}

py::dict contactArrays(const std::vector<ContactSnapshot>& contacts, const Rows& rows) {
  const auto count = static_cast<py::ssize_t>(contacts.size());
  RealArray position({count, py::ssize_t{3}}), normal({count, py::ssize_t{3}});
  RealArray impulse({count, py::ssize_t{3}}), gap(count), normalImpulse(count), friction(count);
  RealArray attraction(count);
  IndexArray bodyA(count), bodyB(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const ContactSnapshot& contact = contacts[i];
    putVector(contact.position, position.mutable_data(i, 0));
    putVector(contact.normal, normal.mutable_data(i, 0));
    putVector(contact.impulse, impulse.mutable_data(i, 0));
    gap.mutable_at(i) = contact.gap;
    normalImpulse.mutable_at(i) = contact.normalImpulse;
    attraction.mutable_at(i) = contact.attraction;
    friction.mutable_at(i) = contact.friction;
    bodyA.mutable_at(i) = rows.of(contact.bodyA);
    bodyB.mutable_at(i) = rows.of(contact.bodyB);
  }
  py::dict result;
  result["position"] = position;
  result["normal"] = normal;
  result["impulse"] = impulse;
  result["gap"] = gap;
  result["normal_impulse"] = normalImpulse;
  result["attraction"] = attraction;
  result["friction"] = friction;
  result["body_a"] = bodyA;
  result["body_b"] = bodyB;
  return result;
}

namespace {

/// An array with `columns` numbers of each body.
template <class Read>
RealArray bodyArray(SharedWorld& self, py::ssize_t columns, Read&& read) {
  const World& world = self.idle();
  const std::vector<BodyId> bodies = world.bodies();
  RealArray array({static_cast<py::ssize_t>(bodies.size()), columns});
  Real* row = array.mutable_data();
  for (const BodyId id : bodies) {
    read(world.body(id), row);
    row += columns;
  }
  return array;
}

RealArray positions(SharedWorld& self) {
  return bodyArray(self, 3, [](const ConstBodyHandle& body, Real* row) {
    putVector(body.pose().position, row);
  });
}

RealArray orientations(SharedWorld& self) {
  return bodyArray(self, 4, [](const ConstBodyHandle& body, Real* row) {
    putRotation(body.pose().rotation, row);
  });
}

RealArray velocities(SharedWorld& self) {
  return bodyArray(self, 6, [](const ConstBodyHandle& body, Real* row) {
    putVector(body.linearVelocity(), row);
    putVector(body.angularVelocity(), row + 3);
  });
}

py::dict contacts(SharedWorld& self) {
  World& world = self.idle();
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  return contactArrays(snapshot.contacts, Rows(world.bodies()));
}

}  // namespace

void addArrays(WorldClass& type) {
  type.def("positions", &positions, "Of the reference frames, (n, 3) [m].");
  type.def("orientations", &orientations, "Unit quaternions w, x, y, z, (n, 4).");
  type.def("velocities", &velocities,
           "Of the centres of mass [m/s], then angular [rad/s], world axes, (n, 6).");
  type.def("contacts", &contacts,
           "Contact points of the last step, as arrays by name: position (k, 3) [m], normal from a "
           "to b (k, 3), impulse on b (k, 3) [N s], gap [m], normal_impulse and "
           "attraction [N s], friction, body_a and body_b as rows of the other arrays.");
}

}  // namespace drystone::python
