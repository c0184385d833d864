// Bars against the theory of elasticity.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solids/solid.h"
#include "tests/unit/solids/bars.h"

namespace drystone {
namespace {

using test::barSetup;
using test::energyOf;
using test::longitudinalPeriod;
using test::sagInTheory;
using test::sagOf;

// Twice the length by the speed of waves: 2 s. 0.1 % was measured.
TEST(ElasticBar, LowestLongitudinalPeriod_IsThatOfTheory) {
  for (const Real offset : {0.0, 0.37}) {
    EXPECT_NEAR(longitudinalPeriod(barSetup(32, 2, offset)), 2, 0.01) << offset;
  }
}

TEST(ElasticBar, Period_ConvergesUnderRefinement) {
  const Real coarse = std::abs(longitudinalPeriod(barSetup(8, 2, 0)) - 2);
  const Real fine = std::abs(longitudinalPeriod(barSetup(16, 2, 0)) - 2);
  EXPECT_LT(coarse, 0.06);
  EXPECT_GT(std::log2(coarse / fine), 1.5) << coarse << " " << fine;
}

TEST(ElasticBar, HangingBar_SagsByHalfItsWeight) {
  SolidSetup bar = barSetup(32, 2, 0);
  bar.gravity = Vec3(1e-3, 0, 0);
  const Real theory = sagInTheory(bar).x();
  EXPECT_NEAR(sagOf(bar, 2, 6).x(), theory, 0.01 * theory);
}

// The slowest oscillation, 3.5 √(E I / ρ A L⁴), is damped by the ratio 0.7.
TEST(ElasticBar, ClampedBeam_BendsByItsWeight) {
  SolidSetup bar = barSetup(12, 4, 0);
  bar.gravity = Vec3(0, 0, -1e-4);
  const Real theory = sagInTheory(bar).z();
  EXPECT_NEAR(sagOf(bar, 0.47, 24).z(), theory, 0.02 * std::abs(theory));
}

// One oscillation after it was let go. First order forgets what X and v were.
TEST(ElasticBar, AdvectionOfSecondOrder_KeepsTheEnergyOfAStretchedBar) {
  const auto shareLeft = [](Advection ofVelocity, Advection ofReference) {
    SolidSetup setup = barSetup(10, 3, 0.3);
    setup.grid.nodes[0] += 4;
    setup.grid.origin.x() -= 2 * setup.grid.spacing;
    setup.velocityAdvection = ofVelocity;
    setup.referenceAdvection = ofReference;
    Solid solid(setup);
    solid.setReference([](const Vec3& x) { return Vec3(x.x() / 1.1, x.y(), x.z()); });
    const Real stretched = energyOf(solid);
    EXPECT_EQ(solid.step(2).status, SolidStatus::kOk);
    return energyOf(solid) / stretched;
  };
  EXPECT_NEAR(shareLeft(Advection::kQuadratic, Advection::kQuadratic), 1, 0.05);
  EXPECT_LT(shareLeft(Advection::kUpwind, Advection::kQuadratic), 0.85);
  EXPECT_LT(shareLeft(Advection::kQuadratic, Advection::kUpwind), 0.95);
}

TEST(ElasticBar, StretchedBar_ReturnsToItsShape) {
  SolidSetup setup = barSetup(12, 3, 0.3);
  setup.grid.nodes[0] += 6;
  setup.grid.origin.x() -= 3 * setup.grid.spacing;
  setup.material.poissonRatio = 0.3;
  setup.material.damping = 0.2;
  for (const ElasticModel model : {ElasticModel::kNeoHookean, ElasticModel::kStVenantKirchhoff}) {
    setup.material.model = model;
    Solid solid(setup);
    solid.setReference([](const Vec3& x) { return Vec3(x.x() / 1.2, x.y(), x.z()); });
    const Real stretched = energyOf(solid);
    ASSERT_GT(solid.largestStrain(), 0.2);
    ASSERT_EQ(solid.step(4).status, SolidStatus::kOk);
    EXPECT_LT(energyOf(solid), 0.01 * stretched);
    Real low = 1, high = -1;
    for (const SolidSurfacePoint& point : solid.findSurface()) {
      low = std::min(low, point.position.x());
      high = std::max(high, point.position.x());
    }
    EXPECT_NEAR(high - low, 1, 0.01);
  }
}

}  // namespace
}  // namespace drystone
