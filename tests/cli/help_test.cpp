#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

class Help : public testing::TestWithParam<std::string> {};

TEST_P(Help, ShowsAnExampleOnStdout) {
  const ProgramResult result = drystone({GetParam(), "--help"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("Example")) << result.out;
  EXPECT_TRUE(result.outContains("drystone " + GetParam())) << result.out;
}

INSTANTIATE_TEST_SUITE_P(Cli, Help,
                         testing::Values("run", "sweep", "solve", "validate", "verdict", "inverse",
                                         "derive", "import", "list"),
                         [](const auto& one) { return one.param; });

TEST(Help, OfTheProgram_ListsCommandsAndExitCodes) {
  const ProgramResult result = drystone({"--help"});
  EXPECT_EQ(result.exitCode, 0);
  for (const char* text :
       {"Example", "run", "solve", "render", "validate", "list", "130 interrupted"}) {
    EXPECT_TRUE(result.outContains(text)) << text;
  }
}

TEST(Help, AsACommand_IsTheSame) {
  EXPECT_EQ(drystone({"help"}).out, drystone({"--help"}).out);
  EXPECT_EQ(drystone({"help", "verdict"}).out, drystone({"verdict", "--help"}).out);
}

TEST(Help, OfBench_NamesTheStudyAsAnArgument) {
  const ProgramResult result = drystone({"bench", "--help"});
  EXPECT_TRUE(result.outContains("drystone bench [OPTIONS] STUDY")) << result.out;
}

TEST(Version, PrintsNameVersionAndBuild) {
  const ProgramResult result = drystone({"--version"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_TRUE(result.out.starts_with("drystone ")) << result.out;
  EXPECT_TRUE(result.outContains("+") && result.outContains("Linux")) << result.out;
}

}  // namespace
}  // namespace drystone::test
