// A regular grid of equal bodies, x fastest, z slowest.

#include <fmt/format.h>

#include "scenes/generators/generation.h"

namespace drystone {

void generateGrid(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "grid");
  const GridCounts counts = readCounts(in, kRequired);
  Vec3 spacing = Vec3::Ones();
  bool centered = false;
  in.vector("spacing", spacing, anyReal("m"), kRequired);
  in.boolean("centered", centered);
  std::optional<Shape> shape;
  if (const auto at = in.child("shape", kRequired)) shape = readShape(*at, context);
  if (!generation.allows(counts.total(), counts.formula()) || !shape) return;

  // Centred means in x and y: the lowest layer stays where `position` puts it.
  const Vec3 first =
      centered ? Vec3(-(counts.x - 1) / 2.0, -(counts.y - 1) / 2.0, 0) : Vec3(0, 0, 0);
  for (int k = 0; k < counts.z; ++k) {
    for (int j = 0; j < counts.y; ++j) {
      for (int i = 0; i < counts.x; ++i) {
        const Vec3 position = (first + Vec3(i, j, k)).cwiseProduct(spacing);
        generation.add(fmt::format("{}_{}_{}", i, j, k), *shape, {position, Quat::Identity()});
      }
    }
  }
}

}  // namespace drystone
