#pragma once

#include <functional>
#include <optional>

#include "core/setting_visitor.h"

namespace drystone {

/// Bounds far beyond any model, that keep squares and products of inputs, and their reciprocals,
/// finite.
constexpr Real kLargestInput = 1e15;
constexpr Real kSmallestPositiveInput = 1e-15;

/// Receives the fields of a part of a scene one by one, those of the parts inside it too. Each
/// part lists its fields once, in a function `visitFields(Part&, FieldVisitor&)`. The reader of
/// scenes, the check of ranges, the hash of a world, the schema and the tables of the docs are all
/// visitors. Both ends of a range belong to it.
class FieldVisitor : public SettingVisitor {
 public:
  using SettingVisitor::choice;
  /// A field that may be left without a value.
  virtual void optional(const SettingInfo& info, std::optional<Real>& value, Real low,
                        Real high) = 0;
  /// The range holds for each component.
  virtual void vector(const SettingInfo& info, Vec3& value, Real low, Real high) = 0;
  /// Calls `visit` for the fields of a part, or leaves it out. `isGiven` asks for the part as it is
  /// where a scene has an object for it.
  using VisitPart = std::function<void(FieldVisitor& visitor, bool isGiven)>;
  virtual void part(const SettingInfo& info, const VisitPart& visit) = 0;

  /// `given` is what an empty object stands for.
  template <class Part>
  void part(const SettingInfo& info, Part& value, const Part& given) {
    part(info, [&](FieldVisitor& visitor, bool isGiven) {
      if (isGiven) value = given;
      visitFields(value, visitor);
    });
  }
  void positive(const SettingInfo& info, Real& value, Real high = kLargestInput) {
    real(info, value, kSmallestPositiveInput, high);
  }
  void notNegative(const SettingInfo& info, Real& value) { real(info, value, 0, kLargestInput); }
};

}  // namespace drystone
