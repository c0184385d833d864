#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/field_visitor.h"
#include "engine/observe/state_streams.h"

namespace drystone {

// What the lists of properties of bodies, joints and materials are walked with.

void walkOptional(auto& stream, auto& value, auto&& walk) {
  bool has = value.has_value();
  stream.value(has);
  if constexpr (std::remove_reference_t<decltype(stream)>::kReads) {
    if (has) value.emplace();
    if (!has) value.reset();
  }
  if (has) walk(*value);
}

void walkPose(auto& stream, auto& pose) {
  vector(stream, pose.position);
  auto&& rotation = pose.rotation.coeffs();
  vector(stream, rotation);
}

/// Walks the fields of a shape or material.
template <class Stream>
class FieldStream : public FieldVisitor {
 public:
  explicit FieldStream(Stream& stream) : stream_(stream) {}

  using FieldVisitor::part;
  void real(const SettingInfo&, Real& value, Real, Real) override { stream_.value(value); }
  void optional(const SettingInfo&, std::optional<Real>& value, Real, Real) override {
    walkOptional(stream_, value, [&](auto& one) { stream_.value(one); });
  }
  void integer(const SettingInfo&, int& value, int, int) override { stream_.value(value); }
  void boolean(const SettingInfo&, bool& value) override { stream_.value(value); }
  void choice(const SettingInfo&, int& value, std::span<const std::string_view>) override {
    stream_.value(value);
  }
  void vector(const SettingInfo&, Vec3& value, Real, Real) override {
    drystone::vector(stream_, value);
  }
  void part(const SettingInfo&, const VisitPart& visit) override { visit(*this, false); }

 private:
  Stream& stream_;
};

}  // namespace drystone
