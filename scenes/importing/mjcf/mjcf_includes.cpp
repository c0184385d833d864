// Files that an MJCF model includes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "scenes/importing/mjcf/mjcf.h"
#include "scenes/reading/read_scene.h"

namespace drystone::importing {
namespace {

namespace fs = std::filesystem;

/// The same for all names of a file.
fs::path identity(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? path : found;
}

class Includer {
 public:
  Includer(const std::string& label, std::string directory) : directory_(std::move(directory)) {
    open_.push_back(identity(fs::path(directory_) / fs::path(label).filename()));
    known_ = open_;
  }

  /// Goes through the elements of a file, which lies in `folder`.
  void walk(XmlFile& file, const XmlElement& element, const fs::path& folder) {
    for (const XmlElement& child : element.children()) {
      if (child.tag() == "include") {
        include(file, child, folder);
      } else {
        walk(file, child, folder);
      }
    }
  }

 private:
  void include(XmlFile& file, const XmlElement& place, const fs::path& folder) {
    const std::string name = place.requiredText("file");
    if (name.empty()) return;
    const fs::path path = find(name, folder);
    if (path.empty()) {
      return place.problem(fmt::format("there is no file {} to include; it is looked for in {}",
                                       name, foldersText(folder)));
    }
    const fs::path same = identity(path);
    if (std::ranges::find(open_, same) != open_.end()) {
      return place.problem(fmt::format("{} includes itself; remove this <include>", name));
    }
    if (std::ranges::find(known_, same) != known_.end()) {
      return place.problem(
          fmt::format("{} is included already, and its names can be only once; "
                      "remove one <include>",
                      name));
    }
    known_.push_back(same);
    XmlFile& part = file.include(place, readTextFile(path.string()), path.string());
    const std::string_view root = part.root().tag();
    if (root != "mujoco" && root != "mujocoinclude") {
      return part.root().problem(
          fmt::format("<{}> is no part of a model; files that are included begin with <mujoco> or "
                      "<mujocoinclude>",
                      root));
    }
    open_.push_back(same);
    walk(part, part.root(), path.parent_path());
    open_.pop_back();
  }

  /// As in MuJoCo from the folder of the model, or else from that of the file that includes it.
  fs::path find(const std::string& name, const fs::path& folder) const {
    for (const fs::path& from : {fs::path(directory_), folder}) {
      std::error_code error;
      if (fs::is_regular_file(from / name, error)) return from / name;
    }
    return {};
  }

  std::string foldersText(const fs::path& folder) const {
    const fs::path model = identity(directory_), own = identity(folder);
    return model == own ? model.string() : fmt::format("{} and {}", model.string(), own.string());
  }

  std::string directory_;        ///< of the model
  std::vector<fs::path> open_;   ///< the file that is read, and those that include it
  std::vector<fs::path> known_;  ///< all so far
};

}  // namespace

void includeMjcfFiles(XmlFile& model, const std::string& label, const std::string& directory) {
  Includer(label, directory).walk(model, model.root(), directory);
}

}  // namespace drystone::importing
