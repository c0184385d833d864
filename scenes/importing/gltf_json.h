#pragma once

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/reading/json_cursor.h"
#include "scenes/reading/read_log.h"

namespace drystone::importing {

/// The JSON of a glTF file. What is wrong is thrown as InputError with its place, the first alone:
/// `FILE:line:column /pointer: what`. `text` must outlive it.
class GltfJson {
 public:
  GltfJson(std::string_view text, std::string path);
  GltfJson(const GltfJson&) = delete;  // values point into it
  GltfJson& operator=(const GltfJson&) = delete;

  const std::string& path() const { return path_; }
  JsonCursor root() { return {root_, "", log_}; }
  [[noreturn]] void fail(const JsonCursor& at, const std::string& what);

  JsonCursor required(const JsonCursor& object, std::string_view key);
  /// A member that is a whole number from `low` to `high`; `otherwise` where there is none.
  int whole(const JsonCursor& object, std::string_view key, int otherwise, int low = 0,
            int high = std::numeric_limits<int>::max());
  std::string text(const JsonCursor& value);
  /// The `count` numbers of a member; none where there is no such member.
  std::optional<std::vector<Real>> reals(const JsonCursor& object, std::string_view key, int count);
  /// Hands over the entries of a member, which must be a list; none where there is no such member.
  void forEach(const JsonCursor& object, std::string_view key,
               const std::function<void(const JsonCursor&)>& use);
  /// The entry of a list of the root, such as "nodes", that an index points to.
  JsonCursor target(const JsonCursor& index, std::string_view list);

 private:
  /// Throws what was added to the log, if anything was.
  void check() const;

  std::string_view text_;
  std::string path_;
  ReadLog log_;
  nlohmann::json root_;
};

}  // namespace drystone::importing
