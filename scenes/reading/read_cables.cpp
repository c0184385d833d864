// Section `cables`. Each becomes the joints of its spans.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/model/cable.h"
#include "scenes/reading/joints.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

const BodyDefinition& bodyOf(const SceneContext& context, BodyId id) {
  return context.scene.bodies[static_cast<std::size_t>(id.index)];
}

/// A point whose body is named by its index in the scene; -1 after an error.
CablePoint readPoint(const JsonCursor& at, const SceneContext& context) {
  CablePoint point;
  ObjectReader in(at, "cable_point", "an end or eyelet of a cable");
  if (const auto name = in.child({"body", "that it is on"}, KeyType::text(), kRequired)) {
    point.body.index = resolveName(*name, "body", context.bodies);
  }
  in.vector({"position", "in the body's reference frame; or anchor"}, point.position, anyReal("m"));
  Vec3 anchor;
  if (in.vector({"anchor", "point of the world at the start, in place of position"}, anchor,
                anyReal("m"), kNoDefault) &&
      point.body.index >= 0) {
    point.position = bodyOf(context, point.body).pose.inverse() * anchor;
  }
  in.atMostOne({"position", "anchor"});
  in.real({"friction", "coefficient of the cable in the eyelet; at the ends 0"}, point.friction,
          notNegative(""));
  in.real({"drum_radius", "of a drum on which the cable ends, with its last point in the middle"},
          point.drumRadius, positive("m"), kNoDefault);
  in.vector({"axis", "about which the drum winds up, in the body's reference frame"}, point.axis,
            anyReal(""));
  return point;
}

/// Length of the way from point to point at the start [m].
Real lengthAtStart(const CableDefinition& cable, const SceneContext& context) {
  Real length = 0;
  for (std::size_t i = 1; i < cable.points.size(); ++i) {
    const CablePoint &from = cable.points[i - 1], &to = cable.points[i];
    length +=
        lengthBetween(bodyOf(context, from.body).pose, from, bodyOf(context, to.body).pose, to);
  }
  return length;
}

void addSpans(const CableDefinition& cable, const JsonCursor& at, SceneContext& context) {
  const int first = static_cast<int>(context.scene.joints.size());
  const auto placed = [&](BodyId id) {
    return CableBody{bodyOf(context, id).kind, bodyOf(context, id).pose};
  };
  for (JointDefinition& span : spansOf(cable, placed)) {
    const int index = static_cast<int>(context.scene.joints.size());
    if (!context.joints.insert({span.name, index}).second) {
      at.member("name").value_or(at).error(fmt::format(
          "another joint is named \"{}\" already, as a span of this cable would be", span.name));
    }
    context.scene.joints.push_back({.bodyA = span.bodyA.index,
                                    .bodyB = span.bodyB.index,
                                    .cable = index == first ? -1 : first,
                                    .definition = std::move(span)});
  }
  const Real atStart = lengthAtStart(cable, context);
  if (!cable.length || *cable.length > atStart - closingTolerance(atStart)) return;
  at.log().warnings.push_back(
      {.pointer = at.pointer(),
       .message =
           fmt::format("cable '{}' does not hold at the start: its way is {:.4g} m, {:.4g} m "
                       "more than its length; move its bodies, or leave \"length\" out",
                       cable.name, atStart, atStart - *cable.length)});
}

}  // namespace

void readCable(const JsonCursor& at, SceneContext& context) {
  CableDefinition cable;
  ObjectReader in(at, "routed_cable", "a massless cable from eyelet to eyelet, which pulls");
  do {
    cable.name = fmt::format("cable_{}", context.cables++);
  } while (context.joints.contains(cable.name));
  in.text({"name", "unique, of its first span; cable_N unless given"}, cable.name, kNoDefault);
  bool areKnown = true;
  in.list(
      {"points", "ends and eyelets in order, two at least"}, KeyType::listOf("cable_point"),
      [&](const JsonCursor& point) {
        cable.points.push_back(readPoint(point, context));
        areKnown = areKnown && cable.points.back().body.index >= 0;
      },
      kRequired);
  in.real({"length", "of the whole cable; without it that of its way at the start"}, cable.length,
          positive("m"));
  in.real({"compliance", "of the cable; without it the world's"}, cable.compliance,
          notNegative("1/kg"));
  in.real({"breaking_impulse", "impulse of a step in one span at which the cable breaks"},
          cable.breakingImpulse, positive("N s"));
  if (!in.clean() || !areKnown) return;
  try {
    addSpans(cable, at, context);
  } catch (const InputError& error) {
    for (const std::string& problem : error.problems()) in.at().error(problem);
  }
}

}  // namespace drystone
