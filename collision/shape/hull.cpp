#include "collision/shape/hull.h"

#include <fmt/format.h>

#include "collision/shape/shape.h"
#include "core/input_error.h"

namespace drystone {
namespace {

Real checkedSize(const std::vector<Vec3>& points) {
  if (points.size() < 4) {
    throw InputError(
        fmt::format("hull: needs at least 4 points to span a volume, got {}", points.size()));
  }
  Vec3 low = points.front();
  Vec3 high = points.front();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      throw InputError(fmt::format("hull: point {} must be finite, got ({}, {}, {})", i,
                                   points[i].x(), points[i].y(), points[i].z()));
    }
    low = low.cwiseMin(points[i]);
    high = high.cwiseMax(points[i]);
  }
  const Real size = (high - low).maxCoeff();
  if (!(size > 0))
    throw InputError("hull: all points are the same; give points that span a volume");
  // Volumes and inertias go with the fifth power of the size and must neither vanish nor overflow.
  if (size < 1e-30 || size > 1e30) {
    throw InputError(fmt::format(
        "hull: extent {:.3g} m is out of range (1e-30 to 1e30 m); check the unit", size));
  }
  return size;
}

}  // namespace

ConvexHull makeHull(const std::vector<Vec3>& points) {
  const detail::HullTriangles triangles = detail::triangulateHull(points, checkedSize(points));
  return {std::make_shared<const HullData>(detail::mergeHullFaces(points, triangles))};
}

}  // namespace drystone
