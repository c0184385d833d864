#include "solvers/driver/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/input_error.h"
#include "core/wording.h"
#include "solvers/driver/budget.h"
#include "solvers/driver/contact_solver.h"

namespace drystone {
namespace {

constexpr std::array<std::string_view, 3> kBudgetSettings = {"tolerance", "max_iterations",
                                                             "time_limit_s"};

std::string rangeText(Real low, Real high) {
  const bool openAbove = high >= kUnlimited;
  return openAbove ? fmt::format(">= {}", low) : fmt::format("{} to {}", low, high);
}

std::string choicesText(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

constexpr std::string_view kBooleanRange = "true, false";

class Describer : public SettingVisitor {
 public:
  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    add(info, rangeText(low, high), value);
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    add(info, rangeText(low, high), static_cast<std::int64_t>(value));
  }
  void boolean(const SettingInfo& info, bool& value) override {
    add(info, std::string(kBooleanRange), value);
  }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    add(info, choicesText(names), std::string(names[value]));
  }

  std::vector<SettingDescription> descriptions;

 private:
  void add(const SettingInfo& info, std::string range, SettingValue value) {
    descriptions.push_back({std::string(info.name), std::string(info.unit), std::string(info.help),
                            std::move(range), std::move(value)});
  }
};

template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Real> asReal(const SettingValue& value) {
  if (const auto* real = std::get_if<Real>(&value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<Real>(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) return parseNumber<Real>(*text);
  return std::nullopt;
}

/// A whole number; a real such as 1e3 counts when it is one.
std::optional<std::int64_t> asInteger(const SettingValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (const auto integer = parseNumber<std::int64_t>(*text)) return integer;
  }
  const std::optional<Real> real = asReal(value);
  if (!real || !(std::abs(*real) < 0x1p62) || std::trunc(*real) != *real) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

std::optional<bool> asBoolean(const SettingValue& value) {
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean;
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return std::nullopt;
  if (*text == "true" || *text == "on" || *text == "1") return true;
  if (*text == "false" || *text == "off" || *text == "0") return false;
  return std::nullopt;
}

std::string valueText(const SettingValue& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

/// Writes one field and remembers the names of all, for the message when there is no such field.
class Setter : public SettingVisitor {
 public:
  /// `owner` is whose the field is, for messages.
  Setter(std::string owner, std::string_view name, const SettingValue& value)
      : owner_(std::move(owner)), name_(name), value_(value) {}

  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    if (!matches(info)) return;
    const auto* text = std::get_if<std::string>(&value_);
    const bool none = text && *text == "none" && high >= kUnlimited;
    const std::optional<Real> real = none ? high : asReal(value_);
    if (!real || !(*real >= low && *real <= high)) fail("a number", rangeText(low, high), info);
    value = *real;
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    if (!matches(info)) return;
    const std::optional<std::int64_t> integer = asInteger(value_);
    if (!integer || !(*integer >= low && *integer <= high)) {
      fail("a whole number", rangeText(low, high), info);
    }
    value = static_cast<int>(*integer);
  }
  void boolean(const SettingInfo& info, bool& value) override {
    if (!matches(info)) return;
    const std::optional<bool> boolean = asBoolean(value_);
    if (!boolean) fail("one of", std::string(kBooleanRange), info);
    value = *boolean;
  }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    if (!matches(info)) return;
    const auto* text = std::get_if<std::string>(&value_);
    for (std::size_t i = 0; text && i < names.size(); ++i) {
      if (*text == names[i]) {
        value = static_cast<int>(i);
        return;
      }
    }
    fail("one of", choicesText(names), info);
  }

  bool hasFound() const { return found_; }
  void requireFound() const {
    if (found_) return;
    if (isBudgetSetting(name_)) {
      throw InputError(
          fmt::format("\"{0}\" is no setting of {1} but of the budget that every solver gets; set "
                      "\"solver.{0}\"",
                      name_, owner_));
    }
    std::vector<std::string> known = names_;
    known.insert(known.end(), kBudgetSettings.begin(), kBudgetSettings.end());
    if (names_.empty() && nearNames(name_, known).empty()) {
      throw InputError(fmt::format("{} has no settings, and so no \"{}\"", owner_, name_));
    }
    throw InputError(
        fmt::format("{} has no setting \"{}\"; {}", owner_, name_, didYouMean(name_, known)));
  }

 private:
  bool matches(const SettingInfo& info) {
    names_.emplace_back(info.name);
    if (info.name != name_) return false;
    found_ = true;
    return true;
  }
  [[noreturn]] void fail(std::string_view what, std::string_view range, const SettingInfo& info) {
    throw InputError(fmt::format("setting \"{}\" of {} must be {} {}{}{}, not {}", name_, owner_,
                                 what, range, info.unit.empty() ? "" : " ", info.unit,
                                 valueText(value_)));
  }

  std::string owner_;
  std::string_view name_;
  const SettingValue& value_;
  std::vector<std::string> names_;
  bool found_ = false;
};

}  // namespace

std::vector<SettingDescription> describeSettings(ContactSolver& solver) {
  Describer describer;
  solver.visitSettings(describer);
  return std::move(describer.descriptions);
}

void applySetting(ContactSolver& solver, std::string_view name, const SettingValue& value) {
  Setter setter(fmt::format("solver \"{}\"", solver.traits().name), name, value);
  solver.visitSettings(setter);
  setter.requireFound();
}

bool applySetting(Budget& budget, std::string_view name, const SettingValue& value) {
  Setter setter("the solver's budget", name, value);
  int iterations = budget.iterations.value_or(-1);
  setter.real({kBudgetSettings[0], "m/s", ""}, budget.tolerance, 0, kUnlimited);
  setter.integer({kBudgetSettings[1], "", ""}, iterations, 0, std::numeric_limits<int>::max());
  setter.real({kBudgetSettings[2], "s", ""}, budget.seconds, 0, kUnlimited);
  if (iterations >= 0) budget.iterations = iterations;
  return setter.hasFound();
}

bool isBudgetSetting(std::string_view name) {
  return std::find(kBudgetSettings.begin(), kBudgetSettings.end(), name) != kBudgetSettings.end();
}

}  // namespace drystone
