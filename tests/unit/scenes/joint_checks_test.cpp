// What a scene's joints are warned of or refused for, by geometry alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"
#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Four bars of a linkage a - b - c - d with the ground as the fourth, joined by hinges about y;
/// bar b is one metre long like a, and the ground's pivots are `ground` metres apart.
std::string fourBars(const std::string& ground) {
  const auto bar = [](const std::string& name, const std::string& x) {
    return R"({"name": ")" + name +
           R"(", "shape": {"type": "box", "half_extents": [0.5, 0.05, 0.05]}, "position": [)" + x +
           ", 0, 0]}";
  };
  const auto hinge = [](const std::string& name, const std::string& a, const std::string& b,
                        const std::string& onA, const std::string& onB) {
    return R"({"name": ")" + name + R"(", "type": "hinge", "axis": [0, 1, 0], "body_a": ")" + a +
           R"(", "body_b": ")" + b + R"(", "anchor_a": [)" + onA + R"(, 0, 0], "anchor_b": [)" +
           onB + ", 0, 0]}";
  };
  return sceneWith(R"("bodies": [{"name": "g", "kind": "static"},)" + bar("a", "0.5") + "," +
                   bar("b", "1.5") + "," + bar("c", "2.5") + "],\n\"joints\": [" +
                   hinge("ga", "g", "a", "0", "-0.5") + "," + hinge("ab", "a", "b", "0.5", "-0.5") +
                   "," + hinge("bc", "b", "c", "0.5", "-0.5") + ",\n" +
                   hinge("cg", "c", "g", "0.5", ground) + "]");
}

TEST(JointChecks, LoopThatMeets_HasNoWarning) {
  // Three bars of one metre in a row, and pivots three metres apart.
  EXPECT_THAT(readSceneText(fourBars("3"), "s.json").warnings, IsEmpty());
}

TEST(JointChecks, LoopThatCouldMeet_IsWarnedOfWithItsDistance) {
  // Pivots 2 m apart: the bars can fold to that, but start 1 m beyond.
  EXPECT_THAT(
      readSceneText(fourBars("2"), "s.json").warnings,
      ElementsAre("s.json:4:1 /joints/3: joint 'cg' does not hold at the start: its points "
                  "on 'c' and 'g' are 1 m from where it wants them; move one of the bodies, or "
                  "give both the same \"anchor\""));
}

TEST(JointChecks, LoopWhoseLongestBarExceedsTheOthers_IsAnError) {
  const auto problems = problemsOf(fourBars("3.2"));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0], HasSubstr("cannot close: the ground needs 3.2 m, and all else in the "
                                     "loop reaches 3 m"));
  EXPECT_THAT(problems[0], HasSubstr("/joints/"));
  EXPECT_THAT(problems[0], HasSubstr("'cg'"));
}

TEST(JointChecks, RopeThatIsLongEnough_ClosesTheLoop) {
  const auto withRope = [](const std::string& length) {
    return sceneWith(
        R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "shape": {"type": "sphere", "radius": 0.5}}],
        "joints": [{"type": "ball", "body_a": "g", "body_b": "a", "anchor": [0, 0, 0]},
          {"type": "distance", "body_a": "g", "body_b": "a", "anchor_a": [2, 0, 0], "anchor_b": [0.5, 0, 0], "lower": 0, "upper": )" +
        length + "}]");
  };
  // From the ball's pivot the anchor on the sphere reaches 0.5 m of the 2 m to the rope's.
  EXPECT_THAT(problemsOf(withRope("1.6")), IsEmpty());
  EXPECT_THAT(problemsOf(withRope("1.4")), ElementsAre(HasSubstr("cannot close")));
}

TEST(JointChecks, TwoHingesAtDifferentDistances_AreAnError) {
  // A door whose hinges are 1 m apart on the door and 1.5 m on the frame.
  const auto problems = problemsOf(sceneWith(
      R"("bodies": [{"name": "g", "kind": "static"}, {"name": "door", "shape": {"type": "box", "half_extents": [0.5, 0.02, 1]}}],
      "joints": [
        {"name": "low", "type": "hinge", "axis": [0, 0, 1], "body_a": "g", "body_b": "door", "anchor_a": [-0.5, 0, -0.5], "anchor_b": [-0.5, 0, -0.5]},
        {"name": "high", "type": "hinge", "axis": [0, 0, 1], "body_a": "g", "body_b": "door", "anchor_a": [-0.5, 0, 1], "anchor_b": [-0.5, 0, 0.5]}])"));
  EXPECT_THAT(problems, ElementsAre(HasSubstr("the ground needs 1.5 m, and all else in the loop "
                                              "reaches 1 m")));
}

TEST(JointChecks, SliderInALoop_MakesItAsLongAsItsLimits) {
  const auto withSlider = [](const std::string& upper) {
    return sceneWith(
        R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "shape": {"type": "sphere", "radius": 0.5}}, {"name": "b", "shape": {"type": "sphere", "radius": 0.5}}],
        "joints": [{"type": "ball", "body_a": "g", "body_b": "a", "anchor": [0, 0, 0]},
          {"type": "slider", "axis": [1, 0, 0], "body_a": "a", "body_b": "b", "anchor": [0, 0, 0], "lower": 0, "upper": )" +
        upper +
        R"(},
          {"type": "ball", "body_a": "b", "body_b": "g", "anchor_a": [0, 0, 0], "anchor_b": [3, 0, 0]}])");
  };
  EXPECT_THAT(problemsOf(withSlider("3.1")), IsEmpty());
  EXPECT_THAT(problemsOf(withSlider("2.5")), ElementsAre(HasSubstr("cannot close")));
}

