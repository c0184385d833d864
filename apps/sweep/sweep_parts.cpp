#include "apps/sweep/sweep_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "apps/support/program.h"
#include "apps/sweep/sweep_table.h"
#include "core/input_error.h"
#include "core/wording.h"

namespace drystone::cli {
namespace fs = std::filesystem;
namespace {

/// Adds the rows of a part to the whole.
void addPart(const std::string& file, const SweepTable& part, const std::string& firstFile,
             SweepTable& whole) {
  if (part.study != whole.study || part.runs != whole.runs || part.header != whole.header) {
    throw InputError(
        fmt::format("{}: is of another study than {}: the study file, its scene or the program has "
                    "changed between them; make all parts again",
                    file, firstFile));
  }
  for (const auto& [run, line] : part.rows) {
    if (whole.rows.emplace(run, line).second) continue;
    throw InputError(
        fmt::format("{}: run {} is in a file before it too; name each part once", file, run));
  }
}

/// Says which runs are missing: the first few of them.
void requireAllRuns(const SweepTable& whole) {
  constexpr std::size_t kNamed = 5;
  const std::int64_t missing = whole.runs - std::ssize(whole.rows);
  if (missing == 0) return;
  std::vector<std::int64_t> first;
  for (std::int64_t run = 1; first.size() < kNamed && run <= whole.runs; ++run) {
    if (!whole.rows.contains(run)) first.push_back(run);
  }
  const bool isMore = missing > std::ssize(first);
  throw InputError(fmt::format(
      "--join: {} of {} missing: {}{}; --resume ends the parts that lack them",
      counted(missing, "run"), whole.runs, fmt::join(first, ", "), isMore ? ", …" : ""));
}

/// A word for the shell, whatever is in it.
std::string shellWord(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

SweepPart parsePart(const std::string& text) {
  SweepPart part;
  const char* end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, part.number);
  bool isGood = error == std::errc() && slash != end && *slash == '/';
  if (isGood) {
    const auto [last, second] = std::from_chars(slash + 1, end, part.count);
    isGood = second == std::errc() && last == end;
  }
  if (isGood && part.number >= 1 && part.number <= part.count) return part;
  throw UsageError(fmt::format(
      "--part: must be K/N, part K from 1 to N of N parts, such as 3/20, got '{}'", text));
}

std::int64_t joinParts(const std::vector<std::string>& files, const fs::path& output) {
  SweepTable whole;
  std::string first;
  for (const std::string& file : files) {
    const SweepTable part = readSweepTable(file);
    if (part.rows.empty()) continue;  // of a task that has only begun
    if (first.empty()) {
      first = file;
      whole = {.header = part.header, .rows = {}, .study = part.study, .runs = part.runs};
    }
    addPart(file, part, first, whole);
  }
  if (first.empty()) throw InputError("--join: no file holds a run");
  requireAllRuns(whole);
  writeSweepTable(output, whole);
  return whole.runs;
}

std::string slurmScript(const std::string& study, const fs::path& output, std::int64_t parts) {
  const std::string stem = (output.parent_path() / output.stem()).string();
  return fmt::format(
      "#!/bin/bash\n"
      "#SBATCH --job-name=drystone_sweep\n"
      "#SBATCH --array=1-{0}\n"
      "#SBATCH --cpus-per-task=4\n"
      "# A task that hit a limit of time goes on where it ended when this script runs again.\n"
      "drystone sweep {1} --part \"$SLURM_ARRAY_TASK_ID/{0}\" --threads "
      "\"${{SLURM_CPUS_PER_TASK:-1}}\" "
      "--resume --quiet \\\n"
      "  -o {2}\"$SLURM_ARRAY_TASK_ID\".csv\n"
      "# When all tasks have ended, this joins their parts:\n"
      "#   drystone sweep --join {2}*.csv -o {3}\n",
      parts, shellWord(study), shellWord(stem + "_part"), shellWord(output.string()));
}

}  // namespace drystone::cli
