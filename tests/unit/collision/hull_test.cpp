// Convex hulls: the right polyhedron, with merged faces, whatever the input's order and rounding.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "core/random.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Vec3 randomPoint(Random& random) {
  const Real x = random.uniform(-1, 1);
  const Real y = random.uniform(-1, 1);
  return {x, y, random.uniform(-1, 1)};
}

/// What must hold for every hull: closed (Euler), convex, enclosing its input, planar faces wound
/// outwards, and two faces on every edge. `tolerance` [m] is what makeHull() may merge.
void expectValidHull(const HullData& hull, const std::vector<Vec3>& points, Real tolerance) {
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  ASSERT_EQ(hull.faceNormals.size(), hull.faces.size());
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Vec3& normal = hull.faceNormals[f];
    EXPECT_NEAR(normal.norm(), 1, 1e-15);
    const std::vector<int>& loop = hull.faces[f];
    Vec3 area = Vec3::Zero();
    for (std::size_t i = 0; i < loop.size(); ++i) {
      area += hull.vertices[loop[i]].cross(hull.vertices[loop[(i + 1) % loop.size()]]) / 2;
      EXPECT_NEAR(normal.dot(hull.vertices[loop[i]] - hull.vertices[loop[0]]), 0, tolerance);
    }
    EXPECT_GT(area.dot(normal), 0) << "face " << f << " is wound the wrong way";
    for (const Vec3& point : points) {
      EXPECT_LE(normal.dot(point - hull.vertices[loop[0]]), 2 * tolerance);
    }
  }
  ASSERT_EQ(hull.edges.size(), hull.edgeFaces.size());
  for (std::size_t e = 0; e < hull.edges.size(); ++e) {
    const auto [a, b] = hull.edges[e];
    const auto [left, right] = hull.edgeFaces[e];
    EXPECT_NE(left, right);
    for (int face : {left, right}) {
      const std::vector<int>& loop = hull.faces[face];
      const std::size_t at = std::ranges::find(loop, a) - loop.begin();
      ASSERT_LT(at, loop.size());
      const int after = loop[(at + 1) % loop.size()];
      const int before = loop[(at + loop.size() - 1) % loop.size()];
      EXPECT_EQ(face == left ? after : before, b);
    }
  }
}

// The names of contact points have room for 13 bits of an edge's number.
TEST(Hull, MoreEdgesThanContactsCanName_AreRefused) {
  std::vector<Vec3> prism;
  const int sides = kMostHullEdges / 3 + 1;  // three edges a side
  for (int k = 0; k < sides; ++k) {
    const Real angle = 2 * std::numbers::pi * k / sides;
    for (const Real z : {-1.0, 1.0}) prism.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  EXPECT_THAT([&] { checkShape(makeHull(prism)); },
              ThrowsMessage<InputError>(HasSubstr("at most 8192 are taken; give fewer points")));
  prism.resize(prism.size() - 2);
  EXPECT_NO_THROW(checkShape(makeHull(prism)));
}

TEST(MakeHull, BoxCorners_GiveSixQuadsWithExactNormals) {
  const std::vector<Vec3> points = boxCorners({1, 2, 3});
  const ConvexHull hull = makeHull(points);
  expectValidHull(*hull.data, points, 0);
  EXPECT_EQ(hull.data->vertices, points);
  EXPECT_EQ(hull.data->edges.size(), 12u);
  ASSERT_EQ(hull.data->faces.size(), 6u);
  std::set<std::array<Real, 3>> normals;
  for (std::size_t f = 0; f < 6; ++f) {
    EXPECT_EQ(hull.data->faces[f].size(), 4u);
    const Vec3& n = hull.data->faceNormals[f];
    normals.insert({n.x(), n.y(), n.z()});
  }
  EXPECT_EQ(normals, (std::set<std::array<Real, 3>>{
                         {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}));
}

// Turning rounds every corner off its planes by some 1e-16 m; a far offset by 1e-13 m.
TEST(MakeHull, RotatedFarBoxes_StillHaveSixFaces) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Pose pose{1000 * randomPoint(random), randomRotation(random)};
    std::vector<Vec3> points = boxCorners({0.2, 0.1, 0.003});
    for (Vec3& point : points) point = pose * point;
    const ConvexHull hull = makeHull(points);
    EXPECT_EQ(hull.data->faces.size(), 6u);
    expectValidHull(*hull.data, points, 1e-12);
  }
}