/// Of a door on a post, with more keys of its joint.
std::vector<std::string> warningsOfHinge(const std::string& keys) {
  return readSceneText(
             sceneWith(
                 R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "shape": {"type": "sphere", "radius": 0.5}}],
"joints": [{"name": "door", "type": "hinge", "axis": [0, 0, 1], "body_a": "g", "body_b": "a", "anchor": [0, 0, 0], )" +
                 keys + "}]"),
             "s.json")
      .warnings;
}

TEST(JointChecks, RangeThatDoesNotHoldTheStart_IsWarnedOf) {
  EXPECT_THAT(warningsOfHinge(R"("lower": 0, "upper": 1)"), IsEmpty());
  EXPECT_THAT(
      warningsOfHinge(R"("lower": 0.5, "upper": 1)"),
      ElementsAre("s.json:3:12 /joints/0: joint 'door' does not hold at the start: its "
                  "angle counts from 0 rad there, and its lower limit is 0.5 rad; turn body b, or "
                  "count the limits from there"));
  EXPECT_THAT(warningsOfHinge(R"("upper": -0.2)"),
              ElementsAre(HasSubstr("its upper limit is -0.2 rad")));
}

TEST(JointChecks, RangeIsMeasuredFromTheStart) {
  EXPECT_THAT(warningsOfHinge(R"("start": 0.7, "lower": 0.5, "upper": 1)"), IsEmpty());
  EXPECT_THAT(warningsOfHinge(R"("start": -3, "lower": -3.1, "upper": -3)"), IsEmpty());
  EXPECT_THAT(warningsOfHinge(R"("start": 0.7, "lower": 0, "upper": 0.5)"),
              ElementsAre(HasSubstr("its angle counts from 0.7 rad there, and its upper limit is "
                                    "0.5 rad")));
}

TEST(JointChecks, StartOfAHingeOrSlider_IsItsCoordinateThere) {
  const auto withJoint = [](const std::string& type, const std::string& keys) {
    return sceneWith(
        R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "shape": {"type": "sphere", "radius": 0.5}, "orientation": {"euler_deg": [20, 30, 40]}, "position": [1, 2, 3]}],
"joints": [{"name": "j", "type": ")" +
        type + R"(", "axis": [1, 2, 2], "body_a": "g", "body_b": "a", )" + keys + "}]");
  };
  for (const auto& [type, coordinate] :
       {std::pair("hinge", kAboutX), std::pair("slider", kAlongX)}) {
    for (const Real start : {-3.1, 0.3}) {
      const World world = buildWorld(
          readSceneText(
              withJoint(type, R"("anchor": [1, 0, 0], "start": )" + std::to_string(start)),
              "s.json"),
          makeDefaultRegistry());
      for (int i = 0; i < 6; ++i) {
        EXPECT_NEAR(world.joint(world.findJoint("j")).coordinate(i), i == coordinate ? start : 0,
                    1e-12)  // rounding of turns
            << type << start;
      }
    }
  }
  EXPECT_THAT(problemsOf(withJoint("hinge", R"("anchor": [0, 0, 0], "start": 3.15)")),
              ElementsAre(HasSubstr("/joints/0/start")));
  EXPECT_THAT(problemsOf(withJoint("slider", R"("anchor_a": [0, 0, 0], "anchor_b": [0, 0, 0],
                                                 "start": 1)")),
              ElementsAre(HasSubstr("goes with \"anchor\"")));
}

TEST(JointChecks, AnchorFarFromTheOnlyBodyWithAShape_IsWarnedOf) {
  // The door's radius is about 1.08 m: 500 m are some 231 of its sizes beyond its surface.
  EXPECT_THAT(
      readSceneText(
          sceneWith(
              R"("bodies": [{"name": "g", "kind": "static"}, {"name": "door", "shape": {"type": "box", "half_extents": [0.4, 0.02, 1]}}],
"joints": [{"type": "hinge", "axis": [0, 0, 1], "body_a": "g", "body_b": "door", "anchor": [500, 0, 0]}])"),
          "s.json")
          .warnings,
      ElementsAre(HasSubstr("far from 'door', 232 times its size")));
}

