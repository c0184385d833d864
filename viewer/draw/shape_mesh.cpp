#include "viewer/draw/meshes.h"

namespace drystone::viewer {
namespace {

TriangleMeshf scaled(TriangleMeshf mesh, const Vec3& factors) {
  scaleMesh(factors.cast<float>(), mesh);
  return mesh;
}

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

struct Tessellate {
  MeshDetail detail;

  TriangleMeshf operator()(const Sphere& s) const {
    return scaled(unitSphere(detail), Vec3::Constant(s.radius));
  }
  TriangleMeshf operator()(const Box& s) const { return scaled(unitBox(), s.halfExtents); }
  TriangleMeshf operator()(const Capsule& s) const {
    return scaled(unitCapsule(s.halfLength / s.radius, detail), Vec3::Constant(s.radius));
  }
  TriangleMeshf operator()(const Cylinder& s) const {
    return scaled(unitCylinder(detail), {s.radius, s.radius, s.halfLength});
  }
  TriangleMeshf operator()(const Cone& s) const {
    return scaled(unitCone(detail), {s.radius, s.radius, s.height});
  }
  TriangleMeshf operator()(const Plane&) const { return {}; }
  TriangleMeshf operator()(const ConvexHull& s) const { return hullMesh(*s.data); }
  TriangleMeshf operator()(const TriangleMesh& s) const { return surfaceMesh(*s.data); }
  TriangleMeshf operator()(const Heightfield& s) const { return heightfieldMesh(*s.data); }
  TriangleMeshf operator()(const Compound& s) const {
    TriangleMeshf mesh;
    for (const CompoundChild& child : s.children) {
      append(shapeMesh(child.shape, detail), child.pose, mesh);
    }
    return mesh;
  }
};

}  // namespace

TriangleMeshf shapeMesh(const Shape& shape, MeshDetail detail) {
  return std::visit(Tessellate{detail}, shape);
}

TriangleMeshf squareMesh() {
  TriangleMeshf mesh;
  mesh.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh.normals.assign(4, Vec3f::UnitZ());
  mesh.indices = {0, 1, 2, 0, 2, 3};
  mesh.twoSided = true;
  return mesh;
}

void scaleMesh(const Vec3f& factors, TriangleMeshf& mesh) {
  for (Vec3f& p : mesh.positions) p = p.cwiseProduct(factors);
  for (Vec3f& n : mesh.normals) n = n.cwiseQuotient(factors).normalized();
}

}  // namespace drystone::viewer
