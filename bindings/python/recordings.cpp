// Runs as files: recordings that a world writes as it is stepped, and those that are read.

#include <pybind11/stl.h>

#include "bindings/python/binding.h"
#include "core/build_text.h"
#include "core/input_error.h"
#include "core/wording.h"
#include "scenes/recorded_world.h"

namespace drystone::python {
namespace {

std::string pathOf(const py::object& path) {
  return py::cast<std::string>(py::module_::import("os").attr("fspath")(path));
}

// ---- Writing

struct PythonRecorder {
  WorldPointer world;
  std::shared_ptr<OpenRecorder> open;
};

RecordingInfo infoOf(const SharedWorld& self, int every) {
  const World& world = self.world;
  // With bodies that the scene does not make, the world is the program's own.
  const bool isOfScene = std::ssize(world.bodies()) == self.sourceBodies;
  RecordingInfo info = isOfScene ? self.source : recordingInfoOf(world);
  info.version = DRYSTONE_VERSION;
  info.build = buildText(DRYSTONE_BUILD_TYPE, DRYSTONE_PROCESSOR);
  py::dict settings;
  settings["dt"] = world.settings().timestep;
  settings["threads"] = world.settings().threads;
  settings["solver"] = world.settings().solver.name;
  info.settings = jsonText(settings);
  info.solvers = allSolvers().names();
  const Rows rows(world.bodies());
  for (const JointId id : world.joints()) {
    const JointDefinition joint = world.joint(id).definition();
    info.joints.push_back({joint.name, static_cast<int>(rows.of(joint.bodyA)),
                           static_cast<int>(rows.of(joint.bodyB)),
                           static_cast<int>(joint.geometry)});
  }
  info.every = every;
  return info;
}

PythonRecorder record(const py::object& path, const WorldPointer& world, int every) {
  const World& recorded = world->idleOwn("record").world;
  if (world->isBusy) throw InputError("record: not from within a callback of a step");
  if (every < 1) throw InputError("every must be at least 1 step, got " + std::to_string(every));
  auto open = std::make_shared<OpenRecorder>(OpenRecorder{.path = pathOf(path)});
  open->recorder.emplace(open->path, infoOf(*world, every), recorded);
  world->recorders.push_back(open);
  return {world, open};
}

void finish(const PythonRecorder& self) {
  if (!self.open->recorder) return;
  const World& world = self.world->idle();
  if (self.world->isBusy) throw InputError("finish: not from within a callback of a step");
  std::erase(self.world->recorders, self.open);
  Recorder last = std::move(*self.open->recorder);
  self.open->recorder.reset();
  last.finish(world);
}

/// What ended the block goes before what the file could not take.
void leave(const PythonRecorder& self, const py::object& type, const py::object&,
           const py::object&) {
  try {
    finish(self);
  } catch (const std::exception&) {
    if (type.is_none()) throw;
  }
}

// ---- Reading

struct PythonRecording {
  explicit PythonRecording(const py::object& file) : path(pathOf(file)), recording(path) {
    frame(0);
    for (const BodySnapshot& body : snapshot.bodies) ids.push_back(body.id);
  }

  const WorldSnapshot& frame(std::int64_t index) {
    recording.frame(placeOf(index, recording.frameCount(), "frame"), snapshot);
    return snapshot;
  }

