#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "scenes/keyed_world.h"

/// What the files of the Python module share. Python calls come one at a time, under its global
/// lock; only steps and solves run without it.
namespace drystone::python {

namespace py = pybind11;
using RealArray = py::array_t<Real, py::array::c_style | py::array::forcecast>;

/// A world that Python objects share: each body and joint keeps its world alive.
struct SharedWorld {
  KeyedWorld keyed;
  bool isBusy = false;  ///< another thread steps it, without Python's lock

  /// The world, to read and to change. Both throw std::runtime_error while it is busy.
  World& idle();
  KeyedWorld& idleKeyed();
};
using WorldPointer = std::shared_ptr<SharedWorld>;

/// Numbers of Python as an array. Throws InputError that names the argument unless they are finite
/// and of this shape; -1 stands for any length.
RealArray arrayOf(const py::handle& value, const char* name, std::vector<py::ssize_t> shape);
Vec3 vectorOf(const py::handle& value, const char* name);
/// Of w, x, y, z; throws InputError unless the length is 1 to 1e-3, as in scene files.
Quat quaternionOf(const py::handle& value, const char* name);
py::array_t<Real> toArray(const Vec3& vector);
py::array_t<Real> toArray(const Quat& rotation);  ///< w, x, y, z

SolverRegistry allSolvers();  ///< with those for CUDA devices

/// A body or joint as Python has it; both throw InputError once it was removed.
py::object bodyObject(const WorldPointer& world, BodyId id);
py::object jointObject(const WorldPointer& world, JointId id);
BodyId bodyIdOf(const WorldPointer& world, const py::handle& body);  ///< of a Body of this world
JointId jointIdOf(const WorldPointer& world,
                  const py::handle& joint);  ///< of a Joint of this world

void addHandles(py::module_& module);  ///< Body, Joint
void addWorld(py::module_& module);    ///< World, StepReport
void addProblems(py::module_& module);

}  // namespace drystone::python
