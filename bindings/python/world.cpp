// Worlds for Python: what builds, fills, steps and saves them.

#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "bindings/python/binding.h"
#include "core/input_error.h"
#include "core/timer.h"
#include "core/wording.h"
#include "scenes/scene_reader.h"

namespace drystone::python {
namespace {

/// Between two looks at whether the user wants to interrupt a run [ms].
constexpr double kSignalInterval = 50;

/// What a recording says of the scene, so that it can be made again.
RecordingInfo sourceOf(const Scene& scene, const SceneSource& source, const Overrides& overrides) {
  RecordingInfo info{.scene = scene.name, .sceneLabel = source.label, .sceneText = source.text};
  for (const SceneFile& file : scene.attachments) info.files.push_back({file.name, file.text});
  py::list sets;
  for (const auto& [path, value] : overrides) sets.append(path + "=" + value);
  py::dict commandLine;
  if (py::len(sets) > 0) commandLine["set"] = sets;
  info.commandLine = jsonText(commandLine);
  return info;
}

WorldPointer makeWorld(const std::string& source, const std::optional<std::string>& text,
                       const Overrides& overrides) {
  const Scene scene = readSource(source, text, overrides);
  auto shared = std::make_shared<SharedWorld>(buildKeyedWorld(scene, allSolvers()));
  shared->warnings = scene.warnings;
  if (scene.hasCamera) shared->camera = scene.camera;
  shared->sourceBodies = std::ssize(scene.bodies);
  shared->source = sourceOf(
      scene, text ? SceneSource{.text = *text, .label = source} : findScene(source), overrides);
  return shared;
}

/// What was worst of the last step, and between which bodies; none where nothing was off.
py::object worstOf(const WorldPointer& self, const std::string& what) {
  const World& world = self->idle();
  const StepReport& report = world.lastReport();
  const std::map<std::string, std::pair<Real, BodyPair>> all = {
      {"residual", {report.naturalMap, {report.worst.bodyA, report.worst.bodyB}}},
      {"joint", {report.jointError, report.worstJointBodies}},
      {"overlap", {report.overlapError, report.worstOverlap}},
      {"forgiven", {report.overlapForgiven, report.worstForgiven}}};
  const auto found = all.find(what);
  if (found == all.end()) {
    throw InputError("worst: takes \"residual\", \"joint\", \"overlap\" or \"forgiven\", got \"" +
                     what + "\"");
  }
  const auto& [value, bodies] = found->second;
  if (value == 0) return py::none();
  const auto handle = [&](BodyId id) -> py::object {
    return world.contains(id) ? handleOf(self, id) : py::none();  // none: joined to the world
  };
  return py::make_tuple(value, handle(bodies.bodyA), handle(bodies.bodyB));
}

py::object addGear(const WorldPointer& self, const std::string& preset, const py::object& jointA,
                   const py::object& jointB, Real ratio, const std::string& name) {
  JointDefinition joint =
      presetGear(preset, jointIdOf(self, jointA), jointIdOf(self, jointB), ratio);
  joint.name = name;
  return jointObject(self, addJoint(self->idleOwn("add_joint"), joint));
}

/// Marks a world as busy while it lives.
class Busy {
 public:
  explicit Busy(SharedWorld& world) : world_(world) {
    world_.stepper = PyThread_get_thread_ident();
    world_.isBusy = true;
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { world_.isBusy = false; }

 private:
  SharedWorld& world_;
};

ReportFigures step(const WorldPointer& self, const py::object& n) {
  const int count =
      countOf(n, "step: n", ": it counts steps, whose length is the timestep of the world");
  World& world = self->idle();
  self->idleOwn("step");
  if (self->isBusy) throw InputError("step: not from within a callback of a step");
  if (count < 0)
    throw InputError("step: n must be at least 0, got " + py::cast<std::string>(py::repr(n)));
  const Busy busy(*self);
  for (int done = 0; done < count;) {
    {
      const py::gil_scoped_release unlocked;
      const Timer timer;
      while (done < count && (done == 0 || timer.milliseconds() < kSignalInterval)) {
        stepRecorded(*self);
        ++done;
      }
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return ReportFigures(world.lastReport());
}

py::bytes save(SharedWorld& self) {
  const std::vector<std::byte> state = self.idle().save();
  return {reinterpret_cast<const char*>(state.data()), state.size()};
}

RestoreMode modeNamed(const std::string& name) {
  if (name == "exact") return RestoreMode::kExact;
  if (name == "matching") return RestoreMode::kMatching;
  if (name == "by_name") return RestoreMode::kByName;
  throw InputError("mode must be exact, matching or by_name, got '" + name + "'");
}

/// Names of what the world lacks, and handles of what the state lacks.
py::object restore(const WorldPointer& self, const py::bytes& state, const std::string& mode) {
  World& world = self->idle();
  if (!self->recorders.empty()) {
    throw InputError("restore: the world is recorded: finish the recording first");
  }
  const auto bytes = static_cast<std::string_view>(state);
  const RestoreReport report = world.restore(
      {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, modeNamed(mode));
  const auto namesOf = [](const auto& list) {
    py::list names;
    for (const auto& one : list) names.append(one.name);
    return names;
  };
  const auto handlesOf = [&self](const auto& list) {
    py::list handles;
    for (const auto& one : list) handles.append(handleOf(self, one.id));
    return handles;
  };
  return resultType("RestoreReport")(namesOf(report.bodiesNotHere), namesOf(report.jointsNotHere),
                                     handlesOf(report.bodiesNotSaved),
                                     handlesOf(report.jointsNotSaved));
}

std::vector<py::object> bodiesOf(const WorldPointer& self) {
  std::vector<py::object> bodies;
  for (const BodyId id : self->idle().bodies()) bodies.push_back(bodyObject(self, id));
  return bodies;
}

std::vector<py::object> jointsOfWorld(const WorldPointer& self) {
  std::vector<py::object> joints;
  for (const JointId id : self->idle().joints()) joints.push_back(jointObject(self, id));
  return joints;
}

/// The solver of a text, as scenes have it; warm starts stay.
void setSolver(SharedWorld& self, const std::string& text) {
  self.idle().setSolver(readSource("set_solver", text, {}).settings.solver);
}

}  // namespace

bool SharedWorld::isIdle() const {
  if (lender && lender->isBusy) return false;
  return !isBusy || (isCalling && stepper == PyThread_get_thread_ident());
}

World& SharedWorld::idle() {
  if (!isIdle()) {
    throw std::runtime_error("another thread steps this world: wait until its step() returned");
  }
  return world;
}

KeyedWorld& SharedWorld::idleOwn(const char* function) {
  idle();
  if (own) return *own;
  throw InputError(
      std::string(function) +
      ": not on a world of a VectorWorld, which steps its worlds by itself, on threads "
      "of its own, and whose bodies, joints and materials stay; load() gives a world "
      "of its own");
}

void addWorld(py::module_& module) {
  WorldClass type(module, "World", closedType());
  type.def(py::init(&makeWorld), py::arg("source"), py::arg("text") = py::none(),
           py::arg("overrides") = Overrides());
  // Python's class of a world that the compiled part made.
  type.def(py::init([](const WorldPointer& same) { return same; }));
  type.def("__repr__", [](const SharedWorld& self) {
    if (!self.isIdle()) return std::string("<World in a step>");
    const World& world = self.world;
    return "<World at " + numberText(world.time()) + " s, " +
           counted(std::ssize(world.bodies()), "body", "bodies") + ", " +
           counted(std::ssize(world.joints()), "joint") + ", solver '" +
           world.settings().solver.name + "'>";
  });
  type.def("_add_body", [](const WorldPointer& self, const std::string& keys) {
    return bodyObject(self, addBody(self->idleOwn("add_body"), keys));
  });
  type.def("_add_joint", [](const WorldPointer& self, const py::object& a, const py::object& b,
                            const std::string& keys) {
    const BodyId idA = bodyIdOf(self, a), idB = bodyIdOf(self, b);
    return jointObject(self, addJoint(self->idleOwn("add_joint"), idA, idB, keys));
  });
  type.def("_add_cable",
           [](const WorldPointer& self, const py::list& bodies, const std::string& keys) {
             std::vector<BodyId> ids;
             for (const py::handle body : bodies) {
               ids.push_back(bodyIdOf(self, py::reinterpret_borrow<py::object>(body)));
             }
             return jointObject(self, addCable(self->idleOwn("add_cable"), ids, keys));
           });
  type.def("_add_gear", &addGear);
  type.def_readonly("warnings", &SharedWorld::warnings,
                    "What of its scene is likely meant otherwise, as load() warns.");
  type.def("step", &step, py::arg("n") = 1,
           "Advances by n timesteps, and returns the report of the last one. Other threads of "
           "Python run meanwhile; this world is theirs again when it returns.");
  type.def(
      "worst", &worstOf, py::arg("what") = "residual",
      "What was worst of the last step: (value, body, body), or None where nothing was off. Of "
      "the solves' \"residual\" [m/s], a \"joint\" [m], an \"overlap\" [m], or an overlap "
      "that was \"forgiven\" [m].");
  const auto read = [&type](const char* name, auto get, const char* doc) {
    type.def_property_readonly(
        name, [get](SharedWorld& self) { return get(self.idle()); }, doc);
  };
  read(
      "time", [](const World& world) { return world.time(); }, "Simulated time [s].");
  read(
      "step_count", [](const World& world) { return world.stepCount(); }, "Steps done.");
  read(
      "hash", [](World& world) { return world.observe().hash(); }, "Hash of the state.");
  read(
      "report", [](const World& world) { return ReportFigures(world.lastReport()); },
      "Of the last step.");
  type.def_property(
      "gravity", [](SharedWorld& self) { return toArray(self.idle().settings().gravity); },
      [](SharedWorld& self, const py::object& value) {
        self.idle().setGravity(vectorOf(value, "gravity"));
      },
      "(3,) [m/s^2].");
  type.def_property(
      "timestep", [](SharedWorld& self) { return self.idle().settings().timestep; },
      [](SharedWorld& self, Real value) { self.idle().setTimestep(value); }, "[s].");
  type.def_property(
      "threads", [](SharedWorld& self) { return self.idle().settings().threads; },
      [](SharedWorld& self, int value) { self.idleOwn("threads").world.setThreads(value); },
      "Threads of the step; no bit of the result depends on them.");
  read(
      "solver", [](const World& world) { return world.settings().solver.name; },
      "Name of its solver.");
  type.def("_set_solver", &setSolver);
  type.def_property_readonly("bodies", &bodiesOf, "All bodies, in the order of the arrays.");
  type.def_property_readonly("joints", &jointsOfWorld, "All joints, without the broken ones.");
  type.def("_find_body", [](const WorldPointer& self, const std::string& name) -> py::object {
    const BodyId id = self->idle().findBody(name);
    return id.index < 0 ? py::none() : bodyObject(self, id);
  });
  type.def("_find_joint", [](const WorldPointer& self, const std::string& name) -> py::object {
    const JointId id = self->idle().findJoint(name);
    return id.index < 0 ? py::none() : jointObject(self, id);
  });
  type.def(
      "remove_body",
      [](const WorldPointer& self, const py::object& body) {
        self->idleOwn("remove_body").world.removeBody(bodyIdOf(self, body));
      },
      py::arg("body"), "Removes a body, and the joints on it.");
  type.def(
      "remove_joint",
      [](const WorldPointer& self, const py::object& joint) {
        self->idleOwn("remove_joint").world.removeJoint(jointIdOf(self, joint));
      },
      py::arg("joint"), "Removes a joint, and the gears on it.");
  type.def("save", &save, "All that evolves, as bytes.");
  type.def("restore", &restore, py::arg("state"), py::arg("mode") = "exact",
           "Back to a saved state; goes on bit for bit. InputError where the bytes are damaged or "
           "of another world. 'matching' and 'by_name' pair bodies and joints by ids or by names, "
           "and restore what is on both sides. Returns a RestoreReport.");
  addSettings(type);
  addArrays(type);
  addEvents(type);
  addForcePlates(type);
  addQueries(type);
  addMaterials(type);
  addInverseDynamics(type);
  addCallbacks(module, type);
}

}  // namespace drystone::python
