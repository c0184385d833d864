// A mesh of one triangle and a height field of one cell against every bounded convex kind. Apart:
// the lowest gap is the distance, proved by closed forms of the triangles. Overlapping a triangle:
// it is the least overlap; and deep in a cell there is a contact that leads out of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "collision/analytic/certificate.h"
#include "core/random.h"
#include "tests/unit/collision/collision_fixture.h"
#include "tests/unit/collision/contact_cases.h"

namespace drystone::certify {
namespace {

constexpr int kSurfacePoses = 1000;  ///< of each kind; a study may raise it

/// How well the search for the widest slab knows it, relative to the size.
constexpr Real kSearch = 1e-6;

/// What overlaps are promised to, of the depth and of the thickness; and boxes and hulls whose
/// edges meet side by side.
constexpr Real kDepthShare = 0.01, kDepthRound = 1e-6, kMeetingEdges = 2e-3;

/// Lines within 5 degrees of parallel count as side by side, relative to the extent.
constexpr Real kSkewEdges = 2 * 0.0872;

/// Whether the contacts' lowest gap is the distance: exactly, or as laid faces have it.
void expectDistance(const PlacedConvex& a, const PlacedConvex& triangle,
                    const std::vector<ContactPoint>& contacts) {
  const Verdict verdict = judge(a, triangle, contacts);
  const Real size = sizeOf(a, triangle), thickness = thinnestOf(a, triangle);
  if (verdict.gapError <= kRound * size + kBeyondEdge * thickness) return;
  ASSERT_TRUE(isPolyhedron(a)) << "the gap is off by " << verdict.gapError << " m";
  const Slab widest = widestSlab(a, triangle, contacts.front().normal);
  ASSERT_NEAR(verdict.lowestGap, widest.width,
              kLaidShare * std::abs(widest.width) + kLaidRound * thickness + kSearch * size);
}

TEST(SurfaceCertificate, TriangleApartFromAnyConvexShape_HasTheExactDistance) {
  for (const Kind kind : kBoundedKinds) {
    int apart = 0;
    for (int i = 0; i < kSurfacePoses; ++i) {
      const ContactCase made = makeCase(kind, Kind::kTriangle, i);
      const auto contacts = contactsOf(made);
      if (contacts.empty() || lowestGap(contacts) <= kRound * sizeOf(made.a, made.b)) continue;
      ++apart;
      SCOPED_TRACE(describe(kind, Kind::kTriangle, i, made));
      expectDistance(made.a, made.b, contacts);
      if (HasFailure()) return;
    }
    EXPECT_GT(apart, kSurfacePoses / 4) << nameOf(kind);
  }
}

TEST(SurfaceCertificate, TriangleInAnyConvexShape_OverlapsByTheLeast) {
  constexpr int kParallelEdges = 1568;  // box and triangle; their edges are exactly parallel
  const auto check = [](Kind kind, int i) {
    const ContactCase made = makeCase(kind, Kind::kTriangle, i);
    const auto contacts = contactsOf(made);
    if (contacts.empty() || lowestGap(contacts) >= 0) return false;
    SCOPED_TRACE(describe(kind, Kind::kTriangle, i, made));
    const Real size = std::min(sizeOf(made.a, made.b), thinnestOf(made.a, made.b));
    const Real least =
        std::max(Real(0), -widestSlab(made.a, made.b, contacts.front().normal).width);
    const Real round = kDepthRound + (isPolyhedron(made.a) ? kMeetingEdges : 0);
    EXPECT_LE(-lowestGap(contacts), (1 + kDepthShare) * least + round * size);
    return true;
  };
  for (const Kind kind : kBoundedKinds) {
    int overlapping = 0;
    for (int i = 0; i < kSurfacePoses && !HasFailure(); ++i) overlapping += check(kind, i) ? 1 : 0;
    EXPECT_GT(overlapping, kSurfacePoses / 4) << nameOf(kind);
  }
  EXPECT_TRUE(check(Kind::kBox, kParallelEdges));
}

/// One cell of four heights, and its two triangles.
struct Cell {
  Heightfield field;
  std::array<PlacedConvex, 2> triangles;
};

Cell makeCell(Random& random, const Pose& pose) {
  HeightfieldData data;
  data.columns = data.rows = 2;
  data.spacingX = random.uniform(0.5, 2);
  data.spacingY = random.uniform(0.5, 2);
  std::vector<Vec3> corners;
  for (const Real y : {-0.5, 0.5}) {
    for (const Real x : {-0.5, 0.5}) {
      data.heights.push_back(random.uniform(-0.3, 0.3));
      corners.emplace_back(x * data.spacingX, y * data.spacingY, data.heights.back());
    }
  }
  Cell cell;
  for (const std::size_t k : {0u, 1u}) {
    MeshData mesh;
    mesh.vertices = k == 0 ? std::vector<Vec3>{corners[0], corners[1], corners[3]}
                           : std::vector<Vec3>{corners[0], corners[3], corners[2]};
    mesh.triangles = {{0, 1, 2}};
    cell.triangles[k] = {TriangleMesh{std::make_shared<const MeshData>(std::move(mesh))}, pose};
  }
  cell.field.data = std::make_shared<const HeightfieldData>(std::move(data));
  return cell;
}

/// The lowest gap of a shape and one triangle alone.
Real distanceTo(const ContactCase& made, const PlacedConvex& triangle) {
  ContactCase alone = made;
  alone.b = triangle;
  return lowestGap(contactsOf(alone));
}

TEST(SurfaceCertificate, HeightfieldCellApartFromAnyConvexShape_HasTheDistanceOfItsNearerTriangle) {
  for (const Kind kind : kBoundedKinds) {
    int apart = 0;
    for (int i = 0; i < kSurfacePoses; ++i) {
      ContactCase made = makeCase(kind, Kind::kTriangle, i);
      Random random(static_cast<std::uint64_t>(i));
      const Cell cell = makeCell(random, made.b.pose);
      made.b.shape = cell.field;
      made.margin = 100;
      const auto contacts = contactsOf(made);
      SCOPED_TRACE(describe(kind, Kind::kTriangle, i, made));
      const Real size = std::max(sizeOf(made.a, cell.triangles[0]), Real(1));
      const Real nearer =
          std::min(distanceTo(made, cell.triangles[0]), distanceTo(made, cell.triangles[1]));
      if (nearer <= kRound * size) continue;
      ASSERT_FALSE(contacts.empty());
      const ContactPoint& deepest = deepestOf(contacts);
      ++apart;
      // It ends on one of the triangles, and neither is nearer.
      const Vec3 end = deepest.position + 0.5 * deepest.gap * deepest.normal;
      const bool isFirst =
          surfaceDistance(cell.triangles[0], end) < surfaceDistance(cell.triangles[1], end);
      expectDistance(made.a, cell.triangles[isFirst ? 0 : 1], {deepest});
      const PlacedConvex& other = cell.triangles[isFirst ? 1 : 0];
      const Real least = widestSlab(made.a, other, deepest.normal).width;
      const Real laid = kLaidShare * std::abs(least) + kLaidRound * thinnestOf(made.a, other);
      ASSERT_LE(deepest.gap, least + kSearch * size + (isPolyhedron(made.a) ? laid : 0));
      if (HasFailure()) return;
    }
    EXPECT_GT(apart, kSurfacePoses / 4) << nameOf(kind);
  }
}

TEST(SurfaceCertificate, AnyConvexShapeDeepInAHeightfieldCell_HasAContactThatLeadsOut) {
  for (const Kind kind : kBoundedKinds) {
    int overlapping = 0;
    for (int i = 0; i < kSurfacePoses; ++i) {
      ContactCase made = makeCase(kind, Kind::kTriangle, i);
      Random random(static_cast<std::uint64_t>(i));
      const Cell cell = makeCell(random, made.b.pose);
      made.b.shape = cell.field;
      const Real size = std::max(sizeOf(made.a, cell.triangles[0]), Real(1));
      const Real deeper =
          std::min(distanceTo(made, cell.triangles[0]), distanceTo(made, cell.triangles[1]));
      if (deeper >= -kSearch * size) continue;
      ++overlapping;
      SCOPED_TRACE(describe(kind, Kind::kTriangle, i, made));
      const auto contacts = contactsOf(made);
      ASSERT_FALSE(contacts.empty());
      const ContactPoint& deepest = deepestOf(contacts);
      ASSERT_LT(deepest.gap, 0);
      // It leads from a point of the body to a point of the surface, as near as overlaps and edges
      // side by side are promised to.
      const Vec3 half = 0.5 * deepest.gap * deepest.normal;
      const Real searched = kDepthShare * (thinnestOf(made.a, cell.triangles[0]) - deepest.gap);
      const Real skew = kSkewEdges * extentOf(made.a.shape);
      EXPECT_LE(surfaceDistance(made.a, deepest.position - half), kSearch * size + searched + skew);
      EXPECT_LE(std::min(surfaceDistance(cell.triangles[0], deepest.position + half),
                         surfaceDistance(cell.triangles[1], deepest.position + half)),
                kSearch * size + searched);
      if (HasFailure()) return;
    }
    EXPECT_GT(overlapping, kSurfacePoses / 4) << nameOf(kind);
  }
}

}  // namespace
}  // namespace drystone::certify
