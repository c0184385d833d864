// The parts that solids are made of, and what contacts take of them: stresses, surfaces, followers.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "solids/grid.h"
#include "solids/solid.h"
#include "tests/unit/solids/bars.h"

namespace drystone {
namespace {

using test::tumblingBox;

// σ = 1/J ∂ψ/∂F Fᵀ, by central differences of ψ.
TEST(SolidMaterial, Stress_IsTheDerivativeOfTheEnergy) {
  Mat3 deformation;
  deformation << 1.2, 0.1, -0.2, 0.05, 0.9, 0.15, -0.1, 0.2, 1.1;
  SolidMaterial material;
  material.youngModulus = 3;
  for (const ElasticModel model : {ElasticModel::kNeoHookean, ElasticModel::kStVenantKirchhoff}) {
    material.model = model;
    const auto stressOf = [&](const Mat3& f) {
      const Real volume = f.col(0).dot(f.col(1).cross(f.col(2)));
      return stressAt(material, inverseOf(f, volume), 1 / volume, Mat3::Zero());
    };
    Mat3 derivative;
    const Real step = 1e-5;
    for (int i = 0; i < 9; ++i) {
      Mat3 more = deformation, less = deformation;
      more(i) += step;
      less(i) -= step;
      derivative(i) = (stressOf(more).energy - stressOf(less).energy) / (2 * step);
    }
    const Real volume = deformation.col(0).dot(deformation.col(1).cross(deformation.col(2)));
    const Mat3 expected = derivative * deformation.transpose() / volume;
    EXPECT_LT((stressOf(deformation).cauchy - expected).norm(), 1e-8);
  }
}

// The acoustic tensor Q_ik n_k of plane waves a f(n·x − c t): what the stress P does of F + ε a (Fᵀ
// n)ᵀ, by central differences. No eigenvalue of Q/ρ₀ exceeds the bound, in any direction.
TEST(SolidMaterial, Sound_IsNoFasterThanItsBound) {
  Random random(3);
  Real closest = 0;
  for (const ElasticModel model : {ElasticModel::kNeoHookean, ElasticModel::kStVenantKirchhoff}) {
    for (const Real poisson : {-0.5, 0.0, 0.3, 0.49}) {
      const SolidMaterial material = {model, 2, 3, poisson, 0};
      const auto firstPiola = [&](const Mat3& f) -> Mat3 {
        const Real volume = determinantOf(f);
        const Mat3 inverse = inverseOf(f, volume);
        return volume * stressAt(material, inverse, 1 / volume, Mat3::Zero()).cauchy *
               inverse.transpose();
      };
      for (const Vec3& stretch : {Vec3(1, 1, 1), Vec3(1.5, 1.5, 1.5), Vec3(2, 2, 2),
                                  Vec3(1.3, 1, 0.8), Vec3(0.8, 0.8, 0.8)}) {
        const Mat3 f = stretch.asDiagonal();
        const Vec3 n = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 1).normalized();
        const Vec3 normal = f.transpose() * n;
        Mat3 tensor;
        for (int k = 0; k < 3; ++k) {
          const Mat3 wave = 1e-6 * Vec3::Unit(k) * normal.transpose();
          tensor.col(k) = (firstPiola(f + wave) - firstPiola(f - wave)) * normal / 2e-6;
        }
        const Mat3 symmetric = 0.5 * (tensor + tensor.transpose()) / material.density;
        const Real fastest = Eigen::SelfAdjointEigenSolver<Mat3>(symmetric).eigenvalues()[2];
        const Real volume = determinantOf(f);
        const Real bound =
            stressAt(material, inverseOf(f, volume), 1 / volume, Mat3::Zero()).soundSquared;
        EXPECT_LE(fastest, bound * (1 + 1e-7)) << stretch.transpose() << " " << poisson;
        closest = std::max(closest, fastest / bound);
      }
    }
  }
  EXPECT_GT(closest, 0.999) << "of equal stretches it is the speed itself";
}

// Kelvin–Voigt: τ times Hooke's stress of the rate; none of a turn.
TEST(SolidMaterial, Damping_ResistsStrainAndNotTurns) {
  SolidMaterial material;
  material.damping = 0.5;
  material.youngModulus = 2;
  material.poissonRatio = 0.25;  // λ = μ = 0.8
  Mat3 rate = Mat3::Zero();
  rate(0, 1) = 1;
  rate(1, 0) = -1;
  const auto stress = [&] { return stressAt(material, Mat3::Identity(), 1, rate).cauchy; };
  EXPECT_LT(stress().norm(), 1e-15);
  rate = Vec3(1, 0, 0).asDiagonal();
  EXPECT_LT((stress() - Mat3(Vec3(1.2, 0.4, 0.4).asDiagonal())).norm(), 1e-15);
}

// ∫ n dΓ = 0, ∫ x·n dΓ = 3 V and ∫ dΓ = A, wherever the body lies in its cells.
TEST(SolidSurface, OfEachShape_HasItsAreaAndVolume) {
  struct Case {
    SolidShape shape;
    Real area, share;  // that may be missing
  };
  const Real pi = std::numbers::pi;
  const Case cases[] = {{SolidShape::box(Vec3(0.5, 0.4, 0.3)), 3.76, 0.01},
                        {SolidShape::ball(0.5), pi, 0.01},
                        {SolidShape::cylinder(0.4, 0.5), 2 * pi * 0.4 * 1.4, 0.01}};
  for (const Case& one : cases) {
    SolidSetup setup = tumblingBox(24);
    setup.shape = one.shape;
    Solid solid(setup);
    Real area = 0, volume = 0;
    Vec3 sum = Vec3::Zero();
    int cell = 0;
    for (const SolidSurfacePoint& point : solid.findSurface()) {
      area += point.area.norm();
      volume += point.area.dot(point.position) / 3;
      sum += point.area;
      EXPECT_GE(point.cell, cell);
      cell = point.cell;
      for (const Real weight : solid.grid().weights(point.cell, point.position)) {
        ASSERT_GE(weight, -1e-12);
      }
    }
    EXPECT_NEAR(area, one.area, one.share * one.area);
    EXPECT_NEAR(volume, one.shape.volume(), one.share * one.shape.volume());
    EXPECT_LT(sum.norm(), 1e-3 * area);
  }
}

TEST(NodeExtension, LinearFields_AreExactOnFollowers) {
  const Solid solid(tumblingBox(16));
  const auto field = [](const Vec3& x) {
    return Vec3(1 + x.x() - 2 * x.y(), x.z(), 3 * x.x() + x.y());
  };
  int followers = 0;
  for (int node = 0; node < solid.grid().nodeCount(); ++node) {
    if (solid.nodes().kind(node) != NodeKind::kFollower) continue;
    Vec3 value = Vec3::Zero();
    Real mass = 0;
    for (const NodeShare& share : solid.nodes().sharesOf(node)) {
      value += share.weight * field(solid.grid().position(share.node));
      mass += share.massShare;
      EXPECT_GE(share.massShare, 0);
    }
    EXPECT_LT((value - field(solid.grid().position(node))).norm(), 1e-13);
    EXPECT_NEAR(mass, 1, 1e-14);
    ++followers;
  }
  EXPECT_GT(followers, 100);
}

// A row with entries on followers sees the velocity that it gives: jᵀ v and M⁻¹ j are adjoint.
TEST(SolidContact, ImpulseOfARow_ChangesItsVelocityByTheDelassusTerm) {
  Solid solid(tumblingBox(16));
  const std::span<const SolidSurfacePoint> surface = solid.findSurface();
  const SolidSurfacePoint point = surface[surface.size() / 2];
  const std::array<Real, 8> weights = solid.grid().weights(point.cell, point.position);
  const auto speed = [&] {
    Real sum = 0;
    for (int c = 0; c < 8; ++c) {
      sum += weights[c] * point.area.dot(solid.velocity()[solid.grid().corner(point.cell, c)]);
    }
    return sum;
  };
  std::vector<Real> row(solid.grid().nodeCount(), 0);
  for (int c = 0; c < 8; ++c) {
    for (const NodeShare& share : solid.nodes().sharesOf(solid.grid().corner(point.cell, c))) {
      row[share.node] += share.weight * weights[c];
    }
  }
  Real delassus = 0;
  for (const int node : solid.nodes().carriers()) {
    delassus += row[node] * row[node] / solid.mass()[node] * point.area.squaredNorm();
  }
  solid.begin(solid.stableStep());
  const Real before = speed();
  const Vec3 momentum = solid.momentum();
  for (int c = 0; c < 8; ++c) {
    solid.applyImpulse(solid.grid().corner(point.cell, c), weights[c] * point.area);
  }
  solid.extendVelocity();
  EXPECT_NEAR(speed() - before, delassus, 1e-12 * delassus);
  EXPECT_LT((solid.momentum() - momentum - point.area).norm(), 1e-13);
}

}  // namespace
}  // namespace drystone
