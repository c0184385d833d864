#include "scenes/reading/read_scene.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/input_error.h"
#include "core/json_text.h"
#include "core/text_file.h"
#include "scenes/reading/json_positions.h"

namespace drystone {

using nlohmann::json;

namespace {

/// More text than any scene, model or mesh needs.
constexpr std::uintmax_t kMaxFileBytes = 256u << 20;

[[noreturn]] void fail(std::string_view text, const std::string& label, std::size_t offset,
                       const std::string& message) {
  const TextPosition at = textPosition(text, offset);
  throw InputError(fmt::format("{}:{}:{} {}", label, at.line, at.column, message));
}

/// Says what is wrong in our words. `plain` has the text's offsets.
[[noreturn]] void failSyntax(std::string_view text, const std::string& plain,
                             const std::string& label, const json::parse_error& error) {
  if (const std::optional<JsonSlip> slip = findJsonSlip(plain)) {
    fail(text, label, slip->offset, slip->message);
  }
  // Only the bytes of texts are left, which the parser stops behind.
  const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
  fail(text, label, offset,
       "these bytes, or this \\u escape, are no Unicode: save the file as UTF-8");
}

/// A number beyond double range: the parser names it but not where it is.
[[noreturn]] void failOverflow(std::string_view text, const std::string& label,
                               const std::string& what) {
  const std::size_t first = what.find('\'');
  const std::size_t last = what.rfind('\'');
  const std::string number = what.substr(first + 1, last - first - 1);
  fail(text, label, text.find(number), fmt::format("the number {} is too large", number));
}

}  // namespace

std::string readTextFile(const std::string& path) {
  return readTextFile(
      path, {"scene file", kMaxFileBytes, "a generator makes many bodies from a few lines"});
}

json parseJsonText(std::string_view text, const std::string& label, ReadLog& log) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw InputError(fmt::format("{}: is empty", label));
  }
  const std::string plain = plainJson(text);
  if (const auto deep = findDeepNesting(plain, kMaxNesting)) {
    fail(text, label, *deep, fmt::format("nested deeper than {} levels", kMaxNesting));
  }
  json root;
  try {
    root = json::parse(plain);
  } catch (const json::parse_error& error) {
    failSyntax(text, plain, label, error);
  } catch (const json::out_of_range& error) {
    failOverflow(text, label, error.what());
  }
  for (DuplicateKey& twice : scanJson(text, {}).duplicates) {
    log.problems.push_back({.pointer = std::move(twice.pointer),
                            .atKey = true,
                            .message = "the object has this key already",
                            .offset = twice.offset});
  }
  return root;
}

json parseValueText(const std::string& text) {
  if (findDeepNesting(text, kMaxNesting)) return text;
  json value = json::parse(text, nullptr, false);
  return value.is_discarded() ? json(text) : value;
}

}  // namespace drystone
