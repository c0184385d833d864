// What of a scene should meet or be carried, and is not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kBall =
    R"({"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "position": [0, 0, 9]})";

std::vector<std::string> warned(const std::string& sections) {
  return readSections(sections).warnings;
}

/// A scene of a ball and of what does not move.
std::vector<std::string> warnedOver(const std::string& gravity, const std::string& ground,
                                    const std::string& more = "") {
  return warned(R"("world": {"gravity": )" + gravity + R"(}, "bodies": [)" + ground + ", " + kBall +
                "]" + more);
}

TEST(Meetings, PlaneThatGravityRunsAlong_CarriesNothing) {
  const std::string plane = R"({"name": "g", "kind": "static", "shape": {"type": "plane"}})";
  EXPECT_THAT(warnedOver("[0, 0, -9.81]", plane), IsEmpty());
  EXPECT_THAT(warnedOver("[0, -9.81, -0.1]", plane), IsEmpty());
  EXPECT_THAT(warnedOver("[0, 0, 0]", plane), IsEmpty());
  EXPECT_THAT(
      warnedOver("[0, -9.81, 0]", plane),
      ElementsAre("s.json:2:49 /bodies/0: gravity (0, -9.81, 0) does not press onto plane 'g', "
                  "whose normal is (0, 0, 1): all falls beside it; turn the plane by "
                  "\"orientation\", or world.gravity"));
}

TEST(Meetings, WallsThatAreNotAllThereIs_AreMeant) {
  const std::string wall =
      R"({"name": "wall", "kind": "static", "shape": {"type": "plane"}, "orientation": {"axis": [0, 1, 0], "angle_deg": 90}})";
  const std::string down = "[0, 0, -9.81]";
  EXPECT_THAT(warnedOver(down, wall), ElementsAre(HasSubstr("onto plane 'wall'")));
  EXPECT_THAT(warnedOver(down, wall + R"(, {"kind": "static", "shape": {"type": "plane"}})"),
              IsEmpty());
  EXPECT_THAT(
      warnedOver(down,
                 wall + R"(, {"kind": "static", "shape": {"type": "box", "size": [9, 9, 1]}})"),
      IsEmpty());
  // A pendulum before a wall does not fall.
  EXPECT_THAT(
      warnedOver(
          down, wall,
          R"(, "joints": [{"type": "ball", "body_a": "wall", "body_b": "ball", "anchor": [0, 0, 9]}])"),
      IsEmpty());
}

TEST(Meetings, GroupsThatLeaveABodyAlone_AreWarnedOf) {
  const auto with = [](const std::string& keys, const std::string& other = "") {
    return warned(R"("bodies": [{"name": "g", "kind": "static", "shape": {"type": "plane"}},
  {"name": "far", "position": [0, 0, 5], "shape": {"type": "sphere", "radius": 0.5}, )" +
                  keys + "}" + other + "]");
  };
  EXPECT_THAT(with(R"("group": 2, "mask": 1)"), IsEmpty());
  EXPECT_THAT(with(R"("collide": false)"), IsEmpty());
  EXPECT_THAT(with(R"("mask": 0)"), IsEmpty());
  EXPECT_THAT(
      with(R"("group": 2, "mask": 2)"),
      ElementsAre("s.json:3:3 /bodies/1: 'far' meets nothing: no other body has a \"group\" of its "
                  "\"mask\" 2 and a \"mask\" with its \"group\" 2; where that is meant, write "
                  "\"collide\": false"));
  // The other's mask counts too, and so do others of its own groups.
  EXPECT_THAT(with(R"("group": 2, "mask": 2)", R"(, {"name": "near", "position": [0, 0, 9],
   "shape": {"type": "sphere", "radius": 0.5}, "group": 2, "mask": 2})"),
              IsEmpty());
  EXPECT_THAT(with(R"("group": 2, "mask": 4)", R"(, {"name": "near", "position": [0, 0, 9],
   "shape": {"type": "sphere", "radius": 0.5}, "group": 4, "mask": 1})"),
              ElementsAre(HasSubstr("'far' meets nothing")));
}

TEST(Meetings, WheelWhoseSuspensionNothingHolds_IsWarnedOf) {
  const auto with = [](const std::string& suspension) {
    return warned(
        R"("bodies": [{"name": "post", "kind": "static"}, {"name": "a", "shape": {"type": "sphere", "radius": 0.5}}],
"joints": [{"type": "wheel", "name": "left", "body_a": "post", "body_b": "a", "anchor": [0, 0, 0],
  "steer_axis": [0, 0, 1], "wheel_axis": [0, 1, 0])" +
        suspension + "}]");
  };
  EXPECT_THAT(with(R"(, "suspension": {"spring": {"stiffness": 100}})"), IsEmpty());
  EXPECT_THAT(with(R"(, "suspension": {"upper": 0.1})"), IsEmpty());
  EXPECT_THAT(with(R"(, "suspension": "locked")"), IsEmpty());
  EXPECT_THAT(with(R"(, "suspension": {"motor": {"position": 0}})"), IsEmpty());
  const std::string message =
      "s.json:3:12 /joints/0: nothing carries the load of wheel 'left': its \"suspension\" has no "
      "spring and no limits; give it a \"spring\", or \"lower\" and \"upper\"";
  EXPECT_THAT(with(""), ElementsAre(message));
  EXPECT_THAT(with(R"(, "suspension": {"friction": 1})"), ElementsAre(message));
}

}  // namespace
}  // namespace drystone
