#include "apps/support/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "apps/support/json_values.h"
#include "core/input_error.h"
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
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object() || json.contains("format")) return FileKind::kOther;
  constexpr std::array<const char*, 3> kKeys = {"bodies", "generators", "world"};
  const bool isScene =
      std::ranges::any_of(kKeys, [&](const char* key) { return json.contains(key); });
  return isScene ? FileKind::kScene : FileKind::kOther;
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
      return wanted == FileKind::kProblem
                 ? fmt::format("`drystone run {} --dump-problems DIR` writes its problems", path)
                 : fmt::format("`drystone run {} --record FILE.h5` makes a recording of it", path);
    case FileKind::kProblem:
      return fmt::format("`drystone solve {}` solves it", path);
    default:
      return fmt::format("`drystone replay {0}` runs it again, `drystone view {0}` shows it", path);
  }
}

}  // namespace

bool startsAsProblem(const std::string& path) {
  return headOf(path).find("drystone-problem") != std::string::npos;
}

FileKind fileKind(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return findLibraryScene(path) != nullptr ? FileKind::kScene : FileKind::kOther;
  }
  constexpr std::string_view kHdf5 = "\x89HDF\r\n\x1a\n";
  const std::string head = headOf(path);
  if (head.starts_with(kHdf5)) return kindOfHdf5(path);
  if (head.find("drystone-problem") != std::string::npos) return FileKind::kProblem;
  return kindOfJson(path);
}

void requireFileKind(const std::string& path, FileKind wanted) {
  const FileKind kind = fileKind(path);
  if (kind == wanted || kind == FileKind::kOther) return;
  throw InputError(fmt::format("{}: is a {} and no {}; {}", path, nounOf(kind), nounOf(wanted),
                               useOf(kind, wanted, path)));
}

}  // namespace drystone::cli
