// Bodies one upon the other: number i stands at i steps from the first.

#include "scenes/generators/generation.h"

namespace drystone {

void generateStack(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "stack");
  int count = 0;
  Vec3 step(0, 0, 1);
  in.integer("count", count, 1, std::numeric_limits<int>::max(), kRequired);
  in.vector("step", step, anyReal("m"), kRequired);
  std::optional<Shape> shape;
  if (const auto at = in.child("shape", kRequired)) shape = readShape(*at, context);
  if (!generation.allows(count, "count") || !shape) return;
  for (int i = 0; i < count; ++i) {
    generation.add(std::to_string(i), *shape, {Real(i) * step, Quat::Identity()});
  }
}

}  // namespace drystone
