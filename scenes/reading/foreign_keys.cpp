// Keys of other engines, and keys that a format like this one may be thought to have: what to write
// here in their place.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "scenes/reading/object_reader.h"

namespace drystone {
namespace {

struct ForeignKey {
  std::string_view key, remedy;
};

// Bullet multiplies its rolling friction by the normal force as a lever arm, like ours. MuJoCo has
// per pair of geoms what is of the world here.
constexpr std::string_view kRolling =
    "it is here \"rolling_resistance\" in materials.NAME, an arm [m], with \"friction\": "
    "\"rolling\" in world";
constexpr std::string_view kOrientation =
    "it is here \"orientation\": [w, x, y, z] with w first, or {\"axis\": [x, y, z], "
    "\"angle_deg\": …}";
constexpr std::string_view kFastBodies =
    "there is nothing to set: what moves fast is looked at along its whole way";
constexpr std::string_view kSolverIterations = "it is here \"max_iterations\" in solver";
constexpr std::array kForeignKeys = {
    ForeignKey{"rollingFriction", kRolling},
    ForeignKey{"rolling_friction", kRolling},
    ForeignKey{"condim",
               "it is here \"friction\" in world, one model for all contacts: \"none\" for 1, "
               "\"cone\" for 3, \"contensou\" for 4, \"rolling\" for 6"},
    ForeignKey{
        "solref",
        "it is here \"stiffness\" and \"damping\" in materials.NAME; docs/nothing_to_tune.md "
        "has the conversion"},
    ForeignKey{"quat", kOrientation},
    ForeignKey{"quaternion", kOrientation},
    ForeignKey{"rotation", kOrientation},
    ForeignKey{"pos", "it is here \"position\""},
    ForeignKey{"vel", "it is here \"velocity\""},
    ForeignKey{"dt", "it is here \"timestep\" in world"},
    ForeignKey{"parent", "it is here \"body_a\" in joints"},
    ForeignKey{"child", "it is here \"body_b\" in joints"},
    ForeignKey{"mu", "it is here \"friction\" in materials.NAME"},
    ForeignKey{"weight", "it is here \"mass\" [kg]"},
    ForeignKey{"margin", "it is here \"contact_margin\" in world, one for all contacts"},
    ForeignKey{
        "armature",
        "a joint has no inertia here: add it to the \"inertia\" of its body, which goes with "
        "\"mass\""},
    ForeignKey{"kp", "it is here \"stiffness\" of a motor with \"position\""},
    ForeignKey{"kd", "it is here \"damping\" of a motor with \"position\""},
    ForeignKey{"forcerange", "it is here \"max_force\" of a motor"},
    ForeignKey{"contype", "it is here \"group\"; both masks must agree"},
    ForeignKey{"conaffinity", "it is here \"mask\"; both masks must agree"},
    ForeignKey{"categoryBits", "it is here \"group\""},
    ForeignKey{"maskBits", "it is here \"mask\""},
    ForeignKey{"collisionFilterGroup", "it is here \"group\""},
    ForeignKey{"collisionFilterMask", "it is here \"mask\""},
    ForeignKey{"filter", "it is here \"group\" and \"mask\""},
    ForeignKey{"linearVelocity", "it is here \"velocity\""},
    ForeignKey{"linear_velocity", "it is here \"velocity\""},
    ForeignKey{"isBullet", kFastBodies},
    ForeignKey{"bullet", kFastBodies},
    ForeignKey{"ccd", kFastBodies},
    ForeignKey{"bounciness", "it is here \"restitution\" in materials.NAME"},
    ForeignKey{"rpy",
               "it is here \"orientation\": {\"euler_deg\": [x, y, z]}, in degrees and "
               "R = Rx Ry Rz, while roll, pitch and yaw are Rz Ry Rx"},
    ForeignKey{"erp", "it is here \"gamma\" in world.stabilization, of a step"},
    ForeignKey{"velocityIterations", kSolverIterations},
    ForeignKey{"positionIterations", kSolverIterations}};

/// Keys that mean something else, or nothing, in one kind of object alone. `section` is the key of
/// the object, or the list or section that it is an entry of. `type` is what it says of itself;
/// empty: any.
struct ForeignUse {
  std::string_view section, type, key, remedy;
};
constexpr std::string_view kFixedHasNoAxis =
    "a fixed joint has no axis: it lets nothing move; a hinge turns about one";
constexpr std::string_view kKind = "it is here \"kind\": \"dynamic\", \"static\" or \"kinematic\"";
constexpr std::string_view kHalfLength = "it is here \"half_length\", half of it";
constexpr std::string_view kBetweenCaps =
    "it is here \"half_length\", half of the part between the caps";
constexpr std::string_view kLimits = "it is here \"lower\" and \"upper\"";
constexpr std::array kForeignUses = {
    ForeignUse{"motor", "", "torque", "it is here \"max_force\""},
    ForeignUse{"motor", "", "force", "it is here \"max_force\""},
    ForeignUse{"motor", "", "target", "it is here \"position\" or \"velocity\""},
    ForeignUse{"motor", "", "speed", "it is here \"velocity\""},
    ForeignUse{"solver", "", "iterations", "it is here \"max_iterations\""},
    ForeignUse{"world", "", "iterations", kSolverIterations},
    ForeignUse{"world", "", "time", "it is here \"duration\""},
    ForeignUse{"", "", "body", "it is here \"bodies\", a list"},
    ForeignUse{"", "", "joint", "it is here \"joints\", a list"},
    ForeignUse{"shape", "box", "half_size", "it is here \"half_extents\""},
    ForeignUse{
        "shape", "plane", "normal",
        "a plane's normal is the z axis of its body: turn it by \"orientation\" of the body"},
    ForeignUse{"shape", "", "r", "it is here \"radius\""},
    ForeignUse{"shape", "", "diameter", "it is here \"radius\", half of it"},
    ForeignUse{"shape", "cylinder", "length", kHalfLength},
    ForeignUse{"shape", "cylinder", "height", kHalfLength},
    ForeignUse{"shape", "capsule", "length", kBetweenCaps},
    ForeignUse{"shape", "capsule", "height", kBetweenCaps},
    ForeignUse{"bodies", "", "type", kKind},
    ForeignUse{"bodies", "", "fixed", "it is here \"kind\": \"static\""},
    ForeignUse{"bodies", "", "static", "it is here \"kind\": \"static\""},
    ForeignUse{"joints", "fixed", "axis", kFixedHasNoAxis},
    ForeignUse{"joints", "weld", "axis", kFixedHasNoAxis},
    ForeignUse{"joints", "", "range", kLimits},
    ForeignUse{"joints", "", "limits", kLimits},
    ForeignUse{"joints", "", "pivot", "it is here \"anchor\""},
    ForeignUse{"", "", "sensors",
               "a scene has no list of them: a body may be a \"sensor\", and programs read the "
               "others (docs/sensors.md)"},
    ForeignUse{"", "", "actuators", "each is here a \"motor\" of a joint"}};

/// Types and kinds of other engines, and what they are called here.
constexpr std::array<std::array<std::string_view, 2>, 7> kForeignNames = {{{"revolute", "hinge"},
                                                                           {"cube", "box"},
                                                                           {"ball", "sphere"},
                                                                           {"prismatic", "slider"},
                                                                           {"spherical", "ball"},
                                                                           {"weld", "fixed"},
                                                                           {"fixed", "static"}}};

}  // namespace

std::string_view nameOfForeign(std::string_view name, std::span<const std::string_view> names) {
  for (const auto& [foreign, own] : kForeignNames) {
    if (foreign == name && std::ranges::find(names, own) != names.end()) return own;
  }
  return {};
}

std::string_view foreignKeyRemedy(const ForeignPlace& place, std::string_view key) {
  for (const ForeignUse& use : kForeignUses) {
    const bool isHere = use.section == place.section && use.key == key;
    if (isHere && (use.type.empty() || use.type == place.type)) return use.remedy;
  }
  for (const ForeignKey& foreign : kForeignKeys) {
    if (foreign.key == key) return foreign.remedy;
  }
  return {};
}

std::string formRemedy(const JsonCursor& at) {
  const std::string_view place = at.pointer();
  const nlohmann::json& value = at.json();
  if (place == "/solver" && value.is_string()) {
    return fmt::format("; write {{\"name\": {}}}", value.dump());
  }
  if (place == "/world/gravity" && value.is_number()) {
    // As a length it is meant downwards.
    const bool isUp = value.get<double>() > 0;
    return fmt::format("; write [0, 0, {}{}]: z points up", isUp ? "-" : "", value.dump());
  }
  if (place == "/world/friction" && value.is_number()) {
    return "; it is the model of all contacts, and the coefficient is \"friction\" in "
           "materials.NAME";
  }
  const bool isTriple = value.is_array() && value.size() == 3;
  if (place.ends_with("/orientation") && isTriple) {
    return fmt::format("; write {{\"euler_deg\": {}}} for turns in degrees", value.dump());
  }
  return "";
}

}  // namespace drystone
