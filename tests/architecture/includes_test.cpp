// The folders keep to the dependency rules of docs/architecture.md, and the scanner that says so
// does catch each kind of violation.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/architecture/source_rules.h"

namespace drystone {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string contentOf(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Architecture, EverySourceFile_KeepsTheRules) {
  const std::filesystem::path root = DRYSTONE_SOURCE_DIR;
  const std::vector<std::string> files = sourceFiles(root);
  ASSERT_THAT(files, Contains("core/types.h"));
  for (const std::string& file : files) {
    std::filesystem::path header = root / file;
    header.replace_extension(".h");
    const bool hasOwnHeader = file.ends_with(".cpp") && std::filesystem::exists(header);
    for (const std::string& problem : checkSource(file, contentOf(root / file), hasOwnHeader)) {
      ADD_FAILURE() << problem;
    }
  }
}

// A file of a few lines costs a reader a door and a compiler its headers: it is to stand alone only
// where joining it to what it serves would cost more.
constexpr int kSmallLines = 30;
constexpr int kMaxSmallFiles = 40;

TEST(Architecture, FilesOfAFewLines_AreNoMoreThanTheLimit) {
  const std::filesystem::path root = DRYSTONE_SOURCE_DIR;
  const std::vector<std::string> files = sourceFiles(root);
  ASSERT_THAT(files, Contains("core/types.h"));
  int count = 0;
  std::string list;
  for (const std::string& file : files) {
    const auto lines = std::ranges::count(contentOf(root / file), '\n');
    if (lines >= kSmallLines) continue;
    ++count;
    list += "  " + file + ": " + std::to_string(lines) + "\n";
  }
  EXPECT_LE(count, kMaxSmallFiles) << "with fewer than " << kSmallLines << " lines:\n" << list;
}

std::set<std::string> foldersWithSources(const std::filesystem::path& root) {
  std::set<std::string> folders;
  for (const std::string& file : sourceFiles(root)) {
    folders.insert(file.substr(0, file.rfind('/')));
  }
  return folders;
}

TEST(Architecture, EveryFolderOfTheLibraryAndTheProgram_IsInALayer) {
  std::set<std::string> layered;
  for (const Layer& layer : layers()) layered.insert(layer.folders.begin(), layer.folders.end());
  for (const std::string& folder : foldersWithSources(DRYSTONE_SOURCE_DIR)) {
    const std::string top = folder.substr(0, folder.find('/'));
    if (top == "tests" || top == "bench" || top == "include" || top == "examples") continue;
    EXPECT_THAT(layered, Contains(folder));
  }
}

// What a target links is what its files may include: drystone_layer(name … LINKS …) in CMake.
TEST(Architecture, LayersLinkAsTheirTargetsDo) {
  const std::filesystem::path root = DRYSTONE_SOURCE_DIR;
  int found = 0;
  for (const char* part :
       {"core", "solids", "solvers", "collision", "engine", "distributed", "scenes", "viewer"}) {
    const std::string text = contentOf(root / part / "CMakeLists.txt");
    const std::regex call(R"(drystone_layer\((\w+)([^)]*)\))"), link(R"(\bdrystone::(\w+))");
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
      const auto layer = std::ranges::find(layers(), (*at)[1].str(), &Layer::name);
      ASSERT_NE(layer, layers().end()) << (*at)[1];
      const std::string arguments = (*at)[2];
      std::set<std::string> links;
      for (std::sregex_iterator one(arguments.begin(), arguments.end(), link); one != end; ++one) {
        // The engine is its last layer.
        links.insert((*one)[1] == "engine" ? "recording" : (*one)[1].str());
      }
      EXPECT_EQ(links, std::set<std::string>(layer->links.begin(), layer->links.end()))
          << layer->name;
      ++found;
    }
  }
  EXPECT_GT(found, 20);
}

/// Folders of the first code block of a page: two blanks a level, the name, then what it is.
std::set<std::string> treeOf(const std::string& page) {
  const std::size_t begin = page.find("```\n") + 4;
  std::istringstream lines(page.substr(begin, page.find("```", begin) - begin));
  static const std::regex entry(R"(^( *)(\w+)/ +\S.*)");
  std::vector<std::string> path;
  std::set<std::string> folders;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, entry)) {
      ADD_FAILURE() << "no folder with an explanation: " << line;
      continue;
    }
    path.resize(std::min<std::size_t>(path.size(), match[1].length() / 2));
    path.push_back(match[2]);
    std::string folder;
    for (const std::string& part : path) folder += (folder.empty() ? "" : "/") + part;
    folders.insert(folder);
  }
  return folders;
}

