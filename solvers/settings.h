#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/types.h"

namespace drystone {

/// What a list of settings shows of one field.
struct SettingInfo {
  std::string_view name;  ///< snake_case: the key in JSON and on the command line
  std::string_view unit;  ///< "" when dimensionless
  std::string_view help;  ///< one line
};

/// From here on an upper limit is none: ranges are shown open, and the text `none` stands for it.
constexpr Real kUnlimited = 1e9;

/// Receives the fields of a settings struct one by one. Each solver lists its fields once, in
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

using SettingValue = std::variant<bool, std::int64_t, Real, std::string>;

/// A field's description and value, as text and as data.
struct SettingDescription {
  std::string name, unit, help, range;
  SettingValue value;
};

class ContactSolver;

/// All settings of a solver with their present values.
std::vector<SettingDescription> describeSettings(ContactSolver& solver);

/// Sets one field. Throws InputError that names the field, its range and near names. A string value
/// is parsed by the field's type, so command-line text can be passed as it is.
void applySetting(ContactSolver& solver, std::string_view name, const SettingValue& value);

}  // namespace drystone
