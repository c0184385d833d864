#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/observe/snapshot.h"
#include "engine/recording/recorder.h"
#include "engine/step/step_report.h"
#include "engine/world/world.h"
#include "scenes/keyed_world.h"

/// What the files of the Python module share. Python calls come one at a time, under its global
/// lock; only steps and solves run without it.
namespace drystone::python {

namespace py = pybind11;
using RealArray = py::array_t<Real, py::array::c_style | py::array::forcecast>;
using IndexArray = py::array_t<std::int64_t>;

/// A recording under way. The world and Python's object share it.
struct OpenRecorder {
  std::string path;
  std::optional<Recorder> recorder;  ///< none: finished
};

/// What has worlds and steps them itself: a batch.
struct WorldLender {
  bool isBusy = false;  ///< a thread is in it, without Python's lock
};

/// A world that Python objects share: each body and joint keeps its world alive.
struct SharedWorld {
  explicit SharedWorld(KeyedWorld made)
      : own(std::make_unique<KeyedWorld>(std::move(made))), world(own->world) {}
  /// A world of a lender, which it keeps alive. Such a one keeps its bodies and joints.
  SharedWorld(World& lent, std::shared_ptr<const WorldLender> from)
      : world(lent), lender(std::move(from)) {}
  SharedWorld(const SharedWorld&) = delete;
  SharedWorld& operator=(const SharedWorld&) = delete;
  /// Closes its recordings with the last frame, as far as they can be written.
  ~SharedWorld();

  std::unique_ptr<KeyedWorld> own;  ///< none: the world is lent
  World& world;
  std::shared_ptr<const WorldLender> lender{};
  std::vector<std::string> lentMaterials{};  ///< names of its materials but the default one
  RecordingInfo source;                      ///< the scene that it was made from
  std::ptrdiff_t sourceBodies = 0;           ///< that this scene makes
  std::vector<std::string> warnings{};       ///< of that scene
  std::optional<SceneCamera> camera{};       ///< of that scene; none: it has none
  std::vector<std::shared_ptr<OpenRecorder>> recorders;

  bool isBusy = false;        ///< a thread steps it, without Python's lock
  unsigned long stepper = 0;  ///< that thread, as Python counts them
  bool isCalling = false;     ///< it is in a function of Python, which may read the world

  bool isIdle() const;  ///< this thread may read it
  /// The world, to read and to change; the engine refuses changes from within a callback. Both
  /// throw std::runtime_error while it is busy.
  World& idle();
  /// The same for what a lent world refuses, with InputError that begins with the function.
  KeyedWorld& idleOwn(const char* function);
  const std::vector<std::string>& materials() const { return own ? own->materials : lentMaterials; }

  /// Id of a material by its name; None is the default one. Throws InputError where there is none.
  MaterialId materialNamed(const py::object& name) const;
  py::object materialName(MaterialId id) const;
};
using WorldPointer = std::shared_ptr<SharedWorld>;
using WorldClass = py::class_<SharedWorld, WorldPointer>;

/// Numbers of Python as an array. Throws InputError that names the argument unless they are finite
/// and of this shape; -1 stands for any length.
RealArray arrayOf(const py::handle& value, const char* name, std::vector<py::ssize_t> shape);
/// As NumPy writes it: (3,), (n, 3); -1 stands for n.
std::string shapeText(const std::vector<py::ssize_t>& shape);
Real realOf(const py::handle& value, const char* name);  ///< infinite and NaN too
std::string numberText(Real value);                      ///< as short as a message has it
/// A count: -1 where it is negative. `remedy` ends the message for what is no whole number.
int countOf(const py::handle& value, const char* name, const char* remedy = "");
/// A place in a list; negative ones count from its end. Throws InputError where there is none.
std::int64_t placeOf(std::int64_t index, std::int64_t count, const char* what);
Vec3 vectorOf(const py::handle& value, const char* name);
/// Of w, x, y, z; throws InputError unless the length is 1 to 1e-3, as in scene files.
Quat quaternionOf(const py::handle& value, const char* name);
py::array_t<Real> toArray(const Vec3& vector);
py::array_t<Real> toArray(const Quat& rotation);    ///< w, x, y, z
void putVector(const Vec3& vector, Real* row);      ///< three numbers of an array
void putRotation(const Quat& rotation, Real* row);  ///< w, x, y, z

SolverRegistry allSolvers();  ///< with those for CUDA devices

/// What Python has of a report: as much for a world of a thousand islands as for one of none. Made
/// at every step, so that it is a few numbers without memory of its own.
struct ReportFigures {
  explicit ReportFigures(const StepReport& report);

