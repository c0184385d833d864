#include "apps/support/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <system_error>

#include "apps/support/program.h"

namespace drystone::cli {
namespace fs = std::filesystem;
namespace {

fs::path folderOf(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

void requireFolder(const fs::path& folder, const std::string& option) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw UsageError(
        fmt::format("{}: there is no folder '{}'; make it first", option, folder.string()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UsageError(fmt::format("{}: cannot write into '{}': {}", option, folder.string(),
                                 std::strerror(errno)));
  }
}

/// Tries it: rights alone do not tell of a full disk, a name that is too long, or a folder of the
/// kernel. Leaves all as it is.
void tryToMake(const fs::path& path, const std::string& option) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) {
    throw UsageError(
        fmt::format("{}: cannot write '{}': {}", option, path.string(), std::strerror(errno)));
  }
  close(file);
  unlink(path.c_str());
}

void tryToMakeAFile(const fs::path& folder, const std::string& option) {
  std::string path = (folder / ".drystone_XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) {
    throw UsageError(fmt::format("{}: cannot write into '{}': {}", option, folder.string(),
                                 std::strerror(errno)));
  }
  close(file);
  unlink(path.c_str());
}

[[noreturn]] void failWriting(const std::string& path) {
  throw std::runtime_error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

}  // namespace

void checkWritableFile(const fs::path& path, const std::string& option) {
  std::error_code error;
  if (path.empty()) throw UsageError(option + ": the file name is empty");
  if (path == "-") {
    throw UsageError(option + ": '-' does not mean stdout here, a file is needed");
  }
  if (fs::is_directory(path, error)) {
    throw UsageError(fmt::format("{}: '{}' is a folder, a file is needed", option, path.string()));
  }
  requireFolder(folderOf(path), option);
  if (fs::exists(path, error) && access(path.c_str(), W_OK) != 0) {
    throw UsageError(
        fmt::format("{}: cannot overwrite '{}': {}", option, path.string(), std::strerror(errno)));
  }
  // A link that leads nowhere is made where it leads, which need not be here.
  const fs::file_type type = fs::symlink_status(path, error).type();
  if (type == fs::file_type::not_found) tryToMake(path, option);
}

void refuseInputFile(const fs::path& path, const std::string& option,
                     std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!fs::equivalent(path, input, error) || error) continue;
    throw UsageError(fmt::format("{}: '{}' is the input file '{}'; name another one", option,
                                 path.string(), input));
  }
}

void refuseSameOutputs(std::span<const NamedOutput> outputs) {
  std::map<fs::path, std::string> options;
  for (const NamedOutput& output : outputs) {
    if (output.path.empty()) continue;
    std::error_code error;
    const fs::path place = fs::weakly_canonical(fs::absolute(output.path, error), error);
    const auto [first, isNew] = options.emplace(place, output.option);
    if (isNew) continue;
    throw UsageError(fmt::format("{}: '{}' is the file of {}, too; name another one", output.option,
                                 output.path.string(), first->second));
  }
}

void refuseJsonFile(const fs::path& path, const std::string& option) {
  if (path.extension() != ".json") return;
  throw UsageError(fmt::format(
      "{}: '{}' would be no JSON file: recordings and states end in .h5, tables in .csv", option,
      path.string()));
}

void requireDiskFile(const fs::path& path, const std::string& option) {
  std::error_code error;
  if (!fs::exists(path, error) || fs::is_regular_file(path, error)) return;
  throw UsageError(fmt::format("{}: '{}' is no file on a disk, and cannot hold this format", option,
                               path.string()));
}

void checkOutputFile(const fs::path& path, const std::string& option,
                     std::span<const std::string> inputs) {
  if (path.empty()) return;
  refuseInputFile(path, option, inputs);
  refuseJsonFile(path, option);
  checkWritableFile(path, option);
}

void checkWritableDirectory(const fs::path& path, const std::string& option) {
  std::error_code error;
  if (path.empty()) throw UsageError(option + ": the folder name is empty");
  if (!fs::exists(path, error)) {
    fs::create_directory(path, error);
    if (error) {
      throw UsageError(fmt::format("{}: cannot make the folder '{}': {}", option, path.string(),
                                   error.message()));
    }
  }
  requireFolder(path, option);
  tryToMakeAFile(path, option);
}

LineFile::LineFile(const fs::path& path, const std::string& option, Begin begin)
    : path_(path.string()) {
  checkWritableFile(path, option);
  file_.reset(std::fopen(path.c_str(), begin == Begin::kAtEnd ? "ab" : "wb"));
  if (!file_) {
    throw UsageError(fmt::format("{}: cannot write '{}': {}", option, path_, std::strerror(errno)));
  }
}

void LineFile::writeLine(const std::string& line) {
  // One write call per line, so that a signal or a crash leaves no half row.
  const std::string whole = line + "\n";
  if (std::fwrite(whole.data(), 1, whole.size(), file_.get()) != whole.size() ||
      std::fflush(file_.get()) != 0) {
    failWriting(path_);
  }
}

}  // namespace drystone::cli
