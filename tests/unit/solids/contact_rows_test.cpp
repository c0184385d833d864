// Where solids meet, and the rows of it.
#include "solids/contact/contact_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/unit/solids/contact_scenes.h"

namespace drystone {
namespace {

using test::cubeAt;

/// Two cubes face to face across a gap, turned about all axes.
std::vector<Solid> turnedCubes(const Quat& turn, Real gap) {
  std::vector<Solid> bodies;
  for (const Real side : {-1.0, 1.0}) {
    SolidSetup setup = cubeAt(turn * Vec3(side * (0.25 + 0.5 * gap), 0, 0), Vec3::Zero());
    setup.grid = {Vec3::Constant(-1), 0.1, {21, 21, 21}};
    setup.pose.rotation = turn;
    setup.velocity = turn * Vec3(-0.1 * side, 0.02 * side, 0);
    bodies.emplace_back(setup);
  }
  return bodies;
}

// Of surfaces that end in the same line, a strip of a fifth of a cell beside it is not seen.
TEST(ContactFinder, CubesFaceToFace_MeetInTheFaceAtTheirGap) {
  const Quat turns[] = {Quat::Identity(), Quat(Eigen::AngleAxis<Real>(0.5, Vec3::UnitZ())),
                        Quat(Eigen::AngleAxis<Real>(0.7, Vec3(1, 2, 3).normalized()))};
  for (const Quat& turn : turns) {
    for (const Real gap : {0.003, -0.02}) {
      std::vector<Solid> bodies = turnedCubes(turn, gap);
      ContactFinder finder;
      const std::span<const ContactCell> contacts = finder.find(bodies, {}, 0.7, 0.001);
      ASSERT_GE(contacts.size(), 25U);
      const Vec3 normal = turn * Vec3(-1, 0, 0);
      Real area = 0, sum = 0, across = 0;
      std::uint64_t last = 0;
      for (const ContactCell& contact : contacts) {
        ASSERT_TRUE(&contact == &contacts.front() || contact.key > last);
        last = contact.key;
        area += 0.5 * contact.area;  // that of both surfaces
        EXPECT_EQ(contact.friction, 0.7);
        const Vec3 local = turn.conjugate() * contact.place;
        if (local.tail<2>().lpNorm<Eigen::Infinity>() > 0.15) continue;
        EXPECT_LT((contact.normal - normal).norm(), 1e-12);
        EXPECT_NEAR(contact.gap, gap, 1e-12);
        EXPECT_NEAR(local.x(), 0, 1e-12);
        across += 1;
        sum = 0;
        Vec3 place = Vec3::Zero();
        for (int c = 0; c < 8; ++c) {
          sum += contact.weights[c];
          place += contact.weights[c] *
                   bodies[0].grid().position(bodies[0].grid().corner(contact.cell, c));
        }
        EXPECT_NEAR(sum, 1, 1e-13);
        EXPECT_LT((place - contact.place).norm(), 1e-13);
      }
      EXPECT_GE(across, 6);
      EXPECT_NEAR(area, 0.25, 0.06);
      bodies = turnedCubes(turn, 0.02);
      EXPECT_TRUE(finder.find(bodies, {}, 0.7, 0.001).empty());
    }
  }
}

// b of a problem after an impulse is A λ + b of the one before, and A is symmetric to the bit.
TEST(SolidContactRows, Matrix_SaysWhatImpulsesDoToVelocities) {
  std::vector<Solid> bodies = turnedCubes(Quat(Eigen::AngleAxis<Real>(0.5, Vec3::UnitZ())), -0.002);
  const SolidWall wall = {Vec3(0, 0, -0.25), Vec3::UnitZ(), 0.3};
  const Real step = 0.01;
  for (Solid& body : bodies) body.begin(step);
  ContactFinder finder;
  const std::span<const ContactCell> contacts = finder.find(bodies, {&wall, 1}, 0.7, step);
  ASSERT_GT(contacts.size(), 60U);
  SolidContactRows rows;
  rows.build(contacts, bodies, step, {}, FrictionModel::kCone);
  const StoredProblem before = storedCopy(rows.problem());
  EXPECT_EQ(before.assembled->asymmetry(), 0);
  std::vector<Real> lambda(before.b.size()), expected(before.b.size());
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    lambda[i] = 1e-4 * std::sin(static_cast<Real>(3 * i + 1));
  }
  before.assembled->multiply(lambda, expected);
  const Vec3 momentum = bodies[0].momentum();
  rows.apply(lambda, bodies);
  Vec3 impulse = Vec3::Zero();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts[c].first == 0) impulse += rows.impulse(static_cast<int>(c), lambda);
  }
  EXPECT_LT((bodies[0].momentum() - momentum - impulse).norm(), 1e-15);
  rows.build(contacts, bodies, step, {}, FrictionModel::kCone);
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    EXPECT_NEAR(rows.problem().b[i], before.b[i] + expected[i], 1e-13);
  }
}

// Of an overlap of 0.02 m a fifth in 0.01 s, but not faster than the limit.
TEST(SolidContactRows, GapsAndOverlaps_ShiftTheVelocityOfTheNormal) {
  const auto middleB = [](Real gap, const SolidStabilization& stabilization) {
    std::vector<Solid> bodies = turnedCubes(Quat::Identity(), gap);
    ContactFinder finder;
    SolidContactRows rows;
    const std::span<const ContactCell> contacts = finder.find(bodies, {}, 0, 0.01);
    rows.build(contacts, bodies, 0.01, stabilization, FrictionModel::kNone);
    EXPECT_EQ(rows.problem().rowCount(), static_cast<int>(contacts.size()));
    const auto middle = std::ranges::min_element(
        contacts, {}, [](const ContactCell& contact) { return contact.place.norm(); });
    return rows.problem().b[middle - contacts.begin()];
  };
  EXPECT_NEAR(middleB(0.003, {}), -0.2 + 0.3, 1e-12);
  EXPECT_NEAR(middleB(-0.02, {}), -0.2 - 0.4, 1e-12);
  EXPECT_NEAR(middleB(-0.02, {.gamma = 0.2, .maxPushSpeed = 0.1}), -0.2 - 0.1, 1e-12);
}

}  // namespace
}  // namespace drystone
