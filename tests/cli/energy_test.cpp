// Energy that a run began and ended with, in its JSON and in its summary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/types.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;

// All flows but that of the projection add up to the change of the kinetic energy.
TEST(RunJson, FlowsOfEnergy_AreTheChangeOfTheKineticOne) {
  const Json energy = drystone({"run", "bounce", "--json"}).json()["energy_J"];
  Real sum = 0;
  for (const auto& [name, flow] : energy["flows"].items()) {
    if (name != "projection") sum += flow.get<Real>();
  }
  const Real start = energy["kinetic"]["start"], end = energy["kinetic"]["end"];
  EXPECT_NEAR(end - start, sum, 1e-9 * std::abs(energy["flows"]["external"].get<Real>()) + 1e-9);
  EXPECT_NE(energy["potential"]["start"], energy["potential"]["end"]);
}

TEST(RunSummary, Energy_HasTheChangeOfTheSum) {
  const Json energy = drystone({"run", "bounce", "--json"}).json()["energy_J"];
  Real change = 0;
  for (const char* kind : {"kinetic", "potential"}) {
    change += energy[kind]["end"].get<Real>() - energy[kind]["start"].get<Real>();
  }
  const std::string text = drystone({"run", "bounce"}).out,
                    before = "kinetic + potential changed by ";
  const std::size_t at = text.find(before);
  ASSERT_NE(at, std::string::npos) << text;
  // Three digits are shown.
  EXPECT_NEAR(std::stod(text.substr(at + before.size())), change, 5e-3 * std::abs(change));
  EXPECT_LT(change, 0) << "the bounces take energy";
}

TEST(RunSummary, WithoutDynamicBodies_HasNoInfinityAndNoMinusZero) {
  const Scratch scratch;
  const std::string scene = scratch.write("still.json", R"({"version": 1, "bodies": [
    {"kind": "static", "shape": {"type": "plane"}}]})");
  const ProgramResult result = drystone({"run", scene, "--steps", "3"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("overlap: nothing that moves has a size")) << result.out;
  EXPECT_TRUE(result.outContains("0 at the start, 0 at the end")) << result.out;
  EXPECT_FALSE(result.outContains(" inf ") || result.outContains(" -0 ")) << result.out;
  EXPECT_THAT(result.out, testing::ContainsRegex("[0-9],[0-9][0-9][0-9] steps/s"));
}

}  // namespace
}  // namespace drystone::test
