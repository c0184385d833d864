#include "collision/shape/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/input_error.h"

namespace drystone {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

using Problems = std::vector<std::string>;

void requirePositive(Real value, std::string_view what, Problems& problems) {
  if (!(value > 0) || !std::isfinite(value)) {
    problems.push_back(fmt::format("{} must be finite and > 0 m, got {}", what, value));
  }
}

void requireFinite(const std::vector<Vec3>& points, std::string_view what, Problems& problems) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      problems.push_back(fmt::format("{}[{}] must be finite, got ({}, {}, {})", what, i,
                                     points[i].x(), points[i].y(), points[i].z()));
    }
  }
}

template <class Indices>
bool indicesAreValid(const Indices& indices, std::size_t count) {
  return std::ranges::all_of(indices,
                             [&](int i) { return i >= 0 && static_cast<std::size_t>(i) < count; });
}

void checkHull(const ConvexHull& hull, Problems& problems) {
  if (!hull.data) {
    problems.emplace_back("hull: has no data; make it with makeHull()");
    return;
  }
  const HullData& data = *hull.data;
  requireFinite(data.vertices, "hull: vertices", problems);
  if (!problems.empty()) return;
  const bool consistent =
      data.faces.size() >= 4 && data.faceNormals.size() == data.faces.size() &&
      data.edgeFaces.size() == data.edges.size() &&
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
  Vec3 low = data.vertices.front();
  Vec3 high = low;
  for (const Vec3& vertex : data.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  // Ten times the flatness that makeHull() allows a face: only wrong data fails.
  const Real tolerance = 1e-5 * (high - low).maxCoeff();
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

void checkMesh(const TriangleMesh& mesh, Problems& problems) {
  if (!mesh.data || mesh.data->triangles.empty()) {
    problems.emplace_back("mesh: has no triangles; give at least one");
    return;
  }
  requireFinite(mesh.data->vertices, "mesh: vertices", problems);
  for (std::size_t t = 0; t < mesh.data->triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.data->triangles[t];
    if (!indicesAreValid(mesh.data->triangles[t], mesh.data->vertices.size())) {
      problems.push_back(
          fmt::format("mesh: triangles[{}] = ({}, {}, {}) must index one of {} vertices, from 0", t,
                      a, b, c, mesh.data->vertices.size()));
    } else if (a == b || b == c || c == a) {
      problems.push_back(fmt::format(
          "mesh: triangles[{}] = ({}, {}, {}) uses a vertex twice; remove it", t, a, b, c));
    }
  }
}

void checkHeightfield(const Heightfield& field, Problems& problems) {
  if (!field.data) {
    problems.emplace_back("heightfield: has no data; give columns, rows and heights");
    return;
  }
  const HeightfieldData& data = *field.data;
  if (data.columns < 2 || data.rows < 2) {
    problems.push_back(
        fmt::format("heightfield: columns and rows must be at least 2, got {} and {}", data.columns,
                    data.rows));
    return;
  }
  requirePositive(data.spacingX, "heightfield: spacingX", problems);
  requirePositive(data.spacingY, "heightfield: spacingY", problems);
  const std::size_t expected = static_cast<std::size_t>(data.columns) * data.rows;
  if (data.heights.size() != expected) {
    problems.push_back(
        fmt::format("heightfield: heights must have columns × rows = {} entries, got {}", expected,
                    data.heights.size()));
  }
  for (std::size_t i = 0; i < data.heights.size(); ++i) {
    if (!std::isfinite(data.heights[i])) {
      problems.push_back(
          fmt::format("heightfield: heights[{}] must be finite, got {}", i, data.heights[i]));
    }
  }
}

void collectProblems(const Shape& shape, Problems& problems);

void checkCompound(const Compound& compound, Problems& problems) {
  if (compound.children.empty()) {
    problems.emplace_back("compound: has no children; give at least one");
  }
  for (std::size_t i = 0; i < compound.children.size(); ++i) {
    const CompoundChild& child = compound.children[i];
    Problems childProblems;
    if (std::holds_alternative<Compound>(child.shape)) {
      childProblems.emplace_back("compounds do not nest; list its children here instead");
    } else {
      collectProblems(child.shape, childProblems);
    }
    // 1e-9 lets pass what normalising in double or printing twelve digits leaves.
    const bool unit = std::abs(child.pose.rotation.coeffs().norm() - 1) <= 1e-9;
    if (!child.pose.position.allFinite() || !unit) {
      childProblems.emplace_back("pose must have a finite position and a unit quaternion");
    }
    for (const std::string& problem : childProblems) {
      problems.push_back(fmt::format("compound: children[{}]: {}", i, problem));
    }
  }
}

void collectProblems(const Shape& shape, Problems& problems) {
  std::visit(Overloaded{
                 [&](const Sphere& s) { requirePositive(s.radius, "sphere: radius", problems); },
                 [&](const Box& s) {
                   for (int i = 0; i < 3; ++i) {
                     requirePositive(s.halfExtents[i], fmt::format("box: halfExtents[{}]", i),
                                     problems);
                   }
                 },
                 [&](const Capsule& s) {
                   requirePositive(s.radius, "capsule: radius", problems);
                   requirePositive(s.halfLength, "capsule: halfLength", problems);
                 },
                 [&](const Cylinder& s) {
                   requirePositive(s.radius, "cylinder: radius", problems);
                   requirePositive(s.halfLength, "cylinder: halfLength", problems);
                 },
                 [&](const Cone& s) {
                   requirePositive(s.radius, "cone: radius", problems);
                   requirePositive(s.height, "cone: height", problems);
                 },
                 [](const Plane&) {},
                 [&](const ConvexHull& s) { checkHull(s, problems); },
                 [&](const TriangleMesh& s) { checkMesh(s, problems); },
                 [&](const Heightfield& s) { checkHeightfield(s, problems); },
                 [&](const Compound& s) { checkCompound(s, problems); },
             },
             shape);
}

}  // namespace

std::string_view shapeName(const Shape& shape) {
  return std::visit(Overloaded{
                        [](const Sphere&) { return "sphere"; },
                        [](const Box&) { return "box"; },
                        [](const Capsule&) { return "capsule"; },
                        [](const Cylinder&) { return "cylinder"; },
                        [](const Cone&) { return "cone"; },
                        [](const Plane&) { return "plane"; },
                        [](const ConvexHull&) { return "hull"; },
                        [](const TriangleMesh&) { return "mesh"; },
                        [](const Heightfield&) { return "heightfield"; },
                        [](const Compound&) { return "compound"; },
                    },
                    shape);
}

void checkShape(const Shape& shape) {
  Problems problems;
  collectProblems(shape, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
}

bool isStaticOnly(const Shape& shape) {
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    return std::ranges::any_of(
        compound->children, [](const CompoundChild& child) { return isStaticOnly(child.shape); });
  }
  return std::holds_alternative<Plane>(shape) || std::holds_alternative<TriangleMesh>(shape) ||
         std::holds_alternative<Heightfield>(shape);
}

}  // namespace drystone
