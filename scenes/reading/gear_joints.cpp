// The two joints of a gear: what the engine asks of them, with the place in the file.
#include "scenes/reading/joints.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/model/joint_store.h"

namespace drystone {
namespace {

/// Index of a joint that a gear can couple, -1 after an error.
int readCoupled(const Key& key, ObjectReader& in, const SceneContext& context) {
  const auto at = in.child(key, KeyType::text(), kRequired);
  if (!at) return -1;
  if (at->isString() && !context.joints.contains(at->json().get<std::string>()) &&
      context.jointsOfFile.contains(at->json().get<std::string>())) {
    at->error(fmt::format("joint {} stands further down; a gear comes after the joints it couples",
                          at->json().dump()));
    return -1;
  }
  const int index = resolveName(*at, "joint", context.joints);
  if (index < 0 || context.guessedJoints.contains(index)) return -1;
  const SceneJoint& joint = context.scene.joints[static_cast<std::size_t>(index)];
  const std::string& name = joint.definition.name;
  const std::string rule = fmt::format("a gear couples hinges and sliders, and \"{}\" ", name);
  if (joint.definition.geometry != JointGeometry::kFrames) {
    at->error(rule + "is neither");
    return -1;
  }
  const int free = freeCoordinateCount(joint.definition.axes);
  if (free != 1) {
    at->error(fmt::format("{}has {} free coordinates in place of one", rule, free));
    return -1;
  }
  if (joint.bodyA < 0 || joint.bodyB < 0) return -1;  // reported there
  const BodyDefinition& carrier = context.scene.bodies[static_cast<std::size_t>(joint.bodyA)];
  if (carrier.kind == BodyKind::kDynamic) {
    at->error(fmt::format(
        "body_a of \"{}\", \"{}\", is dynamic; a gear couples joints whose body_a is static or "
        "kinematic",
        name, carrier.name));
    return -1;
  }
  return index;
}

void checkCouple(const ObjectReader& in, const Scene& scene, const SceneJoint& gear) {
  if (gear.gear1 < 0 || gear.gear2 < 0) return;
  const JsonCursor at = *in.at().member("joint_b");
  if (gear.gear1 == gear.gear2) {
    at.error("a gear couples two joints, and this is joint_a again");
    return;
  }
  const auto moved = [&](int joint) { return scene.joints[static_cast<std::size_t>(joint)].bodyB; };
  if (moved(gear.gear1) == moved(gear.gear2)) {
    at.error(fmt::format("a gear couples two bodies, and \"{}\" is body_b of both joints",
                         scene.bodies[static_cast<std::size_t>(moved(gear.gear1))].name));
  }
}

}  // namespace

void readGearJoints(ObjectReader& in, const SceneContext& context, SceneJoint& gear) {
  gear.gear1 = readCoupled({"joint_a", "name of an earlier joint, whose body a is not dynamic"}, in,
                           context);
  gear.gear2 = readCoupled({"joint_b", "another one"}, in, context);
  checkCouple(in, context.scene, gear);
}

}  // namespace drystone
