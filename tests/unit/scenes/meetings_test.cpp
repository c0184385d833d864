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

TEST(Meetings, GravityThatPointsUp_LetsBodiesFlyOff) {
  const auto box = [](const char* z) {
    return std::string(R"({"kind": "static", "shape": {"type": "box", "size": [9, 9, 1]}, )") +
           R"("position": [0, 0, )" + z + "]}";
  };
  EXPECT_THAT(warnedOver("[0, 0, 9.81]", box("-9")),
              ElementsAre("s.json:2:22 /world/gravity: gravity (0, 0, 9.81) points up, as z does, "
                          "so bodies fly off; write [0, 0, -9.81] where down is meant"));
  EXPECT_THAT(warnedOver("[0, 0, 9.81]", box("99")), IsEmpty());  // a ceiling
  EXPECT_THAT(warnedOver("[0, 0, -9.81]", box("-9")), IsEmpty());
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
  EXPECT_THAT(with(R"("collide": false, "mask": 0)"), IsEmpty());
  EXPECT_THAT(
      with(R"("group": 2, "mask": 2)"),
      ElementsAre(
          "s.json:3:3 /bodies/1: 'far' meets nothing: no other solid body has a \"group\" of its "
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

// Bodies that are joined meet each other only where the joint says so, however many joints they
// have.
TEST(Meetings, PartnersThatAreJoinedOnly_AreWarnedOf) {
  const auto with = [](const std::string& joints, const std::string& other = "") {
    return warned(R"("bodies": [{"name": "g", "kind": "static", "shape": {"type": "plane"}},
  {"name": "a", "position": [0, 0, 5], "shape": {"type": "sphere", "radius": 0.5}, "group": 2,
   "mask": 2},
  {"name": "b", "position": [0, 0, 6], "shape": {"type": "sphere", "radius": 0.5}, "group": 2})" +
                  other + R"(], "joints": [)" + joints + "]");
  };
  const auto joint = [](const std::string& keys) {
    return R"({"type": "distance", "body_a": "a", "anchor_a": [0, 0, 0], "anchor_b": [0, 0, 0], "upper": 9, )" +
           keys + "}";
  };
  const std::string toB = joint(R"("body_b": "b")");
  EXPECT_THAT(with(toB),
              ElementsAre(HasSubstr(
                  "'a' meets nothing: no other solid body than those that it is joined to has a "
                  "\"group\" of its \"mask\" 2 and a \"mask\" with its \"group\" 2; where they "
                  "shall touch, give the joint \"collide\": true; where that is meant, write "
                  "\"collide\": false")));
  EXPECT_THAT(with(toB + ", " + toB), ElementsAre(HasSubstr("'a' meets nothing: ")));
  EXPECT_THAT(with(joint(R"("body_b": "b", "collide": true)")), IsEmpty());
  EXPECT_THAT(with(joint(R"("body_b": "g")")), IsEmpty());  // which it does not meet anyway
  const std::string third = R"(, {"name": "c", "position": [0, 0, 8], "group": 2,
   "shape": {"type": "sphere", "radius": 0.5}})";
  EXPECT_THAT(with(toB, third), IsEmpty());
  EXPECT_THAT(with(toB + ", " + toB, third), IsEmpty());
}

// A sensor is met by nothing that it sees.
TEST(Meetings, SensorsThatSeeABody_CarryNothing) {
  const auto with = [](const std::string& keys) {
    return warned(R"("bodies": [{"name": "zone", "kind": "static", "sensor": true, "group": 2,
    "shape": {"type": "sphere", "radius": 9}},
  {"name": "far", "position": [0, 0, 50], "shape": {"type": "sphere", "radius": 0.5}, )" +
                  keys + "}]");
  };
  EXPECT_THAT(
      with(R"("group": 2, "mask": 3)"),
      ElementsAre(HasSubstr("'far' meets nothing but sensors: no other solid body has a \"group\" "
                            "of its \"mask\" 3 and a \"mask\" with its \"group\" 2; share a bit "
                            "with what it shall touch")));
  EXPECT_THAT(with(R"("group": 2, "mask": 4)"), ElementsAre(HasSubstr("'far' meets nothing: ")));
  EXPECT_THAT(with(R"("group": 2, "mask": 4, "sensor": true)"), IsEmpty());
}

TEST(Meetings, GroupOrMaskOfZero_IsWarnedOfAtItsKey) {
  const auto with = [](const std::string& keys) {
    return warned(R"("bodies": [{"shape": {"type": "sphere", "radius": 0.5}, )" + keys + "}]");
  };
  for (const std::string key : {"group", "mask"}) {
    EXPECT_THAT(with("\"" + key + "\": 0"),
                ElementsAre(HasSubstr("/bodies/0/" + key + ": a \"" + key +
                                      "\" of 0 lets the body meet nothing; where that is meant, "
                                      "write \"collide\": false")));
    EXPECT_THAT(with("\"" + key + "\": 0, \"collide\": false"), IsEmpty());
  }
}

