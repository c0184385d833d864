#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {

/// A ball above a plane: `height` and `friction` may be varied.
inline std::string writeBallScene(const Scratch& scratch) {
  return scratch.write("ball.json",
                       R"({"version": 1, "world": {"duration": 0.1, "gravity": [0, 0, -9.81]},
    "parameters": {"height": {"default": 2, "min": 1, "max": 100},
                   "count": {"default": 1, "min": 1, "max": 9, "integer": true}},
    "bodies": [{"kind": "static", "shape": {"type": "plane"}},
               {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "mass": 1,
                "position": [0, 0, "$height"]}]})");
}

/// The scene of writeBallScene() with these keys.
inline std::string writeStudy(const Scratch& scratch, const std::string& keys) {
  writeBallScene(scratch);
  return scratch.write("study.json", R"({"scene": "./ball.json", )" + keys + "}");
}

/// A table as titles and rows of fields, which hold no commas.
struct ReadTable {
  explicit ReadTable(const std::string& path) {
    for (const std::string& line : splitLines(readText(path))) rows.push_back(splitFields(line));
    if (rows.empty()) return;
    titles = rows.front();
    rows.erase(rows.begin());
  }
  /// The fields of a column; none where there is no such column.
  std::vector<std::string> column(const std::string& title) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(titles, title) - titles.begin());
    std::vector<std::string> fields;
    if (at == titles.size()) return fields;
    for (const auto& row : rows) fields.push_back(row.at(at));
    return fields;
  }
  std::vector<double> numbers(const std::string& title) const {
    std::vector<double> values;
    for (const std::string& field : column(title)) values.push_back(std::stod(field));
    return values;
  }

  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;
};

}  // namespace drystone::test
