// Impacts at one moment by the three laws, against closed forms; docs/theory/impacts.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kRadius = 0.1;  // [m]
constexpr std::array kDissipative = {ImpactLaw::kPoisson, ImpactLaw::kSequential};
constexpr std::array kLaws = {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kSequential};

World worldOf(ImpactLaw law, const Material& material, bool falls, Real timestep = 1.0 / 240) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.impactLaw = law;
  settings.timestep = timestep;
  if (!falls) settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, material);
  return world;
}

BodyId addBall(World& world, const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  return test::addBody(world, Sphere{kRadius}, 1, {position, Quat::Identity()}, velocity);
}

/// Velocities along x after one step of a row of balls that touch [m/s].
std::vector<Real> rowAfterImpact(ImpactLaw law, Real restitution, const std::vector<Real>& before) {
  World world = worldOf(law, {.friction = 0, .restitution = restitution}, false);
  std::vector<BodyId> balls;
  for (std::size_t i = 0; i < before.size(); ++i) {
    balls.push_back(addBall(world, {2 * kRadius * static_cast<Real>(i), 0, 0}, {before[i], 0, 0}));
  }
  world.step();
  std::vector<Real> after;
  for (const BodyId ball : balls) after.push_back(world.body(ball).linearVelocity().x());
  return after;
}

void expectRow(const std::vector<Real>& row, const std::vector<Real>& expected, Real tolerance) {
  ASSERT_EQ(row.size(), expected.size());
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], expected[i], tolerance) << i;
}

// Newton: the struck contact parts at e v = 1, the others stay closed. So four balls leave at u
// and the first one at u − 1, with u − 1 + 4 u = 1. Poisson: all are compressed to 1/5, where
// the first contact has 4/5. It gets that again: 1/5 − 4/5 for the first ball, 1/5 + 1/5 for each
// of the other four. Compliance takes 1e-9 of the impulses.
TEST(ImpactLaws, RowOfTouchingBalls_MovesOnAsOneByTheSimultaneousLaws) {
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
    expectRow(rowAfterImpact(law, 1, {1, 0, 0, 0, 0}), {-0.6, 0.4, 0.4, 0.4, 0.4}, 1e-8);
  }
}

// Equal balls swap their velocities, pair by pair: as many leave as come.
TEST(ImpactLaws, RowOfTouchingBalls_PassesImpactsOnInTurn) {
  const ImpactLaw law = ImpactLaw::kSequential;
  expectRow(rowAfterImpact(law, 1, {1, 0, 0, 0, 0}), {0, 0, 0, 0, 1}, 1e-9);
  expectRow(rowAfterImpact(law, 1, {1, 1, 0, 0, 0}), {0, 0, 0, 1, 1}, 1e-9);
  expectRow(rowAfterImpact(law, 1, {1, 1, 1, 0, 0}), {0, 0, 1, 1, 1}, 1e-9);
  // Two that come from either side leave as they came: impacts that meet in the middle.
  // There two contacts share a ball: the compliance that tells their shares takes 1e-9 of them.
  expectRow(rowAfterImpact(law, 1, {1, 0, 0, 0, -1}), {-1, 0, 0, 0, 1}, 1e-8);
  expectRow(rowAfterImpact(law, 1, {1, 0, 0, -1}), {-1, 0, 0, 1}, 1e-9);
}

// A pair with e leaves with (1 − e)/2 and (1 + e)/2. The last of three gets (1 + e)²/4; the first
// two meet again at (1 − e)/2 − (1 − e²)/4 = (1 − e)²/4, which is below the threshold for e = 0.5
// at 1 m/s (0.0625), so that the solve of the step stops it: both have (1 − (1 + e)²/4)/2.
TEST(ImpactLaws, RowWithLoss_FollowsThePairs) {
  const Real last = 0.25 * 1.5 * 1.5;
  expectRow(rowAfterImpact(ImpactLaw::kSequential, 0.5, {1, 0, 0}),
            {(1 - last) / 2, (1 - last) / 2, last}, 1e-8);
}

