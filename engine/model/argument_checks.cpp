#include "engine/model/argument_checks.h"

#include <fmt/format.h>

#include <cmath>

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

Pose requirePose(std::string_view function, std::string_view argument, const Pose& pose) {
  requireFinite(function, argument, pose.position);
  if (!(std::abs(pose.rotation.norm() - 1) < 1e-3)) {
    throw InputError(
        fmt::format("{}: rotation of {} is no unit quaternion: normalize it", function, argument));
  }
  return {pose.position, pose.rotation.normalized()};
}

}  // namespace drystone
