#include "scenes/importing/gltf_json.h"

#include <fmt/format.h>

#include <utility>

#include "core/input_error.h"
#include "scenes/reading/read_scene.h"

namespace drystone::importing {

GltfJson::GltfJson(std::string_view text, std::string path)
    : text_(text), path_(std::move(path)), root_(parseJsonText(text, path_, log_)) {
  check();
  if (!root_.is_object()) fail(root(), "is no glTF: the file must hold an object");
}

void GltfJson::check() const { throwProblems(log_, text_, path_); }

void GltfJson::fail(const JsonCursor& at, const std::string& what) {
  at.error(what);
  throw InputError(placedMessages(log_.problems, log_, text_, path_));
}

JsonCursor GltfJson::required(const JsonCursor& object, std::string_view key) {
  if (const auto value = object.member(key)) return *value;
  fail(object, fmt::format("needs \"{}\"; export the mesh anew", key));
}

int GltfJson::whole(const JsonCursor& object, std::string_view key, int otherwise, int low,
                    int high) {
  int number = otherwise;
  if (const auto value = object.member(key)) value->integer(number, low, high);
  check();
  return number;
}

std::string GltfJson::text(const JsonCursor& value) {
  if (!value.isString()) fail(value, fmt::format("must be text, got {}", value.describe()));
  return value.json().get<std::string>();
}

std::optional<std::vector<Real>> GltfJson::reals(const JsonCursor& object, std::string_view key,
                                                 int count) {
  const auto value = object.member(key);
  if (!value) return std::nullopt;
  std::vector<Real> numbers;
  value->reals(numbers, count, count, anyReal(""));
  check();
  return numbers;
}

void GltfJson::forEach(const JsonCursor& object, std::string_view key,
                       const std::function<void(const JsonCursor&)>& use) {
  const auto value = object.member(key);
  if (!value) return;
  if (!value->isArray()) fail(*value, fmt::format("must be a list, got {}", value->describe()));
  for (int i = 0; i < value->size(); ++i) use(value->element(i));
}

JsonCursor GltfJson::target(const JsonCursor& index, std::string_view list) {
  int at = 0;
  index.integer(at, 0, std::numeric_limits<int>::max());
  check();
  const auto entries = root().member(list);
  const int count = entries && entries->isArray() ? entries->size() : 0;
  if (at < count) return entries->element(at);
  fail(index, fmt::format("there is no entry {} in \"{}\", which has {}", at, list, count));
}

}  // namespace drystone::importing
