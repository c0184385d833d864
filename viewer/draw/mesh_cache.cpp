#include "viewer/draw/mesh_cache.h"

#include "viewer/draw/meshes.h"

namespace drystone::viewer {
namespace {

/// The form that all shapes which are stretched from it share, and how far it is stretched.
struct UnitForm {
  Shape shape;
  Vec3 factors = Vec3::Ones();
  MeshDetail detail = MeshDetail::kFine;  ///< the one for all where the form has no detail
  std::shared_ptr<const void> data;
  Real proportion = 0;
};

struct UnitFormOf {
  MeshDetail detail;

  UnitForm operator()(const Sphere& s) const {
    return {Sphere{1}, Vec3::Constant(s.radius), detail};
  }
  UnitForm operator()(const Box& s) const { return {Box{Vec3::Ones()}, s.halfExtents}; }
  UnitForm operator()(const Capsule& s) const {
    const Real proportion = s.halfLength / s.radius;
    return {Capsule{1, proportion}, Vec3::Constant(s.radius), detail, {}, proportion};
  }
  UnitForm operator()(const Cylinder& s) const {
    return {Cylinder{1, 1}, {s.radius, s.radius, s.halfLength}, detail};
  }
  UnitForm operator()(const Cone& s) const {
    return {Cone{1, 1}, {s.radius, s.radius, s.height}, detail};
  }
  UnitForm operator()(const Plane& s) const { return {s}; }
  UnitForm operator()(const Compound& s) const { return {s, Vec3::Ones(), detail}; }
  template <class Shared>
  UnitForm operator()(const Shared& s) const {
    return {s, Vec3::Ones(), MeshDetail::kFine, s.data};
  }
};

}  // namespace

MeshCache::Stretched MeshCache::meshOf(const Shape& shape, MeshDetail detail) {
  const UnitForm form = std::visit(UnitFormOf{detail}, shape);
  const Key key{shape.index(), form.detail, form.data.get(), form.proportion};
  const auto [at, isNew] = entries_.try_emplace(key);
  if (isNew) {
    TriangleMeshf mesh =
        std::holds_alternative<Plane>(shape) ? squareMesh() : shapeMesh(form.shape, form.detail);
    at->second = {form.data, std::make_shared<const TriangleMeshf>(std::move(mesh))};
  }
  return {at->second.mesh, form.factors.cast<float>()};
}

void MeshCache::dropUnused() {
  std::erase_if(entries_, [](const auto& entry) { return entry.second.mesh.use_count() == 1; });
}

}  // namespace drystone::viewer
