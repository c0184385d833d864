#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace drystone::cli {

/// What a file is by its content, whatever its name.
enum class FileKind {
  kScene,      ///< JSON with a key that scenes alone have, or the name of a library scene
  kProblem,    ///< `drystone-problem` JSON, or HDF5 with the groups of a contact problem
  kRecording,  ///< HDF5 with the group of a recording
  kOther,      ///< nothing of these, damaged, or not there
};

/// Throws InputError where a file is of another kind than a command takes: it says what the file is
/// and which command takes it. What is wrong with a file of no known kind is for its reader to say.
void requireFileKind(const std::string& path, FileKind wanted);

/// A problem file and the name that the output gives it.
struct ProblemInput {
  std::string path;
  std::string name;  ///< file name without extension; the path where two files share it
};

/// Paths of the problem files in a folder, sorted; none when it cannot be read.
std::vector<std::string> problemFilesIn(const std::filesystem::path& folder);

/// Problem files that the arguments mean: files as they are; of a folder, by name, its HDF5 files
/// and those of its JSON files that are drystone problems; patterns with * ? [ expanded. Throws
/// InputError for a folder or pattern that holds none. Files are not opened beyond their first
/// bytes.
std::vector<ProblemInput> findProblems(const std::vector<std::string>& arguments);

}  // namespace drystone::cli
