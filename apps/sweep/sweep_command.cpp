#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/sweep/run_sweep.h"
#include "apps/sweep/sweep_parts.h"
#include "apps/sweep/sweep_run.h"
#include "apps/sweep/sweep_table.h"
#include "core/input_error.h"
#include "core/parallel.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

constexpr std::int64_t kMostParts = 1'000'000;

struct SweepOptions {
  std::string study, out, part;
  std::vector<std::string> join;
  std::optional<int> threads;
  std::optional<std::int64_t> slurmParts;
  bool resume = false, quiet = false;
};

/// Runs that failed decide the code: a bug before a wrong value before a solver.
int exitCodeOf(const SweepCounts& counts) {
  if (counts.of(RunEnd::kFailed) > 0) return kInternalError;
  if (counts.of(RunEnd::kInvalid) > 0) return kInvalidInput;
  return counts.all() > counts.of(RunEnd::kDone) ? kSolverFailure : kDone;
}

std::string endsText(const SweepCounts& counts) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < counts.ends.size(); ++i) {
    const auto end = static_cast<RunEnd>(i);
    if (counts.of(end) > 0) words.push_back(fmt::format("{} {}", counts.of(end), runEndName(end)));
  }
  return words.empty() ? "none" : joined(words);
}

/// The runs that are asked for: of the part, or all.
std::vector<std::int64_t> runsOf(const StudyRuns& runs, const std::string& partText) {
  const SweepPart part = partText.empty() ? SweepPart{} : parsePart(partText);
  std::vector<std::int64_t> numbers;
  for (std::int64_t run = part.number; run <= runs.count(); run += part.count) {
    numbers.push_back(run);
  }
  if (numbers.empty()) {
    throw UsageError(fmt::format("--part {}: the study has only {}; take fewer parts", partText,
                                 counted(runs.count(), "run")));
  }
  return numbers;
}

void requireStudy(const std::string& file, const std::string& found, const std::string& wanted) {
  if (found.empty() || found == wanted) return;
  throw InputError(
      fmt::format("{}: holds runs of another study ({}, and not {}): the study file, its scene or "
                  "the program has changed since; name another output, or remove the file",
                  file, found, wanted));
}

/// What is to be done, and what is there of it.
struct Work {
  std::vector<std::int64_t> wanted;  ///< runs
  SweepTable table;
  SweepCounts before;  ///< how runs ended that are there
};

void requireWanted(const std::string& file, std::int64_t run, const Work& work) {
  if (std::ranges::binary_search(work.wanted, run)) return;
  throw InputError(fmt::format(
      "{}: holds run {}, which is not of this --part; name another output, or remove the file",
      file, run));
}

/// Whether --resume finds the table done.
bool isDoneBefore(const SweepOptions& options, const std::string& study, Work& work) {
  std::error_code error;
  if (!options.resume || !std::filesystem::exists(options.out, error)) return false;
  if (std::filesystem::exists(journalOf(options.out), error)) return false;  // that one goes on
  const SweepContent content = readSweepContent(options.out);
  requireStudy(options.out, content.study, study);
  for (const std::int64_t run : content.runs) requireWanted(options.out, run, work);
  for (const std::string& status : content.statuses) work.before.add(runEndNamed(status));
  return content.runs.size() == work.wanted.size();
}

/// Takes over what the journal holds.
void takeJournal(const SweepJournal& journal, const std::string& file, const ReadySweep& sweep,
                 Work& work) {
  requireStudy(file, journal.table().study, sweep.hash);
  work.table = {.header = sweep.header(),
                .rows = journal.table().rows,
                .study = sweep.hash,
                .runs = journal.table().runs};
  const std::vector<std::string> titles = csvFields(work.table.header);
  const auto status =
      static_cast<std::size_t>(std::ranges::find(titles, kStatusColumn) - titles.begin());
  for (const auto& [run, line] : work.table.rows) {
    requireWanted(file, run, work);
    work.before.add(runEndNamed(csvFields(line)[status]));
  }
}

void printSummary(const SweepOptions& options, const ReadySweep& sweep, const SweepCounts& now,
                  const SweepCounts& all, int threads) {
  fmt::print("Study         {}: {} of scene {}\n", options.study, counted(all.all(), "run"),
             sweep.study.scene);
  fmt::print("Ended         {}\n", endsText(all));
  if (now.all() > 0) {
    fmt::print("Time          {:.3g} s on {}, {:.1f} % of it in steps\n", now.wallMs / 1000,
               counted(threads, "thread"), 100 * now.stepsMs / (now.wallMs * threads));
  }
  fmt::print("Table         {}\n", options.out);
}

