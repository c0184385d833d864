#include "tests/support/constants.h"
#include "viewer/draw/meshes.h"

#include <gtest/gtest.h>

#include <map>

namespace drystone::viewer {
namespace {

using test::kPi;

/// Vertices at the same place are one, so that sharp edges count as edges.
std::vector<int> places(const TriangleMeshf& mesh) {
  std::vector<int> place;
  for (const Vec3f& p : mesh.positions) {
    int i = 0;
    while ((mesh.positions[i] - p).norm() > 1e-5f) ++i;
    place.push_back(i);
  }
  return place;
}

void expectClosed(const TriangleMeshf& mesh) {
  const std::vector<int> place = places(mesh);
  std::map<std::pair<int, int>, int> uses;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    for (int k = 0; k < 3; ++k) {
      ++uses[{place[mesh.indices[i + k]], place[mesh.indices[i + (k + 1) % 3]]}];
    }
  }
  for (const auto& [edge, count] : uses) {
    ASSERT_NE(edge.first, edge.second);
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(uses.contains({edge.second, edge.first}));
  }
}

/// Divergence theorem: a sixth of the sum of the triangles' triple products.
Real volume(const TriangleMeshf& mesh) {
  Real sum = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto at = [&](std::size_t k) { return mesh.positions[mesh.indices[i + k]].cast<Real>(); };
    sum += Vec3(at(0)).dot(Vec3(at(1)).cross(Vec3(at(2)))) / 6;
  }
  return sum;
}

/// Indices in range; normals unit, and within `bend` [rad] of the triangle's own normal.
void expectSound(const TriangleMeshf& mesh, Real bend) {
  ASSERT_EQ(mesh.positions.size(), mesh.normals.size());
  ASSERT_EQ(mesh.indices.size() % 3, 0u);
  for (const Vec3f& n : mesh.normals) ASSERT_NEAR(n.norm(), 1, 1e-5);
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    for (int k = 0; k < 3; ++k) ASSERT_LT(mesh.indices[i + k], mesh.positions.size());
    const Vec3f &a = mesh.positions[mesh.indices[i]], &b = mesh.positions[mesh.indices[i + 1]],
                &c = mesh.positions[mesh.indices[i + 2]];
    const Vec3f own = (b - a).cross(c - a).normalized();
    for (int k = 0; k < 3; ++k) {
      ASSERT_GT(own.dot(mesh.normals[mesh.indices[i + k]]), std::cos(bend) - 1e-4) << i;
    }
  }
}

struct Solid {
  std::string name;
  Shape shape;
  Real volume;
};

void PrintTo(const Solid& solid, std::ostream* out) { *out << solid.name; }

std::vector<Vec3> prism() {
  std::vector<Vec3> points;
  for (int i = 0; i < 6; ++i) {
    const Vec3 at(std::cos(i * kPi / 3), std::sin(i * kPi / 3), 0);
    points.push_back(at);
    points.push_back(at + Vec3(0, 0, 2));
  }
  return points;
}

const std::vector<Solid>& solids() {
  static const std::vector<Solid> all = {
      {"sphere", Sphere{1.5}, 4.0 / 3 * kPi * std::pow(1.5, 3)},
      {"box", Box{{0.5, 1, 2}}, 8},
      {"capsule", Capsule{0.5, 2}, kPi * 0.25 * (4 + 4.0 / 3 * 0.5)},
      {"cylinder", Cylinder{0.5, 2}, kPi * 0.25 * 4},
      {"cone", Cone{2, 3}, kPi * 4},
      {"ellipsoid", Ellipsoid{{1.5, 1.2, 1}}, 4.0 / 3 * kPi * 1.8},
      {"hull", makeHull(prism()), 3 * std::sqrt(3.0)},
      {"compound",
       Compound{{{Box{{0.5, 0.5, 0.5}}, {{0, 0, 3}, Quat(Eigen::AngleAxisd(1, Vec3::UnitX()))}},
                 {Box{{1, 1, 1}}, {}}}},
       9},
  };
  return all;
}

class SolidMesh : public testing::TestWithParam<Solid> {};

TEST_P(SolidMesh, IsClosedAndHoldsTheVolumeOfTheShape) {
  Real lastError = 1;
  for (int level = 0; level < kMeshDetails; ++level) {
    const TriangleMeshf mesh = shapeMesh(GetParam().shape, static_cast<MeshDetail>(level));
    expectClosed(mesh);
    // Chords lie inside a round surface and leave out a share that falls with the square of their
    // length: at most 13 % for an icosahedron cut once, and about a quarter of that each level.
    const Real error = 1 - volume(mesh) / GetParam().volume;
    EXPECT_GT(error, -1e-5);
    EXPECT_LT(error, 0.14 * std::pow(0.27, level));
    if (lastError > 1e-5) {
      EXPECT_LE(error, 0.3 * lastError);
    }
    lastError = error;
  }
}

