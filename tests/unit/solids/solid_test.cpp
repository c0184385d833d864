// What holds for every solid: momentum, spin and energy, motion without strain, the same bits for
// every number of threads, steps without allocations, and what is refused.
#include "solids/solid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "tests/support/allocation_counter.h"
#include "tests/unit/solids/bars.h"
#include "tests/unit/solids/contact_scenes.h"

namespace drystone {
namespace {

using test::energyOf;
using test::strainOfTurn;
using test::tumblingBox;
using testing::HasSubstr;

void run(Solid& solid, int steps, Real duration) {
  for (int i = 0; i < steps; ++i) ASSERT_EQ(solid.step(duration).status, SolidStatus::kOk);
}

TEST(Solid, TumblingBox_KeepsMomentumAndSpin) {
  Solid solid(tumblingBox(16));
  const Vec3 momentum = solid.momentum(), spin = solid.spin();
  ASSERT_GT(spin.norm(), 1e-3);
  run(solid, 5, 0.2);
  EXPECT_LT((solid.momentum() - momentum).norm(), 1e-13 * momentum.norm());
  EXPECT_LT((solid.spin() - spin).norm(), 1e-13 * spin.norm());
}

// ΔP = m g t, whatever the cells do.
TEST(Solid, InFreeFall_GainsMomentumByItsWeight) {
  SolidSetup setup = tumblingBox(16);
  setup.gravity = Vec3(0, 0, -0.3);
  Solid solid(setup);
  const Vec3 before = solid.momentum();
  run(solid, 3, 0.2);
  const Vec3 gained = solid.totalMass() * 0.6 * setup.gravity;
  EXPECT_LT((solid.momentum() - before - gained).norm(), 1e-13 * gained.norm());
  EXPECT_NEAR(solid.totalMass(), 0.6 * 0.5 * 0.4, 1e-15);
}

// The largest rise within an oscillation, over 2.5 s or some five of them, is 0.3 %.
TEST(Solid, TumblingBox_KeepsItsEnergyToOnePercent) {
  Solid solid(tumblingBox(20));
  const Real before = energyOf(solid);
  for (int i = 0; i < 10; ++i) {
    run(solid, 1, 0.15);
    EXPECT_NEAR(energyOf(solid), before, 0.01 * before);
  }
}

TEST(Solid, WithDamping_EnergyNeverGrows) {
  SolidSetup setup = tumblingBox(16);
  setup.velocity.setZero();
  setup.angularVelocity.setZero();
  setup.material.damping = 0.05;
  Solid solid(setup);
  const Quat turn = setup.pose.rotation.conjugate();
  solid.setReference([&](const Vec3& x) {
    Vec3 reference = turn * x;
    reference.x() /= 1.1;
    return reference;
  });
  const Real begin = energyOf(solid);
  Real last = begin;
  for (int i = 0; i < 30; ++i) {
    run(solid, 1, 0.05);
    EXPECT_LE(energyOf(solid), last * (1 + 1e-12)) << i;
    last = energyOf(solid);
  }
  EXPECT_LT(last, 0.2 * begin);
}

// The viscosity by the mass grows with the volume, so that the limit of a stretched body is lower.
TEST(Solid, StretchedWithMuchDamping_LosesItsEnergy) {
  for (const ElasticModel model : {ElasticModel::kNeoHookean, ElasticModel::kStVenantKirchhoff}) {
    SolidSetup setup = tumblingBox(12);
    setup.shape = SolidShape::box(Vec3::Constant(0.3));
    setup.pose = {};
    setup.velocity.setZero();
    setup.angularVelocity.setZero();
    setup.material = {model, 1, 1, 0.3, 5};
    Solid solid(setup);
    solid.setReference([](const Vec3& x) { return Vec3(x / 1.5); });
    Real last = energyOf(solid);
    for (int i = 0; i < 60; ++i) {
      run(solid, 1, solid.stableStep());
      ASSERT_LE(energyOf(solid), last * (1 + 1e-9)) << i;
      last = energyOf(solid);
    }
  }
}

// What moves into a held box is caught there: nodes that followed stop once they carry. The rest
// runs on until the cube, pressed together, swings back.
TEST(Solid, CubeThatMovesIntoAHeldBox_Stops) {
  Solid solid(test::cubeAt(Vec3(-0.16, 0, 0), Vec3(0.2, 0, 0)));
  solid.hold(Vec3(0.1, -9, -9), Vec3::Constant(9));
  int held = 0;
  for (int i = 0; i < 24; ++i) {
    run(solid, 1, 0.05);
    for (const int node : solid.nodes().carriers()) {
      if (solid.inverseMass(node) > 0) continue;
      ++held;
      ASSERT_EQ(solid.velocity()[node], Vec3::Zero());
    }
  }
  EXPECT_GT(held, 100);
  EXPECT_LT(solid.momentum().x(), 0);
  EXPECT_LT(solid.centreOfMass().x(), 0);
}

TEST(Solid, TranslatedBody_MovesExactly) {
  SolidSetup setup = tumblingBox(16);
  setup.angularVelocity.setZero();
  for (const Advection order : {Advection::kUpwind, Advection::kQuadratic}) {
    setup.velocityAdvection = setup.referenceAdvection = order;
    Solid solid(setup);
    run(solid, 5, 0.2);
    Pose pose = setup.pose;
    pose.position += setup.velocity;
    for (const int node : solid.nodes().carriers()) {
      const Vec3 reference = pose.inverse() * solid.grid().position(node);
      EXPECT_LT((solid.reference()[node] - reference).norm(), 1e-13);
      EXPECT_LT((solid.velocity()[node] - setup.velocity).norm(), 1e-13);
    }
    EXPECT_LT(solid.largestStrain(), 1e-13);
  }
}

// A quarter turn by a rigid velocity: what strain is left comes from the steps in time alone, and
// these shrink with the cells. Third order was measured.
TEST(Solid, RigidTurn_StrainsLessByAHigherOrderThanTheSpacing) {
  const Real coarse = strainOfTurn(10, Advection::kQuadratic);
  const Real fine = strainOfTurn(20, Advection::kQuadratic);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_GT(coarse, 1e-6);
  EXPECT_GT(std::log2(coarse / fine), 2.5) << coarse << " " << fine;
}

TEST(Solid, OfEveryThreadCount_HasTheSameBits) {
  std::vector<Solid> solids;
  for (const int threads : {1, 2, 4}) {
    SolidSetup setup = tumblingBox(16);
    setup.shape = SolidShape::cylinder(0.3, 0.25);
    setup.threads = threads;
    run(solids.emplace_back(setup), 3, 0.2);
  }
  for (std::size_t s = 1; s < solids.size(); ++s) {
    for (const int node : solids[0].nodes().carriers()) {
      ASSERT_EQ(solids[0].reference()[node], solids[s].reference()[node]);
      ASSERT_EQ(solids[0].velocity()[node], solids[s].velocity()[node]);
    }
    EXPECT_EQ(solids[0].elasticEnergy(), solids[s].elasticEnergy());
  }
}

TEST(Solid, StepsAfterTheFirst_AllocateNothing) {
  Solid solid(tumblingBox(16));
  run(solid, 1, 0.2);
  const std::int64_t before = test::allocationCount();
  run(solid, 4, 0.2);
  EXPECT_EQ(test::allocationCount(), before);
}

TEST(Solid, ThatReachesTheBorder_Stops) {
  SolidSetup setup = tumblingBox(16);
  setup.velocity = Vec3(2, 0, 0);
  Solid solid(setup);
  EXPECT_EQ(solid.step(1).status, SolidStatus::kLeftGrid);
  EXPECT_EQ(solid.step(1).substeps, 0);
}

TEST(Solid, HitTooHard_SaysSo) {
  Solid solid(tumblingBox(16));
  solid.begin(solid.stableStep());
  solid.applyImpulse(solid.nodes().carriers()[0], Vec3(1e3, 0, 0));
  EXPECT_EQ(solid.finish(), SolidStatus::kTooFast);
  EXPECT_EQ(solid.step(1).status, SolidStatus::kTooFast);
}

std::string refusalOf(const SolidSetup& setup) {
  try {
    Solid solid(setup);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Solid, BadSetups_AreRefusedWithAllThatIsWrong) {
  const SolidSetup good = tumblingBox(16);
  SolidSetup setup = good;
  setup.material.poissonRatio = 0.5;
  setup.material.density = 0;
  setup.courant = 0.6;
  setup.threads = 0;
  setup.grid.spacing = -1;
  EXPECT_THAT(refusalOf(setup), testing::AllOf(HasSubstr("solid material: poisson_ratio must"),
                                               HasSubstr("solid material: density must"),
                                               HasSubstr("courant must lie in (0, 0.5]"),
                                               HasSubstr("threads must be >= 1"),
                                               HasSubstr("spacing of its grid must be > 0 m")));
  setup = good;
  setup.grid.nodes[1] = 4;
  EXPECT_THAT(refusalOf(setup), HasSubstr("at least 5 nodes a side"));
  setup = good;
  setup.shape = SolidShape::ball(0);
  EXPECT_THAT(refusalOf(setup), HasSubstr("sizes of its shape must be > 0 m"));
  setup = good;
  setup.velocity.x() = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THAT(refusalOf(setup), HasSubstr("vectors must be finite"));
  setup = good;
  setup.pose.rotation.w() = 2;
  EXPECT_THAT(refusalOf(setup), HasSubstr("unit quaternion"));
  setup = good;
  setup.shape = SolidShape::ball(0.9);
  EXPECT_THAT(refusalOf(setup), HasSubstr("reaches the border of its grid"));
  setup = good;
  setup.shape = SolidShape::ball(0.01);
  EXPECT_THAT(refusalOf(setup), HasSubstr("no node of its grid lies in it"));
  EXPECT_EQ(refusalOf(good), "");
}

TEST(Solid, MapsAndStepsOutOfRange_AreRefused) {
  Solid solid(tumblingBox(16));
  EXPECT_THROW(solid.step(-1), InputError);
  EXPECT_THROW(solid.step(std::numeric_limits<Real>::quiet_NaN()), InputError);
  EXPECT_THROW(solid.setReference([](const Vec3& x) { return Vec3(-x.x(), x.y(), x.z()); }),
               InputError);
}

}  // namespace
}  // namespace drystone
