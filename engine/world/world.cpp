#include "engine/world/world.h"

#include <fmt/format.h>

#include <utility>

#include "core/executor.h"
#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/cable.h"
#include "engine/observe/world_state.h"
#include "engine/step/body_changes.h"
#include "engine/step/half_done.h"
#include "engine/step/integrate.h"
#include "engine/step/joint_changes.h"
#include "engine/step/world_parts.h"

namespace drystone {
World::World(const WorldSettings& settings, SolverRegistry registry) {
  checkSettings(settings);
  SolverPool solvers(settings, registry);
  parts_ = std::make_unique<WorldParts>(
      WorldParts{.settings = settings,
                 .registry = std::move(registry),
                 .collision = CollisionWorld(collisionSettings(settings)),
                 .solvers = std::move(solvers)});
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

MaterialId World::addMaterial(const Material& material) {
  requireUsable(*parts_, "addMaterial");
  return parts_->materials.add(material);
}

void World::setMaterial(MaterialId id, const Material& material) {
  requireUsable(*parts_, "setMaterial");
  parts_->materials.set(id, material);
  parts_->bodies.wakeAll();
}

const Material& World::material(MaterialId id) const { return parts_->materials.at(id); }

void World::setMaterialPair(MaterialId a, MaterialId b, const Material& material) {
  requireUsable(*parts_, "setMaterialPair");
  parts_->materials.setPair(a, b, material);
  parts_->bodies.wakeAll();
}

BodyId World::addBody(const BodyDefinition& definition) {
  requireUsable(*parts_, "addBody");
  checkMaterial(*parts_, definition);
  const BodyId body = parts_->bodies.add(definition);
  try {
    addCollider(*parts_, body.index);
  } catch (...) {
    parts_->bodies.takeBack(body.index);
    throw;
  }
  parts_->data.positionErrors.isSizeKnown = false;
  return body;
}

void World::removeBody(BodyId id) {
  requireUsable(*parts_, "removeBody");
  const int slot = parts_->bodies.slotOf(id);
  disturb(*parts_, slot);
  const JointStore& joints = parts_->joints;
  for (int j = 0; j < joints.slots(); ++j) {
    const bool isOn = joints[j].bodyA == slot || joints[j].bodyB == slot;
    if (joints[j].alive && isOn) removeJoint(joints.idOf(j));
  }
  removeCollider(*parts_, slot);
  forgetContacts(*parts_, slot);
  forgetEnd(slot, parts_->data.motion);
  parts_->bodies.remove(slot);
  parts_->data.positionErrors.isSizeKnown = false;
}

JointId World::addJoint(const JointDefinition& definition) {
  requireUsable(*parts_, "addJoint");
  JointStore& joints = parts_->joints;
  const JointId id = joints.add(makeJoint(definition, parts_->bodies, joints));
  try {
    connectOrDisconnect(*parts_, joints[id.index]);
  } catch (...) {
    joints.takeBack(id.index);
    throw;
  }
  return id;
}

JointId World::addJoint(JointDefinition definition, const Pose& worldFrame) {
  if (definition.geometry == JointGeometry::kGear) {
    throw InputError(
        fmt::format("addJoint: gear '{}' has no frames: add it without a frame", definition.name));
  }
  definition.frameA = body(definition.bodyA).pose().inverse() * worldFrame;
  definition.frameB = body(definition.bodyB).pose().inverse() * worldFrame;
  return addJoint(definition);
}

JointId World::addCable(const CableDefinition& cable) {
  requireUsable(*parts_, "addCable");
  return addSpans(spansOf(cable, [&](BodyId id) {
    const ConstBodyHandle handle = std::as_const(*this).body(id);
    return CableBody{parts_->bodies.kind[parts_->bodies.slotOf(id)], handle.pose()};
  }));
}

JointId World::addSpans(const std::vector<JointDefinition>& spans) {
  JointId first;
  try {
    for (JointDefinition span : spans) {
      span.cable = first;
      const JointId id = addJoint(span);
      if (first.index < 0) first = id;
    }
  } catch (...) {
    if (first.index >= 0) removeJoint(first);
    throw;
  }
  return first;
}

void World::removeJoint(JointId id) {
  requireUsable(*parts_, "removeJoint");
  JointStore& joints = parts_->joints;
  joints.at(id);  // checks that it is there
  const int cable = cableOf(joints, id.index);
  for (int slot = 0; slot < joints.slots(); ++slot) {
    const Joint& joint = joints[slot];
    if (!joint.alive || !(slot == id.index || joint.couples(id.index) ||
                          (cable >= 0 && cableOf(joints, slot) == cable))) {
      continue;
    }
    joints.remove(slot);
    parts_->data.warm.forgetJoint(slot);
    connectOrDisconnect(*parts_, joint);
  }
}

const StepReport& World::step() {
  requireUsable(*parts_, "step");
  requireCables(*parts_);
  const ExecutorScope scope(parts_->executor.get());
  runWhole(*parts_, [&] { stepWorld(*parts_); });
  throwKept(parts_->callbacks);
  return parts_->report;
}

void World::setPairFilter(PairFilter filter) {
  requireUsable(*parts_, "setPairFilter");
  parts_->callbacks.accepts = std::move(filter);
  parts_->bodies.wakeAll();
}

void World::setContactModifier(ContactModifier modifier) {
  requireUsable(*parts_, "setContactModifier");
  parts_->callbacks.modify = std::move(modifier);
  parts_->bodies.wakeAll();
}

void World::setGravity(const Vec3& gravity) {
  requireUsable(*parts_, "setGravity");
  requireFinite("setGravity", "gravity", gravity);
  if (gravity != parts_->settings.gravity) parts_->bodies.wakeAll();
  parts_->settings.gravity = gravity;
}

void World::setTimestep(Real timestep) {
  requireUsable(*parts_, "setTimestep");
  WorldSettings changed = parts_->settings;
  changed.timestep = timestep;
  checkSettings(changed);
  // Reactions are forces: those of joints that sleep stay what they are.
  for (Joint& joint : parts_->joints) joint.scaleImpulses(timestep / parts_->settings.timestep);
  parts_->settings = std::move(changed);
}

void World::setThreads(int threads) {
  requireUsable(*parts_, "setThreads");
  WorldSettings changed = parts_->settings;
  changed.threads = threads;
  checkSettings(changed);
  parts_->solvers = SolverPool(changed, parts_->registry);
  parts_->collision.setThreads(threads);
  parts_->settings = std::move(changed);
}

void World::setExecutor(std::shared_ptr<Parallel> executor) {
  requireUsable(*parts_, "setExecutor");
  if (executor && executor->threads() < 1) {
    throw InputError(fmt::format("setExecutor: threads() of the executor must be > 0, got {}",
                                 executor->threads()));
  }
  parts_->executor = std::move(executor);
}

void World::setSolver(const SolverChoice& choice) {
  requireUsable(*parts_, "setSolver");
  WorldSettings changed = parts_->settings;
  changed.solver = choice;
  checkSettings(changed);
  parts_->solvers = SolverPool(changed, parts_->registry);
  parts_->settings = std::move(changed);
}

BodyHandle World::body(BodyId id) { return {parts_.get(), id}; }

ConstBodyHandle World::body(BodyId id) const { return {parts_.get(), id}; }

JointHandle World::joint(JointId id) { return {parts_.get(), id}; }

ConstJointHandle World::joint(JointId id) const { return {parts_.get(), id}; }

std::vector<BodyId> World::bodies() const {
  std::vector<BodyId> ids;
  const BodyStore& store = parts_->bodies;
  for (int slot = 0; slot < store.slots(); ++slot) {
    if (store.record[slot].alive) ids.push_back(store.idOf(slot));
  }
  return ids;
}

std::vector<JointId> World::joints() const {
  std::vector<JointId> ids;
  const JointStore& joints = parts_->joints;
  for (int slot = 0; slot < joints.slots(); ++slot) {
    if (joints[slot].active()) ids.push_back(joints.idOf(slot));
  }
  return ids;
}

BodyId World::findBody(std::string_view name) const {
  for (const BodyId id : bodies()) {
    if (body(id).name() == name) return id;
  }
  return {};
}

JointId World::findJoint(std::string_view name) const {
  const JointStore& joints = parts_->joints;
  for (int slot = 0; slot < joints.slots(); ++slot) {
    if (joints[slot].alive && joints[slot].name == name) return joints.idOf(slot);
  }
  return {};
}

bool World::contains(BodyId id) const { return parts_->bodies.contains(id); }

bool World::contains(JointId id) const {
  return parts_->joints.contains(id) && parts_->joints[id.index].active();
}

const StepReport& World::lastReport() const { return parts_->report; }

const StepEvents& World::lastEvents() const { return parts_->events.events; }

const WorldSettings& World::settings() const { return parts_->settings; }

Real World::time() const { return simulatedTime(*parts_); }

std::int64_t World::stepCount() const { return parts_->stepCount; }

WorldQueries World::queries() const {
  requireUsable(*parts_, "queries");
  placeColliders(parts_->bodies, parts_->settings, 0, parts_->collision);
  return WorldQueries(parts_.get());
}

WorldObserver World::observe() const {
  requireUsable(*parts_, "observe");
  return WorldObserver(*parts_);
}

std::vector<std::byte> World::save() const {
  std::vector<std::byte> state;
  save(state);
  return state;
}

void World::save(std::vector<std::byte>& out) const {
  requireUsable(*parts_, "save");
  saveWorld(*parts_, out);
}

RestoreReport World::restore(std::span<const std::byte> state, RestoreMode mode) {
  requireOutside(parts_->callbacks, "restore");
  return restoreWorld(*parts_, state, mode);
}

}  // namespace drystone
