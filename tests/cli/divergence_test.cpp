// Runs that end since a step would leave all bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

// Ten sweeps do not carry the platform of a stair of scissors over its joints: it is torn, up to
// speeds without an end.
TEST(RunDivergence, EndsTheRunWith4AndAllItsOutputs) {
  const Scratch scratch;
  const std::string csv = scratch.path("steps.csv"), recording = scratch.path("run.h5");
  const ProgramResult result = drystone(
      {"run", "loop_stair", "--solver", "sor-prox", "--set", "max_iterations=10", "--set",
       "solver.condense=never", "--steps", "2000", "--json", "--csv", csv, "--record", recording});
  EXPECT_EQ(result.exitCode, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("diverged and was not finished"));
  EXPECT_THAT(result.err, HasSubstr("its solves missed the tolerance: take solver `auto`"));
  const Json json = result.json();
  EXPECT_EQ(json["ended"], "diverged");
  EXPECT_THAT(result.err, HasSubstr(json["diverged"].get<std::string>()));
  const int steps = json["steps"];
  EXPECT_LT(steps, 2000);
  EXPECT_TRUE(json["energy_J"]["kinetic"]["end"].is_number());
  EXPECT_LT(json["figures"]["max_speed"]["max"].get<double>(), 1e15);
  const std::vector<std::string> rows = splitLines(readText(csv));
  ASSERT_EQ(std::ssize(rows), steps + 1);
  EXPECT_EQ(rows.back().find("nan"), std::string::npos) << rows.back();
  EXPECT_EQ(drystone({"replay", recording, "--quiet"}).exitCode, 0);
}

}  // namespace
}  // namespace drystone::test
