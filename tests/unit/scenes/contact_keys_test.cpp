// Keys of belts, sensors, free motion and sleep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ContactKeys, OfABody_AreReadAsWritten) {
  const Scene scene = readSections(R"("bodies": [
    {"kind": "static", "shape": {"type": "plane"}, "surface_velocity": [1, 2, 3]},
    {"kind": "static", "shape": {"type": "sphere", "radius": 1}, "sensor": true, "allow_sleep": false}])");
  EXPECT_EQ(scene.bodies[0].surfaceVelocity, Vec3(1, 2, 3));
  EXPECT_FALSE(scene.bodies[0].isSensor);
  EXPECT_TRUE(scene.bodies[0].allowSleep);
  EXPECT_TRUE(scene.bodies[1].isSensor);
  EXPECT_FALSE(scene.bodies[1].allowSleep);
}

TEST(ContactKeys, OfAGenerator_GoToItsBodies) {
  const Scene scene =
      readSections(R"("generators": [{"type": "stack", "count": 2, "step": [0, 0, 1],
    "shape": {"type": "sphere", "radius": 0.5}, "surface_velocity": [0.5, 0, 0], "sensor": true}])");
  ASSERT_EQ(scene.bodies.size(), 2u);
  for (const BodyDefinition& body : scene.bodies) {
    EXPECT_EQ(body.surfaceVelocity, Vec3(0.5, 0, 0));
    EXPECT_TRUE(body.isSensor);
  }
}

TEST(ContactKeys, SensorWithoutAShape_IsRefused) {
  EXPECT_THAT(problemsOf(sceneWith(R"("bodies": [{"kind": "static", "sensor": true}])")),
              ElementsAre(HasSubstr("/bodies/0: a sensor needs a \"shape\"")));
}

TEST(FreeMotionKeys, OfABody_AreReadAsWritten) {
  const Scene scene = readSections(R"("bodies": [
    {"shape": {"type": "sphere", "radius": 1}, "linear_damping": 0.5, "angular_damping": 2,
     "gravity_scale": -1, "locked_translations": "zx", "locked_rotations": "y"},
    {"shape": {"type": "sphere", "radius": 1}}])");
  EXPECT_EQ(scene.bodies[0].linearDamping, 0.5);
  EXPECT_EQ(scene.bodies[0].angularDamping, 2);
  EXPECT_EQ(scene.bodies[0].gravityScale, -1);
  EXPECT_EQ(scene.bodies[0].lockedAxes, (LockedAxes{{true, false, true}, {false, true, false}}));
  EXPECT_EQ(scene.bodies[1].gravityScale, 1);
  EXPECT_EQ(scene.bodies[1].lockedAxes, LockedAxes{});
}

TEST(FreeMotionKeys, BadValues_AreRefusedWithTheirPlace) {
  const auto problemsOfKey = [](const std::string& key) {
    return problemsOf(
        sceneWith(R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, )" + key + "}]"));
  };
  EXPECT_THAT(problemsOfKey(R"("linear_damping": -1)"), ElementsAre(HasSubstr("must be ≥ 0 1/s")));
  EXPECT_THAT(problemsOfKey(R"("locked_rotations": "xx")"),
              ElementsAre(HasSubstr("letters of x, y and z, each once, got \"xx\"")));
  EXPECT_THAT(problemsOfKey(R"("locked_translations": "w")"), ElementsAre(HasSubstr("got \"w\"")));
  EXPECT_THAT(problemsOfKey(R"("kind": "static", "gravity_scale": 0)"),
              ElementsAre(HasSubstr("only a dynamic body moves freely")));
}

TEST(SleepingKeys, TheObject_TurnsSleepingOn) {
  EXPECT_FALSE(readSections("\"world\": {}").settings.sleeping.enabled);
  const Sleeping sleeping =
      readSections(
          R"("world": {"sleeping": {"linear_speed": 0.2, "angular_speed": 0.3, "time": 2}})")
          .settings.sleeping;
  EXPECT_TRUE(sleeping.enabled);
  EXPECT_EQ(sleeping.linearSpeed, 0.2);
  EXPECT_EQ(sleeping.angularSpeed, 0.3);
  EXPECT_EQ(sleeping.time, 2);
  EXPECT_FALSE(
      readSections(R"("world": {"sleeping": {"enabled": false}})").settings.sleeping.enabled);
  EXPECT_TRUE(readSections("\"world\": {}", {{"world.sleeping.enabled", "true"}})
                  .settings.sleeping.enabled);
}

TEST(SleepingKeys, NegativeTime_IsRefusedWithItsPlace) {
  EXPECT_THAT(problemsOf(sceneWith(R"("world": {"sleeping": {"time": -1}})")),
              ElementsAre(HasSubstr("/world/sleeping/time: must be ≥ 0 s, got -1")));
}

}  // namespace
}  // namespace drystone
