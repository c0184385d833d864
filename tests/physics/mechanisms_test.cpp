// The smaller mechanisms of the library do what their descriptions say: hand on, break, carry,
// hold, fall, jam, lift.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/physics/machine.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::Machine;
using test::Slip;

using test::kPi;
constexpr Real kG = 9.81;

// With restitution 1 equal balls swap velocities in pairs: the last one takes all of the first
// one's, and rises to where that one was let go. The gaps let the others move by their width.
TEST(Mechanism, NewtonsCradle_HandsTheMomentumToTheLastBall) {
  Machine machine("newtons_cradle");
  const Real height = machine.pose("ball_0").position.z();
  const Real energy = kG * height;
  Real risen = 0, between = 0;
  machine.runUntil(1.0, [&](const StepReport& report) {
    risen = std::max(risen, machine.pose("ball_4").position.z());
    if (report.time < 0.45) return;  // a quarter of the period of 1.44 s, and what passes it on
    for (const char* ball : {"ball_0", "ball_1", "ball_2", "ball_3"}) {
      between = std::max(between, machine.velocity(ball).norm());
    }
  });
  EXPECT_NEAR(risen, height, 0.01 * height);
  EXPECT_LE(between, 0.01 * std::sqrt(2 * energy));
  machine.runUntil(5);
  const EnergyLedger& ledger = machine.world().lastReport().energy;
  // An impact in the middle of a step leaves each string of the two balls with the speed h v² / 2 l
  // along it, which the next steps take off: a share of (h v / 2 l)² of the energy, v² = 2 g height
  // and l = 0.5 m. That is 1.3e-6 for each of two balls in 28 impacts.
  const Real share = 1e-6 * 2 * energy / (4 * 0.5 * 0.5);
  EXPECT_NEAR(ledger.kinetic + ledger.potential, (1 - 56 * share) * energy, 1e-5 * energy);
}

// Planks hinged to each other over rods at their ends are statically determinate: a rod pair bears
// one plank and the share 1 - d/L of the ball, d before it. The pair that bears 800 N each breaks
// when (m + M (1 - d/L)) g = 1600 N, at d = 0.284 m.
TEST(Mechanism, BreakableBridge_BreaksWhereTheRodsReachTheirStrength) {
  Machine machine("breakable_bridge");
  constexpr Real kPlank = 20, kBall = 200, kRod = 4;
  const auto load = [](Real x) { return (kPlank + kBall * (1 - (kRod - x))) * kG / 2; };
  const Real breaksAt = kRod - 1 + (1600 / kG - kPlank) / kBall;
  Real broke = 0, next = -1;
  machine.runUntil(6, [&](const StepReport& report) {
    const Real x = std::exchange(next, machine.pose("ball").position.x());  // as the step began
    if (broke == 0 && !report.brokenJoints.empty()) {
      broke = x;
      EXPECT_EQ(report.brokenJoints.size(), 2u);
    }
    if (broke == 0 && x > 3.1 && x < 3.6) {
      const JointReaction reaction =
          machine.world().joint(machine.joint("hanger_4_left")).reaction();
      EXPECT_NEAR(reaction.force.z(), load(x), 1e-5 * load(x));  // of the ball's rounding
    }
  });
  EXPECT_NEAR(broke, breaksAt, 0.0042);  // one step of the ball
  EXPECT_FALSE(machine.world().contains(machine.joint("hinge_4"))) << "the planks must part";
  EXPECT_TRUE(machine.world().contains(machine.joint("hanger_3_left")));
  EXPECT_TRUE(machine.world().contains(machine.joint("hanger_5_right")));
  EXPECT_LE(machine.pose("ball").position.z(), -3);
  machine.expectSound(12, 2e-3);
}

// A box at rest on a belt of v gains μ g t until it has the belt's speed.
TEST(Mechanism, Conveyor_TakesTheBoxesRoundTheCorner) {
  Machine machine("conveyor");
  machine.runUntil(0.1);
  EXPECT_NEAR(machine.velocity("box_7").x(), 0.6 * kG * 0.1, 1e-3);
  machine.runUntil(0.5);
  EXPECT_NEAR(machine.velocity("box_7").x(), 1, 1e-6);
  machine.runUntil(2);
  EXPECT_NEAR(machine.velocity("box_0").y(), 1.5, 1e-6);
  machine.runUntil(7);
  EXPECT_NEAR(machine.velocity("box_0").y(), 2, 1e-6);
  machine.runUntil(11.5);
  for (int i = 0; i < 8; ++i) {
    EXPECT_GE(machine.pose("box_" + std::to_string(i)).position.y(), 7) << "box " << i;
  }
  machine.expectSound(5, 0);
}

