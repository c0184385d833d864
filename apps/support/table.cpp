#include "apps/support/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace drystone::cli {
namespace {

std::string escapedForMarkdown(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

}  // namespace

int terminalWidth(int file) {
  winsize size = {};
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int displayWidth(const std::string& text) {
  // UTF-8 continuation bytes are 10xxxxxx and take no column of their own.
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

std::string shortened(const std::string& text, int width) {
  if (displayWidth(text) <= width) return text;
  std::size_t end = 0, endOfWords = 0;
  for (int columns = 0; columns < width - 1; ++columns) {
    if (text[end] == ' ') endOfWords = end;
    do ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
  }
  if (text[end] == ' ' || endOfWords == 0) endOfWords = end;  // or within the only word
  return text.substr(0, endOfWords) + "…";
}

std::string padded(const std::string& text, int width, Table::Align align) {
  const std::string fill(static_cast<std::size_t>(std::max(0, width - displayWidth(text))), ' ');
  return align == Table::Align::kLeft ? text + fill : fill + text;
}

void Table::addRow(std::vector<std::string> cells) {
  DRYSTONE_ASSERT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::markdown() const {
  std::vector<std::vector<std::string>> cells(1);
  for (const Column& column : columns_) cells[0].push_back(escapedForMarkdown(column.title));
  for (const auto& row : rows_) {
    cells.emplace_back();
    for (const std::string& cell : row) cells.back().push_back(escapedForMarkdown(cell));
  }
  std::vector<int> widths(columns_.size(), 3);
  for (const auto& row : cells) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], displayWidth(row[c]));
  }
  std::string text;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      text += "| " + padded(cells[r][c], widths[c], columns_[c].align) + " ";
    }
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const bool right = columns_[c].align == Align::kRight;
      text += "|" + std::string(static_cast<std::size_t>(widths[c] + 1), '-') + (right ? ":" : "-");
    }
    text += "|\n";
  }
  return text;
}

std::string Table::markdown(int width) const {
  constexpr int kLeast = 12, kFrame = 3;  // columns of a cell, and of the bars and blanks of one
  std::vector<int> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(std::max(3, displayWidth(columns_[c].title)));
    for (const auto& row : rows_) {
      widths[c] = std::max(widths[c], displayWidth(escapedForMarkdown(row[c])));
    }
  }
  int most = *std::ranges::max_element(widths);
  const auto lineWidth = [&] {
    int sum = 1 + kFrame * static_cast<int>(widths.size()) + widths[0];
    for (std::size_t c = 1; c < widths.size(); ++c) sum += std::min(widths[c], most);
    return sum;
  };
  while (most > kLeast && lineWidth() > width) --most;
  Table narrow(columns_);
  for (std::vector<std::string> row : rows_) {
    for (std::size_t c = 1; c < row.size(); ++c) row[c] = shortened(row[c], most);
    narrow.addRow(std::move(row));
  }
  return narrow.markdown();
}

std::string Table::markdownForReaders(bool isLong) const {
  const bool isCut = !isLong && isatty(STDOUT_FILENO) != 0;
  return isCut ? markdown(terminalWidth(STDOUT_FILENO)) : markdown();
}

std::string Table::plain(int indent) const {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns_) lines[0].push_back(column.title);
  lines.insert(lines.end(), rows_.begin(), rows_.end());
  std::vector<int> widths(columns_.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) {
      widths[c] = std::max(widths[c], displayWidth(line[c]));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    std::string row(static_cast<std::size_t>(indent), ' ');
    for (std::size_t c = 0; c < line.size(); ++c) {
      row += (c > 0 ? "  " : "") + padded(line[c], widths[c], columns_[c].align);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

}  // namespace drystone::cli
