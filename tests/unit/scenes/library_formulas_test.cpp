// The scenes of the library whose initial state is defined by formulas, since other engines were
// measured on them: every body against those formulas, written out here a second time. And those of
// a thesis against the numbers that it gives.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/shape/shape.h"
#include "scenes/scene_reader.h"
#include "tests/support/constants.h"

namespace drystone {
namespace {

// Positions are some metres and come from a few operations each: round-off stays far below this.
constexpr Real kRoundOff = 1e-13;
using test::kPi;

struct Expected {
  Vec3 position;
  Quat rotation = Quat::Identity();
  Vec3 halfExtents = Vec3::Constant(0.5);
  Real mass = 1;
};

Quat aboutY(Real angle) { return {std::cos(angle / 2), 0, std::sin(angle / 2), 0}; }

Real massOf(const BodyDefinition& body) {
  return body.mass ? body.mass->mass : massProperties(*body.shape, body.density).mass;
}

void expectBox(const BodyDefinition& body, const Expected& expected) {
  SCOPED_TRACE(body.name);
  EXPECT_LT((body.pose.position - expected.position).norm(), kRoundOff);
  EXPECT_LT((body.pose.rotation.coeffs() - expected.rotation.coeffs()).norm(), kRoundOff);
  ASSERT_TRUE(std::holds_alternative<Box>(*body.shape));
  EXPECT_LT((std::get<Box>(*body.shape).halfExtents - expected.halfExtents).norm(), kRoundOff);
  if (body.kind != BodyKind::kDynamic) return;
  EXPECT_NEAR(massOf(body), expected.mass, 1e-12 * expected.mass);
  EXPECT_EQ(body.linearVelocity, Vec3(0, 0, 0));
  EXPECT_EQ(body.angularVelocity, Vec3(0, 0, 0));
}

/// A static box of half extents (50, 50, 1) whose top face is z = 0, and gravity -9.81 along z.
void expectGround(const Scene& scene) {
  ASSERT_FALSE(scene.bodies.empty());
  EXPECT_EQ(scene.bodies[0].kind, BodyKind::kStatic);
  expectBox(scene.bodies[0], {.position = {0, 0, -1}, .halfExtents = {50, 50, 1}});
  EXPECT_EQ(scene.settings.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.settings.timestep, 1.0 / 60);
}

void expectBoxes(const Scene& scene, const std::vector<Expected>& boxes) {
  expectGround(scene);
  ASSERT_EQ(scene.bodies.size(), boxes.size() + 1);
  for (std::size_t i = 0; i < boxes.size(); ++i) expectBox(scene.bodies[i + 1], boxes[i]);
}

Real frictionOf(const Scene& scene, const BodyDefinition& body) {
  return body.material == 0
             ? Material().friction
             : scene.materials[static_cast<std::size_t>(body.material - 1)].material.friction;
}

TEST(Library, Stacks_AreUnitCubesOfAKilogram) {
  for (const int count : {10, 20, 40}) {
    std::vector<Expected> boxes;
    for (int i = 0; i < count; ++i) boxes.push_back({.position = {0, 0, 0.5 + i}});
    const Scene scene = readScene("stack_" + std::to_string(count));
    expectBoxes(scene, boxes);
    EXPECT_EQ(scene.stepCount(), 600);
  }
}

TEST(Library, HeavyOnLight_HasTheRatioAskedFor) {
  for (const Real ratio : {1.0, 1000.0, 1e6}) {
    std::vector<Expected> boxes;
    for (int i = 0; i < 6; ++i)
      boxes.push_back({.position = {0, 0, 0.5 + i}, .mass = i == 5 ? ratio : 1});
    const Scene scene =
        readScene("heavy_on_light", {.overrides = {{"scene.ratio", std::to_string(ratio)}}});
    expectBoxes(scene, boxes);
    // Box inertia m/3 (hy² + hz²) = m/6 about each axis of a unit cube.
    EXPECT_TRUE(scene.bodies[6].mass->inertia.isApprox(Mat3(Vec3::Constant(ratio / 6).asDiagonal()),
                                                       1e-14));
    EXPECT_EQ(scene.stepCount(), 300);
  }
}

TEST(Library, BrickWalls_AreInRunningBondWithHalfBricks) {
  for (const auto& [columns, rows, bodies] : {std::tuple{20, 20, 410}, std::tuple{40, 25, 1012}}) {
    const Real pitch = 0.402;
    const Real width = columns * pitch - 0.002;
    const Real mass = 2000 * 0.4 * 0.2 * 0.2;
    const Vec3 brick(0.2, 0.1, 0.1), half(0.0995, 0.1, 0.1);
    std::vector<Expected> boxes;
    for (int r = 0; r < rows; ++r) {
      const Real z = 0.1 + 0.2 * r;
      const auto add = [&](Real x, const Vec3& extents) {
        boxes.push_back(
            {.position = {x, 0, z}, .halfExtents = extents, .mass = mass * extents.x() / 0.2});
      };
      if (r % 2 == 0) {
        for (int i = 0; i < columns; ++i) add(-width / 2 + 0.2 + i * pitch, brick);
      } else {
        add(-width / 2 + 0.0995, half);
        for (int i = 0; i < columns - 1; ++i)
          add(-width / 2 + 0.199 + 0.002 + 0.2 + i * pitch, brick);
        add(width / 2 - 0.0995, half);
      }
    }
    ASSERT_EQ(boxes.size(), static_cast<std::size_t>(bodies));
    expectBoxes(readScene("brick_wall_" + std::to_string(columns) + "x" + std::to_string(rows)),
                boxes);
  }
}

TEST(Library, Pyramids_AreUnitCubesAtAPitchOf105) {
  for (const auto& [rows, bodies] : {std::pair{20, 210}, std::pair{30, 465}}) {
    std::vector<Expected> boxes;
    for (int r = 0; r < rows; ++r) {
      for (int j = 0; j < rows - r; ++j)
        boxes.push_back({.position = {(j - (rows - r - 1) / 2.0) * 1.05, 0, 0.5 + r}});
    }
    ASSERT_EQ(boxes.size(), static_cast<std::size_t>(bodies));
    expectBoxes(readScene("pyramid_" + std::to_string(rows)), boxes);
  }
}

TEST(Library, CardHouse_HasThreeLevelsOfTouchingCards) {
  const Real th = 25 * kPi / 180, length = 1, thickness = 0.02, spacing = 1.005;
  const Real cz = length / 2 * std::cos(th) + thickness / 2 * std::sin(th);
  const Real cxo = length / 2 * std::sin(th) + thickness / 2 * std::cos(th);
  const Real mass = 700 * 1 * 0.7 * 0.02;
  std::vector<Expected> cards;
  Real base = 0;
  for (int level = 0; level < 3; ++level) {
    const int tents = 3 - level;
    for (int i = 0; i < tents; ++i) {
      const Real apex = (i - (tents - 1) / 2.0) * spacing;
      cards.push_back({{apex - cxo, 0, base + cz}, aboutY(th), {0.01, 0.35, 0.5}, mass});
      cards.push_back({{apex + cxo, 0, base + cz}, aboutY(-th), {0.01, 0.35, 0.5}, mass});
    }
    for (int i = 0; i < tents - 1; ++i) {
      cards.push_back({{(i - (tents - 2) / 2.0) * spacing, 0, base + 2 * cz + 0.01},
                       Quat::Identity(),
                       {0.5, 0.35, 0.01},
                       mass});
    }
    base += 2 * cz + thickness;
  }
  ASSERT_EQ(cards.size(), 15u);
  const Scene scene = readScene("card_house");
  expectBoxes(scene, cards);
  for (const BodyDefinition& body : scene.bodies) EXPECT_EQ(frictionOf(scene, body), 0.8);
}

TEST(Library, Arch_StonesHaveTheirCornersOnTheRing) {
  // The corners of stone i lie at the radii 4.5 and 5.5, at the angles i π/25 and (i + 1) π/25, and
  // at y = ±0.5; wherever its frame is, that is what the definition says of the placed stone.
  const Scene scene = readScene("arch");
  expectGround(scene);
  ASSERT_EQ(scene.bodies.size(), 26u);
  for (int i = 0; i < 25; ++i) {
    const BodyDefinition& stone = scene.bodies[static_cast<std::size_t>(i + 1)];
    SCOPED_TRACE(stone.name);
    std::vector<Vec3> corners;
    for (const Real angle : {i * kPi / 25, (i + 1) * kPi / 25}) {
      for (const Real radius : {4.5, 5.5}) {
        for (const Real y : {-0.5, 0.5})
          corners.emplace_back(radius * std::cos(angle), y, radius * std::sin(angle));
      }
    }
    const auto& vertices = std::get<ConvexHull>(*stone.shape).data->vertices;
    ASSERT_EQ(vertices.size(), corners.size());
    for (const Vec3& corner : corners) {
      Real nearest = 1;
      for (const Vec3& vertex : vertices)
        nearest = std::min(nearest, (stone.pose * vertex - corner).norm());
      EXPECT_LT(nearest, kRoundOff);
    }
    // Its frame is at its centroid, and x of the frame points away from the axis at the mid angle.
    const MassProperties mass = massProperties(*stone.shape, stone.density);
    EXPECT_LT(mass.centerOfMass.norm(), kRoundOff);
    const Real mid = (i + 0.5) * kPi / 25;
    EXPECT_LT((stone.pose.rotation * Vec3::UnitX() - Vec3(std::cos(mid), 0, std::sin(mid))).norm(),
              kRoundOff);
    // Section (5.5² - 4.5²) sin(2h)/2 = 5 sin(π/25), depth 1, density 2400.
    EXPECT_NEAR(mass.mass, 2400 * 5 * std::sin(kPi / 25), 1e-9);  // of 1504 kg: round-off
    EXPECT_EQ(frictionOf(scene, stone), 0.8);
  }
}

TEST(Library, Slopes_FallTowardsXAndCarryACube) {
  for (const auto& [name, degrees, friction, start] :
       {std::tuple{"slope_stick", 20.0, 0.5, 0.0}, std::tuple{"slope_slip", 30.0, 0.2, -80.0}}) {
    const Scene scene = readScene(name);
    const Quat q = aboutY(degrees * kPi / 180);
    ASSERT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.bodies[0].kind, BodyKind::kStatic);
    expectBox(scene.bodies[0], {q * Vec3(0, 0, -1), q, {100, 10, 1}});
    // 80 m away from the origin: the round-off is that much larger.
    EXPECT_LT((scene.bodies[1].pose.position - q * Vec3(start, 0, 0.5)).norm(), 100 * kRoundOff);
    EXPECT_LT((scene.bodies[1].pose.rotation.coeffs() - q.coeffs()).norm(), kRoundOff);
    EXPECT_EQ(scene.bodies[1].mass->mass, 1);
    EXPECT_EQ(frictionOf(scene, scene.bodies[1]), friction);
    EXPECT_EQ(scene.stepCount(), 600);
  }
}

TEST(Library, Pile_FirstBodiesAreThoseOfTheGeneratorByHand) {
  // s ← 6364136223846793005 s + 1442695040888963407 mod 2^64 from 12345, u = (s >> 11) 2^-53, ten
  // draws a body, carried out apart from this program with unbounded integers.
  const Scene scene = readScene("pile_1000");
  const auto body = [&](int i) { return scene.bodies[static_cast<std::size_t>(5 + i)]; };
  const auto expectRandomBox = [](const BodyDefinition& box, const Vec3& position, const Vec3& half,
                                  const Quat& q) {
    SCOPED_TRACE(box.name);
    EXPECT_LT((box.pose.position - position).norm(), kRoundOff);
    EXPECT_LT((std::get<Box>(*box.shape).halfExtents - half).norm(), kRoundOff);
    EXPECT_LT((box.pose.rotation.coeffs() - q.coeffs()).norm(), kRoundOff);
    EXPECT_EQ(box.density, 1000);
  };
  expectRandomBox(
      body(0), {-3.1890421394014505, -3.1734614704082262, 0.538562399266848},
      {0.12279417432031674, 0.13923305613943987, 0.15557079046130928},
      {0.23701270719385342, -0.715561458355846, 0.31060895712990416, 0.5790672255403243});
  expectRandomBox(
      body(1), {-2.4010004867200108, -3.1016942895237536, 0.46616428371908114},
      {0.13345668891821405, 0.12329159657315278, 0.14626066612647304},
      {-0.3976847111335031, 0.5375065224775245, -0.5800910682300472, 0.46521818685913763});
  // The first sphere is the fifth body.
  EXPECT_NEAR(std::get<Sphere>(*body(4).shape).radius, 0.22990601349576317, kRoundOff);
  EXPECT_LT(
      (body(4).pose.position - Vec3(-0.31587014552727094, -3.170874356294855, 0.46640980813469957))
          .norm(),
      kRoundOff);
  EXPECT_EQ(body(4).pose.rotation.coeffs(), Quat::Identity().coeffs());
}

TEST(Library, Piles_FillBinsOfTheirSize) {
  for (const auto& [count, nx] : {std::pair{1000, 10}, std::pair{4000, 20}, std::pair{8000, 20}}) {
    const Scene scene = readScene("pile_" + std::to_string(count));
    ASSERT_EQ(scene.bodies.size(), static_cast<std::size_t>(count + 5));
    const Real half = 0.35 * nx + 0.1;
    const Real wh = 0.5 * std::ceil(count / Real(nx * nx)) * 0.7 + 1.5;
    expectBox(scene.bodies[0], {.position = {0, 0, -1}, .halfExtents = {half + 1, half + 1, 1}});
    expectBox(scene.bodies[1],
              {.position = {half + 0.5, 0, wh}, .halfExtents = {0.5, half + 1, wh}});
    expectBox(scene.bodies[2],
              {.position = {-half - 0.5, 0, wh}, .halfExtents = {0.5, half + 1, wh}});
    expectBox(scene.bodies[3], {.position = {0, half + 0.5, wh}, .halfExtents = {half, 0.5, wh}});
    expectBox(scene.bodies[4], {.position = {0, -half - 0.5, wh}, .halfExtents = {half, 0.5, wh}});
    int spheres = 0;
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(scene.bodies[static_cast<std::size_t>(i)].kind, BodyKind::kStatic);
    for (int i = 5; i < count + 5; ++i) {
      const BodyDefinition& body = scene.bodies[static_cast<std::size_t>(i)];
      EXPECT_LT(std::abs(body.pose.position.x()), half);
      EXPECT_LT(std::abs(body.pose.position.y()), half);
      spheres += std::holds_alternative<Sphere>(*body.shape);
    }
    // Half of the bodies; six standard deviations of the binomial distribution allowed.
    EXPECT_NEAR(spheres, count / 2.0, 6 * std::sqrt(count / 4.0));
  }
}

/// Pairs of unit spheres at a distance of 2 and spheres at a height of 1: contacts of a ball grid.
int touchingContacts(const Scene& scene) {
  int contacts = 0;
  for (std::size_t a = 1; a < scene.bodies.size(); ++a) {
    const Vec3& position = scene.bodies[a].pose.position;
    contacts += position.z() == 1;
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      contacts += (scene.bodies[b].pose.position - position).norm() == 2;
    }
  }
  return contacts;
}

