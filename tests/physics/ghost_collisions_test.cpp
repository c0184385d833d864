// Sliders without friction on a floor made of tiles. No seam of the floor may slow them down: all
// that touches them pushes straight up, so their horizontal velocity never changes.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kSpeed = 3;              ///< [m/s]
constexpr int kTiles = 20;              ///< of 1 m, that a slider passes
constexpr Real kThickness = 0.2;        ///< of a tile [m]
constexpr Real kSeam = 1e-4;            ///< widest gap and highest step that count as a seam [m]
constexpr Real kSpeedTolerance = 1e-6;  ///< [m/s]

/// What a slider is, how it lies, and how high its frame is over the floor.
struct Slider {
  std::string name;
  Shape shape;
  Quat pose = Quat::Identity();
  Real height = 0;
};

Shape chamferedBlock() {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    const Real angle = (i + 0.5) * M_PI / 4;
    points.emplace_back(0.25 * std::cos(angle), 0.25 * std::sin(angle), -0.2);
    points.emplace_back(0.3 * std::cos(angle), 0.3 * std::sin(angle), 0.0);
    points.emplace_back(0.2 * std::cos(angle), 0.2 * std::sin(angle), 0.2);
  }
  return makeHull(points);
}

const std::vector<Slider>& sliders() {
  const Quat along = test::turn(Vec3::UnitY(), M_PI / 2),
             across = test::turn(Vec3::UnitX(), M_PI / 2);
  static const std::vector<Slider> all = {
      {"box", Box{{0.25, 0.25, 0.25}}, Quat::Identity(), 0.25},
      {"sphere", Sphere{0.5}, Quat::Identity(), 0.5},
      {"capsule", Capsule{0.25, 0.3}, along, 0.25},
      {"capsule_across", Capsule{0.25, 0.3}, across, 0.25},
      {"cylinder", Cylinder{0.25, 0.2}, Quat::Identity(), 0.2},
      {"cylinder_across", Cylinder{0.25, 0.2}, across, 0.25},
      {"hull", chamferedBlock(), Quat::Identity(), 0.2},
  };
  return all;
}

enum class Seam { kFlush, kApart, kUneven };

/// Place and height of the middle of a tile's top face.
using Tops = std::vector<Vec3>;

/// The tiles of the grid that a slider may touch on its way.
Tops topsAlong(const Vec3& direction, Seam seam) {
  Tops tops;
  const int reach = kTiles + 4;
  for (int row = -reach; row <= reach; ++row) {
    for (int column = -reach; column <= reach; ++column) {
      Vec3 top(column, row, 0);
      const Real forward = top.dot(direction), aside = direction.cross(top).z();
      if (forward < -2.5 || forward > kTiles + 3 || std::abs(aside) > 2) continue;
      if (seam == Seam::kUneven) top.z() = kSeam * ((3 * column + 5 * row) & 3) / 3;
      tops.push_back(top);
    }
  }
  return tops;
}

void addTriangles(const Vec3& top, Real half, MeshData& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vec3& corner :
       {Vec3(-half, -half, 0), Vec3(half, -half, 0), Vec3(half, half, 0), Vec3(-half, half, 0)}) {
    mesh.vertices.push_back(top + corner);
  }
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

/// A grid whose triangles share their corners.
MeshData sharedMesh() {
  const int reach = kTiles + 4, side = 2 * reach + 1;
  MeshData mesh;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      mesh.vertices.emplace_back(column - reach + 0.5, row - reach + 0.5, 0);
    }
  }
  for (int row = 0; row + 1 < side; ++row) {
    for (int column = 0; column + 1 < side; ++column) {
      const int low = row * side + column;
      mesh.triangles.push_back({low, low + 1, low + side + 1});
      mesh.triangles.push_back({low, low + side + 1, low + side});
    }
  }
  return mesh;
}

void addStatic(World& world, const Shape& shape, const Vec3& position) {
  BodyDefinition tile;
  tile.kind = BodyKind::kStatic;
  tile.shape = shape;
  tile.pose.position = position;
  world.addBody(tile);
}

/// A floor of tiles at these places, `half` as wide as they are.
void addTiles(World& world, const std::string& kind, const Tops& tops, Real half) {
  const Box box{{half, half, kThickness / 2}};
  const Vec3 down(0, 0, -kThickness / 2);
  MeshData mesh;
  Compound compound;
  for (const Vec3& top : tops) {
    if (kind == "boxes") {
      addStatic(world, box, top + down);
    } else if (kind == "compound") {
      compound.children.push_back({box, {top + down, Quat::Identity()}});
    } else if (kind == "mesh") {
      addTriangles(top, half, mesh);
    } else {
      MeshData single;
      addTriangles(Vec3::Zero(), half, single);
      addStatic(world, TriangleMesh{std::make_shared<MeshData>(single)}, top);
    }
  }
  if (kind == "compound") addStatic(world, compound, Vec3::Zero());
  if (kind == "mesh") {
    addStatic(world, TriangleMesh{std::make_shared<MeshData>(mesh)}, Vec3::Zero());
  }
}

