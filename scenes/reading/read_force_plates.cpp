// Section `force_plates`.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

constexpr std::array<std::string_view, 2> kPlateAxes = {"site", "world"};

void checkPart(const ObjectReader& in, const SceneContext& context, const SceneForcePlate& plate) {
  if (!in.has("part") || plate.body < 0) return;
  const auto& shape = context.scene.bodies[static_cast<std::size_t>(plate.body)].shape;
  const auto* const compound = shape ? std::get_if<Compound>(&*shape) : nullptr;
  const int count = compound != nullptr ? static_cast<int>(compound->children.size()) : 0;
  if (plate.definition.part < count) return;
  in.at().member("part")->error(
      count == 0 ? std::string("the shape of the body has no parts; leave the key out")
                 : fmt::format("must be < {}, the children of the body's compound, got {}", count,
                               plate.definition.part));
}

}  // namespace

void readForcePlate(const JsonCursor& at, SceneContext& context) {
  SceneForcePlate plate;
  ForcePlateDefinition& definition = plate.definition;
  ObjectReader in(at, "force_plate", "a sensor of what contacts do to a body");
  definition.name = fmt::format("plate_{}", context.scene.forcePlates.size());
  in.text({"name", "unique; plate_N unless given"}, definition.name, kNoDefault);
  if (const auto name =
          in.child({"body", "on which forces are measured"}, KeyType::text(), kRequired)) {
    plate.body = resolveName(*name, "body", context.bodies);
  }
  if (const auto name = in.child({"other", "the body whose contacts count; any unless given"},
                                 KeyType::text(), kNoDefault)) {
    plate.other = resolveName(*name, "body", context.bodies);
    if (plate.other >= 0 && plate.other == plate.body) {
      name->error("must be another body than the plate's; leave it out to count all");
    }
  }
  in.integer({"part", "child of the body's compound; all unless given"}, definition.part, 0,
             std::numeric_limits<int>::max(), kNoDefault);
  checkPart(in, context, plate);
  in.vector({"position", "of the site in the body's reference frame: torques are about it"},
            definition.site.position, anyReal("m"));
  in.orientation({"orientation", "of the site: its plane z = 0 has the centre of pressure"},
                 definition.site.rotation);
  int axes = 0;
  in.choice({"axes", "of the readings"}, axes, kPlateAxes);
  definition.inWorldAxes = axes == 1;
  const auto isSame = [&](const SceneForcePlate& before) {
    return before.definition.name == definition.name;
  };
  if (std::ranges::any_of(context.scene.forcePlates, isSame)) {
    at.member("name").value_or(at).error(
        fmt::format("another force plate is named \"{}\" already", definition.name));
  }
  context.scene.forcePlates.push_back(std::move(plate));
}

}  // namespace drystone
