#include "engine/model/cable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/input_error.h"
#include "engine/model/drum.h"
#include "engine/model/joint_coordinates.h"

namespace drystone {
namespace {

constexpr const char* kRubsTwice =
    "a cable rubs at one place alone: cut it by a small body between two such places";
constexpr const char* kDrumStands =
    "its drum does not turn against the point before: put it on a body of its own that a hinge "
    "holds";

Vec3 pointOn(const BodyStore& bodies, int body, const Pose& frame) {
  return bodies.position[body] + bodies.rotation[body] * frame.position;
}

/// Angle between two directions; where one has no length none [rad].
Real angleBetween(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

bool isFree(const JointAxis& axis) {
  return axis.lower == -kInfinity && axis.upper == kInfinity && !axis.spring && !axis.motor &&
         axis.friction == 0;
}

/// The one axis of the first span.
void checkFirst(const JointAxis& axis, std::vector<std::string>& problems) {
  const bool pushes = axis.lower > -kInfinity || axis.spring || axis.motor || axis.friction != 0;
  if (!pushes) return;
  problems.emplace_back(
      "a cable only pulls: its first span has an upper limit, the length of all, and no lower one, "
      "spring, motor or friction");
}

/// The drum of a cable, which is at its last point.
void checkDrum(const std::vector<CablePoint>& points,
               const std::function<void(const std::string&)>& refuse) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CablePoint& point = points[i];
    if (!(std::isfinite(point.drumRadius) && point.drumRadius >= 0)) {
      refuse(
          fmt::format("the radius of a drum must be finite and >= 0 m, got {}", point.drumRadius));
    }
    if (point.drumRadius == 0) continue;
    if (i + 1 < points.size()) {
      refuse("a drum is its last point: name the points from the other end");
    }
    if (!(point.axis.allFinite() && point.axis.norm() > 0)) {
      refuse("the axis of its drum must be finite and not 0");
    }
  }
}

}  // namespace

int cableOf(const JointStore& joints, int slot) {
  const Joint& joint = joints[slot];
  return joint.isFurtherSpan() ? joint.cable : joint.isFirstSpan() ? slot : -1;
}

bool isCableWhole(const JointStore& joints, const Joint& joint) {
  const Joint& first = joint.isFurtherSpan() ? joints[joint.cable] : joint;
  return first.active() &&
         std::ranges::all_of(first.further, [&](int slot) { return joints[slot].active(); });
}

Real rubbingOf(const BodyStore& bodies, const Joint& before, const Joint& span) {
  if (!(span.wrapFriction > 0)) return 0;
  const Vec3 from = pointOn(bodies, before.bodyB, before.frameB);
  const Vec3 to = pointOn(bodies, span.bodyA, span.frameA);
  const Vec3 arrives = from - pointOn(bodies, before.bodyA, before.frameA);
  const Vec3 leaves = endOnB(bodies, span) - to;
  const Vec3 between = to - from;  // where spans that cannot change lie between the two
  const bool isApart = between.norm() > 1e-9 * (arrives.norm() + leaves.norm());
  const Real wrap = isApart ? angleBetween(arrives, between) + angleBetween(between, leaves)
                            : angleBetween(arrives, leaves);
  return std::tanh(span.wrapFriction * wrap / 2);
}

std::vector<std::string> cableProblems(const JointDefinition& definition, int slot,
                                       const JointStore& joints) {
  std::vector<std::string> problems;
  const bool isFurther = definition.cable.index >= 0;
  if (!(std::isfinite(definition.wrapFriction) && definition.wrapFriction >= 0)) {
    problems.emplace_back("the wrap friction must be finite and >= 0");
  }
  if (definition.wrapFriction != 0 && !isFurther) {
    problems.emplace_back("only a further span of a cable has wrap friction");
  }
  if (!(std::isfinite(definition.drumRadius) && definition.drumRadius >= 0)) {
    problems.emplace_back("the radius of a drum must be finite and >= 0 m");
  }
  if (definition.drumRadius > 0 && definition.geometry != JointGeometry::kDistance) {
    problems.emplace_back("only a distance ends on a drum");
  }
  if (!isFurther) {
    if (definition.drumRadius > 0) {
      checkFirst(definition.axes[0], problems);
      return problems;
    }
    if (slot < 0 || !joints[slot].isFirstSpan()) return problems;
    checkFirst(definition.axes[0], problems);
    return problems;
  }
  if (definition.geometry != JointGeometry::kDistance) {
    problems.emplace_back("a span of a cable is a distance");
  }
  if (!isFree(definition.axes[0])) {
    problems.emplace_back(
        "a further span of a cable has no limit, spring, motor or friction of its own: give them "
        "to the first span, whose coordinate is the length of all");
  }
  if (!joints.contains(definition.cable) || !joints[definition.cable.index].active() ||
      joints[definition.cable.index].geometry != JointGeometry::kDistance ||
      joints[definition.cable.index].isFurtherSpan()) {
    problems.push_back(
        fmt::format("the first span of its cable, joint_{}, is no distance that is "
                    "there and no further span",
                    definition.cable.index));
    return problems;
  }
  const Joint& first = joints[definition.cable.index];
  if (std::ranges::any_of(joints, [&](const Joint& gear) {
        return gear.alive && gear.couples(definition.cable.index);
      })) {
    problems.emplace_back("the first span of its cable is coupled by a gear: remove the gear");
  }
  const bool othersRub = std::ranges::any_of(
      first.further, [&](int other) { return other != slot && joints[other].wrapFriction > 0; });
  if (othersRub && definition.wrapFriction > 0) {
    problems.emplace_back(kRubsTwice);
  }
  checkFirst(first.axes[0], problems);
  return problems;
}

