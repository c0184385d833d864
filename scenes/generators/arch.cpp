// A half-circle arch of wedge stones without mortar in the xz plane, springing from z = 0, the
// first stone at +x. All stones are the same convex hull, flat where a ring would be round.

#include <cmath>
#include <numbers>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

struct Voussoir {
  ConvexHull hull;
  Real centroid = 0;  ///< distance of the hull's origin, its centroid, from the arch's axis [m]
};

/// Section in the plane of the arch: x radially outwards at the mid angle, z along the ring. A
/// trapezoid between the radii, spanning the angle 2h; its parallel sides are 2 r sin h long.
Voussoir makeVoussoir(Real inner, Real outer, Real depth, Real h) {
  const Real low = inner * std::cos(h);
  const Real high = outer * std::cos(h);
  const Real centroid = low + (high - low) / 3 * (inner + 2 * outer) / (inner + outer);
  std::vector<Vec3> points;
  for (const Real radius : {inner, outer}) {
    for (const Real side : {-1.0, 1.0}) {
      for (const Real y : {-depth / 2, depth / 2}) {
        points.emplace_back(radius * std::cos(h) - centroid, y, side * radius * std::sin(h));
      }
    }
  }
  return {makeHull(points), centroid};
}

}  // namespace

void generateArch(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "arch");
  int count = 0;
  Real inner = 1, outer = 2, depth = 1;
  in.integer({"count", "stones"}, count, 2, std::numeric_limits<int>::max(), kRequired);
  in.real({"inner_radius", "of the arch"}, inner, positive("m", 1e6), kRequired);
  in.real({"outer_radius", "of the arch"}, outer, positive("m", 1e6), kRequired);
  in.real({"depth", "along y"}, depth, positive("m", 1e6), kRequired);
  if (in.clean() && outer <= inner) in.at().member("outer_radius")->error("must be > inner_radius");
  if (!generation.allows(count, "count")) return;
  const Voussoir stone = makeVoussoir(inner, outer, depth, std::numbers::pi / (2.0 * count));
  for (int i = 0; i < count; ++i) {
    const Real angle = (i + 0.5) * std::numbers::pi / count;
    // A turn by -angle about +y takes +x to (cos, 0, sin).
    const Quat rotation(Eigen::AngleAxis<Real>(-angle, Vec3::UnitY()));
    generation.add(std::to_string(i), stone.hull,
                   {rotation * Vec3(stone.centroid, 0, 0), rotation});
  }
}

}  // namespace drystone
