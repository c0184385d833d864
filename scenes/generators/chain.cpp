// Bodies tied one to the next: link i stands at i steps from the first, its joints half a step
// before and after its centre.

#include <fmt/format.h>

#include <array>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

/// What hangs on the last link.
struct ChainEnd {
  std::optional<Shape> shape;
  BodyTemplate body;
  Real reach = 0;  ///< from the last joint to its reference point [m]
};

std::optional<ChainEnd> readEnd(ObjectReader& in, SceneContext& context) {
  const auto at = in.child("end", KeyType::of("chain_end"));
  if (!at) return std::nullopt;
  ObjectReader entry(*at, "chain_end", "what hangs on the last link");
  ChainEnd end;
  entry.real({"reach", "from the last joint to its reference point"}, end.reach, notNegative("m"),
             kRequired);
  if (const auto shape =
          entry.child({"shape", "a shape or its name"}, KeyType::of("named_shape"), kRequired))
    end.shape = readShape(*shape, context);
  readBodyTemplate(entry, context, end.body);
  if (end.shape) {
    BodyDefinition whole = end.body.definition;
    if (completeBody(end.body, end.shape, entry, whole)) end.body.definition = whole;
  }
  return end;
}

/// Slows the turns that a joint leaves free.
void addDamping(Real damping, JointDefinition& joint) {
  for (const JointCoordinateIndex i : {kAboutX, kAboutY, kAboutZ}) {
    if (!joint.axes[i].isLocked()) joint.axes[i].spring = {.stiffness = 0, .damping = damping};
  }
}

}  // namespace

void generateChain(ObjectReader& in, SceneContext& context) {
  constexpr std::array<std::string_view, 3> kJointNames = {"ball", "universal", "fixed"};
  Generation generation(in, context, "chain");
  int count = 0, joint = 0;
  Vec3 step(0, 0, -1);
  in.integer({"count", "links"}, count, 1, std::numeric_limits<int>::max(), kRequired);
  in.vector({"step", "from link to link"}, step, anyReal("m"), kRequired);
  in.choice({"joint", "between links"}, joint, kJointNames);
  if (in.clean() && !(step.norm() > 0))
    in.at().member("step")->error("must not be the zero vector");
  Real damping = 0;
  in.real({"damping", "of the turns that the joints leave free"}, damping, notNegative("N m s"));
  int hold = -1;
  if (const auto at =
          in.child({"hold", "name of a body that the first link is tied to"}, KeyType::text()))
    hold = resolveName(*at, "body", context.bodies);
  std::optional<Shape> shape;
  if (const auto at =
          in.child({"shape", "a shape or its name"}, KeyType::of("named_shape"), kRequired))
    shape = readShape(*at, context);
  const std::optional<ChainEnd> end = readEnd(in, context);
  if (!generation.allows(count + (end ? 1 : 0), "count and the end") || !shape) return;

  // The y axes of the joints lie along the chain, so that both arms of a universal joint, x of one
  // link and z of the next, are square to it.
  const Quat along = rotationBetween(Vec3::UnitY(), step);
  const auto tie = [&](int a, int b, Real place, const std::string& suffix) {
    JointDefinition definition = presetJoint(kJointNames[joint]);
    if (damping > 0) addDamping(damping, definition);
    generation.join(a, b, {place * step, along}, definition, suffix);
  };
  int previous = hold;
  for (int i = 0; i < count; ++i) {
    const int link = generation.add(std::to_string(i), *shape, {Real(i) * step, Quat::Identity()});
    if (link < 0) return;
    if (previous >= 0) tie(previous, link, i - 0.5, std::to_string(i));
    previous = link;
  }
  if (end) {
    BodyDefinition body = end->body.definition;
    body.pose.position = (count - 0.5) * step + end->reach * step.normalized();
    const int last = generation.addDefined("end", body);
    if (last >= 0) tie(previous, last, count - 0.5, std::to_string(count));
  }
}

}  // namespace drystone
