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
#include "core/hash.h"
#include "core/input_error.h"
#include "core/parallel.h"
#include "core/wording.h"
#include "distributed/processes.h"

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

/// Says of the first run that the scene or the program refused what it was, and why.
void tellFirstRefused(const ReadySweep& sweep, const SweepTable& table) {
  const std::vector<std::string> titles = csvFields(table.header);
  const auto columnOf = [&](const char* title) {
    return static_cast<std::size_t>(std::ranges::find(titles, title) - titles.begin());
  };
  const std::size_t status = columnOf(kStatusColumn), message = columnOf(kMessageColumn);
  for (const auto& [run, line] : table.rows) {
    const std::vector<std::string> fields = csvFields(line);
    const RunEnd end = runEndNamed(fields[status]);
    if (end != RunEnd::kInvalid && end != RunEnd::kFailed) continue;
    std::vector<std::string> values;
    // Behind the number of the run stand its parameters.
    for (std::size_t i = 0; i < sweep.study.parameters.size(); ++i) {
      values.push_back(fmt::format("{} = {}", titles[i + 1], fields[i + 1]));
    }
    logError(fmt::format("run {} is {}, with {}: {}", run, fields[status], joined(values),
                         fields[message]));
    return;
  }
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

/// What is to be done, and what is there of it: known to the first process.
struct Work {
  std::vector<std::int64_t> wanted;  ///< runs
  std::vector<std::int64_t> left;    ///< those of them to do
  SweepTable table;
  SweepCounts before;                   ///< how runs ended that are there
  std::optional<SweepJournal> journal;  ///< none: the table is complete
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
                  const SweepCounts& all, int threads, int processes) {
  fmt::print("Study         {}: {} of scene {}\n", options.study, counted(all.all(), "run"),
             sweep.study.scene);
  fmt::print("Ended         {}\n", endsText(all));
  if (now.all() > 0) {
    fmt::print("Time          {:.3g} s on {}, {:.1f} % of it in steps\n", now.wallMs / 1000,
               processes == 1 ? counted(threads, "thread")
                              : fmt::format("{} processes with {} each", processes,
                                            counted(threads, "thread")),
               100 * now.stepsMs / (now.wallMs * threads * processes));
  }
  fmt::print("Table         {}\n", options.out);
}

/// Finds what is to be done, and takes over what is there.
void beginWork(const SweepOptions& options, const ReadySweep& sweep, const StudyRuns& runs,
               Work& work) {
  work.wanted = runsOf(runs, options.part);
  refuseInputFile(options.out, "--out", std::vector{options.study, sweep.study.scene});
  if (isDoneBefore(options, sweep.hash, work)) return;
  work.before = {};
  work.journal.emplace(options.out, options.resume);
  takeJournal(*work.journal, journalOf(options.out).string(), sweep, work);
  for (const std::int64_t run : work.wanted) {
    if (!work.table.rows.contains(run)) work.left.push_back(run);
  }
  if (work.before.all() > 0) {
    logInfo(fmt::format("{} of {} are done already", work.before.all(),
                        counted(std::ssize(work.wanted), "run")));
  }
  work.journal->start(work.table.header);
}

/// Whether all processes were given the same study and options. Scripts that give each a part of
/// its own mean several sweeps.
bool areAlike(const SweepOptions& options, const ReadySweep& sweep, int threads,
              Processes& processes) {
  Hasher hasher;
  for (const std::string& text : {sweep.hash, options.out, options.part}) {
    hasher.add(text.size());
    hasher.bytes(text.data(), text.size());
  }
  hasher.add(static_cast<std::uint64_t>(threads) * 2 + (options.resume ? 1 : 0));
  // Halves that a double holds to the bit.
  const Real own[] = {static_cast<Real>(hasher.value() >> 32U),
                      static_cast<Real>(hasher.value() & 0xffffffffU)};
  std::vector<Real> all;
  processes.gather(own, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != all[i % std::size(own)]) return false;
  }
  return true;
}

