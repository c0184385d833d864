// A plane pyramid of boxes in the xz plane, standing on z = 0: the lowest row holds `rows` boxes,
// every next one a box less, centred above the gaps.

#include <fmt/format.h>

#include "scenes/generators/generation.h"

namespace drystone {

void generatePyramid(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "pyramid");
  int rows = 0;
  Box box;
  in.integer("rows", rows, 1, std::numeric_limits<int>::max(), kRequired);
  in.vector("half_extents", box.halfExtents, positive("m", 1e6), kRequired);
  Real pitch = 2 * box.halfExtents.x();
  in.real("pitch", pitch, positive("m"));
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
