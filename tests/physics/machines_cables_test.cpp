// The scenes with cables, piles and towers, after Ho 2022, §6.1, Lefebvre 2020, §2.3.1.6, and
// Litven 2012, §7.2, do what their descriptions say. The first part of each only: whole runs are
// the business of bench_machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/physics/machine.h"
#include "tests/support/constants.h"

namespace drystone {
namespace {

using test::Machine;

using test::kGravity;

// 488 couplings of six rows are 2,928; the published scene has 2,920.
TEST(CableScene, Spinner_PlateAndBallHangOnTheirCablesAndTurn) {
  Machine machine("spinner");
  const Real start = machine.pose("ball").position.z();
  Real lowest = 0, turned = 0, aside = 0;
  machine.runUntil(2, [&](const StepReport&) {
    const Pose ball = machine.pose("ball"), plate = machine.pose("plate");
    lowest = std::min(lowest, ball.position.z() - start);
    turned = std::max(turned, std::abs(2 * std::atan2(ball.rotation.z(), ball.rotation.w())));
    aside = std::max({aside, ball.position.head<2>().norm(), plate.position.head<2>().norm()});
  });
  // The cables keep their length, but for the compliance, and twisting only shortens them.
  EXPECT_GE(lowest, -1e-4);
  EXPECT_LE(aside, 1e-3);  // all is symmetric
  EXPECT_GE(turned, 0.1);  // they twist, and turn the ball back after some 0.2 rad
  machine.expectSound(2, 1e-6);
  EXPECT_NEAR(machine.massRatio(), 25000, 1);
  EXPECT_NEAR(machine.rows(), 2920, 10);
}

TEST(CableScene, Rope500_SwingsTheLoadAtItsLength) {
  Machine machine("rope_500");
  Real farthest = 0, nearest = kInfinity;
  machine.runUntil(5, [&](const StepReport&) {
    const Real distance = machine.pose("load").position.norm();
    farthest = std::max(farthest, distance);
    nearest = std::min(nearest, distance);
  });
  // 10 m of rope, and from its end to the centre of the load what the scene has at the start, 0.4
  // m. The load turns about the rope's end and the rope bends, which only shortens.
  EXPECT_LE(farthest, 10.4 + 0.01);
  EXPECT_GE(nearest, 9.9);
  machine.expectSound(7, 5e-3);
  EXPECT_NEAR(machine.massRatio(), 1000, 1);
}

// At 12 m/s and 8.7 m from the rod the box goes once round in some 4.5 s; the chain then lies round
// the rod and holds it nearer.
TEST(CableScene, ChainRod_WrapsTheRodAndCarriesTheBox) {
  Machine machine("chain_rod");
  const Real start = machine.pose("box").position.head<2>().norm();
  Real turned = 0, previous = std::atan2(9, 0.36);
  int contacts = 0;
  machine.runUntil(6, [&](const StepReport& report) {
    const Vec3 place = machine.pose("box").position;
    const Real angle = std::atan2(place.y(), place.x());
    turned += std::remainder(angle - previous, 2 * M_PI);
    previous = angle;
    contacts = std::max(contacts, report.contacts);
  });
  EXPECT_LE(turned, -2 * M_PI);  // clockwise, seen from above
  EXPECT_GE(contacts, 15);
  EXPECT_LE(machine.pose("box").position.head<2>().norm(), start - 1);
  EXPECT_GE(machine.pose("box").position.z(), -8);
  machine.expectSound(20, 0.02);
  EXPECT_NEAR(machine.massRatio(), 2000, 1);
}

// Wound up at ω r = 0.8 · 0.38 m/s, and the chain's tail follows as soon as the slack is drawn in.
TEST(CableScene, Winch_DrawsTheChainAlongTheGroundAtItsSpeed) {
  Machine machine("winch");
  machine.runUntil(4);
  const Real middle = machine.pose("link_40").position.x();
  machine.runUntil(8);
  const Real drawn = middle - machine.pose("link_40").position.x();
  // Chords about the drum and what is slack where the chain leaves the ground: a tenth and a bit.
  EXPECT_NEAR(drawn, 0.8 * 0.38 * 4, 0.25 * 0.8 * 0.38 * 4);
  EXPECT_NEAR(machine.world().body(machine.body("drum")).angularVelocity().y(), -0.8, 1e-6);
  machine.expectSound(3, 1e-2);
  EXPECT_NEAR(machine.massRatio(), 400, 0.2 * 400);
  EXPECT_NEAR(machine.rows(), 370, 0.2 * 370);
}

// No force from outside: momentum stays what it was, zero by symmetry, and the collision, without
// restitution, leaves the drums side by side.
TEST(PileScene, Cylinders_MeetAtTheCentreAndStop) {
  Machine machine("cylinders");
  Real fastest = 0;
  machine.runUntil(0.5, [&](const StepReport& report) { fastest = report.maxSpeed; });
  Vec3 momentum = Vec3::Zero();
  for (const BodyId body : machine.world().bodies()) {
    momentum += machine.world().body(body).linearVelocity();
  }
  EXPECT_LE(momentum.norm(), 1e-9);
  EXPECT_LE(fastest, 1e-3);
  EXPECT_LE(machine.pose("east").position.x(), 3.01);
  machine.expectSound(4.001, 0);
}

// The block falls 2.9 m onto the tower; what it hits gives way within the second.
TEST(PileScene, Tower_StandsUntilTheBlockHitsIt) {
  Machine machine("tower");
  const auto top = [&] { return machine.pose("log_79_1").position; };
  const Vec3 start = top();
  machine.runUntil(0.3);
  EXPECT_LE((top() - start).norm(), 1e-5);  // settles onto 80 compliant layers
  EXPECT_NEAR(machine.velocity("block").z(), -6 - kGravity * 0.3, 1e-9);
  machine.runUntil(1);
  EXPECT_GE((top() - start).norm(), 0.1);
  EXPECT_NEAR(machine.massRatio(), 50, 1e-6);
  EXPECT_GE(machine.rows(), 960);
}

TEST(PileScene, Rocks_FallOnAHeap) {
  Machine machine("rocks");
  machine.runUntil(0.8);
  EXPECT_NEAR(machine.massRatio(), 250, 1e-6);
  EXPECT_GE(machine.rows(), 500);
  machine.expectSound(9, 1e-6);
}

// The wheels reach the net after 0.16 s; what hangs on springs falls freely until then. The impact
// itself takes seconds a step.
TEST(CableScene, Trucks_FallOnTheNetAndAreAsLargeAsPublished) {
  Machine machine("trucks");
  machine.runUntil(0.14);
  EXPECT_NEAR(machine.velocity("truck_cab_0_0_0").z(), -kGravity * 0.14, 0.15 * kGravity * 0.14);
  EXPECT_NEAR(machine.massRatio(), 8000, 0.2 * 8000);
  EXPECT_NEAR(machine.rows(), 5650, 0.2 * 5650);
  machine.expectSound(2, 1e-3);
}

// Three steps of 30,000 rows: the net sags from its hooks, and falls as free bodies do away from
// them.
TEST(CableScene, JointGrid_HoldsTenThousandJoints) {
  Machine machine("joint_grid");
  EXPECT_EQ(std::ssize(machine.world().joints()), 10000 + 3);
  machine.runUntil(0.04);
  machine.expectSound(1, 1e-4);
}

}  // namespace
}  // namespace drystone
