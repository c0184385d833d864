// The plates of a world: what may be measured, and its readings.
#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/step/force_plates.h"
#include "engine/step/half_done.h"
#include "engine/step/world_parts.h"
#include "engine/world/world.h"

namespace drystone {
namespace {

void requireSuch(bool holds, std::size_t index, const ForcePlateDefinition& plate,
                 std::string_view problem) {
  if (holds) return;
  const std::string name = plate.name.empty() ? fmt::format("{}", index) : plate.name;
  throw InputError(fmt::format("setForcePlates: plate '{}': {}", name, problem));
}

int partCount(const BodyStore& bodies, int body) {
  const auto& shape = bodies.record[body].shape;
  const auto* const compound = shape ? std::get_if<Compound>(&*shape) : nullptr;
  return compound != nullptr ? static_cast<int>(compound->children.size()) : 0;
}

}  // namespace

void World::setForcePlates(std::vector<ForcePlateDefinition> plates) {
  requireUsable(*parts_, "setForcePlates");
  const BodyStore& bodies = parts_->bodies;
  std::vector<ForcePlate> made;
  for (std::size_t i = 0; i < plates.size(); ++i) {
    ForcePlateDefinition& plate = plates[i];
    requireSuch(bodies.contains(plate.body), i, plate, "its body is not in the world");
    if (plate.other) {
      requireSuch(bodies.contains(*plate.other), i, plate, "the other body is not in the world");
      requireSuch(plate.other->index != plate.body.index, i, plate,
                  "the other body is the plate itself; name another one, or none for all");
    }
    const int count = partCount(bodies, plate.body.index);
    requireSuch(plate.part >= -1 && plate.part < count, i, plate,
                fmt::format("its body has no part {}; there are {}, and -1 is all of it",
                            plate.part, count));
    plate.site = requirePose("setForcePlates", "site", plate.site);
    ForcePlate one;
    one.definition = std::move(plate);
    made.push_back(std::move(one));
  }
  parts_->plates.plates = std::move(made);
}

std::span<const ForcePlate> World::forcePlates() const { return parts_->plates.plates; }

}  // namespace drystone
