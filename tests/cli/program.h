#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace drystone::test {

/// What a run of the built program left.
struct ProgramResult {
  int exitCode = -1;  ///< -1: ended by a signal that it did not handle
  std::string out;
  std::string err;

  bool errContains(const std::string& text) const { return err.find(text) != std::string::npos; }
  bool outContains(const std::string& text) const { return out.find(text) != std::string::npos; }
  /// stdout as JSON; a test failure and null when it is none.
  nlohmann::ordered_json json() const;
};

/// Runs `drystone` with the arguments to its end.
ProgramResult drystone(const std::vector<std::string>& arguments);

/// The same with stdout going to an existing file or device; `out` stays empty.
ProgramResult drystoneInto(const std::filesystem::path& output,
                           const std::vector<std::string>& arguments);

/// Runs `drystone` and sends the signal once the file exists and holds at least `lines` lines.
ProgramResult drystoneInterrupted(const std::vector<std::string>& arguments, int signal,
                                  const std::filesystem::path& watched, int lines);

/// A folder of its own for each test, removed at its end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes the text to a file of the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// File names in a subfolder, sorted.
  std::vector<std::string> list(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

std::string readText(const std::filesystem::path& path);
std::vector<std::string> splitLines(const std::string& text);
std::vector<std::string> splitFields(const std::string& line);

}  // namespace drystone::test
