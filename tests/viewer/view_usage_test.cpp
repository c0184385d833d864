// Mistakes on the command line of `view` end before a window opens.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

struct ViewMistake {
  const char* name;
  std::vector<std::string> arguments;
  int exitCode;
  std::string message;
};

void PrintTo(const ViewMistake& one, std::ostream* out) { *out << one.name; }

class ViewUsage : public testing::TestWithParam<ViewMistake> {};

TEST_P(ViewUsage, MistakeIsNamed) {
  std::vector<std::string> arguments = {"view"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const ProgramResult result = drystone(arguments);
  EXPECT_EQ(result.exitCode, GetParam().exitCode) << result.err;
  EXPECT_TRUE(result.errContains(GetParam().message)) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Cli, ViewUsage,
    testing::Values(
        ViewMistake{"Scene", {"stak_10"}, 2, "\"stack_10\""},
        ViewMistake{"Solver", {"stack_10", "--solver", "bbp"}, 2, "\"bpp\""},
        ViewMistake{
            "Setting", {"stack_10", "--solver", "bpp", "--set", "max_newtn=1"}, 2, "max_newton"},
        ViewMistake{"PlaceInTheScene", {"stack_10", "--set", "world.timestap=0.1"}, 2, "timestep"},
        ViewMistake{"Friction", {"stack_10", "--friction", "con"}, 2, "\"cone\""},
        ViewMistake{"FrictionThatTheSolverDoesNotTake",
                    {"stack_10", "--solver", "nsgs", "--friction", "diamond"},
                    2,
                    "does not solve the friction model 'diamond'"},
        ViewMistake{"Timestep", {"stack_10", "--dt", "0"}, 2, "--dt"},
        ViewMistake{"Threads", {"stack_10", "--threads", "0"}, 2, "--threads"},
        ViewMistake{"Size", {"stack_10", "--size", "800"}, 2, "--size: must be WIDTHxHEIGHT"},
        ViewMistake{"SizeTooSmall", {"stack_10", "--size", "80x60"}, 2, "--size"},
        ViewMistake{"Frames", {"stack_10", "--frames", "0"}, 2, "--frames"},
        ViewMistake{"Script", {"stack_10", "--script", "/none/such"}, 3, "/none/such"},
        ViewMistake{"Log", {"stack_10", "--log", "/none/such"}, 2, "--log: there is no folder"},
        ViewMistake{"RecordingThatIsNotThere", {"nothere.h5"}, 3, "nothere.h5: there is no such"}),
    [](const auto& one) { return one.param.name; });

TEST(ViewUsage, RecordingWithWhatWouldChangeIt_IsRefused) {
  const Scratch scratch;
  const std::string recording = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "bounce", "--steps", "2", "--record", recording, "-q"}).exitCode, 0);
  for (const char* option : {"--dt", "--friction", "--solver"}) {
    const std::string value = option == std::string("--dt") ? "0.01" : "none";
    const ProgramResult result = drystone({"view", recording, option, value});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_TRUE(result.errContains(std::string(option) + ": a recording is drawn as it is"))
        << result.err;
  }
}

TEST(ViewUsage, LogOverItsOwnInput_IsRefused) {
  const Scratch scratch;
  const std::string script = scratch.write("script", "quit\n");
  const ProgramResult result = drystone({"view", "bounce", "--script", script, "--log", script});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("--log: '" + script + "' is the input file")) << result.err;
  EXPECT_EQ(readText(script), "quit\n");
}

TEST(ViewHelp, ShowsAnExample) {
  const ProgramResult result = drystone({"view", "--help"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("drystone view")) << result.out;
}

}  // namespace
}  // namespace drystone::test
