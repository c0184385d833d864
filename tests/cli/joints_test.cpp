// The file of `run --joints`.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

/// A lamp of 3 kg at rest on a cord, and a box of 2 kg that stands on nothing but a hinge.
const char* const kJointsScene = R"({
  "version": 1, "name": "joints", "world": {"timestep": 0.01},
  "bodies": [
    {"name": "hook", "kind": "static"},
    {"name": "lamp", "mass": 3, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, -1]},
    {"name": "box", "mass": 2, "shape": {"type": "box", "half_extents": [0.5, 0.1, 0.1]}, "position": [5.5, 0, 0]}],
  "joints": [
    {"type": "distance", "name": "cord", "body_a": "hook", "body_b": "lamp", "anchor_a": [0, 0, 0],
     "anchor_b": [0, 0, 0], "length": 1},
    {"type": "hinge", "name": "hinge", "body_a": "hook", "body_b": "box", "anchor": [5, 0, 0],
     "axis": [0, 1, 0], "motor": {"position": 0}}]})";

TEST(RunJoints, GiveReactionsAndCoordinates) {
  const Scratch scratch;
  const std::string file = scratch.path("joints.csv");
  const std::string scene = scratch.write("scene.json", kJointsScene);
  ASSERT_EQ(drystone({"run", scene, "--steps", "100", "--quiet", "--joints", file}).exitCode, 0);
  const std::vector<std::string> lines = splitLines(readText(file));
  ASSERT_EQ(lines.size(), 1u + 2 * 100);
  const std::vector<std::string> cord = splitFields(lines[199]);
  EXPECT_EQ(cord[2], "cord");
  EXPECT_NEAR(std::stod(cord[5]), 3 * 9.81, 1e-6);  // carries m g
  EXPECT_NEAR(std::stod(cord[9]), 1, 1e-6);         // its length
  EXPECT_EQ(cord[10], "");
  const std::vector<std::string> hinge = splitFields(lines[200]);
  EXPECT_EQ(hinge[2], "hinge");
  EXPECT_NEAR(std::stod(hinge[5]), 2 * 9.81, 1e-6);
  // Gravity pulls at 0.5 m along x: about y with +m g 0.5, which the motor holds.
  EXPECT_NEAR(std::stod(hinge[7]), -2 * 9.81 * 0.5, 1e-6);
  EXPECT_NEAR(std::stod(hinge[12]), 0, 1e-6);
}

TEST(RunIntegrator, IsKnownToTheKeysThatDependOnIt) {
  const std::vector<std::string> run = {
      "run", "chain", "--steps", "2", "--quiet", "--set", "world.joint_rows=mean"};
  const auto with = [&run](const char* integrator) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), {"--integrator", integrator});
    return drystone(arguments).exitCode;
  };
  EXPECT_EQ(with("moreau"), 0);
  EXPECT_EQ(with("semi_implicit_euler"), 2);
}

}  // namespace
}  // namespace drystone::test
