// Exit code 3: the input file is wrong. The message names the file and the place in it, and nothing
// is simulated. Messages themselves are claims of the readers' own tests.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

constexpr const char* kBall = R"("shape": {"type": "sphere", "radius": 1})";

std::string sceneWith(const std::string& members) { return "{\"version\": 1,\n" + members + "}"; }

std::string bodyWith(const std::string& members) {
  return sceneWith("\"bodies\": [{" + std::string(kBall) + ", " + members + "}]");
}

struct SceneCase {
  const char* name;
  std::string text;
  std::vector<std::string> messages;
};

void PrintTo(const SceneCase& one, std::ostream* out) { *out << one.name; }

class InvalidScene : public testing::TestWithParam<SceneCase> {};

TEST_P(InvalidScene, ExitsWith3AndNamesThePlace) {
  const Scratch scratch;
  const std::string file = scratch.write("scene.json", GetParam().text);
  scratch.write("no_faces.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  for (const char* command : {"run", "validate"}) {
    const ProgramResult result = drystone({command, file});
    EXPECT_EQ(result.exitCode, 3) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.errContains(file)) << result.err;
    for (const std::string& text : GetParam().messages) {
      EXPECT_TRUE(result.errContains(text)) << text << " is not in:\n" << result.err;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cli, InvalidScene,
    testing::Values(
        SceneCase{"Truncated", "{\"version\": 1,\n \"bodies\": [{\"na", {":2:"}},
        SceneCase{"Empty", "", {"empty"}},
        SceneCase{"Binary", std::string("\x89HDF\0\0\x01", 7), {":1:"}},
        SceneCase{"WrongType", bodyWith(R"("mass": "heavy")"), {"/bodies/0/mass", ":2:"}},
        SceneCase{"UnknownKey", bodyWith(R"("maas": 3)"), {"maas", "mass"}},
        SceneCase{"NaN", bodyWith(R"("position": [0, NaN, 0])"), {":2:"}},
        SceneCase{"Infinity", bodyWith(R"("mass": 1e999)"), {":2:"}},
        SceneCase{"NegativeMass", bodyWith(R"("mass": -1)"), {"/bodies/0/mass", "-1", "kg"}},
        SceneCase{"TinyMass", bodyWith(R"("mass": 1e-160)"), {"/bodies/0/mass", "≥ 1e-15 kg"}},
        SceneCase{"ZeroQuaternion",
                  bodyWith(R"("orientation": [0, 0, 0, 0])"),
                  {"/bodies/0/orientation"}},
        SceneCase{"MissingMesh",
                  sceneWith(R"("bodies": [{"kind": "static",
                               "shape": {"type": "mesh", "file": "absent.obj"}}])"),
                  {"/bodies/0/shape", "absent.obj"}},
        SceneCase{"MeshWithoutFaces",
                  sceneWith(R"("bodies": [{"kind": "static",
                               "shape": {"type": "mesh", "file": "no_faces.obj"}}])"),
                  {"/bodies/0/shape", "no_faces.obj", "face"}},
        SceneCase{"SelfJoint",
                  sceneWith("\"bodies\": [{\"name\": \"a\", " + std::string(kBall) +
                            R"(}], "joints": [{"type": "ball", "body_a": "a", "body_b": "a",
                               "anchor": [0, 0, 0]}])"),
                  {"/joints/0"}},
        SceneCase{"DuplicateNames",
                  sceneWith("\"bodies\": [{\"name\": \"a\", " + std::string(kBall) +
                            "}, {\"name\": \"a\", " + kBall + "}]"),
                  {"/bodies/1", "\"a\""}},
        SceneCase{"Version99", R"({"version": 99})", {"/version", "99"}},
        SceneCase{"TwoBillionBodies",
                  sceneWith(R"("generators": [{"type": "stack", "name": "s", "count": 2000000000,
                               "shape": {"type": "sphere", "radius": 1}, "mass": 1,
                               "step": [0, 0, 2]}])"),
                  {"/generators/0"}},
        SceneCase{"UnknownSolver",
                  sceneWith(R"("solver": {"name": "bbp"})"),
                  {"/solver/name", "\"bpp\""}},
        SceneCase{"UnknownSetting",
                  sceneWith(R"("solver": {"name": "bpp", "settings": {"max_proximel": 2}})"),
                  {"/solver/settings/max_proximel", "max_proximal"}},
        SceneCase{"TwoErrors",
                  bodyWith(R"("mass": -1, "position": [0, 0])"),
                  {"/bodies/0/mass", "/bodies/0/position"}}),
    [](const testing::TestParamInfo<SceneCase>& one) { return std::string(one.param.name); });

TEST(InvalidScene, LineThatStartsWithItsPlace_HasNothingBeforeIt) {
  const Scratch scratch;
  const std::string file = scratch.write("scene.json", bodyWith("\"mass\": -1"));
  const ProgramResult placed = drystone({"validate", file});
  EXPECT_TRUE(placed.err.starts_with(file + ":2:")) << placed.err;
  const std::string good = scratch.write("good.json", bodyWith("\"mass\": 1"));
  const ProgramResult fromOption = drystone({"validate", good, "--set", "bodies.0.mass=-1"});
  EXPECT_TRUE(fromOption.err.starts_with(good + ": --set bodies.0.mass=-1 /bodies/0/mass: "))
      << fromOption.err;
  const ProgramResult withoutPlace = drystone({"validate", scratch.path("absent.json")});
  EXPECT_TRUE(withoutPlace.err.starts_with("error: ")) << withoutPlace.err;
}

