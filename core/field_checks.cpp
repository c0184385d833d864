#include "core/field_checks.h"

#include <fmt/format.h>

namespace drystone {

std::string rangeProblem(Real value, Real low, Real high, std::string_view unit) {
  const bool isAbove = value > high;
  if (value >= low && !isAbove) return "";
  return fmt::format("must be {} {:.10g}{}{}, got {}", isAbove ? "≤" : "≥", isAbove ? high : low,
                     unit.empty() ? "" : " ", unit, value);
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