TEST(Architecture, TreeOfThePage_IsThatOfTheFolders) {
  const std::filesystem::path root = DRYSTONE_SOURCE_DIR;
  std::set<std::string> folders;
  for (std::string folder : foldersWithSources(root)) {
    for (;;) {  // with the folders around it
      folders.insert(folder);
      const std::size_t slash = folder.rfind('/');
      if (slash == std::string::npos) break;
      folder.resize(slash);
    }
  }
  const std::set<std::string> tree = treeOf(contentOf(root / "docs/architecture.md"));
  for (const std::string& folder : folders) EXPECT_THAT(tree, Contains(folder));
  for (const std::string& folder : tree) {
    EXPECT_TRUE(std::filesystem::is_directory(root / folder)) << folder;
  }
}

// Of two types of one name the linker takes the functions of either, without a word.
TEST(Architecture, EveryTypeName_IsDefinedInOneFile) {
  const std::filesystem::path root = DRYSTONE_SOURCE_DIR;
  std::map<std::string, std::string> definedIn;
  for (const std::string& file : sourceFiles(root)) {
    // Tests, studies and examples are programs of their own, which may each have their fixtures.
    if (file.starts_with("tests/") || file.starts_with("bench/") || file.starts_with("examples/")) {
      continue;
    }
    for (const std::string& type : typesDefinedIn(contentOf(root / file))) {
      const auto [known, isNew] = definedIn.emplace(type, file);
      if (!isNew) ADD_FAILURE() << type << " is defined in " << known->second << " and in " << file;
    }
  }
  EXPECT_EQ(definedIn["drystone::WorldSettings"], "engine/model/world_settings.h");
  EXPECT_EQ(definedIn["drystone::viewer::SceneView"], "viewer/draw/scene_view.h");
  EXPECT_GT(definedIn.size(), 300u);
}

TEST(TypeNames, OnlyWhatOtherFilesSee_IsFound) {
  EXPECT_THAT(typesDefinedIn(R"(
namespace drystone {
struct Declared;
enum class Kind { kOne };
struct Plain { int a; struct Nested { int b; }; };
class Derived final : public Plain, private std::vector<int> {};
void f(const struct Plain& plain) { struct Local {}; }  // struct Comment {}
struct Plain::Nested { int c; };
namespace { struct Hidden {}; namespace deep { struct HiddenToo {}; } }
namespace viewer { struct Inner {}; }
struct Last {};
}
)"),
              ElementsAre("drystone::Plain", "drystone::Derived", "drystone::viewer::Inner",
                          "drystone::Last"));
}

struct Sample {
  std::string path;
  std::string line;
  std::string problem;  ///< part of the message; empty: none
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.path << ": " << sample.line;
}

class SourceScanner : public testing::TestWithParam<Sample> {};

