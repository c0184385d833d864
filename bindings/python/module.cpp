// The module drystone._drystone: conversions, errors, and contact problems on their own.

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/python/binding.h"
#include "core/input_error.h"
#include "core/wording.h"
#include "gpu/gpu_solvers.h"
#include "scenes/importing/import_model.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "solvers/driver/solve_stored.h"
#include "solvers/file/problem_arrays.h"
#include "solvers/file/problem_file.h"

namespace drystone::python {

std::string shapeText(const std::vector<py::ssize_t>& shape) {
  std::string text;
  for (const py::ssize_t size : shape) {
    text += (text.empty() ? "" : ", ") + (size < 0 ? "n" : std::to_string(size));
  }
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

std::string numberText(Real value) {
  return py::cast<std::string>(py::str("{:.6g}").format(value));
}

Real realOf(const py::handle& value, const char* name) {
  const bool isText = py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value);
  const Real number = isText ? -1 : PyFloat_AsDouble(value.ptr());
  if (isText || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw InputError(std::string(name) + " must be a number, got " +
                     py::cast<std::string>(py::repr(value)));
  }
  return number;
}

int countOf(const py::handle& value, const char* name, const char* remedy) {
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  const long long count = index ? PyLong_AsLongLong(index.ptr()) : -1;
  const bool isTooLarge = count > std::numeric_limits<int>::max();
  if (PyErr_Occurred() != nullptr || isTooLarge) {
    PyErr_Clear();
    throw InputError(std::string(name) + " must be a whole number, got " +
                     py::cast<std::string>(py::repr(value)) + remedy);
  }
  return static_cast<int>(std::max(count, -1LL));
}

std::int64_t placeOf(std::int64_t index, std::int64_t count, const char* what) {
  if (index < -count || index >= count) {
    throw InputError("there is no " + std::string(what) + " " + std::to_string(index) +
                     ": they count from 0 to " + std::to_string(count - 1) +
                     ", and from -1 down to " + std::to_string(-count));
  }
  return index < 0 ? index + count : index;
}

RealArray arrayOf(const py::handle& value, const char* name, std::vector<py::ssize_t> shape) {
  const std::string start = std::string(name) + " must ";
  const RealArray array = RealArray::ensure(value);
  if (!array) throw InputError(start + "be numbers, got " + py::cast<std::string>(py::repr(value)));
  bool fits = array.ndim() == static_cast<py::ssize_t>(shape.size());
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    fits = shape[i] < 0 || array.shape(static_cast<py::ssize_t>(i)) == shape[i];
  }
  if (!fits) {
    throw InputError(start + "have the shape " + shapeText(shape) + ", got " +
                     py::cast<std::string>(py::str(array.attr("shape"))));
  }
  for (py::ssize_t i = 0; i < array.size(); ++i) {
    if (!std::isfinite(array.data()[i])) {
      throw InputError(start + "be finite, got " + std::to_string(array.data()[i]) + " at place " +
                       std::to_string(i));
    }
  }
  return array;
}

Vec3 vectorOf(const py::handle& value, const char* name) {
  return Vec3(arrayOf(value, name, {3}).data());
}

Quat quaternionOf(const py::handle& value, const char* name) {
  const RealArray array = arrayOf(value, name, {4});
  const Quat rotation(array.at(0), array.at(1), array.at(2), array.at(3));
  if (std::abs(rotation.norm() - 1) > 1e-3) {
    throw InputError(std::string(name) + " must be a unit quaternion w, x, y, z, got length " +
                     std::to_string(rotation.norm()));
  }
  return rotation.normalized();
}

py::array_t<Real> toArray(const Vec3& vector) { return py::array_t<Real>(3, vector.data()); }

py::array_t<Real> toArray(const Quat& rotation) {
  const Real values[] = {rotation.w(), rotation.x(), rotation.y(), rotation.z()};
  return py::array_t<Real>(4, values);
}

py::object resultType(const char* name) {
  return py::module_::import("drystone.results").attr(name);
}

std::string jsonText(const py::object& value) {
  return py::cast<std::string>(py::module_::import("json").attr("dumps")(value));
}

Scene readSource(const std::string& source, const std::optional<std::string>& text,
                 const Overrides& overrides) {
  const SolverRegistry registry = allSolvers();
  SceneReadOptions options{.registry = &registry};
  for (const auto& [path, value] : overrides) options.overrides.push_back({path, value});
  return text ? readSceneText(*text, source, options, ".") : readScene(source, options);
}

Shape shapeOf(const py::object& shape, const char* function) {
  if (shape.is_none()) throw InputError(std::string(function) + ": shape is missing");
  const auto text = py::cast<std::string>(
      py::module_::import("drystone.shapes").attr("scene_of_shape")(shape, function));
  return *readSource(function, text, {}).bodies.front().shape;
}

SolverRegistry allSolvers() {
  SolverRegistry registry = makeDefaultRegistry();
  gpu::addGpuSolvers(registry);
  return registry;
}

