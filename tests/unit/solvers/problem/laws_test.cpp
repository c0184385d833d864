#include "solvers/problem/laws.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace drystone {
namespace {

struct Set {
  const char* name;
  int size;
  void (*project)(Real radius, Real* z);
  Real (*norm)(const Real* x);  ///< x is in the set when norm(x) ≤ radius
};

Real largest(const Real* x) { return std::max(std::abs(x[0]), std::abs(x[1])); }
Real sum(const Real* x) { return std::abs(x[0]) + std::abs(x[1]); }
Real euclidean(const Real* x) { return std::hypot(x[0], x[1]); }
Real ellipsoidal(const Real* x) { return std::hypot(x[0], x[1], 1.5 * x[2]); }

const Set kSets[] = {{"box", 2, projectBox<Real>, largest},
                     {"diamond", 2, projectDiamond<Real>, sum},
                     {"disc", 2, projectDisc<Real>, euclidean},
                     {"ellipsoid", 3, projectEllipsoid<Real>, ellipsoidal}};

// p is the projection of z on a convex set K exactly when p ∈ K and (z − p)·(x − p) ≤ 0 for every x
// of K. Random x, half of them scaled onto the boundary. The tolerance is 30 ulp of the product.
TEST(Projections, RandomPoints_ObeyTheVariationalInequality) {
  Random random(11);
  for (const Set& set : kSets) {
    SCOPED_TRACE(set.name);
    for (int trial = 0; trial < 3000; ++trial) {
      const Real radius = std::exp(random.uniform(-6, 3));
      const Real spread = std::exp(random.uniform(-8, 8));
      Real z[3], p[3];
      for (int i = 0; i < 3; ++i) p[i] = z[i] = random.uniform(-spread, spread);
      set.project(radius, p);
      ASSERT_LE(set.norm(p), radius * (1 + 1e-14));
      if (set.norm(z) <= radius) {
        for (int i = 0; i < set.size; ++i) ASSERT_EQ(p[i], z[i]);
      }
      for (int other = 0; other < 20; ++other) {
        Real x[3];
        for (Real& value : x) value = random.uniform(-radius, radius);
        const Real norm = set.norm(x);
        if (norm > radius || other % 2 == 0) {
          for (Real& value : x) value *= radius / norm;
        }
        Real product = 0;
        for (int i = 0; i < set.size; ++i) product += (z[i] - p[i]) * (x[i] - p[i]);
        ASSERT_LE(product, 1e-14 * (spread + radius) * radius);
      }
    }
  }
}

TEST(Projections, RadiusZero_GivesTheOrigin) {
  for (const Set& set : kSets) {
    Real z[3] = {1, -2, 3};
    set.project(0, z);
    for (int i = 0; i < set.size; ++i) EXPECT_EQ(z[i], 0) << set.name;
  }
}

// On the torsion axis the ellipsoid ends at r / 1.5; in its plane it is the disc.
TEST(ProjectEllipsoid, OnItsAxes_EndsAtTheSemiAxes) {
  Real torsion[3] = {0, 0, 5};
  projectEllipsoid<Real>(3, torsion);
  EXPECT_NEAR(torsion[2], 2, 1e-15);
  Real slip[3] = {-30, 40, 0};
  projectEllipsoid<Real>(5, slip);
  EXPECT_NEAR(slip[0], -3, 1e-14);
  EXPECT_NEAR(slip[1], 4, 1e-14);
}

// Far away and close to the surface are the ends of the Newton iteration.
TEST(ProjectEllipsoid, ExtremeDistances_EndOnTheSurface) {
  for (const Real size : {1 + 1e-15, 1 + 1e-9, 1e6, 1e150}) {
    Real z[3] = {0.6 * size, 0.1 * size, 0.7 * size};
    projectEllipsoid<Real>(1, z);
    EXPECT_NEAR(ellipsoidal(z), 1, 1e-15) << size;
  }
}

// The cone {‖x_t‖ ≤ μ x_n}: same inequality, with random points of the cone.
TEST(ProjectCone, RandomPoints_ObeyTheVariationalInequality) {
  Random random(5);
  for (int trial = 0; trial < 5000; ++trial) {
    const Real mu = trial % 10 == 0 ? 0 : random.uniform(0, 2);
    Real z[3], p[3];
    for (int i = 0; i < 3; ++i) p[i] = z[i] = random.uniform(-1, 1);
    projectCone(mu, p);
    ASSERT_LE(std::hypot(p[1], p[2]), mu * p[0] + 1e-15);
    for (int other = 0; other < 20; ++other) {
      const Real normal = random.uniform(0, 3);
      const Real slip = mu * normal * random.uniform();
      const Real angle = random.uniform(0, 7);
      const Real x[3] = {normal, slip * std::cos(angle), slip * std::sin(angle)};
      Real product = 0;
      for (int i = 0; i < 3; ++i) product += (z[i] - p[i]) * (x[i] - p[i]);
      ASSERT_LE(product, 1e-14);
    }
  }
}

constexpr FrictionModel kConeModels[] = {FrictionModel::kPyramid, FrictionModel::kDiamond,
                                         FrictionModel::kCone, FrictionModel::kContensou,
                                         FrictionModel::kRolling};

// Friction yields at most the shift per unit of normal impulse, −w_t·x_t over the set of radius μ,
// and does so: at the projection of a point far out along −w_t.
TEST(DeSaxceShift, IsTheMostThatTheFrictionSetYields) {
  Random random(21);
  for (const FrictionModel model : kConeModels) {
    SCOPED_TRACE(frictionModelName(model));
    for (int trial = 0; trial < 1000; ++trial) {
      ProblemBlock block;
      block.friction = random.uniform(0.01, 2);
      block.rolling = random.uniform(0.01, 2);
      Real w[4], far[4];
      for (int i = 0; i < 4; ++i) {
        w[i] = random.uniform(-1, 1);
        far[i] = -1e9 * w[i];
      }
      projectFriction(model, block.friction, far, block.rolling);
      Real yield = 0;
      for (int i = 0; i < contactRows(model) - 1; ++i) yield -= w[i] * far[i];
      // At the kinks of a norm 1e9 is not far enough: 1e-6 of it.
      ASSERT_NEAR(yield, deSaxceShift(model, block, w), 1e-6);
    }
  }
}

// Without friction the joint set is the half-line λ_n ≥ 0: 0 ≤ μ z_n must not let −1 pass for it.
TEST(ProjectJointly, FrictionlessContact_DoesNotPull) {
  for (const FrictionModel model : kConeModels) {
    SCOPED_TRACE(frictionModelName(model));
    ProblemBlock block;
    block.friction = 0;
    Real z[5] = {-1, 0, 0, 0, 0};
    projectJointly(model, block, z);
    EXPECT_EQ(z[0], 0);
  }
}

// p is the projection of z on a cone K exactly when p ∈ K, z − p ∈ K° and p·(z − p) = 0. K° is
// where the shift is no more than −z_n.
TEST(ProjectJointly, RandomPoints_SplitIntoConeAndPolarCone) {
  Random random(22);
  for (const FrictionModel model : kConeModels) {
    SCOPED_TRACE(frictionModelName(model));
    for (int trial = 0; trial < 5000; ++trial) {
      ProblemBlock block;
      block.friction = trial % 10 == 0 ? 0 : std::exp(random.uniform(-5, 2));
      block.rolling = trial % 7 == 0 ? 0 : std::exp(random.uniform(-5, 2));
      const int rows = contactRows(model);
      const Real size = 1 + block.friction + block.rolling;
      Real z[5], p[5], rest[5];
      for (int i = 0; i < rows; ++i) {
        p[i] = z[i] = random.uniform(-1, 1) * (trial % 3 == 0 && i > 0 ? 1e-3 : 1);
      }
      projectJointly(model, block, p);
      Real product = 0;
      for (int i = 0; i < rows; ++i) {
        rest[i] = z[i] - p[i];
        product += p[i] * rest[i];
      }
      ASSERT_GE(p[0], 0);
      ASSERT_LE(frictionExcess(model, block, p), 1e-14 * size);
      ASSERT_LE(deSaxceShift(model, block, rest + 1) + rest[0], 1e-14 * size);
      ASSERT_NEAR(product, 0, 1e-14 * size);
    }
  }
}

TEST(ProjectJointly, PointOfTheSet_StaysAsItIs) {
  for (const FrictionModel model : kConeModels) {
    ProblemBlock block;
    block.friction = 0.5;
    block.rolling = 0.2;
    Real z[5] = {1, 0.2, -0.1, 0.1, -0.1};
    projectJointly(model, block, z);
    EXPECT_EQ(std::vector<Real>(z, z + 5), (std::vector<Real>{1, 0.2, -0.1, 0.1, -0.1}));
  }
}

TEST(ProjectCone, WithoutFriction_IsTheRay) {
  Real above[3] = {2, 1, -1};
  projectCone(0, above);
  EXPECT_EQ(above[0], 2);
  EXPECT_EQ(above[1], 0);
  EXPECT_EQ(above[2], 0);
  Real below[3] = {-2, 0, 0};
  projectCone(0, below);
  EXPECT_EQ(below[0], 0);
}

// By hand, μ = 0.5, z = (0.75, −0.3, −0.4): ‖z_t‖ = 0.5, x_n = (0.75 + 0.25)/1.25 = 0.8, ‖x_t‖ =
// 0.4.
TEST(ProjectCone, ObliquePoint_HasTheHandComputedFoot) {
  Real z[3] = {0.75, -0.3, -0.4};
  projectCone(0.5, z);
  EXPECT_NEAR(z[0], 0.8, 1e-15);
  EXPECT_NEAR(z[1], -0.24, 1e-15);
  EXPECT_NEAR(z[2], -0.32, 1e-15);
}

TEST(ProjectContact, PullingNormal_TakesFrictionWithIt) {
  ProblemBlock block;
  block.friction = 0.5;
  Real z[3] = {-1, 0.3, 0.4};
  projectContact(FrictionModel::kCone, block, z);
  EXPECT_EQ(z[0], 0);
  EXPECT_EQ(z[1], 0);
  EXPECT_EQ(z[2], 0);
}

// `box` takes its bound from λ̄_n, here 2, whatever the normal impulse is.
TEST(ProjectContact, BoxModel_UsesTheGivenNormalBound) {
  ProblemBlock block;
  block.friction = 0.5;
  block.normalBound = 2;
  Real z[3] = {-1, 3, -0.4};
  projectContact(FrictionModel::kBox, block, z);
  EXPECT_EQ(z[1], 1);
  EXPECT_EQ(z[2], -0.4);
}

// λ = (2, 1.2, 0.9), μ = 0.5, radius 1. Norms: max 1.2, sum 2.1, Euclid 1.5.
TEST(FrictionExcess, EachModel_MeasuresInItsOwnNorm) {
  ProblemBlock block;
  block.friction = 0.5;
  block.normalBound = 1;
  const Real lambda[4] = {2, 1.2, 0.9, 0};
  EXPECT_EQ(frictionExcess(FrictionModel::kNone, block, lambda), 0);
  EXPECT_NEAR(frictionExcess(FrictionModel::kBox, block, lambda), 0.7, 1e-15);
  EXPECT_NEAR(frictionExcess(FrictionModel::kPyramid, block, lambda), 0.2, 1e-15);
  EXPECT_NEAR(frictionExcess(FrictionModel::kDiamond, block, lambda), 1.1, 1e-15);
  EXPECT_NEAR(frictionExcess(FrictionModel::kCone, block, lambda), 0.5, 1e-15);
  const Real twisted[4] = {2, 0, 0.9, 0.8};  // ‖(0, 0.9, 1.2)‖ = 1.5
  EXPECT_NEAR(frictionExcess(FrictionModel::kContensou, block, twisted), 0.5, 1e-15);
}

// Radius 1 and λ_t2 = 0.6: along t1 the disc reaches √(1 − 0.36) = 0.8, the diamond 0.4, the box 1.
// Along torsion the ellipsoid reaches 0.8/1.5.
TEST(FrictionSlice, ThroughAPointInside_EndsOnTheBoundary) {
  ProblemBlock block;
  block.friction = 0.5;
  const Real lambda[4] = {2, 0.1, 0.6, 0};
  EXPECT_NEAR(frictionSlice(FrictionModel::kPyramid, block, lambda, 1), 1, 1e-15);
  EXPECT_NEAR(frictionSlice(FrictionModel::kDiamond, block, lambda, 1), 0.4, 1e-15);
  EXPECT_NEAR(frictionSlice(FrictionModel::kCone, block, lambda, 1), 0.8, 1e-15);
  const Real still[4] = {2, 0, 0.6, 0.1};
  EXPECT_NEAR(frictionSlice(FrictionModel::kContensou, block, still, 3), 0.8 / 1.5, 1e-15);
  const Real outside[4] = {2, 0, 3, 0};
  EXPECT_EQ(frictionSlice(FrictionModel::kCone, block, outside, 1), 0);
  ProblemBlock roll;
  roll.friction = 0.5;
  roll.rolling = 0.1;
  const Real rolling[5] = {2, 0.6, 0.1, 0.12, 0.25};
  EXPECT_NEAR(frictionSlice(FrictionModel::kRolling, roll, rolling, 2), 0.8, 1e-15);
  EXPECT_NEAR(frictionSlice(FrictionModel::kRolling, roll, rolling, 4), 0.16, 1e-15);
  EXPECT_EQ(frictionSlice(FrictionModel::kRolling, roll, rolling, 3), 0);
  EXPECT_NEAR(frictionExcess(FrictionModel::kRolling, roll, rolling), std::hypot(0.12, 0.25) - 0.2,
              1e-15);
}

TEST(FrictionModels, NamesReadBack) {
  for (int i = 0; i < kFrictionModelCount; ++i) {
    const auto model = static_cast<FrictionModel>(i);
    EXPECT_EQ(frictionModelFromName(frictionModelName(model)), model);
  }
  EXPECT_FALSE(frictionModelFromName("coulomb"));
}

}  // namespace
}  // namespace drystone
