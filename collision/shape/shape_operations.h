#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/shape/local_surface.h"
#include "collision/shape/placed_shape.h"
#include "collision/shape/ray_cast.h"
#include "collision/shape/support_feature.h"
#include "core/field_visitor.h"
#include "core/hash.h"

namespace drystone {

/// Receives points of a surface (world), each with the id of its feature.
class PointReceiver {
 public:
  virtual void add(const Vec3& point, int id) = 0;

 protected:
  ~PointReceiver() = default;
};

/// All that the program asks of one kind of shape. What is null, a kind need not answer.
struct ShapeOperations {
  // Of every kind; the shape that is passed is always of the kind.

  std::string_view name;  ///< in scenes and messages
  std::string_view help;  ///< what it is and where its frame lies, in one line
  /// Lists the numbers that make the shape, with key, unit, range and help.
  void (*visitFields)(Shape& shape, FieldVisitor& visitor) = nullptr;
  /// Adds what is wrong with the shape beyond the ranges of its fields.
  void (*check)(const Shape& shape, std::vector<std::string>& problems) = nullptr;
  /// Adds the data that is no field.
  void (*hashData)(const Shape& shape, Hasher& hasher) = nullptr;
  /// At uniform density [kg/m³]. Null where the shape encloses no volume: only bodies that are not
  /// dynamic may have it.
  MassProperties (*massProperties)(const Shape& shape, Real density) = nullptr;
  /// Smallest box in the shape's frame; null or none where it has no end.
  std::optional<Bounds> (*bounds)(const Shape& shape) = nullptr;

  // Of convex shapes and half-spaces, for the narrow phase. All are null for others.

  /// Writes what the narrow phase reads of the shape, but its place. Returns the polytope that the
  /// placed shape points to; null for round shapes.
  std::unique_ptr<Polytope> (*place)(const Shape& shape, PlacedShape& out) = nullptr;
  /// Smallest box along the world's axes. Half-spaces reach to ±kUnbounded, except along the world
  /// axis that their normal follows exactly.
  Bounds (*placedBounds)(const PlacedShape& shape) = nullptr;
  /// The shape next to `point` of its surface, which a contact touches with its normal turned
  /// outwards (unit, world).
  LocalSurface (*localSurface)(const PlacedShape& shape, const Vec3& point,
                               const Vec3& outwards) = nullptr;
  /// Offers the cast the first hit from outside; none when the segment begins inside.
  void (*castRay)(const PlacedShape& shape, RayCast& cast) = nullptr;

  // Of bounded convex shapes.

  /// Farthest point of the core along a direction, both in the shape's frame. The core is the shape
  /// without its `coreRadius`.
  Vec3 (*support)(const PlacedShape& shape, const Vec3& direction) = nullptr;
  /// A length that tolerances are relative to: how thin the shape is [m].
  Real (*thickness)(const PlacedShape& shape) = nullptr;
  /// The feature with which the shape faces along `direction` (unit, world): a face or a sampled
  /// cap, a line, or a point, whichever is the largest that is square to the direction to within
  /// 5°. Points are relative to `origin`.
  void (*supportFeature)(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                         Polygon& out) = nullptr;
  /// Hands over the points of the core that can be deepest in a half-space which lies along
  /// `direction` (unit, world): every vertex, the ends of lines, samples of rims.
  void (*planePoints)(const PlacedShape& shape, const Vec3& direction,
                      PointReceiver& out) = nullptr;
};

/// By kind.
extern const std::array<const ShapeOperations*, std::variant_size_v<Shape>> kShapeOperations;

inline const ShapeOperations& operationsOf(ShapeKind kind) {
  return *kShapeOperations[static_cast<std::size_t>(kind)];
}
inline const ShapeOperations& operationsOf(const Shape& shape) {
  return operationsOf(kindOf(shape));
}

/// Everything that checkShape() would throw.
std::vector<std::string> shapeProblems(const Shape& shape);
/// Adds a problem for every point with a coordinate beyond ±kLargestShapeSize, or not finite.
void requireBounded(const std::vector<Vec3>& points, std::string_view what,
                    std::vector<std::string>& problems);
/// The smallest box around some points, of which there is one at least.
Bounds boundsOfPoints(const std::vector<Vec3>& points);

}  // namespace drystone
