#include <gtest/gtest.h>

#include "core/input_error.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

World weightlessWorld() {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  return World(settings, test::registry());
}

/// A cube of side 1 at the origin that only looks.
BodyId addSensor(World& world, BodyKind kind) {
  BodyDefinition sensor{.name = "sensor", .kind = kind, .shape = Box{Vec3::Constant(0.5)}};
  sensor.isSensor = true;
  return world.addBody(sensor);
}

class Sensor : public testing::TestWithParam<BodyKind> {};

TEST_P(Sensor, BallThatFliesThrough_EntersAndLeavesAndKeepsItsVelocity) {
  World world = weightlessWorld();
  const BodyId sensor = addSensor(world, GetParam());
  // Step i looks at x = -1.01 + 0.1 (i - 1) of the ball's centre: it overlaps from |x| ≤ 0.6, first
  // at -0.51 - 0.1 = -0.61 < -0.6, so in step 6 at -0.51; last at 0.59 in step 17.
  const BodyId ball =
      test::addBody(world, Sphere{0.1}, 1, {{-1.01, 0, 0}, Quat::Identity()}, {6, 0, 0});
  int entered = 0, left = 0;
  for (int i = 1; i <= 30; ++i) {
    const StepReport& report = world.step();
    EXPECT_EQ(report.contacts, 0);
    for (const SensorEvent& event : world.lastEvents().sensorsBegun) {
      EXPECT_EQ(entered, 0);
      EXPECT_EQ(event, (SensorEvent{sensor, ball}));
      entered = i;
    }
    for (const SensorEvent& event : world.lastEvents().sensorsEnded) {
      EXPECT_EQ(left, 0);
      EXPECT_EQ(event, (SensorEvent{sensor, ball}));
      left = i;
    }
    EXPECT_TRUE(world.lastEvents().contactsBegun.empty());
  }
  EXPECT_EQ(entered, 6);
  EXPECT_EQ(left, 18);
  EXPECT_EQ(world.body(ball).linearVelocity(), Vec3(6, 0, 0));
}

TEST_P(Sensor, SensesEveryKindOfBodyButSensors_AndAStaticOneNoStaticBody) {
  World world = weightlessWorld();
  addSensor(world, GetParam());
  addSensor(world, BodyKind::kDynamic);
  const BodyId fixed = world.addBody({.kind = BodyKind::kStatic, .shape = Sphere{0.2}});
  const BodyId moved = world.addBody({.kind = BodyKind::kKinematic, .shape = Sphere{0.2}});
  const BodyId loose = world.addBody({.kind = BodyKind::kDynamic, .shape = Sphere{0.2}});
  world.body(loose).setPose({{0, 0, 0.3}, Quat::Identity()});
  world.step();
  std::vector<int> seen;
  for (const SensorEvent& event : world.lastEvents().sensorsBegun) {
    if (event.sensor.index == 0) seen.push_back(event.visitor.index);
  }
  std::vector<int> expected = {fixed.index, moved.index, loose.index};
  if (GetParam() == BodyKind::kStatic) expected.erase(expected.begin());
  EXPECT_EQ(seen, expected);
}

std::string kindName(const testing::TestParamInfo<BodyKind>& parameter) {
  constexpr const char* kNames[] = {"Dynamic", "Static", "Kinematic"};
  return kNames[static_cast<int>(parameter.param)];
}

INSTANTIATE_TEST_SUITE_P(Kind, Sensor,
                         testing::Values(BodyKind::kStatic, BodyKind::kKinematic,
                                         BodyKind::kDynamic),
                         kindName);

TEST(SensorEnd, OfARemovedVisitor_CarriesItsOldId) {
  World world = weightlessWorld();
  const BodyId sensor = addSensor(world, BodyKind::kStatic);
  const BodyId ball = test::addBody(world, Sphere{0.1}, 1, {Vec3::Zero(), Quat::Identity()});
  world.step();
  ASSERT_EQ(world.lastEvents().sensorsBegun.size(), 1u);
  world.removeBody(ball);
  world.step();
  ASSERT_EQ(world.lastEvents().sensorsEnded.size(), 1u);
  EXPECT_EQ(world.lastEvents().sensorsEnded[0], (SensorEvent{sensor, ball}));
}

TEST(SensorInput, WithoutAShape_IsRefused) {
  World world = weightlessWorld();
  BodyDefinition sensor{.kind = BodyKind::kStatic};
  sensor.isSensor = true;
  EXPECT_THROW(world.addBody(sensor), InputError);
}

}  // namespace
}  // namespace drystone
