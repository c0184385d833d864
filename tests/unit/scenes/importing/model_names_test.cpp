// Names that a format does not have, and what a scene has no place for.
#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kInertial =
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";

/// A hinge between the world and a link; `more` is in the joint, `inLink` in the link.
std::string hinged(const std::string& more, const std::string& inLink = "",
                   const std::string& inRobot = "") {
  return "<robot name=\"r\"><link name=\"world\"/><link name=\"b\">" + kInertial + inLink +
         "</link>\n<joint name=\"j\" type=\"continuous\"><parent link=\"world\"/><child "
         "link=\"b\"/>" +
         more + "</joint>" + inRobot + "</robot>";
}

std::string geomBall(const std::string& attributes, const std::string& before = "",
                     const std::string& joint = "<freejoint/>") {
  return "<mujoco>" + before + "<worldbody><body>" + joint + "\n<geom size=\"1\" " + attributes +
         "/></body></worldbody></mujoco>";
}

TEST(ModelNames, MisspeltOnesOfUrdf_AreProblemsWithTheNearest) {
  EXPECT_THAT(importProblems(hinged("<limit lowr=\"-1\" effort=\"3\"/>")),
              ElementsAre("m.xml:2: <limit> has no attribute \"lowr\"; did you mean \"lower\"?"));
  EXPECT_THAT(importProblems(hinged("<axs xyz=\"0 0 1\"/>")),
              ElementsAre("m.xml:2: there is no <axs> in <joint>; did you mean \"axis\"?"));
  EXPECT_THAT(
      importProblems(hinged("", "<colision/>")),
      ElementsAre("m.xml:1: there is no <colision> in <link>; did you mean \"collision\"?"));
  EXPECT_THAT(
      importProblems(hinged("", "<collision><geometry><ball r=\"1\"/></geometry></collision>")),
      ElementsAre("m.xml:1: there is no <ball> in <geometry>; known names: box, sphere, cylinder, "
                  "capsule, mesh"));
  EXPECT_THAT(importProblems(hinged("<origin quat_xyzw=\"0 0 0 1\"/>")),
              ElementsAre(HasSubstr("<origin> has no attribute \"quat_xyzw\"")));
}

TEST(ModelNames, OfOtherPrograms_MayBeInUrdf) {
  const std::string text =
      hinged("<limit effort=\"1\" velocity=\"1\" jerk=\"3\" drake:acceleration=\"9\"/>",
             "<contact/><self_collide/><visual><origin rpx=\"1\"/></visual>",
             "<gazebo reference=\"b\"><anything at=\"all\"/></gazebo><joint_groups/><a:b/>");
  EXPECT_THAT(importProblems(text), IsEmpty());
  EXPECT_THAT(importText(text).notes, AllOf(Contains("m.xml:2: left out: jerk of <limit>"),
                                            Contains("m.xml:1: left out: <self_collide> of a link"),
                                            Contains("m.xml:2: left out: <joint_groups>"),
                                            Contains(HasSubstr("<gazebo>"))));
}

TEST(ModelNames, MisspeltOnesOfMjcf_AreProblemsWithTheNearest) {
  EXPECT_THAT(importProblems(geomBall("mas=\"3\"")),
              ElementsAre("m.xml:2: <geom> has no attribute \"mas\"; did you mean \"mass\"?"));
  EXPECT_THAT(importProblems(geomBall("", "", "<joint type=\"hinge\" axs=\"0 1 0\"/>")),
              ElementsAre("m.xml:1: <joint> has no attribute \"axs\"; did you mean \"axis\"?"));
  EXPECT_THAT(importProblems(geomBall("", "<default><geom densty=\"5\"/></default>")),
              ElementsAre(HasSubstr("did you mean \"density\"?")));
  EXPECT_THAT(importProblems(geomBall("", "<default><gem density=\"5\"/></default>")),
              ElementsAre(HasSubstr("there is no <gem> in <default>; did you mean \"geom\"?")));
  EXPECT_THAT(importProblems(geomBall("", "<wordbody/>")),
              ElementsAre(HasSubstr("there is no <wordbody> in <mujoco>")));
}

TEST(ModelNames, OfWhatASceneLacks_AreLeftOutOnceWithTheirCount) {
  const std::vector<std::string> notes =
      importText(
          "<mujoco><compiler fusestatic=\"true\"/><option cone=\"elliptic\"/><worldbody>"
          "<body><freejoint/>\n<geom size=\"1\" rgba=\"1 0 0 1\" material=\"m\"/><geom "
          "size=\"2\" rgba=\"1 0 0 1\" group=\"2\"/></body></worldbody></mujoco>")
          .notes;
  EXPECT_THAT(notes, ElementsAre("m.xml:1: left out: fusestatic of <compiler>",
                                 "m.xml:1: left out: cone of <option>",
                                 "m.xml:2: left out: material of <geom>",
                                 "m.xml:2: left out: rgba of <geom> (2 times)",
                                 "m.xml:2: left out: group of <geom>"));
}

