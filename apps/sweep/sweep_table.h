#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/support/output_file.h"

namespace drystone::cli {

// The table of a sweep. In its file each run is a line of CSV: its number, its parameters, how it
// ended, its figures, and at the end the hash of the study with its number of runs. So parts can be
// told from those of other studies, and what lacks is known.

constexpr const char* kRunColumn = "run";
constexpr const char* kStatusColumn = "status";
constexpr const char* kMessageColumn = "message";
constexpr const char* kRunsColumn = "runs";
constexpr const char* kStudyColumn = "study";

/// The fields of a line of CSV without line ends in them.
std::vector<std::string> csvFields(const std::string& line);

struct SweepTable {
  std::string header;                        ///< the line of titles
  std::map<std::int64_t, std::string> rows;  ///< lines by the number of the run
  std::string study;                         ///< hash; empty: there is no row yet
  std::int64_t runs = 0;                     ///< of the whole study; 0: there is no row yet
};

/// Reads a table, of a sweep that ended or was killed. `wholeBytes` gets the length up to the last
/// whole line, since a kill or a full disk may leave half a line. Throws InputError, naming the
/// file and line, where it is no table of a sweep.
SweepTable readSweepTable(const std::filesystem::path& path, std::uintmax_t* wholeBytes = nullptr);

/// The hash of the study and the numbers of the runs that a table holds; CSV, or HDF5 by its name.
struct SweepContent {
  std::string study;
  std::set<std::int64_t> runs;
  std::vector<std::string> statuses;
};
SweepContent readSweepContent(const std::filesystem::path& path);

// As HDF5 a table has a dataset for each column under `columns`, with an element for each run.
// Columns of numbers are doubles, with NaN for what a run lacks; `run` is of 64-bit integers.
// Columns of texts are bytes, as many for each run as the longest text has, with zeros behind it.
void writeSweepHdf5(const std::string& path, const SweepTable& table);
/// Throws InputError, naming the file, where it is no such table.
SweepContent readSweepHdf5(const std::string& path);

/// Throws UsageError, naming the option, for a name that is neither one of CSV nor of HDF5, and for
/// what no table can be put in the place of: a device, a folder, a scene.
void checkSweepOutput(const std::filesystem::path& path, const std::string& option);

/// Writes the rows by their numbers as CSV or HDF5. They appear under their name when they are
/// complete.
void writeSweepTable(const std::filesystem::path& path, const SweepTable& table);

/// The file beside a table where runs go as they end, one by one: the output's name with `.part`.
std::filesystem::path journalOf(const std::filesystem::path& output);

/// That file, to be written by one process at a time. What of it is whole stays.
class SweepJournal {
 public:
  /// Throws UsageError where another process writes it.
  SweepJournal(const std::filesystem::path& output, bool resumes);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  /// What it held at first.
  const SweepTable& table() const { return table_; }
  /// Goes on where it ended, or begins with the header.
  void start(const std::string& header);
  void add(const std::string& line);
  void remove();

 private:
  std::filesystem::path path_;
  int lock_ = -1;  ///< file descriptor
  SweepTable table_;
  std::optional<LineFile> file_;
};

}  // namespace drystone::cli