// Mirror images stay so: a ball that strikes two others at once, at ±30° to its way. The row lies
// at an odd angle, so that round-off tells the two approaches apart.
TEST(ImpactLaws, EqualImpacts_HaveTheSymmetricAnswer) {
  const Quat turned = test::turn(Vec3::UnitZ(), 0.3);
  for (const ImpactLaw law : kLaws) {
    World world = worldOf(law, {.friction = 0, .restitution = 1}, false);
    const BodyId first = addBall(world, Vec3::Zero(), turned * Vec3(1, 0, 0));
    std::array<BodyId, 2> struck;
    for (const int side : {0, 1}) {
      const Real y = side == 0 ? kRadius : -kRadius;
      struck[side] = addBall(world, turned * Vec3(std::sqrt(3.0) * kRadius, y, 0));
    }
    world.step();
    const auto velocityOf = [&](BodyId ball) -> Vec3 {
      return turned.conjugate() * world.body(ball).linearVelocity();
    };
    const Vec3 left = velocityOf(struck[0]), right = velocityOf(struck[1]);
    EXPECT_NEAR(left.x(), right.x(), 1e-8);
    EXPECT_NEAR(left.y(), -right.y(), 1e-8);
    EXPECT_NEAR(velocityOf(first).y(), 0, 1e-8);
    // Along the normals both get p: 1 − √3 p and p/1, parting at cos 30° = √3/2:
    // p − √3/2 (1 − √3 p) = √3/2, p (5/2) = √3.
    EXPECT_NEAR(velocityOf(first).x(), 1 - 3 / 2.5, 1e-7);
  }
}

/// A rod leans at `angle` [rad] with an edge of its lower end on the floor, and comes down at 1 m/s
/// while it slides at `slip` [m/s].
struct LeaningRod {
  Real angle, slip, friction, restitution;

  static constexpr Real kHalf = 0.5, kThin = 0.01;  // [m]

  /// From the centre to the edge, in the plane of the lean.
  Vec3 arm() const { return test::turn(Vec3::UnitY(), angle) * Vec3(kThin, 0, -kHalf); }

  /// Kinetic energy after one step over that before.
  Real energyAfter(ImpactLaw law) const {
    World world = worldOf(law, {.friction = friction, .restitution = restitution}, false);
    test::addPlane(world);
    test::addBody(world, Box{{kThin, kThin, kHalf}}, 1,
                  {{0, 0, -arm().z()}, test::turn(Vec3::UnitY(), angle)}, {slip, 0, -1});
    const EnergyLedger ledger = world.step().energy;
    EXPECT_LT(std::abs(ledger.ledgerError), 1e-12);
    return ledger.kineticAfter / ledger.kineticBefore;
  }
};

// The edge sticks: w⁺ = (0, e) from w⁻ = (slip, −1), so λ = A⁻¹ (−slip, 1 + e) with
// A = [1 + z²/I, −xz/I; −xz/I, 1 + x²/I] for the arm (x, z) and 1 kg. The energy changes by
// ½ λ · (w⁻ + w⁺), of which the friction's part is positive where λ_t points along the slip: the
// rod's end would turn outwards faster than it slides inwards. This is the gain of Kane's example.
TEST(ImpactLaws, RodOnARoughFloor_GainsEnergyByNewtonsLawAlone) {
  const LeaningRod rod{.angle = 0.7, .slip = 0.6, .friction = 0.6, .restitution = 0.9};
  const Real inertia = (rod.kHalf * rod.kHalf + rod.kThin * rod.kThin) / 3;
  const Real x = rod.arm().x(), z = rod.arm().z();
  const Real att = 1 + z * z / inertia, ann = 1 + x * x / inertia, ant = -x * z / inertia;
  const Real det = att * ann - ant * ant;
  const Real e = rod.restitution;
  const Real tangent = (-rod.slip * ann - (1 + e) * ant) / det;
  const Real normal = ((1 + e) * att + rod.slip * ant) / det;
  ASSERT_LT(std::abs(tangent), rod.friction * normal);
  const Real gain = 0.5 * (tangent * rod.slip + normal * (e - 1));
  const Real before = 0.5 * (1 + rod.slip * rod.slip);
  EXPECT_NEAR(rod.energyAfter(ImpactLaw::kNewton), 1 + gain / before, 1e-6);
  EXPECT_GT(gain / before, 0.05);
  for (const ImpactLaw law : kDissipative) EXPECT_LT(rod.energyAfter(law), 1);
}