TEST(JointChecks, AnchorFarFromABody_IsWarnedOf) {
  const auto withAnchor = [](const std::string& x) {
    return readSceneText(
               sceneWith(
                   R"("bodies": [{"name": "a", "kind": "static", "shape": {"type": "sphere", "radius": 0.5}}, {"name": "b", "shape": {"type": "sphere", "radius": 0.5}, "position": [1, 0, 0]}],
        "joints": [{"type": "ball", "body_a": "a", "body_b": "b", "anchor": [)" +
                   x + ", 0, 0]}]"),
               "s.json")
        .warnings;
  };
  EXPECT_THAT(withAnchor("0.5"), IsEmpty());
  // The box around b reaches √3/2 m from its centre at 1 m: ten sizes of √3 m beyond that.
  EXPECT_THAT(withAnchor("19.1"), IsEmpty());
  EXPECT_THAT(withAnchor("19.3"), ElementsAre(HasSubstr("far from 'b', 10.1 times")));
}

TEST(JointChecks, GearThatNoFileMade_IsRefusedByTheEngineUnderItsNumber) {
  Scene scene = readSceneText(
      sceneWith(
          R"("bodies": [{"kind": "static"}, {"mass": 1, "inertia": [1, 1, 1]}, {"mass": 1, "inertia": [1, 1, 1]}],
"joints": [{"type": "ball", "body_a": "body_0", "body_b": "body_1", "anchor": [0, 0, 0]},
  {"type": "hinge", "body_a": "body_0", "body_b": "body_2", "anchor": [0, 0, 0], "axis": [0, 0, 1]}])"),
      "s.json");
  SceneJoint gear;
  gear.gear1 = 0;
  gear.gear2 = 1;
  gear.definition = gearJoint({}, {}, 2);
  scene.joints.push_back(gear);
  try {
    buildWorld(scene, makeDefaultRegistry());
    ADD_FAILURE() << "coupled a ball";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "joint 'joint_2': a gear couples hinges, sliders and distances, joints with "
                 "exactly one free coordinate");
  }
}

TEST(JointChecks, MotorWhoseTargetLiesBeyondALimit_IsWarnedOf) {
  const auto withTarget = [](const std::string& target) {
    return warningsOfHinge(R"("lower": -1, "upper": 1.6, "motor": {"position": )" + target + "}");
  };
  EXPECT_THAT(withTarget("1.6"), IsEmpty());
  EXPECT_THAT(withTarget("[[0, 0], [1, 90]]"),
              ElementsAre("s.json:3:12 /joints/0: the motor of joint 'door' never comes to its "
                          "target 90 rad, which is beyond its \"upper\", 1.6 rad; move the target "
                          "or the limit (angles are in rad)"));
  EXPECT_THAT(withTarget("-1.1"), ElementsAre(HasSubstr("beyond its \"lower\", -1 rad")));
}

TEST(JointChecks, AnglesBeyondTwoTurns_AreLikelyInDegrees) {
  const auto with = [](const std::string& keys, const std::string& type = "hinge") {
    return readSceneText(
               sceneWith(
                   R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "shape": {"type": "sphere", "radius": 0.5}}],
"joints": [{"name": "door", "type": ")" +
                   type +
                   R"(", "axis": [0, 0, 1], "body_a": "g", "body_b": "a", "anchor": [0, 0, 0], )" +
                   keys + "}]"),
               "s.json")
        .warnings;
  };
  EXPECT_THAT(with(R"("lower": -12.5, "upper": 12.5, "motor": {"position": 12.4})"), IsEmpty());
  EXPECT_THAT(with(R"("lower": -90, "upper": 45)"),
              ElementsAre("s.json:3:12 /joints/0: joint 'door' has a limit or target of -90 rad, "
                          "which is -5157°; where -90° is meant, write -1.571"));
  EXPECT_THAT(with(R"("upper": 13)"), ElementsAre(HasSubstr("target of 13 rad")));
  EXPECT_THAT(with(R"("motor": {"position": 45})"), ElementsAre(HasSubstr("target of 45 rad")));
  EXPECT_THAT(with(R"("motor": {"position": [[0, 0], [1, 90]]})"),
              ElementsAre(HasSubstr("target of 90 rad")));
  // What turns on, speeds, and lengths.
  EXPECT_THAT(with(R"("motor": {"position": [[0, 0], [1, 20]]})"), IsEmpty());
  EXPECT_THAT(with(R"("motor": {"velocity": 90})"), IsEmpty());
  EXPECT_THAT(with(R"("lower": -90, "upper": 90)", "slider"), IsEmpty());
}

}  // namespace
}  // namespace drystone
