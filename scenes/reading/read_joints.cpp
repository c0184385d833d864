// Section `joints`.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/wording.h"
#include "scenes/reading/joints.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

const Pose& poseOf(const SceneContext& context, int body) {
  return context.scene.bodies[static_cast<std::size_t>(body)].pose;
}

/// Reads one joint: what all types share, then the type's own keys into the definition.
class JointReader {
 public:
  JointReader(const JsonCursor& at, std::string_view type, SceneContext& context)
      : context_(context), in_(at, type), definition_(joint_.definition) {
    in_.child("type");
    definition_.name = fmt::format("joint_{}", context.scene.joints.size());
    in_.text("name", definition_.name);
    in_.real("compliance", definition_.compliance, notNegative("1/kg"));
    in_.real("breaking_impulse", definition_.breakingImpulse, positive("N s"));
  }

  void ball() {
    readBodies();
    readPlace(readAxisDirection("axis", kOptional));
    lockAllBut({kAboutX, kAboutY, kAboutZ});
    in_.real("swing_limit", definition_.swingLimit, positive("rad", M_PI));
    Real friction = 0;
    in_.real("friction", friction, notNegative("N m"));
    for (const int i : {kAboutX, kAboutY, kAboutZ}) definition_.axes[i].friction = friction;
  }
  void hinge() {
    readBodies();
    readPlace(readAxisDirection("axis", kRequired));
    lockAllBut({kAboutX});
    readAxisKeys(in_, kAboutAxis, definition_.axes[kAboutX]);
  }
  void slider() {
    readBodies();
    readPlace(readAxisDirection("axis", kRequired));
    lockAllBut({kAlongX});
    readAxisKeys(in_, kAlongAxis, definition_.axes[kAlongX]);
  }
  void cylindrical() {
    readBodies();
    readPlace(readAxisDirection("axis", kRequired));
    lockAllBut({kAlongX, kAboutX});
    readAxis(in_, "slide", kAlongAxis, false, definition_.axes[kAlongX]);
    readAxis(in_, "turn", kAboutAxis, false, definition_.axes[kAboutX]);
  }
  void universal() {
    readBodies();
    readPlace(readCross());
    lockAllBut({kAboutX, kAboutZ});
    readAxis(in_, "turn_a", kAboutAxis, false, definition_.axes[kAboutX]);
    readAxis(in_, "turn_b", kAboutAxis, false, definition_.axes[kAboutZ]);
  }
  void fixed() {
    readBodies();
    readPlace(readOrientation());
    lockAllBut({});
  }
  void sixDof() {
    readBodies();
    readPlace(readOrientation());
    constexpr std::array<std::string_view, 6> kKeys = {"x",       "y",       "z",
                                                       "about_x", "about_y", "about_z"};
    for (int i = 0; i < 6; ++i) {
      readAxis(in_, kKeys[i], i < 3 ? kAlongAxis : kAboutAxis, true, definition_.axes[i]);
    }
    checkMiddleAngle("lower", -definition_.axes[kAboutY].lower);
    checkMiddleAngle("upper", definition_.axes[kAboutY].upper);
  }
  void distance() {
    readBodies();
    readPlace(Quat::Identity());
    definition_.geometry = JointGeometry::kDistance;
    JointAxis& axis = definition_.axes[0];
    readAxisKeys(in_, kDistanceAxis, axis);
    Real length = 0;
    if (in_.real("length", length, positive("m"))) axis.lower = axis.upper = length;
    in_.atMostOne({"length", "lower"});
    in_.atMostOne({"length", "upper"});
    in_.atLeastOne({"length", "lower", "upper", "spring", "motor"});
  }
  void gear() {
    definition_.geometry = JointGeometry::kGear;
    definition_.collide = true;
    readGearJoints(in_, context_, joint_);
    in_.real("ratio", definition_.gearRatio, anyReal(""), kRequired);
    if (definition_.gearRatio == 0) in_.at().member("ratio")->error("must not be 0");
  }

  void finish(const JsonCursor& at) {
    const int index = static_cast<int>(context_.scene.joints.size());
    if (!context_.joints.insert({definition_.name, index}).second) {
      at.member("name").value_or(at).error(
          fmt::format("another joint is named \"{}\" already", definition_.name));
    }
    context_.scene.joints.push_back(std::move(joint_));
  }

 private:
  void readBodies() {
    in_.boolean("collide", definition_.collide);
    if (const auto name = in_.child("body_a", kRequired)) {
      joint_.bodyA = resolveName(*name, "body", context_.bodies);
    }
    if (const auto name = in_.child("body_b", kRequired)) {
      joint_.bodyB = resolveName(*name, "body", context_.bodies);
    }
    if (joint_.bodyA < 0 || joint_.bodyB < 0) return;
    if (joint_.bodyA == joint_.bodyB) {
      in_.at().member("body_b")->error("a joint connects two bodies, and this is body_a again");
      return;
    }
    const auto isDynamic = [&](int body) {
      return context_.scene.bodies[static_cast<std::size_t>(body)].kind == BodyKind::kDynamic;
    };
    if (!isDynamic(joint_.bodyA) && !isDynamic(joint_.bodyB)) {
      in_.at().error("one of the two bodies must be dynamic");
    }
  }

