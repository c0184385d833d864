#pragma once

#include "core/field_visitor.h"
#include "core/hash.h"

namespace drystone {

/// Adds the value of every field that it visits.
class FieldHasher : public FieldVisitor {
 public:
  explicit FieldHasher(Hasher& hasher) : hasher_(hasher) {}

  using FieldVisitor::part;
  void real(const SettingInfo&, Real& value, Real, Real) override { hasher_.add(value); }
  void optional(const SettingInfo&, std::optional<Real>& value, Real, Real) override {
    hasher_.add(value.value_or(-1));
  }
  void integer(const SettingInfo&, int& value, int, int) override { hasher_.add(value); }
  void boolean(const SettingInfo&, bool& value) override { hasher_.add(value); }
  void choice(const SettingInfo&, int& value, std::span<const std::string_view>) override {
    hasher_.add(value);
  }
  void vector(const SettingInfo&, Vec3& value, Real, Real) override {
    hasher_.bytes(value.data(), 3 * sizeof(Real));
  }
  void part(const SettingInfo&, const VisitPart& visit) override { visit(*this, false); }

 private:
  Hasher& hasher_;
};

/// Adds all fields of an object. It is a copy, since visitors may write.
template <class Object>
void addFields(Hasher& hasher, Object object) {
  FieldHasher visitor(hasher);
  visitFields(object, visitor);
}

}  // namespace drystone
