#include "scenes/reading/joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/joint_coordinates.h"

namespace drystone {
namespace {

/// Anchors farther from a body than so many times its size are taken for slips of the pen.
constexpr Real kFarSizes = 10;

/// Radius about the origin of the reference frame, of the box around the shape [m]; infinite for
/// shapes without bounds and those of landscapes, which nothing is far from.
Real radiusOf(const Shape& shape) {
  const std::optional<Bounds> bounds = isStaticOnly(shape) ? std::nullopt : shapeBounds(shape);
  if (!bounds) return kInfinity;
  return bounds->lower.cwiseAbs().cwiseMax(bounds->upper.cwiseAbs()).norm();
}

/// Distance of a point of the world from a body's shape in sizes of the shape; 0 within.
Real sizesAway(const BodyDefinition& body, const Vec3& point) {
  const Real radius = radiusOf(*body.shape);
  if (radius == kInfinity) return 0;
  return std::max<Real>((point - body.pose.position).norm() - radius, 0) / (2 * radius);
}

/// Angles beyond two turns are likely in degrees.
constexpr Real kLargestAngle = 4 * std::numbers::pi;
constexpr Real kDegree = std::numbers::pi / 180;  ///< [rad]

/// True when a number is an angle as people write it in degrees.
bool looksLikeDegrees(Real value) { return std::abs(value) <= 360 && std::fmod(value, 15) == 0; }

/// Of what a joint does to an angle: its farthest limit or target of a position motor beyond two
/// turns. What turns on for ever, as a winch, has no limits and a schedule; of such targets only
/// those that look like degrees count. 0: there is none.
Real doubtfulAngle(const JointAxis& axis) {
  Real farthest = 0;
  const auto note = [&](Real value) {
    const bool isDoubtful = std::isfinite(value) && std::abs(value) > kLargestAngle;
    if (isDoubtful && std::abs(value) > std::abs(farthest)) farthest = value;
  };
  note(axis.lower);
  note(axis.upper);
  if (!axis.motor || axis.motor->kind != MotorKind::kPosition) return farthest;
  const auto& keys = axis.motor->target.keys();
  const bool isEndless = keys.size() > 1 && std::isinf(axis.lower) && std::isinf(axis.upper);
  for (const Schedule::Key& key : keys) {
    const bool isWithin = key.value >= axis.lower && key.value <= axis.upper;  // else: see motors()
    if (isWithin && (!isEndless || looksLikeDegrees(key.value))) note(key.value);
  }
  return farthest;
}

class JointCheck {
 public:
  JointCheck(SceneContext& context, std::size_t joint)
      : context_(context),
        joint_(context.scene.joints[joint]),
        place_(context.jointPlaces[joint]),
        bodyA_(context.scene.bodies[static_cast<std::size_t>(joint_.bodyA)]),
        bodyB_(context.scene.bodies[static_cast<std::size_t>(joint_.bodyB)]) {}

  void anchors() {
    anchorOn(bodyA_, joint_.definition.frameA.position);
    anchorOn(bodyB_, joint_.definition.frameB.position);
  }

  void gap() {
    const Real gap = gapAtStart(context_.scene, joint_);
    const Real reach =
        joint_.definition.frameA.position.norm() + joint_.definition.frameB.position.norm();
    if (gap <= closingTolerance(reach)) return;
    warn(fmt::format(
        "joint '{}' does not hold at the start: its points on '{}' and '{}' are {:.4g} m "
        "from where it wants them; move one of the bodies, or give both the same \"anchor\"",
        joint_.definition.name, bodyA_.name, bodyB_.name, gap));
  }