TEST(Library, BallGrids_TouchInTheContactsOfTheThesis) {
  // Poulsen, table 3.2: 513 bodies and 1,408 contacts; 13,825 bodies (ground included).
  const Scene small = readScene("ball_grid_small");
  expectGround(small);
  EXPECT_EQ(small.bodies.size(), 513u);
  EXPECT_EQ(touchingContacts(small), 1408);
  EXPECT_EQ(readScene("ball_grid_medium").bodies.size(), 13825u);
  EXPECT_EQ(readScene("ball_grid_large").bodies.size(), 64001u);
}

// Poulsen, table 3.4: 6,605 contacts of 64,000 spheres; ours within 2 %, in single contacts mostly.
TEST(Library, BallPile_TouchesAsOftenAsThatOfTheThesis) {
  const Scene pile = readScene("ball_pile_small");
  constexpr int kSide = 40;
  ASSERT_EQ(pile.bodies.size(), std::size_t{kSide} * kSide * kSide);
  // The spheres of a cell reach those of the cells around it.
  const auto at = [&](int x, int y, int z) -> const Vec3& {
    return pile.bodies[x + kSide * (y + kSide * z)].pose.position;
  };
  int contacts = 0;
  const auto countAround = [&](int x, int y, int z) {
    for (int k = z; k <= std::min(z + 1, kSide - 1); ++k) {
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, kSide - 1); ++j) {
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, kSide - 1); ++i) {
          const bool isLater = k > z || j > y || (j == y && i > x);
          if (isLater && (at(i, j, k) - at(x, y, z)).norm() < 2 + pile.settings.contactMargin) {
            ++contacts;
          }
        }
      }
    }
  };
  for (int z = 0; z < kSide; ++z) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) countAround(x, y, z);
    }
  }
  EXPECT_NEAR(contacts, 6605, 0.02 * 6605);
}

TEST(Library, WallOfTheThesis_HasBricksOf2500GramsThatDoNotTouch) {
  const Scene scene = readScene("wall");
  int whole = 0;
  for (const BodyDefinition& body : scene.bodies) {
    if (body.name == "projectile") {
      EXPECT_EQ(massOf(body), 10);
    }
    if (!body.name.starts_with("brick") || std::get<Box>(*body.shape).halfExtents.x() < 0.09)
      continue;
    ++whole;
    EXPECT_NEAR(massOf(body), 2.5, 1e-12);
  }
  EXPECT_GT(whole, 30);
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      const Vec3 distance =
          (scene.bodies[a].pose.position - scene.bodies[b].pose.position).cwiseAbs();
      const Vec3 sum = std::get<Box>(*scene.bodies[a].shape).halfExtents +
                       std::get<Box>(*scene.bodies[b].shape).halfExtents;
      EXPECT_GT((distance - sum).maxCoeff(), scene.settings.contactMargin);
    }
  }
}

}  // namespace
}  // namespace drystone