int sweepStudy(const SweepOptions& options) {
  const ReadySweep sweep = prepareSweep(options.study);
  const StudyRuns runs(sweep.study);
  Work work{.wanted = runsOf(runs, options.part), .table = {}, .before = {}};
  refuseInputFile(options.out, "--out", std::vector{options.study, sweep.study.scene});
  if (isDoneBefore(options, sweep.hash, work)) {
    logInfo(fmt::format("all runs are in {} already", options.out));
    return exitCodeOf(work.before);
  }
  work.before = {};
  SweepJournal journal(options.out, options.resume);
  const std::string journalFile = journalOf(options.out).string();
  takeJournal(journal, journalFile, sweep, work);
  std::vector<std::int64_t> left;
  for (const std::int64_t run : work.wanted) {
    if (!work.table.rows.contains(run)) left.push_back(run);
  }
  if (work.before.all() > 0) {
    logInfo(fmt::format("{} of {} are done already", work.before.all(),
                        counted(std::ssize(work.wanted), "run")));
  }
  journal.start(work.table.header);
  const int threads = static_cast<int>(std::min<std::int64_t>(
      options.threads.value_or(availableThreads()), std::max<std::int64_t>(1, std::ssize(left))));
  const SweepCounts now = doRuns(sweep, runs, left, threads, !options.quiet, journal, work.table);
  SweepCounts all = work.before;
  for (std::size_t i = 0; i < all.ends.size(); ++i) all.ends[i] += now.ends[i];
  if (now.interrupted) {
    logInfo(fmt::format("INTERRUPTED: {} of {} are in {}; --resume goes on from there", all.all(),
                        counted(std::ssize(work.wanted), "run"), journalFile));
    return kInterrupted;
  }
  writeSweepTable(options.out, work.table);
  journal.remove();
  if (!options.quiet) printSummary(options, sweep, now, all, threads);
  return exitCodeOf(all);
}

int joinTables(const SweepOptions& options) {
  for (const std::string& file : options.join) {
    refuseInputFile(options.out, "--out", std::vector{file});
  }
  const std::int64_t runs = joinParts(options.join, options.out);
  logInfo(fmt::format("{} of {} joined in {}", counted(runs, "run"),
                      counted(std::ssize(options.join), "part"), options.out));
  return kDone;
}

int printScript(const SweepOptions& options) {
  const std::int64_t runs = StudyRuns(prepareSweep(options.study).study).count();
  if (*options.slurmParts > runs) {
    throw UsageError(fmt::format("--slurm {}: the study has only {}; take fewer parts",
                                 *options.slurmParts, counted(runs, "run")));
  }
  fmt::print("{}", slurmScript(options.study, options.out, *options.slurmParts));
  return kDone;
}

int sweep(const SweepOptions& options) {
  setUpLog(options.quiet);
  if (options.study.empty() == options.join.empty()) {
    throw UsageError(options.study.empty()
                         ? "name the study to run, docs/sweep.md, or parts to --join"
                         : "--join takes the tables of parts only; leave the study out");
  }
  checkSweepOutput(options.out, "--out");
  if (!options.join.empty()) return joinTables(options);
  return options.slurmParts ? printScript(options) : sweepStudy(options);
}

}  // namespace

Command addSweepCommand(CLI::App& program) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* app = program.add_subcommand(
      "sweep",
      "Run a scene for many values of its parameters, and write a table of what comes out");
  app->add_option("study", options->study, "Study file (docs/sweep.md)")
      ->type_name("STUDY")
      ->transform(notEmpty());
  app->add_option("--out,-o", options->out, "Table to write, .csv or .h5: a row for each run")
      ->type_name("FILE")
      ->transform(notEmpty())
      ->required();
  app->add_option("--threads", options->threads,
                  "Runs at once; the table does not depend on them, but for times")
      ->type_name("N")
      ->transform(wholeNumber(1, kMostThreads));
  app->add_flag("--resume", options->resume, "Go on where a sweep that was killed has ended");
  CLI::Option* part = app->add_option("--part", options->part,
                                      "Only part K of N: the runs K, K + N, K + 2 N and so on")
                          ->type_name("K/N")
                          ->transform(notEmpty());
  CLI::Option* slurm =
      app->add_option("--slurm", options->slurmParts,
                      "Print the script of a Slurm job array that does the study in N parts")
          ->type_name("N")
          ->transform(wholeNumber(1, kMostParts))
          ->excludes(part);
  app->add_option("--join", options->join, "Join the tables of all parts into one")
      ->type_name("PART...")
      ->excludes(part)
      ->excludes(slurm);
  app->add_flag("--quiet,-q", options->quiet, "No summary, progress or notes");
  app->footer(
      "Example:\n"
      "  drystone sweep study.json -o table.csv\n"
      "  drystone sweep study.json -o table_part3.csv --part 3/20 --resume\n"
      "  drystone sweep --join table_part*.csv -o table.csv\n");
  return {app, [options] { return sweep(*options); },
          "name the table to write: -o FILE.csv, or FILE.h5"};
}

}  // namespace drystone::cli