TEST(Meetings, DrumThatWindsItsRopeUp_IsWarnedOf) {
  const auto with = [](const std::string& rope, const std::string& drum,
                       const std::string& radius = "0.1") {
    return warned(
        R"("shapes": {"ball": {"type": "sphere", "radius": 0.1}}, "bodies": [{"name": "post", "kind": "static"},
  {"name": "a", "shape": "ball"}, {"name": "b", "shape": "ball", "position": [1, 0, 0]}],
"joints": [{"type": "distance", "name": "rope", "body_a": "post", "body_b": "a", "anchor_a": [0, 0, 2], "anchor_b": [0, 0, 0])" +
        rope + R"(}, {"type": "hinge", "name": "drum", "body_a": "post", "body_b": "b",
  "anchor": [1, 0, 0], "axis": [0, 1, 0])" +
        drum + R"(},
{"type": "winch", "name": "hoist", "joint_a": "rope", "joint_b": "drum", "radius": )" +
        radius + "}]");
  };
  const std::string motor = R"(, "motor": {"velocity": 1, "max_force": 50})";
  EXPECT_THAT(
      with(R"(, "upper": 5)", motor),
      ElementsAre(HasSubstr("/joints/2: the drum of 'hoist' has a motor and its rope 'rope' "
                            "no \"lower\": it winds the rope up to nothing; give 'rope' a "
                            "\"lower\", which stops the drum")));
  EXPECT_THAT(with(R"(, "lower": 0)", motor), ElementsAre(HasSubstr("'hoist'")));
  EXPECT_THAT(with(R"(, "lower": 0.2)", motor), IsEmpty());
  EXPECT_THAT(with(R"(, "upper": 5)", ""), IsEmpty());

  const std::string rope = R"(, "upper": 5)";
  // It pays out, by one sign or the other. A schedule winds where one of its targets does.
  const auto velocity = [&](const std::string& target, const std::string& radius) {
    return with(rope, R"(, "motor": {"velocity": )" + target + R"(, "max_force": 50})", radius);
  };
  EXPECT_THAT(velocity("-1", "0.1"), IsEmpty());
  EXPECT_THAT(velocity("1", "-0.1"), IsEmpty());
  EXPECT_THAT(velocity("-1", "-0.1"), ElementsAre(HasSubstr("'hoist'")));
  EXPECT_THAT(velocity("[[0, -1], [2, 1]]", "0.1"), ElementsAre(HasSubstr("'hoist'")));

  // 2 m of rope are 20 rad of the drum.
  const auto position = [&](const std::string& target, const std::string& radius) {
    return with(rope,
                R"(, "motor": {"position": [[0, 0], [2, )" + target + R"(]], "max_force": 50})",
                radius);
  };
  EXPECT_THAT(position("19.9", "0.1"), IsEmpty());
  EXPECT_THAT(position("20.1", "0.1"), ElementsAre(HasSubstr("'hoist'")));
  EXPECT_THAT(position("-20.1", "0.1"), IsEmpty());
  EXPECT_THAT(position("-20.1", "-0.1"), ElementsAre(HasSubstr("'hoist'")));
  EXPECT_THAT(with(rope, R"(, "lower": -2, "upper": 3)" + motor), IsEmpty());
  EXPECT_THAT(with(rope, R"(, "lower": -2, "upper": 3)" + motor, "-0.1"), IsEmpty());
}

// Drum, carrier and load of a vehicle are three bodies.
TEST(Meetings, WinchOnAVehicle_IsRefusedByItsName) {
  EXPECT_THAT(
      problemsOf(sceneWith(
          R"("shapes": {"ball": {"type": "sphere", "radius": 0.1}}, "bodies": [{"name": "car", "shape": "ball"},
  {"name": "a", "shape": "ball"}, {"name": "b", "shape": "ball", "position": [1, 0, 0]}],
"joints": [{"type": "distance", "name": "rope", "body_a": "car", "body_b": "a", "anchor_a": [0, 0, 2], "anchor_b": [0, 0, 0], "upper": 5},
  {"type": "hinge", "name": "drum", "body_a": "car", "body_b": "b", "anchor": [1, 0, 0], "axis": [0, 1, 0]},
  {"type": "winch", "joint_a": "rope", "joint_b": "drum", "radius": 0.1}])")),
      ElementsAre(HasSubstr("/joints/2/joint_b: a winch acts on two dynamic bodies, and those of "
                            "the two joints are a, b, car")));
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