  void range() {
    const JointGeometry geometry = joint_.definition.geometry;
    for (int i = lengthCount(geometry); i < coordinateCount(geometry); ++i) {
      const JointAxis& axis = joint_.definition.axes[static_cast<std::size_t>(i)];
      const Real start = i == kAboutX ? turnAtStart() : 0;
      const Real nearest = std::clamp(start, axis.lower, axis.upper);
      if (std::abs(nearest - start) <= closingTolerance(0)) continue;
      warn(fmt::format(
          "joint '{}' does not hold at the start: its angle counts from {:.4g} rad "
          "there, and its {} limit is {:.4g} rad; turn body b, or count the limits from there",
          joint_.definition.name, start, nearest > start ? "lower" : "upper", nearest));
    }
  }

  void degrees() {
    const JointGeometry geometry = joint_.definition.geometry;
    for (int i = lengthCount(geometry); i < coordinateCount(geometry); ++i) {
      const Real angle = doubtfulAngle(joint_.definition.axes[static_cast<std::size_t>(i)]);
      if (angle == 0) continue;
      warn(fmt::format(
          "joint '{0}' has a limit or target of {1:g} rad, which is {2:.4g}°; where {1:g}° is "
          "meant, write {3:.4g}",
          joint_.definition.name, angle, angle / kDegree, angle * kDegree));
    }
  }

  void motors() {
    const JointGeometry geometry = joint_.definition.geometry;
    for (int i = 0; i < coordinateCount(geometry); ++i) {
      const JointAxis& axis = joint_.definition.axes[static_cast<std::size_t>(i)];
      if (!axis.motor || axis.motor->kind != MotorKind::kPosition) continue;
      const auto& keys = axis.motor->target.keys();
      const auto beyond = std::ranges::find_if(keys, [&](const Schedule::Key& key) {
        return key.value < axis.lower - closingTolerance(0) ||
               key.value > axis.upper + closingTolerance(0);
      });
      if (beyond == keys.end()) continue;
      const bool isBelow = beyond->value < axis.lower;
      const std::string_view unit = isAngle(geometry, i) ? "rad" : "m";
      warn(fmt::format(
          "the motor of joint '{}' never comes to its target {:.4g} {}, which is beyond its "
          "\"{}\", {:.4g} {}; move the target or the limit{}",
          joint_.definition.name, beyond->value, unit, isBelow ? "lower" : "upper",
          isBelow ? axis.lower : axis.upper, unit,
          isAngle(geometry, i) ? " (angles are in rad)" : ""));
    }
  }

 private:
  /// The frames of a joint that was read coincide at the start, but for a turn about x.
  Real turnAtStart() const {
    const Quat frameA = bodyA_.pose.rotation * joint_.definition.frameA.rotation;
    const Quat turn =
        frameA.conjugate() * (bodyB_.pose.rotation * joint_.definition.frameB.rotation);
    const Real angle = 2 * std::atan2(turn.x(), turn.w());
    return std::abs(angle) <= closingTolerance(0) ? 0 : angle;
  }

  void anchorOn(const BodyDefinition& body, const Vec3& local) {
    if (!body.shape || body.kind != BodyKind::kDynamic) return;
    const Vec3 anchor = body.pose * local;
    const Real away = sizesAway(body, anchor);
    if (away <= kFarSizes) return;
    warn(
        fmt::format("the anchor ({:.4g}, {:.4g}, {:.4g}) lies far from '{}', {:.3g} times its "
                    "size; \"anchor\" is a point of the world, \"anchor_a\" and \"anchor_b\" are "
                    "points of the bodies",
                    anchor.x(), anchor.y(), anchor.z(), body.name, away));
  }

  void warn(std::string message) {
    context_.log.warnings.push_back({.pointer = place_, .message = std::move(message)});
  }

  SceneContext& context_;
  const SceneJoint& joint_;
  const std::string& place_;
  const BodyDefinition& bodyA_;
  const BodyDefinition& bodyB_;
};

std::string namesOf(const Scene& scene, const std::vector<int>& joints) {
  constexpr std::size_t kListed = 6;
  std::string names;
  for (std::size_t i = 0; i < std::min(joints.size(), kListed); ++i) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ",
                         scene.joints[static_cast<std::size_t>(joints[i])].definition.name);
  }
  if (joints.size() > kListed) names += fmt::format(" and {} more", joints.size() - kListed);
  return names;
}