TEST(InvalidScene, Missing_ExitsWith3) {
  const ProgramResult result = drystone({"run", "absent/scene.json"});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_TRUE(result.errContains("absent/scene.json")) << result.err;
}

TEST(InvalidScene, Folder_ExitsWith3) {
  const Scratch scratch;
  for (const char* command : {"run", "validate"}) {
    const ProgramResult result = drystone({command, scratch.path("")});
    EXPECT_EQ(result.exitCode, 3) << result.err;
    EXPECT_TRUE(result.errContains(scratch.path(""))) << result.err;
  }
}

TEST(Validate, AllErrorsOfAllFilesAreNamed_AndValidOnesStillReported) {
  const Scratch scratch;
  const std::string good = scratch.write("good.json", bodyWith("\"mass\": 1"));
  const std::string first = scratch.write("first.json", bodyWith("\"mass\": -1"));
  const std::string second = scratch.write("second.json", R"({"version": 99})");
  const ProgramResult result = drystone({"validate", first, good, second});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_TRUE(result.errContains(first) && result.errContains(second)) << result.err;
  EXPECT_TRUE(result.outContains(good + ": ok")) << result.out;
}

TEST(Validate, Set_ChangesTheSceneThatIsChecked) {
  const ProgramResult result = drystone({"validate", "heavy_on_light", "--set",
                                         "world.duration=0.1", "--set", "world.timestep=0.001"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("100 steps")) << result.out;
}

TEST(Validate, LibraryScene_IsOkWithItsCounts) {
  const ProgramResult result = drystone({"validate", "stack_10"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("stack_10: ok: 11 bodies, 0 joints")) << result.out;
}

TEST(Validate, BodiesThatBeginInEachOther_AreNamedWithTheirDepth) {
  const Scratch scratch;
  const auto stack = [&](const char* height) {
    return scratch.write("s.json", std::string(R"({"version": 1, "bodies": [
        {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
        {"name": "low", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 0, 0.5]},
        {"name": "high", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 0, )") +
                                       height + "]}]}");
  };
  const ProgramResult deep = drystone({"validate", stack("1.4")});
  EXPECT_EQ(deep.exitCode, 0) << deep.err;
  EXPECT_TRUE(
      deep.errContains("'low' and 'high' overlap by 0.1 m at the start, beyond the "
                       "tolerance of 0.01 m"))
      << deep.err;
  EXPECT_FALSE(deep.errContains("floor")) << deep.err;
  EXPECT_EQ(drystone({"validate", stack("1.495")}).err, "");
}

TEST(SceneWarnings, StandOnStderrAndStopNothing) {
  const Scratch scratch;
  const std::string scene = scratch.write("s.json", R"({"version": 1, "bodies": [
      {"name": "g", "kind": "static"},
      {"name": "a", "shape": {"type": "sphere", "radius": 0.5}, "position": [0, 0, 3]}],
    "joints": [
      {"name": "off", "type": "ball", "body_a": "g", "body_b": "a", "anchor_a": [0, 0, 0], "anchor_b": [0, 0, -0.5]}]})");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"validate", scene}, {"run", scene, "--steps", "2", "--json"}}) {
    const ProgramResult result = drystone(command);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    // The sphere's lowest point is at 2.5 m and wants to be at 0.
    EXPECT_TRUE(result.errContains("warning: " + scene +
                                   ":5:7 /joints/0: joint 'off' does not hold "
                                   "at the start: its points on 'g' and 'a' are 2.5 m from"))
        << result.err;
  }
}

// A name that ends so is a file, wherever it is named, and no scene of the library.
TEST(RecordingAsInput, ThatIsNotThere_IsAMissingFileForEveryCommand) {
  const Scratch scratch;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", "nothere.h5"},
           {"validate", "nothere.h5"},
           {"replay", "nothere.h5"},
           {"render", "nothere.h5", "--out", scratch.path("a.png")}}) {
#ifndef DRYSTONE_HAS_VIEWER
    if (words[0] == "render") continue;
#endif
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 3) << words[0];
    EXPECT_TRUE(result.errContains("nothere.h5: there is no such file")) << result.err;
    EXPECT_FALSE(result.errContains("stack_10")) << "no list of scenes: " << result.err;
  }
}

TEST(RecordingAsInput, ThatHoldsSomethingElse_IsSaidToBeNone) {
  const Scratch scratch;
  const std::string file = scratch.write("a.h5", "no recording\n");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"replay", file}, {"render", file, "--out", scratch.path("a.png")}}) {
#ifndef DRYSTONE_HAS_VIEWER
    if (words[0] == "render") continue;
#endif
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 3) << words[0];
    EXPECT_TRUE(result.errContains("is no HDF5 file")) << result.err;
  }
}

TEST(RecordingAsInput, OfACommandForScenes_IsSentToThoseThatTakeIt) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "bounce", "--steps", "2", "--record", file, "-q"}).exitCode, 0);
  for (const char* command : {"run", "validate"}) {
    const ProgramResult result = drystone({command, file});
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_TRUE(result.errContains("is a recording and no scene file")) << result.err;
  }
}

}  // namespace
}  // namespace drystone::test
