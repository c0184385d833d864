// Materials of a world for Python, by name; None names the default one.

#include <pybind11/stl.h>

#include <algorithm>

#include "bindings/python/binding.h"
#include "core/input_error.h"

namespace drystone::python {
namespace {

/// By the keys of scene files; what is not given is not there.
py::dict material(SharedWorld& self, const py::object& name) {
  const MaterialId id = self.materialNamed(name);
  const Material& material = self.idle().material(id);
  py::dict keys;
  keys["friction"] = material.friction;
  if (material.frictionAcross) {
    keys["friction_across"] = *material.frictionAcross;
    keys["friction_direction"] = toArray(material.frictionDirection);
  }
  keys["restitution"] = material.restitution;
  keys["tangential_restitution"] = material.tangentialRestitution;
  if (material.compliance) keys["compliance"] = *material.compliance;
  if (material.stiffness) keys["stiffness"] = *material.stiffness;
  if (material.damping) keys["damping"] = *material.damping;
  if (material.youngsModulus) {
    keys["youngs_modulus"] = *material.youngsModulus;
    keys["poissons_ratio"] = material.poissonsRatio;
    keys["contact_area"] = *material.contactArea;
    keys["contact_points"] = material.contactPoints;
  }
  keys["contensou_radius"] = material.contensouRadius;
  keys["rolling_resistance"] = material.rollingResistance;
  keys["adhesion"] = material.adhesion;
  return keys;
}

void setMaterial(SharedWorld& self, const py::object& name, const std::string& text) {
  const MaterialId id = self.materialNamed(name);
  World& world = self.idle();
  Material next = readSource("set_material", text, {}).materials.front().material;
  next.userData = world.material(id).userData;
  world.setMaterial(id, next);
}

/// The text has both materials and the pair.
void setMaterialPair(SharedWorld& self, const py::object& a, const py::object& b,
                     const std::string& text) {
  const MaterialId first = self.materialNamed(a), second = self.materialNamed(b);
  self.idle().setMaterialPair(first, second,
                              readSource("set_material_pair", text, {}).pairs.front().material);
}

}  // namespace

MaterialId SharedWorld::materialNamed(const py::object& name) const {
  if (name.is_none()) return 0;
  const auto text = py::cast<std::string>(py::str(name));
  const std::vector<std::string>& names = materials();
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<MaterialId>(found - names.begin()) + 1;
  throw InputError("there is no material '" + text + "': add_material makes one");
}

py::object SharedWorld::materialName(MaterialId id) const {
  return id == 0 ? py::object(py::none()) : py::object(py::str(materials()[id - 1]));
}

void addMaterials(WorldClass& type) {
  type.def("_add_material",
           [](SharedWorld& self, const std::string& name, const std::string& keys) {
             addMaterial(self.idleOwn("add_material"), name, keys);
           });
  type.def("_set_material", &setMaterial);
  type.def("_set_material_pair", &setMaterialPair);
  type.def("material", &material, py::arg("name") = py::none(),
           "A material by its name, as a dict of its keys; None: the default one.");
}

}  // namespace drystone::python
