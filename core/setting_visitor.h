#pragma once

#include <span>
#include <string_view>

#include "core/types.h"

namespace drystone {

/// What a list of settings shows of one field.
struct SettingInfo {
  std::string_view name{};  ///< snake_case: the key in JSON and on the command line
  std::string_view unit{};  ///< "" when dimensionless
  std::string_view help{};  ///< one line
};

/// Receives the fields of a settings struct one by one. A range up to kUnlimited is shown open, and
/// the text `none` stands for that limit. Each solver lists its fields once, in
/// `visitSettings`; JSON, the command line, sliders and docs are all visitors.
class SettingVisitor {
 public:
  virtual ~SettingVisitor() = default;
  virtual void real(const SettingInfo& info, Real& value, Real low, Real high) = 0;
  virtual void integer(const SettingInfo& info, int& value, int low, int high) = 0;
  virtual void boolean(const SettingInfo& info, bool& value) = 0;
  /// `value` is an index into `names`.
  virtual void choice(const SettingInfo& info, int& value,
                      std::span<const std::string_view> names) = 0;

  /// An enum field whose enumerators count from 0 in the order of `names`.
  template <class Enum>
  void choice(const SettingInfo& info, Enum& value, std::span<const std::string_view> names) {
    int index = static_cast<int>(value);
    choice(info, index, names);
    value = static_cast<Enum>(index);
  }
};

}  // namespace drystone