TEST_P(SolidMesh, HasUnitNormalsThatPointOutwards) {
  for (int level = 0; level < kMeshDetails; ++level) {
    // A round surface turns by at most 30° between vertices of the coarsest mesh.
    expectSound(shapeMesh(GetParam().shape, static_cast<MeshDetail>(level)), kPi / 6);
  }
}

INSTANTIATE_TEST_SUITE_P(Shape, SolidMesh, testing::ValuesIn(solids()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(ShapeMesh, NormalsOfRoundSides_AreThoseOfTheSurface) {
  const TriangleMeshf sphere = shapeMesh(Sphere{2});
  for (std::size_t i = 0; i < sphere.positions.size(); ++i) {
    EXPECT_LT((sphere.normals[i] - 0.5f * sphere.positions[i]).norm(), 1e-5);
  }
  // The gradient of (x/2)² + y² + (z/3)².
  const TriangleMeshf ellipsoid = shapeMesh(Ellipsoid{{2, 1, 3}});
  for (std::size_t i = 0; i < ellipsoid.positions.size(); ++i) {
    const Vec3f gradient = ellipsoid.positions[i].cwiseQuotient(Vec3f(4, 1, 9));
    EXPECT_LT((ellipsoid.normals[i] - gradient.normalized()).norm(), 1e-5);
  }
  // A cone of radius 3 and height 4: the side's normal leans by (4, 3)/5.
  const TriangleMeshf cone = shapeMesh(Cone{3, 4});
  for (const Vec3f& n : cone.normals) {
    if (n.z() > -0.9f) {
      EXPECT_NEAR(n.z(), 0.6, 1e-5);
    }
  }
}

TEST(ShapeMesh, HullsAndBoxes_HaveFlatFaces) {
  expectSound(shapeMesh(makeHull(prism())), 1e-3);
  expectSound(shapeMesh(Box{{1, 2, 3}}), 1e-3);
}

MeshData roof(Real slope) {
  return {{{0, 0, 0}, {0, 1, 0}, {1, 0, -slope}, {-1, 0, -slope}}, {{0, 2, 1}, {0, 1, 3}}};
}

TEST(ShapeMesh, MeshesAreSmoothWhereTheyBendLittleAndSharpElsewhere) {
  const auto normalsOf = [](Real slope) {
    return shapeMesh(TriangleMesh{std::make_shared<const MeshData>(roof(slope))});
  };
  // Sides of slope 0.1 meet at 2 atan 0.1 = 11°: the ridge's normals are vertical and shared.
  const TriangleMeshf flat = normalsOf(0.1);
  EXPECT_EQ(flat.positions.size(), 4u);
  EXPECT_NEAR(flat.normals[0].z(), 1, 1e-6);
  // Slope 1: 90°, each side has its own.
  const TriangleMeshf steep = normalsOf(1);
  EXPECT_EQ(steep.positions.size(), 6u);
  expectSound(steep, 1e-3);
  EXPECT_TRUE(steep.twoSided);
}

TEST(ShapeMesh, TrianglesWithoutArea_AreLeftOut) {
  MeshData data = roof(0.1);
  data.vertices.push_back({0, 2, 0});
  data.triangles.push_back({0, 1, 4});
  expectSound(shapeMesh(TriangleMesh{std::make_shared<const MeshData>(data)}), kPi / 6);
}

TEST(ShapeMesh, HeightfieldPassesThroughItsSamplesWithNormalsUp) {
  HeightfieldData data{.columns = 3, .rows = 4, .spacingX = 2, .spacingY = 0.5};
  for (int i = 0; i < 12; ++i) data.heights.push_back(0.1 * (i % 3) + 0.02 * (i / 3));
  const TriangleMeshf mesh = shapeMesh(Heightfield{std::make_shared<const HeightfieldData>(data)});
  EXPECT_EQ(mesh.indices.size(), 3u * 2 * 2 * 3);
  expectSound(mesh, 1e-3);  // the samples lie in a plane
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3f& p = mesh.positions[i];
    EXPECT_NEAR(p.z(), 0.1 * (p.x() / 2 + 1) + 0.02 * (p.y() / 0.5 + 1.5), 1e-6);
    EXPECT_GT(mesh.normals[i].z(), 0.9);
  }
}

TEST(ShapeMesh, OfAPlane_IsEmpty) { EXPECT_TRUE(shapeMesh(Plane{}).positions.empty()); }

}  // namespace
}  // namespace drystone::viewer
