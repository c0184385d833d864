// Shapes: names, and a message for every wrong parameter.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "collision/shape/shape.h"
#include "core/input_error.h"

namespace drystone {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

ConvexHull tetrahedron() { return makeHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}); }

TriangleMesh meshOf(MeshData data) { return {std::make_shared<const MeshData>(std::move(data))}; }

TriangleMesh triangle() { return meshOf({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}); }

Heightfield fieldOf(HeightfieldData data) {
  return {std::make_shared<const HeightfieldData>(std::move(data))};
}

void expectRefused(const Shape& shape, const std::string& text) {
  EXPECT_THAT([&] { checkShape(shape); }, ThrowsMessage<InputError>(HasSubstr(text)));
}

TEST(Shape, EveryAlternative_HasItsNameAndPassesTheCheck) {
  const Heightfield flat = fieldOf({2, 2, 1, 1, {0, 0, 0, 0}});
  const Compound pair{{{Sphere{}, Pose{}}, {Box{}, Pose{}}}};
  const std::pair<Shape, std::string_view> named[] = {
      {Sphere{}, "sphere"},     {Box{}, "box"},          {Capsule{}, "capsule"},
      {Cylinder{}, "cylinder"}, {Cone{}, "cone"},        {Ellipsoid{}, "ellipsoid"},
      {Plane{}, "plane"},       {tetrahedron(), "hull"}, {triangle(), "mesh"},
      {flat, "heightfield"},    {pair, "compound"},
  };
  for (const auto& [shape, name] : named) {
    EXPECT_EQ(shapeName(shape), name);
    EXPECT_NO_THROW(checkShape(shape)) << name;
    EXPECT_EQ(isStaticOnly(shape), name == "plane" || name == "mesh" || name == "heightfield");
  }
  EXPECT_TRUE(isStaticOnly(Compound{{{Sphere{}, Pose{}}, {Plane{}, Pose{}}}}));
}

TEST(CheckShape, SizesOutOfTheirRange_AreNamedWithTheValue) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  expectRefused(Sphere{0}, "sphere: radius must be ≥ 1e-15 m, got 0");
  expectRefused(Sphere{-1}, "got -1");
  expectRefused(Sphere{NAN}, "got nan");
  expectRefused(Sphere{infinity}, "got inf");
  expectRefused(Box{{1, 0, 1}}, "box: half_extents must be ≥ 1e-15 m, got 0");
  expectRefused(Capsule{1, 0}, "capsule: half_length");
  expectRefused(Cylinder{-1, 1}, "cylinder: radius");
  expectRefused(Cone{1, -2}, "cone: height");
  expectRefused(Ellipsoid{{1, 0, 1}}, "ellipsoid: half_axes must be ≥ 1e-15 m, got 0");
  expectRefused(Ellipsoid{{1, 1, -1}}, "ellipsoid: half_axes must be ≥ 1e-15 m, got -1");
}

TEST(CheckShape, AllProblems_AreReportedTogether) {
  try {
    checkShape(Compound{{{Box{{-1, -2, 1}}, Pose{}}, {Compound{}, Pose{}}}});
    FAIL() << "nothing thrown";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 3u);
    EXPECT_THAT(error.problems()[0],
                HasSubstr("children[0]: box: half_extents must be ≥ 1e-15 m, got -1"));
    EXPECT_THAT(error.problems()[1],
                HasSubstr("children[0]: box: half_extents must be ≥ 1e-15 m, got -2"));
    EXPECT_THAT(error.problems()[2], HasSubstr("children[1]: compounds do not nest"));
  }
}

TEST(CheckShape, Compounds_NeedChildrenWithUnitRotations) {
  expectRefused(Compound{}, "has no children");
  expectRefused(Compound{{{Box{}, Pose{Vec3::Zero(), Quat(2, 0, 0, 0)}}}}, "unit quaternion");
  expectRefused(Compound{{{Box{}, Pose{Vec3(NAN, 0, 0), Quat::Identity()}}}}, "finite position");
}

