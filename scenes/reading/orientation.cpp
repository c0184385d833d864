// Orientations as scenes write them.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scenes/reading/object_reader.h"

namespace drystone {
namespace {

/// Off a unit length by more than this is an error of the file, not rounding of its numbers.
constexpr Real kUnitTolerance = 1e-3;
constexpr Real kRadiansPerDegree = std::numbers::pi / 180;

/// Half a turn is rarely written as a quaternion, but [x, y, z, w] of other programs reads as one:
/// for them the identity is [0, 0, 0, 1].
void lookForLastW(const JsonCursor& at, const std::vector<Real>& q) {
  if (q[0] != 0 || q[3] == 0) return;
  at.log().doubts["half turns"].push_back(
      {.pointer = at.pointer(),
       .message = fmt::format(
           "this is half a turn about ({0:g}, {1:g}, {2:g}), since w comes first; where it is "
           "meant to be last, write [{2:g}, 0, {0:g}, {1:g}]; half a turn that is meant is "
           "{{\"axis\": [{0:g}, {1:g}, {2:g}], \"angle_deg\": 180}}",
           q[1], q[2], q[3])});
}

bool readQuaternion(const JsonCursor& at, Quat& out) {
  std::vector<Real> q;
  if (!at.reals(q, 4, 4, anyReal(""))) return false;
  const Real norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (norm == 0)
    return at.error("a zero quaternion is no orientation; [1, 0, 0, 0] is the identity");
  if (std::abs(norm - 1) > kUnitTolerance) {
    return at.error(
        fmt::format("must be a unit quaternion [w, x, y, z], got one of length {:.6g}", norm));
  }
  lookForLastW(at, q);
  out = Quat(q[0], q[1], q[2], q[3]);
  // Dividing by a length that is 1 but for rounding would only change the last bits.
  if (std::abs(norm - 1) > 1e-15) out.coeffs() /= norm;
  return true;
}

/// A whole turn is the most that an orientation needs: degrees without their key are beyond it.
void lookForDegrees(const JsonCursor& at, Real angle) {
  constexpr Real kWholeTurn = 2 * std::numbers::pi;
  if (std::abs(angle) <= kWholeTurn * (1 + 1e-3)) return;  // rounded by who typed it
  const JsonCursor place = *at.member("angle");
  at.log().doubts["degrees"].push_back(
      {.pointer = place.pointer(),
       .message =
           fmt::format("{0:g} rad is {1:.4g}°; where {0:g}° is meant, write \"angle_deg\": {0:g}",
                       angle, angle / kRadiansPerDegree)});
}

Quat turn(Real angle, const Vec3& axis) { return Quat(Eigen::AngleAxis<Real>(angle, axis)); }

bool readNamedForm(const JsonCursor& at, Quat& out) {
  ObjectReader in(at, "orientation", "Euler angles, or a turn about an axis");
  Vec3 euler, axis;
  Real angle = 0, degrees = 0;
  const bool hasEuler =
      in.vector({"euler_deg", "turns about the body's own x, then y, then z axis: R = Rx Ry Rz"},
                euler, anyReal("degrees"), kNoDefault);
  const bool hasAxis =
      in.vector({"axis", "of the turn; need not be of unit length"}, axis, anyReal(""), kNoDefault);
  const bool hasAngle = in.real({"angle", "about the axis"}, angle, anyReal("rad"), kNoDefault);
  const bool hasDegrees =
      in.real({"angle_deg", "about the axis"}, degrees, anyReal("degrees"), kNoDefault);
  if (!in.atLeastOne({"euler_deg", "axis"}) || !in.atMostOne({"euler_deg", "axis"}) || !in.clean())
    return false;
  if (hasEuler) {
    if (hasAngle || hasDegrees)
      return at.error("an angle goes with \"axis\", not with \"euler_deg\"");
    const Vec3 radians = kRadiansPerDegree * euler;
    out = turn(radians.x(), Vec3::UnitX()) * turn(radians.y(), Vec3::UnitY()) *
          turn(radians.z(), Vec3::UnitZ());
    return true;
  }
  if (!in.atLeastOne({"angle", "angle_deg"}) || !in.atMostOne({"angle", "angle_deg"})) return false;
  if (!hasAxis || axis.norm() == 0) return at.member("axis")->error("must not be the zero vector");
  if (hasAngle) lookForDegrees(at, angle);
  out = turn(hasAngle ? angle : kRadiansPerDegree * degrees, axis.normalized());
  return true;
}

}  // namespace

bool JsonCursor::orientation(Quat& out) const {
  if (isArray()) return readQuaternion(*this, out);
  if (isObject()) return readNamedForm(*this, out);
  return error(
      fmt::format("must be [w, x, y, z], {{\"euler_deg\": [x, y, z]}} or {{\"axis\": [x, y, z], "
                  "\"angle_deg\": a}}, got {}",
                  describe()));
}

}  // namespace drystone
