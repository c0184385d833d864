#include "apps/support/problem_inputs.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "apps/support/file_kind.h"
#include "core/input_error.h"

namespace drystone::cli {
namespace fs = std::filesystem;
namespace {

bool isProblemFile(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".hdf5" || extension == ".h5") return true;
  return extension == ".json" && startsAsProblem(path.string());
}

std::vector<std::string> problemsIn(const fs::path& folder) {
  std::vector<std::string> paths = problemFilesIn(folder);
  if (paths.empty()) {
    throw InputError(fmt::format(
        "{}: this folder holds no problem files (drystone .json, .hdf5, .h5)", folder.string()));
  }
  return paths;
}

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found = {};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  if (paths.empty()) throw InputError(fmt::format("{}: no file matches this pattern", pattern));
  return paths;
}

std::vector<std::string> pathsOf(const std::string& argument) {
  std::error_code error;
  if (fs::is_directory(argument, error)) return problemsIn(argument);
  const bool isPattern = argument.find_first_of("*?[") != std::string::npos;
  if (isPattern && !fs::exists(argument, error)) return matching(argument);
  return {argument};
}

}  // namespace

std::vector<std::string> problemFilesIn(const fs::path& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error) && isProblemFile(entry.path())) {
      paths.push_back(entry.path().string());
    }
  }
  // The order of a folder's entries is the file system's whim.
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<ProblemInput> findProblems(const std::vector<std::string>& arguments) {
  std::vector<ProblemInput> inputs;
  std::map<std::string, int> uses;
  for (const std::string& argument : arguments) {
    for (const std::string& path : pathsOf(argument)) {
      inputs.push_back({path, fs::path(path).stem().string()});
      ++uses[inputs.back().name];
    }
  }
  for (ProblemInput& input : inputs) {
    if (uses[input.name] > 1) input.name = input.path;
  }
  return inputs;
}

}  // namespace drystone::cli
