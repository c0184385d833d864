#include "scenes/importing/import_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/input_error.h"

namespace drystone::importing {
namespace {

// A wrong file has one wrong line after another; more messages than these help nobody.
constexpr std::size_t kMostProblems = 50;

}  // namespace

int ImportLog::addFile(std::string label, std::string_view text) {
  files_.push_back({lines_, std::move(label)});
  // One more than it has: a parser may see an error behind the last line.
  lines_ += 2 + static_cast<int>(std::ranges::count(text, '\n'));
  return files_.back().linesBefore;
}

std::string ImportLog::place(int line) const {
  const auto after = std::ranges::find_if(
      files_, [&](const File& file) { return file.linesBefore > 0 && file.linesBefore >= line; });
  const File& file = *std::prev(after);
  return fmt::format("{}:{}", file.label, line - file.linesBefore);
}

void ImportLog::problem(int line, std::string_view what) {
  std::string problem = fmt::format("{}: {}", place(line), what);
  // Elements are read more than once where others need them first.
  if (std::ranges::find(problems_, problem) != problems_.end()) return;
  if (problems_.size() < kMostProblems) problems_.push_back(std::move(problem));
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
    lines.push_back(fmt::format("{}: {}{}{}", place(note.line), note.isLeftOut ? "left out: " : "",
                                note.text, count));
  }
  return lines;
}

}  // namespace drystone::importing
