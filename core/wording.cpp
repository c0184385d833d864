#include "core/wording.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace drystone {
namespace {

std::string normalised(std::string_view name) {
  std::string text;
  for (const char c : name) {
    text += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

/// Whether a name, as normalised, has the part at the start of one of its words: `max-iterations`
/// has `iter`, and `ratio` only by chance.
bool hasWord(const std::string& name, const std::string& part) {
  return name.starts_with(part) || name.find("-" + part) != std::string::npos;
}

/// Edit distance with swaps of neighbours (optimal string alignment).
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    beforeLast.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> nearNames(std::string_view name, std::span<const std::string> names) {
  constexpr std::size_t kMaxSuggestions = 3;
  struct Candidate {
    std::size_t distance;
    std::size_t index;
  };
  const std::string asked = normalised(name);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string known = normalised(names[i]);
    const std::size_t distance = editDistance(asked, known);
    const bool inside =
        asked.size() >= 3 && known.size() >= 3 && (hasWord(known, asked) || hasWord(asked, known));
    // One edit in three letters still reads as a slip of the keyboard.
    const std::size_t limit = std::max<std::size_t>(1, std::max(asked.size(), known.size()) / 3);
    if (distance <= limit || inside) candidates.push_back({distance, i});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  if (candidates.size() > kMaxSuggestions) candidates.resize(kMaxSuggestions);
  std::vector<std::string> near;
  for (const Candidate& candidate : candidates) near.push_back(names[candidate.index]);
  return near;
}

std::string didYouMean(std::string_view name, std::span<const std::string> names) {
  const std::vector<std::string> near = nearNames(name, names);
  std::string text;
  if (names.empty()) return "there are none";
  if (near.empty()) {
    for (const std::string& known : names) text += (text.empty() ? "" : ", ") + known;
    return "known names: " + text;
  }
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += '"' + near[i] + '"';
  }
  return "did you mean " + text + "?";
}

std::optional<double> quotientIn(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view part, double& value) {
    const char* last = part.data() + part.size();
    const auto [end, error] = std::from_chars(part.data(), last, value);
    return error == std::errc() && end == last;
  };
  double above = 0, below = 0;
  if (!number(text.substr(0, slash), above)) return std::nullopt;
  if (!number(text.substr(slash + 1), below) || below == 0) return std::nullopt;
  return above / below;
}

}  // namespace drystone
