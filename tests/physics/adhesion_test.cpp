// Adhesion of bodies: closed forms of what hangs, slides, sticks and is let go.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "engine/statics/statics.h"
#include "tests/physics/hung_pane.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::HungPane;
using test::kGravity;
using test::kPaneMass;
using test::PaneSetup;
using test::paneWorld;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Adhesion : public testing::TestWithParam<PaneSetup> {};
INSTANTIATE_TEST_SUITE_P(Setups, Adhesion,
                         testing::Values(PaneSetup{}, PaneSetup{.name = "Nsgs", .solver = "nsgs"},
                                         PaneSetup{.name = "Apgd", .solver = "apgd"},
                                         PaneSetup{.name = "ConeIp", .solver = "cone-ip"},
                                         PaneSetup{.name = "Moreau",
                                                   .integrator = Integrator::kMoreau},
                                         PaneSetup{.name = "Substeps", .substeps = 3},
                                         PaneSetup{.name = "Soft", .stepping = Stepping::kSoft},
                                         PaneSetup{.name = "Surfaces", .bySurfaces = true}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(Adhesion, UpToTheWeight_HoldsAndTheContactGivesTheWeightAlone) {
  const Real weight = kPaneMass * kGravity;
  for (const Real share : {1.001, 1.5, 20.0}) {
    HungPane hung(share * weight, GetParam());
    for (int i = 0; i < 60; ++i) {
      ASSERT_LE(std::abs(hung.world.step().energy.ledgerError), 1e-12) << share;
    }
    EXPECT_NEAR(hung.height(), 0, 1e-7) << share;
    const Vec3 force = hung.world.body(hung.pane).contactForce().force;
    EXPECT_NEAR((force - Vec3(0, 0, weight)).norm(), 0, 1e-9 * weight * GetParam().substeps)
        << share;
    Real push = 0, pull = 0;
    WorldSnapshot snapshot;
    hung.world.observe().snapshot(snapshot);
    for (const ContactSnapshot& contact : snapshot.contacts) {
      push += contact.normalImpulse + contact.attraction;
      pull += contact.attraction;
    }
    const Real h = hung.world.settings().substep();
    EXPECT_NEAR(pull, h * share * weight, 1e-12 * share);
    EXPECT_NEAR(push, h * (share - 1) * weight, 1e-8);
  }
}

TEST_P(Adhesion, LessThanTheWeight_ActsForTheStepOfTheTouchAlone) {
  const Real weight = kPaneMass * kGravity;
  HungPane hung(0.75 * weight, GetParam());
  const Real h = hung.world.settings().substep(), dt = hung.world.settings().timestep;
  const StepReport first = hung.world.step();
  EXPECT_LE(std::abs(first.energy.ledgerError), 1e-12);
  // Free fall but for one inner step.
  EXPECT_NEAR(hung.speed(), -kGravity * dt + 0.75 * kGravity * h, 1e-9);
  hung.world.step();
  EXPECT_NEAR(hung.speed(), -2 * kGravity * dt + 0.75 * kGravity * h, 1e-9);
}

// Within the margin in which contacts are found, and yet no touch. A spin about the normal takes
// corners along the ceiling, not to it.
TEST_P(Adhesion, OverAGapOfHalfAMillimetre_DoesNotPull) {
  for (const Real spin : {0.0, 5.0}) {
    HungPane hung(20 * kPaneMass * kGravity, GetParam(), spin > 0 ? 4e-3 : 5e-4);
    hung.world.body(hung.pane).setVelocity(Vec3::Zero(), {0, 0, spin});
    hung.world.setTimestep(1.0 / 60);
    hung.world.step();
    EXPECT_NEAR(hung.speed(), -kGravity * hung.world.time(), 1e-12) << spin;
    EXPECT_TRUE(hung.world.lastEvents().contactsBegun.empty()) << spin;
  }
}

// A floor 5 mm below is within the margin, and of a pane at rest makes no rows: those of the cup
// stay. Once the cup lets go, the floor is met in time.
TEST_P(Adhesion, AboveAFloorWithinTheMargin_HoldsAndThenLandsOnIt) {
  HungPane hung(0, GetParam());
  hung.world.addBody({.kind = BodyKind::kStatic,
                      .shape = Box{{2, 2, 0.5}},
                      .pose = {{0, 0, -0.605}, Quat::Identity()}});
  hung.world.body(hung.ceiling).setAdhesion({{0, 1.5 * kPaneMass * kGravity}, {0.3, 0}});
  test::simulate(hung.world, 0.3);
  EXPECT_NEAR(hung.height(), 0, 1e-7);
  test::simulate(hung.world, 0.3);
  EXPECT_NEAR(hung.height(), -0.005, 1e-6);
  EXPECT_NEAR(hung.speed(), 0, 1e-6);
}

TEST(AdhesionOfAWall, HoldsABoxUpToMuTimesThePull) {
  for (const Real share : {1.02, 0.9}) {
    World world = paneWorld({});
    world.setMaterialPair(0, 0, {.friction = 0.4});
    const BodyId wall = world.addBody({.name = "wall",
                                       .kind = BodyKind::kStatic,
                                       .shape = Box{{0.5, 5, 5}},
                                       .pose = {{-0.5, 0, 0}, Quat::Identity()}});
    const BodyId box = test::addBody(world, Box{{0.05, 1, 1}}, kPaneMass, {{0.05, 0, 0}});
    const Real weight = kPaneMass * kGravity;
    const Real pull = share * weight / 0.4;
    world.body(box).setAdhesion(pull);
    test::simulate(world, 0.5);
    const Real t = world.time();
    // The pull bounds friction, for nothing else presses: it slides with g − μ F / m.
    const Real a = std::max(0.0, kGravity - 0.4 * pull / kPaneMass);
    EXPECT_NEAR(world.body(box).linearVelocity().z(), -a * t, 1e-6) << share;
    EXPECT_NEAR(world.body(box).centerOfMass().x(), 0.05, 1e-7);
    EXPECT_NEAR(world.body(wall).contactForce().force.z(), -std::min(1.0, share) * weight, 1e-5);
    EXPECT_NEAR(world.body(wall).contactForce().force.x(), 0, 1e-5);
  }
}

// Contacts press with the weight and the pull: a = μ (m g + F) / m, until it stops.
TEST(AdhesionOfAFloor, SlowsWhatSlidesByMuTimesPullAndWeight) {
  for (const std::string solver : {"bpp-auto", "nsgs"}) {
    World world = paneWorld({.solver = solver});
    world.setMaterialPair(0, 0, {.friction = 0.2});
    world.body(test::addGround(world)).setAdhesion(1.5 * kPaneMass * kGravity);
    const BodyId pane =
        test::addBody(world, Box{{0.5, 0.3, 0.05}}, kPaneMass, {{0, 0, 0.05}}, {4, 0, 0});
    test::simulate(world, 0.5);
    const Real a = 0.2 * 2.5 * kGravity;
    EXPECT_NEAR(world.body(pane).linearVelocity().x(), 4 - a * world.time(), 1e-6) << solver;
    EXPECT_NEAR(world.body(pane).contactForce().force.z(), kPaneMass * kGravity, 1e-5) << solver;
    test::simulate(world, 0.5);
    EXPECT_NEAR(world.body(pane).linearVelocity().x(), 0, 1e-6) << solver;
  }
}

/// A plate of 20 kg that adheres, and 16 panes of 3 kg under it, thrown at 1 m/s where nothing
/// falls.
struct ThrownPlate {
  World world;
  BodyId plate;
  std::vector<BodyId> panes;
  static constexpr Real kMass = 20 + 16 * kPaneMass;

  explicit ThrownPlate(const PaneSetup& setup) : world(paneWorld(setup)) {
    world.setGravity(Vec3::Zero());
    plate = test::addBody(world, Box{{4, 1, 0.1}}, 20, {{0, 0, 0.1}}, {0, 0, 1});
    for (int i = 0; i < 16; ++i) {
      const Vec3 place(-3.5 + i / 2, i % 2 - 0.5, -0.05);
      panes.push_back(test::addBody(world, Box{{0.3, 0.2, 0.05}}, kPaneMass, {place}, {0, 0, 1}));
    }
  }
};

// Each pane needs m a = 6 N of its sixteenth of the pull.
TEST(AdhesionOfAThrownPlate, CarriesItsPanesAlongInSoftStepsToo) {
  for (const Stepping stepping : {Stepping::kExact, Stepping::kSoft}) {
    ThrownPlate thrown({.solver = "auto", .stepping = stepping});
    World& world = thrown.world;
    constexpr Real kAcceleration = 2;
    world.body(thrown.plate).setAdhesion(16 * 3 * kPaneMass * kAcceleration);
    world.body(thrown.plate)
        .setForces({{.time = 0, .force = {0, 0, ThrownPlate::kMass * kAcceleration}}});
    for (int i = 0; i < 60; ++i) {
      const StepReport& report = world.step();
      ASSERT_EQ(report.softIslands, stepping == Stepping::kSoft ? 1 : 0) << i;
      ASSERT_LE(std::abs(report.energy.ledgerError), 1e-9);
      ASSERT_TRUE(world.lastEvents().contactsEnded.empty()) << i;
    }
    const Real speed = 1 + kAcceleration * world.time();
    const Vec3 place = world.body(thrown.plate).centerOfMass();
    for (const BodyId pane : thrown.panes) {
      EXPECT_NEAR(world.body(pane).linearVelocity().z(), speed, 1e-4);
      EXPECT_NEAR(place.z() - world.body(pane).centerOfMass().z(), 0.15, 1e-4);
    }
  }
}

TEST(AdhesionOfManyIslands, HasTheSameBitsForEveryThreadCount) {
  const auto make = [](int threads) {
    World world = paneWorld({.substeps = 2, .threads = threads});
    for (int i = 0; i < 12; ++i) {
      const Vec3 place(3 * i, 0, 0);
      const BodyId cup = world.addBody({.kind = BodyKind::kKinematic,
                                        .shape = Box{{0.5, 0.5, 0.1}},
                                        .pose = {place + Vec3(0, 0, 0.1), Quat::Identity()},
                                        .linearVelocity = {0, 0.1 * i, 0}});
      world.body(cup).setAdhesion(
          {{0, (1.1 + 0.1 * i) * kPaneMass * kGravity}, {0.03 * (i + 1), 0}});
      test::addBody(world, Box{{0.4, 0.3, 0.05}}, kPaneMass, {place + Vec3(0.1, 0, -0.05)});
    }
    return world;
  };
  int ended = 0;
  test::expectSameBitsForEveryThreadCount(make, 60, [&](const World& world) {
    ended += static_cast<int>(world.lastEvents().contactsEnded.size());
  });
  EXPECT_GT(ended, 0);
}

TEST(AdhesionOfFreeBodies, KeepsThemTogetherAndTheirMomentum) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId low = test::addBody(world, Box{{0.5, 0.5, 0.5}}, 2, {{0, 0, 0}}, {0, 0, -1});
  const BodyId high = test::addBody(world, Box{{0.5, 0.5, 0.5}}, 1, {{0.3, 0, 1}}, {0.2, 0, 2});
  // 3 m/s apart with a reduced mass of 2/3 kg: an impulse of 2 N s stops that within a step.
  world.body(high).setAdhesion(1.5 * 2 / settings.timestep);
  const auto momentum = [&] {
    return Vec3(2 * world.body(low).linearVelocity() + world.body(high).linearVelocity());
  };
  const auto angular = [&] {
    Vec3 sum = Vec3::Zero();
    for (const BodyId id : {low, high}) {
      const ConstBodyHandle body = world.body(id);
      sum += body.centerOfMass().cross(body.mass() * body.linearVelocity()) +
             body.mass() / 6 * body.angularVelocity();  // a cube of 1 m
    }
    return sum;
  };
  const Vec3 before = momentum(), spinBefore = angular();
  for (int i = 0; i < 60; ++i) {
    ASSERT_LE(std::abs(world.step().energy.ledgerError), 1e-11);
    ASSERT_NEAR((momentum() - before).norm(), 0, 1e-12);
    ASSERT_TRUE(world.lastEvents().contactsEnded.empty()) << i;  // the turning opens gaps
  }
  EXPECT_NEAR((angular() - spinBefore).norm(), 0, 1e-6);
  // As one body, but for the turn of a step from where the rows were made.
  const Vec3 spin = world.body(low).angularVelocity();
  EXPECT_GT(spin.norm(), 0.1);
  EXPECT_NEAR((world.body(high).angularVelocity() - spin).norm(), 0, 1e-6);
  const Vec3 apart = world.body(high).velocityAt({0, 0, 0}) - world.body(low).velocityAt({0, 0, 0});
  EXPECT_LE(apart.norm(), 2 * spin.squaredNorm() * settings.timestep);
}

TEST(AdhesionKeys, SwitchTheCupOff_AndTheContactEndsWithoutAPull) {
  for (const bool mayRest : {false, true}) {
    HungPane hung(0, {.mayRest = mayRest});
    hung.world.body(hung.ceiling).setAdhesion({{0, 100}, {1.5, 0}});
    std::vector<ContactEvent> ended;
    Real fallen = 0;
    while (hung.world.time() < 1.7) {
      hung.world.step();
      const StepEvents& events = hung.world.lastEvents();
      ended.insert(ended.end(), events.contactsEnded.begin(), events.contactsEnded.end());
      if (hung.world.time() < 1.5 - 1e-9) {
        ASSERT_NEAR(hung.height(), 0, 1e-7);
        fallen = hung.world.time();
        if (hung.world.time() > 1.4) {
          EXPECT_EQ(hung.world.body(hung.pane).isAwake(), !mayRest);
        }
      }
    }
    const Real since = hung.world.time() - fallen - hung.world.settings().timestep;
    EXPECT_NEAR(hung.speed(), -kGravity * since, 1e-8);
    ASSERT_EQ(ended.size(), 1U);
    EXPECT_EQ(ended[0].attraction, 0);
  }
}

TEST(AdhesionEvents, OfWhatIsTornOff_HaveThePullThatFailed) {
  HungPane hung(2 * kPaneMass * kGravity);
  test::simulate(hung.world, 0.2);
  const Real h = hung.world.settings().timestep;
  EXPECT_NEAR(hung.world.lastEvents().contactsLasting.at(0).attraction,
              2 * kPaneMass * kGravity * h, 1e-12);
  hung.world.body(hung.pane).applyForce({0, 0, -3 * kPaneMass * kGravity});
  hung.world.step();
  hung.world.step();
  ASSERT_EQ(hung.world.lastEvents().contactsEnded.size(), 1U);
  EXPECT_NEAR(hung.world.lastEvents().contactsEnded[0].attraction, 2 * kPaneMass * kGravity * h,
              1e-12);
}

TEST(AdhesionRestore, GoesOnBitForBit) {
  HungPane first(0), second(0);
  for (HungPane* hung : {&first, &second}) {
    hung->world.body(hung->ceiling).setAdhesion({{0, 1.2 * kPaneMass * kGravity}, {0.4, 0}});
    hung->world.body(hung->pane).setVelocity({0.3, 0.2, 0}, {0, 0, 1});
  }
  test::simulate(first.world, 0.2);
  second.world.restore(first.world.save());
  for (int i = 0; i < 30; ++i) {
    first.world.step();
    second.world.step();
    ASSERT_EQ(first.world.observe().hash(), second.world.observe().hash()) << i;
  }
  EXPECT_LT(first.height(), -0.1);  // it was let go meanwhile
}

TEST(AdhesionRefused, WhereItCouldNotAct) {
  HungPane hung(0);
  const auto setPull = [&](Real pull) { hung.world.body(hung.pane).setAdhesion(pull); };
  EXPECT_THROW(setPull(-1), InputError);
  EXPECT_THROW(setPull(std::nan("")), InputError);
  EXPECT_THROW(hung.world.body(hung.pane).setAdhesion({{1, 1}, {1, 2}}), InputError);
  EXPECT_THROW(hung.world.addBody({.mass = massOf(Sphere{1}, 1), .adhesion = {{0, 1}}}),
               InputError);
  hung.world.body(hung.ceiling).setAdhesion(5);
  EXPECT_THAT([&] { Statics{hung.world}; },
              ThrowsMessage<InputError>(AllOf(HasSubstr("Statics: body 'ceiling' has adhesion"),
                                              HasSubstr("setAdhesion(0), or hold it by a joint"))));
  hung.world.body(hung.ceiling).setAdhesion(0);
  EXPECT_NO_THROW(Statics{hung.world});
}

}  // namespace
}  // namespace drystone
