// Contacts that a function of the user changes or disables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "core/input_error.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"
#include "tests/unit/engine/step/sleepers.h"

namespace drystone {
namespace {

/// The ways to take a step in which contacts are found otherwise.
struct Stepping {
  std::string name;
  int substeps = 1;
  Detection detection = Detection::kSubstep;
  Integrator integrator = Integrator::kSemiImplicitEuler;
};

WorldSettings settingsOf(const Stepping& stepping) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.substeps = stepping.substeps;
  settings.detection = stepping.detection;
  settings.integrator = stepping.integrator;
  return settings;
}

class ModifiedContacts : public testing::TestWithParam<Stepping> {
 protected:
  /// Steps two worlds of a ground, a box that slides and one that tumbles side by side: `edit`
  /// makes their difference, which is none.
  void expectSameBits(const std::function<void(World&, BodyId ground)>& editFirst,
                      const std::function<void(World&, BodyId ground)>& editSecond) {
    World first(settingsOf(GetParam()), test::registry());
    World second(settingsOf(GetParam()), test::registry());
    World plain(settingsOf(GetParam()), test::registry());
    for (World* world : {&first, &second, &plain}) {
      const BodyId ground = test::addGround(*world);
      if (world == &first) editFirst(*world, ground);
      if (world == &second) editSecond(*world, ground);
      test::addUnitBox(*world, {0, 0, 0.5}, {2, 1, 0});
      test::addBody(*world, Box{{0.3, 0.2, 0.1}}, 2,
                    {{3, 0, 1}, test::turn(Vec3(1, 2, 3).normalized(), 0.7)}, {0, -1, 0});
    }
    for (int i = 0; i < 90; ++i) {
      for (World* world : {&first, &second, &plain}) world->step();
      ASSERT_EQ(first.observe().hash(), second.observe().hash()) << i;
    }
    EXPECT_NE(first.observe().hash(), plain.observe().hash()) << "the change should show";
  }
};

TEST_P(ModifiedContacts, WithoutFriction_SlideAsBodiesWithoutIt) {
  expectSameBits(
      [](World& world, BodyId) { world.setMaterialPair(0, 0, {.friction = 0}); },
      [](World& world, BodyId) {
        world.setContactModifier([](ContactChange& change) { change.material.friction = 0; });
      });
}

TEST_P(ModifiedContacts, WithAnotherMaterial_AreAsIfItWasThatOfThePair) {
  const Material soft{.friction = 0.1,
                      .restitution = 0.3,
                      .tangentialRestitution = 0.2,
                      .compliance = 0.02,
                      .contensouRadius = 0.2};
  expectSameBits([&](World& world, BodyId) { world.setMaterialPair(0, 0, soft); },
                 [&](World& world, BodyId) {
                   world.setContactModifier([=](ContactChange& change) { change.material = soft; });
                 });
}

TEST_P(ModifiedContacts, OnABelt_AreThoseOfABodyWithThatSurfaceVelocity) {
  const Vec3 belt(0.7, -0.4, 0);
  expectSameBits([&](World& world, BodyId ground) { world.body(ground).setSurfaceVelocity(belt); },
                 [&](World& world, BodyId ground) {
                   world.setContactModifier([=](ContactChange& change) {
                     if (change.bodyA == ground) change.surfaceVelocity -= belt;
                     if (change.bodyB == ground) change.surfaceVelocity += belt;
                   });
                 });
}

TEST_P(ModifiedContacts, ThatAreDisabled_AreAsIfThereWasNoGround) {
  expectSameBits(
      [](World& world, BodyId ground) { world.body(ground).setFilter({.group = 1, .mask = 0}); },
      [](World& world, BodyId) {
        world.setContactModifier([](ContactChange& change) { change.isDisabled = true; });
      });
}

INSTANTIATE_TEST_SUITE_P(Stepping, ModifiedContacts,
                         testing::Values(Stepping{"Whole"}, Stepping{"Inner", 3},
                                         Stepping{"Carried", 3, Detection::kStep},
                                         Stepping{"Moreau", 1, Detection::kSubstep,
                                                  Integrator::kMoreau}),
                         [](const auto& parameter) { return parameter.param.name; });

/// Lets through what comes from below the face, and what is still in it.
ContactModifier oneWay(BodyId platform) {
  return [platform](ContactChange& change) {
    if (change.bodyA != platform && change.bodyB != platform) return;
    const Real side = change.bodyA == platform ? 1 : -1;  // from the platform to the other
    const bool isFromBelow = side * change.normal.z() < 0.5;
    const bool rises = side * change.velocity.z() > 0.01;
    change.isDisabled = isFromBelow || rises || change.gap < -0.02;
  };
}

TEST(ContactModifier, OneWayPlatform_IsPassedUpwardsAndHoldsFromAbove) {
  for (const bool isPlatformFirst : {true, false}) {
    World world(test::settingsFor("bpp-auto"), test::registry());
    BodyDefinition definition{.kind = BodyKind::kStatic, .shape = Box{{2, 2, 0.1}}};
    BodyId platform;
    if (isPlatformFirst) platform = world.addBody(definition);
    const BodyId ball = test::addBody(world, Sphere{0.25}, 1, {{0, 0, -2}}, {0, 0, 8});
    const BodyId box = test::addBody(world, Box{{0.2, 0.2, 0.2}}, 1, {{1, 0, 2}});
    if (!isPlatformFirst) platform = world.addBody(definition);
    world.setContactModifier(oneWay(platform));
    Real highest = -2;
    for (int i = 0; i < 150; ++i) {
      world.step();
      highest = std::max(highest, world.body(ball).pose().position.z());
      if (highest < 1) {
        // It passes as if there was nothing: v = v0 - g t.
        ASSERT_NEAR(world.body(ball).linearVelocity().z(), 8 - test::kGravity * world.time(), 1e-9);
      }
    }
    EXPECT_GT(highest, 1);
    EXPECT_NEAR(world.body(ball).pose().position.z(), 0.35, 1e-4);
    EXPECT_NEAR(world.body(box).pose().position.z(), 0.3, 1e-4);
  }
}

TEST(ContactModifier, DisabledContact_IsInNoListAndWakesNothing) {
  World world(test::sleepy(), test::registry());
  test::addGround(world);
  const std::vector<BodyId> boxes = test::addStack(world, 1);
  const BodyId ghost = test::addUnitBox(world, {0.1, 0, 8});
  world.setContactModifier([=](ContactChange& change) {
    change.isDisabled = change.bodyA == ghost || change.bodyB == ghost;
  });
  for (int i = 0; i < 100; ++i) {
    world.step();
    EXPECT_TRUE(world.body(ghost).contacts().empty());
    const StepEvents& events = world.lastEvents();
    EXPECT_EQ(events.contactsBegun.size(), i == 0 ? 1u : 0u);  // the box on the ground
    EXPECT_TRUE(events.contactsEnded.empty());
  }
  EXPECT_EQ(test::awakeOf(world, boxes), 0);
  EXPECT_LT(world.body(ghost).pose().position.z(), -2);
}

/// A bar that turns into a ball which only a look at the end of the step shows.
struct Blade {
  World world;
  BodyId blade, ball;

