#pragma once

#include <functional>
#include <optional>

#include "bindings/python/binding.h"
#include "core/input_error.h"

/// Bodies and joints of a world for Python. Each call looks its body up, so that a stale one
/// raises.
namespace drystone::python {

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

using BodyClass = py::class_<PythonBody>;
using JointClass = py::class_<PythonJoint>;

template <class Handle>
std::size_t hashOf(const Handle& handle) {
  return std::hash<const void*>()(handle.world.get()) ^
         (static_cast<std::size_t>(handle.id.generation) << 32 ^
          static_cast<unsigned>(handle.id.index));
}

/// What names a body or joint: equality, hash, `exists`, `name`, and the user's number.
template <class Handle>
void addIdentity(py::class_<Handle>& type) {
  type.def(
      "__eq__", [](const Handle& self, const Handle& other) { return self == other; },
      py::is_operator());
  type.def("__hash__", &hashOf<Handle>);
  type.def_property_readonly(
      "exists", [](const Handle& self) { return self.world->idle().contains(self.id); },
      "False once it was removed, or broke.");
  type.def_property_readonly("name",
                             [](const Handle& self) { return std::string(self.handle().name()); });
  type.def_property(
      "user_data", [](const Handle& self) { return self.handle().userData(); },
      [](const Handle& self, std::uint64_t data) { self.handle().setUserData(data); },
      "A number of yours, 0 to 2^64 - 1. No step reads it, and no saved state has it.");
}

/// A property of the definition that is set by a call of the handle.
template <class Handle, class Get, class Set>
void addSetting(py::class_<Handle>& type, const char* name, Get get, Set set, const char* doc) {
  type.def_property(
      name, [get](const Handle& self) { return get(self.handle().definition()); }, set, doc);
}

using Coordinate = std::optional<int>;
/// The coordinate that is asked for; without one the only one that is free. Throws InputError where
/// several are.
int coordinateOf(const JointHandle& joint, Coordinate asked);

/// A place that may be left out, with its orientation: the origin, and no turn.
Pose poseOf(const py::object& position, const py::object& orientation);

// What of a body or joint can be changed between steps: docs/live_changes.md.
void addBodyChanges(BodyClass& type);
void addJointChanges(JointClass& type);
void addBodySensors(BodyClass& type);

}  // namespace drystone::python