void addFloor(World& world, const std::string& kind, const Vec3& direction, Seam seam) {
  if (kind == "heightfield") {
    const int side = 2 * (kTiles + 4) + 1;
    HeightfieldData field{.columns = side, .rows = side};
    field.heights.assign(static_cast<std::size_t>(side) * side, 0);
    addStatic(world, Heightfield{std::make_shared<HeightfieldData>(field)}, {0.5, 0.5, 0});
  } else if (kind == "mesh" && seam == Seam::kFlush) {
    addStatic(world, TriangleMesh{std::make_shared<MeshData>(sharedMesh())}, Vec3::Zero());
  } else {
    addTiles(world, kind, topsAlong(direction, seam), seam == Seam::kFlush ? 0.5 : 0.5 - kSeam / 2);
  }
}

WorldSettings frictionless() { return test::settingsFor("bpp"); }

BodyId addSlider(World& world, const Slider& slider, const Vec3& position, Real heading,
                 Real speed = kSpeed) {
  const Quat turned = test::turn(Vec3::UnitZ(), heading);
  return test::addBody(world, slider.shape, 1,
                       {position + Vec3(0, 0, slider.height), turned * slider.pose},
                       speed * (turned * Vec3::UnitX()));
}

World makeWorld(const WorldSettings& settings = frictionless()) {
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0});
  return world;
}

using Case = std::tuple<Slider, std::string, int, Seam>;

class GhostCollisions : public testing::TestWithParam<Case> {};

TEST_P(GhostCollisions, Slider_KeepsItsSpeedAcrossSeams) {
  const auto& [slider, tiles, degrees, seam] = GetParam();
  World world = makeWorld();
  const Real heading = degrees * M_PI / 180;
  const Vec3 direction = test::turn(Vec3::UnitZ(), heading) * Vec3::UnitX();
  addFloor(world, tiles, direction, seam);
  // Beside the middle of a tile, so that the seams are not met in the middle of the slider.
  const Vec3 aside(0.03, 0.07, seam == Seam::kUneven ? kSeam : 0);
  const BodyId body = addSlider(world, slider, aside, heading);
  Real worst = 0;
  Vec3 at = Vec3::Zero();
  while (world.body(body).centerOfMass().dot(direction) < kTiles &&
         world.time() < 2 * kTiles / kSpeed) {
    world.step();
    Vec3 change = world.body(body).linearVelocity() - kSpeed * direction;
    change.z() = 0;
    if (change.norm() <= worst) continue;
    if (worst < kSpeedTolerance) at = world.body(body).centerOfMass();
    worst = change.norm();
  }
  EXPECT_LE(worst, kSpeedTolerance)
      << "first at " << at.transpose() << " v " << world.body(body).linearVelocity().transpose();
  EXPECT_GE(world.body(body).centerOfMass().dot(direction), kTiles);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Slider& slider : sliders()) {
    for (const std::string tiles : {"boxes", "compound", "mesh", "meshes", "heightfield"}) {
      for (const Seam seam : {Seam::kFlush, Seam::kApart, Seam::kUneven}) {
        if (tiles == "heightfield" && seam != Seam::kFlush) continue;
        for (const int degrees : {0, 17, 45, 90}) all.emplace_back(slider, tiles, degrees, seam);
      }
    }
  }
  return all;
}

std::string nameOf(const testing::TestParamInfo<Case>& tested) {
  const auto& [slider, tiles, degrees, seam] = tested.param;
  const std::string kind = seam == Seam::kFlush   ? "flush"
                           : seam == Seam::kApart ? "apart"
                                                  : "uneven";
  return slider.name + "_" + tiles + "_" + kind + "_" + std::to_string(degrees);
}

INSTANTIATE_TEST_SUITE_P(Tiles, GhostCollisions, testing::ValuesIn(cases()), nameOf);

/// What must stop or hold a slider, on floors of every kind of tile.
class RealCollisions : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int kObstacle = 5;  ///< column where it stands [m]

  /// A floor whose tiles stand at the heights that `heightOf` gives for a column; none: no tile.
  void addRows(const std::function<std::optional<Real>(int)>& heightOf) {
    Tops tops;
    for (int row = -2; row <= 2; ++row) {
      for (int column = -2; column <= 12; ++column) {
        const std::optional<Real> height = heightOf(column);
        if (height) tops.emplace_back(column, row, *height);
      }
    }
    addTiles(world_, GetParam(), tops, 0.5);
  }

  World world_ = makeWorld();
};

