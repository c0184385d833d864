#include "core/field_checks.h"

#include <array>
#include <charconv>
#include <cmath>

namespace drystone {
namespace {

/// The shortest text that reads back as the same number.
std::string numberText(Real value) {
  const Real size = std::abs(value);
  const bool isPlain = size == 0 || (size >= 1e-4 && size < 1e16);
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value,
                    isPlain ? std::chars_format::fixed : std::chars_format::scientific);
  return {text.data(), end.ptr};
}

std::string boundText(Real bound) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), bound, std::chars_format::general, 10);
  return {text.data(), end.ptr};
}

}  // namespace

std::string rangeProblem(Real value, Real low, Real high, std::string_view unit) {
  const bool isAbove = value > high;
  if (value >= low && !isAbove) return "";
  const std::string bound = isAbove ? "≤ " + boundText(high) : "≥ " + boundText(low);
  const std::string inUnit = unit.empty() ? "" : " " + std::string(unit);
  return "must be " + bound + inUnit + ", got " + numberText(value);
}

void FieldChecker::check(const SettingInfo& info, Real value, Real low, Real high) {
  const std::string problem = rangeProblem(value, low, high, info.unit);
  if (!problem.empty()) problems_.push_back(prefix_ + std::string(info.name) + " " + problem);
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
  FieldChecker inner(prefix_ + std::string(info.name) + ".", problems_);
  visit(inner, false);
}

}  // namespace drystone
