// Section `joints`.

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <string>

#include "engine/model/joint_coordinates.h"
#include "engine/model/joint_presets.h"
#include "scenes/reading/joints.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

const Pose& poseOf(const SceneContext& context, int body) {
  return context.scene.bodies[static_cast<std::size_t>(body)].pose;
}

const AxisUnits& unitsOf(JointGeometry geometry, int coordinate) {
  if (traitsOf(geometry).isDistance) return kDistanceAxis;
  return isAngle(geometry, coordinate) ? kAboutAxis : kAlongAxis;
}

/// What a joint that lacks one of its directions is told: the help as a clause of a message.
std::string axisRemedy(const PresetAxis& axis) {
  std::string clause(axis.help.substr(0, axis.help.find_last_not_of('.') + 1));
  clause[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(clause[0])));
  return clause;
}

/// Reads one joint as its preset says.
class JointReader {
 public:
  JointReader(const JsonCursor& at, const JointPreset& preset, bool isGuess, SceneContext& context)
      : context_(context),
        preset_(preset),
        in_(at, preset.name, preset.help),
        definition_(joint_.definition) {
    if (isGuess) in_.guess();
    definition_ = presetJoint(preset.name);
    in_.type("joint");
    const ObjectReader::Group group(in_, "joint_keys");
    definition_.name = fmt::format("joint_{}", context.scene.joints.size());
    in_.text({"name", "unique; joint_N unless given"}, definition_.name, kNoDefault);
    in_.real({"compliance", "of locks and limits; without it the world's"}, definition_.compliance,
             notNegative("1/kg"));
    in_.real({"breaking_impulse", "linear impulse of a step at which the joint breaks"},
             definition_.breakingImpulse, positive("N s"));
  }

