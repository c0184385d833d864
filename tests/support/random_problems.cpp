#include "tests/support/random_problems.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/hash.h"
#include "tests/support/constants.h"
#include "tests/support/random_pile.h"

namespace drystone::test {
namespace {

/// Of one of three kinds: at rest, all bodies with one velocity, or each with its own.
void drawMotion(Draw& draw, PileStyle& style) {
  const int kind = draw.whole(0, 2);
  if (kind == 1) style.common = draw.vector(0.01, 3);
  if (kind == 2) style.shake = draw.logReal(0.01, 3);
}

/// Of a slope, or straight down.
Vec3 drawGravity(Draw& draw) {
  if (draw.chance(0.5)) return {0, 0, -1};
  const Real slope = draw.real(0, 0.6);
  const Real turn = draw.real(-kPi, kPi);
  return {std::sin(slope) * std::cos(turn), std::sin(slope) * std::sin(turn), -std::cos(slope)};
}

StoredProblem randomRedundant(Draw& draw) {
  PileStyle style;
  style.lowMass = 0.5;
  style.highMass = 2;
  style.lowFriction = style.highFriction = draw.logReal(0.05, 1.5);
  style.gravity = drawGravity(draw);
  drawMotion(draw, style);
  RandomPile pile(draw, style);
  switch (draw.whole(0, 3)) {
    case 0: {  // one box on a grid of points, perhaps in a corner of walls
      const Vec3 half{draw.real(0.2, 1), draw.real(0.2, 1), draw.real(0.05, 1)};
      const RandomPile::Box box = pile.addBox(half, {0, 0, half.z()}, pile.mass());
      const int count = draw.whole(1, 7);
      pile.addGround(box, count, draw.whole(2, 7));
      const int walls = draw.whole(0, 2);
      for (int wall = 0; wall < walls; ++wall) {
        const Vec3 normal = Vec3::Unit(wall);
        const Vec3 along = half[1 - wall] * Vec3::Unit(1 - wall);
        const int acrossWall = draw.whole(2, 4);
        pile.addGrid(-1, box.body, box.centre - half[wall] * normal, along,
                     half.z() * Vec3::UnitZ(), acrossWall, draw.whole(2, 4), normal);
      }
      break;
    }
    case 1: {
      const int count = draw.whole(2, 3);
      pile.addStack(draw.whole(2, count == 2 ? 20 : 10), count);
      break;
    }
    case 2:
      pile.addPyramid(draw.whole(2, 5), false, 2);
      break;
    default:
      pile.addPyramid(draw.whole(2, 4), true, 2);
      break;
  }
  return pile.build();
}

StoredProblem randomMasses(Draw& draw) {
  PileStyle style;
  style.lowFriction = style.highFriction = draw.logReal(0.05, 1.5);
  style.gravity = drawGravity(draw);
  drawMotion(draw, style);
  style.lowMass = 1e-3;
  style.highMass = 1e3;
  RandomPile pile(draw, style);
  switch (draw.whole(0, 3)) {
    case 0:
      pile.addStack(draw.whole(2, 15), 2);
      break;
    case 1:
      pile.addPyramid(draw.whole(2, 5), draw.chance(0.3), 2);
      break;
    case 2: {
      const int levels = draw.whole(1, 5);
      pile.addTables(levels, draw.whole(2, levels > 2 ? 3 : 4));
      break;
    }
    default: {  // heavy and light in turns, by the whole ratio
      const Vec3 half(0.5, 0.5, 0.25);
      const int heavy = draw.whole(0, 1);
      const Real ratio = draw.logReal(1e2, 1e6);
      const int boxes = draw.whole(2, 15);
      RandomPile::Box below;
      for (int i = 0; i < boxes; ++i) {
        const Real mass = i % 2 == heavy ? style.highMass : style.highMass / ratio;
        const RandomPile::Box box = pile.addBox(half, {0, 0, (2 * i + 1) * half.z()}, mass);
        if (i == 0) {
          pile.addGround(box, 2, 2);
        } else {
          pile.addFace(below, box, 2, 2);
        }
        below = box;
      }
      break;
    }
  }
  return pile.build();
}

/// Balls of random sizes in a heap: those that almost touch have a contact with a gap.
void addHeap(RandomPile& pile, Draw& draw) {
  struct Ball {
    Vec3 centre;
    Real radius;
    int body;
  };
  constexpr Real kMargin = 0.03;  // of gaps [m]
  const int across = draw.whole(1, 4);
  const int high = draw.whole(1, across == 4 ? 2 : 3);
  std::vector<Ball> balls;
  const auto addGap = [&](Real gap) {
    if (gap > 0) pile.builder().addOpening(gap / kTimestep);
  };
  for (int i = 0; i < across * across * high; ++i) {
    const Real radius = draw.real(0.42, 0.52);
    Vec3 centre(i % across, i / across % across, 0);
    centre.x() += draw.real(-0.1, 0.1);
    centre.y() += draw.real(-0.1, 0.1);
    const int level = i / (across * across);
    centre.z() = level == 0 ? radius + draw.real(-0.01, kMargin) : level + draw.real(0.4, 0.6);
    const Ball ball{centre, radius, pile.addBall(radius, centre, pile.mass())};
    if (level == 0) {
      pile.addContact(-1, ball.body, {centre.x(), centre.y(), 0}, Vec3::UnitZ());
      addGap(centre.z() - radius);
    }
    for (const Ball& other : balls) {
      const Vec3 between = centre - other.centre;
      const Real gap = between.norm() - radius - other.radius;
      if (gap > kMargin) continue;
      const Vec3 normal = between.normalized();
      pile.addContact(other.body, ball.body, other.centre + (other.radius + gap / 2) * normal,
                      normal);
      addGap(gap);
    }
    balls.push_back(ball);
  }
}

/// Boxes that have just hit the ground with a corner, an edge or a face, and some that slide.
void addTumblers(RandomPile& pile, Draw& draw) {
  constexpr Real kMargin = 0.05;  // of corners above the lowest one [m]
  const int boxes = draw.whole(1, 6);
  for (int i = 0; i < boxes; ++i) {
    const Vec3 half{draw.real(0.1, 0.5), draw.real(0.1, 0.5), draw.real(0.1, 0.5)};
    const Mat3 axes = draw.chance(0.3) ? Mat3::Identity().eval() : draw.rotation();
    Vec3 corners[8];
    Real lowest = 0;
    for (int k = 0; k < 8; ++k) {
      const Vec3 sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
      corners[k] = axes * sign.cwiseProduct(half);
      lowest = std::min(lowest, corners[k].z());
    }
    const Vec3 centre(2 * i, 0, -lowest);
    const Real mass = pile.mass();
    const int body = pile.builder().addBox(mass, half, centre, pile.velocity(half.norm()), axes);
    for (const Vec3& corner : corners) {
      const Real gap = corner.z() - lowest;
      if (gap > kMargin) continue;
      pile.addContact(-1, body, centre + corner, Vec3::UnitZ());
      pile.builder().addOpening(gap / kTimestep);
    }
  }
}

StoredProblem randomFriction(Draw& draw) {
  PileStyle style;
  style.lowMass = 0.2;
  style.highMass = 5;
  style.highFriction = 2;
  style.gravity = drawGravity(draw);
  style.common = draw.vector(0, 3);
  style.shake = draw.logReal(0.05, 5);
  style.restitution = draw.chance(0.5) ? draw.real(0, 1) : 0;
  RandomPile pile(draw, style);
  switch (draw.whole(0, 3)) {
    case 0:
    case 1:
      addHeap(pile, draw);
      break;
    case 2:
      addTumblers(pile, draw);
      break;
    default:
      pile.addStack(draw.whole(1, 10), 2);
      break;
  }
  return pile.build();
}

}  // namespace

StoredProblem randomProblem(std::string_view kind, std::uint64_t seed) {
  const auto found = std::ranges::find(kRandomKinds, kind);
  DRYSTONE_ASSERT(found != kRandomKinds.end());
  using Maker = StoredProblem (*)(Draw&);
  constexpr std::array<Maker, kRandomKinds.size()> kMakers = {
      randomRedundant, randomWedge, randomChain, randomMasses, randomFriction};
  const auto index = static_cast<std::size_t>(found - kRandomKinds.begin());
  // Neighbouring seeds of the generator give sequences that are alike: they are mixed first.
  Draw draw(mixKeys(seed, index));
  return kMakers[index](draw);
}

}  // namespace drystone::test
