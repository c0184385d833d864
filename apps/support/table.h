#pragma once

#include <string>
#include <vector>

namespace drystone::cli {

/// A text table: columns padded to their widest cell. `|` in cells is escaped in Markdown.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// One cell per column.
  void addRow(std::vector<std::string> cells);
  /// The table as Markdown, readable as it is: `| a | b |` with a rule below the titles.
  std::string markdown() const;
  /// The same with the widest cells shortened so that lines have at most `width` columns. Down to
  /// 12 of their own: narrower lines are left to wrap. The first column stays whole.
  std::string markdown(int width) const;
  /// Whole where stdout is no terminal, or where that is asked for; else as wide as the terminal.
  std::string markdownForReaders(bool isLong) const;
  /// Columns two blanks apart, indented.
  std::string plain(int indent) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns of the terminal that an open file is; 80 where it is none.
int terminalWidth(int file);
/// Columns that text takes on a terminal: code points, which is right for all that the program
/// prints itself (μ, λ, ×).
int displayWidth(const std::string& text);
/// The text, or its first words and `…` where it takes more columns than `width`.
std::string shortened(const std::string& text, int width);
std::string padded(const std::string& text, int width, Table::Align align = Table::Align::kLeft);

}  // namespace drystone::cli
