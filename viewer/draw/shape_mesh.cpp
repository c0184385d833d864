#include "viewer/draw/meshes.h"

namespace drystone::viewer {
namespace {

TriangleMeshf hullMesh(const HullData& data) {
  TriangleMeshf mesh;
  for (std::size_t f = 0; f < data.faces.size(); ++f) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto corners = static_cast<std::uint32_t>(data.faces[f].size());
    for (const int vertex : data.faces[f]) {
      mesh.positions.push_back(data.vertices[vertex].cast<float>());
      mesh.normals.push_back(data.faceNormals[f].cast<float>());
    }
    for (std::uint32_t k = 1; k + 1 < corners; ++k) {
      mesh.indices.insert(mesh.indices.end(), {first, first + k, first + k + 1});
    }
  }
  return mesh;
}

void append(const TriangleMeshf& part, const Pose& pose, TriangleMeshf& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const Eigen::Matrix3f rotation = pose.rotation.toRotationMatrix().cast<float>();
  const Vec3f position = pose.position.cast<float>();
  for (const Vec3f& p : part.positions) mesh.positions.push_back(rotation * p + position);
  for (const Vec3f& n : part.normals) mesh.normals.push_back(rotation * n);
  for (const std::uint32_t i : part.indices) mesh.indices.push_back(first + i);
  mesh.twoSided = mesh.twoSided || part.twoSided;
}

/// The square [-1, 1]² of the plane z = 0, seen from both sides.
TriangleMeshf squareMesh() {
  TriangleMeshf mesh;
  mesh.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh.normals.assign(4, Vec3f::UnitZ());
  mesh.indices = {0, 1, 2, 0, 2, 3};
  mesh.twoSided = true;
  return mesh;
}

/// A form with a mesh of its own for each detail.
MeshForm round(const Vec3& factors, std::function<TriangleMeshf(MeshDetail)> mesh) {
  return {.mesh = std::move(mesh), .factors = factors, .isRound = true};
}

struct FormOf {
  MeshForm operator()(const Sphere& s) const { return round(Vec3::Constant(s.radius), unitSphere); }
  MeshForm operator()(const Box& s) const {
    return {.mesh = [](MeshDetail) { return unitBox(); }, .factors = s.halfExtents};
  }
  MeshForm operator()(const Capsule& s) const {
    const Real proportion = s.halfLength / s.radius;
    MeshForm form = round(Vec3::Constant(s.radius), [proportion](MeshDetail detail) {
      return unitCapsule(proportion, detail);
    });
    form.proportion = proportion;
    return form;
  }
  MeshForm operator()(const Cylinder& s) const {
    return round({s.radius, s.radius, s.halfLength}, unitCylinder);
  }
  MeshForm operator()(const Cone& s) const {
    return round({s.radius, s.radius, s.height}, unitCone);
  }
  MeshForm operator()(const Ellipsoid& s) const { return round(s.halfAxes, unitSphere); }
  MeshForm operator()(const Plane&) const {
    return {.mesh = [](MeshDetail) { return squareMesh(); }};
  }
  MeshForm operator()(const ConvexHull& s) const {
    return {.mesh = [s](MeshDetail) { return hullMesh(*s.data); }, .data = s.data};
  }
  MeshForm operator()(const TriangleMesh& s) const {
    return {.mesh = [s](MeshDetail) { return surfaceMesh(*s.data); }, .data = s.data};
  }
  MeshForm operator()(const Heightfield& s) const {
    return {.mesh = [s](MeshDetail) { return heightfieldMesh(*s.data); }, .data = s.data};
  }
  MeshForm operator()(const Compound& s) const {
    return round(Vec3::Ones(), [s](MeshDetail detail) {
      TriangleMeshf mesh;
      for (const CompoundChild& child : s.children) {
        append(shapeMesh(child.shape, detail), child.pose, mesh);
      }
      return mesh;
    });
  }
};

}  // namespace

MeshForm meshForm(const Shape& shape) { return std::visit(FormOf{}, shape); }

TriangleMeshf shapeMesh(const Shape& shape, MeshDetail detail) {
  if (std::holds_alternative<Plane>(shape)) return {};
  const MeshForm form = meshForm(shape);
  TriangleMeshf mesh = form.mesh(detail);
  if (form.factors != Vec3::Ones()) scaleMesh(form.factors.cast<float>(), mesh);
  return mesh;
}

void scaleMesh(const Vec3f& factors, TriangleMeshf& mesh) {
  for (Vec3f& p : mesh.positions) p = p.cwiseProduct(factors);
  for (Vec3f& n : mesh.normals) n = n.cwiseQuotient(factors).normalized();
}

}  // namespace drystone::viewer
