// Section `joints`.

#include <fmt/format.h>

#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

bool isBallJoint(const JsonCursor& at) {
  const auto type = at.member("type");
  if (!type) return at.error("a joint needs \"type\"");
  std::string name;
  if (!type->text(name)) return false;
  return name == "ball" ||
         type->error(fmt::format("unknown type of joint \"{}\"; supported are: ball", name));
}

const Pose& poseOf(const SceneContext& context, int body) {
  return context.scene.bodies[static_cast<std::size_t>(body)].pose;
}

/// One point of the world, or a point of each body.
void readAnchors(ObjectReader& in, const SceneContext& context, SceneJoint& joint) {
  Vec3 world;
  const bool hasWorld = in.vector("anchor", world, anyReal("m"));
  in.vector("anchor_a", joint.anchorA, anyReal("m"));
  in.vector("anchor_b", joint.anchorB, anyReal("m"));
  if (in.has("anchor") && (in.has("anchor_a") || in.has("anchor_b"))) {
    in.at().error(
        "give \"anchor\" (a point of the world) or \"anchor_a\" and \"anchor_b\", not both");
  } else if (!in.has("anchor") && !(in.has("anchor_a") && in.has("anchor_b"))) {
    in.at().error("joint needs \"anchor\", or \"anchor_a\" and \"anchor_b\"");
  } else if (hasWorld && joint.bodyA >= 0 && joint.bodyB >= 0) {
    joint.anchorA = poseOf(context, joint.bodyA).inverse() * world;
    joint.anchorB = poseOf(context, joint.bodyB).inverse() * world;
  }
}

}  // namespace

void readJoint(const JsonCursor& at, SceneContext& context) {
  if (at.isObject() && !isBallJoint(at)) return;
  ObjectReader in(at, "ball");
  SceneJoint joint;
  in.child("type");
  joint.name = fmt::format("joint_{}", context.scene.joints.size());
  in.text("name", joint.name);
  if (const auto name = in.child("body_a", kRequired))
    joint.bodyA = resolveName(*name, "body", context.bodies);
  if (const auto name = in.child("body_b", kRequired))
    joint.bodyB = resolveName(*name, "body", context.bodies);
  if (joint.bodyA >= 0 && joint.bodyA == joint.bodyB) {
    in.at().member("body_b")->error("a joint connects two bodies, and this is body_a again");
  }
  const auto moves = [&](int body) {
    return context.scene.bodies[static_cast<std::size_t>(body)].kind == BodyKind::kDynamic;
  };
  if (joint.bodyA >= 0 && joint.bodyB >= 0 && joint.bodyA != joint.bodyB && !moves(joint.bodyA) &&
      !moves(joint.bodyB)) {
    at.error("one of the two bodies must be dynamic");
  }
  readAnchors(in, context, joint);
  in.real("compliance", joint.compliance, notNegative("1/kg"));
  in.boolean("collide", joint.collide);
  if (!context.joints.insert({joint.name, static_cast<int>(context.scene.joints.size())}).second) {
    at.error(fmt::format("another joint is named \"{}\" already", joint.name));
  }
  context.scene.joints.push_back(std::move(joint));
}

}  // namespace drystone
