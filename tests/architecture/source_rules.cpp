#include "tests/architecture/source_rules.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace drystone {
namespace {

constexpr int kMaxLines = 400;

// All folders with code. A quoted include names its file from the root, so it starts with one.
constexpr std::string_view kRoots[] = {"core/",     "engine/",      "solvers/", "collision/",
                                       "scenes/",   "apps/",        "gpu/",     "viewer/",
                                       "bindings/", "bench/",       "tests/",   "include/",
                                       "examples/", "distributed/", "solids/"};

/// The layer whose folders hold a file; null: tests, studies and what else may include all.
const Layer* layerOf(std::string_view file) {
  const std::string_view folder = file.substr(0, file.rfind('/'));
  for (const Layer& layer : layers()) {
    if (std::ranges::count(layer.folders, folder) > 0) return &layer;
  }
  return nullptr;
}

bool isBelow(std::string_view lower, const Layer& upper) {
  return std::ranges::any_of(upper.links, [&](std::string_view link) {
    if (link == lower) return true;
    const auto linked = std::ranges::find(layers(), link, &Layer::name);
    return linked != layers().end() && isBelow(lower, *linked);
  });
}

/// A library or language extension that only the named places may use. Both patterns are searched
/// in code without comments and string literals; `header` in the name between <> or "".
struct ThirdPartyRule {
  std::string_view what;
  std::regex header;
  std::vector<std::string_view> signs;  ///< code has one of them wherever `code` matches
  std::regex code;
  std::vector<std::string_view> places;
};

const std::vector<ThirdPartyRule>& thirdPartyRules() {
  static const std::vector<ThirdPartyRule> rules = {
      {"Bullet",
       std::regex("^(bullet/|bt[A-Z]|Bullet|LinearMath/)"),
       {"bt", "BT_"},
       std::regex("\\bbt[A-Z]\\w*|\\bBT_USE_"),
       {"collision/bullet/", "bench/peers/bullet_world.cpp"}},
      {"ODE", std::regex("^ode/"), {}, {}, {"bench/peers/ode_world.cpp"}},
      {"MuJoCo",
       std::regex("^mujoco/"),
       {},
       {},
       {"bench/peers/mujoco_batch.cpp", "bench/peers/mujoco_world.cpp"}},
      {"nlohmann-json",
       std::regex("^nlohmann/"),
       {"nlohmann"},
       std::regex("\\bnlohmann::"),
       {"scenes/", "solvers/file/", "viewer/exporting/", "apps/", "tests/"}},
      {"HDF5",
       std::regex("^(hdf5|H5)"),
       {"H5"},
       std::regex("\\bH5[A-Z]\\w*\\("),
       {"solvers/file/", "engine/recording/"}},
      {"MPI",
       std::regex("^mpi\\.h$"),
       {"MPI_"},
       std::regex("\\bMPI_[A-Z]\\w*"),
       {"distributed/mpi_processes", "engine/recording/shared_hdf5"}},
      {"OpenMP", std::regex("^omp\\.h$"), {"omp_"}, std::regex("\\bomp_"), {"core/openmp.cpp"}},
      {"threads",
       std::regex("^(thread$|omp\\.h)"),
       {"omp", "thread"},
       std::regex("#\\s*pragma\\s+omp|\\bomp_\\w+\\(|\\bstd::j?thread\\b"),
       {"core/", "engine/recording/recorder", "apps/sweep/run_sweep", "viewer/session/",
        "viewer/window/", "tests/", "examples/"}},
      {"CUDA",
       std::regex("^(cuda|cublas|cusparse|thrust/|cub/)"),
       {"cuda", "__global__"},
       std::regex("\\bcuda[A-Z]\\w*\\(|__global__"),
       {"gpu/cuda/", "tests/support/cuda_fake/", "tests/unit/cuda_fake/"}},
      {"OpenGL or ImGui",
       std::regex("^(GL/|GLES|EGL/|GLFW/|epoxy/|imgui)"),
       {},
       {},
       {"viewer/render/", "viewer/window/", "tests/unit/viewer_window/"}},
      {"tinyxml2",
       std::regex("^tinyxml2"),
       {"tinyxml2"},
       std::regex("\\btinyxml2::"),
       {"scenes/importing/xml_element."}},
      {"pybind11",
       std::regex("^pybind11/"),
       {"pybind11"},
       std::regex("\\bpybind11::"),
       {"bindings/python/"}},
      {"CLI11",
       std::regex("^CLI/"),
       {"CLI::"},
       std::regex("\\bCLI::"),
       {"apps/", "bench/", "tests/"}},
      // Layers that read, print and draw are built with little optimisation: the linker would take
      // their copies of Eigen's templates for those of the solvers. Two use them at fixed size.
      {"a matrix decomposition",
       std::regex("^Eigen/(Cholesky|LU|QR|SVD|Eigenvalues|Sparse(Cholesky|LU|QR))$"),
       {},
       {},
       {"solvers/problem/", "solvers/linear/", "solvers/prox/", "solvers/pivoting/",
        "solvers/reference/", "engine/model/", "engine/step/", "engine/statics/",
        "engine/gradients/", "tests/", "bench/", "viewer/render/renderer.cpp",
        "viewer/session/drag.cpp"}},
  };
  return rules;
}

struct Include {
  std::string name;
  bool quoted = false;
};

std::optional<Include> includeOf(const std::string& line) {
  if (line.find("include") == std::string::npos) return std::nullopt;  // most lines, fast
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::smatch match;
  if (!std::regex_search(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

bool startsWithAny(std::string_view path, const std::vector<std::string_view>& prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view p) { return path.starts_with(p); });
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
    const bool isOurs = std::ranges::any_of(
        kRoots, [&](std::string_view root) { return include.name.starts_with(root); });
    if (include.quoted && path_.starts_with("examples/")) {
      problem("includes \"" + include.name + "\": examples use the public headers, <drystone/...>");
    } else if (include.quoted) {
      checkFolder(include.name);
    } else if (isOurs) {
      problem("includes <" + include.name + ">: a file of this tree goes in quotes");
    } else if (path_.starts_with("core/")) {
      const bool standard = include.name.find_first_of("./") == std::string::npos;
      const bool known = include.name.starts_with("Eigen/") || include.name == "omp.h";
      if (!standard && !known) {
        problem("includes <" + include.name +
                ">: core uses only the standard library, Eigen and OpenMP");
      }
    }
  }

  void checkFolder(const std::string& include) {
    if (std::ranges::none_of(kRoots, [&](std::string_view f) { return include.starts_with(f); })) {
      problem("includes \"" + include + "\": name the file from the root of the source tree");
      return;
    }
    const Layer* own = layerOf(path_);
    if (own == nullptr) return;
    const Layer* included = layerOf(include);
    if (included == own || (included != nullptr && isBelow(included->name, *own))) return;
    problem("includes \"" + include + "\": " + std::string(own->name) + " stands on " +
            join(own->links));
  }

  void checkCode(const std::string& code) {
    const auto has = [&](std::string_view sign) { return code.find(sign) != std::string::npos; };
    for (const ThirdPartyRule& rule : thirdPartyRules()) {
      // A search for some letters takes a hundredth of the time of one for a pattern.
      if (std::ranges::any_of(rule.signs, has) && std::regex_search(code, rule.code)) {
        checkPlace(rule);
      }
    }
  }

  void checkPlace(const ThirdPartyRule& rule) {
    if (startsWithAny(path_, rule.places)) return;
    problem("uses " + std::string(rule.what) + ", which only " + join(rule.places) + " may");
  }

  void checkWhole() {
    const std::string extension = path_.substr(std::min(path_.rfind('.'), path_.size()));
    // Programs in C, which show that C takes the headers of its binding.
    const bool isC =
        extension == ".c" && startsWithAny(path_, {"bindings/c/tests/", "tests/package/"});
    if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh" &&
        !isC) {
      problem("name it .h, .cpp, .cu or .cuh");
    }
    if (path_.ends_with(".h") && !hasPragmaOnce_) problem("header without #pragma once");
    if (line_ > kMaxLines) {
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

const std::vector<Layer>& layers() {
  static const std::vector<Layer> table = {
      {"core", {"core"}, {}},
      {"solids", {"solids"}, {"core"}},
      {"problem", {"solvers/problem"}, {"core"}},
      {"linear", {"solvers/linear"}, {"problem"}},
      {"file", {"solvers/file"}, {"linear"}},
      {"sensitivity", {"solvers/sensitivity"}, {"linear"}},
      {"condense", {"solvers/condense"}, {"linear"}},
      {"driver", {"solvers/driver"}, {"condense"}},
      {"solid_contact", {"solids/contact"}, {"solids", "driver"}},
      {"prox", {"solvers/prox"}, {"driver"}},
      {"first_order", {"solvers/first_order"}, {"driver"}},
      {"pivoting", {"solvers/pivoting"}, {"prox"}},
      {"krylov", {"solvers/krylov"}, {"pivoting"}},
      {"staggered", {"solvers/staggered", "solvers/staggered/qp"}, {"pivoting"}},
      {"reference", {"solvers/reference"}, {"pivoting"}},
      {"automatic", {"solvers/automatic"}, {"staggered", "reference"}},
      {"solvers", {"solvers"}, {"file", "first_order", "krylov", "automatic", "sensitivity"}},
      {"gpu_layout", {"gpu/layout"}, {"problem"}},
      {"gpu_kernels", {"gpu/kernels"}, {"gpu_layout", "linear"}},
      {"gpu_forms", {"gpu/forms"}, {"gpu_kernels"}},
      {"gpu", {"gpu"}, {"gpu_forms", "solvers"}},
      {"gpu_cuda", {"gpu/cuda"}, {"gpu"}},
      {"shape", {"collision/shape"}, {"core"}},
      {"narrow", {"collision/narrow"}, {"shape"}},
      {"collision", {"collision", "collision/bullet", "collision/analytic"}, {"narrow"}},
      {"model", {"engine/model"}, {"driver", "collision"}},
      {"step", {"engine/step"}, {"model"}},
      {"observe", {"engine/observe"}, {"step"}},
      {"world", {"engine/world"}, {"observe"}},
      {"recording", {"engine/recording"}, {"world", "file"}},
      {"statics", {"engine/statics"}, {"world"}},
      {"gradients", {"engine/gradients"}, {"world", "sensitivity"}},
      {"distributed", {"distributed"}, {"world", "first_order"}},
      {"scenes", {"scenes", "scenes/reading", "scenes/generators"}, {"recording"}},
      {"importing",
       {"scenes/importing", "scenes/importing/urdf", "scenes/importing/mjcf"},
       {"scenes"}},
      {"viewer_draw", {"viewer/draw"}, {"scenes"}},
      {"viewer_exporting", {"viewer/exporting"}, {"viewer_draw"}},
      {"viewer_session", {"viewer/session"}, {"viewer_draw", "solvers"}},
      {"viewer_render", {"viewer/render"}, {"viewer_draw"}},
      {"viewer_window",
       {"viewer/window", "viewer/window/panels"},
       {"viewer_session", "viewer_render"}},
      {"support", {"apps/support"}, {"scenes", "statics", "gpu"}},
      {"frames", {"apps/support/frames"}, {"support", "viewer_session"}},
      {"commands", {"apps"}, {"support"}},
      {"bench", {"apps/bench"}, {"commands"}},
      {"list", {"apps/list"}, {"commands"}},
      {"replay", {"apps/replay"}, {"commands"}},
      {"run", {"apps/run"}, {"commands", "distributed"}},
      {"sweep", {"apps/sweep"}, {"commands", "distributed"}},
      {"solve", {"apps/solve"}, {"commands"}},
      {"validate", {"apps/validate"}, {"commands"}},
      {"verdict", {"apps/verdict"}, {"commands"}},
      {"inverse", {"apps/inverse"}, {"commands"}},
      {"derive", {"apps/derive"}, {"commands", "gradients"}},
      {"import", {"apps/import"}, {"commands", "importing"}},
      {"export", {"apps/export"}, {"commands", "viewer_exporting"}},
      {"render", {"apps/render"}, {"commands", "frames", "viewer_render"}},
      {"view", {"apps/view"}, {"commands", "frames", "viewer_window"}},
      {"c", {"bindings/c", "bindings/c/tests"}, {"scenes", "gpu"}},
      {"python", {"bindings/python"}, {"importing", "gpu", "viewer_draw", "statics"}},
      {"pictures", {"bindings/python/pictures"}, {"viewer_render"}},
  };
  return table;
}

std::vector<std::string> checkSource(const std::string& path, std::string_view text,
                                     bool hasOwnHeader) {
  return SourceCheck(path, hasOwnHeader).run(text);
}

std::vector<std::string> sourceFiles(const std::filesystem::path& root) {
  std::vector<std::string> files;
  for (std::string_view folder : kRoots) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file()) continue;
      // All that compilers take for C++, so that no file escapes by its name.
      static const std::set<std::string> kCode = {".h",   ".hh",  ".hpp", ".hxx", ".inl",
                                                  ".ipp", ".tpp", ".inc", ".c",   ".cc",
                                                  ".cpp", ".cxx", ".cu",  ".cuh"};
      if (kCode.contains(extension)) {
        files.push_back(entry.path().lexically_relative(root).generic_string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace drystone