  std::string path;
  Recording recording;
  WorldSnapshot snapshot;  ///< of the frame that was read last
  std::vector<BodyId> ids;
};

void putPosition(const BodySnapshot& body, Real* row) { putVector(body.pose.position, row); }
void putOrientation(const BodySnapshot& body, Real* row) { putRotation(body.pose.rotation, row); }
void putVelocity(const BodySnapshot& body, Real* row) {
  putVector(body.linearVelocity, row);
  putVector(body.angularVelocity, row + 3);
}

/// What puts a body into `columns` numbers.
struct BodyColumns {
  py::ssize_t columns;
  void (*put)(const BodySnapshot& body, Real* row);
};
constexpr BodyColumns kPositions{3, &putPosition}, kOrientations{4, &putOrientation},
    kVelocities{6, &putVelocity};

RealArray bodyArrayOf(const WorldSnapshot& frame, const BodyColumns& what) {
  RealArray array({static_cast<py::ssize_t>(frame.bodies.size()), what.columns});
  Real* row = array.mutable_data();
  for (const BodySnapshot& body : frame.bodies) {
    what.put(body, row);
    row += what.columns;
  }
  return array;
}

/// (frames, n, columns)
RealArray allBodies(PythonRecording& self, const BodyColumns& what) {
  const py::ssize_t frames = self.recording.frameCount();
  RealArray array({frames, static_cast<py::ssize_t>(self.ids.size()), what.columns});
  Real* row = array.mutable_data();
  for (py::ssize_t i = 0; i < frames; ++i) {
    for (const BodySnapshot& body : self.frame(i).bodies) {
      what.put(body, row);
      row += what.columns;
    }
  }
  return array;
}

RealArray times(PythonRecording& self) {
  RealArray array(self.recording.frameCount());
  for (py::ssize_t i = 0; i < array.size(); ++i) array.mutable_at(i) = self.frame(i).time;
  return array;
}

IndexArray frameSteps(const PythonRecording& self) {
  IndexArray array(self.recording.frameCount());
  for (py::ssize_t i = 0; i < array.size(); ++i) {
    array.mutable_at(i) = self.recording.stepOfFrame(i);
  }
  return array;
}

py::dict frameDict(PythonRecording& self, std::int64_t index) {
  index = placeOf(index, self.recording.frameCount(), "frame");
  const WorldSnapshot& frame = self.frame(index);
  py::dict result;
  result["step"] = self.recording.stepOfFrame(index);
  result["time"] = frame.time;
  result["positions"] = bodyArrayOf(frame, kPositions);
  result["orientations"] = bodyArrayOf(frame, kOrientations);
  result["velocities"] = bodyArrayOf(frame, kVelocities);
  result["contacts"] = contactArrays(frame.contacts, Rows(self.ids));
  return result;
}

/// An array with a number of each step.
template <class Value, class Get>
py::array_t<Value> ofSteps(const std::vector<RecordedStep>& steps, Get&& get) {
  py::array_t<Value> array(static_cast<py::ssize_t>(steps.size()));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    array.mutable_at(static_cast<py::ssize_t>(i)) = get(steps[i]);
  }
  return array;
}

py::dict steps(const PythonRecording& self) {
  const auto list = self.recording.steps(1, self.recording.stepCount());
  py::dict result;
  for (const StepFigure& figure : kStepFigures) {
    result[figure.name] =
        ofSteps<Real>(list, [&](const RecordedStep& step) { return figure.valueIn(step.report); });
  }
  result["step"] =
      ofSteps<std::int64_t>(list, [](const RecordedStep& step) { return step.report.step; });
  result["time"] = ofSteps<Real>(list, [](const RecordedStep& step) { return step.report.time; });
  result["hash"] = ofSteps<std::uint64_t>(list, [](const RecordedStep& step) { return step.hash; });
  result["within_tolerance"] =
      ofSteps<bool>(list, [](const RecordedStep& step) { return step.report.withinTolerance; });
  return result;
}

py::list plates(const PythonRecording& self) {
  const Rows rows(self.ids);
  py::list list;
  for (const ForcePlateDefinition& plate : self.recording.forcePlates()) {
    list.append(plateObject(plate, [&rows](BodyId id) { return py::int_(rows.of(id)); }));
  }
  return list;
}

py::object events(const PythonRecording& self, std::int64_t step) {
  if (step < 0) step += self.recording.stepCount() + 1;
  if (step < 1 || step > self.recording.stepCount()) {
    throw InputError("there is no step " + std::to_string(step) + ": they count from 1 to " +
                     std::to_string(self.recording.stepCount()));
  }
  const Rows rows(self.ids);
  return eventsObject(
      self.recording.events(step), [&rows](BodyId id) { return py::int_(rows.of(id)); },
      [](JointId id) { return py::int_(id.index); });
}

void addRecorder(py::module_& module) {
  py::class_<PythonRecorder> type(
      module, "Recorder",
      "Writes each step that a world does into a file, until finish() or the end of a `with` "
      "block. A step with other bodies raises InputError, what cannot be written RuntimeError: the "
      "recording then ends, with what came before.");
  type.def(py::init(&record), py::arg("path"), py::arg("world"), py::arg("every") = 1,
           "The file, with the present state of the world as its start, and a frame every so many "
           "steps.");
  type.def("finish", &finish,
           "Writes what is left, with a frame of the last step, and closes the file.");
  type.def_property_readonly(
      "is_open", [](const PythonRecorder& self) { return self.open->recorder.has_value(); },
      "False once it was finished, or an error ended it.");
  type.def_property_readonly("path", [](const PythonRecorder& self) { return self.open->path; });
  type.def("__repr__", [](const PythonRecorder& self) {
    return "<Recorder of '" + self.open->path + "', " +
           (self.open->recorder ? "open>" : "finished>");
  });
  type.def("__enter__", [](const PythonRecorder& self) { return self; });
  type.def("__exit__", &leave);
}

void addRecording(py::module_& module) {
  py::class_<PythonRecording> type(
      module, "Recording",
      "The run of a world, from a file. Frames are the start, every so many steps, and the last "
      "one; all arrays are in the order of `bodies`. Damaged files raise InputError.");
  type.def(py::init<const py::object&>(), py::arg("path"),
           "All that was written when it was opened, of a program that runs or was killed too.");
  type.def_readonly("path", &PythonRecording::path);
  type.def("__repr__", [](const PythonRecording& self) {
    return "<Recording '" + self.path + "': " + counted(self.recording.stepCount(), "step") + ", " +
           counted(self.recording.frameCount(), "frame") + ", " +
           counted(std::ssize(self.ids), "body", "bodies") + ">";
  });
  const auto read = [&type](const char* name, auto get, const char* doc) {
    type.def_property_readonly(
        name, [get](const PythonRecording& self) { return get(self.recording); }, doc);
  };
  read(
      "scene", [](const Recording& r) { return r.info().scene; }, "Name of its scene.");
  read(
      "every", [](const Recording& r) { return r.info().every; }, "Steps between two frames.");
  read(
      "is_complete", [](const Recording& r) { return r.complete(); },
      "False: its program was killed, still runs, or an error ended the recording.");
  read(
      "step_count", [](const Recording& r) { return r.stepCount(); }, "Steps in the file.");
  read(
      "frame_count", [](const Recording& r) { return r.frameCount(); }, "Frames in the file.");
  read(
      "start_hash", [](const Recording& r) { return r.startHash(); },
      "Hash of the state before the first step.");
  read(
      "bodies",
      [](const Recording& r) {
        std::vector<std::string> names;
        for (const RecordedBody& body : r.bodies()) names.push_back(body.name);
        return names;
      },
      "Names of the bodies.");
  type.def("frame_steps", &frameSteps, "Step of each frame, 0 the start, (frames,).");
  type.def("times", &times, "Time of each frame, (frames,) [s].");
  type.def(
      "positions", [](PythonRecording& self) { return allBodies(self, kPositions); },
      "Of the reference frames, (frames, n, 3) [m].");
  type.def(
      "orientations", [](PythonRecording& self) { return allBodies(self, kOrientations); },
      "Unit quaternions w, x, y, z, (frames, n, 4).");
  type.def(
      "velocities", [](PythonRecording& self) { return allBodies(self, kVelocities); },
      "Of the centres of mass [m/s], then angular [rad/s], world axes, (frames, n, 6).");
  type.def(
      "contacts",
      [](PythonRecording& self, std::int64_t index) {
        return contactArrays(self.frame(index).contacts, Rows(self.ids));
      },
      py::arg("frame"),
      "Contact points of a frame, as World.contacts() has them; -1 is the last one.");
  type.def("frame", &frameDict, py::arg("frame"),
           "All of one frame: step, time [s], positions, orientations, velocities, contacts.");
  type.def("steps", &steps,
           "Arrays (steps,) by name: the figures of each step, step, time [s], hash, "
           "within_tolerance.");
  type.def_property_readonly("force_plates", &plates,
                             "Its force plates, as ForcePlate with rows in place of bodies.");
  type.def(
      "force_plate_readings",
      [](const PythonRecording& self) { return plateArrays(self.recording); },
      "Arrays of all frames by name, as ForcePlateReading has them: force and torque (frames, "
      "plates, 3), force_error (frames, plates) and so on. Force and torque are NaN where there "
      "is no reading, the centre where there is none.");
  type.def("events", &events, py::arg("step"),
           "What a step, counted from 1, began and ended: an Events with rows in place of bodies, "
           "and the number of a joint. Contacts that last are there in steps with a frame.");
}

}  // namespace

SharedWorld::~SharedWorld() {
  for (const auto& open : recorders) {
    try {
      if (open->recorder) open->recorder->finish(world);
    } catch (const std::exception&) {
      // Whoever wants to know calls finish().
    }
    open->recorder.reset();
  }
}

void stepRecorded(SharedWorld& self) {
  const std::int64_t before = self.world.stepCount();
  const auto addStep = [&self] {
    for (std::size_t i = 0; i < self.recorders.size(); ++i) {
      try {
        self.recorders[i]->recorder->addStep(self.world);
      } catch (...) {
        self.recorders[i]->recorder.reset();
        self.recorders.erase(self.recorders.begin() + static_cast<std::ptrdiff_t>(i));
        throw;
      }
    }
  };
  try {
    self.world.step();
  } catch (...) {
    // A callback threw; the step is complete all the same.
    if (self.world.stepCount() > before) addStep();
    throw;
  }
  addStep();
}

void addRecordings(py::module_& module) {
  addRecorder(module);
  addRecording(module);
}

}  // namespace drystone::python
