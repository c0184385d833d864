#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/sweep/sweep_table.h"
#include "core/input_error.h"
#include "core/types.h"
#include "engine/recording/recording_hdf5.h"

namespace drystone::cli {
namespace {

using detail::ArrayFileReader;
using detail::ArrayFileWriter;
using detail::ArraySpec;
using detail::NumberType;

constexpr const char* kRowsPath = "rows";
constexpr const char* kStudyPath = "study";
constexpr std::size_t kStatusBytes = 8;  ///< of the longest, "diverged"

/// Texts by what they mean, whatever they look like: a hash may be all digits.
constexpr std::array<std::string_view, 4> kTextColumns = {kStatusColumn, "hash", kMessageColumn,
                                                          kStudyColumn};

std::optional<Real> numberIn(const std::string& text) {
  if (text.empty()) return std::numeric_limits<Real>::quiet_NaN();
  Real number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end) return std::nullopt;
  return number;
}

/// A column with its texts, one a run.
struct Column {
  std::string title;
  std::vector<std::string> cells;
  std::vector<Real> numbers;  ///< empty: it is of texts

  bool isRun() const { return title == kRunColumn; }
  int width() const {
    std::size_t longest = kStatusBytes;
    for (const std::string& cell : cells) longest = std::max(longest, cell.size());
    return static_cast<int>(longest);
  }
  ArraySpec spec() const {
    std::string name = title;
    std::ranges::replace(name, '/', '_');
    const bool isText = numbers.empty();
    return {.path = "columns/" + name,
            .type = isRun()  ? NumberType::kLong
                    : isText ? NumberType::kByte
                             : NumberType::kReal,
            .width = isText && !isRun() ? width() : 1,
            .unit = ""};
  }
};

std::vector<Column> columnsOf(const SweepTable& table) {
  std::vector<Column> columns;
  for (std::string& title : csvFields(table.header)) columns.push_back({std::move(title), {}, {}});
  for (const auto& [run, line] : table.rows) {
    std::vector<std::string> fields = csvFields(line);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].cells.push_back(std::move(fields[i]));
    }
  }
  for (Column& column : columns) {
    if (std::ranges::find(kTextColumns, column.title) != kTextColumns.end()) continue;
    for (const std::string& cell : column.cells) {
      const std::optional<Real> number = numberIn(cell);
      if (!number) {
        column.numbers.clear();
        break;
      }
      column.numbers.push_back(*number);
    }
  }
  return columns;
}

void append(const Column& column, int array, ArrayFileWriter& file) {
  const std::size_t count = column.cells.size();
  if (column.isRun()) {
    std::vector<std::int64_t> runs;
    for (const Real number : column.numbers) runs.push_back(static_cast<std::int64_t>(number));
    file.append(array, runs.data(), count);
  } else if (!column.numbers.empty()) {
    file.append(array, column.numbers.data(), count);
  } else {
    const auto width = static_cast<std::size_t>(column.width());
    std::vector<char> bytes(width * count, '\0');
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::copy(column.cells[i], bytes.begin() + static_cast<std::ptrdiff_t>(i * width));
    }
    file.append(array, bytes.data(), count);
  }
}

}  // namespace

void writeSweepHdf5(const std::string& path, const SweepTable& table) {
  const std::vector<Column> columns = columnsOf(table);
  std::vector<int> arrays;
  ArrayFileWriter file(path);
  file.text(kStudyPath, table.study);
  for (const Column& column : columns) arrays.push_back(file.addArray(column.spec()));
  file.start(kRowsPath);
  for (std::size_t i = 0; i < columns.size(); ++i) append(columns[i], arrays[i], file);
  file.flush(table.rows.size());
  file.close();
}

SweepContent readSweepHdf5(const std::string& path) {
  ArrayFileReader file(path);
  if (!file.has(kStudyPath) || !file.has(kRowsPath) || !file.has("columns/run")) {
    throw InputError(path + ": is no table that `drystone sweep` wrote");
  }
  SweepContent content{.study = file.text(kStudyPath), .runs = {}, .statuses = {}};
  const ArraySpec runColumn{.path = "columns/run", .type = NumberType::kLong};
  const auto count = static_cast<std::size_t>(file.rows(runColumn));
  std::vector<std::int64_t> runs(count);
  file.read(runColumn, 0, static_cast<std::int64_t>(count), runs.data());
  content.runs.insert(runs.begin(), runs.end());
  const ArraySpec statusColumn{
      .path = "columns/status", .type = NumberType::kByte, .width = kStatusBytes};
  std::vector<char> bytes(count * kStatusBytes);
  file.read(statusColumn, 0, static_cast<std::int64_t>(count), bytes.data());
  for (std::size_t i = 0; i < count; ++i) {
    const char* text = bytes.data() + i * kStatusBytes;
    content.statuses.emplace_back(text, strnlen(text, kStatusBytes));
  }
  return content;
}

}  // namespace drystone::cli
