// Spheres and boxes of random size and orientation, dropped from a jittered grid, into a bin if
// wanted. Every body takes ten numbers of the generator, used or not, so that the place of a body
// does not depend on the kinds of those before it.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "scenes/generators/generation.h"

namespace drystone {
namespace {

struct Fill {
  int count = 0;
  int nx = 1, ny = 1;                   ///< cells of a layer
  Real cell = 1;                        ///< edge of a cell [m]
  Real base = 0;                        ///< height of the lowest layer's centres [m]
  Real jitter = 0;                      ///< width of the random offset per axis [m]
  Real velocitySpread = 0;              ///< width of the random velocity per axis [m/s]
  Real sphereShare = 1;                 ///< chance of a sphere
  Real radius = 0.5, radiusSpread = 0;  ///< [m]
  Vec3 half = Vec3::Constant(0.5), halfSpread = Vec3::Zero();  ///< of boxes [m]
  std::uint64_t seed = 12345;

  int layers() const { return (count + nx * ny - 1) / (nx * ny); }
};

struct Bin {
  Real clearance = 0.1;     ///< between the outer cells and the walls [m]
  Real wallThickness = 1;   ///< [m]
  Real floorThickness = 2;  ///< [m]
  Real headroom = 1.5;      ///< of the walls' half height over half the filling's [m]
};

void readSphere(ObjectReader& in, Fill& fill) {
  const auto at = in.child("sphere", KeyType::of("random_sphere"));
  if (!at) return;
  ObjectReader sphere(*at, "random_sphere", "radius plus a uniform share of the spread");
  sphere.real({"radius", "least"}, fill.radius, positive("m", 1e6), kRequired);
  sphere.real({"spread", "of the radius"}, fill.radiusSpread, notNegative("m", 1e6));
}

void readBox(ObjectReader& in, Fill& fill) {
  const auto at = in.child("box", KeyType::of("random_box"));
  if (!at) return;
  ObjectReader box(*at, "random_box",
                   "half extents plus a uniform share of the spread, each axis by itself");
  box.vector({"half_extents", "least"}, fill.half, positive("m", 1e6), kRequired);
  box.vector({"spread", "of the half extents"}, fill.halfSpread, notNegative("m", 1e6));
}

std::optional<Bin> readBin(ObjectReader& in) {
  const auto at = in.child("bin", KeyType::of("bin"));
  if (!at) return std::nullopt;
  Bin bin;
  ObjectReader entry(*at, "bin", "static floor and four walls about the filling");
  entry.real({"clearance", "between the outer cells and the walls"}, bin.clearance,
             notNegative("m", 1e6));
  entry.real({"wall_thickness", "of the walls"}, bin.wallThickness, positive("m", 1e6));
  entry.real({"floor_thickness", "of the floor"}, bin.floorThickness, positive("m", 1e6));
  entry.real({"headroom", "half of what the walls rise above the cells"}, bin.headroom,
             notNegative("m", 1e6));
  return bin;
}

void addBin(const Fill& fill, const Bin& bin, Generation& generation) {
  const Real x = fill.cell / 2 * fill.nx + bin.clearance;  // half inner widths
  const Real y = fill.cell / 2 * fill.ny + bin.clearance;
  const Real wall = bin.wallThickness / 2;
  const Real height = fill.cell / 2 * fill.layers() + bin.headroom;
  const Real below = bin.floorThickness / 2;
  const auto place = [&](const char* name, const Vec3& half, const Vec3& center) {
    generation.addStatic(name, Box{half}, {center, Quat::Identity()});
  };
  place("floor", {x + bin.wallThickness, y + bin.wallThickness, below}, {0, 0, -below});
  place("wall_px", {wall, y + bin.wallThickness, height}, {x + wall, 0, height});
  place("wall_nx", {wall, y + bin.wallThickness, height}, {-(x + wall), 0, height});
  place("wall_py", {x, wall, height}, {0, y + wall, height});
  place("wall_ny", {x, wall, height}, {0, -(y + wall), height});
}

/// Uniform over all orientations, from three uniform numbers (Shoemake 1992).
Quat randomOrientation(Real u1, Real u2, Real u3) {
  const Real turn = 2 * std::numbers::pi;
  const Real a = std::sqrt(1 - u1);
  const Real b = std::sqrt(u1);
  return {b * std::cos(turn * u3), a * std::sin(turn * u2), a * std::cos(turn * u2),
          b * std::sin(turn * u3)};
}

void addBody(const Fill& fill, int i, Random& random, Generation& generation) {
  const int layer = fill.nx * fill.ny;
  const int k = i % layer;
  // Ten draws in this order: offset, kind, sizes, orientation; then, where asked for, the velocity.
  Real u[10];
  for (Real& value : u) value = random.uniform();
  const Vec3 position((k % fill.nx - (fill.nx - 1) / 2.0) * fill.cell + fill.jitter * (u[0] - 0.5),
                      (k / fill.nx - (fill.ny - 1) / 2.0) * fill.cell + fill.jitter * (u[1] - 0.5),
                      fill.base + fill.cell * (i / layer) + fill.jitter * (u[2] - 0.5));
  int body = 0;
  if (u[3] < fill.sphereShare) {
    const Sphere sphere{fill.radius + fill.radiusSpread * u[4]};
    body = generation.add(std::to_string(i), sphere, {position, Quat::Identity()});
  } else {
    const Box box{fill.half + fill.halfSpread.cwiseProduct(Vec3(u[4], u[5], u[6]))};
    body = generation.add(std::to_string(i), box, {position, randomOrientation(u[7], u[8], u[9])});
  }
  if (fill.velocitySpread == 0) return;
  Vec3 velocity;
  for (Real& value : velocity) value = fill.velocitySpread * (random.uniform() - 0.5);
  generation.push(body, velocity);
}

}  // namespace

void generateRandomFill(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "random_fill");
  constexpr int kMostColumns = 10'000;
  Fill fill;
  in.integer({"count", "bodies"}, fill.count, 1, std::numeric_limits<int>::max() / 2, kRequired);
  in.integer({"columns_x", "cells of a layer along x"}, fill.nx, 1, kMostColumns, kRequired);
  in.integer({"columns_y", "cells of a layer along y"}, fill.ny, 1, kMostColumns, kRequired);
  in.real({"cell", "edge of a cell"}, fill.cell, positive("m", 1e6), kRequired);
  in.real({"base", "height of the centres of the lowest layer"}, fill.base, anyReal("m"));
  in.real({"jitter", "width of the random offset along each axis"}, fill.jitter,
          notNegative("m", 1e6));
  in.real({"velocity_spread", "width of the random velocity along each axis"}, fill.velocitySpread,
          notNegative("m/s", 1e6));
  in.real({"sphere_share", "chance that a body is a sphere"}, fill.sphereShare, within(0, 1));
  readSphere(in, fill);
  readBox(in, fill);
  in.natural({"seed", "of the random numbers"}, fill.seed);
  const std::optional<Bin> bin = readBin(in);
  if (fill.sphereShare > 0) in.atLeastOne({"sphere"});
  if (fill.sphereShare < 1) in.atLeastOne({"box"});
  constexpr int kBinBodies = 5;
  if (!generation.allows(Real(fill.count) + (bin ? kBinBodies : 0), "count, and 5 of a bin"))
    return;

  if (bin) addBin(fill, *bin, generation);
  Random random(fill.seed);
  for (int i = 0; i < fill.count; ++i) addBody(fill, i, random, generation);
}

}  // namespace drystone