  std::array<Real, kStepFigures.size()> values;  ///< by kStepFigures
  EnergyLedger energy;
  std::int64_t step = 0;
  Real time = 0;      ///< at its end [s]
  double stepMs = 0;  ///< wall time [ms]
  bool withinTolerance = true, failed = false, diverged = false;
};

using Overrides = std::vector<std::pair<std::string, std::string>>;
/// A scene file or one of the library where `text` is none; else that text, named `source`.
Scene readSource(const std::string& source, const std::optional<std::string>& text,
                 const Overrides& overrides);
std::string jsonText(const py::object& value);
/// A shape of the package, or a dict. Throws InputError that begins with the function.
Shape shapeOf(const py::object& shape, const char* function);

/// For a class that refuses to set what it does not have, with a word of what was meant.
py::custom_type_setup closedType();
/// Keys of `world` in a scene file.
const std::vector<std::string>& worldSettingNames();

/// A named tuple of the package's module `results`.
py::object resultType(const char* name);

/// Rows of bodies in arrays, by their slots, which is all that recorded contacts have; -1: none.
class Rows {
 public:
  explicit Rows(const std::vector<BodyId>& bodies);
  py::ssize_t of(BodyId id) const;

 private:
  std::unordered_map<int, py::ssize_t> rows_;
};
py::dict contactArrays(const std::vector<ContactSnapshot>& contacts, const Rows& rows);

/// A body or joint as Python has it. The first two throw InputError once it was removed.
py::object bodyObject(const WorldPointer& world, BodyId id);
py::object jointObject(const WorldPointer& world, JointId id);
py::object handleOf(const WorldPointer& world, BodyId id);
py::object handleOf(const WorldPointer& world, JointId id);
BodyId bodyIdOf(const WorldPointer& world, const py::handle& body);  ///< of a Body of this world
JointId jointIdOf(const WorldPointer& world,
                  const py::handle& joint);  ///< of a Joint of this world

/// How Python is told of a body or joint of an event.
using BodyNamer = std::function<py::object(BodyId)>;
using JointNamer = std::function<py::object(JointId)>;
py::object eventsObject(const StepEvents& events, const BodyNamer& bodyOf,
                        const JointNamer& jointOf);

/// A plate as ForcePlate of Python.
py::object plateObject(const ForcePlateDefinition& plate, const BodyNamer& bodyOf);
/// What plates read in all frames, by name: (frames, plates) or (frames, plates, 3).
py::dict plateArrays(const Recording& recording);

void addErrors(py::module_& module);
void addBodies(py::module_& module);
void addJoints(py::module_& module);
void addWorld(py::module_& module);
void addBatches(py::module_& module);
void addDrawing(py::module_& module);
void addReport(py::module_& module);
void addProblems(py::module_& module);
void addRecordings(py::module_& module);
void addArrays(WorldClass& type);
void addSettings(WorldClass& type);
void addEvents(WorldClass& type);
void addForcePlates(WorldClass& type);
void addQueries(WorldClass& type);
void addMaterials(WorldClass& type);
void addInverseDynamics(WorldClass& type);
void addCallbacks(py::module_& module, WorldClass& type);

/// Steps the world once, and adds the step to its recordings. Without Python's lock.
void stepRecorded(SharedWorld& self);

}  // namespace drystone::python
