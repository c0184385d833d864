// What users of other engines write, and what they are told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

/// A joint between a post and a body, with more keys.
std::string wordInJoint(const std::string& keys) {
  return R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "mass": 1, "inertia": [1, 1, 1]}],
"joints": [{"body_a": "g", "body_b": "a", "anchor": [0, 0, 0], )" +
         keys + "}]";
}
std::string wordInHinge(const std::string& keys) {
  return wordInJoint(R"("type": "hinge", "axis": [0, 0, 1], )" + keys);
}
std::string wordInMotor(const std::string& key) {
  return wordInHinge(R"("motor": {"velocity": 1, ")" + key + R"(": 1})");
}
std::string wordInBody(const std::string& keys) {
  return R"("bodies": [{"kind": "static", )" + keys + "}]";
}
std::string wordInShape(const std::string& keys) {
  return R"("bodies": [{"shape": {)" + keys + "}}]";
}

struct ForeignWord {
  std::string sections, remedy;
};

TEST(ForeignKeys, AreAnsweredWithWhatToWrite) {
  const std::string kOnlySize = R"("type": "box", "size": [1, 1, 1], )";
  const ForeignWord words[] = {
      {wordInShape(kOnlySize + R"("half_size": [1, 1, 1])"), R"("half_extents")"},
      {wordInShape(R"("type": "cylinder", "radius": 1, "half_length": 1, "length": 2)"),
       R"("half_length", half of it)"},
      {wordInShape(R"("type": "capsule", "radius": 1, "half_length": 1, "height": 2)"),
       "half of the part between the caps"},
      {R"("shapes": {"a": {"type": "capsule", "radius": 1, "half_length": 1, "height": 2}})",
       "half of the part between the caps"},
      {R"("world": {"iterations": 9})", R"("max_iterations" in solver)"},
      {R"("world": {"time": 9})", R"(it is here "duration")"},
      {R"("body": [])", R"(it is here "bodies")"},
      {R"("joint": {})", R"(it is here "joints")"},
      {wordInShape(R"("type": "plane", "normal": [0, 0, 1])"), R"(by "orientation" of the body)"},
      {wordInShape(R"("type": "sphere", "radius": 1, "r": 1)"), R"(it is here "radius")"},
      {wordInShape(R"("type": "sphere", "radius": 1, "diameter": 2)"), R"("radius", half of it)"},
      {wordInBody(R"("weight": 1)"), R"(it is here "mass" [kg])"},
      {R"("world": {"erp": 0.2})", R"("gamma" in world.stabilization)"},
      {R"("solver": {"velocityIterations": 9})", R"("max_iterations" in solver)"},
      {R"("sensors": [])", "docs/sensors.md"},
      {R"("actuators": [])", R"(each is here a "motor" of a joint)"},
      {wordInMotor("target"), R"("position" or "velocity")"},
      {wordInMotor("force"), R"("max_force")"},
      {wordInMotor("speed"), R"(it is here "velocity")"},
      {wordInMotor("kp"), R"("stiffness" of a motor with "position")"},
      {wordInMotor("kd"), R"("damping" of a motor with "position")"},
      {wordInMotor("forcerange"), R"("max_force" of a motor)"},
      {wordInHinge(R"("range": [0, 1])"), R"("lower" and "upper")"},
      {wordInHinge(R"("limits": [0, 1])"), R"("lower" and "upper")"},
      {wordInHinge(R"("armature": 0.1)"), R"(the "inertia" of its body)"},
      {wordInHinge(R"("pivot": [0, 0, 0])"), R"("anchor")"},
      {wordInJoint(R"("type": "fixed", "axis": [0, 0, 1])"), "a fixed joint has no axis"},
      {wordInBody(R"("type": "static")"), R"("kind": "dynamic", "static" or "kinematic")"},
      {wordInBody(R"("fixed": true)"), R"("kind": "static")"},
      {wordInBody(R"("static": true)"), R"("kind": "static")"},
      {wordInBody(R"("contype": 1)"), R"("group"; both masks must agree)"},
      {wordInBody(R"("conaffinity": 1)"), R"("mask"; both masks must agree)"},
      {wordInBody(R"("categoryBits": 1)"), R"("group")"},
      {wordInBody(R"("collisionFilterMask": 1)"), R"("mask")"},
      {wordInBody(R"("filter": 1)"), R"("group" and "mask")"},
      {wordInBody(R"("linearVelocity": [0, 0, 0])"), R"("velocity")"},
      {wordInBody(R"("isBullet": true)"), "there is nothing to set"},
      {wordInBody(R"("ccd": true)"), "there is nothing to set"},
      {wordInBody(R"("rpy": [0, 0, 1])"), R"({"euler_deg": [x, y, z]})"},
      {R"("materials": {"ball": {"bounciness": 1}})", R"("restitution" in materials.NAME)"},
  };
  for (const ForeignWord& word : words) {
    EXPECT_THAT(problemsOf(sceneWith(word.sections)), ElementsAre(HasSubstr(word.remedy)))
        << word.sections;
  }
}

// A joint of an unknown type is read on as what it is here.
TEST(ForeignKeys, WeldWithAnAxis_IsToldThatItHasNone) {
  EXPECT_THAT(problemsOf(sceneWith(wordInJoint(R"("type": "weld", "axis": [0, 0, 1])"))),
              Contains(HasSubstr("a fixed joint has no axis")));
}

// Keys of the same words that mean something here stay what they are.
TEST(ForeignKeys, WordsOfTheFormat_AreNone) {
  EXPECT_THAT(problemsOf(sceneWith(wordInShape(R"("type": "cone", "radius": 1, "height": 2)"))),
              IsEmpty());
  EXPECT_THAT(problemsOf(sceneWith(R"("camera": {"target": [0, 0, 1]})")), IsEmpty());
  EXPECT_THAT(problemsOf(sceneWith(
                  wordInShape(R"("type": "cone", "radius": 1, "height": 2, "length": 2)"))),
              ElementsAre(testing::Not(HasSubstr("half_length\", half"))));
}

TEST(ForeignForms, AreAnsweredWithTheRightOne) {
  const ForeignWord words[] = {
      {R"("solver": "nsgs")", R"(; write {"name": "nsgs"})"},
      {R"("world": {"gravity": -9.81})", "; write [0, 0, -9.81]: z points up"},
      {R"("world": {"gravity": 9.81})", "; write [0, 0, -9.81]: z points up"},
      {R"("world": {"friction": 0.5})", R"(the coefficient is "friction" in materials.NAME)"},
      {wordInBody(R"("orientation": [0, 0, 90])"),
       R"(; write {"euler_deg": [0,0,90]} for turns in degrees)"},
  };
  for (const ForeignWord& word : words) {
    EXPECT_THAT(problemsOf(sceneWith(word.sections)), ElementsAre(EndsWith(word.remedy)))
        << word.sections;
  }
}

}  // namespace
}  // namespace drystone
