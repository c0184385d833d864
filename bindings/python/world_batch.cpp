// Many copies of a world for Python: stepped without its lock, read and driven by arrays.

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/binding.h"
#include "core/input_error.h"
#include "core/wording.h"
#include "engine/world/world_batch.h"
#include "scenes/scene_builder.h"

namespace drystone::python {
namespace {

using Worlds = std::vector<int>;

/// Sets a flag while it lives.
struct Entered {
  explicit Entered(bool& isBusy) : flag(isBusy) { flag = true; }
  ~Entered() { flag = false; }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  bool& flag;
};

/// A batch, and whether a thread of Python is in it.
struct SharedBatch : WorldLender {
  SharedBatch(const std::string& source, const std::optional<std::string>& text,
              const Overrides& overrides, int count, int threads)
      : scene(readSource(source, text, overrides)),
        batch(
            count, [this] { return buildWorld(scene, allSolvers()); }, threads),
        lent(batch.count()) {}

  /// Calls `work` without Python's lock. Throws std::runtime_error where another thread does so.
  template <class Work>
  void alone(Work&& work) {
    if (isBusy) {
      throw std::runtime_error("another thread uses these worlds: wait until its call returned");
    }
    const Entered entered(isBusy);
    const py::gil_scoped_release unlocked;
    work();
  }

  py::ssize_t count() const { return batch.count(); }
  py::ssize_t bodies() const { return static_cast<py::ssize_t>(batch.bodies().size()); }
  py::ssize_t coordinates() const { return static_cast<py::ssize_t>(batch.coordinates().size()); }
  py::ssize_t motors() const { return static_cast<py::ssize_t>(batch.motors().size()); }

