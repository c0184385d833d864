#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drystone {

// Words of messages.

/// A count with its noun: "1 step", "3 steps". `plural` where an s does not make it.
inline std::string counted(std::int64_t count, std::string_view noun,
                           std::string_view plural = "") {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(noun);
  return plural.empty() ? text.append(noun).append("s") : text.append(plural);
}

/// Names that a mistyped name may have meant: at most three, closest first, ties in the given
/// order. Close means few edits (insert, delete, replace, swap of neighbours; case and the choice
/// of '-' or '_' do not count) or one name inside the other, from the start of a word.
std::vector<std::string> nearNames(std::string_view name, std::span<const std::string> names);

/// What a text is worth that has two numbers and a slash between them, as "1/60": none of our
/// formats computes, and a message can say what to write.
std::optional<double> quotientIn(std::string_view text);

/// `did you mean "a" or "b"?`, or, when nothing is near, `known names: a, b, c`; without names,
/// `there are none`.
std::string didYouMean(std::string_view name, std::span<const std::string> names);

}  // namespace drystone
