#include "scenes/reading/read_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/input_error.h"
#include "core/wording.h"
#include "scenes/reading/json_positions.h"

namespace drystone {
namespace {

constexpr std::size_t kMaxReported = 1000;

/// Place of a problem in the text; what an override brought in has the place of the nearest
/// enclosing value that the text does have.
std::size_t offsetOf(const LoggedProblem& problem, const JsonScan& scan) {
  if (problem.offset) return *problem.offset;
  for (std::string pointer = problem.pointer;; pointer.resize(pointer.rfind('/'))) {
    if (const auto place = scan.places.find(pointer); place != scan.places.end()) {
      return problem.atKey && pointer == problem.pointer ? place->second.key : place->second.value;
    }
    if (pointer.empty()) return 0;
  }
}

/// The override that the problem's value, or one that holds it, came from; empty: the text.
std::string sourceOf(const LoggedProblem& problem, const ReadLog& log) {
  if (!problem.source.empty() || log.overridden.empty()) return problem.source;
  for (std::string pointer = problem.pointer;; pointer.resize(pointer.rfind('/'))) {
    if (const auto found = log.overridden.find(pointer); found != log.overridden.end()) {
      return found->second;
    }
    if (pointer.empty()) return "";
  }
}

std::set<std::string, std::less<>> pointersAndParents(const std::vector<LoggedProblem>& problems) {
  std::set<std::string, std::less<>> wanted;
  for (const LoggedProblem& problem : problems) {
    for (std::string pointer = problem.pointer;; pointer.resize(pointer.rfind('/'))) {
      if (!wanted.insert(pointer).second || pointer.empty()) break;
    }
  }
  return wanted;
}

}  // namespace

std::vector<std::string> placedMessages(const std::vector<LoggedProblem>& problems,
                                        const ReadLog& log, std::string_view text,
                                        const std::string& label) {
  if (problems.empty()) return {};
  const JsonScan scan = scanJson(text, pointersAndParents(problems));
  std::vector<std::pair<std::size_t, const LoggedProblem*>> ordered;
  for (const LoggedProblem& problem : problems)
    ordered.emplace_back(offsetOf(problem, scan), &problem);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<std::string> messages;
  for (const auto& [offset, problem] : ordered) {
    if (messages.size() == kMaxReported) {
      messages.push_back(fmt::format("{}: and {} more", label, ordered.size() - kMaxReported));
      break;
    }
    const std::string pointer = problem->pointer.empty() ? "/" : problem->pointer;
    const auto parameter = log.fromParameter.find(problem->pointer);
    // A wrong key is wrong whatever its value came from.
    const bool named = parameter != log.fromParameter.end() && !problem->atKey;
    const std::string suffix = named ? " (" + parameter->second + ")" : "";
    std::string place = sourceOf(*problem, log);
    if (place.empty()) {
      const TextPosition position = textPosition(text, offset);
      place = fmt::format("{}:{}:{}", label, position.line, position.column);
    } else {
      place = fmt::format("{}: {}", label, place);
    }
    messages.push_back(fmt::format("{} {}: {}{}", place, pointer, problem->message, suffix));
  }
  return messages;
}

void warnOfFirst(std::vector<LoggedProblem> found, ReadLog& log) {
  std::set<std::string> places;
  std::erase_if(found,
                [&](const LoggedProblem& one) { return !places.insert(one.pointer).second; });
  if (found.size() > kMostWarningsOfAKind) {
    found[kMostWarningsOfAKind].message =
        fmt::format("and {} more like it", found.size() - kMostWarningsOfAKind);
    found.resize(kMostWarningsOfAKind + 1);
  }
  std::ranges::move(found, std::back_inserter(log.warnings));
}

void throwProblems(const ReadLog& log, std::string_view text, const std::string& label) {
  if (!log.clean()) throw InputError(placedMessages(log.problems, log, text, label));
}

std::string missingName(std::string_view kind, std::string_view name,
                        std::vector<std::string> names) {
  // Few, since a list of thousands helps nobody.
  constexpr std::size_t kListed = 1000;
  const std::string start = fmt::format("there is no {} \"{}\"", kind, name);
  if (names.empty()) return start + ": the scene has none";
  if (names.size() > kListed) {
    return fmt::format("{} among the {} of the scene", start, names.size());
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}; {}", start, didYouMean(name, names));
}

}  // namespace drystone
