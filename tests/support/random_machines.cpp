// Random problems of wedges and of chains: see random_problems.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/constants.h"
#include "tests/support/random_pile.h"

namespace drystone::test {
namespace {

/// Two planes along y that meet in the origin, each leaning by `lean` from the vertical [rad].
struct Groove {
  Real lean = 0;

  /// Up along the wall on the side −1 or 1.
  Vec3 along(int side) const { return {side * std::sin(lean), 0, std::cos(lean)}; }
  /// Into the groove.
  Vec3 inward(int side) const { return {-side * std::cos(lean), 0, std::sin(lean)}; }
};

/// Of a wall that moves by up to 1 m/s: out of the groove, or into it where no friction locks what
/// it squeezes.
Vec3 drawWallVelocity(Draw& draw, const Groove& groove, int side, bool maySqueeze) {
  const Real speed = draw.logReal(0.01, 1);
  const bool squeezes = maySqueeze && draw.chance(0.5);
  return (squeezes ? speed : -speed) * groove.inward(side);
}

/// A wedge with grids of contacts on both faces; of parallel ones at `lean` 0.
void addWedge(RandomPile& pile, Draw& draw, const Groove& groove, const Vec3 (&walls)[2]) {
  const Real width = draw.real(0.1, 0.5);  // of its middle, half
  const Real length = draw.real(0.1, 0.5);
  const Real high = draw.real(0.1, 0.8) * (groove.lean > 0 ? width / std::tan(groove.lean) : 1);
  const Real middle = groove.lean > 0 ? width / std::tan(groove.lean) : 0;
  const RandomPile::Box box =
      pile.addBox({width, length, std::min<Real>(high, 2)}, {0, 0, middle}, pile.mass());
  const int across = draw.whole(1, 5);
  const int up = draw.whole(2, 5);
  for (const int side : {-1, 1}) {
    pile.builder().setGroundVelocity(walls[side > 0]);
    const Vec3 face(side * width, 0, middle);
    pile.addGrid(-1, box.body, face, length * Vec3::UnitY(),
                 box.half.z() / std::cos(groove.lean) * groove.along(side), across, up,
                 groove.inward(side));
  }
}

/// Columns of balls, each of which touches both walls and those before and above it.
void addBalls(RandomPile& pile, Draw& draw, const Groove& groove, const Vec3 (&walls)[2]) {
  const Real sine = std::sin(groove.lean);
  const Real growth = (1 + sine) / (1 - sine);  // of the radius from ball to ball
  const int high = std::clamp(static_cast<int>(std::log(1e2) / std::log(growth)), 1, 8);
  const int levels = draw.whole(1, high);
  const int columns = levels == 1 ? draw.whole(1, 20) : 1;
  Real radius = 0.1;
  int below = -1;
  for (int level = 0; level < levels; ++level) {
    for (int column = 0; column < columns; ++column) {
      const Vec3 centre(0, 2 * radius * column, radius / sine);
      const Real mass = pile.mass();
      const int ball = pile.addBall(radius, centre, mass);
      for (const int side : {-1, 1}) {
        pile.builder().setGroundVelocity(walls[side > 0]);
        pile.addContact(-1, ball, centre - radius * groove.inward(side), groove.inward(side));
      }
      if (column > 0) {
        pile.addContact(ball - 1, ball, centre - radius * Vec3::UnitY(), Vec3::UnitY());
      }
      if (level > 0) {
        pile.addContact(below, ball, centre - radius * Vec3::UnitZ(), Vec3::UnitZ());
      }
      below = ball;
    }
    radius *= growth;
  }
}

/// A wedge that is pressed between two blocks on the floor, of which walls hold one or both.
void addSplitter(RandomPile& pile, Draw& draw, const Groove& groove) {
  const Real top = draw.real(0.3, 1);  // of the blocks
  const Real width = top * std::tan(groove.lean);
  const Vec3 half(std::max<Real>(width, 0.1), 0.3, 0.4 * top);
  const RandomPile::Box wedge = pile.addBox(half, {0, 0, 0.8 * top}, pile.mass());
  const int count = draw.whole(2, 4);
  for (const int side : {-1, 1}) {
    const Vec3 blockHalf(0.3, 0.3, top / 2);
    const Vec3 centre(side * (width / 2 + blockHalf.x()), 0, top / 2);
    const RandomPile::Box block = pile.addBox(blockHalf, centre, pile.mass());
    pile.addGround(block, 2, count);
    pile.addGrid(block.body, wedge.body, 0.7 * top * groove.along(side) / std::cos(groove.lean),
                 0.3 * Vec3::UnitY(), 0.3 * top * groove.along(side), count, 2,
                 groove.inward(side));
    if (draw.chance(side > 0 ? 0.3 : 1)) {
      pile.addGrid(-1, block.body, centre + side * blockHalf.x() * Vec3::UnitX(),
                   0.3 * Vec3::UnitY(), top / 2 * Vec3::UnitZ(), 2, count, -side * Vec3::UnitX());
    }
  }
}

/// One link of a chain, from joint to joint.
struct Link {
  Vec3 start, end;
  bool touches = false;  ///< the cylinder next to `axis`, with its middle
  Vec3 axis = Vec3::Zero();
};

/// Along the polyline of `corners` on a circle about `axis`, from angle to angle in equal chords
/// that touch the circle of `radius` with their middles.
void wrap(std::vector<Link>& links, const Vec3& axis, Real radius, Real from, Real to, int count) {
  const Real half = (to - from) / (2 * count);
  const Real corner = radius / std::cos(half);
  const auto at = [&](int i) {
    const Real angle = from + 2 * half * i;
    return Vec3(axis + corner * Vec3(std::cos(angle), 0, std::sin(angle)));
  };
  for (int i = 0; i < count; ++i) links.push_back({at(i), at(i + 1), true, axis});
}

/// Straight.
void stretch(std::vector<Link>& links, Vec3 from, Vec3 to, int count) {
  for (int i = 0; i < count; ++i) {
    const Real share = 1.0 / count;
    links.push_back({from + share * i * (to - from), from + share * (i + 1) * (to - from)});
  }
}

/// How the links of a chain are made and held.
struct ChainStyle {
  Real thickness = 0.02, width = 0.1;  ///< half, of a link across [m]
  bool hinges = false;                 ///< else balls
  int strands = 1;                     ///< joints side by side
  int contacts = 1;                    ///< side by side, of a link on its cylinder
};

Mat3 axesAlong(const Vec3& direction) {
  Mat3 axes;
  axes.col(0) = direction.normalized();
  axes.col(1) = Vec3::UnitY();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

void addJoints(ProblemBuilder& builder, const ChainStyle& style, int bodyA, int bodyB,
               const Vec3& point) {
  for (int strand = 0; strand < style.strands; ++strand) {
    const Real aside =
        style.strands > 1 ? style.width * (2.0 * strand / (style.strands - 1) - 1) : 0;
    const Vec3 at = point + aside * Vec3::UnitY();
    if (style.hinges) {
      builder.addHinge(bodyA, bodyB, at, Vec3::UnitY());
    } else {
      builder.addBallJoint(bodyA, bodyB, at);
    }
  }
}

/// The links, which run along themselves at `speed`; returns the first body of them.
int addLinks(RandomPile& pile, const ChainStyle& style, const std::vector<Link>& links, Real speed,
             bool isClosed) {
  ProblemBuilder& builder = pile.builder();
  int first = -1, last = -1;
  for (const Link& link : links) {
    const Vec3 middle = (link.start + link.end) / 2;
    const Vec3 along = link.end - link.start;
    const Vec3 half(along.norm() / 2, style.width, style.thickness);
    const Real mass = pile.mass();
    const Vec6 velocity = pile.velocity(half.x()) + twist(speed * along.normalized(), Vec3::Zero());
    const int body = builder.addBox(mass, half, middle, velocity, axesAlong(along));
    if (first < 0) first = body;
    if (last >= 0) addJoints(builder, style, last, body, link.start);
    if (link.touches) {
      Vec3 normal = middle - link.axis;
      normal.y() = 0;
      pile.addGrid(-1, body, middle, style.width * Vec3::UnitY(), Vec3::Zero(), style.contacts, 1,
                   normal.normalized());
    }
    last = body;
  }
  if (isClosed) addJoints(builder, style, last, first, links.front().start);
  return first;
}

}  // namespace

StoredProblem randomWedge(Draw& draw) {
  const int shape = draw.whole(0, 3);
  const Groove groove{shape == 2 ? 0 : draw.logReal(0.05, 1)};
  const bool isCritical = draw.chance(0.5);
  const Real limit = std::tan(std::max<Real>(groove.lean, 0.05));
  PileStyle style;
  style.lowMass = 0.1;
  style.highMass = 10;
  style.highFriction = isCritical ? limit * draw.real(0.8, 1.25) : draw.logReal(0.05, 2);
  style.lowFriction = style.highFriction * (draw.chance(0.5) ? 1 : draw.real(0.5, 1));
  // A force, or a blow: what it makes of a step's velocity.
  if (draw.chance(0.6)) style.common = draw.vector(0.01, 10);
  if (draw.chance(0.3)) style.shake = draw.logReal(0.01, 1);
  RandomPile pile(draw, style);
  const bool maySqueeze = groove.lean > 0 && style.highFriction < 0.9 * limit;
  Vec3 walls[2] = {Vec3::Zero(), Vec3::Zero()};
  for (const int side : {-1, 1}) {
    if (draw.chance(0.4)) walls[side > 0] = drawWallVelocity(draw, groove, side, maySqueeze);
  }
  switch (shape) {
    case 0:
    case 2:
      addWedge(pile, draw, groove, walls);
      break;
    case 1:
      addBalls(pile, draw, groove, walls);
      break;
    default:
      addSplitter(pile, draw, groove);
      break;
  }
  return pile.build();
}

StoredProblem randomChain(Draw& draw) {
  PileStyle style;
  style.lowMass = 0.1;
  style.highMass = draw.chance(0.5) ? 0.1 : 1;
  style.highFriction = draw.logReal(0.02, 1);
  style.lowFriction = draw.chance(0.5) ? 0 : style.highFriction;
  if (draw.chance(0.3)) style.shake = draw.logReal(0.01, 1);
  RandomPile pile(draw, style);
  ChainStyle chain;
  chain.hinges = draw.chance(0.5);
  chain.strands = draw.chance(0.3) ? 2 : 1;
  chain.contacts = draw.whole(1, 3);
  const Real radius = draw.real(0.2, 1);
  const Real speed = draw.chance(0.5) ? draw.real(-3, 3) : 0;
  const int most = chain.strands > 1 ? 24 : chain.hinges ? 36 : 48;  // links
  const int arc = draw.whole(2, most / 3);
  std::vector<Link> links;
  if (draw.chance(0.3)) {  // a belt over two cylinders
    const Vec3 other(draw.real(2.5, 4) * radius, 0, 0);
    wrap(links, Vec3::Zero(), radius, 1.5 * kPi, 0.5 * kPi, arc);
    const int straight = draw.whole(1, most / 6);
    std::vector<Link> second;
    wrap(second, other, radius, 0.5 * kPi, -0.5 * kPi, arc);
    stretch(links, links.back().end, second.front().start, straight);
    links.insert(links.end(), second.begin(), second.end());
    stretch(links, links.back().end, links.front().start, straight);
    addLinks(pile, chain, links, speed, true);
    return pile.build();
  }
  const Real from = kPi - draw.real(0, 0.3);
  const Real to = draw.real(0, 0.3);
  std::vector<Link> top;
  wrap(top, Vec3::Zero(), radius, from, to, arc);
  const Vec3 down(0, 0, -draw.real(0.3, 2));
  const int left = draw.whole(1, most / 3);
  stretch(links, top.front().start + down, top.front().start, left);
  links.insert(links.end(), top.begin(), top.end());
  stretch(links, links.back().end, links.back().end + 0.7 * down, draw.whole(1, most / 3));
  const int first = addLinks(pile, chain, links, speed, false);
  const int last = first + static_cast<int>(links.size()) - 1;
  for (const bool isLeft : {true, false}) {
    const Vec3 end = isLeft ? links.front().start : links.back().end;
    const Real mass = draw.logReal(0.1, 1e3);
    constexpr Real kSize = 0.3;
    const Vec6 velocity =
        pile.velocity(kSize) + twist((isLeft ? speed : -speed) * Vec3::UnitZ(), Vec3::Zero());
    const int load =
        pile.builder().addBox(mass, Vec3::Constant(kSize), end - kSize * Vec3::UnitZ(), velocity);
    addJoints(pile.builder(), chain, isLeft ? first : last, load, end);
  }
  return pile.build();
}

}  // namespace drystone::test
