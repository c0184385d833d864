#include "apps/solve/solve_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
  void add(const Tally& other) {
    solves += other.solves;
    reached += other.reached;
    unsupported += other.unsupported;
    totalMs += other.totalMs;
  }
  std::string text() const {
    if (solves == 0) return fmt::format("nothing solved, {} unsupported", unsupported);
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

bool isSolved(const StoredSolve& row) { return row.report.status != SolveStatus::kUnsupported; }

std::string startName(bool isWarm) { return isWarm ? "from warm start" : "from zero"; }

std::string withWords(const std::string& note, const std::string& words) {
  return note.empty() ? words : note + "; " + words;
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
      "{}  {}  {:>6}  {:>8}  {:<15}  {:>3}  {:>10}  {:>10}  {:>13}  {:>10}  {:>10}  {}\n",
      padded("problem", problemWidth_), padded("solver", solverWidth_), "rows", "contacts",
      "status", "met", "iterations", "time [ms]", "nat.map [m/s]", "full error", "energy [J]",
      "note");
}

std::string SolveTable::noteOf(const StoredSolve& row) {
  if (!isSolved(row)) return row.note;
  if (!isWarm_) isWarm_ = row.isWarm;
  if (row.isWarm == *isWarm_) return row.note;
  startsDiffer_ = true;
  return withWords(row.note, startName(row.isWarm));
}

std::string SolveTable::line(const StoredSolve& row) {
  const bool solved = isSolved(row);
  const auto cell = [solved](const std::string& text, int width) {
    return padded(solved ? text : "-", width, kRight);
  };
  std::string text = fmt::format(
      "{}  {}  {:>6}  {:>8}  {:<15}  {}  {}  {}  {}  {}  {}  {}",
      padded(row.problem, problemWidth_), padded(row.solver, solverWidth_), row.rows, row.contacts,
      solveStatusName(row.report.status), cell(row.reached ? "yes" : "no", 3),
      cell(fmt::format("{}", row.report.iterations), 10),
      cell(milliseconds(row.timeMs.median()), 10), cell(velocityText(row.judge.naturalMap), 13),
      cell(velocityText(row.judge.relative), 10), cell(velocityText(row.judge.energyMax), 10),
      noteOf(row));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string SolveTable::footer() const {
  if (!isWarm_) return "";
  std::string text =
      "  nat.map     natural map: by how much the answer misses the laws of contacts and joints "
      "(M.11 in docs/theory/judge.md)\n"
      "  full error  that of FCLIB and the contact-solver literature (M.12); `relative` in options "
      "and files\n"
      "  energy      largest energy error of a row (M.13)\n";
  if (*isWarm_ || startsDiffer_) {
    text += fmt::format("  start       {}{}\n", startName(*isWarm_),
                        startsDiffer_ ? ", but where the note says otherwise" : "");
  }
  return text;
}

std::string checkText(const TwinCheck& check) {
  const ImpulseComparison& difference = check.difference;
  std::string text = fmt::format(
      "  {}: {}, {}, natural map {:.1e} m/s, full error {:.1e}\n"
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

namespace {

/// What came of one solver.
struct SolverOutcome {
  std::string solver;
  Tally tally;
  std::vector<std::string> whyNot;  ///< the reasons of its unsupported problems, each once
};

SolverOutcome outcomeOf(const std::string& solver, std::span<const StoredSolve> rows) {
  SolverOutcome outcome{solver, {}, {}};
  for (const StoredSolve& row : rows) {
    if (row.solver != solver) continue;
    outcome.tally.add(row);
    const bool isNew = std::ranges::find(outcome.whyNot, row.whyNot) == outcome.whyNot.end();
    if (!row.whyNot.empty() && isNew) outcome.whyNot.push_back(row.whyNot);
  }
  return outcome;
}

/// A line for each reason why solvers took none of the problems.
std::string notRunText(std::span<const SolverOutcome> outcomes) {
  std::vector<std::pair<std::string, std::vector<std::string>>> solversByReason;
  for (const SolverOutcome& one : outcomes) {
    const std::string reason = joined(one.whyNot, ", or ");
    auto at =
        std::ranges::find(solversByReason, reason, &decltype(solversByReason)::value_type::first);
    if (at == solversByReason.end()) at = solversByReason.insert(at, {reason, {}});
    at->second.push_back(one.solver);
  }
  std::string text;
  for (const auto& [reason, solvers] : solversByReason) {
    text += fmt::format("not run: {}: {}\n", joined(solvers), reason);
  }
  return text;
}

}  // namespace

std::string solveSummary(std::span<const StoredSolve> rows, const ChosenSolvers& solvers) {
  if (rows.empty()) return "";
  Tally all;
  std::vector<SolverOutcome> run, notRun;
  for (const std::string& solver : solvers.names) {
    const SolverOutcome one = outcomeOf(solver, rows);
    const bool isLeftOut = solvers.every && one.tally.solves == 0;
    if (isLeftOut && one.tally.unsupported > 0) notRun.push_back(one);
    if (!isLeftOut) run.push_back(one);
  }
  for (const SolverOutcome& one : run) all.add(one.tally);
  std::string text = fmt::format("{} ({})\n", all.text(), tolerancesText(rows));
  // Of one problem the table has said it.
  const bool isOneProblem = std::ranges::all_of(
      rows, [&](const StoredSolve& row) { return row.problem == rows.front().problem; });
  if (!isOneProblem && run.size() > 1) {
    Table table({{"solver"}, {"outcome"}});
    for (const SolverOutcome& one : run) table.addRow({one.solver, one.tally.text()});
    text += table.plain(2);
  }
  return text + notRunText(notRun);
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

Json deviceJson(const gpu::DeviceWork& work) {
  return {{"uploads", work.executor.uploads},
          {"uploaded_bytes", work.executor.uploadedBytes},
          {"downloads", work.executor.downloads},
          {"downloaded_bytes", work.executor.downloadedBytes},
          {"kernels", work.executor.kernels},
          {"launches", work.executor.launches},
          {"recordings", work.executor.recordings},
          {"layouts", work.layouts},
          {"kept_layouts", work.keptLayouts},
          {"device_ms", work.executor.ms},
          {"copy_ms", work.copyMs},
          {"host_ms", work.hostMs}};
}

/// In the order in which they were tried.
Json doorsJson(const SolverReport& report) {
  Json doors = Json::array();
  for (int i = 0; i < report.doorCount; ++i) {
    const SolverReport::Door& door = report.doors[static_cast<std::size_t>(i)];
    doors.push_back({{"name", door.name},
                     {"status", solveStatusName(door.status)},
                     {"iterations", door.iterations},
                     {"natural_map_m_s", door.naturalMap},
                     {"time_ms", door.timeMs}});
  }
  return doors;
}

/// Files have no footer: each note is whole.
std::string wholeNote(const StoredSolve& row) {
  return row.isWarm ? withWords(row.note, startName(true)) : row.note;
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
                     {"doors", doorsJson(row.report)},
                     {"note", wholeNote(row)}});
    if (row.check) array.back()["check"] = checkJson(*row.check);
    if (row.device) array.back()["device"] = deviceJson(*row.device);
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
                row.judge.normalImpulseMin, row.report.relaxationError, wholeNote(row));
}

}  // namespace drystone::cli
