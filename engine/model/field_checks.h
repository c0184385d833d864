#pragma once

#include <string>
#include <vector>

#include "core/field_visitor.h"

namespace drystone {

/// What is wrong with a value out of its range, `must be ≥ 0 s, got -1`. It is empty when the value
/// lies in the range, where NaN never does.
std::string rangeProblem(Real value, Real low, Real high, std::string_view unit);

/// What is wrong with an id that names nothing in a store of `slots`: `body 7 does not exist: it
/// was removed`.
std::string missingProblem(std::string_view what, int index, int slots);

/// Throw InputError for an argument of a public function: `applyForceAt: point is not finite`.
void requireFinite(std::string_view function, std::string_view argument, const Vec3& value);
void requireFinite(std::string_view function, std::string_view argument, Real value);
/// The pose with its rotation made unit; throws where it is not unit within 0.001.
Pose requirePose(std::string_view function, std::string_view argument, const Pose& pose);

/// Adds every field that is out of its range to `problems`, the name of its part and `subject`
/// before its own: `world settings: sleeping.time must be ≥ 0 s, got -1`.
class FieldChecker : public FieldVisitor {
 public:
  FieldChecker(std::string prefix, std::vector<std::string>& problems)
      : prefix_(std::move(prefix)), problems_(problems) {}

  using FieldVisitor::part;
  void real(const SettingInfo& info, Real& value, Real low, Real high) override;
  void optional(const SettingInfo& info, std::optional<Real>& value, Real low, Real high) override;
  void integer(const SettingInfo& info, int& value, int low, int high) override;
  void boolean(const SettingInfo&, bool&) override {}
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override;
  void vector(const SettingInfo& info, Vec3& value, Real low, Real high) override;
  void part(const SettingInfo& info, const VisitPart& visit) override;

 private:
  void check(const SettingInfo& info, Real value, Real low, Real high);

  std::string prefix_;
  std::vector<std::string>& problems_;
};

/// The fields of `object` that are out of their range. It is a copy, since visitors may write.
template <class Object>
std::vector<std::string> fieldProblems(std::string_view subject, Object object) {
  std::vector<std::string> problems;
  FieldChecker checker(std::string(subject) + ": ", problems);
  visitFields(object, checker);
  return problems;
}

}  // namespace drystone
