// Copies of a group of bodies at the points of a lattice. With counts of 1 it only moves and turns
// the group, which gives a scene a frame of its own, such as that of a slope.

#include <fmt/format.h>

#include <array>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

/// The group's bodies as a scene of their own: names must be unique in it, not beyond.
std::vector<BodyDefinition> readGroup(ObjectReader& in, SceneContext& context) {
  Scene group;
  group.materials = context.scene.materials;
  group.shapes = context.scene.shapes;
  SceneContext inner{.scene = group,
                     .log = context.log,
                     .directory = context.directory,
                     .registry = context.registry,
                     .materials = context.materials,
                     .shapes = context.shapes,
                     .bodies = {},
                     .joints = {}};
  in.list(
      "bodies", [&](const JsonCursor& at) { readBody(at, inner); }, kRequired);
  return std::move(group.bodies);
}

std::array<Vec3, 3> readOffsets(ObjectReader& in) {
  std::array<Vec3, 3> offsets;
  offsets.fill(Vec3::Zero());
  int i = 0;
  in.list("offsets", [&](const JsonCursor& at) {
    if (i == 3) return;
    at.vector(offsets[static_cast<std::size_t>(i++)], anyReal("m"));
  });
  return offsets;
}

}  // namespace

void generateReplicate(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "replicate", /*ownBodies=*/true);
  const GridCounts counts = readCounts(in, kOptional);
  const std::array<Vec3, 3> offsets = readOffsets(in);
  const std::vector<BodyDefinition> group = readGroup(in, context);
  const Real total = counts.total() * static_cast<Real>(group.size());
  if (!generation.allows(total, fmt::format("{} x {} bodies", counts.formula(), group.size())))
    return;

  const bool single = counts.total() == 1;
  for (int k = 0; k < counts.z; ++k) {
    for (int j = 0; j < counts.y; ++j) {
      for (int i = 0; i < counts.x; ++i) {
        const Vec3 offset = Real(i) * offsets[0] + Real(j) * offsets[1] + Real(k) * offsets[2];
        for (BodyDefinition body : group) {
          body.pose.position += offset;
          generation.addDefined(single ? body.name : fmt::format("{}_{}_{}_{}", body.name, i, j, k),
                                body);
        }
      }
    }
  }
}

}  // namespace drystone
