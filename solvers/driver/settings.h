#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/setting_visitor.h"

namespace drystone {

using SettingValue = std::variant<bool, std::int64_t, Real, std::string>;

/// A field's description and value, as text and as data.
struct SettingDescription {
  std::string name{}, unit{}, help{}, range{};
  SettingValue value{};
};

/// A field and the value that it is to have.
struct SolverSetting {
  std::string name{};
  SettingValue value{};
};

class ContactSolver;
struct Budget;

/// All settings of a solver with their present values.
std::vector<SettingDescription> describeSettings(ContactSolver& solver);

/// Sets one field. Throws InputError that names the field, its range and near names. A string value
/// is parsed by the field's type, so command-line text can be passed as it is.
void applySetting(ContactSolver& solver, std::string_view name, const SettingValue& value);

/// Sets a field of the budget, called `tolerance`, `max_iterations` or `time_limit_s`, in the same
/// way. False: it has no field of this name.
bool applySetting(Budget& budget, std::string_view name, const SettingValue& value);
bool isBudgetSetting(std::string_view name);

}  // namespace drystone
