// Bodies on surfaces of many triangles: few contacts, and the motion that these leave is that of
// all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// A field of `cells`² cells of side `cell` [m], of the given heights [m].
template <class Height>
Heightfield field(int cells, Real cell, Height&& height) {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = cells + 1;
  data->spacingX = data->spacingY = cell;
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i) {
      data->heights.push_back(height((i - 0.5 * cells) * cell, (j - 0.5 * cells) * cell));
    }
  }
  return {data};
}

Heightfield flat() {
  return field(100, 0.1, [](Real, Real) { return 0.0; });
}

Heightfield waves() {
  return field(60, 0.15, [](Real x, Real y) {
    return 0.03 * std::sin(2.5 * x) * std::cos(2 * y) + 0.01 * std::sin(2.7 * x + 1.9 * y);
  });
}

void addFloor(World& world, const Shape& shape) {
  BodyDefinition floor;
  floor.kind = BodyKind::kStatic;
  floor.shape = shape;
  world.addBody(floor);
}

TEST(SurfaceContacts, BoxOnAFlatFieldOfManyTriangles_MovesAsOnAPlane) {
  // It slides over the edges of many triangles, and rests then. Without spin, since friction
  // against it depends on how four contacts share a load that three would bear.
  WorldSettings settings = test::settingsFor("bpp");
  settings.solver.budget.tolerance = 1e-11;
  World onField(settings, test::registry());
  World onPlane(settings, test::registry());
  addFloor(onField, flat());
  test::addPlane(onPlane);
  const Quat turned = test::turn(Vec3::UnitZ(), 0.3);
  const Pose start{{-1, 0.03, 0.2}, turned};
  const Vec3 velocity(2, 0.3, 0);
  const Box box{{0.5, 0.4, 0.2}};
  const BodyId first = test::addBody(onField, box, 2, start, velocity);
  const BodyId second = test::addBody(onPlane, box, 2, start, velocity);
  for (int step = 0; step < 300; ++step) {
    onField.step();
    onPlane.step();
    ASSERT_EQ(onField.lastReport().contacts, 4) << step;
    const Pose a = onField.body(first).pose(), b = onPlane.body(second).pose();
    ASSERT_LT((a.position - b.position).norm(), 1e-9) << step;
    ASSERT_LT(a.rotation.angularDistance(b.rotation), 1e-8) << step;
  }
  EXPECT_GT((onField.body(first).pose().position - start.position).norm(), 0.3);
  EXPECT_LT(onField.lastReport().maxSpeed, 1e-8);
}

/// The deepest overlap of 300 steps [m], with boxes that start so fast on waves.
Real deepestOnWaves(const Vec3& velocity, World& world) {
  addFloor(world, waves());
  for (int k = 0; k < 4; ++k) {
    const Vec3 place(k % 2 * 1.5 - 1.5, k / 2 * 1.5 - 1.5, 0.26);
    test::addBody(world, Box{{0.4, 0.3, 0.2}}, 1, {place, test::turn(Vec3::UnitZ(), 0.4 * k)},
                  velocity);
  }
  Real deepest = 0;
  for (int step = 0; step < 300; ++step) {
    world.step();
    EXPECT_TRUE(world.lastReport().withinTolerance) << step;
    deepest = std::max(deepest, world.lastReport().maxPenetration);
  }
  return deepest;
}

TEST(SurfaceContacts, BoxesOnWaves_SinkNoDeeperWithThinnedContacts) {
  for (const Vec3& velocity : {Vec3(0, 0, 0), Vec3(1.5, 0.4, 0)}) {
    WorldSettings settings = test::settingsFor("bpp");
    World thinned(settings, test::registry());
    settings.reduceManifolds = false;
    World all(settings, test::registry());
    const Real deepest = deepestOnWaves(velocity, thinned);
    EXPECT_LT(deepest, thinned.lastReport().overlapTolerance);
    EXPECT_LT(deepest, deepestOnWaves(velocity, all) + 5e-4);
    EXPECT_LT(thinned.lastReport().contacts, all.lastReport().contacts / 2);
  }
}

TEST(SurfaceContacts, ThinnedOnWaves_HaveTheSameBitsForEveryThreadCount) {
  test::expectSameBitsForEveryThreadCount(
      [](int threads) {
        WorldSettings settings = test::settingsFor("bpp");
        settings.threads = threads;
        World world(settings, test::registry());
        addFloor(world, waves());
        for (int k = 0; k < 9; ++k) {
          const Vec3 place(k % 3 * 1.5 - 1.5, k / 3 * 1.5 - 1.5, 0.3);
          test::addBody(world, Box{{0.4, 0.3, 0.2}}, 1, {place, test::turn(Vec3::UnitX(), 0.1 * k)},
                        {1, 0, 0});
        }
        return world;
      },
      40, [](const World&) {});
}

}  // namespace
}  // namespace drystone
