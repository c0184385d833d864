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
  /// Columns two blanks apart, indented.
  std::string plain(int indent) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that text takes on a terminal: code points, which is right for all that the program
/// prints itself (μ, λ, ×).
int displayWidth(const std::string& text);
std::string padded(const std::string& text, int width, Table::Align align = Table::Align::kLeft);

}  // namespace drystone::cli
