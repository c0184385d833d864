#include "apps/derive/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "apps/support/command_line.h"
#include "apps/support/program.h"
#include "apps/support/static_words.h"
#include "core/wording.h"
#include "engine/world/world.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

constexpr Real kNone = std::numeric_limits<Real>::quiet_NaN();
/// Steps of differences, of the parameter or 1: round-off and curvature are both small there.
constexpr Real kDifference = 1e-5;
constexpr Real kLeastDifference = 1e-9;

using Kind = DerivedParameter::Kind;

/// The components of a body, by the last word of a key.
struct BodyKey {
  const char* name;
  const char* unit;
  Kind kind;
  int entry;
};
constexpr std::array kBodyKeys = {
    BodyKey{"x", "m", Kind::kPose, 0},          BodyKey{"y", "m", Kind::kPose, 1},
    BodyKey{"z", "m", Kind::kPose, 2},          BodyKey{"vx", "m/s", Kind::kVelocity, 0},
    BodyKey{"vy", "m/s", Kind::kVelocity, 1},   BodyKey{"vz", "m/s", Kind::kVelocity, 2},
    BodyKey{"wx", "rad/s", Kind::kVelocity, 3}, BodyKey{"wy", "rad/s", Kind::kVelocity, 4},
    BodyKey{"wz", "rad/s", Kind::kVelocity, 5}, BodyKey{"fx", "N", Kind::kLoad, 0},
    BodyKey{"fy", "N", Kind::kLoad, 1},         BodyKey{"fz", "N", Kind::kLoad, 2},
    BodyKey{"tx", "N m", Kind::kLoad, 3},       BodyKey{"ty", "N m", Kind::kLoad, 4},
    BodyKey{"tz", "N m", Kind::kLoad, 5},       BodyKey{"mass", "kg", Kind::kMass, 0}};
/// Those of them that are quantities, too.
constexpr std::span kStateKeys = std::span(kBodyKeys).first<9>();

/// What stands between the first dot and the last, which names may have as well.
struct Key {
  std::string group, name, last;
};

std::optional<Key> splitKey(const std::string& text) {
  const std::size_t first = text.find('.'), last = text.rfind('.');
  if (first == std::string::npos || first == last) return std::nullopt;
  return Key{text.substr(0, first), text.substr(first + 1, last - first - 1),
             text.substr(last + 1)};
}

const BodyKey& bodyKey(std::span<const BodyKey> keys, const std::string& name,
                       const std::string& option, const std::string& text) {
  const auto found =
      std::ranges::find_if(keys, [&](const BodyKey& key) { return key.name == name; });
  if (found != keys.end()) return *found;
  std::vector<std::string> names;
  for (const BodyKey& key : keys) names.emplace_back(key.name);
  throw UsageError(fmt::format("{}: '{}' must end with one of {}", option, text, joined(names)));
}

Real stateOf(const ConstBodyHandle& body, bool isVelocity, int entry) {
  if (!isVelocity) return body.centerOfMass()[entry];
  return entry < 3 ? body.linearVelocity()[entry] : body.angularVelocity()[entry - 3];
}

Real valueOf(const DerivedQuantity& of, const World& world) {
  return stateOf(world.body(world.bodies()[static_cast<std::size_t>(of.body)]), of.isVelocity,
                 of.entry);
}

/// The body with its mass, and inertia in proportion, times a factor.
void scaleMass(const BodyHandle& body, Real factor) {
  const BodyDefinition definition = body.definition();
  if (!definition.mass) {
    body.setDensity(factor * definition.density);
    return;
  }
  MassProperties mass = *definition.mass;
  mass.mass *= factor;
  mass.inertia *= factor;
  body.setMass(mass);
}

void change(const DerivedParameter& by, Real t, World& world) {
  Vec6 entry = Vec6::Zero();
  entry[by.entry] = t;
  if (by.kind == Kind::kGravity) {
    world.setGravity(world.settings().gravity + entry.head<3>());
    return;
  }
  if (by.kind == Kind::kFriction) {
    Material material = world.material(by.index);
    material.friction += t;
    world.setMaterial(by.index, material);
    return;
  }
  const BodyHandle body = world.body(world.bodies()[static_cast<std::size_t>(by.index)]);
  if (by.kind == Kind::kMass) scaleMass(body, 1 + t / by.value);
  if (by.kind == Kind::kPose) {
    Pose pose = body.pose();
    pose.position += entry.head<3>();
    body.setPose(pose);
  }
  if (by.kind == Kind::kVelocity) {
    body.setVelocity(body.linearVelocity() + entry.head<3>(),
                     body.angularVelocity() + entry.tail<3>());
  }
}

/// The quantities where the parameter is greater by t.
std::vector<Real> valuesAt(Real t, const Scene& scene, const SolverRegistry& registry, int steps,
                           const DerivedParameter& by,
                           const std::vector<DerivedQuantity>& quantities) {
  World world = buildWorld(scene, registry);
  if (by.kind != Kind::kLoad) change(by, t, world);
  for (int i = 0; i < steps; ++i) {
    if (by.kind == Kind::kLoad) {
      const BodyHandle body = world.body(world.bodies()[static_cast<std::size_t>(by.index)]);
      Vec6 load = Vec6::Zero();
      load[by.entry] = t;
      body.applyForce(load.head<3>());
      body.applyTorque(load.tail<3>());
    }
    world.step();
  }
  std::vector<Real> values;
  for (const DerivedQuantity& of : quantities) values.push_back(valueOf(of, world));
  return values;
}

