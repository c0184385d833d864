// Copies of a group of bodies, with the joints and cables between them, at the points of a lattice.
// With counts of 1 it only moves and turns the group, which gives a scene a frame of its own, such
// as that of a slope.

#include <fmt/format.h>

#include <array>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

/// The group as a scene of its own: names must be unique in it, not beyond.
Scene readGroup(ObjectReader& in, SceneContext& context) {
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
  in.list({"bodies", "the group; names unique within it"}, KeyType::listOf("body"),
          [&](const JsonCursor& at) { readBody(at, inner); });
  in.list({"generators", "more bodies of the group"}, KeyType::listOf("generator"),
          [&](const JsonCursor& at) { readGenerator(at, inner); });
  in.list({"joints", "between bodies of the group"}, KeyType::listOf("joint"),
          [&](const JsonCursor& at) { readJoint(at, inner); });
  in.list({"cables", "over bodies of the group; they come after `joints`"},
          KeyType::listOf("routed_cable"), [&](const JsonCursor& at) { readCable(at, inner); });
  in.atLeastOne({"bodies", "generators"});
  return group;
}

std::array<Vec3, 3> readOffsets(ObjectReader& in) {
  std::array<Vec3, 3> offsets;
  offsets.fill(Vec3::Zero());
  int i = 0;
  in.list({"offsets", "between copies along the three directions of the lattice"},
          KeyType::listOf("vector", "m"), [&](const JsonCursor& at) {
            if (i == 3) return;
            at.vector(offsets[static_cast<std::size_t>(i++)], anyReal("m"));
          });
  return offsets;
}

/// `number` comes after the names of the copy's bodies and joints.
void addCopy(const Scene& group, const Vec3& offset, const std::string& number,
             Generation& generation, const SceneContext& context) {
  const int firstBody = static_cast<int>(context.scene.bodies.size());
  const int firstJoint = static_cast<int>(context.scene.joints.size());
  for (BodyDefinition body : group.bodies) {
    body.pose.position += offset;
    if (generation.addDefined(body.name + number, body) < 0) return;
  }
  for (SceneJoint joint : group.joints) {
    for (int* body : {&joint.bodyA, &joint.bodyB}) {
      if (*body >= 0) *body += firstBody;
    }
    for (int* other : {&joint.gear1, &joint.gear2, &joint.cable}) {
      if (*other >= 0) *other += firstJoint;
    }
    generation.addJoint(joint.definition.name + number, joint);
  }
}

}  // namespace

void generateReplicate(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "replicate", /*ownBodies=*/true);
  const GridCounts counts = readCounts(in, kOptional);
  const std::array<Vec3, 3> offsets = readOffsets(in);
  const Scene group = readGroup(in, context);
  const std::size_t size = group.bodies.size();
  if (!generation.allows(counts.total() * static_cast<Real>(size),
                         fmt::format("{} x {} bodies", counts.formula(), size))) {
    return;
  }

  const bool single = counts.total() == 1;
  for (int k = 0; k < counts.z; ++k) {
    for (int j = 0; j < counts.y; ++j) {
      for (int i = 0; i < counts.x; ++i) {
        const Vec3 offset = Real(i) * offsets[0] + Real(j) * offsets[1] + Real(k) * offsets[2];
        const std::string number = single ? "" : fmt::format("_{}_{}_{}", i, j, k);
        addCopy(group, offset, number, generation, context);
      }
    }
  }
}

}  // namespace drystone
