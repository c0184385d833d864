// Worlds for Python: what builds, steps, reads, saves and asks them. Arrays are copies, in the
// order of World.bodies.

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "bindings/python/binding.h"
#include "core/input_error.h"
#include "core/timer.h"
#include "scenes/scene_reader.h"

namespace drystone::python {
namespace {

/// Between two looks at whether the user wants to interrupt a run [ms].
constexpr double kSignalInterval = 50;

using Overrides = std::vector<std::pair<std::string, std::string>>;

/// A scene file or one of the library where `text` is none; else that text, named `source`.
Scene readSource(const std::string& source, const std::optional<std::string>& text,
                 const Overrides& overrides) {
  const SolverRegistry registry = allSolvers();
  SceneReadOptions options{.registry = &registry};
  for (const auto& [path, value] : overrides) options.overrides.push_back({path, value});
  return text ? readSceneText(*text, source, options, ".") : readScene(source, options);
}

WorldPointer makeWorld(const std::string& source, const std::optional<std::string>& text,
                       const Overrides& overrides) {
  return std::make_shared<SharedWorld>(
      buildKeyedWorld(readSource(source, text, overrides), allSolvers()));
}

py::object addGear(const WorldPointer& self, const py::object& jointA, const py::object& jointB,
                   Real ratio, bool isPulley, const std::string& name) {
  const JointId a = jointIdOf(self, jointA), b = jointIdOf(self, jointB);
  JointDefinition joint = isPulley ? pulleyJoint(a, b, ratio) : gearJoint(a, b, ratio);
  joint.name = name;
  return jointObject(self, addJoint(self->idleKeyed(), joint));
}

/// Marks a world as busy while it lives.
class Busy {
 public:
  explicit Busy(SharedWorld& world) : world_(world) { world_.isBusy = true; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { world_.isBusy = false; }

 private:
  SharedWorld& world_;
};

StepReport step(const WorldPointer& self, int count) {
  World& world = self->idle();
  if (count < 0) throw InputError("step: n must be at least 0, got " + std::to_string(count));
  const Busy busy(*self);
  for (int done = 0; done < count;) {
    {
      const py::gil_scoped_release unlocked;
      const Timer timer;
      while (done < count && (done == 0 || timer.milliseconds() < kSignalInterval)) {
        world.step();
        ++done;
      }
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return world.lastReport();
}

/// The row of each body, by its slot.
std::unordered_map<int, py::ssize_t> rowsOf(const std::vector<BodyId>& bodies) {
  std::unordered_map<int, py::ssize_t> rows;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    rows.emplace(bodies[i].index, static_cast<py::ssize_t>(i));
  }
  return rows;
}

/// An array with `columns` numbers of each body.
template <class Read>
RealArray bodyArray(SharedWorld& self, py::ssize_t columns, Read&& read) {
  const World& world = self.idle();
  const std::vector<BodyId> bodies = world.bodies();
  RealArray array({static_cast<py::ssize_t>(bodies.size()), columns});
  Real* row = array.mutable_data();
  for (const BodyId id : bodies) {
    read(world.body(id), row);
    row += columns;
  }
  return array;
}

void putVector(const Vec3& vector, Real* row) { std::copy_n(vector.data(), 3, row); }

RealArray positions(SharedWorld& self) {
  return bodyArray(self, 3, [](const ConstBodyHandle& body, Real* row) {
    putVector(body.pose().position, row);
  });
}

RealArray orientations(SharedWorld& self) {
  return bodyArray(self, 4, [](const ConstBodyHandle& body, Real* row) {
    const Quat q = body.pose().rotation;
    row[0] = q.w();
    putVector(q.vec(), row + 1);
  });
}

RealArray velocities(SharedWorld& self) {
  return bodyArray(self, 6, [](const ConstBodyHandle& body, Real* row) {
    putVector(body.linearVelocity(), row);
    putVector(body.angularVelocity(), row + 3);
  });
}

py::dict contacts(SharedWorld& self) {
  World& world = self.idle();
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  const auto rows = rowsOf(world.bodies());
  const auto count = static_cast<py::ssize_t>(snapshot.contacts.size());
  RealArray position({count, py::ssize_t{3}}), normal({count, py::ssize_t{3}});
  RealArray impulse({count, py::ssize_t{3}}), gap(count), normalImpulse(count), friction(count);
  py::array_t<std::int64_t> bodyA(count), bodyB(count);
  const auto rowOf = [&rows](BodyId id) {
    const auto found = rows.find(id.index);
    return found == rows.end() ? py::ssize_t{-1} : found->second;
  };
  for (py::ssize_t i = 0; i < count; ++i) {
    const ContactSnapshot& contact = snapshot.contacts[i];
    putVector(contact.position, position.mutable_data(i, 0));
    putVector(contact.normal, normal.mutable_data(i, 0));
    putVector(contact.impulse, impulse.mutable_data(i, 0));
    gap.mutable_at(i) = contact.gap;
    normalImpulse.mutable_at(i) = contact.normalImpulse;
    friction.mutable_at(i) = contact.friction;
    bodyA.mutable_at(i) = rowOf(contact.bodyA);
    bodyB.mutable_at(i) = rowOf(contact.bodyB);
  }
  py::dict result;
  result["position"] = position;
  result["normal"] = normal;
  result["impulse"] = impulse;
  result["gap"] = gap;
  result["normal_impulse"] = normalImpulse;
  result["friction"] = friction;
  result["body_a"] = bodyA;
  result["body_b"] = bodyB;
  return result;
}

py::dict rayCasts(SharedWorld& self, const py::object& from, const py::object& to, int threads) {
  const World& world = self.idle();
  const RealArray begin = arrayOf(from, "from_", {-1, 3}), end = arrayOf(to, "to", {-1, 3});
  const py::ssize_t count = begin.shape(0);
  if (end.shape(0) != count) {
    throw InputError("to must have as many rows as from_, " + std::to_string(count) + ", got " +
                     std::to_string(end.shape(0)));
  }
  std::vector<Ray> rays(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    rays[i] = {Vec3(begin.data(i, 0)), Vec3(end.data(i, 0))};
  }
  std::vector<std::optional<BodyHit>> hits(count);
  world.queries().rayCasts(rays, hits, threads);
  const auto rows = rowsOf(world.bodies());
  RealArray position({count, py::ssize_t{3}}), normal({count, py::ssize_t{3}}), fraction(count);
  py::array_t<std::int64_t> body(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const BodyHit none{.position = Vec3::Constant(NAN), .normal = Vec3::Constant(NAN)};
    const BodyHit& hit = hits[i] ? *hits[i] : none;
    putVector(hit.position, position.mutable_data(i, 0));
    putVector(hit.normal, normal.mutable_data(i, 0));
    fraction.mutable_at(i) = hits[i] ? hit.fraction : NAN;
    body.mutable_at(i) = hits[i] ? rows.at(hit.body.index) : -1;
  }
  py::dict result;
  result["body"] = body;
  result["fraction"] = fraction;
  result["position"] = position;
  result["normal"] = normal;
  return result;
}

py::bytes save(SharedWorld& self) {
  const std::vector<std::byte> state = self.idle().save();
  return {reinterpret_cast<const char*>(state.data()), state.size()};
}

void restore(SharedWorld& self, const py::bytes& state) {
  const auto bytes = static_cast<std::string_view>(state);
  self.idle().restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
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

py::dict energyOf(const StepReport& report) {
  py::dict energy;
  for (const EnergyFlow& flow : kEnergyFlows) energy[flow.name] = report.energy.*flow.value;
  energy["kinetic"] = report.energy.kinetic;
  energy["potential"] = report.energy.potential;
  return energy;
}

void addReport(py::module_& module) {
  py::class_<StepReport> type(module, "StepReport", "What a step says about itself; a copy.");
  for (const StepFigure& figure : kStepFigures) {
    const std::string unit = figure.unit[0] == '\0' ? "" : std::string(" [") + figure.unit + "]";
    type.def_property_readonly(
        figure.name,
        [&figure](const StepReport& report) -> py::object {
          if (figure.isCount()) return py::int_(static_cast<int>(figure.valueIn(report)));
          return py::float_(figure.valueIn(report));
        },
        (figure.help + unit + ", " + figure.ruleText()).c_str());
  }
  type.def_readonly("step", &StepReport::step, "Steps done, this one included.");
  type.def_readonly("time", &StepReport::time, "Simulated time at its end [s].");
  type.def_readonly("within_tolerance", &StepReport::withinTolerance,
                    "Solves, joints and overlaps met their tolerances, and nothing diverged.");
  type.def_readonly("failed", &StepReport::failed,
                    "It diverged, or missed a tolerance under the policy 'stop'.");
  type.def_property_readonly("diverged", &StepReport::hasDiverged);
  type.def_property_readonly(
      "step_ms", [](const StepReport& report) { return report.times.step; },
      "Wall time of the step [ms].");
  type.def_property_readonly("energy", &energyOf, "Sources of energy by name, and its sums [J].");
}

}  // namespace

void addWorld(py::module_& module) {
  addReport(module);
  py::class_<SharedWorld, WorldPointer> type(module, "World");
  type.def(py::init(&makeWorld), py::arg("source"), py::arg("text") = py::none(),
           py::arg("overrides") = Overrides());
  type.def("_add_body", [](const WorldPointer& self, const std::string& keys) {
    return bodyObject(self, addBody(self->idleKeyed(), keys));
  });
  type.def("_add_joint", [](const WorldPointer& self, const py::object& a, const py::object& b,
                            const std::string& keys) {
    const BodyId idA = bodyIdOf(self, a), idB = bodyIdOf(self, b);
    return jointObject(self, addJoint(self->idleKeyed(), idA, idB, keys));
  });
  type.def("_add_gear", &addGear);
  type.def("_add_material",
           [](SharedWorld& self, const std::string& name, const std::string& keys) {
             addMaterial(self.idleKeyed(), name, keys);
           });
  type.def("step", &step, py::arg("n") = 1,
           "Advances by n timesteps, and returns the report of the last one. Other threads of "
           "Python run meanwhile; this world is theirs again when it returns.");
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
      "report", [](const World& world) { return world.lastReport(); }, "Of the last step.");
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
      [](SharedWorld& self, int value) { self.idle().setThreads(value); },
      "Threads of the step; no bit of the result depends on them.");
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
        self->idle().removeBody(bodyIdOf(self, body));
      },
      py::arg("body"), "Removes a body, and the joints on it.");
  type.def(
      "remove_joint",
      [](const WorldPointer& self, const py::object& joint) {
        self->idle().removeJoint(jointIdOf(self, joint));
      },
      py::arg("joint"), "Removes a joint, and the gears on it.");
  type.def("positions", &positions, "Of the reference frames, (n, 3) [m].");
  type.def("orientations", &orientations, "Unit quaternions w, x, y, z, (n, 4).");
  type.def("velocities", &velocities,
           "Of the centres of mass [m/s], then angular [rad/s], world axes, (n, 6).");
  type.def(
      "contacts", &contacts,
      "Contact points of the last step, as arrays by name: position (k, 3) [m], normal from a "
      "to b (k, 3), impulse on b (k, 3) [N s], gap [m], normal_impulse [N s], friction, body_a "
      "and body_b as rows of the other arrays.");
  type.def(
      "ray_casts", &rayCasts, py::arg("from_"), py::arg("to"), py::arg("threads") = 1,
      "The first surface that each of m segments enters, (m, 3) [m] both. Arrays by name: body "
      "(row of the other arrays, -1 for none), fraction of the way, position [m], normal; NaN "
      "where nothing is hit.");
  type.def("save", &save, "All that evolves, as bytes.");
  type.def("restore", &restore, py::arg("state"),
           "Back to a saved state; goes on bit for bit. Throws InputError where the bytes are "
           "damaged or of another world.");
}

}  // namespace drystone::python