/// A direction that is 1 in the parameter, with the arrays that it refers to.
struct Direction {
  Direction(const DerivedParameter& by, std::size_t slots) {
    const auto index = static_cast<std::size_t>(by.index);
    Vec6 entry = Vec6::Zero();
    entry[by.entry] = 1;
    if (by.kind == Kind::kGravity) {
      change.gravity = entry.head<3>();
    } else if (by.kind == Kind::kFriction) {
      numbers.assign(index + 1, 0);
      numbers.back() = 1;
      change.friction = numbers;
    } else if (by.kind == Kind::kMass) {
      numbers.assign(slots, 0);
      numbers[index] = 1;
      change.mass = numbers;
    } else {
      vectors.assign(slots, Vec6::Zero());
      vectors[index] = entry;
      (by.kind == Kind::kPose       ? change.pose
       : by.kind == Kind::kVelocity ? change.velocity
                                    : change.load) = vectors;
    }
  }
  Direction(const Direction&) = delete;
  Direction& operator=(const Direction&) = delete;

  std::vector<Vec6> vectors;
  std::vector<Real> numbers;
  TrajectoryChange change;
};

/// Of a central difference: within half of t*, and with what it changes still above 0.
Real differenceStep(const DerivedParameter& by, const TrajectoryOutcome& outcome) {
  // A mass or friction may be far below 1.
  const bool isPositive = by.kind == Kind::kMass || by.kind == Kind::kFriction;
  const Real size = isPositive ? by.value : std::max(std::abs(by.value), 1.0);
  Real step = std::min(kDifference * size, 0.5 * std::min(outcome.ahead, outcome.behind));
  return step > kLeastDifference * std::min(size, 1.0) ? step : kNone;
}

}  // namespace

DerivedQuantity quantityOf(const std::string& text, const World& world) {
  const std::optional<Key> key = splitKey(text);
  if (!key || key->group != "bodies") {
    throw UsageError(fmt::format(
        "--of: must be bodies.NAME. and one of x, y, z, vx, vy, vz, wx, wy, wz, got '{}'", text));
  }
  const BodyKey& component = bodyKey(kStateKeys, key->last, "--of", text);
  return {.name = text,
          .unit = component.unit,
          .body = dynamicBody(key->name, world).index,
          .isVelocity = component.kind == Kind::kVelocity,
          .entry = component.entry};
}

DerivedParameter parameterOf(const std::string& text, const Scene& scene, const World& world) {
  DerivedParameter by{.name = text};
  const std::optional<Key> key = splitKey(text);
  if (key && key->group == "world" && key->name == "gravity" && key->last.size() == 1 &&
      key->last[0] >= 'x' && key->last[0] <= 'z') {
    by.kind = Kind::kGravity;
    by.unit = "m/s²";
    by.entry = key->last[0] - 'x';
    by.value = world.settings().gravity[by.entry];
    return by;
  }
  if (key && key->group == "materials" && key->last == "friction") {
    std::vector<std::string> names;
    for (const SceneMaterial& material : scene.materials) names.push_back(material.name);
    by.kind = Kind::kFriction;
    by.unit = "1";
    by.index = chooseName("material", key->name, names) + 1;  // 0 is the world's own
    by.value = world.material(by.index).friction;
    return by;
  }
  if (!key || key->group != "bodies") {
    throw UsageError(
        fmt::format("--by: must be materials.NAME.friction, bodies.NAME.mass, bodies.NAME. and one "
                    "of x to wz (at the start) or fx to tz (in each step), or world.gravity.x, y "
                    "or z; got '{}'",
                    text));
  }
  const BodyKey& component = bodyKey(kBodyKeys, key->last, "--by", text);
  const BodyId id = dynamicBody(key->name, world);
  const ConstBodyHandle body = world.body(id);
  by.kind = component.kind;
  by.unit = component.unit;
  by.index = id.index;
  by.entry = component.entry;
  if (by.kind == Kind::kMass) by.value = body.mass();
  if (by.kind == Kind::kPose || by.kind == Kind::kVelocity) {
    by.value = stateOf(body, by.kind == Kind::kVelocity, by.entry);
  }
  return by;
}

std::vector<Derived> derive(const Scene& scene, const SolverRegistry& registry, int steps,
                            const std::vector<DerivedQuantity>& quantities,
                            const std::vector<DerivedParameter>& parameters,
                            const std::function<bool()>& isInterrupted) {
  World world = buildWorld(scene, registry);
  const auto slots = world.bodies().size();
  TrajectoryDerivative trajectory(world, steps);
  std::vector<Derived> out;
  for (const DerivedParameter& by : parameters) {
    if (isInterrupted()) break;
    const Direction direction(by, slots);
    const TrajectoryOutcome outcome = trajectory.forward(direction.change);
    const Real step = differenceStep(by, outcome);
    std::vector<Real> ahead(quantities.size(), kNone), behind = ahead;
    if (std::isfinite(step)) {
      ahead = valuesAt(step, scene, registry, steps, by, quantities);
      behind = valuesAt(-step, scene, registry, steps, by, quantities);
    }
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      const DerivedQuantity& of = quantities[i];
      Derived one{.of = of, .by = by};
      const auto& entries = of.isVelocity ? outcome.velocity : outcome.pose;
      one.value = valueOf(of, world);
      one.derivative = entries[static_cast<std::size_t>(of.body)][of.entry];
      one.difference = (ahead[i] - behind[i]) / (2 * step);
      one.step = step;
      one.error = std::abs(one.derivative - one.difference) /
                  std::max({std::abs(one.derivative), std::abs(one.difference), 1e-3});
      one.residual = outcome.residual;
      one.ahead = outcome.ahead;
      one.behind = outcome.behind;
      one.isCertain = outcome.hasCertainStates;
      one.isUnique = outcome.isUnique;
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace drystone::cli