TEST(ImpactLaws, Rods_NeverGainEnergyByPoissonsLaw) {
  for (const ImpactLaw law : kDissipative) {
    for (int i = 1; i < 14; ++i) {
      for (int j = -10; j <= 10; ++j) {
        for (const Real friction : {0.1, 0.3, 0.6, 1.0}) {
          for (const Real restitution : {0.5, 0.9, 1.0}) {
            const LeaningRod rod{0.1 * i, 0.1 * j, friction, restitution};
            EXPECT_LT(rod.energyAfter(law), 1 + 1e-8) << i << " " << j;
          }
        }
      }
    }
  }
}

/// A box falls at random onto the floor with one corner, and a ball touches it: two rough impacts
/// at a time, each with an e of its own. Returns the kinetic energy after one step over that
/// before.
Real energyOfRandomImpact(ImpactLaw law, int seed, Real atFloor, Real atBall) {
  std::mt19937 generator(seed);
  const auto random = [&](Real low, Real high) {
    return low + (high - low) * static_cast<Real>(generator()) / 4294967295.0;
  };
  const auto randomVector = [&](Real size) -> Vec3 {
    return {random(-size, size), random(-size, size), random(-size, size)};
  };
  // So short a step that turning within it does not show.
  World world = worldOf(law, {}, false, 1e-6);
  const MaterialId boxy = world.addMaterial({}), bally = world.addMaterial({});
  world.setMaterialPair(0, boxy, {.friction = random(0, 1.5), .restitution = atFloor});
  world.setMaterialPair(boxy, bally, {.friction = random(0, 1.5), .restitution = atBall});
  test::addPlane(world);
  const auto add = [&](const Shape& shape, Real density, MaterialId material, const Pose& pose) {
    BodyDefinition body{.shape = shape, .pose = pose, .density = density};
    body.material = material;
    body.linearVelocity = randomVector(2);
    body.angularVelocity = randomVector(4);
    world.addBody(body);
  };
  const Vec3 half(random(0.1, 0.5), random(0.1, 0.5), random(0.1, 0.5));
  const Mat3 axes = test::turn(randomVector(1).normalized(), random(0, 3)).toRotationMatrix();
  const Vec3 centre(0, 0, axes.row(2).cwiseAbs().dot(half));
  add(Box{half}, 1000, boxy, {centre, Quat(axes)});
  int up = 0;  // the face that looks up most
  axes.row(2).cwiseAbs().maxCoeff(&up);
  const Vec3 normal = axes(2, up) > 0 ? Vec3(axes.col(up)) : Vec3(-axes.col(up));
  add(Sphere{kRadius}, random(100, 10000), bally,
      {centre + (half[up] + kRadius) * normal, Quat::Identity()});
  const EnergyLedger ledger = world.step().energy;
  EXPECT_LT(std::abs(ledger.ledgerError), 1e-9 * ledger.kineticBefore);
  return ledger.kineticAfter / ledger.kineticBefore;
}

TEST(ImpactLaws, RandomRoughImpacts_NeverGainEnergyByPoissonsLaw) {
  int gains = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    const Real e = 0.001 * seed;
    for (const Real other : {e, 1 - e}) {
      for (const ImpactLaw law : kDissipative) {
        EXPECT_LT(energyOfRandomImpact(law, seed, e, other), 1 + 1e-9) << seed;
      }
      gains += energyOfRandomImpact(ImpactLaw::kNewton, seed, e, other) > 1 + 1e-3 ? 1 : 0;
    }
  }
  EXPECT_GT(gains, 10);
}

// Friction shared between contacts of 0.02 and 1 is where Poisson's law alone gains: in three of
// 120,000 such impacts, most in this one. The fallback gives the compression again times 0.02 and
// costs energy as any such impact.
TEST(ImpactLaws, RestitutionsThatDiffer_GainNoEnergyByFriction) {
  EXPECT_LT(energyOfRandomImpact(ImpactLaw::kPoisson, 22396, 0.02, 1), 1);
}

