#pragma once

#include <cstdint>
#include <optional>

#include "core/types.h"

namespace drystone {

struct PlacedShape;
namespace narrow {
struct PairCache;
}

/// What a contact point of two polytopes is made of, world: the point and its normal move as these
/// features do. Of faces one is the reference, and the other is clipped to it.
struct PolytopeMeeting {
  /// A point with an edge's direction, or a face's normal outwards.
  struct Feature {
    Vec3 point = Vec3::Zero(), along = Vec3::Zero();
  };
  enum class Place : std::uint8_t {
    kCorner,       ///< of the clipped face
    kBelowCorner,  ///< where the clipped face is met straight below a corner of the reference
    kEdgeAtSide,   ///< where an edge of the clipped face leaves the prism over the reference
    kEdgesAlongA,  ///< two edges side by side, at a corner of A
    kEdgesAlongB,  ///< likewise of B
  };
  enum class Normal : std::uint8_t {
    kOfReference,  ///< of its face
    kOfOther,      ///< of a face of the other shape
    kAcrossEdges,  ///< square to an edge of each
    kHalfway,      ///< between the normals of a face of each
  };
  Place place = Place::kCorner;
  Normal normal = Normal::kOfReference;
  bool referenceIsA = true;
  Feature reference;  ///< its face; not of edges side by side
  /// Of A and B what makes the place: corner, edge, or the clipped face.
  Feature ofA, ofB;
  /// Of A and B what makes the normal: an edge's direction, or a face's normal outwards.
  Vec3 normalOfA = Vec3::Zero(), normalOfB = Vec3::Zero();
};

namespace narrow {

/// Of a point with this feature and normal (from A to B) that the search for the contact has left
/// in the cache. None where that found no faces, or edges that cross alone, or it cannot be told
/// which edges make the normal.
std::optional<PolytopeMeeting> meetingOf(const PlacedShape& a, const PlacedShape& b,
                                         const PairCache& cache, std::uint32_t feature,
                                         const Vec3& normal);

}  // namespace narrow
}  // namespace drystone
