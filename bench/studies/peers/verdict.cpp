// Who holds which scene, at what price: the table at the end of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/studies/peers/table.h"

namespace drystone::bench {
namespace {

/// The configurations of all scenes, those of a few scenes beside their neighbours there.
std::vector<std::string> configurationsOf(std::span<const PeerResult> results) {
  std::vector<std::string> names;
  for (const PeerResult& result : results) {
    auto place = names.begin();
    for (const PeerRow& row : result.rows) {
      const auto known = std::ranges::find(names, row.configuration);
      place = (known == names.end() ? names.insert(place, row.configuration) : known) + 1;
    }
  }
  return names;
}

const PeerRow* rowOf(const PeerResult& result, std::string_view configuration) {
  const auto row = std::ranges::find(result.rows, configuration, &PeerRow::configuration);
  return row == result.rows.end() ? nullptr : &*row;
}

auto countOf(const PeerResult& result, const PeerRow& row, std::string_view word) {
  return std::ranges::count_if(
      row.runs, [&](const PeerFigures& figures) { return outcome(result.test, figures) == word; });
}

std::string cell(const PeerResult& result, const PeerRow& row) {
  const std::string_view word = outcome(result.test, row.figures);
  if (word == "refused") return "–";
  const std::string time = ratioText(row.inBullets.median) + "×";
  const auto runs = static_cast<std::ptrdiff_t>(row.runs.size());
  const std::ptrdiff_t times = countOf(result, row, word);
  const std::string some = times == runs ? "" : fmt::format(" {}/{}", times, runs);
  if (word == "fell") return fmt::format("{} **fell**{}", time, some);
  if (word == "ended") return fmt::format("{} **ended@{}**{}", time, row.figures.steps, some);
  return fmt::format("{} {}", time, measureText(result.test, measure(result.test, row.figures)));
}

/// How many of the standing scenes that it was asked to hold a configuration held in every run.
std::string held(std::span<const PeerResult> results, const std::string& configuration) {
  int count = 0, asked = 0;
  for (const PeerResult& result : results) {
    const PeerRow* row = rowOf(result, configuration);
    if (row == nullptr || result.test.kind != PeerKind::kStands) continue;
    ++asked;
    if (outcome(result.test, row->figures) == "stands") ++count;
  }
  return asked == 0 ? "" : fmt::format("{} of {}", count, asked);
}

/// Characters of a UTF-8 text.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Markdown with columns that line up in a terminal too; the first line has the titles.
std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], widthOf(line[i]));
  }
  std::string out;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - widthOf(line[i]), ' ');
      out += i == 0 ? "| " + line[i] + space : " | " + space + line[i];
    }
    out += " |\n";
    if (&line != &lines.front()) continue;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      out += "|" + std::string(widths[i] + 1, '-') + (i == 0 ? "-" : ":");
    }
    out += "|\n";
  }
  return out;
}

/// Where the measure of a configuration was not the same to the bit in every run, by configuration.
std::map<std::string, std::string> differences(std::span<const PeerResult> results) {
  std::map<std::string, std::string> found;
  for (const PeerResult& result : results) {
    for (const PeerRow& row : result.rows) {
      std::vector<Real> values;
      for (const PeerFigures& run : row.runs) values.push_back(measure(result.test, run));
      const Spread spread = spreadOf(std::move(values));
      if (std::isnan(spread.median) || spread.least == spread.most) continue;
      const std::string least = measureText(result.test, spread.least);
      const std::string most = measureText(result.test, spread.most);
      std::string& text = found[row.configuration];
      text += (text.empty() ? "" : ", ") + result.test.name + " ";
      text += least == most ? "in digits not shown" : least + " to " + most;
    }
  }
  return found;
}

/// The largest part of its median by which the times of a row's runs differ, and where.
std::string largestSpread(std::span<const PeerResult> results) {
  Real most = 0;
  std::string where;
  for (const PeerResult& result : results) {
    for (const PeerRow& row : result.rows) {
      const Spread& spread = row.inBullets;
      const Real part = (spread.most - spread.least) / spread.median;
      if (!(part > most)) continue;
      most = part;
      where = row.configuration + " on " + result.test.name;
    }
  }
  return where.empty() ? "nothing" : fmt::format("{:.0f} % ({})", 100 * most, where);
}

}  // namespace

std::string verdictTable(std::span<const PeerResult> results) {
  const std::vector<std::string> configurations = configurationsOf(results);
  std::vector<std::vector<std::string>> lines = {{"scene", "Bullet's ms"}};
  std::vector<std::string> last = {"standing scenes held", ""};
  for (const std::string& configuration : configurations) {
    lines.front().push_back(configuration);
    last.push_back(held(results, configuration));
  }
  for (const PeerResult& result : results) {
    const PeerRow* unit = rowOf(result, kUnitConfiguration);
    std::vector<std::string>& line = lines.emplace_back();
    line = {result.test.name, unit == nullptr || unit->figures.steps == 0
                                  ? "–"
                                  : fmt::format("{:.3g}", unit->milliseconds.median)};
    for (const std::string& configuration : configurations) {
      const PeerRow* row = rowOf(result, configuration);
      line.push_back(row == nullptr ? "" : cell(result, *row));
    }
  }
  lines.push_back(std::move(last));
  return aligned(lines);
}

std::string repeatability(std::span<const PeerResult> results) {
  if (results.empty() || results.front().rows.empty()) return "";
  if (results.front().rows.front().runs.size() < 2) return "";
  std::string out = fmt::format("- The times of a row, in Bullet's steps, differ by at most {}.\n",
                                largestSpread(results));
  const std::map<std::string, std::string> differ = differences(results);
  std::string same;
  for (const std::string& configuration : configurationsOf(results)) {
    if (differ.contains(configuration)) continue;
    same += (same.empty() ? "" : "; ") + configuration;
  }
  if (!same.empty()) out += fmt::format("- All runs came to the same, to the bit: {}.\n", same);
  for (const auto& [configuration, text] : differ) {
    out += fmt::format("- The runs of {} differ: {}.\n", configuration, text);
  }
  return out;
}

}  // namespace drystone::bench
