#pragma once

// A proof, contact by contact, that a manifold is right. For any unit normal n the slab between the
// farthest points of A along n and of B against n bounds the distance from below; any point of A
// and any point of B bound it from above. Where both bounds agree, gap and normal are exact.

#include <vector>

#include "collision/analytic/convex_geometry.h"
#include "collision/narrow/contact_point.h"

namespace drystone::certify {

/// What the contacts of one pair leave unproved. All but the angle in metres.
struct Verdict {
  bool hasOneNormal = true;  ///< of unit length, and the same for all contacts
  Real lowestGap = 1e300;    ///< of the contacts
  Real gapError = 0;         ///< between the lowest gap and the width of the slab
  Real deepestOutside = 0;   ///< how far the deepest contact's points lie outside A and B
  Real othersOutside = 0;    ///< and those of the other contacts
  Real highestGap = -1e300;  ///< of the contacts
  Real normalError = 0;      ///< separated shapes: largest angle that the bounds leave [rad]
};

/// Width of the slab across a unit normal from A to B; negative where the shapes overlap along it.
/// A half-space has but one direction; along any other it is -1e300.
Real slabWidth(const PlacedConvex& a, const PlacedConvex& b, const Vec3& normal);

/// The contact of the lowest gap; there must be one.
const ContactPoint& deepestOf(const std::vector<ContactPoint>& contacts);

/// Judges the contacts of a pair; there must be some.
Verdict judge(const PlacedConvex& a, const PlacedConvex& b,
              const std::vector<ContactPoint>& contacts);

struct Slab {
  Real width = 0;  ///< [m]
  Vec3 normal = Vec3::UnitZ();
};

/// The widest slab over many directions, the best of them refined: the distance or minus the least
/// overlap, or a little less. `guess` (unit) is among the directions.
Slab widestSlab(const PlacedConvex& a, const PlacedConvex& b, const Vec3& guess);

/// Climbs from a unit normal to a wider slab by ever smaller steps, down to `lastStep` [rad]: to
/// the widest one near it.
Slab widenSlab(const PlacedConvex& a, const PlacedConvex& b, const Slab& from, Real lastStep);

/// Length to which tolerances of a pair are relative: its larger extent and distance [m].
Real sizeOf(const PlacedConvex& a, const PlacedConvex& b);

/// The thinner shape's thickness [m].
Real thinnestOf(const PlacedConvex& a, const PlacedConvex& b);

/// Rounding and GJK's accuracy, relative to the pair's size.
constexpr Real kRound = 1e-9;
/// The end of an edge counts as on a face up to 1e-6 of the thickness beyond it, and the edge may
/// lean by 5 degrees: so much may a contact be lower than the distance. Relative to the thickness.
constexpr Real kBeyondEdge = 1e-6 * 0.0872;
/// Not asserted tighter, of boxes and hulls only: a face that leans by less than 1 degree against
/// the best axis is laid on the other shape and lends the contact its normal, which so is off by up
/// to that angle. The gap is right to 1e-4 of the thickness and twice 1 - cos 1 degree of itself.
constexpr Real kLaidShare = 3.1e-4, kLaidRound = 1.3e-4;

}  // namespace drystone::certify
