#include "tests/support/random_pile.h"

#include <algorithm>
#include <cmath>

#include "tests/support/constants.h"

namespace drystone::test {

Real Draw::logReal(Real low, Real high) {
  return low * std::exp(random_.uniform() * std::log(high / low));
}

int Draw::whole(int low, int high) {
  return low + static_cast<int>(random_.uniform() * static_cast<Real>(high - low + 1));
}

Vec3 Draw::direction() {
  const Real z = real(-1, 1);
  const Real turn = real(-kPi, kPi);
  const Real r = std::sqrt(1 - z * z);
  return {r * std::cos(turn), r * std::sin(turn), z};
}

Vec3 Draw::vector(Real low, Real high) {
  const Real length = low > 0 ? logReal(low, high) : real(low, high);
  return length * direction();
}

Mat3 Draw::rotation() {
  const Vec3 axis = direction();
  return Eigen::AngleAxis<Real>(real(0, kPi), axis).toRotationMatrix();
}

Vec6 RandomPile::velocity(Real size) {
  Vec6 own = twist(style_.common + kGravity * kTimestep * style_.gravity, Vec3::Zero());
  if (style_.shake > 0) {
    own.head<3>() += draw_.vector(0, style_.shake);
    own.tail<3>() += draw_.vector(0, style_.shake) / size;
  }
  return own;
}

RandomPile::Box RandomPile::addBox(const Vec3& half, const Vec3& centre, Real mass) {
  return {builder_.addBox(mass, half, centre, velocity(half.norm())), half, centre};
}

int RandomPile::addBall(Real radius, const Vec3& centre, Real mass) {
  return builder_.addSphere(mass, radius, centre, velocity(radius));
}

void RandomPile::addContact(int below, int above, const Vec3& point, const Vec3& normal) {
  const Real friction = draw_.real(style_.lowFriction, style_.highFriction);
  builder_.addContact(below, above, point, normal, friction);
}

void RandomPile::addGrid(int below, int above, const Vec3& middle, const Vec3& u, const Vec3& v,
                         int countU, int countV, const Vec3& normal) {
  const auto place = [](int i, int count) {
    return count > 1 ? 2.0 * i / (count - 1) - 1 : 0.0;  // −1 … 1
  };
  for (int i = 0; i < countU; ++i) {
    for (int j = 0; j < countV; ++j) {
      addContact(below, above, middle + place(i, countU) * u + place(j, countV) * v, normal);
    }
  }
}

void RandomPile::addFace(const Box& below, const Box& above, int countX, int countY) {
  const Vec3 low = (below.centre - below.half).cwiseMax(above.centre - above.half);
  const Vec3 high = (below.centre + below.half).cwiseMin(above.centre + above.half);
  const Vec3 half = (high - low) / 2;
  if (!(half.x() > 0) || !(half.y() > 0)) return;
  const Real z = above.centre.z() - above.half.z();
  const Vec3 middle(low.x() + half.x(), low.y() + half.y(), z);
  addGrid(below.body, above.body, middle, half.x() * Vec3::UnitX(), half.y() * Vec3::UnitY(),
          countX, countY, Vec3::UnitZ());
}

void RandomPile::addGround(const Box& box, int countX, int countY) {
  const Vec3 middle = box.centre - box.half.z() * Vec3::UnitZ();
  addGrid(-1, box.body, middle, box.half.x() * Vec3::UnitX(), box.half.y() * Vec3::UnitY(), countX,
          countY, Vec3::UnitZ());
}

void RandomPile::addStack(int boxes, int count) {
  Box below;
  Real top = 0;
  for (int i = 0; i < boxes; ++i) {
    const Vec3 half{draw_.real(0.2, 1), draw_.real(0.2, 1), draw_.real(0.05, 0.5)};
    const Real aside = i == 0 ? 0 : 0.5 * std::min(below.half.x(), below.half.y());
    const Real dx = draw_.real(-aside, aside);
    const Real dy = draw_.real(-aside, aside);
    const Vec3 shift = i == 0 ? Vec3::Zero().eval() : below.centre;
    const Box box = addBox(half, {shift.x() + dx, shift.y() + dy, top + half.z()}, mass());
    if (i == 0) {
      addGround(box, count, count);
    } else {
      addFace(below, box, count, count);
    }
    top += 2 * half.z();
    below = box;
  }
}

void RandomPile::addPyramid(int base, bool sides, int count) {
  const Vec3 half{0.5, draw_.real(0.1, 0.5), draw_.real(0.1, 0.5)};
  std::vector<Box> below;
  for (int row = 0; row < base; ++row) {
    std::vector<Box> boxes;
    for (int i = 0; i < base - row; ++i) {
      const Vec3 centre(i + 0.5 * row, 0, (2 * row + 1) * half.z());
      boxes.push_back(addBox(half, centre, mass()));
      if (row == 0) addGround(boxes.back(), count, count);
      for (int j = i; row > 0 && j <= i + 1; ++j) addFace(below[j], boxes.back(), count, count);
      if (!sides || i == 0) continue;
      addGrid(boxes[i - 1].body, boxes[i].body, centre - half.x() * Vec3::UnitX(),
              half.y() * Vec3::UnitY(), half.z() * Vec3::UnitZ(), 2, 2, Vec3::UnitX());
    }
    below = boxes;
  }
}

void RandomPile::addTables(int levels, int across) {
  constexpr Real kRadius = 0.1;
  const Vec3 half(0.5 * across, 0.5 * across, draw_.real(0.02, 0.2));
  Real top = 0;
  int below = -1;
  for (int level = 0; level < levels; ++level) {
    const Vec3 centre(0, 0, top + 2 * kRadius + half.z());
    const Box plate = addBox(half, centre, mass());
    for (int i = 0; i < across * across; ++i) {
      const Vec3 ball{draw_.real(-half.x(), half.x()), draw_.real(-half.y(), half.y()),
                      top + kRadius};
      const int body = addBall(kRadius, ball, mass());
      addContact(below, body, ball - kRadius * Vec3::UnitZ(), Vec3::UnitZ());
      addContact(body, plate.body, ball + kRadius * Vec3::UnitZ(), Vec3::UnitZ());
    }
    top = plate.centre.z() + half.z();
    below = plate.body;
  }
}

StoredProblem RandomPile::build() {
  constexpr Real kSlowest = 0.2;  // slower than what two steps of free fall give: rests [m/s]
  StoredProblem problem = builder_.build();
  if (!(style_.restitution > 0)) return problem;
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law != BlockLaw::kContact) continue;
    const Real share = draw_.real(0, style_.restitution);
    Real& approach = problem.b[block.firstRow];
    if (approach < -kSlowest) approach *= 1 + share;
  }
  return problem;
}

}  // namespace drystone::test
