#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

const std::string kModels = DRYSTONE_SOURCE_DIR "/tests/data/models/";

TEST(Import, Robot_BecomesASceneThatRuns) {
  const Scratch scratch;
  const std::string scene = scratch.path("arm.json");
  const ProgramResult imported = drystone({"import", kModels + "arm.urdf", "-o", scene, "--hold"});
  EXPECT_EQ(imported.exitCode, 0) << imported.err;
  EXPECT_EQ(imported.out, "");
  EXPECT_TRUE(imported.errContains("arm.urdf:12: left out: <visual> of a link (2 times)"))
      << imported.err;
  EXPECT_EQ(drystone({"validate", scene}).exitCode, 0);
  const ProgramResult run = drystone({"run", scene, "--steps", "30", "--strict"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
}

TEST(Import, WithoutAFile_WritesTheSceneToStdout) {
  const ProgramResult free = drystone({"import", kModels + "quadruped.urdf"});
  EXPECT_EQ(free.exitCode, 0) << free.err;
  EXPECT_EQ(free.json()["bodies"].size(), 13u);
  EXPECT_FALSE(free.json()["bodies"][0].contains("kind"));
  const ProgramResult fixed = drystone({"import", kModels + "quadruped.urdf", "--fixed-base"});
  EXPECT_EQ(fixed.json()["bodies"][0]["kind"], "static");
}

TEST(Import, WrongFile_IsInvalidInputWithItsLine) {
  const Scratch scratch;
  const std::string robot = scratch.write("r.urdf", "<robot name=\"r\">\n<link/>\n</robot>");
  const std::string out = scratch.path("r.json");
  const ProgramResult result = drystone({"import", robot, "-o", out});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_TRUE(result.errContains(robot + ":2: <link> needs the attribute \"name\"")) << result.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(drystone({"import", scratch.path("absent.urdf")}).exitCode, 3);
}

TEST(Import, OntoTheModel_IsRefused) {
  const Scratch scratch;
  const std::string robot = scratch.write("r.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>");
  EXPECT_EQ(drystone({"import", robot, "-o", robot}).exitCode, 2);
  EXPECT_EQ(drystone({"import", robot, "--fixed-base", "--free-base"}).exitCode, 2);
}

}  // namespace
}  // namespace drystone::test
