// Bodies one upon the other: number i of `stack` stands at i steps from the first, and the lowest
// of the `rows` of `pyramid`, a plane one in xz that stands on z = 0, holds as many boxes, every
// next one a box less, centred above the gaps.

#include <fmt/format.h>

#include "scenes/generators/generation.h"

namespace drystone {

void generateStack(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "stack");
  int count = 0;
  Vec3 step(0, 0, 1);
  in.integer({"count", "bodies"}, count, 1, std::numeric_limits<int>::max(), kRequired);
  in.vector({"step", "from body to body"}, step, anyReal("m"), kRequired);
  std::optional<Shape> shape;
  if (const auto at =
          in.child({"shape", "a shape or its name"}, KeyType::of("named_shape"), kRequired))
    shape = readShape(*at, context);
  if (!generation.allows(count, "count") || !shape) return;
  for (int i = 0; i < count; ++i) {
    generation.add(std::to_string(i), *shape, {Real(i) * step, Quat::Identity()});
  }
}

void generatePyramid(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "pyramid");
  int rows = 0;
  Box box;
  in.integer({"rows", "rows, and boxes of the lowest one"}, rows, 1,
             std::numeric_limits<int>::max(), kRequired);
  in.vector({"half_extents", "of a box"}, box.halfExtents, positive("m", 1e6), kRequired);
  Real pitch = 2 * box.halfExtents.x();
  in.real({"pitch", "between the centres of neighbours; the boxes touch unless given"}, pitch,
          positive("m"), kNoDefault);
  const Real count = Real(rows) * (rows + 1.0) / 2;
  if (!generation.allows(count, fmt::format("{} rows", rows))) return;
  for (int row = 0; row < rows; ++row) {
    const int columns = rows - row;
    for (int j = 0; j < columns; ++j) {
      const Vec3 position((j - (columns - 1) / 2.0) * pitch, 0,
                          box.halfExtents.z() + 2 * box.halfExtents.z() * row);
      generation.add(fmt::format("{}_{}", row, j), box, {position, Quat::Identity()});
    }
  }
}

}  // namespace drystone
