// The two joints of a gear: what the engine asks of them, with the place in the file.
#include "scenes/reading/joints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "engine/model/joint_coordinates.h"
#include "engine/model/joint_store.h"

namespace drystone {
namespace {

using Kind = PresetCoupling::Kind;

/// What joints of a kind are called; those of any kind are named by examples.
std::string_view nameOf(Kind kind) {
  switch (kind) {
    case Kind::kSlide:
      return "a slider";
    case Kind::kTurn:
      return "a hinge";
    case Kind::kDistance:
      return "a distance";
    case Kind::kAny:
      break;
  }
  return "a hinge, slider or distance";
}

bool isOfKind(const JointDefinition& joint, Kind kind) {
  if (kind == Kind::kAny) return true;
  if (joint.geometry == JointGeometry::kDistance) return kind == Kind::kDistance;
  const auto free = std::ranges::find(joint.axes, false, &JointAxis::isLocked);
  return isAngle(joint.geometry, static_cast<int>(free - joint.axes.begin()))
             ? kind == Kind::kTurn
             : kind == Kind::kSlide;
}

/// Index of a joint of the kind that a gear can couple, -1 after an error.
int readCoupled(const Key& key, Kind kind, ObjectReader& in, const JointPreset& preset,
                const SceneContext& context) {
  const auto at = in.child(key, KeyType::text(), kRequired);
  if (!at) return -1;
  if (at->isString() && !context.joints.contains(at->json().get<std::string>()) &&
      context.jointsOfFile.contains(at->json().get<std::string>())) {
    at->error(fmt::format("joint {} stands further down; a {} comes after the joints it couples",
                          at->json().dump(), preset.name));
    return -1;
  }
  const int index = resolveName(*at, "joint", context.joints);
  if (index < 0 || context.guessedJoints.contains(index)) return -1;
  const SceneJoint& joint = context.scene.joints[static_cast<std::size_t>(index)];
  const JointDefinition& definition = joint.definition;
  const std::string rule =
      fmt::format("{} here is {}, and \"{}\" ", key.name, nameOf(kind), definition.name);
  if (definition.geometry == JointGeometry::kGear) {
    at->error(fmt::format("{}is a {}", rule, preset.name));
    return -1;
  }
  const int free = freeCoordinateCount(definition.geometry, definition.axes);
  if (free != 1) {
    at->error(fmt::format("{}has {} free coordinates in place of one", rule, free));
    return -1;
  }
  if (!isOfKind(definition, kind)) {
    at->error(rule + "is none");
    return -1;
  }
  return joint.bodyA < 0 || joint.bodyB < 0 ? -1 : index;  // reported there
}

void checkCouple(const ObjectReader& in, const JointPreset& preset, const Scene& scene,
                 const SceneJoint& gear) {
  if (gear.gear1 < 0 || gear.gear2 < 0) return;
  const JsonCursor at = *in.at().member("joint_b");
  if (gear.gear1 == gear.gear2) {
    at.error(fmt::format("a {} couples two joints, and this is joint_a again", preset.name));
    return;
  }
  const auto bodiesOf = [&](int joint) {
    const SceneJoint& of = scene.joints[static_cast<std::size_t>(joint)];
    return std::pair(of.bodyA, of.bodyB);
  };
  const auto isDynamic = [&](int body) {
    return scene.bodies[static_cast<std::size_t>(body)].kind == BodyKind::kDynamic;
  };
  const auto one = bodiesOf(gear.gear1), two = bodiesOf(gear.gear2);
  if (bodiesOfGear(one, two, isDynamic).first >= 0) return;
  std::set<std::string> names;
  for (const int body : {one.first, one.second, two.first, two.second}) {
    if (isDynamic(body)) names.insert(scene.bodies[static_cast<std::size_t>(body)].name);
  }
  at.error(
      fmt::format("a {} acts on two dynamic bodies, and those of the two joints are {}; "
                  "carriers are static, kinematic or one of the two; to drive more bodies, give "
                  "each joint a motor of its own",
                  preset.name, fmt::join(names, ", ")));
}

}  // namespace

void readGearJoints(ObjectReader& in, const JointPreset& preset, const SceneContext& context,
                    SceneJoint& gear) {
  gear.gear1 = readCoupled({"joint_a", "name of an earlier joint"}, preset.coupling.first, in,
                           preset, context);
  gear.gear2 = readCoupled({"joint_b", "another one"}, preset.coupling.second, in, preset, context);
  checkCouple(in, preset, context.scene, gear);
}

}  // namespace drystone
