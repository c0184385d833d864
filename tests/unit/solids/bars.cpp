#include "tests/unit/solids/bars.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace drystone::test {

SolidSetup barSetup(int cells, int thick, Real offset) {
  SolidSetup setup;
  const Real h = 1.0 / cells;
  const std::array<int, 3> sides = {cells, thick, thick};
  Vec3 half;
  for (int a = 0; a < 3; ++a) {
    half[a] = 0.5 * h * sides[a];
    setup.grid.nodes[a] = sides[a] + 9;
  }
  setup.grid.spacing = h;
  setup.grid.origin = -half + Vec3::Constant((offset - 4) * h);
  setup.shape = SolidShape::box(half);
  setup.material = {ElasticModel::kNeoHookean, 1, 1, 0, 0};
  return setup;
}

SolidSetup tumblingBox(int cells) {
  SolidSetup setup;
  setup.grid = {Vec3::Constant(-1), 2.0 / cells, {cells + 1, cells + 1, cells + 1}};
  setup.shape = SolidShape::box(Vec3(0.3, 0.25, 0.2));
  setup.material = {ElasticModel::kNeoHookean, 1, 1, 0.3, 0};
  setup.pose.rotation = Quat(Eigen::AngleAxis<Real>(0.4, Vec3(1, 2, 3).normalized()));
  setup.velocity = Vec3(0.2, -0.1, 0.05);
  setup.angularVelocity = Vec3(0.2, -0.3, 0.5);
  return setup;
}

Real energyOf(const Solid& solid) { return solid.kineticEnergy() + solid.elasticEnergy(); }

// By the first two passes through rest, half a period apart, of the part of the velocity that has
// the shape cos π X / L; with the middle at 0 this is sin π x.
Real longitudinalPeriod(const SolidSetup& bar) {
  Solid solid(bar);
  const auto shape = [](const Vec3& x) { return std::sin(std::numbers::pi * x.x()); };
  solid.setVelocity([&](const Vec3& x) { return Vec3(1e-4 * shape(x), 0, 0); });
  const auto rate = [&] {
    Real sum = 0;
    for (const int node : solid.nodes().carriers()) {
      sum += solid.mass()[node] * solid.velocity()[node].x() * shape(solid.grid().position(node));
    }
    return sum;
  };
  const Real step = 0.25 * bar.grid.spacing;
  std::vector<Real> passes;
  Real last = rate();
  for (Real time = step; passes.size() < 2 && time < 4; time += step) {
    if (solid.step(step).status != SolidStatus::kOk) return 0;
    const Real now = rate();
    if (now * last < 0) passes.push_back(time - step * now / (now - last));
    last = now;
  }
  return passes.size() == 2 ? 2 * (passes[1] - passes[0]) : 0;
}

Vec3 sagOf(const SolidSetup& bar, Real drag, Real duration) {
  Solid solid(bar);
  solid.hold(Vec3::Constant(-9), Vec3(-0.5 + 1e-9, 9, 9));
  for (Real time = 0; time < duration;) {
    const Real step = solid.stableStep();
    solid.begin(step);
    for (const int node : solid.nodes().carriers()) {
      const Real share = drag * step / (1 + drag * step);
      solid.applyImpulse(node, -share * solid.mass()[node] * solid.velocity()[node]);
    }
    if (solid.finish() != SolidStatus::kOk) return Vec3::Zero();
    time += step;
  }
  const Vec3 end(0.5, 0, 0);
  const int cell = solid.grid().cellAt(end);
  const std::array<Real, 8> weights = solid.grid().weights(cell, end);
  Vec3 sag = end;
  for (int c = 0; c < 8; ++c) {
    sag -= weights[c] * solid.reference()[solid.grid().corner(cell, c)];
  }
  return sag;
}

Vec3 sagInTheory(const SolidSetup& bar) {
  const Real height = 2 * bar.shape.halfExtents().z();
  const Real across = 12 / (8 * height * height) + 1 / (2 * (5.0 / 6) * 0.5);
  return bar.gravity.cwiseProduct(Vec3(0.5, across, across));
}

Real strainOfTurn(int cells, Advection order) {
  SolidSetup setup = tumblingBox(cells);
  setup.referenceAdvection = setup.velocityAdvection = order;
  Solid solid(setup);
  const Vec3 rate = Vec3(1, 2, 2) * (std::numbers::pi / 6);
  const int steps = 2 * cells;
  for (int i = 0; i < steps; ++i) {
    solid.begin(1.0 / steps);
    solid.setVelocity([&](const Vec3& x) { return Vec3(rate.cross(x)); });
    if (solid.finish() != SolidStatus::kOk) return kUnlimited;
  }
  return solid.largestStrain();
}

}  // namespace drystone::test
