// What a body is made of, for Python: read from its definition, and changed between steps.

#include <pybind11/stl.h>

#include <cmath>

#include "bindings/python/handles.h"

namespace drystone::python {
namespace {

constexpr std::pair<const char*, BodyKind> kKinds[] = {{"dynamic", BodyKind::kDynamic},
                                                       {"static", BodyKind::kStatic},
                                                       {"kinematic", BodyKind::kKinematic}};

const char* kindName(BodyKind kind) {
  for (const auto& [name, value] : kKinds) {
    if (value == kind) return name;
  }
  return "";
}

void setKind(const PythonBody& self, const std::string& kind) {
  for (const auto& [name, value] : kKinds) {
    if (kind == name) return self.handle().setKind(value);
  }
  throw InputError("kind must be dynamic, static or kinematic, got '" + kind + "'");
}

/// In the reference frame; of a body that was given a density, those of its shape.
MassProperties massOf(const BodyDefinition& body) {
  if (body.kind != BodyKind::kDynamic) return {};
  return body.mass ? *body.mass : massProperties(*body.shape, body.density);
}

Mat3 inertiaOf(const py::object& value) {
  if (py::len(value) == 3 && !py::hasattr(value[py::int_(0)], "__len__")) {
    return vectorOf(value, "inertia").asDiagonal();
  }
  const RealArray rows = arrayOf(value, "inertia", {3, 3});
  return Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>(rows.data());
}

void setMass(const PythonBody& self, const py::object& value, const py::object& inertia,
             const py::object& centerOfMass) {
  const BodyHandle body = self.handle();
  if (body.kind() != BodyKind::kDynamic) {
    throw InputError("mass: body '" + std::string(body.name()) +
                     "' is not dynamic and has none: set its kind first");
  }
  const Real mass = realOf(value, "mass");
  // Else the inertia that follows from it is named as well.
  if (!(mass > 0 && std::isfinite(mass))) {
    throw InputError("mass: body '" + std::string(body.name()) +
                     "': must be above 0 and finite [kg], got " +
                     py::cast<std::string>(py::repr(value)));
  }
  MassProperties next = massOf(body.definition());
  if (inertia.is_none())
    next.inertia *= mass / next.mass;
  else
    next.inertia = inertiaOf(inertia);
  next.mass = mass;
  if (!centerOfMass.is_none()) next.centerOfMass = vectorOf(centerOfMass, "center_of_mass");
  body.setMass(next);
}

RealArray inertia(const PythonBody& self) {
  const Mat3 value = massOf(self.handle().definition()).inertia;
  return RealArray({3, 3}, value.data());  // symmetric: rows are columns
}

void setShape(const PythonBody& self, const py::object& shape, const std::string& mass) {
  if (mass != "kept" && mass != "by_density") {
    throw InputError("set_shape: mass must be kept or by_density, got '" + mass + "'");
  }
  std::optional<Shape> next;
  if (!shape.is_none()) next = shapeOf(shape, "set_shape");
  self.handle().setShape(std::move(next),
                         mass == "kept" ? ShapeMass::kKept : ShapeMass::kByDensity);
}

/// Dicts, each with its "time" and what `take`(key, name, value) takes of the fields.
template <class Key, class Take>
std::vector<Key> keysOf(const py::object& list, const char* fields, Take&& take) {
  std::vector<Key> keys;
  const auto refuse = [](const py::handle& wrong) {
    throw InputError("keys must be a list of dicts, each with its time, got " +
                     py::cast<std::string>(py::repr(wrong)));
  };
  if (!py::isinstance<py::list>(list) && !py::isinstance<py::tuple>(list)) refuse(list);
  for (const py::handle& item : list) {
    if (!py::isinstance<py::dict>(item)) refuse(item);
    Key& key = keys.emplace_back();
    for (const auto& [name, value] : py::cast<py::dict>(item)) {
      const auto text = py::cast<std::string>(name);
      if (text == "time") {
        key.time = realOf(value, "time");
      } else if (!take(key, text, value)) {
        throw InputError("a key has time" + std::string(fields) + ", not '" + text + "'");
      }
    }
  }
  return keys;
}

/// Takes a vector where it has the wanted name.
bool takeVector(const std::string& name, const py::handle& value, const char* wanted, Vec3& to) {
  if (name != wanted) return false;
  to = vectorOf(value, wanted);
  return true;
}

void setMotion(const PythonBody& self, const py::object& keys) {
  self.handle().setMotion(keysOf<VelocityKey>(
      keys, ", velocity and angular_velocity", [](auto& key, const auto& name, const auto& value) {
        return takeVector(name, value, "velocity", key.linear) ||
               takeVector(name, value, "angular_velocity", key.angular);
      }));
}

void setForces(const PythonBody& self, const py::object& keys) {
  self.handle().setForces(keysOf<ForceKey>(keys, ", force and torque",
                                           [](auto& key, const auto& name, const auto& value) {
                                             return takeVector(name, value, "force", key.force) ||
                                                    takeVector(name, value, "torque", key.torque);
                                           }));
}

void setAdhesion(const PythonBody& self, const py::object& keys) {
  self.handle().setAdhesion(
      keysOf<AdhesionKey>(keys, " and force", [](auto& key, const auto& name, const auto& value) {
        if (name != "force") return false;
        key.force = realOf(value, "force");
        return true;
      }));
}

void setPartMaterials(const PythonBody& self, const std::vector<py::object>& names) {
  std::vector<MaterialId> materials;
  for (const py::object& name : names) {
    materials.push_back(name.is_none() ? -1 : self.world->materialNamed(name));
  }
  self.handle().setPartMaterials(std::move(materials));
}

void setLockedAxes(const PythonBody& self, const std::array<bool, 3>& translations,
                   const std::array<bool, 3>& rotations) {
  self.handle().setLockedAxes({.translation = translations, .rotation = rotations});
}

void addSurface(BodyClass& type) {
  addSetting(
      type, "group", [](const BodyDefinition& body) { return body.filter.group; },
      [](const PythonBody& self, std::uint32_t group) {
        const BodyHandle body = self.handle();
        body.setFilter({.group = group, .mask = body.definition().filter.mask});
      },
      "Collision groups of the body, one bit each.");
  addSetting(
      type, "mask", [](const BodyDefinition& body) { return body.filter.mask; },
      [](const PythonBody& self, std::uint32_t mask) {
        const BodyHandle body = self.handle();
        body.setFilter({.group = body.definition().filter.group, .mask = mask});
      },
      "Groups that the body collides with, one bit each.");
  type.def_property(
      "material",
      [](const PythonBody& self) {
        return self.world->materialName(self.handle().definition().material);
      },
      [](const PythonBody& self, const py::object& name) {
        self.handle().setMaterial(self.world->materialNamed(name));
      },
      "Name of its material; None: the default one.");
  type.def("set_part_materials", &setPartMaterials, py::arg("materials"),
           "Materials by name of the children of a compound, or of the triangles of a mesh or "
           "height field; None: that of the body. Empty: the same for all.");
  addSetting(
      type, "surface_velocity",
      [](const BodyDefinition& body) { return toArray(body.surfaceVelocity); },
      [](const PythonBody& self, const py::object& velocity) {
        self.handle().setSurfaceVelocity(vectorOf(velocity, "surface_velocity"));
      },
      "Of the surface relative to the body, as of a belt, reference frame (3,) [m/s].");
  type.def_property(
      "adhesion", [](const PythonBody& self) { return self.handle().adhesion(); },
      [](const PythonBody& self, Real force) { self.handle().setAdhesion(force); },
      "Pull on what it touches in the next step, as of a suction cup or a magnet [N]. Set, it "
      "holds "
      "from now on; 0 lets go.");
  type.def("set_adhesion", &setAdhesion, py::arg("keys"),
           "The same over time: dicts of time [s] and force [N], which holds until the next key. "
           "Empty: none.");
  addSetting(
      type, "is_sensor", [](const BodyDefinition& body) { return body.isSensor; },
      [](const PythonBody& self, bool isSensor) { self.handle().setSensor(isSensor); },
      "Passes through everything, and only reports what its shape touches.");
  type.def("set_shape", &setShape, py::arg("shape"), py::arg("mass") = "kept",
           "Another shape; None: it collides with nothing. The mass is 'kept', or 'by_density' "
           "follows from the new shape.");
}

void addMotion(BodyClass& type) {
  addSetting(
      type, "allow_sleep", [](const BodyDefinition& body) { return body.allowSleep; },
      [](const PythonBody& self, bool allow) { self.handle().setAllowSleep(allow); },
      "False: keeps itself, and what it touches, awake.");
  addSetting(
      type, "linear_damping", [](const BodyDefinition& body) { return body.linearDamping; },
      [](const PythonBody& self, Real rate) {
        const BodyHandle body = self.handle();
        body.setDamping(rate, body.definition().angularDamping);
      },
      "Rate c at which its velocity decays [1/s]: a step of h divides it by 1 + h c.");
  addSetting(
      type, "angular_damping", [](const BodyDefinition& body) { return body.angularDamping; },
      [](const PythonBody& self, Real rate) {
        const BodyHandle body = self.handle();
        body.setDamping(body.definition().linearDamping, rate);
      },
      "Likewise of its angular velocity [1/s].");
  addSetting(
      type, "gravity_scale", [](const BodyDefinition& body) { return body.gravityScale; },
      [](const PythonBody& self, Real scale) { self.handle().setGravityScale(scale); },
      "Factor of the world's gravity.");
  addSetting(
      type, "locked_axes",
      [](const BodyDefinition& body) {
        return std::make_pair(body.lockedAxes.translation, body.lockedAxes.rotation);
      },
      [](const PythonBody& self,
         const std::pair<std::array<bool, 3>, std::array<bool, 3>>& locked) {
        setLockedAxes(self, locked.first, locked.second);
      },
      "Translations along and rotations about the world's x, y, z that it never does: two triples "
      "of bools.");
  type.def("set_motion", &setMotion, py::arg("keys"),
           "Velocities over time of a kinematic body: dicts of time [s], velocity [m/s], "
           "angular_velocity [rad/s], linear between them. Empty: it goes on as it moves.");
  type.def("set_forces", &setForces, py::arg("keys"),
           "Loads over time of a dynamic body: dicts of time [s], force [N], torque [N m], linear "
           "between them. Empty: none.");
}

}  // namespace

void addBodyChanges(BodyClass& type) {
  type.def_property(
      "kind", [](const PythonBody& self) { return kindName(self.handle().kind()); }, &setKind,
      "'dynamic', 'static' or 'kinematic'. A new kind keeps only what it can have.");
  type.def_property(
      "mass", [](const PythonBody& self) { return self.handle().mass(); },
      [](const PythonBody& self, const py::object& mass) {
        setMass(self, mass, py::none(), py::none());
      },
      "Mass [kg]; infinite unless dynamic. Set, the inertia changes by the same factor.");
  type.def("set_mass", &setMass, py::arg("mass"), py::arg("inertia") = py::none(),
           py::arg("center_of_mass") = py::none(),
           "Mass [kg], inertia about the centre of mass, (3,) or (3, 3) [kg m^2], and centre of "
           "mass [m], in the reference frame. What is not given stays, the inertia scaled by the "
           "mass.");
  type.def(
      "set_density",
      [](const PythonBody& self, Real density) { self.handle().setDensity(density); },
      py::arg("density"), "Density [kg/m^3]: the mass is that of the shape.");
  type.def_property_readonly(
      "inertia", &inertia,
      "About the centre of mass, axes of the reference frame, (3, 3) [kg m^2]; 0 unless dynamic.");
  addSurface(type);
  addMotion(type);
}

}  // namespace drystone::python