// A ball that follows another one onto a floor that gives all back, 10 kg behind 1 kg, both
// restitutions large and different: light bodies between others are where impulses add up most.
TEST(ImpactLaws, BodiesBetweenOthers_NeverGainEnergy) {
  for (const ImpactLaw law : kDissipative) {
    for (int i = 0; i < 2000; ++i) {
      std::mt19937 generator(i);
      const auto random = [&](Real low, Real high) {
        return low + (high - low) * static_cast<Real>(generator()) / 4294967295.0;
      };
      World world = worldOf(law, {}, false, 1e-6);
      test::addPlane(world);
      Real z = kRadius;
      MaterialId below = 0;
      for (int k = 0; k < 3; ++k) {
        const MaterialId own = world.addMaterial({});
        world.setMaterialPair(below, own, {.friction = random(0, 1), .restitution = random(0, 1)});
        BodyDefinition body{.shape = Sphere{kRadius}, .density = std::pow(10.0, random(1, 5))};
        body.pose.position = {0, 0, z};
        body.material = below = own;
        body.linearVelocity = {random(-1, 1), random(-1, 1), -(k + 1) * random(0, 2)};
        world.addBody(body);
        z += 2 * kRadius;
      }
      const EnergyLedger ledger = world.step().energy;
      EXPECT_LT(ledger.kineticAfter, ledger.kineticBefore * (1 + 1e-9)) << i;
    }
  }
}

// The floor gives m (1 + e) v to a ball that slides too fast to stick, and its friction μ times
// that: it loses μ (1 + e) v = 0.2 · 1.5 · 1 = 0.3 m/s of its 3 m/s.
TEST(ImpactLaws, BallThatSlides_LosesFrictionOfTheWholeImpact) {
  for (const ImpactLaw law : kLaws) {
    World world = worldOf(law, {.friction = 0.2, .restitution = 0.5}, false);
    test::addPlane(world);
    const BodyId ball = addBall(world, {0, 0, kRadius}, {3, 0, -1});
    world.step();
    EXPECT_NEAR(world.body(ball).linearVelocity().x(), 2.7, 1e-7);
    EXPECT_NEAR(world.body(ball).linearVelocity().z(), 0.5, 1e-7);
  }
}

// It sticks at once when it is slow: the spin takes up the slip, and does not turn it round. With
// I = 2/5 m R² the centre keeps 5/7 of its speed.
TEST(ImpactLaws, BallThatSticks_Rolls) {
  for (const ImpactLaw law : kLaws) {
    World world = worldOf(law, {.friction = 0.5, .restitution = 0.8}, false);
    test::addPlane(world);
    const BodyId ball = addBall(world, {0, 0, kRadius}, {0.7, 0, -1});
    world.step();
    EXPECT_NEAR(world.body(ball).linearVelocity().x(), 0.5, 1e-7);
    EXPECT_NEAR(world.body(ball).angularVelocity().y(), 0.5 / kRadius, 1e-6);
  }
}

// Without friction but for rest: the peaks of a ball are e^2n of its height by every law.
TEST(ImpactLaws, BallOnAFloor_HasTheSamePeaksByAllLaws) {
  std::vector<std::vector<Real>> peaks;
  for (const ImpactLaw law : kLaws) {
    World world = worldOf(law, {.friction = 0.3, .restitution = 0.7}, true);
    test::addPlane(world);
    const BodyId ball = addBall(world, {0, 0, 1 + kRadius}, {0.5, 0, 0});
    std::vector<Real>& own = peaks.emplace_back();
    Real last = -1;
    while (world.time() < 2.5) {
      world.step();
      const Real speed = world.body(ball).linearVelocity().z();
      if (last > 0 && speed <= 0) own.push_back(world.body(ball).centerOfMass().z() - kRadius);
      last = speed;
    }
    ASSERT_GE(own.size(), 4u);
    for (int n = 1; n <= 4; ++n) {
      EXPECT_NEAR(own[n - 1], std::pow(0.7, 2 * n), 0.003 * std::pow(0.7, 2 * n));
    }
  }
  for (std::size_t n = 0; n < peaks[0].size(); ++n) {
    for (const auto& own : peaks) EXPECT_NEAR(own.at(n), peaks[0][n], 1e-8);
  }
}