  /// Of a limit as an angle away from 0.
  void checkMiddleAngle(std::string_view limit, Real angle) {
    if (std::isinf(angle) || angle <= M_PI / 2) return;
    in_.at().member("about_y")->member(limit)->error(
        "about_y stays within ±90° (±1.570796 rad); choose \"orientation\" so that the largest "
        "turn "
        "is about_x or about_z");
  }

  void lockAllBut(std::initializer_list<int> freeOnes) {
    definition_.axes.fill(JointAxis::locked());
    for (const int i : freeOnes) definition_.axes[i] = {};
  }

  /// Orientation of a frame whose x axis is the direction.
  Quat readAxisDirection(std::string_view key, Presence presence) {
    Vec3 axis = Vec3::UnitX();
    if (!in_.vector(key, axis, anyReal(""), presence)) return Quat::Identity();
    if (axis.isZero(0)) {
      in_.at().member(key)->error("must not be the zero vector");
      return Quat::Identity();
    }
    return rotationBetween(Vec3::UnitX(), axis);
  }

  /// Orientation of a frame whose x is the arm of body a, and its z that of body b.
  Quat readCross() {
    Vec3 armA = Vec3::UnitX(), armB = Vec3::UnitZ();
    const bool hasA = in_.vector("axis_a", armA, anyReal(""), kRequired);
    const bool hasB = in_.vector("axis_b", armB, anyReal(""), kRequired);
    if (!hasA || !hasB) return Quat::Identity();
    for (const auto& [key, arm] : {std::pair("axis_a", armA), std::pair("axis_b", armB)}) {
      if (arm.norm() > 0) continue;
      in_.at().member(key)->error("must not be the zero vector");
      return Quat::Identity();
    }
    constexpr Real kSquare = 1e-6;  // cosine that rounding of typed numbers may leave
    if (!(std::abs(armA.normalized().dot(armB.normalized())) <= kSquare)) {
      in_.at().member("axis_b")->error("must be at a right angle to axis_a");
      return Quat::Identity();
    }
    Mat3 axes;
    axes.col(0) = armA.normalized();
    axes.col(1) = armB.cross(armA).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return Quat(axes);
  }

  Quat readOrientation() {
    Quat orientation = Quat::Identity();
    in_.orientation("orientation", orientation);
    return orientation;
  }

  /// One point of the world, or a point of each body; with the orientation of the frames in the
  /// world at the start.
  void readPlace(const Quat& orientation) {
    Vec3 world = Vec3::Zero(), pointA = Vec3::Zero(), pointB = Vec3::Zero();
    const bool hasWorld = in_.vector("anchor", world, anyReal("m"));
    in_.vector("anchor_a", pointA, anyReal("m"));
    in_.vector("anchor_b", pointB, anyReal("m"));
    if (in_.has("anchor") && (in_.has("anchor_a") || in_.has("anchor_b"))) {
      in_.at().error(
          "give \"anchor\" (a point of the world) or \"anchor_a\" and \"anchor_b\", not both");
      return;
    }
    if (!in_.has("anchor") && !(in_.has("anchor_a") && in_.has("anchor_b"))) {
      in_.at().error("joint needs \"anchor\", or \"anchor_a\" and \"anchor_b\"");
      return;
    }
    if (joint_.bodyA < 0 || joint_.bodyB < 0) return;
    const auto frame = [&](int body, const Vec3& point) {
      const Pose inverse = poseOf(context_, body).inverse();
      return Pose{hasWorld ? inverse * world : point, inverse.rotation * orientation};
    };
    definition_.frameA = frame(joint_.bodyA, pointA);
    definition_.frameB = frame(joint_.bodyB, pointB);
  }

  SceneContext& context_;
  ObjectReader in_;
  SceneJoint joint_;
  JointDefinition& definition_;
};

struct JointType {
  std::string_view name;
  void (JointReader::*read)();
};
constexpr std::array<JointType, 9> kTypes = {{{"ball", &JointReader::ball},
                                              {"hinge", &JointReader::hinge},
                                              {"slider", &JointReader::slider},
                                              {"cylindrical", &JointReader::cylindrical},
                                              {"universal", &JointReader::universal},
                                              {"fixed", &JointReader::fixed},
                                              {"six_dof", &JointReader::sixDof},
                                              {"distance", &JointReader::distance},
                                              {"gear", &JointReader::gear}}};

/// Null after an error.
const JointType* chooseType(const JsonCursor& at) {
  const auto key = at.member("type");
  std::string name;
  if (!key) {
    at.error("a joint needs \"type\"");
    return nullptr;
  }
  if (!key->text(name)) return nullptr;
  std::vector<std::string> names;
  for (const JointType& type : kTypes) {
    if (type.name == name) return &type;
    names.emplace_back(type.name);
  }
  key->error(fmt::format("unknown type of joint \"{}\"; {}", name, didYouMean(name, names)));
  return nullptr;
}

}  // namespace

void readJoint(const JsonCursor& at, SceneContext& context) {
  const JointType* chosen = at.isObject() ? chooseType(at) : &kTypes.front();
  if (chosen == nullptr) return;
  JointReader reader(at, chosen->name, context);
  (reader.*chosen->read)();
  reader.finish(at);
}

}  // namespace drystone
