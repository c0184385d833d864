// Contacts that a step has no use for: wide gaps between bodies at rest.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "engine/world/world.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

/// Two unit boxes side by side on the ground, 5 mm apart.
struct Neighbours {
  World world{settingsFor("auto"), registry()};
  BodyId ground = addGround(world);
  BodyId left = addUnitBox(world, {0, 0, 0.5});
  BodyId right = addUnitBox(world, {1.005, 0, 0.5});

  /// Contacts of a step: 8 on the ground, and those across the gap.
  int contacts() {
    world.step();
    return world.lastReport().contacts;
  }
};

TEST(DistantPoints, OfBodiesAtRest_AreDropped) {
  Neighbours two;
  EXPECT_EQ(two.contacts(), 8);
  EXPECT_EQ(two.contacts(), 8);
}

TEST(DistantPoints, OfAGap_BelowATenthOfTheMarginStay) {
  Neighbours two;
  two.world.body(two.right).setPose({{1.0009, 0, 0.5}, Quat::Identity()});
  EXPECT_EQ(two.contacts(), 12);
}

TEST(DistantPoints, OfBodiesThatMove_Stay) {
  Neighbours two;
  // 1/60 s at 5 mm/s is less than a hundredth of the margin, at 7 mm/s more.
  two.world.body(two.left).setVelocity({-0.005, 0, 0}, {0, 0, 0});
  EXPECT_EQ(two.contacts(), 8);
  two.world.body(two.left).setVelocity({-0.007, 0, 0}, {0, 0, 0});
  EXPECT_EQ(two.contacts(), 12);
}

TEST(DistantPoints, OfBodiesThatTurn_Stay) {
  Neighbours two;
  two.world.body(two.left).setVelocity({0, 0, 0}, {0, 0, 0.01});
  EXPECT_EQ(two.contacts(), 12);
}

TEST(DistantPoints, OfBodiesThatArePushed_Stay) {
  Neighbours two;
  two.world.body(two.left).applyForce({1, 0, 0});
  EXPECT_EQ(two.contacts(), 12);
}

// What moves may push on what rests beside it, through others that it touches.
TEST(DistantPoints, OfAGroupInWhichOneMoves_Stay) {
  Neighbours two;
  const BodyId onTop = addUnitBox(two.world, {-0.4, 0, 1.5});
  EXPECT_EQ(two.contacts(), 12);
  two.world.body(onTop).setVelocity({0.1, 0, 0}, {0, 0, 0});
  EXPECT_EQ(two.contacts(), 16);
}

// 4 between each box and the plate that lies on both, of 2 m: 8 more than on the ground. What the
// plate moves may close the gap between them.
TEST(DistantPoints, OnWhatMovesAsPrescribed_Stay) {
  const Vec3 still = Vec3::Zero(), along{0.1, 0, 0};
  const auto contactsUnder = [](const Vec3& velocity, const Vec3& belt) {
    Neighbours two;
    BodyDefinition plate{.kind = BodyKind::kKinematic, .shape = Box{{1, 1, 0.1}}};
    plate.pose.position = {0.5, 0, 1.1};
    plate.linearVelocity = velocity;
    plate.surfaceVelocity = belt;
    two.world.addBody(plate);
    return two.contacts();
  };
  EXPECT_EQ(contactsUnder(still, still), 8 + 8);
  EXPECT_EQ(contactsUnder(along, still), 8 + 8 + 4);
  EXPECT_EQ(contactsUnder(still, along), 8 + 8 + 4);
}

// Each body of a joint counts as one that moves, and so does all that it touches.
TEST(DistantPoints, OfBodiesWithJoints_Stay) {
  Neighbours two;
  const BodyId far = addUnitBox(two.world, {0, 5, 0.5});
  const JointId joint = two.world.addJoint(presetJoint(
      "slider", far, two.left, {{0, -2.5, 0}, Quat::Identity()}, {{0, 2.5, 0}, Quat::Identity()}));
  EXPECT_EQ(two.contacts(), 12 + 4);
  two.world.removeJoint(joint);
  EXPECT_EQ(two.contacts(), 8 + 4) << "without the joint";
}

TEST(DistantPoints, OfBodiesWithScheduledForces_Stay) {
  Neighbours two;
  two.world.body(two.left).setForces({{.time = 0, .force = {1, 0, 0}}});
  EXPECT_EQ(two.contacts(), 12);
}