TEST(CheckShape, Hulls_MustBeClosedAndConvex) {
  expectRefused(ConvexHull{}, "has no data");
  HullData open = *tetrahedron().data;
  open.faces.pop_back();
  expectRefused(ConvexHull{std::make_shared<const HullData>(open)}, "closed convex polyhedron");
  HullData dented = *tetrahedron().data;
  dented.faceNormals[0] = -dented.faceNormals[0];
  expectRefused(ConvexHull{std::make_shared<const HullData>(dented)}, "not convex");
}

TEST(CheckShape, ChildrenOfCompounds_LieNoFartherThanBodiesMay) {
  Compound compound{{{Sphere{1}, {.position = {0, -1.1e15, 0}}}}};
  expectRefused(compound, "children[0]: position must be within ±1e+15 m, got 1.1e+15");
  compound.children[0].pose.position.y() = -1e15;
  EXPECT_NO_THROW(checkShape(compound));
}

TEST(MassOfShapes, MassOrDensityThatIsNoSuch_IsRefusedWithItsValue) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const auto& [value, text] :
       {std::pair(0.0, "0"), {-2.0, "-2"}, {infinity, "inf"}, {double{NAN}, "nan"}}) {
    EXPECT_THAT([value = value] { massOf(Box{}, value); },
                ThrowsMessage<InputError>(
                    HasSubstr(std::string("mass must be finite and > 0 kg, got ") + text)));
    EXPECT_THAT([value = value] { massProperties(Box{}, value); },
                ThrowsMessage<InputError>(
                    HasSubstr(std::string("density must be finite and > 0 kg/m³, got ") + text)));
  }
  EXPECT_THAT([] { massOf(Plane{}, 1); },
              ThrowsMessage<InputError>(HasSubstr("encloses no volume")));
}

TEST(CheckShape, Meshes_NeedTrianglesWithValidIndices) {
  expectRefused(TriangleMesh{}, "has no triangles");
  expectRefused(meshOf({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}}),
                "triangles[0] = (0, 1, 3) must index one of 3 vertices");
  expectRefused(meshOf({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, -1}}}), "(0, 1, -1)");
  expectRefused(meshOf({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 1}}}), "uses a vertex twice");
  expectRefused(meshOf({{{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}}, {{0, 1, 2}}}), "vertices[2]");
  expectRefused(meshOf({{{0, 0, 0}, {-1e150, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}),
                "mesh: vertices[1] must be within ±1e+06 m, got (-1e+150, 0, 0)");
}

TEST(CheckShape, Heightfields_NeedAFullGridOfHeightsWithinBounds) {
  expectRefused(Heightfield{}, "has no data");
  expectRefused(fieldOf({1, 2, 1, 1, {0, 0}}), "at least 2, got 1 and 2");
  expectRefused(fieldOf({2, 2, 1, 1, {0, 0, 0}}), "= 4 entries, got 3");
  expectRefused(fieldOf({2, 2, 0, 1, {0, 0, 0, 0}}), "spacing must be");
  expectRefused(fieldOf({2, 2, 1e-150, 1, {0, 0, 0, 0}}), "spacing must be ≥ 1e-15 m, got 1e-150");
  expectRefused(fieldOf({2, 2, 1, 1e150, {0, 0, 0, 0}}), "spacing must be ≤ 1000000 m, got 1e+150");
  expectRefused(fieldOf({2, 2, 1, 1, {0, 0, NAN, 0}}), "heights[2]");
  expectRefused(fieldOf({2, 2, 1, 1, {0, 1e308, 0, 0}}), "heights[1] must be ≤ 1000000 m");
  expectRefused(fieldOf({2, 2, 1, 1, {0, 0, 0, -1e308}}), "heights[3] must be ≥ -1000000 m");
}

}  // namespace
}  // namespace drystone
