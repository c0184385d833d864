// Which contacts of a body with the static world are ghosts: a ball of 0.5 m radius on a tile whose
// top is z = 0 and which ends at x = 0, and what it meets there.
#include "collision/narrow/ghosts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {

using narrow::StaticContact;

/// A shape at its place, with the polytope that it points to.
struct Placed {
  Placed(const Shape& shape, const Vec3& position, const Mat3& rotation = Mat3::Identity()) {
    placed.kind = kindOf(shape);
    polytope = operationsOf(shape).place(shape, placed);
    placed.polytope = polytope.get();
    placed.position = position;
    placed.rotation = rotation;
  }
  PlacedShape placed;
  std::unique_ptr<Polytope> polytope;
};

/// Unit vector that leans from +z by an angle [rad] towards +x.
Vec3 leaning(Real angle) { return {std::sin(angle), 0, std::cos(angle)}; }

class Ghosts : public testing::Test {
 protected:
  StaticContact contactWith(const Placed& part, const Vec3& normal, const Vec3& position) {
    return {.moving = &ball_.placed,
            .part = {.shape = &part.placed},
            .normal = normal,
            .position = position};
  }
  /// The second of two contacts: the first holds the ball on the tile.
  StaticContact judged(const StaticContact& second) {
    std::vector<StaticContact> contacts = {
        contactWith(tile_, Vec3::UnitZ(), {ball_.placed.position.x(), 0, 0}), second};
    std::vector<narrow::SupportingFace> faces;
    narrow::findGhosts(contacts, faces);
    EXPECT_FALSE(contacts[0].isGhost);
    return contacts[1];
  }

  Placed ball_{Sphere{0.5}, {-0.02, 0, 0.5}};
  Placed tile_{Box{{0.5, 0.5, 0.1}}, {-0.5, 0, -0.1}};
  Placed next_{Box{{0.5, 0.5, 0.1}}, {0.5, 0, -0.1}};
  const Vec3 edge_ = Vec3::Zero();  ///< where the tile ends
};

TEST_F(Ghosts, EdgeOfTheNextTile_IsAGhost) {
  EXPECT_TRUE(judged(contactWith(next_, leaning(-0.04), edge_)).isGhost);
  EXPECT_TRUE(judged(contactWith(next_, -Vec3::UnitX(), edge_)).isGhost);
}

TEST_F(Ghosts, TopOfTheNextTile_IsNone) {
  const StaticContact top = judged(contactWith(next_, Vec3::UnitZ(), edge_));
  EXPECT_FALSE(top.isGhost);
  EXPECT_EQ(top.normal, Vec3::UnitZ());
}

TEST_F(Ghosts, ContactThatLeansAsASeamExplains_IsTurnedToTheFace) {
  const StaticContact turned = judged(contactWith(next_, leaning(1e-4), edge_));
  EXPECT_FALSE(turned.isGhost);
  EXPECT_EQ(turned.normal, Vec3::UnitZ());
}

// A seam is up to 0.15 mm high.
TEST_F(Ghosts, StepHigherThanASeam_IsNone) {
  for (const Real height : {1e-4, 2e-4}) {
    const Placed step(Box{{0.5, 0.5, 0.1}}, {0.5, 0, height - 0.1});
    EXPECT_EQ(judged(contactWith(step, leaning(-0.04), edge_)).isGhost, height < 1.5e-4) << height;
  }
}

// As when it dips into a hole: the far side is then before it.
TEST_F(Ghosts, BodyLowerThanTheFaceAndItsOverlap_MeetsTheNextTile) {
  for (const Real depth : {1e-4, 2e-4}) {
    ball_.placed.position.z() = 0.5 - depth;
    EXPECT_EQ(judged(contactWith(next_, leaning(-0.04), edge_)).isGhost, depth < 1.5e-4) << depth;
  }
}

// The part beyond falls by 0.2 rad from the edge that it shares with the tile. Its hidden side
// leans back, and is no part of the surface.
TEST_F(Ghosts, NormalsBetweenTheFacesOfAConvexEdge_AreNone) {
  const Mat3 turned = Eigen::AngleAxisd(0.2, Vec3::UnitY()).toRotationMatrix();
  const Placed slope(Box{{0.5, 0.5, 0.1}}, turned * Vec3(0.5, 0, -0.1), turned);
  EXPECT_FALSE(judged(contactWith(slope, leaning(0.2), edge_)).isGhost);
  EXPECT_FALSE(judged(contactWith(slope, leaning(0.1), edge_)).isGhost);
  EXPECT_TRUE(judged(contactWith(slope, leaning(-0.1), edge_)).isGhost);
  EXPECT_TRUE(judged(contactWith(slope, leaning(0.3), edge_)).isGhost);
}

TEST_F(Ghosts, TriangleThatGoesOnFlat_IsJudgedAsATile) {
  for (const Real height : {0.0, 1e-3}) {
    StaticContact contact{.moving = &ball_.placed, .normal = leaning(-0.04), .position = edge_};
    contact.part.corners = {Vec3(0, -1, 0), Vec3(1, 0, height), Vec3(0, 1, 0)};
    EXPECT_EQ(judged(contact).isGhost, height == 0) << height;
  }
}

// Nothing else is there that could feign a contact.
TEST_F(Ghosts, EdgeOfTheOnlyPart_IsNone) {
  std::vector<StaticContact> contacts = {
      contactWith(tile_, Vec3::UnitZ(), {-0.02, 0, 0}),
      contactWith(tile_, leaning(0.04), edge_),
  };
  std::vector<narrow::SupportingFace> faces;
  narrow::findGhosts(contacts, faces);
  EXPECT_FALSE(contacts[1].isGhost);
}

}  // namespace
}  // namespace drystone
