// Keys of other engines, and keys that a format like this one may be thought to have: what to write
// here in their place.
#include <array>
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
constexpr std::array kForeignKeys = {
    ForeignKey{"rollingFriction", kRolling}, ForeignKey{"rolling_friction", kRolling},
    ForeignKey{"condim",
               "it is here \"friction\" in world, one model for all contacts: \"none\" for 1, "
               "\"cone\" for 3, \"contensou\" for 4, \"rolling\" for 6"},
    ForeignKey{"solref",
               "it is here \"stiffness\" and \"damping\" in world.stabilization, or "
               "\"compliance\" in materials.NAME"},
    ForeignKey{"margin", "it is here \"contact_margin\" in world, one for all contacts"}};

}  // namespace

std::string_view foreignKeyRemedy(std::string_view key) {
  for (const ForeignKey& foreign : kForeignKeys) {
    if (foreign.key == key) return foreign.remedy;
  }
  return {};
}

}  // namespace drystone
