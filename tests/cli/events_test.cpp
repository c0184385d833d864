// The files of `run --events` and the event columns of `run --csv`.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

/// A ball that falls through a sensor, bounces, and hangs a lamp whose cord breaks at once.
const char* const kEventsScene = R"({
  "version": 1, "name": "events",
  "world": {"timestep": 0.01, "gravity": [0, 0, 0]},
  "materials": {"default": {"restitution": 0.5}},
  "bodies": [
    {"name": "floor, stone", "kind": "static", "shape": {"type": "plane"}},
    {"name": "gate", "kind": "static", "sensor": true,
     "shape": {"type": "box", "half_extents": [1, 1, 0.1]}, "position": [0, 0, 1]},
    {"name": "ball", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 1.3005],
     "velocity": [0, 0, -4]},
    {"name": "hook", "kind": "static"},
    {"name": "lamp", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [5, 0, 3],
     "velocity": [0, 0, -3]}],
  "joints": [{"type": "ball", "name": "cord", "body_a": "hook", "body_b": "lamp", "anchor": [5, 0, 3],
              "breaking_impulse": 1}]})";

std::vector<std::string> eventsOf(const std::vector<std::string>& more) {
  const Scratch scratch;
  const std::string file = scratch.path("events.csv");
  std::vector<std::string> arguments = {
      "run", scratch.write("scene.json", kEventsScene), "--steps", "100", "--quiet", "--events",
      file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  EXPECT_EQ(drystone(arguments).exitCode, 0);
  return splitLines(readText(file));
}

TEST(RunEvents, NameWhatBeganAndEnded) {
  const std::vector<std::string> lines = eventsOf({});
  // The cord takes the lamp's m v = 3 N s in step 1. The ball, 0.1005 m over the gate's touch at
  // 1.2 m and 40 mm a step, overlaps it when 3 steps have moved it; its centre leaves 0.8 m after
  // 13 (1.3005 - 0.52 = 0.7805), and 31 take it to the floor at 0.1 m (0.0605).
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(
      lines[0],
      "step,time_s,event,body_a,body_b,joint,impulse_Ns,approach_m_s,points,x_m,y_m,z_m,nx,ny,"
      "nz,attraction_Ns");
  const std::vector<std::string> broken = splitFields(lines[1]);
  ASSERT_EQ(broken.size(), 16u);
  EXPECT_EQ(broken[0], "1");
  EXPECT_EQ(broken[2], "joint_break");
  EXPECT_EQ(broken[5], "cord");
  EXPECT_NEAR(std::stod(broken[6]), 3, 1e-6);
  EXPECT_EQ(lines[2], "4,0.04,sensor_begin,gate,ball,,,,,,,,,,,");
  EXPECT_EQ(splitFields(lines[3])[0], "14");
  EXPECT_EQ(splitFields(lines[3])[2], "sensor_end");
}

TEST(RunEvents, Landing_HasItsImpulseAndSpeed) {
  bool landed = false, left = false;
  for (const std::string& line : eventsOf({})) {
    // The comma in the floor's name is quoted, so that the fields stay in their columns.
    if (line.find("contact_begin,\"floor, stone\",ball,,") != std::string::npos) {
      landed = true;
      const std::string tail = line.substr(line.find("ball,,") + 6);
      EXPECT_NEAR(std::stod(tail), 2 * 4 * 1.5, 1e-6);  // m v (1 + e)
      EXPECT_NEAR(std::stod(splitFields(tail)[1]), 4, 1e-12);
      EXPECT_EQ(splitFields(tail)[2], "1");
    }
    left = left || line.find("contact_end") != std::string::npos;
    EXPECT_EQ(line.find("persist"), std::string::npos);
  }
  EXPECT_TRUE(landed);
  EXPECT_TRUE(left);
}

/// A magnet of 3 N holds two balls of 19.62 N, each by a point. One is torn off by 40 N at 0.1 s;
/// the other is let go at 0.2 s, and lifted at 0.3 s.
TEST(RunEvents, OfAHold_HaveItsPullAndWhetherItWasTornOff) {
  const Scratch scratch;
  const std::string scene = scratch.write("scene.json", R"({
    "version": 1, "name": "holds", "world": {"timestep": 0.01},
    "bodies": [
      {"name": "magnet", "kind": "static", "shape": {"type": "plane"},
       "adhesion": [{"time": 0, "force": 3}, {"time": 0.2, "force": 0}]},
      {"name": "torn", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0.1],
       "forces": [{"time": 0.1}, {"time": 0.101, "force": [0, 0, 40]}]},
      {"name": "let_go", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "position": [1, 0, 0.1],
       "forces": [{"time": 0.3}, {"time": 0.301, "force": [0, 0, 40]}]}]})");
  const std::string file = scratch.path("events.csv");
  ASSERT_EQ(drystone({"run", scene, "--steps", "50", "--quiet", "--events", file}).exitCode, 0);
  const std::vector<std::string> lines = splitLines(readText(file));
  const auto pullOf = [&](const std::string& event) {
    const auto line = std::ranges::find_if(
        lines, [&](const std::string& one) { return one.find(event) != std::string::npos; });
    EXPECT_NE(line, lines.end()) << event;
    return line == lines.end() ? -1 : std::stod(splitFields(*line).at(15));
  };
  // The magnet shares its force between the two.
  EXPECT_NEAR(pullOf("contact_begin,magnet,torn"), 0.01 * 3 / 2, 1e-12);
  EXPECT_NEAR(pullOf("contact_begin,magnet,let_go"), 0.01 * 3 / 2, 1e-12);
  EXPECT_NEAR(pullOf("contact_end,magnet,torn"), 0.01 * 3 / 2, 1e-12) << "something tore it off";
  EXPECT_EQ(pullOf("contact_end,magnet,let_go"), 0) << "the pull was off";
}

TEST(RunEvents, PersistentContacts_AreWrittenWhereAskedFor) {
  const Scratch scratch;
  const std::string file = scratch.path("events.csv");
  ASSERT_EQ(
      drystone({"run", "stack_10", "--steps", "5", "--events", file, "--events-persist"}).exitCode,
      0);
  // Ten pairs that touch: they begin in the first step and persist in four.
  EXPECT_EQ(splitLines(readText(file)).size(), 1u + 10 + 40);
}

TEST(RunEvents, PersistWithoutAFile_IsAUsageError) {
  EXPECT_EQ(drystone({"run", "stack_10", "--events-persist"}).exitCode, 2);
}

TEST(RunCsv, CountsTheEventsOfEachStep) {
  const Scratch scratch;
  const std::string file = scratch.path("steps.csv");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "2", "--quiet", "--csv", file}).exitCode, 0);
  const std::vector<std::string> lines = splitLines(readText(file));
  ASSERT_EQ(lines.size(), 3u);
  const std::vector<std::string> titles = splitFields(lines[0]);
  const auto at = std::find(titles.begin(), titles.end(), "contacts_begun") - titles.begin();
  ASSERT_LT(at, std::ssize(titles));
  EXPECT_EQ(splitFields(lines[1])[at], "10");
  EXPECT_EQ(splitFields(lines[2])[at], "0");
}

}  // namespace
}  // namespace drystone::test
