// Errors of a scene file as a whole: broken text, files, lists of problems, and what more than one
// value decides.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "solvers/default_registry.h"
#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(SceneErrors, AllOfAFile_AreReportedTogetherInOrder) {
  const std::string text = R"({
  "version": 99,
  "wrld": {},
  "bodies": [
    {"name": "a", "mass": -1, "shape": {"type": "sphere", "radius": "big"}},
    {"name": "a", "kind": "static", "position": [0, 0, null]}
  ]
})";
  EXPECT_THAT(
      problemsOf(text),
      ElementsAre("s.json:2:14 /version: must be 1, the version of the format that this program "
                  "reads, got 99",
                  "s.json:3:3 /wrld: unknown key of scene; did you mean \"world\"?",
                  "s.json:5:27 /bodies/0/mass: must be ≥ 1e-15 kg, got -1",
                  "s.json:5:69 /bodies/0/shape/radius: must be a number, got the text \"big\"",
                  "s.json:6:14 /bodies/1/name: another body is named \"a\" already",
                  "s.json:6:56 /bodies/1/position/2: must be a number, got null"));
}

TEST(SceneErrors, MissingVersion_IsAnError) {
  EXPECT_THAT(problemsOf("{}"), ElementsAre("s.json:1:1 /: scene needs \"version\""));
}

TEST(SceneErrors, RootThatIsNoObject_IsAnError) {
  EXPECT_THAT(problemsOf("[1]"),
              ElementsAre("s.json:1:1 /: must be an object (scene), got a list of 1"));
}

TEST(SceneErrors, EmptyText_IsAnError) {
  EXPECT_THAT(problemsOf(""), ElementsAre("s.json: is empty"));
  EXPECT_THAT(problemsOf(" \n\t "), ElementsAre("s.json: is empty"));
}

TEST(SceneErrors, NonFiniteNumbers_AreNoJson) {
  const std::string message =
      "NaN and infinities are no numbers of JSON: write a number, or leave out the key";
  EXPECT_THAT(problemsOf(sceneWith("\"world\": {\"timestep\": NaN}")),
              ElementsAre("s.json:2:23 " + message));
  EXPECT_THAT(problemsOf(sceneWith("\"world\": {\"timestep\": Infinity}")),
              ElementsAre("s.json:2:23 " + message));
  EXPECT_THAT(problemsOf(sceneWith("\"world\": {\"timestep\": -Infinity}")),
              ElementsAre("s.json:2:24 " + message));
  EXPECT_THAT(problemsOf(sceneWith("\"world\": {\"timestep\": 1e999}")),
              ElementsAre("s.json:2:23 the number 1e999 is too large"));
}

TEST(SceneErrors, TruncatedText_SaysWhereItEnds) {
  EXPECT_THAT(
      problemsOf("{\"version\": 1,\n \"world\": {"),
      ElementsAre("s.json:2:12 the text ends too early: the { of line 2, column 11 is not closed"));
}

TEST(SceneErrors, SyntaxError_HasItsPlace) {
  EXPECT_THAT(problemsOf("{\"version\": 1,\n \"world\" {}}"),
              ElementsAre("s.json:2:9 a colon is missing behind the key \"world\""));
}

TEST(SceneErrors, BehindComments_HaveThePlaceOfTheFile) {
  // "ü" is two bytes and one column; the brackets and quotes of a comment are none.
  EXPECT_THAT(problemsOf("// {[\"\n{\"version\": 1, /* ü [[ */ \"world\": {\"timestep\": -1,},}"),
              ElementsAre(StartsWith("s.json:2:49 /world/timestep: must be")));
  EXPECT_THAT(problemsOf("{\"version\": 1, /* ü */ \"name\": 'a'}"),
              ElementsAre("s.json:1:32 text stands in double quotes: write \"a\""));
}

TEST(SceneErrors, CommentsAndTrailingCommas_AreNone) {
  const Scene scene = readSceneText(
      "// first\n{\"version\": 1, /* two\nlines */ \"name\": \"a // b, ]\", "
      "\"world\": {\"gravity\": [0, 0, -1,],},\n}",
      "s.json");
  EXPECT_EQ(scene.name, "a // b, ]");
  EXPECT_EQ(scene.settings.gravity.z(), -1);
}

