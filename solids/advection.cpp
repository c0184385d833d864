#include "solids/advection.h"

#include <algorithm>

namespace drystone {
namespace {

/// Weights of the nodes before, at and after the place.
std::array<Real, 3> lineWeights(Real s, Advection order) {
  if (order == Advection::kUpwind) {
    return {std::max<Real>(-s, 0), 1 - std::abs(s), std::max<Real>(s, 0)};
  }
  return {0.5 * s * (s - 1), 1 - s * s, 0.5 * s * (s + 1)};
}

}  // namespace

Vec3 valueNear(const SolidGrid& grid, std::span<const Vec3> field, int node, const Vec3& offset,
               Advection order) {
  const std::array<Real, 3> x = lineWeights(offset.x(), order);
  const std::array<Real, 3> y = lineWeights(offset.y(), order);
  const std::array<Real, 3> z = lineWeights(offset.z(), order);
  Vec3 value = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) {
      const Vec3* row = &field[node + (j - 1) * grid.stride(1) + (k - 1) * grid.stride(2)];
      value += (y[j] * z[k]) * (x[0] * row[-1] + x[1] * row[0] + x[2] * row[1]);
    }
  }
  return value;
}

}  // namespace drystone
