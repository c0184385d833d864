#include "scenes/scene_json.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <variant>

namespace drystone {
namespace {

std::string objText(const MeshData& mesh) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Vec3& v : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", v.x(), v.y(), v.z());
  for (const auto& [a, b, c] : mesh.triangles) {
    fmt::format_to(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
  }
  return text;
}

/// Adds the keys of a shape beside its type.
struct AddKeys {
  SceneJson& out;
  std::vector<SceneFile>& meshes;

  void operator()(const Sphere& s) const { out["radius"] = s.radius; }
  void operator()(const Box& s) const { out["half_extents"] = vectorJson(s.halfExtents); }
  void operator()(const Capsule& s) const { addRound(s.radius, s.halfLength); }
  void operator()(const Cylinder& s) const { addRound(s.radius, s.halfLength); }
  void operator()(const Cone& s) const {
    out["radius"] = s.radius;
    out["height"] = s.height;
  }
  void operator()(const Ellipsoid& s) const { out["half_axes"] = vectorJson(s.halfAxes); }
  void operator()(const Plane&) const {}
  void operator()(const ConvexHull& s) const {
    for (const Vec3& point : s.data->vertices) out["points"].push_back(vectorJson(point));
  }
  void operator()(const TriangleMesh& s) const {
    const std::string name = fmt::format("mesh_{}.obj", meshes.size());
    meshes.push_back({name, objText(*s.data)});
    out["file"] = name;
  }
  void operator()(const Heightfield& s) const {
    out["columns"] = s.data->columns;
    out["rows"] = s.data->rows;
    out["spacing"] = {s.data->spacingX, s.data->spacingY};
    out["heights"] = s.data->heights;
  }
  void operator()(const Compound& s) const {
    out["children"] = SceneJson::array();
    for (const CompoundChild& part : s.children) {
      SceneJson child = {{"shape", shapeJson(part.shape, meshes)}};
      addPoseJson(part.pose, child);
      out["children"].push_back(std::move(child));
    }
  }

  void addRound(Real radius, Real halfLength) const {
    out["radius"] = radius;
    out["half_length"] = halfLength;
  }
};

}  // namespace

SceneJson vectorJson(const Vec3& v) { return SceneJson::array({v.x(), v.y(), v.z()}); }

SceneJson rotationJson(const Quat& q) {
  // A scene with half a turn as a quaternion is warned of: it may have w last.
  if (q.w() == 0) return {{"axis", vectorJson(Vec3(q.vec()))}, {"angle_deg", 180}};
  return SceneJson::array({q.w(), q.x(), q.y(), q.z()});
}

void addPoseJson(const Pose& pose, SceneJson& to) {
  if (!pose.position.isZero(0)) to["position"] = vectorJson(pose.position);
  if (!pose.rotation.vec().isZero(0)) to["orientation"] = rotationJson(pose.rotation);
}

void addMassJson(const MassProperties& mass, SceneJson& to) {
  const Mat3& i = mass.inertia;
  to["mass"] = mass.mass;
  to["inertia"] = {i(0, 0), i(1, 1), i(2, 2)};
  if (i(0, 1) != 0 || i(0, 2) != 0 || i(1, 2) != 0) {
    for (const Real product : {i(0, 1), i(0, 2), i(1, 2)}) to["inertia"].push_back(product);
  }
  to["center_of_mass"] = vectorJson(mass.centerOfMass);
}

SceneJson shapeJson(const Shape& shape, std::vector<SceneFile>& meshes) {
  SceneJson out = {{"type", shapeName(shape)}};
  std::visit(AddKeys{out, meshes}, shape);
  return out;
}

}  // namespace drystone