TEST(SceneErrors, NestingBombs_AreRefusedBeforeParsing) {
  EXPECT_THAT(problemsOf(std::string(1'000'000, '[')),
              ElementsAre("s.json:1:65 nested deeper than 64 levels"));
  std::string bomb;
  for (int i = 0; i < 100'000; ++i) bomb += "{\"a\":";
  EXPECT_THAT(problemsOf(bomb), ElementsAre("s.json:1:321 nested deeper than 64 levels"));
}

TEST(SceneErrors, BadUtf8_IsASyntaxError) {
  EXPECT_THAT(problemsOf("{\"version\": 1, \"name\": \"\xff\"}"), ElementsAre(HasSubstr("UTF-8")));
}

TEST(SceneErrors, MissingFilesAndDirectories_AreNamed) {
  EXPECT_THROW(
      {
        try {
          readScene("/nonexistent/scene.json");
        } catch (const InputError& error) {
          EXPECT_STREQ(error.what(),
                       "/nonexistent/scene.json: there is no such file: check the path");
          throw;
        }
      },
      InputError);
  const std::string folder = testing::TempDir();
  try {
    readScene(folder);
    ADD_FAILURE() << "a directory was read as a scene";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), folder + ": is a folder; name a scene file in it");
  }
}

TEST(SceneErrors, UnknownLibraryName_NamesNearOnes) {
  try {
    readScene("stak_10");
    ADD_FAILURE() << "read a scene that does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"stak_10\"; did you mean \"stack_10\""));
  }
}

TEST(SceneErrors, MeshFiles_MissingOrWithoutFaces_AreNamed) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/points_only.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto scene = [](const std::string& file) {
    return sceneWith("\"shapes\": {\"a\": {\"type\": \"mesh\", \"file\": \"" + file + "\"}}");
  };
  EXPECT_THAT(problemsOf(scene("no_such.obj"), {}, folder),
              ElementsAre(testing::AllOf(StartsWith("s.json:2:42 /shapes/a/file: "),
                                         HasSubstr("no_such.obj"))));
  EXPECT_THAT(
      problemsOf(scene("points_only.obj"), {}, folder),
      ElementsAre(testing::AllOf(StartsWith("s.json:2:42 /shapes/a/file: "), HasSubstr("faces"))));
}

TEST(SceneErrors, ElementOfAListThatTheFileHasNot_AsksForTheWholeList) {
  const std::string ball =
      R"("bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 1}}])";
  EXPECT_THAT(
      problemsOf(sceneWith(ball), {.overrides = {{"bodies.ball.velocity.2", "-3"}}}),
      ElementsAre("s.json: --set bodies.ball.velocity.2=-3 /bodies/0/velocity: the file does "
                  "not have this list, so there is no element 2 to replace; give the whole "
                  "list"));
}

TEST(SceneErrors, FlatHull_IsReportedAtItsShape) {
  const std::string flat =
      R"("shapes": {"a": {"type": "hull", "points": [[0,0,0], [1,0,0], [0,1,0], [1,1,0]]}})";
  EXPECT_THAT(problemsOf(sceneWith(flat)), ElementsAre(StartsWith("s.json:2:17 /shapes/a: ")));
}

