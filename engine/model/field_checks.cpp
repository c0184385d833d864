#include "engine/model/field_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "core/input_error.h"

namespace drystone {

std::string rangeProblem(Real value, Real low, Real high, std::string_view unit) {
  const bool isAbove = value > high;
  if (value >= low && !isAbove) return "";
  return fmt::format("must be {} {:.10g}{}{}, got {}", isAbove ? "≤" : "≥", isAbove ? high : low,
                     unit.empty() ? "" : " ", unit, value);
}

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

void FieldChecker::check(const SettingInfo& info, Real value, Real low, Real high) {
  const std::string problem = rangeProblem(value, low, high, info.unit);
  if (!problem.empty()) problems_.push_back(fmt::format("{}{} {}", prefix_, info.name, problem));
}

void FieldChecker::real(const SettingInfo& info, Real& value, Real low, Real high) {
  check(info, value, low, high);
}

void FieldChecker::optional(const SettingInfo& info, std::optional<Real>& value, Real low,
                            Real high) {
  if (value) check(info, *value, low, high);
}

void FieldChecker::integer(const SettingInfo& info, int& value, int low, int high) {
  check(info, value, low, high);
}

void FieldChecker::choice(const SettingInfo& info, int& value,
                          std::span<const std::string_view> names) {
  check(info, value, 0, static_cast<Real>(names.size()) - 1);
}

void FieldChecker::vector(const SettingInfo& info, Vec3& value, Real low, Real high) {
  for (const Real component : value) check(info, component, low, high);
}

void FieldChecker::part(const SettingInfo& info, const VisitPart& visit) {
  FieldChecker inner(fmt::format("{}{}.", prefix_, info.name), problems_);
  visit(inner, false);
}

}  // namespace drystone