// At 0.5 m/s, 8 mm a step: the margin of 1 cm sees what the slider comes to before they overlap.
TEST_P(RealCollisions, KerbOfOneCentimetre_StopsABoxAsOnAFloorOfOnePiece) {
  addRows([](int column) { return column < kObstacle ? 0.0 : 0.01; });
  World whole = makeWorld();
  test::addGround(whole);
  addStatic(whole, Box{{4, 3, kThickness / 2}}, {kObstacle - 0.5 + 4, 0, 0.01 - kThickness / 2});
  const Vec3 start(3.03, 0.07, 0);
  const BodyId box = addSlider(world_, sliders()[0], start, 0, 0.5);
  const BodyId other = addSlider(whole, sliders()[0], start, 0, 0.5);
  for (int i = 0; i < 240; ++i) {
    world_.step();
    whole.step();
    // The side of the box does not pass the kerb; the box tips a little, and falls back.
    ASSERT_LE(world_.body(box).centerOfMass().x(), kObstacle - 0.5 - 0.25 + 5e-3);
    ASSERT_NEAR(world_.body(box).centerOfMass().x(), whole.body(other).centerOfMass().x(), 1e-6);
  }
  EXPECT_LE(world_.body(box).linearVelocity().x(), 1e-6);
}

TEST_P(RealCollisions, KerbOfOneCentimetre_LiftsABall) {
  addRows([](int column) { return column < kObstacle ? 0.0 : 0.01; });
  const BodyId ball = addSlider(world_, sliders()[1], {0.03, 0.07, 0}, 0);
  test::simulate(world_, 3);
  // The normal at the kerb has sin² = 1 - (0.49 / 0.5)², and takes v sin² of the velocity. The
  // speculative contact meets the edge up to 1 cm early, at a normal that leans a little more.
  EXPECT_LT(world_.body(ball).linearVelocity().x(), kSpeed * 0.98 * 0.98 + 0.01);
  EXPECT_GT(world_.body(ball).linearVelocity().x(), kSpeed * 0.9);
}

TEST_P(RealCollisions, WallThatStandsOnTheTiles_StopsABox) {
  addRows([](int) { return 0.0; });
  addStatic(world_, Box{{0.1, 2, 0.5}}, {kObstacle, 0, 0.5});
  const BodyId box = addSlider(world_, sliders()[0], {3.03, 0.07, 0}, 0, 0.5);
  test::simulate(world_, 4);
  EXPECT_NEAR(world_.body(box).centerOfMass().x(), kObstacle - 0.1 - 0.25, 1e-3);
  EXPECT_NEAR(world_.body(box).linearVelocity().x(), 0, 1e-6);
}

TEST_P(RealCollisions, HoleOfOneTile_TakesABall) {
  addRows([](int column) { return column == kObstacle ? std::nullopt : std::optional<Real>(0); });
  const Slider ball{"ball", Sphere{0.3}, Quat::Identity(), 0.3};
  const BodyId body = addSlider(world_, ball, {0.03, 0.07, 0}, 0);
  test::simulate(world_, 3);
  // At 3 m/s it takes 0.33 s to cross, in which it would fall 0.54 m: more than its radius.
  EXPECT_LT(world_.body(body).centerOfMass().z(), 0);
  EXPECT_LT(world_.body(body).centerOfMass().x(), kObstacle + 0.5);
}

TEST_P(RealCollisions, WallOfTilesBesideTheSlider_KeepsItsSpeed) {
  WorldSettings settings = frictionless();
  settings.gravity = {0, 4, -9.81};  // presses the box to the wall
  world_ = makeWorld(settings);
  addRows([](int) { return 0.0; });
  for (int i = 0; i < 40; ++i) {
    addStatic(world_, Box{{0.15, 0.1, 0.5}}, {-1 + 0.3 * i, 0.35 + 0.1, 0.5});
  }
  const BodyId box = addSlider(world_, sliders()[0], {0.03, 0.1, 0}, 0);
  while (world_.time() < 3) {
    world_.step();
    ASSERT_NEAR(world_.body(box).linearVelocity().x(), kSpeed, kSpeedTolerance) << world_.time();
  }
  EXPECT_GT(world_.body(box).centerOfMass().x(), 8);
}

INSTANTIATE_TEST_SUITE_P(Tiles, RealCollisions,
                         testing::Values("boxes", "compound", "mesh", "meshes"));

}  // namespace
}  // namespace drystone
