// Functions of Python that a step asks: which pairs meet, and what becomes of a contact point.

#include <pybind11/stl.h>

#include "bindings/python/binding.h"
#include "core/input_error.h"

namespace drystone::python {
namespace {

/// One contact point as a modifier has it. A copy: keeping it does no harm.
struct PythonContact {
  WorldPointer world;
  ContactChange change;
};

/// Lets this thread of a step into Python, and its functions read the world meanwhile.
class Calling {
 public:
  explicit Calling(const WorldPointer& world) : world_(*world) { world_.isCalling = true; }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;
  ~Calling() { world_.isCalling = false; }

 private:
  py::gil_scoped_acquire locked_;
  SharedWorld& world_;
};

/// Only True and False: a function that ends without a return gives None, and no pair would meet.
bool truthOf(const py::object& answer) {
  const auto type = py::cast<std::string>(py::type::of(answer).attr("__name__"));
  if (type == "bool" || type == "bool_") return answer.cast<bool>();
  throw InputError("pair filter must return True or False, got " +
                   py::cast<std::string>(py::repr(answer)));
}

/// The world of Python keeps the function (drystone.world), where its garbage collector sees that
/// the two may hold each other. Nothing else steps this world.
void setPairFilter(const WorldPointer& self, const py::object& function) {
  World& world = self->idleOwn("set_pair_filter").world;
  if (function.is_none()) return world.setPairFilter({});
  world.setPairFilter([weak = std::weak_ptr(self), kept = function.ptr()](BodyId a, BodyId b) {
    const WorldPointer shared = weak.lock();
    const Calling calling(shared);
    const auto call = py::reinterpret_borrow<py::function>(kept);
    return truthOf(call(handleOf(shared, a), handleOf(shared, b)));
  });
}

void setContactModifier(const WorldPointer& self, const py::object& function) {
  World& world = self->idleOwn("set_contact_modifier").world;
  if (function.is_none()) return world.setContactModifier({});
  world.setContactModifier(
      [weak = std::weak_ptr(self), kept = function.ptr()](ContactChange& contact) {
        const WorldPointer shared = weak.lock();
        const Calling calling(shared);
        const auto call = py::reinterpret_borrow<py::function>(kept);
        const py::object seen = py::cast(PythonContact{shared, contact});
        call(seen);
        contact = seen.cast<const PythonContact&>().change;
      });
}

using ContactClass = py::class_<PythonContact>;

/// A property that only tells.
template <class Get>
void addReading(ContactClass& type, const char* name, Get get, const char* doc) {
  type.def_property_readonly(
      name, [get](const PythonContact& self) { return get(self.change); }, doc);
}

/// A number of the material that the two bodies make together.
template <class Value>
void addValue(ContactClass& type, const char* name, Value Material::*value, const char* doc) {
  type.def_property(
      name, [value](const PythonContact& self) { return self.change.material.*value; },
      [value](PythonContact& self, Value next) { self.change.material.*value = next; }, doc);
}

void addContact(py::module_& module) {
  ContactClass type(module, "ContactChange", closedType(),
                    "One contact point before a step uses it, in world axes. What can be set is "
                    "the material of the two bodies, surface_velocity and is_disabled.");
  type.def_property_readonly(
      "body_a", [](const PythonContact& self) { return handleOf(self.world, self.change.bodyA); });
  type.def_property_readonly(
      "body_b", [](const PythonContact& self) { return handleOf(self.world, self.change.bodyB); });
  type.def("__repr__", [](const PythonContact& self) {
    const auto nameOf = [&self](BodyId id) {
      return py::cast<std::string>(py::str(handleOf(self.world, id).attr("name")));
    };
    return "<ContactChange of '" + nameOf(self.change.bodyA) + "' and '" +
           nameOf(self.change.bodyB) + "', gap " + numberText(self.change.gap) + " m>";
  });
  addReading(
      type, "part_a", [](const ContactChange& c) { return c.partA.part; },
      "Child of a compound; -1: the shape is none.");
  addReading(
      type, "part_b", [](const ContactChange& c) { return c.partB.part; }, "Likewise of body b.");
  addReading(
      type, "triangle_a", [](const ContactChange& c) { return c.partA.triangle; },
      "Of a mesh or height field; -1: it is neither.");
  addReading(
      type, "triangle_b", [](const ContactChange& c) { return c.partB.triangle; },
      "Likewise of body b.");
  addReading(
      type, "position", [](const ContactChange& c) { return toArray(c.position); }, "(3,) [m].");
  addReading(
      type, "normal", [](const ContactChange& c) { return toArray(c.normal); },
      "Unit, from a to b, (3,).");
  addReading(
      type, "gap", [](const ContactChange& c) { return c.gap; },
      "At the start of the inner step; negative: overlap [m].");
  addReading(
      type, "velocity", [](const ContactChange& c) { return toArray(c.velocity); },
      "Of b's point relative to a's at the start of the inner step, (3,) [m/s].");
  addValue(type, "friction", &Material::friction, "Coefficient of friction.");
  addValue(type, "restitution", &Material::restitution, "Along the normal, 0 to 1.");
  addValue(type, "tangential_restitution", &Material::tangentialRestitution,
           "Along the tangents, -1 to 1.");
  addValue(type, "compliance", &Material::compliance,
           "Of its rows [1/kg]; None: that of the world.");
  addValue(type, "stiffness", &Material::stiffness,
           "Of the contact point [N/m]; None: it is rigid, or yields by its compliance.");
  addValue(type, "damping", &Material::damping, "Of the contact point [N s/m], with a stiffness.");
  addValue(type, "contensou_radius", &Material::contensouRadius,
           "Effective radius of the contensou model [m].");
  addValue(type, "rolling_resistance", &Material::rollingResistance,
           "Arm of the rolling model [m].");
  addValue(type, "adhesion", &Material::adhesion,
           "Pull of its two bodies on each other, which their contact points share [N].");
  type.def_property(
      "surface_velocity",
      [](const PythonContact& self) { return toArray(self.change.surfaceVelocity); },
      [](PythonContact& self, const py::object& velocity) {
        self.change.surfaceVelocity = vectorOf(velocity, "surface_velocity");
      },
      "Of b's surface relative to a's, on top of the motion of the bodies, (3,) [m/s].");
  type.def_property(
      "is_disabled", [](const PythonContact& self) { return self.change.isDisabled; },
      [](PythonContact& self, bool isDisabled) { self.change.isDisabled = isDisabled; },
      "True: there is no such contact in this inner step.");
}

}  // namespace

void addCallbacks(py::module_& module, WorldClass& type) {
  addContact(module);
  type.def("_set_pair_filter", &setPairFilter);
  type.def("_set_contact_modifier", &setContactModifier);
}

}  // namespace drystone::python
