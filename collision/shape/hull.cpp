#include "collision/shape/hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collision/shape/shape_operations.h"
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
  std::vector<std::string> problems;
  requireBounded(points, "hull: points", problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  for (const Vec3& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  const Real size = (high - low).maxCoeff();
  if (!(size > 0))
    throw InputError("hull: all points are the same; give points that span a volume");
  // Volumes and inertias go with the fifth power of the size and must not vanish.
  if (size < 1e-30) {
    throw InputError(
        fmt::format("hull: extent must be ≥ 1e-30 m, got {:.3g} m; check the unit", size));
  }
  return size;
}

namespace hull {

const HullData& dataOf(const Shape& shape) { return *std::get<ConvexHull>(shape).data; }

bool indicesAreValid(const std::vector<int>& indices, std::size_t count) {
  return std::ranges::all_of(indices,
                             [&](int i) { return i >= 0 && static_cast<std::size_t>(i) < count; });
}

bool indicesAreValid(const std::vector<std::pair<int, int>>& pairs, std::size_t count) {
  return std::ranges::all_of(pairs, [&](const std::pair<int, int>& pair) {
    return indicesAreValid({pair.first, pair.second}, count);
  });
}

void check(const Shape& shape, std::vector<std::string>& problems) {
  const auto& hull = std::get<ConvexHull>(shape);
  if (!hull.data) {
    problems.emplace_back("hull: has no data; make it with makeHull()");
    return;
  }
  const HullData& data = *hull.data;
  requireBounded(data.vertices, "hull: vertices", problems);
  if (!problems.empty()) return;
  const bool consistent =
      data.faces.size() >= 4 && data.faceNormals.size() == data.faces.size() &&
      data.edgeFaces.size() == data.edges.size() &&
      indicesAreValid(data.edges, data.vertices.size()) &&
      indicesAreValid(data.edgeFaces, data.faces.size()) &&
      data.vertices.size() + data.faces.size() == data.edges.size() + 2 &&  // Euler
      std::ranges::all_of(data.faces, [&](const std::vector<int>& face) {
        return face.size() >= 3 && indicesAreValid(face, data.vertices.size());
      });
  if (!consistent) {
    problems.emplace_back(
        "hull: vertices, faces and edges are not those of a closed convex polyhedron that spans a "
        "volume; make it with makeHull()");
    return;
  }
  if (std::ssize(data.edges) > kMostHullEdges) {
    problems.push_back(fmt::format("hull: has {} edges, at most {} are taken; give fewer points",
                                   data.edges.size(), kMostHullEdges));
    return;
  }
  const Bounds bounds = boundsOfPoints(data.vertices);
  // Ten times the flatness that makeHull() allows a face: only wrong data fails.
  const Real tolerance = 1e-5 * (bounds.upper - bounds.lower).maxCoeff();
  for (std::size_t f = 0; f < data.faces.size(); ++f) {
    const Vec3& normal = data.faceNormals[f];
    const Vec3& onFace = data.vertices[data.faces[f][0]];
    for (const Vec3& vertex : data.vertices) {
      if (normal.dot(vertex - onFace) <= tolerance) continue;
      problems.push_back(fmt::format(
          "hull: a vertex lies {:.3g} m outside face {}, so it is not convex; make it with "
          "makeHull()",
          normal.dot(vertex - onFace), f));
      return;
    }
  }
}

void hashData(const Shape& shape, Hasher& hasher) { hasher.array(dataOf(shape).vertices); }

// Sum over tetrahedra from a point inside to the triangles of every face. With corners a, b, c
// relative to that point and V = a · (b × c)/6: ∫ dV = V, ∫ x dV = V (a + b + c)/4 and
// ∫ x xᵀ dV = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c.
MassProperties massOf(const Shape& shape, Real density) {
  const HullData& hull = dataOf(shape);
  const std::vector<Vec3>& vertices = hull.vertices;
  Vec3 origin = Vec3::Zero();
  for (const Vec3& vertex : vertices) origin += vertex;
  origin /= static_cast<Real>(vertices.size());

  Real volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const std::vector<int>& face : hull.faces) {
    const Vec3 a = vertices[face[0]] - origin;
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      const Vec3 b = vertices[face[i]] - origin;
      const Vec3 c = vertices[face[i + 1]] - origin;
      const Vec3 sum = a + b + c;
      const Real v = a.dot(b.cross(c)) / 6;
      volume += v;
      first += v / 4 * sum;
      second += v / 20 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  }
  const Vec3 center = first / volume;
  second -= volume * center * center.transpose();
  return {density * volume, origin + center,
          density * (second.trace() * Mat3::Identity() - second)};
}

std::optional<Bounds> bounds(const Shape& shape) { return boundsOfPoints(dataOf(shape).vertices); }

std::unique_ptr<Polytope> place(const Shape& shape, PlacedShape&) {
  return std::make_unique<Polytope>(makeHullPolytope(dataOf(shape)));
}

Bounds placedBox(const PlacedShape& shape) {
  const std::vector<Vec3>& vertices = shape.polytope->vertices;
  Bounds bounds{shape.rotation * vertices[0], shape.rotation * vertices[0]};
  for (const Vec3& vertex : vertices) {
    const Vec3 point = shape.rotation * vertex;
    bounds.merge({point, point});
  }
  return {bounds.lower + shape.position, bounds.upper + shape.position};
}

Vec3 supportOf(const PlacedShape& shape, const Vec3& direction) {
  return shape.polytope
      ->vertices[static_cast<std::size_t>(shape.polytope->supportVertex(direction))];
}

LocalSurface surface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Polytope& polytope = *shape.polytope;
  const Vec3 normal = shape.rotation.transpose() * outwards;
  const Vec3 at = shape.rotation.transpose() * (point - shape.position);
  for (const Polytope::Face& side : polytope.faces) {
    if (side.normal.dot(normal) > 0 && isAlong(side.normal, normal)) {
      return LocalSurface::face(point);
    }
  }
  for (const Polytope::Edge& edge : polytope.edges) {
    const Vec3& from = polytope.vertices[static_cast<std::size_t>(edge.from)];
    if (liesOnEdge(from, edge.direction, polytope.size, at, normal)) {
      return LocalSurface::edge(point, shape.rotation * edge.direction);
    }
  }
  return LocalSurface::corner(point);
}

}  // namespace hull
}  // namespace

const ShapeOperations ConvexHull::operations = {
    .name = "hull",
    .help = "convex hull of points or of an OBJ file's vertices",
    .check = hull::check,
    .hashData = hull::hashData,
    .massProperties = hull::massOf,
    .bounds = hull::bounds,
    .place = hull::place,
    .placedBounds = hull::placedBox,
    .localSurface = hull::surface,
    .castRay = castPolytope,
    .support = hull::supportOf,
    .thickness = polytopeThickness,
    .supportFeature = polytopeFeature,
    .planePoints = polytopePoints,
};

ConvexHull makeHull(const std::vector<Vec3>& points) {
  const detail::HullTriangles triangles = detail::triangulateHull(points, checkedSize(points));
  return {std::make_shared<const HullData>(detail::mergeHullFaces(points, triangles))};
}

}  // namespace drystone