// 0.8 · 30 N on either side hold 48 N; the box needs at most 1 kg · |(8, 4.8, 9.6 + 9.81)| m/s²,
// 21.6 N. Its way in the gripper is then zero but for the compliance and the timestep's error in
// turning, r ω² h/2 a second.
TEST(Mechanism, Gripper_DoesNotLetGo) {
  Machine machine("gripper");
  Slip slip;
  machine.runUntil(10, [&](const StepReport& report) {
    if (report.time > 1) slip.look(machine.relative("load", "wrist"));
  });
  EXPECT_LE(slip.largest(), 1e-4);
  machine.expectSound(3, 1e-3);
}

// Four cups of 400 N together carry 20 kg: up at 2.5 m/s² and aside at 2.9 m/s², which friction of
// 0.6 · (400 − 196) N holds. From 4 s on the pane falls freely.
TEST(Mechanism, SuctionGripper_CarriesThePaneAndDropsItOnTime) {
  Machine machine("suction_gripper");
  Slip slip;
  machine.runUntil(4 - 1e-3, [&](const StepReport& report) {
    if (report.time > 0.9) slip.look(machine.relative("pane", "cups"));
  });
  EXPECT_LE(slip.largest(), 1e-5);
  const Vec3 place = machine.pose("pane").position;
  EXPECT_NEAR(place.x(), 1.4, 1e-3);
  EXPECT_GE(place.z(), 0.85);
  machine.runUntil(4.2);
  EXPECT_NEAR(machine.velocity("pane").z(), -kG * 0.2, 1e-2);
  machine.runUntil(6);
  EXPECT_NEAR(machine.pose("pane").position.z(), 0.01, 1e-5);
  machine.expectSound(6, 1e-4);
}

TEST(Mechanism, SuctionGripper_WithTooWeakAPullLeavesThePane) {
  Machine machine("suction_gripper", {{"scene.pull", "180"}});  // its weight is 196 N
  machine.runUntil(3);
  EXPECT_NEAR(machine.pose("pane").position.z(), 0.51, 1e-5);
}

// With 10 N the friction is 16 N, and the shaking needs 21.6 N.
TEST(Mechanism, Gripper_LetsGoWhenItsFrictionIsTooSmall) {
  Machine machine("gripper", {{"scene.grip", "10"}});
  machine.runUntil(5);
  EXPECT_GE(machine.relative("load", "wrist").position.norm(), 0.1);
}

// 0.8 · 15 N on either side hold 24 N, and the mug weighs 4 N; the lift lends it at most 11 N / 1
// kg. What a step may leave, 1e-6 m/s, adds up to 5e-6 m in 5 s.
TEST(Mechanism, MugGrasp_LiftsTheMugWithoutASlip) {
  Machine machine("mug_grasp");
  Slip slip;
  Real closed = 0;
  machine.runUntil(5, [&](const StepReport& report) {
    if (report.time < 0.1) return;  // until the fingers have closed
    slip.look(machine.relative("mug", "hand"));
    const Pose finger = machine.relative("left_finger", "hand");
    closed = std::max(closed, std::abs(finger.position.y() - 0.048));  // a wall and half a finger
  });
  EXPECT_LE(slip.largest(), 5e-6);
  EXPECT_LE(closed, 5e-6);
  const Pose mug = machine.pose("mug");
  // The lift has a stiffness of 300 N/m, so that the weight takes 13 mm off its 0.25 m; what is
  // left of its way after 5 time constants of 1 s are 2 mm.
  EXPECT_NEAR(mug.position.z(), 0.25 - 0.013 - 0.002, 1e-3);
  EXPECT_GE((mug.rotation * Vec3::UnitZ()).z(), 1 - 1e-9);
  machine.expectSound(0.5, 1e-4);
}

// With 0.1 the fingers hold 3 N.
TEST(Mechanism, MugGrasp_HoldsByFrictionAlone) {
  Scene scene = readScene("mug_grasp");
  ASSERT_EQ(scene.pairs.size(), 1u);
  scene.pairs[0].material.friction = 0.1;
  World world = buildWorld(scene, test::registry());
  while (world.time() < 2) EXPECT_TRUE(world.step().withinTolerance);
  EXPECT_LE(world.body(world.findBody("mug")).pose().position.z(), 1e-3);
  EXPECT_GE(world.body(world.findBody("hand")).pose().position.z(), 0.3);
}

