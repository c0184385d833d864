#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace drystone::cli {

/// Throws UsageError, naming `option`, unless a file can be written at `path`: the folder is there
/// and writable and the path is no folder. Call it before the work whose result goes there.
void checkWritableFile(const std::filesystem::path& path, const std::string& option);

/// Throws UsageError, naming `option`, when the file at `path` is one of the inputs, whatever way
/// there it names: writing would destroy it. Inputs that are no files do not count.
void refuseInputFile(const std::filesystem::path& path, const std::string& option,
                     std::span<const std::string> inputs);

/// A file that an option names; empty: the option was not given.
struct NamedOutput {
  std::filesystem::path path;
  std::string option;
};

/// Throws UsageError, naming both options, when two of them name the same file, whatever way there:
/// each would write into the other's.
void refuseSameOutputs(std::span<const NamedOutput> outputs);

/// Throws UsageError, naming `option`, when `path` ends as JSON files do, for files in other
/// formats: a scene or a problem may be there, which nothing brings back.
void refuseJsonFile(const std::filesystem::path& path, const std::string& option);

/// Throws UsageError, naming `option`, when something else than a file on a disk is at `path`, such
/// as a device or a pipe: for formats whose writers go back and forth in the file.
void requireDiskFile(const std::filesystem::path& path, const std::string& option);

/// All of these for a file in another format than JSON; an empty path is none, and passes.
void checkOutputFile(const std::filesystem::path& path, const std::string& option,
                     std::span<const std::string> inputs);

/// Makes the folder (its parent must exist) unless it is there; throws UsageError when it cannot
/// be made or written into.
void checkWritableDirectory(const std::filesystem::path& path, const std::string& option);

/// A text file that grows by whole lines, each flushed: a killed program leaves complete rows.
class LineFile {
 public:
  enum class Begin : std::uint8_t { kEmpty, kAtEnd };
  /// Throws UsageError, naming the option, when the file cannot be written. A file that is there is
  /// replaced, or goes on at its end.
  LineFile(const std::filesystem::path& path, const std::string& option,
           Begin begin = Begin::kEmpty);
  /// Adds the line and its end; throws std::runtime_error when the disk is full.
  void writeLine(const std::string& line);

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace drystone::cli
