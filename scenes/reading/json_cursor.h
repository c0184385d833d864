#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/field_visitor.h"
#include "scenes/reading/read_log.h"

namespace drystone {

/// Values that a number may take. What is out of it is reported with the unit.
struct Range {
  Real low = -std::numeric_limits<Real>::infinity();
  Real high = std::numeric_limits<Real>::infinity();
  std::string_view unit;
};

constexpr Range within(Real low, Real high, std::string_view unit = "") {
  return {low, high, unit};
}
constexpr Range positive(std::string_view unit, Real high = kLargestInput) {
  return within(kSmallestPositiveInput, high, unit);
}
constexpr Range notNegative(std::string_view unit, Real high = kLargestInput) {
  return within(0, high, unit);
}
constexpr Range anyReal(std::string_view unit) {
  return within(-kLargestInput, kLargestInput, unit);
}

/// A value of a parsed JSON text that knows its place. Reading never throws: what does not fit is
/// added to the log, the output stays as it was, and the call returns false. Does not own the
/// value.
class JsonCursor {
 public:
  JsonCursor(const nlohmann::json& value, std::string pointer, ReadLog& log)
      : value_(&value), pointer_(std::move(pointer)), log_(&log) {}

  bool isObject() const;
  bool isArray() const;
  bool isString() const;
  bool isNumber() const;
  int size() const;  ///< of an array or object
  JsonCursor element(int index) const;
  /// None when there is no such key.
  std::optional<JsonCursor> member(std::string_view key) const;
  std::vector<std::string> keys() const;  ///< of an object, in the order of the alphabet

  bool real(Real& out, const Range& range) const;
  bool integer(int& out, int low, int high) const;
  /// 64 bits, unsigned: seeds and bit masks.
  bool natural(std::uint64_t& out, std::uint64_t high) const;
  bool boolean(bool& out) const;
  bool text(std::string& out) const;
  /// An index into `names`, which are listed when the text is none of them.
  bool choice(int& out, std::span<const std::string_view> names) const;
  bool vector(Vec3& out, const Range& range) const;
  /// Any number of reals between the two.
  bool reals(std::vector<Real>& out, int least, int most, const Range& range) const;
  /// [w, x, y, z], {"euler_deg": [x, y, z]} or {"axis": […], "angle" or "angle_deg": …}.
  bool orientation(Quat& out) const;

  /// Adds a problem with this value, and returns false. Does not where the value is a parameter's
  /// unknown name, which was reported already.
  bool error(std::string message) const;
  /// … with the key that the value stands under.
  bool keyError(std::string message) const;
  /// What the value is, for messages: `a string "abc"`.
  std::string describe() const;

  const nlohmann::json& json() const { return *value_; }
  const std::string& pointer() const { return pointer_; }
  ReadLog& log() const { return *log_; }

 private:
  const nlohmann::json* value_;
  std::string pointer_;
  ReadLog* log_;
};

}  // namespace drystone
