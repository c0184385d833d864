// Adhesion of bodies: closed forms of what hangs, slides, sticks and is let go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "engine/statics/statics.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
constexpr Real kPaneMass = 3;

struct PaneSetup {
  std::string solver = "bpp-auto";
  Integrator integrator = Integrator::kSemiImplicitEuler;
  int substeps = 1;
  bool mayRest = false;
};

World paneWorld(const PaneSetup& setup) {
  WorldSettings settings = test::settingsFor(setup.solver);
  settings.integrator = setup.integrator;
  settings.substeps = setup.substeps;
  settings.sleeping.enabled = setup.mayRest;
  return World(settings, test::registry());
}

/// A ceiling whose lower side is at z = 0, and a flat box of 3 kg below it.
struct HungPane {
  World world;
  BodyId ceiling, pane;

  explicit HungPane(Real pull, const PaneSetup& setup = {}) : world(paneWorld(setup)) {
    ceiling = world.addBody({.name = "ceiling",
                             .kind = BodyKind::kStatic,
                             .shape = Box{{2, 2, 0.5}},
                             .pose = {{0, 0, 0.5}, Quat::Identity()}});
    pane = test::addBody(world, Box{{0.5, 0.3, 0.05}}, kPaneMass, {{0, 0, -0.05}});
    world.body(ceiling).setAdhesion(pull);
  }
  Real height() const { return world.body(pane).centerOfMass().z() + 0.05; }
  Real speed() const { return world.body(pane).linearVelocity().z(); }
};

class Adhesion : public testing::TestWithParam<PaneSetup> {};
INSTANTIATE_TEST_SUITE_P(Setups, Adhesion,
                         testing::Values(PaneSetup{}, PaneSetup{.solver = "nsgs"},
                                         PaneSetup{.integrator = Integrator::kMoreau},
                                         PaneSetup{.substeps = 3}),
                         [](const auto& parameter) {
                           const PaneSetup& setup = parameter.param;
                           return setup.solver == "nsgs"                    ? "Nsgs"
                                  : setup.substeps > 1                      ? "Substeps"
                                  : setup.integrator == Integrator::kMoreau ? "Moreau"
                                                                            : "Euler";
                         });

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
  setPull(5);
  EXPECT_THROW(Statics{hung.world}, InputError);
}

}  // namespace
}  // namespace drystone