TEST(ModelNames, TypeOfAGeomThatIsNone_IsTheFirstThingSaid) {
  EXPECT_THAT(
      importProblems(geomBall("type=\"capsul\"")),
      ElementsAre("m.xml:2: there is no type of geom \"capsul\"; did you mean \"capsule\"?"));
  EXPECT_THAT(importProblems(geomBall("", "", "<joint type=\"hinje\"/>")),
              Contains(HasSubstr("did you mean \"hinge\"?")));
}

// The motor of what is driven by forces: its joint and gear are what a program needs.
TEST(ModelNames, MotorsOfMjcf_AreNotedWithTheirGears) {
  const auto driven = [](const std::string& actuators) {
    return "<mujoco><default><motor gear=\"30\"/></default><worldbody><body><joint name=\"hip\"/>"
           "<geom size=\"1\"/><body pos=\"0 0 3\"><joint name=\"knee\"/><geom size=\"1\"/></body>"
           "</body></worldbody><actuator>" +
           actuators + "</actuator></mujoco>";
  };
  EXPECT_THAT(importText(driven("<motor joint=\"hip\" gear=\"100\" ctrlrange=\"-1 1\"/>"
                                "<motor joint=\"knee\"/>"))
                  .notes,
              ElementsAre(AllOf(HasSubstr("left out: <motor> actuators"),
                                HasSubstr("set_forces or apply_force"),
                                HasSubstr("times the gear: hip 100, knee 30"))));
  EXPECT_THAT(importProblems(driven("<motor joint=\"hips\"/>")),
              ElementsAre(HasSubstr("there is no hinge or slide joint 'hips'; did you mean")));
}

TEST(ModelNames, OptionsOfUrdf_AreRefusedWithMjcf) {
  const auto problemsWith = [](const ImportOptions& options) {
    try {
      importText(geomBall(""), options);
      return std::vector<std::string>{};
    } catch (const InputError& error) {
      return error.problems();
    }
  };
  EXPECT_THAT(problemsWith({}), IsEmpty());
  EXPECT_THAT(problemsWith({.base = RobotBase::kFixed, .holdJoints = true}),
              ElementsAre(HasSubstr("--hold"), HasSubstr("--fixed-base")));
  EXPECT_THAT(problemsWith({.base = RobotBase::kFree}), SizeIs(1));
}

TEST(ModelMistakes, AreReportedTogetherAndOnce) {
  const std::string wrong =
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"b\"/>\n"
      "<joint name=\"j\" type=\"hing\"><parent link=\"a\"/><child link=\"c\"/></joint></robot>";
  EXPECT_THAT(importProblems(wrong),
              ElementsAre(HasSubstr("another link is named 'b'"), HasSubstr("no type of joint"),
                          HasSubstr("there is no link 'c'")));
  const std::vector<std::string> ofClass = importProblems(
      "<mujoco><worldbody><body><joint class=\"zz\"/><geom size=\".1\"/></body></worldbody>"
      "<actuator><position joint=\"nope\"/></actuator></mujoco>");
  EXPECT_THAT(ofClass,
              ElementsAre(AllOf(HasSubstr("no class \"zz\""), HasSubstr("known names: main")),
                          HasSubstr("there is no hinge or slide joint 'nope'; there are none")));
}

TEST(ModelMistakes, AnglesInDegrees_AreNoted) {
  EXPECT_THAT(
      importText(hinged("<origin rpy=\"0 0 90\"/>")).notes,
      Contains("m.xml:2: rpy of <origin> is in radians, and 90 is more than a whole turn; 90 "
               "degrees are 1.5708"));
  EXPECT_THAT(importText(hinged("<origin rpy=\"0 0 -6.2832\"/>")).notes,
              Each(Not(HasSubstr("radians"))));
  const auto turned = [](const std::string& unit) {
    return importText("<mujoco><compiler angle=\"" + unit +
                      "\"/><worldbody><body euler=\"0 0 90\"><freejoint/><geom size=\"1\"/></body>"
                      "</worldbody></mujoco>")
        .notes;
  };
  EXPECT_THAT(turned("radian"), ElementsAre(HasSubstr("euler of <body> is in radians")));
  EXPECT_THAT(turned("degree"), IsEmpty());
}

}  // namespace
}  // namespace drystone
