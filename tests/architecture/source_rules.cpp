#include "tests/architecture/source_rules.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <sstream>

namespace drystone {
namespace {

constexpr int kMaxLines = 500;

// All folders with code. A quoted include names its file from the root, so it starts with one.
constexpr std::string_view kFolders[] = {"engine/", "solvers/", "collision/", "scenes/",
                                         "apps/",   "gpu/",     "viewer/",    "bindings/",
                                         "bench/",  "tests/",   "include/"};

/// Who may include whom. The first entry whose `folder` starts the path holds. An entry of
/// `allowed` that ends in "*" stands for the files of that folder itself, its public headers, and
/// not for those of its subfolders.
struct FolderRule {
  std::string_view folder;
  std::vector<std::string_view> allowed;
};

const std::vector<FolderRule>& folderRules() {
  static const std::vector<FolderRule> rules = {
      {"engine/core/", {"engine/core/"}},
      {"engine/", {"engine/", "solvers/*", "collision/*"}},
      {"solvers/", {"engine/core/", "solvers/"}},
      {"collision/", {"engine/core/", "collision/"}},
      {"scenes/", {"scenes/", "engine/", "solvers/*", "collision/*"}},
      {"gpu/", {"gpu/", "solvers/", "engine/core/"}},
      {"viewer/scene/", {"viewer/scene/", "scenes/", "engine/", "solvers/*", "collision/*"}},
      {"viewer/simulation/",
       {"viewer/simulation/", "viewer/scene/", "scenes/", "engine/", "solvers/", "collision/*"}},
      {"viewer/render/", {"viewer/render/", "viewer/scene/", "scenes/*", "engine/", "collision/*"}},
      {"viewer/", {"viewer/", "scenes/", "engine/", "solvers/*", "collision/*"}},
      {"include/", {"engine/", "solvers/*", "gpu/*", "collision/*", "scenes/*"}},
  };
  return rules;
}

/// A library or language extension that only the named places may use. Both patterns are searched
/// in code without comments and string literals; `header` in the name between <> or "".
struct ThirdPartyRule {
  std::string_view what;
  std::regex header;
  std::regex code;
  std::vector<std::string_view> places;
};

const std::vector<ThirdPartyRule>& thirdPartyRules() {
  static const std::regex nothing("[^\\s\\S]");
  static const std::vector<ThirdPartyRule> rules = {
      {"Bullet",
       std::regex("^(bullet/|bt[A-Z]|Bullet|LinearMath/)"),
       std::regex("\\bbt[A-Z]\\w*|\\bBT_USE_"),
       {"collision/bullet/", "bench/peers/bullet_world.cpp"}},
      {"ODE", std::regex("^ode/"), nothing, {"bench/peers/ode_world.cpp"}},
      {"MuJoCo", std::regex("^mujoco/"), nothing, {"bench/peers/mujoco_world.cpp"}},
      {"nlohmann-json",
       std::regex("^nlohmann/"),
       std::regex("\\bnlohmann::"),
       {"scenes/", "solvers/problem_file", "apps/", "tests/"}},
      {"HDF5",
       std::regex("^(hdf5|H5)"),
       std::regex("\\bH5[A-Z]\\w*\\("),
       {"solvers/problem_file", "engine/observe/record"}},
      {"threads",
       std::regex("^(thread$|omp\\.h)"),
       std::regex("#\\s*pragma\\s+omp|\\bomp_\\w+\\(|\\bstd::j?thread\\b"),
       {"engine/core/", "engine/observe/recorder", "viewer/", "tests/"}},
      {"CUDA",
       std::regex("^(cuda|cublas|cusparse|thrust/|cub/)"),
       std::regex("\\bcuda[A-Z]\\w*\\(|__global__"),
       {"gpu/cuda/"}},
      {"OpenGL or ImGui",
       std::regex("^(GL/|GLES|EGL/|GLFW/|epoxy/|imgui)"),
       nothing,
       {"viewer/render/", "viewer/app/", "tests/unit/viewer_app/"}},
      {"CLI11", std::regex("^CLI/"), std::regex("\\bCLI::"), {"apps/", "bench/", "tests/"}},
  };
  return rules;
}

struct Include {
  std::string name;
  bool quoted = false;
};

std::optional<Include> includeOf(const std::string& line) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::smatch match;
  if (!std::regex_search(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

bool startsWithAny(std::string_view path, const std::vector<std::string_view>& prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view p) { return path.starts_with(p); });
}

bool isAllowed(std::string_view include, std::string_view allowed) {
  if (!allowed.ends_with('*')) return include.starts_with(allowed);
  allowed.remove_suffix(1);
  return include.starts_with(allowed) &&
         include.find('/', allowed.size()) == std::string_view::npos;
}

std::string join(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

class SourceCheck {
 public:
  SourceCheck(const std::string& path, bool hasOwnHeader)
      : path_(path), ownHeader_(hasOwnHeader ? headerOf(path) : "") {}

  std::vector<std::string> run(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    while (std::getline(lines, line)) {
      ++line_;
      hasPragmaOnce_ = hasPragmaOnce_ || line.starts_with("#pragma once");
      if (const auto include = includeOf(line)) {
        checkInclude(*include);
      } else {
        checkCode(codeOf(line));
      }
    }
    checkWhole();
    return std::move(problems_);
  }

 private:
  static std::string headerOf(const std::string& path) {
    return path.substr(0, path.rfind('.')) + ".h";
  }

  void problem(const std::string& text) {
    problems_.push_back(path_ + ":" + std::to_string(line_) + ": " + text);
  }

  void checkInclude(const Include& include) {
    if (includes_++ == 0 && !ownHeader_.empty() && include.name != ownHeader_) {
      problem("includes " + include.name + " before its own header " + ownHeader_);
    }
    for (const ThirdPartyRule& rule : thirdPartyRules()) {
      if (std::regex_search(include.name, rule.header)) checkPlace(rule);
    }
    if (include.quoted) {
      checkFolder(include.name);
    } else if (path_.starts_with("engine/core/")) {
      const bool standard = include.name.find_first_of("./") == std::string::npos;
      if (!standard && !include.name.starts_with("Eigen/") && include.name != "omp.h") {
        problem("includes <" + include.name + ">: core uses only the standard library and Eigen");
      }
    }
  }

  void checkFolder(const std::string& include) {
    if (std::ranges::none_of(kFolders,
                             [&](std::string_view f) { return include.starts_with(f); })) {
      problem("includes \"" + include + "\": name the file from the root of the source tree");
      return;
    }
    const auto rule = std::ranges::find_if(
        folderRules(), [&](const FolderRule& r) { return path_.starts_with(r.folder); });
    if (rule == folderRules().end()) return;
    if (std::ranges::any_of(
            rule->allowed, [&](std::string_view allowed) { return isAllowed(include, allowed); })) {
      return;
    }
    problem("includes \"" + include + "\": " + std::string(rule->folder) + " may include only " +
            join(rule->allowed));
  }

  void checkCode(const std::string& code) {
    for (const ThirdPartyRule& rule : thirdPartyRules()) {
      if (std::regex_search(code, rule.code)) checkPlace(rule);
    }
  }

  void checkPlace(const ThirdPartyRule& rule) {
    if (startsWithAny(path_, rule.places)) return;
    problem("uses " + std::string(rule.what) + ", which only " + join(rule.places) + " may");
  }

  void checkWhole() {
    if (path_.ends_with(".h") && !hasPragmaOnce_) problem("header without #pragma once");
    if (line_ > kMaxLines &&
        startsWithAny(path_, {"engine/", "solvers/", "collision/", "scenes/", "apps/"})) {
      problem("more than " + std::to_string(kMaxLines) + " lines: split the file");
    }
  }

  const std::string& path_;
  std::string ownHeader_;
  int line_ = 0;
  int includes_ = 0;
  bool hasPragmaOnce_ = false;
  std::vector<std::string> problems_;
};

}  // namespace

std::string codeOf(const std::string& line) {
  std::string code;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == quote) {
        quote = 0;
        code += line[i];
      }
      continue;
    }
    if (line.compare(i, 2, "//") == 0) break;
    // A quote between digits separates thousands.
    const bool separator = line[i] == '\'' && i > 0 && std::isalnum(line[i - 1]) != 0;
    if (line[i] == '"' || (line[i] == '\'' && !separator)) quote = line[i];
    code += line[i];
  }
  return code;
}

std::vector<std::string> checkSource(const std::string& path, std::string_view text,
                                     bool hasOwnHeader) {
  return SourceCheck(path, hasOwnHeader).run(text);
}

std::vector<std::string> sourceFiles(const std::filesystem::path& root) {
  std::vector<std::string> files;
  for (std::string_view folder : kFolders) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file()) continue;
      if (extension == ".h" || extension == ".cpp" || extension == ".cu" || extension == ".cuh") {
        files.push_back(entry.path().lexically_relative(root).generic_string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace drystone
