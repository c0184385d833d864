#pragma once

// Poses of pairs of convex shapes for tests: random ones and degenerate ones, each from its number
// alone.

#include <string>
#include <vector>

#include "collision/analytic/convex_geometry.h"
#include "collision/narrow/contact_point.h"

namespace drystone::certify {

enum class Kind { kSphere, kBox, kCapsule, kCylinder, kCone, kHull, kPlane, kTriangle, kEllipsoid };
constexpr Kind kBoundedKinds[] = {Kind::kSphere, Kind::kBox,  Kind::kCapsule,  Kind::kCylinder,
                                  Kind::kCone,   Kind::kHull, Kind::kEllipsoid};
std::string nameOf(Kind kind);

struct ContactCase {
  PlacedConvex a, b;
  Real margin = 0;     ///< [m]
  Real degrees = 0;    ///< by which faces lean, where `family` says so
  std::string family;  ///< how the pose came about

  ContactCase turned() const { return {b, a, margin, degrees, family}; }
};

inline bool areBothPolyhedra(const ContactCase& made) {
  return isPolyhedron(made.a) && isPolyhedron(made.b);
}

/// What a pose looks like in a failure.
std::string describe(Kind a, Kind b, int index, const ContactCase& made);

/// The pose with a number: random ones, ones with gaps from zero to a tenth of the thickness and
/// overlaps up to that, faces that lean by 0 to 6 degrees, edges on edges, corners on corners;
/// thin, long and fine shapes among them; half of them in a world that is turned and moved.
ContactCase makeCase(Kind a, Kind b, int index);

/// All contacts that the collision world has of the pair, not thinned out.
std::vector<ContactPoint> contactsOf(const ContactCase& made);

/// A prism of many sides about z, inscribed in the cylinder.
Shape makeInscribedPrism(const Cylinder& around, int sides);

}  // namespace drystone::certify