  Scene scene;
  WorldBatch batch;
  std::vector<std::weak_ptr<SharedWorld>> lent;  ///< worlds that Python has, by their numbers
};

/// One of the worlds. As long as Python has it, it is the same one, so that its bodies are.
WorldPointer lend(const std::shared_ptr<SharedBatch>& self, std::int64_t which) {
  const std::int64_t index = placeOf(which, self->count(), "world");
  std::weak_ptr<SharedWorld>& known = self->lent[index];
  if (WorldPointer world = known.lock()) return world;
  auto world = std::make_shared<SharedWorld>(self->batch.world(static_cast<int>(index)), self);
  for (const SceneMaterial& material : self->scene.materials) {
    world->lentMaterials.push_back(material.name);
  }
  if (self->scene.hasCamera) world->camera = self->scene.camera;
  known = world;
  return world;
}

std::span<const Real> numbersOf(const RealArray& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// Numbers for worlds; NaN leaves what is there. None: an empty array.
RealArray placesOf(const py::object& value, const char* name, std::vector<py::ssize_t> shape) {
  if (value.is_none()) return RealArray(0);
  RealArray array = RealArray::ensure(value);
  const bool isSame = array && array.ndim() == static_cast<py::ssize_t>(shape.size()) &&
                      std::equal(shape.begin(), shape.end(), array.shape());
  if (isSame) return array;
  PyErr_Clear();
  const std::string got = array ? "the shape " + py::cast<std::string>(py::str(array.attr("shape")))
                                : py::cast<std::string>(py::repr(value));
  throw InputError(std::string(name) + " must be numbers of shape " + shapeText(shape) + ", got " +
                   got);
}

void placeWorlds(SharedBatch& self, const Worlds& worlds, bool isReset, const py::object& positions,
                 const py::object& orientations, const py::object& velocities,
                 const py::object& coordinates, const py::object& rates) {
  const auto rows = static_cast<py::ssize_t>(worlds.size());
  const py::ssize_t n = self.bodies(), c = self.coordinates();
  const RealArray p = placesOf(positions, "positions", {rows, n, 3});
  const RealArray q = placesOf(orientations, "orientations", {rows, n, 4});
  const RealArray u = placesOf(velocities, "velocities", {rows, n, 6});
  const RealArray x = placesOf(coordinates, "coordinates", {rows, c});
  const RealArray v = placesOf(rates, "rates", {rows, c});
  const BatchPlaces places{numbersOf(p), numbersOf(q), numbersOf(u), numbersOf(x), numbersOf(v)};
  self.alone(
      [&] { isReset ? self.batch.reset(worlds, places) : self.batch.place(worlds, places); });
}

/// An array of that shape: the caller's, or a new one.
RealArray outOf(const py::object& out, std::vector<py::ssize_t> shape) {
  if (out.is_none()) return RealArray(std::move(shape));
  const bool isArray = py::isinstance<py::array_t<Real, py::array::c_style>>(out);
  if (isArray) {
    auto array = py::reinterpret_borrow<RealArray>(out);
    if (array.writeable() && array.ndim() == static_cast<py::ssize_t>(shape.size()) &&
        std::equal(shape.begin(), shape.end(), array.shape())) {
      return array;
    }
  }
  throw InputError(
      "out must be a writeable, contiguous array of float64 of the shape of the answer");
}

using Flags = py::array_t<bool>;

Flags flagsOf(std::span<const std::uint8_t> flags) {
  Flags array(static_cast<py::ssize_t>(flags.size()));
  std::ranges::transform(flags, array.mutable_data(), [](std::uint8_t flag) { return flag != 0; });
  return array;
}

/// Names of joints with their coordinates.
std::vector<std::pair<std::string, int>> namesOf(const SharedBatch& self,
                                                 const std::vector<BatchCoordinate>& list) {
  std::vector<std::pair<std::string, int>> names;
  for (const auto& [joint, coordinate] : list) {
    names.emplace_back(self.batch.world(0).joint(joint).name(), coordinate);
  }
  return names;
}

}  // namespace

void addBatches(py::module_& module) {
  py::class_<SharedBatch, std::shared_ptr<SharedBatch>> type(module, "VectorWorld", closedType());
  type.def(
      py::init<const std::string&, const std::optional<std::string>&, const Overrides&, int, int>(),
      py::arg("source"), py::arg("text"), py::arg("overrides"), py::arg("n"), py::arg("threads"));
  type.def_property_readonly("threads",
                             [](const SharedBatch& self) { return self.batch.threads(); });
  type.def("__len__", &SharedBatch::count);
  type.def("__repr__", [](const SharedBatch& self) {
    return "<VectorWorld of " + counted(self.count(), "world") + ", each with " +
           counted(self.bodies(), "body", "bodies") + ", " +
           counted(self.coordinates(), "coordinate") + " and " + counted(self.motors(), "motor") +
           ", on " + counted(self.batch.threads(), "thread") + ">";
  });
  type.def("_world", &lend);
  type.def(
      "step",
      [](SharedBatch& self, const py::object& n) {
        const int count =
            countOf(n, "step: n", ": it counts steps, whose length is the timestep of the worlds");
        self.alone([&] { self.batch.step(count); });
      },
      py::arg("n") = 1, "Advances each world by n timesteps.");
  type.def("_place", &placeWorlds);
  const auto set = [&type](const char* name, auto columns, auto member, const char* doc) {
    type.def(
        name,
        [name, columns, member](SharedBatch& self, const py::object& values) {
          const RealArray array = placesOf(values, name, {self.count(), (self.*columns)()});
          self.alone([&] { (self.batch.*member)(numbersOf(array)); });
        },
        py::arg("values"), doc);
  };
  set("set_forces", &SharedBatch::coordinates, &WorldBatch::setForces,
      "Forces and torques along the coordinates, (N, coordinates) [N], [N m], in every step until "
      "others are set or the world is reset.");
  set("set_motor_targets", &SharedBatch::motors, &WorldBatch::setMotorTargets,
      "Targets of the motors, (N, motors) [m], [rad] or their rates.");
  set("set_motor_caps", &SharedBatch::motors, &WorldBatch::setMotorCaps,
      "Largest forces of the motors, (N, motors) [N], [N m].");
  const auto read = [&type](const char* name, auto shape, auto member, const char* doc) {
    type.def(
        name,
        [shape, member](SharedBatch& self, const py::object& out) {
          RealArray array = outOf(out, shape(self));
          const std::span<Real> numbers(array.mutable_data(),
                                        static_cast<std::size_t>(array.size()));
          self.alone([&] { (self.batch.*member)(numbers); });
          return array;
        },
        py::arg("out") = py::none(), doc);
  };
  using Shape3 = std::vector<py::ssize_t>;
  const auto ofBodies = [](py::ssize_t columns) {
    return [columns](const SharedBatch& self) {
      return Shape3{self.count(), self.bodies(), columns};
    };
  };
  const auto ofJoints = [](const SharedBatch& self) {
    return Shape3{self.count(), self.coordinates()};
  };
  read("positions", ofBodies(3), &WorldBatch::readPositions, "(N, bodies, 3) [m].");
  read("orientations", ofBodies(4), &WorldBatch::readOrientations, "(N, bodies, 4) w, x, y, z.");
  read("velocities", ofBodies(6), &WorldBatch::readVelocities,
       "Of the centres of mass [m/s], then angular [rad/s], (N, bodies, 6).");
  read("coordinates", ofJoints, &WorldBatch::readCoordinates, "(N, coordinates) [m], [rad].");
  read("rates", ofJoints, &WorldBatch::readRates, "(N, coordinates) [m/s], [rad/s].");
  type.def_property_readonly(
      "within_tolerance",
      [](const SharedBatch& self) { return flagsOf(self.batch.withinTolerance()); },
      "(N,): all steps of the last step() were within tolerance.");
  type.def_property_readonly(
      "diverged", [](const SharedBatch& self) { return flagsOf(self.batch.diverged()); },
      "(N,): diverged, and not stepped any more until it is reset or placed.");
  type.def_property_readonly(
      "body_names",
      [](const SharedBatch& self) {
        std::vector<std::string> names;
        for (const BodyId id : self.batch.bodies()) {
          names.emplace_back(self.batch.world(0).body(id).name());
        }
        return names;
      },
      "In the order of the arrays.");
  type.def_property_readonly(
      "coordinate_names",
      [](const SharedBatch& self) { return namesOf(self, self.batch.coordinates()); },
      "Joint and coordinate, ALONG_X to ABOUT_Z, in the order of the arrays.");
  type.def_property_readonly(
      "motor_names", [](const SharedBatch& self) { return namesOf(self, self.batch.motors()); },
      "Likewise, of motors.");
  type.def_property_readonly(
      "timestep", [](const SharedBatch& self) { return self.batch.world(0).settings().timestep; },
      "[s].");
  type.def(
      "hash",
      [](SharedBatch& self, std::int64_t world) {
        const auto index = static_cast<int>(placeOf(world, self.count(), "world"));
        return self.batch.world(index).observe().hash();
      },
      py::arg("world"), "Hash of the state of one world.");
}

}  // namespace drystone::python