  void read() {
    if (preset_.geometry == JointGeometry::kGear) {
      readGear();
      return;
    }
    readBodies();
    readPlace(readFrame());
    for (const PresetCoordinate& coordinate : preset_.free) {
      readCoordinate(coordinate);
      if (coordinate.carriesLoad) checkLoad(coordinate);
    }
    readStart();
    checkSecondAngle();
    if (preset_.visitOwn != nullptr) {
      FieldReader own(in_);
      preset_.visitOwn(definition_, own);
    }
    if (traitsOf(preset_.geometry).isDistance) {
      in_.atMostOne({"length", "lower"});
      in_.atMostOne({"length", "upper"});
      in_.atLeastOne({"length", "lower", "upper", "spring", "motor"});
    }
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
    const ObjectReader::Group group(in_, "joint_place");
    in_.boolean({"collide", "the two bodies may touch"}, definition_.collide);
    if (const auto name = in_.child({"body_a", "name of a body"}, KeyType::text(), kRequired)) {
      joint_.bodyA = resolveName(*name, "body", context_.bodies);
    }
    if (const auto name = in_.child({"body_b", "name of a body"}, KeyType::text(), kRequired)) {
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

  void readGear() {
    readGearJoints(in_, preset_, context_, joint_);
    const PresetCoupling& coupling = preset_.coupling;
    Real number = 1;
    in_.real({coupling.key, coupling.help}, number, anyReal(coupling.unit), kRequired);
    if (number == 0) in_.at().member(coupling.key)->error("must not be 0");
    definition_.gearRatio = coupling.sign * number;
  }

  void readCoordinate(const PresetCoordinate& coordinate) {
    JointAxis& axis = definition_.axes[coordinate.index];
    const bool isDescribed = context_.log.description != nullptr;
    const AxisUnits& units = isDescribed ? kAnyAxis : unitsOf(preset_.geometry, coordinate.index);
    if (coordinate.key.empty()) {
      if (preset_.free.size() == 1) readAxisKeys(in_, units, axis);
      return;
    }
    readAxis(in_, {coordinate.key, coordinate.help}, units, preset_.mayLock, axis);
  }

  /// What the coordinate of a hinge or slider is where the bodies are: frame A is put back by it.
  void readStart() {
    const bool isSingle = preset_.free.size() == 1 && preset_.free.front().key.empty();
    if (!isSingle || preset_.geometry != JointGeometry::kFrames) return;
    const int coordinate = preset_.free.front().index;
    const bool turns = isAngle(preset_.geometry, coordinate);
    // Less than half a turn, which could not be told from its opposite.
    const Range range = turns ? within(-3.14, 3.14, "rad") : anyReal("m");
    Real start = 0;
    in_.real({"start", "coordinate at the start, which limits, rest and targets count with"}, start,
             range);
    if (start == 0) return;
    if (in_.has("anchor_a")) {
      in_.at().member("start")->error("goes with \"anchor\", a point of the world");
      return;
    }
    Pose back;
    if (turns) {
      back.rotation = Quat(Eigen::AngleAxis<Real>(-start, Vec3::UnitX()));
    } else {
      back.position = -start * Vec3::UnitX();
    }
    definition_.frameA = definition_.frameA * back;
  }

  void checkLoad(const PresetCoordinate& coordinate) {
    const JointAxis& axis = definition_.axes[coordinate.index];
    if (axis.spring || axis.motor || std::isfinite(axis.lower) || std::isfinite(axis.upper)) return;
    const JsonCursor& at = in_.at();
    at.log().doubts["load"].push_back(
        {.pointer = at.pointer(),
         .message = fmt::format("nothing carries the load of {} '{}': its \"{}\" has no spring and "
                                "no limits; give it a \"spring\", or \"lower\" and \"upper\"",
                                preset_.name, definition_.name, coordinate.key)});
  }

  /// What leads the second angle past ±90° where all three are free.
  void checkSecondAngle() {
    if (!isSecondAngleBounded(definition_.geometry, definition_.axes)) return;
    const JointAxis& axis = definition_.axes[kAboutY];
    const auto refuse = [&](std::string_view key) {
      in_.at().member("about_y")->member(key)->error(
          "about_y stays within ±90° (±1.570796 rad) where all three turns are free; lock about_x "
          "or about_z, or choose \"orientation\" so that the largest turn is about_x or about_z");
    };
    if (std::isfinite(axis.lower) && axis.lower < -kRightAngle) refuse("lower");
    if (std::isfinite(axis.upper) && axis.upper > kRightAngle) refuse("upper");
    if (!axis.motor) return;
    for (const Schedule::Key& key : axis.motor->target.keys()) {
      if (!leadsPastRightAngle(axis, key.value)) continue;
      refuse("motor");
      return;
    }
  }

  /// Orientation of the frames in the world at the start.
  Quat readFrame() {
    if (preset_.axes.size() == 2) return readCross(preset_.axes[0], preset_.axes[1]);
    Quat orientation = Quat::Identity();
    if (preset_.hasOrientation) in_.orientation({"orientation", "of the frames"}, orientation);
    for (const PresetAxis& x : preset_.axes) {
      Vec3 axis = Vec3::UnitX();
      if (!in_.vector({x.key, x.help, axisRemedy(x)}, axis, anyReal(""),
                      x.isRequired ? kRequired : kOptional))
        break;
      if (axis.isZero(0)) {
        in_.at().member(x.key)->error("must not be the zero vector");
      } else {
        orientation = rotationBetween(Vec3::UnitX(), axis);
      }
    }
    return orientation;
  }

  /// Orientation of a frame whose x is the arm of body a, and its z that of body b.
  Quat readCross(const PresetAxis& axisA, const PresetAxis& axisB) {
    const std::string_view keyA = axisA.key, keyB = axisB.key;
    Vec3 armA = Vec3::UnitX(), armB = Vec3::UnitZ();
    const bool hasA =
        in_.vector({keyA, axisA.help, axisRemedy(axisA)}, armA, anyReal(""), kRequired);
    const bool hasB =
        in_.vector({keyB, axisB.help, axisRemedy(axisB)}, armB, anyReal(""), kRequired);
    if (!hasA || !hasB) return Quat::Identity();
    for (const auto& [key, arm] : {std::pair(keyA, armA), std::pair(keyB, armB)}) {
      if (arm.norm() > 0) continue;
      in_.at().member(key)->error("must not be the zero vector");
      return Quat::Identity();
    }
    constexpr Real kSquare = 1e-6;  // cosine that rounding of typed numbers may leave
    if (!(std::abs(armA.normalized().dot(armB.normalized())) <= kSquare)) {
      in_.at().member(keyB)->error(fmt::format("must be at a right angle to {}", keyA));
      return Quat::Identity();
    }
    Mat3 axes;
    axes.col(0) = armA.normalized();
    axes.col(1) = armB.cross(armA).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return Quat(axes);
  }

  /// One point of the world, or a point of each body; with the orientation of the frames in the
  /// world at the start.
  void readPlace(const Quat& orientation) {
    const ObjectReader::Group group(in_, "joint_place");
    Vec3 world = Vec3::Zero(), pointA = Vec3::Zero(), pointB = Vec3::Zero();
    const bool hasWorld =
        in_.vector({"anchor", "point of the world at the start; or anchor_a and anchor_b"}, world,
                   anyReal("m"), kNoDefault);
    in_.vector({"anchor_a", "in body a's reference frame"}, pointA, anyReal("m"), kNoDefault);
    in_.vector({"anchor_b", "in body b's reference frame"}, pointB, anyReal("m"), kNoDefault);
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
  const JointPreset& preset_;
  ObjectReader in_;
  SceneJoint joint_;
  JointDefinition& definition_;
};

}  // namespace

void readJoint(const JsonCursor& at, SceneContext& context) {
  std::vector<std::string_view> names;
  for (const JointPreset& preset : jointPresets()) names.push_back(preset.name);
  const ObjectType type = at.isObject() ? readType(at, "joint", names) : ObjectType{};
  const int index = static_cast<int>(context.scene.joints.size());
  if (type.isGuess) context.guessedJoints.insert(index);
  JointReader reader(at, jointPresets()[static_cast<std::size_t>(type.index)], type.isGuess,
                     context);
  reader.read();
  reader.finish(at);
}

}  // namespace drystone
