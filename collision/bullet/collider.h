#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "collision/collision_world.h"
#include "collision/narrow/triangle_surface.h"
#include "collision/shape/placed_shape.h"

struct btBroadphaseProxy;

namespace drystone::bullet {

/// A convex shape (or half-space), or a triangle surface, at its place within a collider.
struct Part {
  Pose local;          ///< in the collider's frame
  PlacedShape placed;  ///< of a surface only the frame counts
  Bounds bounds;       ///< tight, world
  std::unique_ptr<Polytope> polytope;
  std::unique_ptr<narrow::TriangleSurface> surface;  ///< null for convex parts
  std::uint64_t firstChild = 0;                      ///< number of children in the parts before

  std::uint64_t childCount() const {
    return surface ? static_cast<std::uint64_t>(surface->triangleCount()) : 1;
  }
};

struct Collider {
  bool used = false;
  bool isStatic = false;
  bool moved = false;     ///< whether it stands in the list of moved colliders
  bool rests = false;     ///< as setResting() says
  bool stirs = false;     ///< was moved before the present detection
  bool isLoaded = false;  ///< stands where a loaded state found it at rest, and was not moved since
  bool searches = false;  ///< looks for new pairs now
  bool isCompound = false;
  CollisionFilter filter;
  Pose pose;
  Pose anchor;                   ///< of polytopes: whence it has not moved since, or hardly
  bool isAnchored = false;       ///< whether it has one
  bool toAnchor = false;         ///< whether it was placed since anchors were last looked at
  std::uint64_t anchoredAt = 0;  ///< number of the detection that found it elsewhere
  ColliderMotion motion;
  Real thinnest = std::numeric_limits<Real>::infinity();  ///< thickness of its thinnest part [m]
  Real reach = 0;  ///< of no surface point of it does turning lead farther [m]
  std::vector<Part> parts;
  std::uint64_t childCount = 0;
  btBroadphaseProxy* proxy = nullptr;  ///< owned by the broad phase

  bool isConvex() const { return parts.size() == 1 && !parts[0].surface; }
  bool isPolytope() const { return isConvex() && parts[0].placed.polytope != nullptr; }
  /// The part that a child with this number belongs to.
  const Part& partOf(std::uint64_t child) const {
    const Part* part = parts.data();
    while (child >= part->firstChild + part->childCount()) ++part;
    return *part;
  }
  /// The number of a part as hits and contacts name it.
  int numberOf(const Part& part) const {
    return isCompound ? static_cast<int>(&part - parts.data()) : -1;
  }
};

/// The parts of a shape, not yet placed.
std::vector<Part> makeParts(const Shape& shape);
/// Of a surface 0, of a plane infinite [m].
Real thicknessOf(const Part& part);
/// How far turning may lead a point of the collider that fills the box [m]. Takes out of its motion
/// the turning that no one sees: of a sphere, and about the axis of what is round.
Real reachOfTurning(Collider& collider, const Bounds& box);
/// Places the parts for a pose of the whole, with their bounds.
void placeParts(const Pose& pose, std::vector<Part>& parts);
/// Box around a world box as seen from a frame.
Bounds boxIn(const PlacedShape& frame, const Bounds& box);

}  // namespace drystone::bullet
