// The folders keep to the dependency rules of docs/architecture.md, and the scanner that says so
// does catch each kind of violation.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/architecture/source_rules.h"
#include "tests/architecture/type_names.h"

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
  ASSERT_THAT(files, Contains("engine/core/types.h"));
  for (const std::string& file : files) {
    std::filesystem::path header = root / file;
    header.replace_extension(".h");
    const bool hasOwnHeader = file.ends_with(".cpp") && std::filesystem::exists(header);
    for (const std::string& problem : checkSource(file, contentOf(root / file), hasOwnHeader)) {
      ADD_FAILURE() << problem;
    }
  }
}

// Of two types of one name the linker takes the functions of either, without a word.
TEST(Architecture, EveryTypeName_IsDefinedInOneFile) {
  const std::filesystem::path root = DRYSTONE_SOURCE_DIR;
  std::map<std::string, std::string> definedIn;
  for (const std::string& file : sourceFiles(root)) {
    // Tests and studies are programs of their own, which may each have their fixtures.
    if (file.starts_with("tests/") || file.starts_with("bench/")) continue;
    for (const std::string& type : typesDefinedIn(contentOf(root / file))) {
      const auto [known, isNew] = definedIn.emplace(type, file);
      if (!isNew) ADD_FAILURE() << type << " is defined in " << known->second << " and in " << file;
    }
  }
  EXPECT_EQ(definedIn["drystone::WorldSettings"], "engine/model/world_settings.h");
  EXPECT_EQ(definedIn["drystone::viewer::SceneView"], "viewer/scene/scene_view.h");
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
        Sample{"engine/core/a.cpp", "#include \"solvers/judge.h\"", "only engine/core/"},
        Sample{"engine/core/a.cpp", "#include <fmt/format.h>", "standard library and Eigen"},
        Sample{"engine/core/a.cpp", "#include <Eigen/Core>", ""},
        Sample{"engine/step/a.cpp", "#include \"solvers/judge.h\"", ""},
        Sample{"engine/step/a.cpp", "#include \"solvers/direct/murty.h\"", "engine/ may include"},
        Sample{"engine/step/a.cpp", "#include \"collision/narrow/clip.h\"", "engine/ may include"},
        Sample{"engine/model/a.cpp", "#include \"scenes/scene.h\"", "engine/ may include"},
        Sample{"solvers/direct/a.cpp", "#include \"engine/core/types.h\"", ""},
        Sample{"solvers/a.cpp", "  # include \"engine/model/world.h\"", "solvers/ may include"},
        Sample{"solvers/a.cpp", "#include \"collision/shape.h\"", "solvers/ may include"},
        Sample{"collision/a.cpp", "#include \"solvers/laws.h\"", "collision/ may include"},
        Sample{"scenes/a.cpp", "#include \"apps/main.h\"", "scenes/ may include"},
        Sample{"scenes/a.cpp", "#include \"engine/model/world.h\"", ""},
        Sample{"gpu/a.cpp", "#include \"collision/shape.h\"", "gpu/ may include"},
        Sample{"apps/a.cpp", "#include \"solvers/direct/murty.h\"", ""},
        Sample{"apps/a.cpp", "#include \"a.h\"", "from the root"}));

INSTANTIATE_TEST_SUITE_P(
    ThirdParty, SourceScanner,
    testing::Values(
        Sample{"collision/a.cpp", "#include <btBulletCollisionCommon.h>", "uses Bullet"},
        Sample{"collision/bullet/a.cpp", "#include <btBulletCollisionCommon.h>", ""},
        Sample{"collision/a.cpp", "  btVector3 v;", "uses Bullet"},
        Sample{"collision/a.cpp", "  // like btVector3", ""},
        Sample{"collision/a.cpp", "  say(\"btVector3\");", ""},
        Sample{"collision/a.cpp", "  const int n = 1'000; btVector3 v;", "uses Bullet"},
        Sample{"engine/a.cpp", "#include <nlohmann/json.hpp>", "uses nlohmann-json"},
        Sample{"solvers/problem_file_json.cpp", "#include <nlohmann/json.hpp>", ""},
        Sample{"scenes/a.cpp", "#include <hdf5.h>", "uses HDF5"},
        Sample{"solvers/problem_file_hdf5.cpp", "#include <hdf5.h>", ""},
        Sample{"engine/observe/recorder.cpp", "#include <hdf5.h>", ""},
        Sample{"engine/step/a.cpp", "#include <thread>", "uses threads"},
        Sample{"solvers/a.cpp", "std::jthread worker;", "uses threads"},
        Sample{"engine/core/a.cpp", "#include <thread>", ""},
        Sample{"solvers/a.cpp", "#pragma omp parallel for", "uses threads"},
        Sample{"engine/core/parallel.cpp", "#pragma omp parallel for", ""},
        Sample{"gpu/a.cpp", "#include <cuda_runtime.h>", "uses CUDA"},
        Sample{"gpu/cuda/a.cpp", "#include <cuda_runtime.h>", ""},
        Sample{"apps/a.cpp", "#include <GLFW/glfw3.h>", "uses OpenGL or ImGui"},
        Sample{"tests/unit/viewer_app/a.cpp", "#include <imgui.h>", ""},
        Sample{"tests/unit/viewer_scene/a.cpp", "#include <imgui.h>", "uses OpenGL or ImGui"},
        Sample{"engine/a.cpp", "#include <CLI/CLI.hpp>", "uses CLI11"}));

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

TEST(WholeFile, FileOverFiveHundredLines_IsReported) {
  const std::string lines(501, '\n');
  EXPECT_THAT(checkSource("engine/step/a.cpp", lines, false), ElementsAre(HasSubstr("split")));
  EXPECT_THAT(checkSource("tests/unit/a.cpp", lines, false), IsEmpty());
  EXPECT_THAT(checkSource("engine/step/a.cpp", lines.substr(1), false), IsEmpty());
}

}  // namespace
}  // namespace drystone