Real lengthBetween(const Pose& bodyA, const CablePoint& from, const Pose& bodyB,
                   const CablePoint& to) {
  const Vec3 start = bodyA * from.position;
  if (!(to.drumRadius > 0)) return (bodyB * to.position - start).norm();
  return drumEnd(start, bodyB * jointFrame(to.position, to.axis), to.drumRadius).length;
}

std::vector<JointDefinition> spansOf(const CableDefinition& cable,
                                     const std::function<CableBody(BodyId)>& bodyOf) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(fmt::format("cable '{}': {}", cable.name, problem));
  };
  const std::vector<CablePoint>& points = cable.points;
  if (points.size() < 2) refuse("needs two points at least");
  if (cable.length && !(std::isfinite(*cable.length) && *cable.length > 0)) {
    refuse(fmt::format("its length must be finite and > 0 m, got {}", *cable.length));
  }
  for (const CablePoint* const end : {&points.front(), &points.back()}) {
    if (end->friction != 0) refuse("its ends are fixed: friction belongs to points between them");
  }
  checkDrum(points, refuse);
  std::vector<JointDefinition> spans;
  Real fixed = 0, changing = 0;
  std::optional<Real> friction;  // of the eyelets since the last span
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const CablePoint &from = points[i], &to = points[i + 1];
    if (!(std::isfinite(from.friction) && from.friction >= 0)) {
      refuse(fmt::format("friction of point {} must be finite and >= 0, got {}", i, from.friction));
    }
    const CableBody a = bodyOf(from.body), b = bodyOf(to.body);
    if (!spans.empty()) {
      if (friction && *friction != from.friction) {
        refuse(
            fmt::format("points {} and {} have no span between them that changes, and so need "
                        "the same friction",
                        i - 1, i));
      }
      friction = from.friction;
    } else if (from.friction > 0) {
      refuse(
          fmt::format("point {} has friction, and no span before it changes its length: let the "
                      "cable begin there",
                      i));
    }
    const Real length = lengthBetween(a.pose, from, b.pose, to);
    const bool moves = a.kind == BodyKind::kDynamic || b.kind == BodyKind::kDynamic;
    if (from.body == to.body ||
        (!moves && a.kind == BodyKind::kStatic && b.kind == BodyKind::kStatic)) {
      if (to.drumRadius > 0) refuse(kDrumStands);
      fixed += length;
      continue;
    }
    if (!moves) {
      refuse(
          fmt::format("the span from point {} to point {} changes, and neither body is dynamic: "
                      "end the cable on a light body that the moving one holds",
                      i, i + 1));
    }
    if (to.drumRadius > 0 && !(length > 0)) {
      refuse("the point before its drum lies within the drum: move it out, or make the drum less");
    }
    changing += length;
    JointDefinition span =
        distanceJoint(from.body, to.body, from.position, to.position, -kInfinity, kInfinity);
    span.name = spans.empty() ? cable.name : fmt::format("{}_{}", cable.name, spans.size());
    span.breakingImpulse = cable.breakingImpulse;
    span.collide = true;
    if (to.drumRadius > 0) {
      span.frameB = jointFrame(to.position, to.axis);
      span.drumRadius = to.drumRadius;
    }
    if (!spans.empty()) span.wrapFriction = *friction;
    friction.reset();
    spans.push_back(std::move(span));
  }
  const auto rubs = [](const JointDefinition& span) { return span.wrapFriction > 0; };
  if (std::ranges::count_if(spans, rubs) > 1) refuse(kRubsTwice);
  if (spans.empty()) refuse("none of its spans can change: one of its bodies must be dynamic");
  JointDefinition& first = spans.front();
  const Real length = cable.length.value_or(fixed + changing) - fixed;
  if (!(length > 0)) {
    refuse(cable.length
               ? fmt::format("is {:g} m long, and the spans that cannot change take {:g} m of it",
                             *cable.length, fixed)
               : std::string(
                     "the points of each span that can change lie at one place: give its length"));
  }
  first.compliance = cable.compliance;
  first.axes[0].upper = length;
  return spans;
}

}  // namespace drystone
