#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/file/problem_file_detail.h"

/// JSON as the reader of problem files sees it: every fault is an entry with its place.
namespace drystone::detail {

/// The document of a text, which may have comments and commas before closing brackets. What is no
/// JSON fails with line:column.
nlohmann::json parseProblemText(const std::string& text, FileErrors& errors);

/// Typed access to the members of one JSON object; what is missing or of a wrong type becomes an
/// error with its JSON pointer, and reading goes on with a harmless value.
class JsonObjectReader {
 public:
  /// `object` and `errors` must outlive the reader.
  JsonObjectReader(const nlohmann::json& object, std::string place, FileErrors& errors);

  std::string at(std::string_view key) const;
  const std::string& place() const { return place_; }

  /// Null: the object has no such member, or null in its place.
  const nlohmann::json* find(const char* key, bool required);

  std::string text(const char* key, bool required);
  Real real(const char* key, bool required, Real fallback);
  int integer(const char* key, bool required, int fallback);
  std::uint64_t key(const char* name, std::uint64_t fallback);

  /// Array of numbers; null counts as `nullValue` where one is given.
  std::vector<Real> reals(const char* name, bool required, std::optional<Real> nullValue = {});
  std::vector<int> integers(const char* name, bool required);

  /// Exactly `size` numbers, or zeros with an error.
  template <class Values>
  void fixed(const char* name, bool required, Values& out) {
    if (find(name, required) == nullptr) return;
    const std::vector<Real> values = reals(name, required);
    if (checkSize(name, values.size(), static_cast<std::size_t>(out.size()))) {
      std::copy(values.begin(), values.end(), out.data());
    }
  }

  const nlohmann::json* arrayOf(const char* name, bool required);

  /// Call when all is read: a member that nothing asked for is a mistake, most likely a misspelt
  /// one.
  void refuseOthers();

  FileErrors& errors() { return errors_; }

 private:
  bool checkSize(const char* name, std::size_t size, std::size_t expected);

  const nlohmann::json& object_;
  std::string place_;
  FileErrors& errors_;
  std::vector<std::string> known_;
};

}  // namespace drystone::detail