// Six decimals, as exporters write them: sides are off planar by up to 1e-6 · 0.9 m.
TEST(MakeHull, CoordinatesOfSixDigits_StillMergeToBoxFaces) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Quat rotation = randomRotation(random);
    std::vector<Vec3> points = boxCorners({1, 1, 1});
    for (Vec3& point : points) {
      point = rotation * point;
      for (Real& x : point) x = std::round(x * 1e6) / 1e6;
    }
    EXPECT_EQ(makeHull(points).data->faces.size(), 6u);
  }
}

// 9 × 9 × 9 lattice points, shuffled: only the corners of the cube are vertices, since all others
// lie inside, in a face or on an edge.
TEST(MakeHull, LatticeInACube_KeepsTheEightCornersForAnyOrder) {
  std::vector<Vec3> lattice;
  for (int i = 0; i < 729; ++i) lattice.emplace_back(i % 9, i / 9 % 9, i / 81);
  Random random(3);
  for (int shuffle = 0; shuffle < 20; ++shuffle) {
    const Quat rotation = shuffle < 10 ? Quat::Identity() : randomRotation(random);
    std::vector<Vec3> points = lattice;
    for (std::size_t i = points.size() - 1; i > 0; --i) {
      std::swap(points[i],
                points[static_cast<std::size_t>(random.uniform() * static_cast<Real>(i))]);
    }
    for (Vec3& point : points) point = rotation * point;
    const ConvexHull hull = makeHull(points);
    EXPECT_EQ(hull.data->vertices.size(), 8u);
    EXPECT_EQ(hull.data->faces.size(), 6u);
    expectValidHull(*hull.data, points, 1e-12);
  }
}

// The 12 vertices of the icosahedron make 20 triangles and 30 edges; their dual 12 pentagons.
TEST(MakeHull, PlatonicSolids_HaveTheirFaces) {
  const Real phi = std::numbers::phi;
  std::vector<Vec3> icosahedron;
  std::vector<Vec3> dodecahedron = boxCorners({1, 1, 1});
  for (Real a : {-1.0, 1.0}) {
    for (Real b : {-1.0, 1.0}) {
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 p;
        p[axis] = 0, p[(axis + 1) % 3] = a, p[(axis + 2) % 3] = b * phi;
        icosahedron.push_back(p);
        p[(axis + 1) % 3] = a / phi, p[(axis + 2) % 3] = b * phi;
        dodecahedron.push_back(p);
      }
    }
  }
  const ConvexHull twenty = makeHull(icosahedron);
  EXPECT_EQ(twenty.data->faces.size(), 20u);
  EXPECT_EQ(twenty.data->edges.size(), 30u);
  expectValidHull(*twenty.data, icosahedron, 1e-15);
  const ConvexHull twelve = makeHull(dodecahedron);
  EXPECT_EQ(twelve.data->faces.size(), 12u);
  EXPECT_EQ(twelve.data->edges.size(), 30u);
  for (const auto& face : twelve.data->faces) EXPECT_EQ(face.size(), 5u);
  expectValidHull(*twelve.data, dodecahedron, 1e-15);
}

// On a sphere every point is a vertex and, with no four in a plane, every face a triangle: 2 V - 4.
TEST(MakeHull, PointsOnASphere_AreAllVertices) {
  Random random(4);
  std::vector<Vec3> points;
  while (points.size() < 300) {
    const Vec3 p = randomPoint(random);
    if (p.norm() > 0.1 && p.norm() < 1) points.push_back(p.normalized());
  }
  const ConvexHull hull = makeHull(points);
  EXPECT_EQ(hull.data->vertices.size(), 300u);
  EXPECT_EQ(hull.data->faces.size(), 2 * 300u - 4);
  expectValidHull(*hull.data, points, 1e-6);
}

TEST(MakeHull, RandomClouds_AreEnclosedByClosedConvexHulls) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Vec3 stretch(1, std::pow(10, random.uniform(-3, 0)), std::pow(10, random.uniform(-3, 0)));
    std::vector<Vec3> points;
    for (int p = 0; p < 4 + i; ++p) points.push_back(randomPoint(random).cwiseProduct(stretch));
    expectValidHull(*makeHull(points).data, points, 2e-6);
  }
}

