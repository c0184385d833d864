// Scenes that users of other engines complain of, each against its closed form or bound:
// docs/results/complaints.md has the threads and the figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "tests/physics/machine.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using Vec2 = Eigen::Vector2d;
using test::kGravity;
using test::kPi;
using test::Machine;

/// With all digits.
std::string text(Real value) {
  std::ostringstream out;
  out << std::setprecision(17) << value;
  return out.str();
}

/// What lets a body that friction holds creep is the compliance of the contacts alone: each of its
/// four has a quarter of the weight, and gives way by C λ_t.
void expectCreepOfCompliance(Machine& machine, const std::string& body, Real mass) {
  machine.runUntil(0.5);
  const Vec3 start = machine.pose(body).position;
  machine.runUntil(1);
  const WorldSettings& settings = machine.world().settings();
  const Real creep = settings.stabilization.complianceFor(settings.timestep) * mass * kGravity *
                     settings.timestep / 4;
  const Vec3 moved = machine.pose(body).position - start;
  EXPECT_NEAR(moved.z() / (-0.5 * creep), 1, 0.01);
  EXPECT_LE(moved.norm(), 0.5 * 1e-9);  // [m/s] times half a second
  machine.expectSound(1e-7, 0);         // while the press takes up the compliance
}

TEST(Complaints, PinchedCapsule_CreepsByTheComplianceAlone) {
  Machine machine("pinched_capsule");
  expectCreepOfCompliance(machine, "capsule", 0.045);
}

TEST(Complaints, WallCube_CreepsByTheComplianceAlone) {
  Machine machine("wall_cube");
  expectCreepOfCompliance(machine, "cube", 1);
}

// Two sides of μ N bear m g.
TEST(Complaints, PinchedCapsule_FallsJustWhereFrictionBearsLessThanItsWeight) {
  const Real needed = 0.045 * kGravity / (2 * 20);
  for (const Real share : {0.999, 1.001}) {
    Machine machine("pinched_capsule", {{"scene.friction", text(share * needed)}});
    machine.runUntil(0.4);
    const Real fallen = -machine.pose("capsule").position.z();
    if (share > 1) {
      EXPECT_LE(fallen, 1e-9);
    } else {
      EXPECT_NEAR(fallen / (0.5 * (1 - share) * kGravity * 0.4 * 0.4), 1, 0.01);
    }
  }
}

TEST(Complaints, Pallet_NeitherShakesNorWalks) {
  Machine machine("pallet");
  machine.runUntil(0.1);
  std::vector<Pose> start;
  std::vector<std::string> boxes;
  for (const BodyId id : machine.world().bodies()) {
    const std::string name(machine.world().body(id).name());
    if (name.starts_with("box")) boxes.push_back(name);
  }
  ASSERT_EQ(boxes.size(), 12u);
  for (const std::string& box : boxes) start.push_back(machine.relative(box, "pallet"));
  Real drift = 0, fastest = 0;
  machine.runUntil(0.6, [&](const StepReport& report) {
    fastest = std::max(fastest, report.maxSpeed);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Pose now = machine.relative(boxes[i], "pallet");
      drift = std::max(drift, (now.position - start[i].position).norm());
    }
  });
  EXPECT_LE(drift, 1e-9);
  EXPECT_LE(fastest, 1e-8);
  machine.expectSound(1e-8, 1e-9);
}

struct Circle {
  Vec2 center;
  Real radius;
};

/// The two points that two circles share.
std::array<Vec2, 2> meet(const Circle& a, const Circle& b) {
  const Vec2 between = b.center - a.center;
  const Real length = between.norm();
  const Real along = (a.radius * a.radius - b.radius * b.radius + length * length) / (2 * length);
  const Real aside = std::sqrt(a.radius * a.radius - along * along);
  const Vec2 unit = between / length;
  const Vec2 square(-unit.y(), unit.x());
  return {a.center + along * unit + aside * square, a.center + along * unit - aside * square};
}

Vec2 leftOf(const std::array<Vec2, 2>& two) { return two[0].x() < two[1].x() ? two[0] : two[1]; }
Vec2 lowerOf(const std::array<Vec2, 2>& two) { return two[0].y() < two[1].y() ? two[0] : two[1]; }
Vec2 upperOf(const std::array<Vec2, 2>& two) { return two[0].y() < two[1].y() ? two[1] : two[0]; }