  Blade() : world(weightless(), test::registry()) {
    blade = world.addBody({.kind = BodyKind::kKinematic,
                           .shape = Box{{1.5, 0.05, 0.05}},
                           .angularVelocity = {0, 0, 24}});
    ball = test::addBody(world, Sphere{0.05}, 1,
                         {{std::cos(0.45), std::sin(0.45), 0}, Quat::Identity()});
  }
  static WorldSettings weightless() {
    WorldSettings settings = test::settingsFor("auto");
    settings.gravity.setZero();
    return settings;
  }
};

TEST(ContactModifier, ChangesLateContacts) {
  Blade slides, slidesToo, misses;
  slides.world.setMaterialPair(0, 0, {.friction = 0});
  int lateCalls = 0;
  slidesToo.world.setContactModifier([&](ContactChange& change) {
    EXPECT_EQ(change.bodyA, slidesToo.blade);
    EXPECT_EQ(change.bodyB, slidesToo.ball);
    // The bar's face comes at the ball, which rests, at ω r along y. The normal of a contact of the
    // end of the step is turned with the bar by 0.4 rad.
    EXPECT_NEAR(change.velocity.y(), -24 * std::cos(0.45), 0.3);
    lateCalls += std::abs(change.normal.x() + std::sin(0.4)) < 1e-9 ? 1 : 0;
    change.material.friction = 0;
  });
  misses.world.setContactModifier([](ContactChange& change) { change.isDisabled = true; });
  for (Blade* each : {&slides, &slidesToo, &misses}) each->world.step();
  EXPECT_GE(lateCalls, 1);
  EXPECT_GE(slidesToo.world.lastReport().looks, 1);
  EXPECT_EQ(slides.world.observe().hash(), slidesToo.world.observe().hash());
  EXPECT_TRUE(slidesToo.world.body(slidesToo.ball).angularVelocity().isZero(1e-9));
  EXPECT_TRUE(misses.world.body(misses.ball).linearVelocity().isZero(0));
  EXPECT_EQ(misses.world.lastReport().looks, 0);
}

TEST(ContactModifier, ThatMakesALateContactSoft_LeavesItOut) {
  Blade soft;
  soft.world.setContactModifier([](ContactChange& change) { change.material.compliance = 0.1; });
  EXPECT_EQ(soft.world.step().looks, 0);
  Blade hard;
  hard.world.setMaterialPair(0, 0, {.compliance = 0.1});
  hard.world.setContactModifier([](ContactChange& change) { change.material.compliance = 0; });
  EXPECT_GE(hard.world.step().looks, 1);
}

TEST(ContactModifier, GoesOnBitForBitForEveryThreadCountAndAfterARestore) {
  const auto make = [](int threads) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.threads = threads;
    World world(settings, test::registry());
    test::addGround(world);
    for (int i = 0; i < 100; ++i) {
      test::addBody(world, Box{{0.2, 0.15, 0.1}}, 1,
                    {{0.45 * (i % 10), 0.4 * (i / 10), 0.3 + 0.1 * (i % 3)},
                     test::turn(Vec3::UnitX(), 0.1 * i)});
    }
    world.setContactModifier([](ContactChange& change) {
      change.material.friction = 0.1 * (change.bodyB.index % 7);
      change.isDisabled = change.bodyB.index % 11 == 5 && change.velocity.z() > 0;
    });
    return world;
  };
  test::expectSameBitsForEveryThreadCount(make, 20, [](const World&) {});
  World world = make(4), again = make(1);
  for (int i = 0; i < 10; ++i) world.step();
  again.restore(world.save());
  for (int i = 0; i < 10; ++i) {
    world.step();
    again.step();
    ASSERT_EQ(world.observe().hash(), again.observe().hash()) << i;
  }
}

