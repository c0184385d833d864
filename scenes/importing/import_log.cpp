#include "scenes/importing/import_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/input_error.h"

namespace drystone::importing {
namespace {

// A wrong file has one wrong line after another; more messages than these help nobody.
constexpr std::size_t kMostProblems = 50;

}  // namespace

void ImportLog::problem(int line, std::string_view what) {
  if (problems_.size() < kMostProblems) {
    problems_.push_back(fmt::format("{}:{}: {}", label_, line, what));
  }
}

void ImportLog::leftOut(int line, std::string_view what) { add(line, true, what); }
void ImportLog::note(int line, std::string_view what) { add(line, false, what); }

void ImportLog::add(int line, bool isLeftOut, std::string_view what) {
  const auto known = std::ranges::find_if(
      notes_, [&](const Note& note) { return note.isLeftOut == isLeftOut && note.text == what; });
  if (known == notes_.end()) {
    notes_.push_back({.line = line, .count = 1, .isLeftOut = isLeftOut, .text = std::string(what)});
    return;
  }
  ++known->count;
  known->line = std::min(known->line, line);
}

void ImportLog::throwProblems() const {
  if (!clean()) throw InputError(problems_);
}

std::vector<std::string> ImportLog::notes() const {
  std::vector<Note> sorted = notes_;
  std::ranges::stable_sort(sorted, {}, &Note::line);
  std::vector<std::string> lines;
  for (const Note& note : sorted) {
    const std::string count = note.count == 1 ? "" : fmt::format(" ({} times)", note.count);
    lines.push_back(fmt::format("{}:{}: {}{}{}", label_, note.line,
                                note.isLeftOut ? "left out: " : "", note.text, count));
  }
  return lines;
}

}  // namespace drystone::importing
