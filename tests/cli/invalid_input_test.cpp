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
        SceneCase{"MissingComma",
                  "{\"version\": 1 // of the format\n \"bodies\": []}",
                  {":1:14 a comma is missing here"}},
        SceneCase{"MisplacedKey", bodyWith(R"("friction": 0.3)"), {"materials.NAME.friction"}},
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
  EXPECT_TRUE(deep.outContains("s.json: ok, but for 1 warning: 3 bodies")) << deep.out;
  EXPECT_EQ(drystone({"validate", stack("1.495")}).err, "");
}

TEST(Validate, SceneWithCommentsAndTrailingCommas_IsOk) {
  const Scratch scratch;
  const std::string scene =
      scratch.write("s.json", "// a scene\n{\"version\": 1, /* none */ \"bodies\": [],}\n");
  const ProgramResult result = drystone({"validate", scene});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

// Overlaps take a world to find, unlike what the reader warns of.
TEST(SceneWarnings, ComeFromEveryCommandThatSimulates) {
  const Scratch scratch;
  const std::string scene = scratch.write("s.json", R"({"version": 1, "name": "s", "bodies": [
      {"name": "a", "shape": {"type": "sphere", "radius": 0.5}},
      {"name": "b", "shape": {"type": "sphere", "radius": 0.5}, "position": [0, 0, 0.7]}]})");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"validate", scene},
           {"run", scene, "--steps", "1"},
           {"render", scene, "--out", scratch.path("a.png"), "--step", "0"}}) {
#ifndef DRYSTONE_HAS_VIEWER
    if (command[0] == "render") continue;
#endif
    EXPECT_TRUE(drystone(command).errContains("warning: s: 'a' and 'b' overlap by 0.3 m"))
        << command[0];
  }
  EXPECT_EQ(drystone({"run", scene, "--steps", "1", "--quiet"}).err, "");
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
           {"export", "nothere.h5", "--html", scratch.path("a.html")},
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
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"replay", file},
                                             {"export", file, "--html", scratch.path("a.html")},
                                             {"render", file, "--out", scratch.path("a.png")}}) {
#ifndef DRYSTONE_HAS_VIEWER
    if (words[0] == "render") continue;
#endif
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 3) << words[0];
    EXPECT_TRUE(result.errContains("is no HDF5 file")) << result.err;
  }
}

/// A scene, a recording of it and a problem of it in both formats.
struct KindsOfFiles {
  const Scratch scratch;
  std::string scene = scratch.write("scene.json", bodyWith(R"("position": [0, 0, 1])"));
  std::string recording = scratch.path("a.h5");
  std::string json, hdf5;

  KindsOfFiles() {
    for (const char* format : {"json", "hdf5"}) {
      const ProgramResult run = drystone({"run", "stack_10", "--steps", "1", "--record", recording,
                                          "-q", "--dump-problems", scratch.path(format),
                                          "--dump-when", "all", "--dump-format", format});
      EXPECT_EQ(run.exitCode, 0) << run.err;
    }
    json = scratch.path("json/step000001_island000.json");
    hdf5 = scratch.path("hdf5/step000001_island000.hdf5");
  }
};

TEST(WrongKindOfFile, IsNamedWithTheCommandForIt) {
  const KindsOfFiles files;
  struct Case {
    std::vector<std::string> words;
    std::string kinds, use;
  };
  const std::string solve = "`drystone solve ", replay = "`drystone replay ",
                    run = "`drystone run ";
  const Case cases[] = {
      {{"validate", files.json}, "is a contact problem and no scene", solve + files.json},
      {{"run", files.json}, "is a contact problem and no scene", solve + files.json},
      {{"run", files.hdf5}, "is a contact problem and no scene", solve + files.hdf5},
      {{"validate", files.recording}, "is a recording and no scene", replay + files.recording},
      {{"run", files.recording}, "is a recording and no scene", replay + files.recording},
      {{"solve", files.recording}, "is a recording and no contact", replay + files.recording},
      {{"solve", files.scene}, "is a scene and no contact problem", run + files.scene},
      {{"replay", files.scene}, "is a scene and no recording", run + files.scene},
      {{"replay", "stack_10"}, "is a scene and no recording", run + "stack_10"},
      {{"export", files.scene}, "is a scene and no recording", run + files.scene},
      {{"replay", files.json}, "is a contact problem and no recording", solve + files.json},
      {{"replay", files.hdf5}, "is a contact problem and no recording", solve + files.hdf5},
  };
  for (const Case& one : cases) {
    const ProgramResult result = drystone(one.words);
    SCOPED_TRACE(one.words[0] + " " + one.words[1] + ": " + result.err);
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_TRUE(result.errContains(one.words[1] + ": " + one.kinds));
    EXPECT_TRUE(result.errContains(one.use));
    EXPECT_FALSE(result.errContains("unknown key"));
  }
}

TEST(SceneName, WithoutTheEndingOfAFileBesideIt_NamesTheFile) {
  const Scratch scratch;
  const std::string file = scratch.write("first.json", sceneWith("\"name\": \"first\""));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(file).parent_path());
  const ProgramResult result = drystone({"run", "first"});
  std::filesystem::current_path(before);
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("did you mean ./first.json?")) << result.err;
}

}  // namespace
}  // namespace drystone::test
