// The heavy machines of the library, after those of Lefebvre 2020, §2.3.1, do what their
// descriptions say, exactly solved and without blowing up, and are as large and as stiff as those.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/physics/machine.h"
#include "tests/support/constants.h"

namespace drystone {
namespace {

using test::Machine;
using test::Slip;

using test::kPi;

/// Rows and masses are those published, within the fifth that a rebuilt machine may differ.
void expectPublishedSize(const Machine& machine, Real rows, Real ratio) {
  EXPECT_NEAR(machine.rows(), rows, 0.2 * rows);
  EXPECT_NEAR(machine.massRatio(), ratio, 0.2 * ratio);
}

// The crate stands on the fork from 6.5 s on. 1 m/s² to the centre of the turn and 1 m/s² of
// acceleration are a seventh of what friction 1 holds, so it stays where it was, but for the error
// of the timestep in turning: free bodies run outward by r ω² h/2, 9 mm/s at 2.9 m and 0.62 rad/s,
// and the truck, which its wheels hold, does not.
TEST(Machine, Forklift_KeepsTheCrateOnTheForkThroughAFullTurn) {
  Machine machine("forklift");
  Slip slip;
  Real turned = 0;
  machine.runUntil(20, [&](const StepReport& report) {
    const BodyId chassis = machine.body("chassis");
    turned +=
        machine.world().body(chassis).angularVelocity().z() * machine.world().settings().timestep;
    if (report.time > 6.5) slip.look(machine.relative("crate", "tine_left"));
  });
  EXPECT_NEAR(turned, 2 * kPi, 0.02 * 2 * kPi);
  EXPECT_LE(slip.largest(), 0.02);
  EXPECT_GE(machine.pose("crate").position.z(), 0.47 + 0.3);  // stood at 0.47 m
  machine.expectSound(4, 2e-3);
  expectPublishedSize(machine, 300, 2700);
}

// Claws closed at 6.5 s; the boom then raises the log by 1.7 m, turns it and draws it in.
TEST(Machine, Forwarder_LiftsTheLogThatDoesNotSlideInTheClaws) {
  Machine machine("forwarder");
  Slip slip;
  machine.runUntil(20, [&](const StepReport& report) {
    if (report.time > 7) slip.look(machine.relative("log", "grapple"));
  });
  EXPECT_GE(machine.pose("log").position.z(), 0.713 + 1.6);
  EXPECT_LE(slip.largest(), 0.02);
  machine.expectSound(5, 2e-3);
  expectPublishedSize(machine, 250, 6500);
}

// The hook's arm takes the pipe from below the bore's top: once they touch, they rise together.
TEST(Machine, Crane_LiftsThePipe) {
  Machine machine("crane");
  Slip slip;
  machine.runUntil(20, [&](const StepReport& report) {
    if (report.time > 5) slip.look(machine.relative("pipe", "hook"));
  });
  EXPECT_GE(machine.pose("pipe").position.z(), 0.62 + 3.5);
  EXPECT_LE(slip.largest(), 0.05);  // the arm may creep along the bore as the pipe swings
  machine.expectSound(4, 1e-3);
  expectPublishedSize(machine, 430, 6300);
}

// 5,500,000 kg against segments of 1.24 kg: no joint may be off by more than 1 mm.
TEST(Machine, Offshore_HoistsTheModuleAlongTheHullWithSoundJoints) {
  Machine machine("offshore");
  const Real before = machine.relative("module", "ship").position.z();
  int slidingSteps = 0;
  machine.runUntil(20, [&](const StepReport& report) {
    slidingSteps += report.contacts > 0 && report.energy.friction < -1;  // J
  });
  EXPECT_GE(machine.relative("module", "ship").position.z() - before, 5);
  EXPECT_GE(slidingSteps, 60) << "steps with a joule of friction at the hull";
  machine.expectSound(3, 1e-3);
  expectPublishedSize(machine, 350, 4.4e6);
}

// 3.2 m/s for some 17 s: over stairs of 0.6 m, bumps, and two hills of 1 m.
TEST(Machine, Vehicle_ClimbsStairsBumpsAndHills) {
  Machine machine("vehicle");
  Real top = 0, tilt = 0;
  machine.runUntil(20, [&](const StepReport&) {
    const Pose hull = machine.pose("hull");
    top = std::max(top, hull.position.z());
    tilt = std::max(tilt, std::acos(std::min(1.0, (hull.rotation * Vec3::UnitZ()).z())));
  });
  EXPECT_GE(machine.pose("hull").position.x(), 55);
  EXPECT_NEAR(machine.pose("hull").position.y(), 0, 0.01);  // the course is symmetric
  EXPECT_GE(top, 1.05 + 0.8);
  EXPECT_LE(tilt, 0.4);  // the hills rise by atan(4.8/11), 0.42, at their feet
  machine.expectSound(6, 5e-3);
  expectPublishedSize(machine, 260, 20000);
}

}  // namespace
}  // namespace drystone
