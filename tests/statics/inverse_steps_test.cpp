// What a step did is possible, by the forces that it had, and a little more is not.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/statics/inverse_dynamics.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

constexpr Real kMass = 3;  // [kg]
constexpr Integrator kIntegrators[] = {Integrator::kSemiImplicitEuler, Integrator::kMoreau};

/// Two worlds of a kind, of which one takes an inner step.
struct SteppedPair {
  explicit SteppedPair(const std::function<World()>& make) : stepped(make()), asked(make()) {
    stepped.step();
    for (const BodyId id : stepped.bodies()) {
      const ConstBodyHandle body = std::as_const(stepped).body(id);
      if (body.kind() != BodyKind::kDynamic) continue;
      wanted.push_back({id, body.linearVelocity(), body.angularVelocity()});
    }
  }
  InverseAnswer ask(std::optional<Real> reach = {}) {
    return InverseDynamics(asked, reach).answer(wanted, 1e-5);
  }

  World stepped, asked;
  std::vector<WantedVelocity> wanted;
};

WorldSettings settingsOf(Integrator integrator) {
  WorldSettings settings = test::settingsFor("auto");
  settings.integrator = integrator;
  return settings;
}

Real normalForceOf(const InverseAnswer& answer) {
  Real sum = 0;
  for (const StaticContact& contact : answer.contacts) sum += contact.normalForce;
  return sum;
}

BodyId addLift(World& world, const Vec3& start, const Vec3& end) {
  BodyDefinition lift{.kind = BodyKind::kKinematic, .shape = Box{{1, 1, 0.1}}};
  lift.pose.position.z() = -0.1;
  lift.motion = {{.time = 0, .linear = start}, {.time = 1, .linear = end}};
  return world.addBody(lift);
}

// The lift gains 1 m/s in 1 s, and so does the box.
TEST(InverseSteps, BoxOnALiftThatFollowsKeys_IsCarried) {
  for (const Integrator integrator : kIntegrators) {
    SteppedPair pair([&] {
      World world(settingsOf(integrator), test::registry());
      addLift(world, Vec3::Zero(), {0, 0, 1});
      test::addBody(world, Box{{0.2, 0.2, 0.2}}, kMass, {{0, 0, 0.2}});
      return world;
    });
    const InverseAnswer answer = pair.ask();
    EXPECT_TRUE(answer.isPossible);
    const Real h = pair.asked.settings().timestep;
    const Real gained = pair.wanted[0].linear.z() / h;
    EXPECT_NEAR(normalForceOf(answer), kMass * (kGravity + gained), 1e-3);
  }
}

/// A block that moves against a carriage which follows keys, and hangs on it by a spring.
World springWorld(Integrator integrator, const JointSpring& spring) {
  World world(settingsOf(integrator), test::registry());
  const BodyId carriage = addLift(world, {0.5, 0, 0}, {30, 0, 0});
  const BodyId block = test::addBody(world, Box{{0.1, 0.1, 0.1}}, kMass, {}, {0.4, 0, 0});
  JointDefinition slide = sliderJoint(carriage, block);
  slide.axes[kAlongX].spring = spring;
  world.addJoint(slide, jointFrame({0, 0, 0}, Vec3::UnitX()));
  return world;
}

// h d + h² k resists, with Moreau h d/2 + h² k/4; of tables the slopes where the step begins.
TEST(InverseSteps, Springs_PullAsInTheStep) {
  const ForceTable bent({{0, 0}, {0.2993, -3}, {1, 400}}), rubs({{-1, -40}, {0, 1}, {1, 20}});
  const JointSpring springs[] = {{.stiffness = 500, .damping = 40, .rest = 0.3},
                                 {.rest = -0.3, .forceTable = bent, .damperTable = rubs}};
  for (const Integrator integrator : kIntegrators) {
    for (const JointSpring& spring : springs) {
      SteppedPair pair([&] { return springWorld(integrator, spring); });
      EXPECT_TRUE(pair.ask().isPossible);
      const Vec3 more(0.01, 0, 0);
      pair.wanted[0].linear += more;
      const InverseAnswer answer = pair.ask();
      ASSERT_EQ(answer.lacks.size(), 1u);
      if (!spring.forceTable.isEmpty()) continue;
      const Real h = pair.asked.settings().timestep;
      const Real resisting =
          integrator == Integrator::kMoreau ? h * 40 / 2 + h * h * 500 / 4 : h * 40 + h * h * 500;
      EXPECT_NEAR(answer.lacks[0].force.x() * h / more.x(), kMass + resisting, 1e-2);
    }
  }
}

TEST(InverseSteps, OfMoreau_LeaveTheWorldWhereItWas) {
  World world = springWorld(Integrator::kMoreau, {.stiffness = 500});
  const std::uint64_t before = world.observe().hash();
  const InverseDynamics inverse(world);
  EXPECT_EQ(world.observe().hash(), before);
}

// Of a force that grows an inner step has the mean over itself. What is left then is round-off, and
// does not lack.
TEST(InverseSteps, ForceThatGrows_CountsByItsMeanOverTheInnerStep) {
  WorldSettings settings = test::settingsFor("auto");
  settings.substeps = 4;
  World world(settings, test::registry());
  BodyDefinition pushed{.shape = Sphere{0.1}, .gravityScale = 0};
  pushed.forces = {{.time = 0}, {.time = 1, .force = {100, 0, 0}}};
  const BodyId body = world.addBody(pushed);
  const Real h = settings.substep(), mass = std::as_const(world).body(body).mass();
  const WantedVelocity wanted{body, {h * (100 * h / 2) / mass, 0, 0}, Vec3::Zero()};
  EXPECT_TRUE(InverseDynamics(world).answer({&wanted, 1}).isPossible);
}

