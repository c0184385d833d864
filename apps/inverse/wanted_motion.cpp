#include "apps/inverse/wanted_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "apps/support/command_line.h"
#include "apps/support/program.h"
#include "apps/support/static_words.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

/// The named vectors of an option, by body.
std::map<int, Vec3> vectorsOf(const std::vector<std::string>& texts, const std::string& option,
                              const char* unit, const World& world) {
  std::map<int, Vec3> out;
  for (const std::string& text : texts) {
    const KeyValue pair = parseKeyValue(text, option);
    const std::optional<Vec3> vector = parseVector(pair.value);
    if (!vector) {
      throw UsageError(
          fmt::format("{}: must be BODY=X,Y,Z with numbers in {}, got '{}'", option, unit, text));
    }
    if (!out.emplace(dynamicBody(pair.key, world).index, *vector).second) {
      throw UsageError(fmt::format("{}: body '{}' is named twice: name it once", option, pair.key));
    }
  }
  return out;
}

JointId jointNamed(const std::string& name, const World& world) {
  const std::vector<JointId> ids = world.joints();
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const JointId id : ids) names.emplace_back(world.joint(id).name());
  return ids[static_cast<std::size_t>(chooseName("joint", name, names))];
}

bool isUnlocked(const JointAxis& axis) { return !axis.isLocked(); }

/// The only free coordinate of a joint.
int freeCoordinate(const ConstJointHandle& joint) {
  const JointDefinition definition = joint.definition();
  const auto end = definition.axes.begin() + joint.coordinateCount();
  const auto count = std::count_if(definition.axes.begin(), end, isUnlocked);
  if (definition.geometry != JointGeometry::kFrames || count != 1) {
    throw UsageError(fmt::format(
        "--joint: '{}' must have one free coordinate, as a hinge or slider, and has {}; give the "
        "accelerations of its bodies",
        definition.name, definition.geometry == JointGeometry::kFrames ? count : 0));
  }
  return static_cast<int>(std::find_if(definition.axes.begin(), end, isUnlocked) -
                          definition.axes.begin());
}

/// Where the next inner step leads the joints.
std::vector<JointPlace> placesOf(const std::vector<std::string>& texts, const World& world) {
  const Real h = world.settings().substep();
  std::vector<JointPlace> out;
  for (const std::string& text : texts) {
    const KeyValue pair = parseKeyValue(text, "--joint");
    const char* const end = pair.value.data() + pair.value.size();
    Real acceleration = 0;
    const auto [stop, error] = std::from_chars(pair.value.data(), end, acceleration);
    if (error != std::errc() || stop != end || !std::isfinite(acceleration)) {
      throw UsageError(
          fmt::format("--joint: must be JOINT=A with a number in m/s² or rad/s², got '{}'", text));
    }
    const JointId id = jointNamed(pair.key, world);
    if (std::ranges::find(out, id, &JointPlace::joint) != out.end()) {
      throw UsageError(fmt::format("--joint: '{}' is named twice: name it once", pair.key));
    }
    const ConstJointHandle joint = world.joint(id);
    const int coordinate = freeCoordinate(joint);
    const Real rate = joint.rate(coordinate);
    out.push_back({.joint = id,
                   .coordinate = coordinate,
                   .value = joint.coordinate(coordinate) + h * rate,
                   .rate = rate + h * acceleration});
  }
  return out;
}

}  // namespace

std::vector<WantedVelocity> wantedVelocities(const WantedAccelerations& wanted, const Scene& scene,
                                             const SolverRegistry& registry, const World& world) {
  const Real h = world.settings().substep();
  const std::map<int, Vec3> linear = vectorsOf(wanted.linear, "--acceleration", "m/s²", world);
  const std::map<int, Vec3> angular = vectorsOf(wanted.angular, "--spin", "rad/s²", world);
  const std::vector<JointPlace> places = placesOf(wanted.joints, world);
  std::optional<World> moved;
  if (!places.empty()) {
    moved.emplace(buildWorld(scene, registry));
    moved->placeJoints(places);
  }
  std::vector<WantedVelocity> out;
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    if (body.kind() != BodyKind::kDynamic) continue;
    const ConstBodyHandle end = moved ? std::as_const(*moved).body(id) : body;
    WantedVelocity one{id, end.linearVelocity(), end.angularVelocity()};
    const auto push = linear.find(id.index), spin = angular.find(id.index);
    if (push != linear.end()) one.linear = body.linearVelocity() + h * push->second;
    if (spin != angular.end()) one.angular = body.angularVelocity() + h * spin->second;
    out.push_back(one);
  }
  return out;
}

void actuateJoints(World& world) {
  for (const JointId id : world.joints()) {
    const JointHandle joint = world.joint(id);
    const JointDefinition definition = joint.definition();
    if (definition.geometry != JointGeometry::kFrames) continue;
    for (int i = 0; i < joint.coordinateCount(); ++i) {
      if (isUnlocked(definition.axes[i]) && !definition.axes[i].motor)
        joint.setMotor(i, JointMotor{});
    }
  }
}

}  // namespace drystone::cli