TEST(SceneErrors, MistypedCounts_AreRefusedWithoutMakingTheBodies) {
  // Two thousand million bodies must be refused by their number, not by running out of memory.
  const std::string sphere = R"("shape": {"type": "sphere", "radius": 1}, )";
  EXPECT_THAT(
      problemsOf(sceneWith("\"generators\": [{\"type\": \"grid\", " + sphere +
                           R"("spacing": [1, 1, 1], "counts": [2000, 1000, 1000]}])")),
      ElementsAre(
          "s.json:2:16 /generators/0: grid would make 2000000000 bodies (2000 x 1000 x 1000); "
          "a scene holds at most 1000000"));
  EXPECT_THAT(problemsOf(sceneWith("\"generators\": [{\"type\": \"stack\", " + sphere +
                                   R"("step": [0, 0, 1], "count": 2147483647}])")),
              ElementsAre(HasSubstr("stack would make 2147483647 bodies")));
  EXPECT_THAT(
      problemsOf(sceneWith(
          R"("generators": [{"type": "pyramid", "rows": 100000, "half_extents": [1, 1, 1]}])")),
      ElementsAre(HasSubstr("pyramid would make 5000050000 bodies (100000 rows)")));
  EXPECT_THAT(problemsOf(sceneWith(
                  R"("generators": [{"type": "wall", "columns": 2147483647, "rows": 2147483647,
                                      "half_extents": [1, 1, 1]}])")),
              ElementsAre(HasSubstr("bodies (2147483647 x 2147483647)")));
  // Together: the second generator finds no room left.
  EXPECT_THAT(
      problemsOf(sceneWith("\"generators\": [{\"type\": \"stack\", " + sphere +
                           R"("name": "a", "step": [0, 0, 1], "count": 2}, {"type": "replicate",
                                      "counts": [1000, 1000, 1], "bodies": [{"kind": "static"}]}])")),
      ElementsAre(HasSubstr("replicate would make 1000000 bodies (1000 x 1000 x 1 x 1 bodies)")));
}

TEST(SceneErrors, GeneratorsOfOneName_AreReportedAtTheSecond) {
  const std::string stack =
      R"({"type": "stack", "shape": {"type": "sphere", "radius": 1}, "step": [0, 0, 1], "count": 3})";
  EXPECT_THAT(
      problemsOf(sceneWith("\"generators\": [" + stack + ",\n" + stack + "]")),
      ElementsAre(
          "s.json:3:1 /generators/1: would name a body \"stack_0\", as another is; give the "
          "generator another \"name\""));
}

TEST(SceneErrors, SolverIsChecked_WhenARegistryIsGiven) {
  const SolverRegistry registry = makeDefaultRegistry();
  const SceneReadOptions options{.overrides = {}, .registry = &registry};
  EXPECT_THAT(problemsOf(sceneWith(R"("solver": {"name": "bppp"})"), options),
              ElementsAre(StartsWith(
                  "s.json:2:20 /solver/name: unknown solver \"bppp\"; did you mean \"bpp\"")));
  EXPECT_THAT(
      problemsOf(sceneWith(R"("solver": {"name": "sor-prox", "settings": {"check_evry": 5}})"),
                 options),
      ElementsAre(testing::AllOf(StartsWith("s.json:2:59 /solver/settings/check_evry: "),
                                 HasSubstr("check_every"))));
}

TEST(SceneErrors, OverridesOfWhatAGeneratorMade_NameTheKeyThatChangesIt) {
  const auto problem = [](const std::string& path) {
    const auto all = problemsOf(sceneWith(R"("generators": [
        {"name": "slope", "type": "replicate", "counts": [1, 2, 1], "offsets": [[0, 0, 0], [0, 3, 0]],
         "bodies": [{"name": "box", "kind": "static"}, {"name": "box_b", "kind": "static"}]},
        {"type": "stack", "shape": {"type": "sphere", "radius": 1}, "count": 2, "step": [0, 0, 2]}])"),
                                {.overrides = {{path, "3"}}});
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " problems";
  };
  EXPECT_EQ(problem("bodies.slope_box_0_1_0.mass"),
            "s.json: --set bodies.slope_box_0_1_0.mass=3 /bodies: \"slope_box_0_1_0\" is made by a "
            "generator: --set generators.slope.bodies.box.mass=3");
  EXPECT_THAT(problem("bodies.slope_box_b_0_1_0.mass"),
              EndsWith("--set generators.slope.bodies.box_b.mass=3"));
  EXPECT_THAT(problem("bodies.stack_0.mass"), EndsWith("--set generators.1.mass=3"));
  EXPECT_THAT(problem("bodies.lid.mass"), EndsWith("the scene has none"));
}

}  // namespace
}  // namespace drystone
