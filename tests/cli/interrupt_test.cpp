#include <gtest/gtest.h>

#include <csignal>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

class Interrupt : public testing::TestWithParam<int> {};

TEST_P(Interrupt, MidRun_EndsWith130TheReportSoFarAndACompleteCsv) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv");
  // A day of simulated time; the signal comes after some steps.
  const ProgramResult result = drystoneInterrupted(
      {"run", "stack_10", "--time", "86400", "--csv", csv, "--json"}, GetParam(), csv, 4);
  EXPECT_EQ(result.exitCode, 130) << result.err;
  const auto json = result.json();
  const std::int64_t steps = json["steps"];
  EXPECT_EQ(json["ended"], "interrupted");
  EXPECT_GE(steps, 3);
  EXPECT_LT(steps, 86400 * 60);
  const std::vector<std::string> lines = splitLines(readText(csv));
  ASSERT_EQ(static_cast<std::int64_t>(lines.size()), steps + 1);
  EXPECT_EQ(splitFields(lines.back()).size(), splitFields(lines.front()).size());
}

INSTANTIATE_TEST_SUITE_P(Cli, Interrupt, testing::Values(SIGINT, SIGTERM),
                         [](const auto& one) { return one.param == SIGINT ? "Int" : "Term"; });

TEST(Interrupt, ComesBeforeStrictInTheExitCode) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv");
  // One sweep from λ = 0 misses the tolerance in every step.
  const ProgramResult result =
      drystoneInterrupted({"run", "stack_10", "--time", "86400", "--csv", csv, "--strict",
                           "--solver", "nsgs", "--set", "max_iterations=1"},
                          SIGINT, csv, 3);
  EXPECT_EQ(result.exitCode, 130);
  EXPECT_TRUE(result.errContains("--strict: ")) << "what was missed is said all the same";
}

TEST(Interrupt, Summary_SaysThatItIsPartial) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv");
  const ProgramResult result =
      drystoneInterrupted({"run", "stack_10", "--time", "86400", "--csv", csv}, SIGINT, csv, 2);
  EXPECT_EQ(result.exitCode, 130) << result.err;
  EXPECT_TRUE(result.outContains("INTERRUPTED")) << result.out;
}

}  // namespace
}  // namespace drystone::test