// From rest a body falls 2.7 mm in the first step, on what is 2 mm below it.
TEST(DistantPoints, ThatGravityCloses_Stay) {
  World world{settingsFor("auto"), registry()};
  addGround(world);
  const BodyId box = addUnitBox(world, {0, 0, 0.502});
  world.step();
  EXPECT_EQ(world.lastReport().looks, 0);
  EXPECT_NEAR(world.body(box).pose().position.z(), 0.5, 1e-9);
}

// What a body falls on may be held by what it stands on: the two do not fall alike. Contacts that
// are carried along have to do for all inner steps.
TEST(DistantPoints, ThatGravityClosesOnABodyAtRest_Stay) {
  for (const Detection detection : {Detection::kSubstep, Detection::kStep}) {
    for (const bool isUpperFirst : {false, true}) {
      WorldSettings settings = settingsFor("auto");
      settings.detection = detection;
      settings.substeps = detection == Detection::kStep ? 4 : 1;
      World world{settings, registry()};
      addGround(world);
      const Vec3 below{0, 0, 0.5}, above{0, 0, 1.5013};
      const BodyId first = addUnitBox(world, isUpperFirst ? above : below);
      const BodyId second = addUnitBox(world, isUpperFirst ? below : above);
      world.step();
      EXPECT_EQ(world.lastReport().contacts, 8);
      EXPECT_NEAR(world.body(isUpperFirst ? first : second).pose().position.z(), 1.5, 1e-9);
    }
  }
}

// Of each body its own: what rises with twice the gravity goes 5.4 mm in the first step.
TEST(DistantPoints, ThatItsOwnGravityCloses_Stay) {
  World world{settingsFor("auto"), registry()};
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{1, 1, 0.5}},
                 .pose = {{0, 0, 1.505}, Quat::Identity()}});
  BodyDefinition balloon{.shape = Box{{0.5, 0.5, 0.5}}};
  balloon.pose.position = {0, 0, 0.5};
  balloon.gravityScale = -2;
  const BodyId id = world.addBody(balloon);
  world.step();
  EXPECT_EQ(world.lastReport().contacts, 4);
  EXPECT_NEAR(world.body(id).pose().position.z(), 0.505, 1e-9);
}

TEST(DistantPoints, ThatGravityClosesSideways_Stay) {
  WorldSettings settings = settingsFor("auto");
  settings.gravity = {9.81, 0, 0};
  for (const bool isLocked : {false, true}) {
    World world{settings, registry()};
    world.addBody({.kind = BodyKind::kStatic,
                   .shape = Box{{0.5, 1, 1}},
                   .pose = {{1.002, 0, 0}, Quat::Identity()}});
    BodyDefinition box{.shape = Box{{0.5, 0.5, 0.5}}};
    box.lockedAxes.translation[0] = isLocked;
    const BodyId id = world.addBody(box);
    world.step();
    EXPECT_EQ(world.lastReport().contacts, isLocked ? 0 : 4);
    EXPECT_NEAR(world.body(id).pose().position.x(), isLocked ? 0 : 0.002, 1e-9);
  }
}

// In one step of 0.1 s a box falls by 98 mm along the wall that one of its edges is close to. It
// may turn about that edge, so the other one counts, 40 mm away.
TEST(DistantPoints, ThatAreAheadOfAMotion_Stay) {
  WorldSettings settings = settingsFor("auto");
  settings.timestep = 0.1;
  World world{settings, registry()};
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{0.5, 5, 5}},
                 .pose = {{-0.5005, 0, 0}, Quat::Identity()}});
  constexpr Real kLean = 0.04;
  const Real half = 0.5 * (std::cos(kLean) + std::sin(kLean));
  addBody(world, Box{{0.5, 0.5, 0.5}}, 1, {{half, 0, 0}, turn(Vec3::UnitY(), kLean)});
  world.step();
  EXPECT_EQ(world.lastReport().contacts, 4);
}