/// The foot of Jansen's leg to the left of its crank, by his eleven lengths a to m [m].
Vec2 jansenFoot(Real crankAngle) {
  const Vec2 crank = 0.15 * Vec2(std::cos(crankAngle), std::sin(crankAngle));
  const Vec2 pivot(-0.38, -0.078);
  const Vec2 top = upperOf(meet({crank, 0.5}, {pivot, 0.415}));
  const Vec2 knee = lowerOf(meet({crank, 0.619}, {pivot, 0.393}));
  const Vec2 back = leftOf(meet({pivot, 0.401}, {top, 0.558}));
  const Vec2 heel = leftOf(meet({back, 0.394}, {knee, 0.367}));
  return lowerOf(meet({heel, 0.657}, {knee, 0.49}));
}

// The leg to the right mirrors the left one half a turn on.
TEST(Complaints, Strandbeest_WalksTheClosedFormAndStaysTogether) {
  Machine machine("strandbeest");
  const auto expected = [&](bool isLeft) {
    const Vec3 arm = machine.pose("crank").rotation * Vec3::UnitX();
    const Real angle = std::atan2(arm.z(), arm.x());
    const Vec2 foot = jansenFoot(isLeft ? angle : kPi - angle);
    return Vec3(isLeft ? foot.x() : -foot.x(), 0, foot.y());
  };
  const Vec3 left = machine.pose("left_foot").inverse() * expected(true);
  const Vec3 right = machine.pose("right_foot").inverse() * expected(false);
  Real worst = 0, lowest = 0, highest = -1;
  machine.runUntil(2.2, [&](const StepReport&) {  // a turn takes 2.1 s
    const Vec3 foot = machine.pose("left_foot") * left;
    worst = std::max({worst, (foot - expected(true)).norm(),
                      (machine.pose("right_foot") * right - expected(false)).norm()});
    lowest = std::min(lowest, foot.z());
    highest = std::max(highest, foot.z());
  });
  EXPECT_LE(worst, 1e-8);  // nine digits of the points in the file
  EXPECT_GE(highest - lowest, 0.15);
  machine.expectSound(3, 1e-9);
}

// Without a margin, at every timestep. With one, contacts off the edge stand across the way of what
// is above it, and turn it aside: docs/results/complaints.md.
TEST(Complaints, FlyBy_WithoutAMarginNoBallTurnsAsideOrSlowsDown) {
  const std::array<std::string, 4> balls = {"by_1um", "by_10um", "by_100um", "by_1mm"};
  for (const char* timestep : {"0.01", "0.005", "0.001"}) {
    Machine machine("fly_by", {{"world.timestep", timestep}});
    std::array<Vec3, 4> start;
    for (int i = 0; i < 4; ++i) start[i] = machine.pose(balls[i]).position;
    machine.runUntil(0.5);
    for (int i = 0; i < 4; ++i) {
      const Vec3 velocity = machine.velocity(balls[i]);
      const Vec3 place = machine.pose(balls[i]).position;
      EXPECT_EQ(velocity.head<2>(), Vec2(0, 0)) << balls[i] << " at " << timestep;
      EXPECT_EQ(place.head<2>(), start[i].head<2>()) << balls[i] << " at " << timestep;
      EXPECT_NEAR(velocity.z(), -kGravity * 0.5, 1e-13) << balls[i] << " at " << timestep;
      EXPECT_LT(place.z(), -0.1) << balls[i];
    }
  }
}

TEST(Complaints, PegInHole_FallsAsIfNothingWereThere) {
  Machine machine("peg_in_hole");
  machine.runUntil(0.07);
  const Real fallen = kGravity * 0.001 * 0.001 * 70 * 71 / 2;  // of 70 steps
  EXPECT_NEAR(machine.pose("peg").position.z(), 0.02 - fallen, 1e-14);
  EXPECT_EQ(machine.pose("peg").position.head<2>(), Vec2(0, 0));
  machine.runUntil(0.2);
  EXPECT_NEAR(machine.pose("peg").position.z(), -0.01, 1e-11);  // on the floor
  machine.expectSound(1, 0);
}

// A torque M on a peg that is held over the length L presses it on two edges with N = M/L, whose
// friction 2 μ N bears the weight from M = m g L/(2 μ) on. While it catches it falls some µm.
TEST(Complaints, PegInHole_JamsWhereFrictionBearsItsWeight) {
  const Real critical = 0.2 * kGravity * 0.01 / (2 * 0.2);
  for (const Real share : {0.9, 1.15}) {
    Machine machine("peg_in_hole", {{"scene.torque", text(share * critical)}});
    machine.runUntil(0.4);
    const Real depth = 0.03 - machine.pose("peg").position.z();
    if (share > 1) {
      EXPECT_NEAR(depth, 0.01, 1e-4);
      EXPECT_LE(machine.velocity("peg").norm(), 1e-9);
    } else {
      EXPECT_NEAR(depth, 0.04, 1e-4);
    }
    EXPECT_LE(std::abs(machine.pose("peg").position.x()), 5e-5);
    machine.expectSound(1, 0);
  }
}

