#include "collision/bullet/collider.h"

#include <cmath>
#include <limits>

#include "collision/bullet/mesh_surface.h"
#include "collision/narrow/heightfield_surface.h"
#include "collision/shape/shape_operations.h"

namespace drystone::bullet {
namespace {

void makePart(const Shape& shape, Part& part) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    part.surface = std::make_unique<MeshSurface>(mesh->data);
  } else if (const auto* field = std::get_if<Heightfield>(&shape)) {
    part.surface = std::make_unique<narrow::HeightfieldSurface>(field->data);
  } else {
    part.placed.kind = kindOf(shape);
    part.polytope = operationsOf(shape).place(shape, part.placed);
    part.placed.polytope = part.polytope.get();
  }
}

/// Box around a box that is turned.
Bounds turned(const Bounds& local, const PlacedShape& frame) {
  const Vec3 center = frame.position + frame.rotation * (0.5 * (local.lower + local.upper));
  const Vec3 reach = frame.rotation.cwiseAbs() * (0.5 * (local.upper - local.lower));
  return {center - reach, center + reach};
}

}  // namespace

std::vector<Part> makeParts(const Shape& shape) {
  std::vector<Part> parts;
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const CompoundChild& child : compound->children) {
      parts.emplace_back();
      parts.back().local = child.pose;
      makePart(child.shape, parts.back());
    }
  } else {
    parts.emplace_back();
    makePart(shape, parts.back());
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[i].firstChild = parts[i - 1].firstChild + parts[i - 1].childCount();
  }
  return parts;
}

Real thicknessOf(const Part& part) {
  if (part.surface) return 0;
  const auto thickness = operationsOf(part.placed.kind).thickness;
  return thickness != nullptr ? thickness(part.placed) : std::numeric_limits<Real>::infinity();
}

Real reachOfTurning(Collider& collider, const Bounds& box) {
  Vec3& turn = collider.motion.turn;
  if (turn.isZero(0)) return 0;
  if (collider.isConvex() && collider.parts[0].local.position.isZero(0)) {
    const PlacedShape& shape = collider.parts[0].placed;
    if (shape.kind == ShapeKind::kSphere) turn.setZero();
    if (shape.halfAxis > 0) turn -= turn.dot(shape.axis(2)) * shape.axis(2);
  }
  const Vec3& origin = collider.pose.position;
  const Vec3 farthest = (box.lower - origin).cwiseAbs().cwiseMax((box.upper - origin).cwiseAbs());
  return std::min<Real>(turn.norm(), 2) * farthest.norm();
}

void placeParts(const Pose& pose, std::vector<Part>& parts) {
  for (Part& part : parts) {
    const Pose world = pose * part.local;
    part.placed.position = world.position;
    part.placed.rotation = world.rotation.toRotationMatrix();
    part.bounds = part.surface ? turned(part.surface->bounds(), part.placed)
                               : operationsOf(part.placed.kind).placedBounds(part.placed);
  }
}

Bounds boxIn(const PlacedShape& frame, const Bounds& box) {
  const Vec3 center = frame.rotation.transpose() * (0.5 * (box.lower + box.upper) - frame.position);
  const Vec3 reach = frame.rotation.transpose().cwiseAbs() * (0.5 * (box.upper - box.lower));
  return {center - reach, center + reach};
}

}  // namespace drystone::bullet
