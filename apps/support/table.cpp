#include "apps/support/table.h"

#include <algorithm>

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

int displayWidth(const std::string& text) {
  // UTF-8 continuation bytes are 10xxxxxx and take no column of their own.
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
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
