#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/narrow/lower_hull.h"
#include "core/types.h"

namespace drystone::narrow {

/// A point of the contact of a convex shape with a surface, of whichever triangle.
struct SurfacePoint {
  Vec3 position = Vec3::Zero();  ///< on the shape, world [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, world
  Real gap = 0;                  ///< along the normal; negative: overlap [m]
  std::uint64_t feature = 0;     ///< unique
  bool wasKept = false;          ///< last time
  int contact = 0, cache = 0;    ///< where the caller has it, and what its triangle remembers
  bool isGhost = false;          ///< and so of no account
  bool isKept = false;
};

/// Thins the contact of one convex shape with one surface. Points whose normals are as good as one
/// are taken together, whichever triangles they are of. Of these stay four that span the support
/// polygon, and all that are deeper than the others tell.
/// Derivation: docs/theory/contacts.md, "Contacts on surfaces".
class SurfaceReduction {
 public:
  /// What to thin. reduce() changes the order, and sets `isKept`.
  std::vector<SurfacePoint> points;

  /// `thickness` is that of the shape [m].
  void reduce(Real thickness);

 private:
  /// Of points with nearly one normal, the deepest one first.
  void reduceGroup(std::span<SurfacePoint> group, Real thickness);
  /// Keeps of the points left those that lie deeper than the others tell, by more than `none` [m].
  void keepDeeper(Real none);

  struct Place {
    Vec3 at = Vec3::Zero();  ///< across the normal, with the gap [m]
    SurfacePoint* point = nullptr;
    Real missed = 0;  ///< how far it lies below the hull [m]
  };

  LowerHull hull_;
  std::vector<Place> left_;  ///< scratch: what is not kept of a group
};

}  // namespace drystone::narrow
