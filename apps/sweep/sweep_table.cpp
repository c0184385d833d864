#include "apps/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

#include "apps/support/program.h"
#include "core/input_error.h"

namespace drystone::cli {
namespace fs = std::filesystem;
namespace {

std::optional<std::int64_t> wholeNumberIn(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end || number < 1) return std::nullopt;
  return number;
}

bool isHdf5(const fs::path& path) {
  return path.extension() == ".h5" || path.extension() == ".hdf5";
}

/// Adds the row of a line; throws InputError, `place` first, where it is none of the table.
void addRow(const std::string& line, std::size_t columns, const std::string& place,
            SweepTable& table) {
  const std::vector<std::string> fields = csvFields(line);
  const auto fail = [&](const std::string& what) { throw InputError(place + ": " + what); };
  if (fields.size() != columns) {
    fail(fmt::format("has {} fields and not {}: the file is damaged", fields.size(), columns));
  }
  const auto run = wholeNumberIn(fields.front());
  const auto runs = wholeNumberIn(fields[columns - 2]);
  const std::string& study = fields.back();
  if (!run || !runs || *run > *runs) fail("has no number of a run: the file is damaged");
  if (table.rows.empty()) {
    table.study = study;
    table.runs = *runs;
  }
  if (study != table.study || *runs != table.runs) fail("is of another study than those before");
  if (!table.rows.emplace(*run, line).second) fail(fmt::format("run {} is there already", *run));
}

}  // namespace

std::vector<std::string> csvFields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool isQuoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      // Two of them inside quotes are one.
      if (isQuoted && i + 1 < line.size() && line[i + 1] == '"') {
        fields.back() += line[++i];
      } else {
        isQuoted = !isQuoted;
      }
    } else if (c == ',' && !isQuoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

SweepTable readSweepTable(const fs::path& path, std::uintmax_t* wholeBytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be opened for reading", path.string()));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  SweepTable table;
  std::vector<std::string> titles;
  std::size_t begin = 0;
  for (int number = 1;; ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::string place = fmt::format("{}:{}", path.string(), number);
    if (number > 1) {
      addRow(line, titles.size(), place, table);
      continue;
    }
    titles = csvFields(line);
    const bool isOurs = titles.size() > 3 && titles.front() == kRunColumn &&
                        titles[titles.size() - 2] == kRunsColumn && titles.back() == kStudyColumn;
    if (!isOurs) throw InputError(place + ": is no table that `drystone sweep` wrote");
    table.header = line;
  }
  if (wholeBytes != nullptr) *wholeBytes = begin;
  return table;
}

SweepContent readSweepContent(const fs::path& path) {
  if (isHdf5(path)) return readSweepHdf5(path.string());
  const SweepTable table = readSweepTable(path);
  const std::vector<std::string> titles = csvFields(table.header);
  const auto status = std::ranges::find(titles, kStatusColumn);
  SweepContent content{.study = table.study, .runs = {}, .statuses = {}};
  for (const auto& [run, line] : table.rows) {
    content.runs.insert(run);
    if (status == titles.end()) continue;
    content.statuses.push_back(csvFields(line)[static_cast<std::size_t>(status - titles.begin())]);
  }
  return content;
}

void checkSweepOutput(const fs::path& path, const std::string& option) {
  refuseJsonFile(path, option);
  checkWritableFile(path, option);
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    throw UsageError(
        fmt::format("{}: '{}' is no plain file; name another one", option, path.string()));
  }
  if (isHdf5(path) || path.extension() == ".csv") return;
  throw UsageError(fmt::format("{}: '{}' must end in .csv or .h5", option, path.string()));
}

void writeSweepTable(const fs::path& path, const SweepTable& table) {
  std::error_code error;
  // A link stays one: its file is replaced.
  const fs::path place = fs::is_symlink(path, error) ? fs::weakly_canonical(path) : path;
  const fs::path aside = place.string() + ".new";
  try {
    if (isHdf5(path)) {
      writeSweepHdf5(aside.string(), table);
    } else {
      LineFile file(aside, "--out");
      file.writeLine(table.header);
      for (const auto& [run, line] : table.rows) file.writeLine(line);
    }
  } catch (...) {
    fs::remove(aside, error);
    throw;
  }
  fs::rename(aside, place);
}

}  // namespace drystone::cli