// The threshold is 0.1 m/s; with e = 1 all of a faster approach comes back.
TEST(ImpactLaws, BelowTheThreshold_NothingBounces) {
  for (const ImpactLaw law : kDissipative) {
    for (const auto& [speed, after] : {std::pair{0.09, 0.0}, {0.11, 0.11}}) {
      World world = worldOf(law, {.friction = 0, .restitution = 1}, false);
      test::addPlane(world);
      const BodyId ball = addBall(world, {0, 0, kRadius}, {0, 0, -speed});
      world.step();
      EXPECT_NEAR(world.body(ball).linearVelocity().z(), after, 1e-8);
    }
  }
}

// What rests never meets faster than the threshold: no law makes it bounce.
TEST(ImpactLaws, StackAtRest_DoesNotJitter) {
  for (const ImpactLaw law : kLaws) {
    World world = worldOf(law, {.friction = 0.5, .restitution = 0.8}, true, 1.0 / 60);
    test::addGround(world);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 5; ++i) boxes.push_back(test::addUnitBox(world, {0, 0, 0.5 + i}));
    for (int i = 0; i < 120; ++i) {
      world.step();
      for (const BodyId box : boxes) EXPECT_LT(world.body(box).linearVelocity().norm(), 1e-7);
    }
  }
}

// An impact of m (1 + e) v = 4.5 N s, all of it in one event: ½ λ w⁻ = −6.75 J, and e times that
// back.
TEST(ImpactLaws, Impact_IsInTheEventAndTheLedger) {
  for (const ImpactLaw law : kDissipative) {
    World world = worldOf(law, {.friction = 0.5, .restitution = 0.5}, false);
    test::addPlane(world);
    addBall(world, {0, 0, kRadius}, {0, 0, -3});
    const EnergyLedger ledger = world.step().energy;
    ASSERT_EQ(world.lastEvents().contactsBegun.size(), 1u);
    const ContactEvent& event = world.lastEvents().contactsBegun.front();
    EXPECT_NEAR(event.normalImpulse, 4.5, 1e-6);
    EXPECT_NEAR(event.approachSpeed, 3, 1e-9);
    EXPECT_NEAR(ledger.normal, -6.75, 1e-6);
    EXPECT_NEAR(ledger.restitution, 3.375, 1e-6);
  }
}

// A ball that hangs on a rod of 1 m, struck along the rod at 45°: the rod takes what pulls at it.
// Along the way left to it, the struck ball of 1 kg weighs 2 kg to the normal, since cos² 45° = ½.
// So the ball that strikes with e = 1 leaves with (1 − 2)/(1 + 2) = −1/3 of its 1 m/s. In a
// microsecond the rod does not turn.
TEST(ImpactLaws, BallOnARod_IsAsHeavyAsTheRodMakesIt) {
  for (const ImpactLaw law : kLaws) {
    World world = worldOf(law, {.friction = 0, .restitution = 1}, false, 1e-6);
    const Vec3 along = Vec3(1, 0, 1).normalized();
    const BodyId struck = addBall(world, {0, 0, 0});
    const BodyId striker = addBall(world, {-2 * kRadius, 0, 0}, {1, 0, 0});
    BodyDefinition frame{.kind = BodyKind::kStatic};
    frame.pose.position = along;
    world.addJoint(distanceJoint(world.addBody(frame), struck, Vec3::Zero(), Vec3::Zero(), 1, 1));
    world.step();
    EXPECT_NEAR(world.body(striker).linearVelocity().x(), -1.0 / 3, 1e-6);
    EXPECT_NEAR(world.body(struck).linearVelocity().dot(along), 0, 1e-6);
  }
}

TEST(ImpactLaws, Balls_HaveTheSameBitsForEveryThreadCount) {
  for (const ImpactLaw law : kDissipative) {
    const auto make = [&](int threads) {
      World world = worldOf(law, {.friction = 0.3, .restitution = 0.8}, true);
      world.setThreads(threads);
      test::addPlane(world);
      for (int i = 0; i < 12; ++i) {
        addBall(world, {0.15 * (i % 4), 0.02 * (i % 3), kRadius + 0.21 * (i / 4)}, {0, 0, -2});
      }
      return world;
    };
    test::expectSameBitsForEveryThreadCount(make, 60, [](const World&) {});
  }
}

}  // namespace
}  // namespace drystone