// What sleeps does not fall. So it sleeps on above a box that is put 2 mm below it.
TEST(DistantPoints, UnderWhatSleeps_AreDropped) {
  WorldSettings settings = settingsFor("auto");
  settings.sleeping = {.enabled = true, .time = settings.timestep / 2};
  World world{settings, registry()};
  addGround(world);
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{0.5, 0.5, 0.5}},
                 .pose = {{0, 0, 0.502}, Quat::Identity()}});
  const BodyId plank = addBody(world, Box{{1.4, 0.5, 0.1}}, 1, {{0, 0, 1.102}, Quat::Identity()});
  for (int i = 0; i < 5; ++i) world.step();
  ASSERT_FALSE(world.body(plank).isAwake());
  BodyDefinition box{.shape = Box{{0.3, 0.5, 0.5}}};
  box.pose.position = {1, 0, 0.5};
  box.allowSleep = false;
  const BodyId below = world.addBody(box);
  world.step();
  EXPECT_TRUE(world.body(below).isAwake());
  EXPECT_FALSE(world.body(plank).isAwake());
}

/// A plank tips over the one of its supports that is left, against a wall 2 mm beside it.
struct TippingPlank {
  World world;
  BodyId plank;

  explicit TippingPlank(WorldSettings settings) : world(withLongSteps(settings), registry()) {
    addGround(world);
    const auto add = [&](const Vec3& half, const Vec3& position, BodyKind kind) {
      return world.addBody(
          {.kind = kind, .shape = Box{half}, .pose = {position, Quat::Identity()}});
    };
    add({0.05, 0.5, 0.5}, {-0.95, 0, 0.5}, BodyKind::kStatic);
    const BodyId support = add({0.05, 0.5, 0.5}, {0.95, 0, 0.5}, BodyKind::kStatic);
    plank = add({1, 0.5, 0.1}, {0, 0, 1.1}, BodyKind::kDynamic);
    // Its lower edge goes away from the wall, its upper one towards it.
    add({0.1, 0.5, 1}, {1.102, 0, 2.1}, BodyKind::kStatic);
    world.step();
    restingContacts = world.lastReport().contacts;
    world.removeBody(support);
    world.step();
  }
  static WorldSettings withLongSteps(WorldSettings settings) {
    settings.timestep = 0.05;
    return settings;
  }

  /// Depth of its upper edge in the wall [m].
  Real overlap() const { return (world.body(plank).pose() * Vec3(1, 0, 0.1)).x() - 1.002; }

  int restingContacts = 0;  ///< 8 on the supports, and those with the wall
};

// The look at the end of the step leaves at most half of the tolerance: by default 1 mm here.
// Without it the plank would be 1.6 mm deep.
TEST(DistantPoints, ThatAreMetAllTheSame_AreFoundAtTheEndOfTheStep) {
  for (const std::optional<Real> tolerance : {std::optional<Real>(), {1e-5}, {4e-3}}) {
    WorldSettings settings = settingsFor("auto");
    settings.overlapTolerance = tolerance;
    const TippingPlank tipping(settings);
    const StepReport& report = tipping.world.lastReport();
    EXPECT_EQ(tipping.restingContacts, 8);
    const bool isLoose = report.overlapTolerance > 3e-3;
    EXPECT_EQ(report.looks, isLoose ? 0 : 1);
    EXPECT_LE(tipping.overlap(), isLoose ? 2e-3 : 1e-9) << report.overlapTolerance;
    EXPECT_GE(tipping.overlap(), isLoose ? 1e-3 : -1e-4) << report.overlapTolerance;
  }
}

// Where no step looks at its end, they stay.
TEST(DistantPoints, WhereNoStepLooksForThem_Stay) {
  WorldSettings carried = settingsFor("auto"), projected = carried, unheld = carried;
  carried.substeps = 2;
  carried.detection = Detection::kStep;
  projected.projection = Projection::on();
  unheld.holdJoints = false;
  for (const WorldSettings& settings : {carried, projected, unheld}) {
    const TippingPlank tipping(settings);
    EXPECT_EQ(tipping.restingContacts, 8 + 4);
    EXPECT_LE(tipping.overlap(), 0);
  }
}

// A soft step goes in for as long as it lasts, and the next ones push that out.
TEST(DistantPoints, ThatAreMetSoftly_ArePushedOutByTheNextSteps) {
  WorldSettings settings = settingsFor("auto");
  settings.stepping = Stepping::kSoft;
  TippingPlank tipping(settings);
  EXPECT_EQ(tipping.restingContacts, 8);
  EXPECT_GT(tipping.overlap(), 1e-3);
  EXPECT_LE(tipping.overlap(), 2e-3);
  for (int i = 0; i < 2; ++i) tipping.world.step();
  EXPECT_LE(tipping.overlap(), 0);
}

}  // namespace
}  // namespace drystone::test