// The gear turns against the crank by half its angle. The arm follows one flank of the teeth or the
// other, and its bearing stops it in between.
TEST(Complaints, Backlash_TheArmLagsByThePlayOnTheWayThereAndNotBack) {
  Machine machine("backlash");
  const auto angle = [&](const char* joint) {
    return machine.world().joint(machine.joint(joint)).coordinate(kAboutX);
  };
  const auto lag = [&] { return angle("output") - angle("axle"); };
  machine.runUntil(1.9);
  EXPECT_NEAR(angle("axle"), -0.5 * 0.95, 1e-9);
  EXPECT_NEAR(lag(), 0.1, 1e-9);
  machine.runUntil(3.9);
  EXPECT_NEAR(lag(), 0.1, 1e-9);
  // Back at half the speed: 0.1 rad of the gear take 0.4 s.
  machine.runUntil(4.2);
  EXPECT_NEAR(angle("output"), -0.4, 1e-9);
  machine.runUntil(7.9);
  EXPECT_NEAR(angle("axle"), 0.5 * 0.95, 1e-9);
  EXPECT_NEAR(lag(), 0, 1e-9);
  machine.expectSound(1, 1e-9);
}

// Four equal springs under a rigid table: of a load at (x, y) a foot at (X, Y) bears the share
// (1 + x/X + y/Y)/4.
TEST(Complaints, FourLegs_BearTheWeightAndShareItOutAsEqualSpringsDo) {
  Machine machine("four_legs");
  machine.runUntil(2);
  const Real weight = (12 + 20) * kGravity;
  Real sum = 0;
  const std::array<Vec2, 4> feet = {{{0.5, 0.3}, {-0.5, 0.3}, {-0.5, -0.3}, {0.5, -0.3}}};
  for (int i = 0; i < 4; ++i) {
    const ForcePlate& plate = machine.world().forcePlates()[i];
    ASSERT_TRUE(plate.hasReading);
    const Real force = plate.reading.force.z();
    sum += force;
    const Real load = 20 * kGravity * (1 + 0.2 / feet[i].x() + 0.1 / feet[i].y()) / 4;
    const Real expected = 12 * kGravity / 4 + load;
    EXPECT_NEAR(force / expected, 1, 1e-6) << "leg " << i;
  }
  EXPECT_NEAR(sum / weight, 1, 1e-9);
}

// At a bead the rope turns by δ = π/12. Tensions T and T' give N = (T + T') sin(δ/2) and the
// friction (T' - T) cos(δ/2) ≤ μ N, so that T'/T ≤ (1 + μ tan(δ/2))/(1 - μ tan(δ/2)).
constexpr int kBeads = 12;
Real beadRatio() {
  const Real slope = 0.3 * std::tan(kPi / kBeads / 2);
  return (1 + slope) / (1 - slope);
}

TEST(Complaints, Capstan_HoldsUpToTheRatioOfItsPolygon) {
  const Real most = std::pow(beadRatio(), kBeads);
  EXPECT_NEAR(most / std::exp(0.3 * kPi), 1, 0.006);
  for (const Real share : {0.9999, 1.0001}) {
    Machine machine("capstan", {{"scene.heavy", text(share * most)}});
    machine.runUntil(1);
    const Real sunk = -0.2 - machine.pose("heavy").position.z();
    if (share > 1) {
      EXPECT_GE(sunk, 1e-5);
    } else {
      EXPECT_LE(sunk, 2e-8);
      EXPECT_LE(machine.velocity("heavy").norm(), 1e-9);
    }
    machine.expectSound(0.1, 1e-6);
  }
}

TEST(Complaints, Capstan_SlidingRopeHasTheRatioOfABeadAtEveryBead) {
  Machine machine("capstan", {{"scene.heavy", "2.6"}});
  machine.runUntil(0.02);
  const auto tension = [&](int rope) {
    const JointId joint = machine.joint("rope_" + std::to_string(rope));
    return machine.world().joint(joint).reaction().force.norm();
  };
  for (int bead = 0; bead < kBeads; ++bead) {
    EXPECT_NEAR(tension(bead + 1) / tension(bead), beadRatio(), 3e-5) << "bead " << bead;
  }
}

}  // namespace
}  // namespace drystone