// Its soles are 0.3 m above the floor, which they meet after √(2 · 0.3 / 9.81) = 0.247 s at 2.4
// m/s.
TEST(Mechanism, HumanoidDrop_FallsAndComesToRest) {
  Machine machine("humanoid_drop");
  const Real start = machine.pose("trunk").position.z();
  machine.runUntil(0.24);
  EXPECT_EQ(machine.world().lastReport().contacts, 0);
  EXPECT_NEAR(machine.pose("trunk").position.z(), start - kG * 0.24 * 0.24 / 2, 0.01);
  machine.runUntil(0.3);
  EXPECT_NEAR(machine.velocity("left_shin").z(), 0, 0.5);
  machine.runUntil(6);
  for (const char* part : {"trunk", "left_lower_arm", "right_lower_arm", "left_shin"}) {
    EXPECT_LE(machine.pose(part).position.z(), 0.25) << part;
    EXPECT_LE(machine.velocity(part).norm(), 1e-3) << part;  // [m/s] less than a hair in a second
  }
  machine.expectSound(4, 1e-3);
}

TEST(Mechanism, DominoRun_AllFallOneAfterTheOther) {
  Machine machine("domino_run");
  constexpr int kCount = 35;
  std::vector<Real> fell(kCount, kInfinity);
  machine.runUntil(3.5, [&](const StepReport& report) {
    for (int i = 0; i < kCount; ++i) {
      const Vec3 up = machine.pose("domino_" + std::to_string(i)).rotation * Vec3::UnitZ();
      if (up.z() < 0.94) fell[i] = std::min(fell[i], report.time);  // by 20°, past tipping at 6°
    }
  });
  EXPECT_LT(fell.back(), kInfinity);
  EXPECT_TRUE(std::is_sorted(fell.begin(), fell.end()));
  EXPECT_LE(machine.pose("domino_34").position.z(), 0.02);  // flat: half its thickness is 0.0125
  machine.expectSound(3, 0);
}

// A tip at r = (l cos θ, -l sin θ) from the centre of mass that slides forward accelerates upward
// by N (1 + (l²/ρ²) cos θ (cos θ - μ sin θ)) / m, ρ the radius of gyration. With l² = 3 ρ² and
// θ = 60° that is negative from μ = 1.35 on: more force presses it in, and no sliding is possible.
// The tip must stop at once, as in a collision, which conserves the angular momentum about it:
// ω = v l sin θ / (ρ² + l²). Below 1.35 the tip slides on.
TEST(Mechanism, PainleveRod_JamsAtOnceOnlyBeyondTheCriticalFriction) {
  const auto tipSpeed = [](Machine& machine) {
    const World& world = machine.world();
    const BodyId rod = machine.body("rod");
    const Pose pose = world.body(rod).pose();
    const Vec3 end = pose.rotation * Vec3(0, 0, 0.49);  // of the lower end's ball, radius 0.01
    const Vec3 arm = end + Vec3(0, 0, -0.01);
    return (world.body(rod).linearVelocity() + world.body(rod).angularVelocity().cross(arm)).x();
  };
  Machine jamming("painleve_rod", {{"scene.friction", "2"}});
  EXPECT_NEAR(tipSpeed(jamming), 2, 1e-12);
  jamming.runUntil(0.001);
  EXPECT_NEAR(tipSpeed(jamming), 0, 0.01);  // evaluated at the turned pose
  const Real spin = jamming.world().body(jamming.body("rod")).angularVelocity().y();
  // The rod is 1 m of nearly a line: ρ² = 1/12 m², l = 1/2 m.
  EXPECT_NEAR(spin, 2 * 0.5 * std::sin(kPi / 3) / (1.0 / 12 + 0.25), 0.02 * spin);
  Machine sliding("painleve_rod", {{"scene.friction", "1"}});
  sliding.runUntil(0.001);
  EXPECT_GE(tipSpeed(sliding), 1.9);
}

// Five stages of bars of 2 m at the angle θ are 10 m sin θ high. Virtual work F dW = -dU with the
// width W = 2 m cos θ gives the force at the foot: F = (M n + 2 m n²) g cot θ, M the platform's
// mass, m a bar's, n = 5.
TEST(Mechanism, LoopStair_StandsAndLiftsAsVirtualWorkSays) {
  for (const char* load : {"1000", "100000"}) {
    Machine machine("loop_stair", {{"scene.load", load}});
    machine.runUntil(0.5);
    const Real force = (5 * std::stod(load) + 50) * kG / std::tan(20 * kPi / 180);
    const JointReaction reaction = machine.world().joint(machine.joint("slide_left")).reaction();
    EXPECT_NEAR(std::abs(reaction.force.x()), force, 1e-3 * force);
    machine.runUntil(8);
    // The schedule is typed with four digits of a metre: dH/dW = n cot 50° enlarges them.
    const Real height = 10 * std::sin(50 * kPi / 180) + 0.05;
    EXPECT_NEAR(machine.pose("platform").position.z(), height, 1e-3);
    machine.expectSound(2, 1e-3);
  }
}

}  // namespace
}  // namespace drystone