// A ball comes down to the floor within the step, from farther than bodies touch: the contact
// carries it. One that still has a gap at the end carries nothing.
TEST(InverseSteps, ContactAhead_CarriesWhereTheStepClosesIt) {
  for (const Real speed : {1.0, 0.1}) {
    const Real gap = 5e-3;
    SteppedPair pair([&] {
      World world(test::settingsFor("auto"), test::registry());
      test::addGround(world);
      test::addBody(world, Sphere{0.5}, kMass, {{0, 0, 0.5 + gap}}, {0, 0, -speed});
      return world;
    });
    const Real h = pair.asked.settings().timestep;
    const bool closes = h * (speed + h * kGravity) > gap;
    for (const Real reach : {0.0, 1e-3}) {
      const InverseAnswer answer = pair.ask(reach);
      EXPECT_TRUE(answer.isPossible) << speed;
      const Real change = (pair.wanted[0].linear.z() + speed) / h;
      EXPECT_NEAR(normalForceOf(answer), closes ? kMass * (kGravity + change) : 0, 1e-2);
    }
    pair.wanted[0].linear.z() += 0.5 * speed;
    EXPECT_FALSE(pair.ask().isPossible) << speed;
    pair.wanted[0].linear.z() = -2 * gap / h;
    EXPECT_FALSE(pair.ask().blocked.empty()) << speed;
  }
}

// A rail stops what comes to its end within the step, and nothing before.
TEST(InverseSteps, LimitAhead_StopsWhereTheStepComesToIt) {
  for (const Real way : {0.01, 1.0}) {
    SteppedPair pair([&] {
      World world(test::settingsFor("auto"), test::registry());
      const BodyId wall = world.addBody({.kind = BodyKind::kStatic});
      const BodyId block = test::addBody(world, Box{{0.1, 0.1, 0.1}}, kMass, {}, {2, 0, 0});
      JointDefinition slide = sliderJoint(wall, block);
      slide.axes[kAlongX] = JointAxis::limited(-1, way);
      world.addJoint(slide, jointFrame({0, 0, 0}, Vec3::UnitX()));
      return world;
    });
    EXPECT_TRUE(pair.ask().isPossible) << way;
    pair.wanted[0].linear.x() -= 0.1;
    EXPECT_FALSE(pair.ask().isPossible) << way;
  }
}

// A plank turns as it runs over an edge: at the end of the step it would be in it by what is beyond
// first order, so the step parts the two by as much, and the edge carries.
TEST(InverseSteps, EdgeUnderAFaceThatTurns_CarriesAlthoughItParts) {
  int carries = 0;
  for (const Real spin : {-8.0, 8.0}) {
    SteppedPair pair([&] {
      World world(test::settingsFor("auto"), test::registry());
      world.setMaterialPair(0, 0, {.friction = 0.1});
      BodyDefinition edge{.kind = BodyKind::kStatic, .shape = Box{{1, 1, 1}}};
      edge.pose = {{0, 0, -std::sqrt(2.0)}, test::turn(Vec3::UnitY(), M_PI / 4)};
      world.addBody(edge);
      test::addBody(world, Box{{1, 0.2, 0.05}}, kMass, {{0, 0, 0.05}}, {3, 0, 0}, {0, spin, 0});
      return world;
    });
    const InverseAnswer answer = pair.ask();
    EXPECT_TRUE(answer.isPossible) << spin;
    carries += normalForceOf(answer) > kMass * kGravity ? 1 : 0;
  }
  EXPECT_EQ(carries, 1);
}

// On a floor with k and d a block that comes down is pushed by its overlap and its speed at the end
// of the step, and friction by that. What comes down faster is not blocked, and lacks by the force
// that the surfaces gain.
TEST(InverseSteps, SurfacesThatYield_PushAsInTheStep) {
  const Real k = 4000, d = 60;
  for (const Integrator integrator : kIntegrators) {
    SteppedPair pair([&] {
      World world(settingsOf(integrator), test::registry());
      world.setMaterialPair(0, 0, {.friction = 0.4, .stiffness = k, .damping = d});
      test::addGround(world);
      test::addBody(world, Sphere{0.5}, kMass, {{0, 0, 0.495}}, {0, 0, -0.3});
      return world;
    });
    const InverseAnswer answer = pair.ask();
    EXPECT_TRUE(answer.isPossible);
    EXPECT_TRUE(answer.blocked.empty());
    const Real h = pair.asked.settings().timestep;
    const Real change = (pair.wanted[0].linear.z() + 0.3) / h;
    EXPECT_NEAR(normalForceOf(answer), kMass * (kGravity + change), 1e-3);
    pair.wanted[0].linear.z() -= 0.1;
    const InverseAnswer faster = pair.ask();
    EXPECT_TRUE(faster.blocked.empty());
    ASSERT_EQ(faster.lacks.size(), 1u);
    EXPECT_NEAR(faster.lacks[0].force.z() * h / 0.1, -(kMass + h * d + h * h * k), 1e-2);
    // Friction of 0.4 of the force holds it, and that force is no more than it is.
    pair.wanted[0].linear.z() += 0.1;
    pair.asked.body(pair.wanted[0].body).applyForce({0.39 * normalForceOf(answer), 0, 0});
    pair.asked.body(pair.wanted[0].body).applyTorque({0, -0.5 * 0.39 * normalForceOf(answer), 0});
    EXPECT_TRUE(pair.ask().isPossible);
    pair.asked.body(pair.wanted[0].body).applyForce({0.02 * normalForceOf(answer), 0, 0});
    pair.asked.body(pair.wanted[0].body).applyTorque({0, -0.5 * 0.02 * normalForceOf(answer), 0});
    EXPECT_FALSE(pair.ask().isPossible);
  }
}

}  // namespace
}  // namespace drystone
