#include "apps/support/input_files.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

#include "apps/support/json_values.h"
#include "core/input_error.h"
#include "core/json_text.h"
#include "engine/recording/recording_hdf5.h"
#include "scenes/scene_library.h"

namespace drystone::cli {
namespace fs = std::filesystem;
namespace {

/// The first bytes of a file; a problem names its format among them.
std::string headOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

/// Problem sets have index files beside them: a JSON file is a problem only if it starts as one.
bool startsAsProblem(const std::string& head) {
  return head.find("drystone-problem") != std::string::npos;
}

FileKind kindOfHdf5(const std::string& path) {
  try {
    const detail::ArrayFileReader file(path);
    if (file.has("run")) return FileKind::kRecording;
    for (const char* group : {"drystone", "fclib_local", "fclib_global"}) {
      if (file.has(group)) return FileKind::kProblem;
    }
  } catch (const InputError&) {  // damaged: its reader says how
  }
  return FileKind::kOther;
}

FileKind kindOfJson(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const Json json = Json::parse(plainJson(text), nullptr, false);
  if (!json.is_object() || json.contains("format")) return FileKind::kOther;
  constexpr std::array<const char*, 3> kKeys = {"bodies", "generators", "world"};
  const bool isScene =
      std::ranges::any_of(kKeys, [&](const char* key) { return json.contains(key); });
  return isScene ? FileKind::kScene : FileKind::kOther;
}

/// JSON that is no problem is read to its end, but not where a scene is wanted: what else it may
/// be, the reader of scenes says.
FileKind kindOf(const std::string& path, FileKind wanted) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return findLibraryScene(path) != nullptr ? FileKind::kScene : FileKind::kOther;
  }
  constexpr std::string_view kHdf5 = "\x89HDF\r\n\x1a\n";
  const std::string head = headOf(path);
  if (head.starts_with(kHdf5)) return kindOfHdf5(path);
  if (startsAsProblem(head)) return FileKind::kProblem;
  return wanted == FileKind::kScene ? FileKind::kOther : kindOfJson(path);
}

const char* nounOf(FileKind kind) {
  switch (kind) {
    case FileKind::kScene:
      return "scene";
    case FileKind::kProblem:
      return "contact problem";
    default:
      return "recording";
  }
}

std::string useOf(FileKind kind, FileKind wanted, const std::string& path) {
  switch (kind) {
    case FileKind::kScene:
      return fmt::format("`drystone run {}` simulates it, and with {} writes {}", path,
                         wanted == FileKind::kProblem ? "--dump-problems DIR" : "--record FILE.h5",
                         wanted == FileKind::kProblem ? "its problems" : "a recording");
    case FileKind::kProblem:
      return fmt::format("`drystone solve {}` solves it", path);
    default:
      return fmt::format("`drystone replay {0}` runs it again, `drystone view {0}` shows it", path);
  }
}

bool isProblemFile(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".hdf5" || extension == ".h5") return true;
  return extension == ".json" && startsAsProblem(headOf(path.string()));
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

void requireFileKind(const std::string& path, FileKind wanted) {
  const FileKind kind = kindOf(path, wanted);
  if (kind == wanted || kind == FileKind::kOther) return;
  throw InputError(fmt::format("{}: is a {} and no {}; {}", path, nounOf(kind), nounOf(wanted),
                               useOf(kind, wanted, path)));
}

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
