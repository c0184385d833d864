#include "apps/solve/solve_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/support/command_line.h"
#include "apps/support/csv_values.h"
#include "apps/support/json_values.h"
#include "apps/support/table.h"

namespace drystone::cli {
namespace {

constexpr auto kRight = Table::Align::kRight;

std::string velocityText(double value) { return fmt::format("{:.1e}", value); }

std::string milliseconds(double value) {
  return value < 10 ? fmt::format("{:.3f}", value) : fmt::format("{:.1f}", value);
}

struct Tally {
  int solves = 0, reached = 0, unsupported = 0;
  double totalMs = 0;

  void add(const StoredSolve& row) {
    if (row.report.status == SolveStatus::kUnsupported) {
      ++unsupported;
      return;
    }
    ++solves;
    reached += row.reached ? 1 : 0;
    totalMs += row.timeMs.median();
  }
  std::string text() const {
    std::string line = fmt::format("{} of {} reached the tolerance", reached, solves);
    if (unsupported > 0) line += fmt::format(", {} unsupported", unsupported);
    return line + fmt::format(", {} ms in all", milliseconds(totalMs));
  }
};

/// The tolerances that were in force, one per measure.
std::string tolerancesText(std::span<const StoredSolve> rows) {
  std::string text;
  for (const Measure measure : {Measure::kRelative, Measure::kNaturalMap}) {
    const auto row = std::find_if(rows.begin(), rows.end(), [measure](const StoredSolve& solve) {
      return solve.measure == measure;
    });
    if (row == rows.end()) continue;
    text += fmt::format("{}{} ≤ {:g}{}", text.empty() ? "" : ", ", measureName(measure),
                        row->tolerance, measure == Measure::kNaturalMap ? " m/s" : "");
  }
  return text;
}

}  // namespace

SolveTable::SolveTable(std::span<const ProblemInput> problems,
                       std::span<const std::string> solvers) {
  problemWidth_ = displayWidth("problem");
  solverWidth_ = displayWidth("solver");
  for (const ProblemInput& one : problems) {
    problemWidth_ = std::max(problemWidth_, displayWidth(one.name));
  }
  for (const std::string& one : solvers) solverWidth_ = std::max(solverWidth_, displayWidth(one));
}

std::string SolveTable::header() const {
  return fmt::format(
      "{}  {}  {:>6}  {:>8}  {:<15}  {:>3}  {:>10}  {:>10}  {:>11}  {:>8}  {:>10}  {}\n",
      padded("problem", problemWidth_), padded("solver", solverWidth_), "rows", "contacts",
      "status", "met", "iterations", "time [ms]", "nat.map m/s", "relative", "energy [J]", "note");
}

std::string SolveTable::line(const StoredSolve& row) const {
  const bool solved = row.report.status != SolveStatus::kUnsupported;
  const auto cell = [solved](const std::string& text, int width) {
    return padded(solved ? text : "-", width, kRight);
  };
  std::string text = fmt::format(
      "{}  {}  {:>6}  {:>8}  {:<15}  {}  {}  {}  {}  {}  {}  {}",
      padded(row.problem, problemWidth_), padded(row.solver, solverWidth_), row.rows, row.contacts,
      solveStatusName(row.report.status), cell(row.reached ? "yes" : "no", 3),
      cell(fmt::format("{}", row.report.iterations), 10),
      cell(milliseconds(row.timeMs.median()), 10), cell(velocityText(row.judge.naturalMap), 11),
      cell(velocityText(row.judge.relative), 8), cell(velocityText(row.judge.energyMax), 10),
      row.note);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string checkText(const TwinCheck& check) {
  const ImpulseComparison& difference = check.difference;
  std::string text = fmt::format(
      "  {}: {}, {}, natural map {:.1e} m/s, relative {:.1e}\n"
      "  impulses differ by at most {:.2e} N s, {:.1e} of the largest{}\n  ",
      check.twin, solveStatusName(check.report.status),
      counted(check.report.iterations, "iteration"), check.judge.naturalMap, check.judge.relative,
      difference.largest, difference.relative,
      difference.worstRow < 0 ? "" : fmt::format(" (row {})", difference.worstRow));
  for (const UlpBucket& bucket : filledBuckets(difference)) {
    text += fmt::format("{} within {} ulp{}", counted(bucket.rows, "row"), bucket.upTo, ", ");
  }
  text.erase(text.find_last_not_of(", ") + 1);
  return text + (check.failed ? "\n  CHECK FAILED\n" : "\n");
}

std::string solveSummary(std::span<const StoredSolve> rows, std::span<const std::string> solvers) {
  Tally all;
  for (const StoredSolve& row : rows) all.add(row);
  if (rows.empty()) return "";
  std::string text = fmt::format("{} ({})\n", all.text(), tolerancesText(rows));
  if (solvers.size() < 2) return text;
  Table table({{"solver"}, {"outcome"}});
  for (const std::string& solver : solvers) {
    Tally one;
    for (const StoredSolve& row : rows) {
      if (row.solver == solver) one.add(row);
    }
    table.addRow({solver, one.text()});
  }
  return text + table.plain(2);
}

namespace {

Json checkJson(const TwinCheck& check) {
  Json ulps = Json::array();
  for (const UlpBucket& bucket : filledBuckets(check.difference)) {
    ulps.push_back({{"up_to", bucket.upTo}, {"rows", bucket.rows}});
  }
  return {{"twin", check.twin},
          {"status", solveStatusName(check.report.status)},
          {"iterations", check.report.iterations},
          {"natural_map_m_s", check.judge.naturalMap},
          {"relative", check.judge.relative},
          {"largest_difference_Ns", check.difference.largest},
          {"relative_difference", check.difference.relative},
          {"worst_row", check.difference.worstRow},
          {"ulps", ulps},
          {"failed", check.failed}};
}

}  // namespace

std::string solveJson(std::span<const StoredSolve> rows) {
  Json array = Json::array();
  for (const StoredSolve& row : rows) {
    array.push_back({{"problem", row.problem},
                     {"solver", row.ranBy.empty() ? row.solver : row.ranBy},
                     {"stands_for", row.ranBy.empty() ? "" : row.solver},
                     {"rows", row.rows},
                     {"contacts", row.contacts},
                     {"status", solveStatusName(row.report.status)},
                     {"criterion", measureName(row.measure)},
                     {"tolerance", row.tolerance},
                     {"met", row.reached},
                     {"iterations", row.report.iterations},
                     {"inner_iterations", row.report.innerIterations},
                     {"pivots", row.report.pivots},
                     {"factorizations", row.report.factorizations},
                     {"factor", row.report.factor},
                     {"time_ms", {{"median", row.timeMs.median()}, {"min", row.timeMs.min()}}},
                     {"natural_map_m_s", row.judge.naturalMap},
                     {"normal_error_m_s", row.judge.normalError},
                     {"largest_b_m_s", row.judge.largestB},
                     {"relative", row.judge.relative},
                     {"energy_J", row.judge.energyMax},
                     {"cone_excess_Ns", row.judge.coneExcess},
                     {"lambda_n_min", row.judge.normalImpulseMin},
                     {"relaxation_error_m_s", row.report.relaxationError},
                     {"note", row.note}});
    if (row.check) array.back()["check"] = checkJson(*row.check);
  }
  return jsonText(array);
}

std::string solveCsvHeader() {
  return "problem,solver,stands_for,rows,contacts,status,criterion,tolerance,met,iterations,inner_"
         "iterations,"
         "pivots,"
         "factorizations,factor,"
         "time_median_ms,time_min_ms,natural_map_m_s,normal_error_m_s,largest_b_m_s,relative,"
         "energy_J,"
         "cone_excess_Ns,lambda_n_min,"
         "relaxation_error_m_s,note";
}

std::string solveCsvLine(const StoredSolve& row) {
  return csvRow(row.problem, row.ranBy.empty() ? row.solver : row.ranBy,
                row.ranBy.empty() ? "" : row.solver, row.rows, row.contacts,
                solveStatusName(row.report.status), measureName(row.measure), row.tolerance,
                row.reached ? 1 : 0, row.report.iterations, row.report.innerIterations,
                row.report.pivots, row.report.factorizations, row.report.factor,
                row.timeMs.median(), row.timeMs.min(), row.judge.naturalMap, row.judge.normalError,
                row.judge.largestB, row.judge.relative, row.judge.energyMax, row.judge.coneExcess,
                row.judge.normalImpulseMin, row.report.relaxationError, row.note);
}

}  // namespace drystone::cli