TEST(ContactModifier, BadValues_ThrowWhenTheStepIsDone_AndTheContactStaysAsItWas) {
  constexpr Real kNotFinite = std::numeric_limits<Real>::quiet_NaN();
  const std::vector<std::tuple<std::string, ContactModifier>> cases = {
      {"friction must be", [](ContactChange& change) { change.material.friction = -1; }},
      {"friction must be", [](ContactChange& change) { change.material.friction = kNotFinite; }},
      {"restitution must be", [](ContactChange& change) { change.material.restitution = 1.5; }},
      {"tangential_restitution must",
       [](ContactChange& change) { change.material.tangentialRestitution = -2; }},
      {"compliance must be", [](ContactChange& change) { change.material.compliance = -1; }},
      {"contensou_radius must", [](ContactChange& change) { change.material.contensouRadius = 0; }},
      {"friction that differs between directions",
       [](ContactChange& change) { change.material.frictionAcross = 0.2; }},
      {"friction that differs between directions",
       [](ContactChange& change) { change.material.frictionDirection = Vec3::UnitY(); }},
      {"surface velocity is not finite",
       [](ContactChange& change) { change.surfaceVelocity.x() = kNotFinite; }}};
  World world(test::settingsFor("bpp-auto"), test::registry());
  World plain(test::settingsFor("bpp-auto"), test::registry());
  for (World* each : {&world, &plain}) {
    test::addGround(*each);
    test::addUnitBox(*each, {0, 0, 0.5}, {1, 0, 0});
  }
  for (const auto& [problem, modifier] : cases) {
    world.setContactModifier(modifier);
    try {
      world.step();
      ADD_FAILURE() << problem;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << error.what();
    }
    plain.step();
    EXPECT_EQ(world.observe().hash(), plain.observe().hash()) << problem;
  }
  world.setContactModifier({});
  EXPECT_NO_THROW(world.step());
}

TEST(ContactModifier, WithAFilter_LeavesTheWarmStepFreeOfAllocations) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  test::addGround(world);
  test::addStack(world, 4);
  test::addUnitBox(world, {0.2, 0, 40});
  world.addBody({.kind = BodyKind::kKinematic,
                 .shape = Box{{1.5, 0.05, 0.05}},
                 .pose = {{20, 0, 5}},
                 .angularVelocity = {0, 0, 24}});
  const BodyId ball = test::addBody(world, Sphere{0.05}, 1, {});
  const BodyId last = world.bodies()[5];
  world.setPairFilter([last](BodyId a, BodyId b) { return a != last && b != last; });
  world.setContactModifier([](ContactChange& change) {
    change.material.friction = 0.3;
    change.surfaceVelocity = Vec3(1e-3, 0, 0);
  });
  std::int64_t allocations = 0;
  int looks = 0;
  for (int i = 0; i < 40; ++i) {
    // At an angle of 0.45 rad ahead of the bar's end, over and over.
    const Real angle = 24.0 / 60 * i + 0.45;
    world.body(ball).setPose({{20 + std::cos(angle), std::sin(angle), 5}, Quat::Identity()});
    world.body(ball).setVelocity(Vec3::Zero(), Vec3::Zero());
    const std::int64_t before = test::allocationCount();
    looks += world.step().looks;
    if (i >= 20) allocations += test::allocationCount() - before;
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_GE(looks, 20);
}

}  // namespace
}  // namespace drystone