int endSweep(const SweepOptions& options, const ReadySweep& sweep, Work& work,
             const SweepCounts& now, int threads, int processes) {
  if (!work.journal) {
    logInfo(fmt::format("all runs are in {} already", options.out));
    return exitCodeOf(work.before);
  }
  SweepCounts all = work.before;
  for (std::size_t i = 0; i < all.ends.size(); ++i) all.ends[i] += now.ends[i];
  tellFirstRefused(sweep, work.table);
  if (now.interrupted) {
    logInfo(fmt::format("INTERRUPTED: {} of {} are in {}; --resume goes on from there", all.all(),
                        counted(std::ssize(work.wanted), "run"), journalOf(options.out).string()));
    return kInterrupted;
  }
  writeSweepTable(options.out, work.table);
  work.journal->remove();
  if (!options.quiet) printSummary(options, sweep, now, all, threads, processes);
  return exitCodeOf(all);
}

/// All processes do the runs; the first one reads and writes what there is of them, and says so.
int sweepStudy(const SweepOptions& options, Processes& processes) {
  const bool isFirst = processes.rank() == 0;
  std::optional<ReadySweep> ready;
  std::optional<StudyRuns> runs;
  const bool isReady = doOnAll(processes, kInvalidInput, [&] {
    ready.emplace(prepareSweep(options.study));
    runs.emplace(ready->study);
  });
  if (!isReady) return kDone;  // the first one says why
  const ReadySweep& sweep = *ready;
  // A launcher starts a process a core, as a rule.
  int threads = options.threads.value_or(processes.count() == 1 ? availableThreads() : 1);
  const bool isOneSweep = areAlike(options, sweep, threads, processes);
  Work work;
  const bool isBegun = doOnAll(processes, kUsage, [&] {
    if (!isOneSweep) {
      throw UsageError(
          "the processes have different options, studies or programs, and share one sweep: give "
          "all the same, or start parts of a study without the launcher of MPI");
    }
    if (isFirst) beginWork(options, sweep, *runs, work);
  });
  if (!isBegun) return kDone;
  if (processes.count() == 1) {
    threads = static_cast<int>(
        std::min<std::int64_t>(threads, std::max<std::int64_t>(1, std::ssize(work.left))));
  }
  std::optional<SweepRows> rows;
  if (work.journal) rows.emplace(SweepRows{*work.journal, work.table});
  SweepCounts now;
  try {
    now = doRuns(sweep, *runs, work.left, threads, isFirst && !options.quiet, processes,
                 rows ? &*rows : nullptr);
  } catch (const std::exception& error) {
    // The others wait for this one.
    if (processes.count() > 1) processes.abort(error.what(), kInternalError);
    throw;
  }
  return isFirst ? endSweep(options, sweep, work, now, threads, processes.count()) : kDone;
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

/// All that a launcher of MPI started with this one. In a build without MPI each is alone, and
/// parts may still go to files of their own.
std::unique_ptr<Processes> joinOthers(const SweepOptions& options) {
  const int count = launchedProcesses();
  if (count == 1) return std::make_unique<LoneProcess>();
  if (hasMpi()) return joinMpi();
  if (!options.part.empty()) return std::make_unique<LoneProcess>();
  throw NoDeviceError(
      fmt::format("sweep: {} processes were started together and would write the same file, since "
                  "this drystone was built without MPI: install it, configure with "
                  "-DDRYSTONE_MPI=ON and build again, or give each a --part and an --out",
                  count));
}

int sweep(const SweepOptions& options) {
  const std::unique_ptr<Processes> processes = joinOthers(options);
  const bool isFirst = processes->rank() == 0;
  setUpLog(options.quiet || !isFirst);
  const bool isGood = doOnAll(*processes, kUsage, [&] {
    if (options.study.empty() == options.join.empty()) {
      throw UsageError(options.study.empty()
                           ? "name the study to run, docs/sweep.md, or parts to --join"
                           : "--join takes the tables of parts only; leave the study out");
    }
    if (isFirst) checkSweepOutput(options.out, "--out");
  });
  if (!isGood) return kDone;
  if (options.join.empty() && !options.slurmParts) return sweepStudy(options, *processes);
  if (!isFirst) return kDone;
  return options.slurmParts ? printScript(options) : joinTables(options);
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