/// How much rope the motor of a drum winds up until its limit or its own target stops it; infinite
/// where neither does, 0 where it pays out [m]. The drum's coordinate counts from the start.
Real windingOf(const JointAxis& drum, Real radius) {
  if (!drum.motor) return 0;
  Real target = 0;
  for (const Schedule::Key& key : drum.motor->target.keys()) {
    target = std::max(target, radius * key.value);
  }
  const bool isEndless = drum.motor->kind == MotorKind::kVelocity && target > 0;
  const Real limit = radius * (radius > 0 ? drum.upper : drum.lower);
  return std::min(isEndless ? kInfinity : target, limit);
}

/// Distance of the two points of a rope at the start [m].
Real lengthAtStart(const Scene& scene, const SceneJoint& rope) {
  const auto pointOf = [&](int body, const Pose& frame) {
    return scene.bodies[static_cast<std::size_t>(body)].pose * frame.position;
  };
  return (pointOf(rope.bodyB, rope.definition.frameB) - pointOf(rope.bodyA, rope.definition.frameA))
      .norm();
}

/// Warns of winches whose motor goes on when the rope is all wound up.
void checkWinches(SceneContext& context) {
  const std::vector<SceneJoint>& joints = context.scene.joints;
  const auto freeAxis = [](const SceneJoint& joint) -> const JointAxis& {
    return *std::ranges::find(joint.definition.axes, false, &JointAxis::isLocked);
  };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].gear1 < 0 || joints[i].gear2 < 0) continue;
    const JointAxis& coupled = joints[i].definition.axes[0];
    const bool isRope = std::isinf(coupled.lower) && std::isfinite(coupled.upper);
    const SceneJoint& rope = joints[static_cast<std::size_t>(joints[i].gear1)];
    const SceneJoint& drum = joints[static_cast<std::size_t>(joints[i].gear2)];
    const bool isWinch = isRope && rope.definition.geometry == JointGeometry::kDistance &&
                         drum.definition.geometry != JointGeometry::kDistance;
    if (!isWinch || rope.definition.axes[0].lower > 0) continue;
    const Real winding = windingOf(freeAxis(drum), joints[i].definition.gearRatio);
    if (winding == 0 || winding < lengthAtStart(context.scene, rope)) continue;
    context.log.warnings.push_back(
        {.pointer = context.jointPlaces[i],
         .message =
             fmt::format("the drum of '{}' has a motor and its rope '{}' no \"lower\": it "
                         "winds the rope up to nothing; give '{}' a \"lower\", which stops "
                         "the drum",
                         joints[i].definition.name, rope.definition.name, rope.definition.name)});
  }
}

}  // namespace

void checkJoints(SceneContext& context) {
  const Scene& scene = context.scene;
  checkWinches(context);
  // One joint of a generator stands for all of its kind.
  std::set<std::string> warned;
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    if (scene.joints[i].bodyA < 0 || warned.contains(context.jointPlaces[i])) continue;
    const std::size_t before = context.log.warnings.size();
    JointCheck check(context, i);
    check.anchors();
    check.gap();
    check.range();
    check.degrees();
    check.motors();
    if (context.log.warnings.size() > before) warned.insert(context.jointPlaces[i]);
  }
  for (const OpenLoop& loop : loopsThatCannotClose(scene)) {
    context.log.problems.push_back(
        {.pointer = context.jointPlaces[static_cast<std::size_t>(loop.joints.front())],
         .message = fmt::format(
             "the loop of joints {} cannot close: {} needs {:.4g} m, and all else in the loop "
             "reaches {:.4g} m",
             namesOf(scene, loop.joints), loop.longest, loop.needs, loop.reach)});
  }
}

}  // namespace drystone
