#include "collision/bullet/collider.h"

#include <cmath>

#include "collision/bullet/mesh_surface.h"
#include "collision/narrow/heightfield_surface.h"
#include "collision/narrow/support.h"

namespace drystone::bullet {
namespace {

using narrow::ShapeKind;

void setKind(Part& part, ShapeKind kind, const Vec3& size) {
  part.placed.kind = kind;
  part.placed.size = size;
}

void setPolytope(Part& part, narrow::Polytope polytope) {
  part.polytope = std::make_unique<narrow::Polytope>(std::move(polytope));
  part.placed.polytope = part.polytope.get();
}

struct PartMaker {
  Part& part;

  void operator()(const Sphere& s) const { setKind(part, ShapeKind::kSphere, {s.radius, 0, 0}); }
  void operator()(const Box& s) const {
    setKind(part, ShapeKind::kBox, s.halfExtents);
    setPolytope(part, narrow::makeBoxPolytope(s.halfExtents));
  }
  void operator()(const Capsule& s) const {
    setKind(part, ShapeKind::kCapsule, {s.radius, s.halfLength, 0});
  }
  void operator()(const Cylinder& s) const {
    setKind(part, ShapeKind::kCylinder, {s.radius, s.halfLength, 0});
  }
  void operator()(const Cone& s) const { setKind(part, ShapeKind::kCone, {s.radius, s.height, 0}); }
  void operator()(const Plane&) const { setKind(part, ShapeKind::kPlane, Vec3::Zero()); }
  void operator()(const ConvexHull& s) const {
    setKind(part, ShapeKind::kPolytope, Vec3::Zero());
    setPolytope(part, narrow::makeHullPolytope(*s.data));
  }
  void operator()(const TriangleMesh& s) const {
    part.surface = std::make_unique<MeshSurface>(s.data);
  }
  void operator()(const Heightfield& s) const {
    part.surface = std::make_unique<narrow::HeightfieldSurface>(s.data);
  }
  void operator()(const Compound&) const {}
};

/// Box around a box that is turned.
narrow::Aabb turned(const narrow::Aabb& local, const narrow::PlacedShape& frame) {
  const Vec3 center = frame.position + frame.rotation * (0.5 * (local.min + local.max));
  const Vec3 reach = frame.rotation.cwiseAbs() * (0.5 * (local.max - local.min));
  return {center - reach, center + reach};
}

}  // namespace

std::vector<Part> makeParts(const Shape& shape) {
  std::vector<Part> parts;
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const CompoundChild& child : compound->children) {
      parts.emplace_back();
      parts.back().local = child.pose;
      std::visit(PartMaker{parts.back()}, child.shape);
    }
  } else {
    parts.emplace_back();
    std::visit(PartMaker{parts.back()}, shape);
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[i].firstChild = parts[i - 1].firstChild + parts[i - 1].childCount();
  }
  return parts;
}

void placeParts(const Pose& pose, std::vector<Part>& parts) {
  for (Part& part : parts) {
    const Pose world = pose * part.local;
    part.placed.position = world.position;
    part.placed.rotation = world.rotation.toRotationMatrix();
    part.bounds =
        part.surface ? turned(part.surface->bounds(), part.placed) : narrow::boundsOf(part.placed);
  }
}

narrow::Aabb boxIn(const narrow::PlacedShape& frame, const narrow::Aabb& box) {
  const Vec3 center = frame.rotation.transpose() * (0.5 * (box.min + box.max) - frame.position);
  const Vec3 reach = frame.rotation.transpose().cwiseAbs() * (0.5 * (box.max - box.min));
  return {center - reach, center + reach};
}

}  // namespace drystone::bullet