TEST_P(SourceScanner, Sample_IsJudgedRightly) {
  const auto& [path, line, problem] = GetParam();
  const auto problems = checkSource(path, "// A comment.\n" + line + "\n", false);
  if (problem.empty()) {
    EXPECT_THAT(problems, IsEmpty());
  } else {
    EXPECT_THAT(problems, ElementsAre(HasSubstr(path + ":2: "))) << line;
    EXPECT_THAT(problems, ElementsAre(HasSubstr(problem)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Folders, SourceScanner,
    testing::Values(
        Sample{"core/a.cpp", "#include \"solvers/problem/judge.h\"", "core stands on"},
        Sample{"core/a.cpp", "#include <fmt/format.h>", "standard library, Eigen and OpenMP"},
        Sample{"core/a.cpp", "#include <Eigen/Core>", ""},
        Sample{"engine/step/a.cpp", "#include \"solvers/problem/judge.h\"", ""},
        Sample{"engine/step/a.cpp", "#include \"engine/step/b.h\"", ""},
        Sample{"engine/step/a.cpp", "#include \"engine/world/world.h\"", "step stands on model"},
        Sample{"engine/step/a.cpp", "#include \"solvers/reference/murty.h\"", "step stands on"},
        Sample{"engine/model/a.cpp", "#include \"scenes/scene.h\"", "model stands on"},
        Sample{"solvers/prox/a.cpp", "#include \"core/types.h\"", ""},
        Sample{"solvers/prox/a.cpp", "#include \"solvers/pivoting/bpp.h\"", "prox stands on"},
        Sample{"solvers/a.cpp", "  # include \"engine/world/world.h\"", "solvers stands on"},
        Sample{"solvers/problem/a.cpp", "#include \"collision/shape/shape.h\"", "problem stands"},
        Sample{"collision/narrow/a.cpp", "#include \"solvers/problem/laws.h\"", "narrow stands"},
        Sample{"scenes/a.cpp", "#include \"apps/commands.h\"", "scenes stands on"},
        Sample{"scenes/a.cpp", "#include \"engine/world/world.h\"", ""},
        Sample{"scenes/a.cpp", "#include \"scenes/importing/a.h\"", "scenes stands on"},
        Sample{"gpu/a.cpp", "#include \"collision/shape/shape.h\"", "gpu stands on"},
        Sample{"apps/list/a.cpp", "#include \"solvers/reference/murty.h\"", ""},
        Sample{"apps/list/a.cpp", "#include \"apps/run/run_output.h\"", "list stands on"},
        Sample{"apps/run/a.cpp", "#include \"a.h\"", "from the root"},
        Sample{"core/a.cpp", "#include <solvers/problem/judge.h>", "goes in quotes"},
        Sample{"bindings/c/a.cpp", "#include \"apps/commands.h\"", "c stands on"},
        Sample{"bindings/c/tests/a.c", "", ""},
        Sample{"core/a.c", "", "name it .h, .cpp, .cu or .cuh"},
        Sample{"core/a.inl", "", "name it .h, .cpp, .cu or .cuh"}));

INSTANTIATE_TEST_SUITE_P(
    ThirdParty, SourceScanner,
    testing::Values(
        Sample{"collision/narrow/a.cpp", "#include <btBulletCollisionCommon.h>", "uses Bullet"},
        Sample{"collision/bullet/a.cpp", "#include <btBulletCollisionCommon.h>", ""},
        Sample{"collision/narrow/a.cpp", "  btVector3 v;", "uses Bullet"},
        Sample{"collision/narrow/a.cpp", "  // like btVector3", ""},
        Sample{"collision/narrow/a.cpp", "  say(\"btVector3\");", ""},
        Sample{"collision/narrow/a.cpp", "  const int n = 1'000; btVector3 v;", "uses Bullet"},
        Sample{"engine/step/a.cpp", "#include <nlohmann/json.hpp>", "uses nlohmann-json"},
        Sample{"solvers/file/problem_file_a.cpp", "#include <nlohmann/json.hpp>", ""},
        Sample{"scenes/a.cpp", "#include <hdf5.h>", "uses HDF5"},
        Sample{"scenes/importing/a.cpp", "#include <tinyxml2.h>", "uses tinyxml2"},
        Sample{"scenes/importing/xml_element.cpp", "#include <tinyxml2.h>", ""},
        Sample{"solvers/file/problem_file_hdf5.cpp", "#include <hdf5.h>", ""},
        Sample{"engine/recording/recorder.cpp", "#include <hdf5.h>", ""},
        Sample{"engine/step/a.cpp", "#include <thread>", "uses threads"},
        Sample{"solvers/a.cpp", "std::jthread worker;", "uses threads"},
        Sample{"core/a.cpp", "#include <thread>", ""},
        Sample{"solvers/a.cpp", "#pragma omp parallel for", "uses threads"},
        Sample{"core/parallel.cpp", "#pragma omp parallel for", ""},
        Sample{"gpu/a.cpp", "#include <cuda_runtime.h>", "uses CUDA"},
        Sample{"gpu/cuda/a.cpp", "#include <cuda_runtime.h>", ""},
        Sample{"apps/a.cpp", "#include <GLFW/glfw3.h>", "uses OpenGL or ImGui"},
        Sample{"tests/unit/viewer_window/a.cpp", "#include <imgui.h>", ""},
        Sample{"examples/a.cpp", "#include <drystone/world.h>", ""},
        Sample{"examples/a.cpp", "#include \"engine/world/world.h\"", "use the public headers"},
        Sample{"tests/unit/viewer_draw/a.cpp", "#include <imgui.h>", "uses OpenGL or ImGui"},
        Sample{"engine/step/a.cpp", "#include <CLI/CLI.hpp>", "uses CLI11"},
        Sample{"solvers/file/a.cpp", "#include <Eigen/SparseLU>", "uses a matrix decomposition"},
        Sample{"solvers/linear/a.cpp", "#include <Eigen/SparseLU>", ""},
        Sample{"scenes/reading/a.cpp", "#include <Eigen/Geometry>", ""}));

TEST(WholeFile, HeaderWithoutPragmaOnce_IsReported) {
  EXPECT_THAT(checkSource("solvers/a.h", "int f();\n", false),
              ElementsAre(HasSubstr("pragma once")));
  EXPECT_THAT(checkSource("solvers/a.h", "#pragma once\n", false), IsEmpty());
}

TEST(WholeFile, OwnHeaderNotFirst_IsReported) {
  const std::string wrong = "#include <vector>\n#include \"solvers/a.h\"\n";
  const std::string right = "#include \"solvers/a.h\"\n#include <vector>\n";
  EXPECT_THAT(checkSource("solvers/a.cpp", wrong, true),
              ElementsAre("solvers/a.cpp:1: includes vector before its own header solvers/a.h"));
  EXPECT_THAT(checkSource("solvers/a.cpp", right, true), IsEmpty());
}

TEST(WholeFile, FileOverFourHundredLines_IsReported) {
  const std::string lines(401, '\n');
  EXPECT_THAT(checkSource("engine/step/a.cpp", lines, false), ElementsAre(HasSubstr("split")));
  EXPECT_THAT(checkSource("tests/unit/a.cpp", lines, false), ElementsAre(HasSubstr("split")));
  EXPECT_THAT(checkSource("engine/step/a.cpp", lines.substr(1), false), IsEmpty());
}

}  // namespace
}  // namespace drystone
