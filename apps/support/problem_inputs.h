#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace drystone::cli {

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
