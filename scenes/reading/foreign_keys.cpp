// Keys of other engines, and keys that a format like this one may be thought to have: what to write
// here in their place.
#include <algorithm>
#include <array>
#include <span>
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
    "it is here \"orientation\": [w, x, y, z] with w first, or \"axis\" and \"angle_deg\"";
constexpr std::array kForeignKeys = {
    ForeignKey{"rollingFriction", kRolling},
    ForeignKey{"rolling_friction", kRolling},
    ForeignKey{"condim",
               "it is here \"friction\" in world, one model for all contacts: \"none\" for 1, "
               "\"cone\" for 3, \"contensou\" for 4, \"rolling\" for 6"},
    ForeignKey{"solref",
               "it is here \"stiffness\" and \"damping\" in world.stabilization, or "
               "\"compliance\" in materials.NAME"},
    ForeignKey{"quat", kOrientation},
    ForeignKey{"quaternion", kOrientation},
    ForeignKey{"rotation", kOrientation},
    ForeignKey{"pos", "it is here \"position\""},
    ForeignKey{"vel", "it is here \"velocity\""},
    ForeignKey{"dt", "it is here \"timestep\" in world"},
    ForeignKey{"parent", "it is here \"body_a\" in joints"},
    ForeignKey{"child", "it is here \"body_b\" in joints"},
    ForeignKey{"mu", "it is here \"friction\" in materials.NAME"},
    ForeignKey{"margin", "it is here \"contact_margin\" in world, one for all contacts"}};

/// Keys that the format has elsewhere, by the object in which they mean another one.
struct ForeignUse {
  std::string_view object, key, remedy;
};
constexpr std::array kForeignUses = {
    ForeignUse{"motor", "torque", "it is here \"max_force\""},
    ForeignUse{"solver", "iterations", "it is here \"max_iterations\""}};

/// Types and kinds of other engines, and what they are called here.
constexpr std::array<std::array<std::string_view, 2>, 5> kForeignNames = {{{"revolute", "hinge"},
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

std::string_view foreignKeyRemedy(std::string_view object, std::string_view key) {
  for (const ForeignUse& use : kForeignUses) {
    if (use.object == object && use.key == key) return use.remedy;
  }
  for (const ForeignKey& foreign : kForeignKeys) {
    if (foreign.key == key) return foreign.remedy;
  }
  return {};
}

}  // namespace drystone
