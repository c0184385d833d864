// The contact of one pair of shapes, as drystone and Bullet find it. In each round the second shape
// stands a little aside from where it was, so that nothing is the same and all is nearly so.
// Run with --benchmark_filter=pair; figures go to docs/results/contacts.md.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <utility>

#include "bench/peers/worlds.h"
#include "bench/studies/measure.h"
#include "collision/collision_world.h"
#include "collision/narrow/pairs.h"
#include "collision/shape/shape_operations.h"

namespace {

using namespace drystone;

constexpr Real kMargin = 0.01;   ///< the default of worlds [m]
constexpr Real kAside = 1e-9;    ///< about what a body at rest moves in a step [m]
constexpr Real kOverlap = 1e-6;  ///< of the pairs that touch: little against all tolerances [m]
/// Bodies stand off the middle, where they would be over a seam of surfaces [m].
constexpr Real kOffMiddle = 0.11;

struct PairCase {
  Shape a;
  Pose poseA;
  Shape b;
  Pose poseB;
};

Quat turn(Real degrees, const Vec3& axis) {
  return Quat(Eigen::AngleAxis<Real>(degrees * 3.14159265358979 / 180, axis));
}

const Box kUnitBox{{0.5, 0.5, 0.5}};

/// Half a box over the edge, as in a wall.
PairCase boxesFaceOnFace() { return {kUnitBox, {}, kUnitBox, {{0.5, 0, 1 - kOverlap}}}; }
/// Two edges that cross at right angles, each box on edge.
PairCase boxesEdgeOnEdge() {
  const Real reach = std::sqrt(0.5);
  return {kUnitBox,
          {Vec3::Zero(), turn(45, Vec3::UnitX())},
          kUnitBox,
          {{0, 0, 2 * reach - kOverlap}, turn(45, Vec3::UnitY())}};
}
/// Apart by more than the margin, and bounds that meet.
PairCase boxesApart() {
  return {kUnitBox,
          {Vec3::Zero(), turn(45, Vec3::UnitY())},
          kUnitBox,
          {{0.8, 0, 0.8}, turn(45, Vec3::UnitY())}};
}
PairCase boxOn(const Shape& ground) {
  return {ground, {}, kUnitBox, {{kOffMiddle, kOffMiddle, 0.5 - kOverlap}}};
}
PairCase sphereOnSphere() { return {Sphere{0.5}, {}, Sphere{0.5}, {{0, 0.6, 0.8 - kOverlap}}}; }
PairCase sphereOnBox() { return {kUnitBox, {}, Sphere{0.5}, {{0.2, 0.1, 1 - kOverlap}}}; }
/// Lying on a face.
PairCase capsuleOnBox() {
  return {kUnitBox, {}, Capsule{0.2, 0.3}, {{0, 0.1, 0.7 - kOverlap}, turn(90, Vec3::UnitX())}};
}
/// Standing on a face.
PairCase cylinderOnBox() { return {kUnitBox, {}, Cylinder{0.3, 0.5}, {{0.1, 0, 1 - kOverlap}}}; }
/// Neighbors in the scene arch.
PairCase voussoirs() {
  const Scene scene = bench::sceneWith("arch", "auto");
  const std::size_t half = scene.bodies.size() / 2;
  const BodyDefinition &a = scene.bodies[half], &b = scene.bodies[half + 1];
  return {*a.shape, a.pose, *b.shape, b.pose};
}

PlacedShape placed(const Shape& shape, const Pose& pose, std::unique_ptr<Polytope>& polytope) {
  PlacedShape made;
  made.kind = kindOf(shape);
  polytope = operationsOf(shape).place(shape, made);
  made.polytope = polytope.get();
  made.position = pose.position;
  made.rotation = pose.rotation.toRotationMatrix();
  return made;
}

/// Two rocks of the scene rocks, one let down on the other.
PairCase rocks() {
  const Scene scene = bench::sceneWith("rocks", "auto");
  const Shape* found[2] = {};
  int count = 0;
  for (const BodyDefinition& body : scene.bodies) {
    if (count < 2 && body.shape && std::holds_alternative<ConvexHull>(*body.shape)) {
      found[count++] = &*body.shape;
    }
  }
  constexpr Real kHigh = 10;  // above any rock [m]
  PairCase made{*found[0], {}, *found[1], {{0, 0, kHigh}}};
  std::unique_ptr<Polytope> ofA, ofB;
  const auto touch = narrow::castConvex(placed(made.b, made.poseB, ofB), {0, 0, -kHigh},
                                        placed(made.a, made.poseA, ofA));
  made.poseB.position.z() -= touch.value().fraction * kHigh + kOverlap;
  return made;
}

constexpr int kCells = 16;    ///< of a floor, either way
constexpr Real kCell = 0.25;  ///< [m]

Shape flatField() {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = kCells + 1;
  data->spacingX = data->spacingY = kCell;
  data->heights.assign((kCells + 1) * (kCells + 1), 0);
  return Heightfield{data};
}
Shape flatMesh() {
  auto data = std::make_shared<MeshData>();
  for (int y = 0; y <= kCells; ++y) {
    for (int x = 0; x <= kCells; ++x) {
      data->vertices.emplace_back(kCell * (x - kCells / 2), kCell * (y - kCells / 2), 0);
      if (x == kCells || y == kCells) continue;
      const int at = y * (kCells + 1) + x, above = at + kCells + 1;
      data->triangles.push_back({at, at + 1, above + 1});
      data->triangles.push_back({at, above + 1, above});
    }
  }
  return TriangleMesh{data};
}
PairCase boxOnHalfSpace() { return boxOn(Plane{}); }
PairCase boxOnField() { return boxOn(flatField()); }
PairCase boxOnMesh() { return boxOn(flatMesh()); }

/// Where the second shape is in a round.
Vec3 placeIn(const PairCase& pair, int round) {
  return pair.poseB.position + Vec3(round % 2 == 0 ? 0 : kAside, 0, 0);
}

void ours(benchmark::State& state, const PairCase& pair, bool isCold) {
  std::unique_ptr<Polytope> ofA, ofB;
  const PlacedShape a = placed(pair.a, pair.poseA, ofA);
  PlacedShape b = placed(pair.b, pair.poseB, ofB);
  narrow::PairCache cache;
  narrow::ClipScratch scratch;
  narrow::Manifold manifold;
  int round = 0;
  for (auto _ : state) {
    b.position = placeIn(pair, round++);
    if (isCold) cache = {};
    narrow::collideConvex(a, b, {.margin = kMargin}, cache, scratch, manifold);
    benchmark::DoNotOptimize(manifold.points.data());
  }
  state.counters["points"] = static_cast<double>(manifold.points.size());
}

/// A whole detection with nothing else in the world, which triangles need.
void detection(benchmark::State& state, const PairCase& pair) {
  CollisionWorld world({.margin = kMargin});
  world.add(pair.a, pair.poseA, {}, true);
  const int moving = world.add(pair.b, pair.poseB, {}, false);
  std::vector<ContactPoint> contacts;
  int round = 0;
  for (auto _ : state) {
    world.setPose(moving, {placeIn(pair, round++), pair.poseB.rotation}, {});
    world.detect(contacts);
  }
  state.counters["points"] = static_cast<double>(contacts.size());
}

void pairCached(benchmark::State& state, PairCase (*make)()) { ours(state, make(), false); }
void pairCold(benchmark::State& state, PairCase (*make)()) { ours(state, make(), true); }
void pairDetection(benchmark::State& state, PairCase (*make)()) { detection(state, make()); }
void pairBullet(benchmark::State& state, PairCase (*make)()) {
  const PairCase pair = make();
  const auto peer = bench::makeBulletPair(pair.a, pair.poseA, pair.b, pair.poseB);
  int round = 0, points = 0;
  for (auto _ : state) points = peer->collide(placeIn(pair, round++));
  state.counters["points"] = points;
}

#define DRYSTONE_CONVEX_PAIR(make)              \
  BENCHMARK_CAPTURE(pairCached, make, make);    \
  BENCHMARK_CAPTURE(pairCold, make, make);      \
  BENCHMARK_CAPTURE(pairDetection, make, make); \
  BENCHMARK_CAPTURE(pairBullet, make, make);
#define DRYSTONE_SURFACE_PAIR(make)             \
  BENCHMARK_CAPTURE(pairDetection, make, make); \
  BENCHMARK_CAPTURE(pairBullet, make, make);
DRYSTONE_CONVEX_PAIR(boxesFaceOnFace)
DRYSTONE_CONVEX_PAIR(boxesEdgeOnEdge)
DRYSTONE_CONVEX_PAIR(boxesApart)
DRYSTONE_CONVEX_PAIR(sphereOnSphere)
DRYSTONE_CONVEX_PAIR(sphereOnBox)
DRYSTONE_CONVEX_PAIR(capsuleOnBox)
DRYSTONE_CONVEX_PAIR(cylinderOnBox)
DRYSTONE_CONVEX_PAIR(voussoirs)
DRYSTONE_CONVEX_PAIR(rocks)
DRYSTONE_CONVEX_PAIR(boxOnHalfSpace)
DRYSTONE_SURFACE_PAIR(boxOnField)
DRYSTONE_SURFACE_PAIR(boxOnMesh)
#undef DRYSTONE_SURFACE_PAIR
#undef DRYSTONE_CONVEX_PAIR

}  // namespace
