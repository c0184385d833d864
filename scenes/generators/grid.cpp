// A regular grid of equal bodies, x fastest, z slowest; on request each tied to its neighbours.

#include <fmt/format.h>

#include <array>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

constexpr std::array<std::string_view, 2> kJointNames = {"none", "ball"};

}  // namespace

void generateGrid(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "grid");
  const GridCounts counts = readCounts(in, kRequired);
  Vec3 spacing = Vec3::Ones();
  bool centered = false;
  in.vector({"spacing", "between neighbours"}, spacing, anyReal("m"), kRequired);
  in.boolean({"centered", "in x and y about the position; otherwise the first body is there"},
             centered);
  std::optional<Shape> shape;
  if (const auto at =
          in.child({"shape", "a shape or its name"}, KeyType::of("named_shape"), kRequired))
    shape = readShape(*at, context);
  bool isTied = false;
  in.choice({"joint", "ties each body to its neighbours, halfway"}, isTied, kJointNames);
  if (!generation.allows(counts.total(), counts.formula()) || !shape) return;

  // Centred means in x and y: the lowest layer stays where `position` puts it.
  const Vec3 first =
      centered ? Vec3(-(counts.x - 1) / 2.0, -(counts.y - 1) / 2.0, 0) : Vec3(0, 0, 0);
  const auto place = [&](const Vec3& indices) -> Vec3 {
    return (first + indices).cwiseProduct(spacing);
  };
  // Index distance to the neighbour before along x, y and z.
  const std::array<int, 3> strides = {1, counts.x, counts.x * counts.y};
  for (int k = 0; k < counts.z; ++k) {
    for (int j = 0; j < counts.y; ++j) {
      for (int i = 0; i < counts.x; ++i) {
        const Vec3 indices(i, j, k);
        const std::string number = fmt::format("{}_{}_{}", i, j, k);
        const int body = generation.add(number, *shape, {place(indices), Quat::Identity()});
        if (body < 0) return;
        for (int axis = 0; isTied && axis < 3; ++axis) {
          if (indices[axis] == 0) continue;
          const Vec3 halfway = indices - 0.5 * Vec3::Unit(axis);
          generation.join(body - strides[axis], body, {place(halfway), Quat::Identity()},
                          ballJoint({}, {}, Vec3::Zero(), Vec3::Zero()),
                          fmt::format("{}_{}", "xyz"[axis], number));
        }
      }
    }
  }
}

}  // namespace drystone
