#include "engine/model/argument_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/shape/shape.h"
#include "core/field_visitor.h"
#include "core/input_error.h"

namespace drystone {

std::string missingProblem(std::string_view what, int index, int slots) {
  if (index < 0) {
    return fmt::format("{} id is empty: it was never set, or no {} had the name looked for", what,
                       what);
  }
  return fmt::format("{} {} does not exist: {}", what, index,
                     index < slots ? "it was removed" : "this world has none of that index");
}

void requireFinite(std::string_view function, std::string_view argument, const Vec3& value) {
  if (!value.allFinite()) throw InputError(fmt::format("{}: {} is not finite", function, argument));
}

void requireFinite(std::string_view function, std::string_view argument, Real value) {
  requireFinite(function, argument, Vec3(value, 0, 0));
}

void requireBounded(std::string_view function, std::string_view argument, const Vec3& value,
                    std::string_view unit) {
  requireFinite(function, argument, value);
  const Real largest = value.cwiseAbs().maxCoeff();
  if (largest <= kLargestInput) return;
  throw InputError(fmt::format("{}: {} must be within ±{:g} {}, got {:g}", function, argument,
                               kLargestInput, unit, largest));
}

Pose requirePose(std::string_view function, std::string_view argument, const Pose& pose) {
  requireBounded(function, argument, pose.position, "m");
  if (!(std::abs(pose.rotation.norm() - 1) < 1e-3)) {
    throw InputError(
        fmt::format("{}: rotation of {} is no unit quaternion: normalize it", function, argument));
  }
  return {pose.position, pose.rotation.normalized()};
}

std::string inertiaProblem(const Mat3& inertia) {
  constexpr Real kSlack = 1e-9;  // rounding of the input and of the eigenvalues, for flat bodies
  if (!inertia.allFinite()) return "must be finite";
  Vec3 moments = principalInertia(inertia).moments;
  std::sort(moments.begin(), moments.end());
  const Real others = moments[0] + moments[1];
  if (!(moments[0] > 0)) return "must be positive definite";
  if (moments[0] < kSmallestPositiveInput) {
    return fmt::format("its principal moments must be ≥ {:g} kg m², got {:g}",
                       kSmallestPositiveInput, moments[0]);
  }
  // A mass at an arm, each as large as inputs may be.
  constexpr Real kLargest = kLargestInput * kLargestInput * kLargestInput;
  if (moments[2] > kLargest) {
    return fmt::format("its principal moments must be ≤ {:g} kg m², got {:g}", kLargest,
                       moments[2]);
  }
  if (moments[2] <= others * (1 + kSlack)) return "";
  return fmt::format(
      "no body has this inertia: its largest principal moment, {:.6g} kg m², is larger than the "
      "sum of the other two, {:.6g} kg m²",
      moments[2], others);
}

}  // namespace drystone