namespace {

using IndexArray = py::array_t<int, py::array::c_style | py::array::forcecast>;
/// Entries of a sparse matrix: rows, columns, values.
using Entries = std::tuple<IndexArray, IndexArray, RealArray>;
using SparseColumns = Eigen::SparseMatrix<Real>;

SparseColumns matrixOf(const Entries& entries, py::ssize_t rows, py::ssize_t columns) {
  const auto& [row, column, value] = entries;
  std::vector<Eigen::Triplet<Real>> triplets;
  for (py::ssize_t k = 0; k < value.size(); ++k) {
    triplets.emplace_back(row.at(k), column.at(k), value.at(k));
  }
  SparseColumns matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

std::span<const Real> spanOf(const RealArray& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

RealArray copyOf(std::span<const Real> values) {
  return RealArray(static_cast<py::ssize_t>(values.size()), values.data());
}

py::dict solve(const StoredProblem& stored, const std::string& name, Real tolerance,
               const std::map<std::string, std::string>& settings, std::optional<int> iterations,
               Real seconds, const py::object& start) {
  std::vector<SolverSetting> list;
  for (const auto& [key, value] : settings) list.push_back({key, value});
  const RealArray given =
      start.is_none() ? RealArray(0) : arrayOf(start, "start", {stored.view().rowCount()});
  StoredAnswer found;
  {
    const py::gil_scoped_release unlocked;
    found = solveStored(stored, allSolvers(), {.name = name, .settings = list},
                        {.tolerance = tolerance, .iterations = iterations, .seconds = seconds},
                        spanOf(given));
  }
  const SolveResult& result = found.result;
  py::dict answer;
  answer["impulses"] = copyOf(found.impulses);
  answer["velocities"] = copyOf(found.velocities);
  answer["status"] = std::string(solveStatusName(result.solver.status));
  answer["reason"] = std::string(solveReasonName(result.reason));
  answer["within_tolerance"] = result.withinTolerance;
  answer["natural_map"] = result.judge.naturalMap;
  answer["relative"] = result.judge.relative;
  answer["energy_error"] = result.judge.energyMax;
  answer["cone_excess"] = result.judge.coneExcess;
  answer["iterations"] = result.solver.iterations;
  answer["time_ms"] = result.solver.timeMs;
  return answer;
}

/// The text of a scene, and what it lacks of the model.
py::tuple importFile(const std::string& path, const std::string& base, bool hold) {
  ImportOptions options{.holdJoints = hold};
  if (base == "fixed") options.base = RobotBase::kFixed;
  if (base == "free") options.base = RobotBase::kFree;
  const ImportedScene scene = importModel(path, options);
  return py::make_tuple(scene.text, scene.notes);
}

py::list listSolvers() {
  const SolverRegistry registry = allSolvers();
  py::list list;
  for (const std::string& name : registry.names()) {
    const SolverTraits& traits = registry.traits(name);
    py::dict entry;
    entry["name"] = name;
    entry["summary"] = std::string(traits.summary);
    entry["when"] = std::string(traits.whenToTake);
    entry["unavailable"] = std::string(traits.unavailable());
    list.append(entry);
  }
  return list;
}

}  // namespace

void addProblems(py::module_& module) {
  py::class_<ReadProblem> type(module, "StoredProblem");
  const auto wrap = [](StoredProblem problem) {
    ReadProblem read;
    read.problem = std::move(problem);
    return read;
  };
  type.def_static(
      "_delassus", [wrap](const Entries& matrix, const RealArray& q, const RealArray& mu) {
        return wrap(delassusProblem(matrixOf(matrix, q.size(), q.size()), spanOf(q), spanOf(mu)));
      });
  type.def_static("_bodies", [wrap](const Entries& mass, const Entries& jacobianT,
                                    const RealArray& f, const RealArray& w, const RealArray& mu) {
    return wrap(bodyProblem(matrixOf(mass, f.size(), f.size()),
                            matrixOf(jacobianT, f.size(), w.size()), spanOf(f), spanOf(w),
                            spanOf(mu)));
  });
  type.def_readonly("name", &ReadProblem::name);
  type.def_readonly("info", &ReadProblem::info, "What its file says of itself.");
  type.def_property_readonly(
      "rows", [](const ReadProblem& self) { return self.problem.view().rowCount(); });
  type.def_property_readonly(
      "contacts", [](const ReadProblem& self) { return self.problem.view().contactCount(); });
  type.def_property_readonly("friction_model", [](const ReadProblem& self) {
    return std::string(frictionModelName(self.problem.friction));
  });
  type.def_property_readonly(
      "solution", [](const ReadProblem& self) { return copyOf(self.solution); },
      "Impulses of the file, (rows,) [N s]; empty where it has none.");
  type.def("_solve", [](const ReadProblem& self, const std::string& solver, Real tolerance,
                        const std::map<std::string, std::string>& settings,
                        std::optional<int> iterations, Real seconds, const py::object& start) {
    return solve(self.problem, solver, tolerance, settings, iterations, seconds, start);
  });
  module.def("read_problem", &readProblemFile, py::arg("path"),
             "A stored contact problem, from JSON, HDF5 or FCLIB.");
  module.def("solvers", &listSolvers,
             "Solvers by name, with a summary, when to take them, and why one cannot run here.");
  module.def("_import_model", &importFile);
  module.def("_near", [](const std::string& name, const std::vector<std::string>& names) {
    constexpr std::size_t kListed = 20;  // names that help
    const bool helps = names.size() <= kListed || !nearNames(name, names).empty();
    return helps ? "; " + didYouMean(name, names) : "";
  });
  module.def("scenes", &librarySceneNames, "Names of the scenes that come with the library.");
}

}  // namespace drystone::python

PYBIND11_MODULE(_drystone, module) {
  using namespace drystone::python;
  addErrors(module);
  module.attr("__version__") = DRYSTONE_VERSION;
  addReport(module);
  addBodies(module);
  addJoints(module);
  addWorld(module);
  addBatches(module);
  addDrawing(module);
  addRecordings(module);
  addProblems(module);
}
