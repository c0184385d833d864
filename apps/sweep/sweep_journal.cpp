#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "apps/support/program.h"
#include "apps/sweep/sweep_table.h"
#include "core/wording.h"

namespace drystone::cli {
namespace fs = std::filesystem;

fs::path journalOf(const fs::path& output) { return output.string() + ".part"; }

SweepJournal::SweepJournal(const fs::path& output, bool resumes) : path_(journalOf(output)) {
  checkWritableFile(path_, "--out");
  lock_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) {
    throw UsageError(
        fmt::format("--out: cannot write '{}': {}", path_.string(), std::strerror(errno)));
  }
  try {
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw UsageError(
          fmt::format("--out: another process writes '{}'; wait for it, or name another output",
                      path_.string()));
    }
    std::uintmax_t wholeBytes = 0;
    table_ = readSweepTable(path_, &wholeBytes);
    if (!resumes && !table_.rows.empty()) {
      throw UsageError(fmt::format(
          "--out: '{}' holds {} of a sweep that ended early; --resume goes on from there. To begin "
          "anew, remove it first",
          path_.string(), counted(std::ssize(table_.rows), "run")));
    }
    // Half a line is of a run that did not get here.
    if (table_.rows.empty()) wholeBytes = 0;
    fs::resize_file(path_, wholeBytes);
  } catch (...) {
    close(lock_);
    throw;
  }
}

SweepJournal::~SweepJournal() { close(lock_); }

void SweepJournal::start(const std::string& header) {
  file_.emplace(path_, "--out", LineFile::Begin::kAtEnd);
  if (table_.rows.empty()) file_->writeLine(header);
  table_.header = header;
}

void SweepJournal::add(const std::string& line) { file_->writeLine(line); }

void SweepJournal::remove() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

}  // namespace drystone::cli
