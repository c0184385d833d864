// A tower of logs: layers of parallel cylinders, crosswise in turn, centred on the z axis and
// standing on z = 0. The logs of even layers lie along x.

#include <fmt/format.h>

#include "scenes/generators/generation.h"

namespace drystone {

void generateLogTower(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "log_tower");
  int layers = 0, logs = 0;
  Real length = 0, radius = 0, pitch = 0, gap = 0;
  in.integer({"layers", "layers"}, layers, 1, std::numeric_limits<int>::max(), kRequired);
  in.integer({"logs", "of a layer"}, logs, 1, std::numeric_limits<int>::max(), kRequired);
  in.real({"length", "of a log"}, length, positive("m"), kRequired);
  in.real({"radius", "of a log"}, radius, positive("m"), kRequired);
  in.real({"pitch", "between the axes of neighbours"}, pitch, positive("m"), kRequired);
  in.real({"vertical_gap", "under every layer"}, gap, notNegative("m"));
  if (in.clean() && pitch < 2 * radius && logs > 1) {
    in.at().member("pitch")->error(
        fmt::format("must be at least the thickness of a log, {:.6g} m", 2 * radius));
  }
  if (!generation.allows(Real(layers) * logs, fmt::format("{} x {}", layers, logs))) return;

  const Cylinder log{radius, length / 2};
  for (int layer = 0; layer < layers; ++layer) {
    const bool alongX = layer % 2 == 0;
    const Quat turn(Eigen::AngleAxisd(M_PI / 2, alongX ? Vec3::UnitY() : Vec3::UnitX()));
    const Real height = gap + radius + layer * (2 * radius + gap);
    for (int i = 0; i < logs; ++i) {
      const Real across = (i - (logs - 1) / 2.0) * pitch;
      const Vec3 place(alongX ? 0 : across, alongX ? across : 0, height);
      if (generation.add(fmt::format("{}_{}", layer, i), log, {place, turn}) < 0) return;
    }
  }
}

}  // namespace drystone
