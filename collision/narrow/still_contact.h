#pragma once

#include <array>
#include <cstdint>

#include "collision/narrow/clip.h"
#include "collision/narrow/manifold.h"
#include "collision/shape/placed_shape.h"

namespace drystone::narrow {

/// A shape lies still while none of its points has left its anchored place by more than this share
/// of its smallest extent. That is a tenth of the tolerance by which corners count as on a face, so
/// that the features that touch are still those of a search.
constexpr Real kStillShare = 1e-6;

/// The contact of two polytopes as it hangs on them: a face of one, and points of both. What has
/// moved little since it was found is placed by it, at a third of the price of a search or less.
struct StillContact {
  struct Point {
    Vec3 onA, onB;  ///< in the frames of the shapes [m]
    /// What the gap is of the way from onA to onB, in the frame of the shape that has the face: the
    /// normal, less what the point slides up where the other face or edge leans.
    Vec3 across;
    std::uint32_t feature = 0;
    bool isOfA = false;  ///< whose point the contact is
  };

  int count = 0;  ///< of points; 0: not found
  bool isFaceOfA = false;
  Vec3 normal;  ///< from A to B, in the frame of the shape that has the face
  std::array<Point, PairCache::kMaxKept> points;
};

/// Searches for the contact of two polytopes at their anchored places, and hangs it on them.
/// Returns false, with no points, where it could not stand for later searches as long as both lie
/// still: it takes contacts of a face alone, within the margin by more than they may move. Gaps are
/// off from those of a search by second order in the motion since, below 1e-10 of the larger
/// smallest extent, and places along the face by first order, below 1e-5 of it. A search with the
/// same cache must leave it as it is: the answer then depends on places and cache, and not on when
/// it is asked for.
bool findStillContact(const PlacedShape& a, const PlacedShape& b, Real margin,
                      const PairCache& cache, ClipScratch& scratch, Manifold& found,
                      StillContact& out);

/// The contact where the shapes are now.
void placeStillContact(const PlacedShape& a, const PlacedShape& b, const StillContact& contact,
                       Manifold& out);

}  // namespace drystone::narrow
