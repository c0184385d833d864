#include "engine/observe/restore_checks.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/model/joint_store.h"
#include "engine/step/body_changes.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Slots of the state by those of the world; -1: in the world alone.
std::vector<int> savedSlots(const std::vector<int>& here, int slots) {
  std::vector<int> from(static_cast<std::size_t>(slots), -1);
  for (std::size_t slot = 0; slot < here.size(); ++slot) {
    if (here[slot] >= 0) from[here[slot]] = static_cast<int>(slot);
  }
  return from;
}

std::string gearName(const Joint& gear, int slot) {
  return gear.name.empty() ? fmt::format("joint_{}", slot) : gear.name;
}

/// Kinds and axes as they will be.
class Outcome {
 public:
  Outcome(const WorldParts& world, const SavedState& saved, const StateMatch& match)
      : world_(world),
        saved_(saved),
        body_(savedSlots(match.body, world.bodies.slots())),
        joint_(savedSlots(match.joint, world.joints.slots())) {}

  bool isDynamic(int body) const {
    const int then = body_[body];
    const BodyKind kind =
        then < 0 ? world_.bodies.kind[body] : saved_.properties[then].definition.kind;
    return kind == BodyKind::kDynamic;
  }

  const JointProperties& joint(int slot) const {
    const int then = joint_[slot];
    return then < 0 ? world_.joints[slot] : saved_.joints[then];
  }

 private:
  const WorldParts& world_;
  const SavedState& saved_;
  std::vector<int> body_, joint_;  ///< [slots of the world] slots of the state
};

void checkGear(const WorldParts& world, int slot, const Outcome& outcome,
               std::vector<std::string>& problems) {
  const Joint& gear = world.joints[slot];
  const auto checkCoupled = [&](int joint, int coordinate) {
    const Joint& coupled = world.joints[joint];
    if (canCouple(coupled.geometry, outcome.joint(joint).axes, coordinate)) return;
    problems.push_back(
        fmt::format("saved world: gear '{}' needs the one free coordinate of joint '{}', {}, and "
                    "the state locks it or frees others: remove the gear before restoring",
                    gearName(gear, slot), gearName(coupled, joint), coordinate));
  };
  const JointProperties& then = outcome.joint(slot);
  checkCoupled(gear.gear1, then.gearAxis1);
  checkCoupled(gear.gear2, then.gearAxis2);
  for (int body = 0; body < world.bodies.slots(); ++body) {
    if (!outcome.isDynamic(body) || !carries(world.joints, gear, body)) continue;
    problems.push_back(
        fmt::format("saved world: body '{}' carries the joints of gear '{}', and the state makes "
                    "it dynamic: remove the gear before restoring",
                    world.bodies.record[body].name, gearName(gear, slot)));
  }
}

RestoredBody restoredBody(const BodyRecord& here, const SavedProperties& then) {
  const SavedProperties now = propertiesOf(here);
  RestoredBody body;
  body.isNewShape = now.hasAddedShape != then.hasAddedShape || now.shapeBytes != then.shapeBytes;
  if (!body.isNewShape && now.bytes == then.bytes) return body;
  body.definition = then.definition;
  body.definition->name = here.name;
  body.definition->userData = here.userData;
  if (then.hasAddedShape) {
    body.definition->shape = here.addedShape ? *here.addedShape : here.shape;
  }
  return body;
}

}  // namespace

std::vector<RestoredBody> restoredBodies(const WorldParts& world, const SavedState& saved,
                                         const StateMatch& match) {
  std::vector<RestoredBody> bodies(match.body.size());
  for (std::size_t from = 0; from < match.body.size(); ++from) {
    if (match.body[from] < 0) continue;
    bodies[from] = restoredBody(world.bodies.record[match.body[from]], saved.properties[from]);
    if (!bodies[from].definition) continue;
    BodyStore::check(*bodies[from].definition, match.body[from]);
    checkMaterial(world, *bodies[from].definition);
  }
  return bodies;
}

void requireGears(const WorldParts& world, const SavedState& saved, const StateMatch& match) {
  const Outcome outcome(world, saved, match);
  std::vector<std::string> problems;
  for (int slot = 0; slot < world.joints.slots(); ++slot) {
    const Joint& joint = world.joints[slot];
    if (!joint.alive || joint.geometry != JointGeometry::kGear) continue;
    checkGear(world, slot, outcome, problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void restartOthers(const BodyStore& bodies, const StateMatch& match, JointStore& joints) {
  const std::vector<int> from = savedSlots(match.joint, joints.slots());
  for (int slot = 0; slot < joints.slots(); ++slot) {
    Joint& joint = joints[slot];
    if (!joint.alive || from[slot] >= 0) continue;
    joint.forgetRates();
    if (joint.geometry != JointGeometry::kGear) continue;
    if (from[joint.gear1] >= 0 || from[joint.gear2] >= 0) startFromHere(bodies, joints, joint);
  }
}

}  // namespace drystone