// A prism whose 64-gon is nearly a disc, on an almost degenerate scale, with every point doubled.
TEST(MakeHull, ThinPrismWithDuplicates_HasTwoPolygonsAndItsSides) {
  std::vector<Vec3> points;
  for (int copy = 0; copy < 2; ++copy) {
    for (int i = 0; i < 64; ++i) {
      const Real angle = 2 * std::numbers::pi * i / 64;
      for (Real z : {0.0, 1e-4}) points.emplace_back(std::cos(angle), std::sin(angle), z);
    }
  }
  const ConvexHull hull = makeHull(points);
  EXPECT_EQ(hull.data->vertices.size(), 128u);
  EXPECT_EQ(hull.data->faces.size(), 66u);
  expectValidHull(*hull.data, points, 1e-15);
}

// Points a grid spacing below the flatness tolerance apart: noise of 1e-7 on a box surface.
TEST(MakeHull, NoisySurface_StaysAClosedHull) {
  Random random(6);
  std::vector<Vec3> points = boxCorners({1, 1, 1});
  for (int i = 0; i < 2000; ++i) {
    Vec3 p = randomPoint(random);
    const int axis = i % 3;
    p[axis] = (i % 2 ? 1 : -1) + 1e-7 * random.uniform(-1, 1);
    points.push_back(p);
  }
  const ConvexHull hull = makeHull(points);
  expectValidHull(*hull.data, points, 2e-6);
  EXPECT_EQ(hull.data->faces.size(), 6u);
}

// Lattices, sheets and shallow bowls disturbed by 1e-10 to 1e-3, around the flatness of 1e-6 where
// merging has to decide: whatever it decides, the hull is closed, and planes miss points by no more
// than twice the flatness of the extent, 2 m: once for the point and once for the face's own
// corner.
TEST(MakeHull, NearlyFlatAndNearlyEqualPoints_StillGiveClosedHulls) {
  Random random(8);
  int made = 0;
  for (int i = 0; i < 1500; ++i) {
    const Real noise = std::pow(10, random.uniform(-10, -3));
    std::vector<Vec3> points;
    for (int n = 0; n < 8 + i % 50; ++n) {
      Vec3 p = randomPoint(random);
      if (i % 3 == 0) p = (3 * p).array().round() / 3;
      if (i % 3 == 1) p.z() = std::round(p.z());
      if (i % 3 == 2) p.z() = 1e-5 * p.head<2>().squaredNorm();
      points.push_back(p + noise * randomPoint(random));
    }
    try {
      const ConvexHull hull = makeHull(points);
      ++made;
      EXPECT_NO_THROW(checkShape(hull));
      expectValidHull(*hull.data, points, 4e-6);
    } catch (const InputError&) {
      EXPECT_NE(i % 3, 0) << "refused a cloud with volume";
    }
  }
  EXPECT_GT(made, 1000);
}

TEST(MakeHull, SameInput_GivesTheSameBits) {
  Random random(7);
  std::vector<Vec3> points;
  for (int i = 0; i < 200; ++i) points.push_back(randomPoint(random));
  const ConvexHull first = makeHull(points);
  const ConvexHull second = makeHull(points);
  EXPECT_EQ(first.data->vertices, second.data->vertices);
  EXPECT_EQ(first.data->faces, second.data->faces);
  EXPECT_EQ(first.data->faceNormals, second.data->faceNormals);
  EXPECT_EQ(first.data->edges, second.data->edges);
}

TEST(MakeHull, PointsWithoutVolume_AreRefusedWithTheReason) {
  const auto message = [](const char* text) { return ThrowsMessage<InputError>(HasSubstr(text)); };
  EXPECT_THAT([] { makeHull({}); }, message("at least 4 points"));
  EXPECT_THAT([] { makeHull(std::vector<Vec3>(5, Vec3(1, 2, 3))); }, message("the same"));
  EXPECT_THAT([] { makeHull({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}); }, message("of a line"));
  EXPECT_THAT(
      [] {
        makeHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 3, 0}});
      },
      message("of a plane"));
  EXPECT_THAT(
      [] {
        makeHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}});
      },
      message("points[3] must be within ±1e+06 m, got (0, 0, nan)"));
  EXPECT_THAT(
      [] {
        makeHull({{0, 0, 0}, {1, 0, 0}, {0, -1.1e6, 0}, {0, 0, 1}});
      },
      message("points[2] must be within ±1e+06 m"));
}

}  // namespace
}  // namespace drystone
