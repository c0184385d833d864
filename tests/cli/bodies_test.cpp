// What `run --bodies` says of the bodies at the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

/// A ball on its way without gravity, thrown through (1, 2, 3) and turning about z, and what rests.
const char* const kThrownScene = R"({
  "version": 1, "name": "thrown", "world": {"timestep": 0.01, "gravity": [0, 0, 0]},
  "bodies": [
    {"name": "wall", "kind": "static", "shape": {"type": "box", "half_extents": [1, 1, 1]},
     "position": [-9, 0, 0], "orientation": {"axis": [1, 0, 0], "angle_deg": 90}},
    {"name": "ball", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [1, 2, 3],
     "velocity": [5, 0, -2], "angular_velocity": [0, 0, 3]}]})";

TEST(RunBodies, AreListedWithTheirPosesAndVelocitiesAtTheEnd) {
  const Scratch scratch;
  const std::string scene = scratch.write("scene.json", kThrownScene);
  const nlohmann::ordered_json json =
      drystone({"run", scene, "--steps", "100", "--bodies", "--json"}).json();
  const nlohmann::ordered_json& states = json["body_states"];
  ASSERT_EQ(states.size(), 2u);
  std::vector<std::string> names;
  for (const auto& [name, value] : states[1].items()) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("name", "position_m", "orientation", "velocity_m_s",
                                          "angular_velocity_rad_s"));
  EXPECT_EQ(states[0]["name"], "wall");
  EXPECT_EQ(states[1]["name"], "ball");
  // After 1 s: x = x0 + v, and half of 3 rad about z in the quaternion.
  const auto expectNear = [](const nlohmann::ordered_json& list,
                             const std::vector<double>& values) {
    ASSERT_EQ(list.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(list[i], values[i], 1e-9);
  };
  expectNear(states[0]["orientation"], {std::sqrt(0.5), std::sqrt(0.5), 0, 0});
  expectNear(states[1]["position_m"], {6, 2, 1});
  expectNear(states[1]["orientation"], {std::cos(1.5), 0, 0, std::sin(1.5)});
  expectNear(states[1]["velocity_m_s"], {5, 0, -2});
  expectNear(states[1]["angular_velocity_rad_s"], {0, 0, 3});
  EXPECT_FALSE(drystone({"run", scene, "--steps", "1", "--json"}).json().contains("body_states"));
}

TEST(RunBodies, AreATableOfTheSummary) {
  const Scratch scratch;
  const std::string scene = scratch.write("scene.json", kThrownScene);
  const ProgramResult with = drystone({"run", scene, "--steps", "100", "--bodies"});
  EXPECT_THAT(with.out, testing::ContainsRegex("\nBodies at the end +position \\[m\\] "));
  EXPECT_THAT(with.out, testing::ContainsRegex(
                            "\n  ball +6, 2, 1 +0.0707372, 0, 0, 0.997495 +5, 0, -2 +0, 0, 3"));
  EXPECT_FALSE(drystone({"run", scene, "--steps", "1"}).outContains("Bodies at the end"));
  EXPECT_EQ(drystone({"run", scene, "--bodies", "--quiet"}).exitCode, 2);
}

}  // namespace
}  // namespace drystone::test
