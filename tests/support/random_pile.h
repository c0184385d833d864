#pragma once

#include <vector>

#include "core/random.h"
#include "tests/support/problem_builder.h"

namespace drystone::test {

/// Random numbers of a problem. Arguments of a call are drawn in an order that compilers choose:
/// two draws stand in braces, or in two statements.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  Real real(Real low, Real high) { return random_.uniform(low, high); }
  /// Uniform in the logarithm; both are > 0.
  Real logReal(Real low, Real high);
  /// Both ends included.
  int whole(int low, int high);
  bool chance(Real share) { return random_.uniform() < share; }
  /// Of length 1, uniform on the sphere.
  Vec3 direction();
  /// Of any direction; its length uniform, or where low > 0 uniform in the logarithm.
  Vec3 vector(Real low, Real high);
  Mat3 rotation();

 private:
  Random random_;
};

/// What the bodies and contacts of a pile have in common.
struct PileStyle {
  Real lowMass = 1, highMass = 1;          ///< uniform in the logarithm [kg]
  Real lowFriction = 0, highFriction = 0;  ///< of each contact
  Vec3 gravity = Vec3(0, 0, -1);           ///< its direction, of length 1
  Vec3 common = Vec3::Zero();              ///< velocity of all bodies before the step [m/s]
  Real shake = 0;        ///< of each body, at random: [m/s], and [rad/s] over its size
  Real restitution = 0;  ///< at most, of each contact
};

/// Bodies that stand on each other, by contact points where their surfaces meet.
class RandomPile {
 public:
  RandomPile(Draw& draw, const PileStyle& style)
      : draw_(draw), style_(style), builder_(FrictionModel::kCone) {}

  struct Box {
    int body = -1;
    Vec3 half, centre;
  };
  ProblemBuilder& builder() { return builder_; }
  Real mass() { return draw_.logReal(style_.lowMass, style_.highMass); }
  /// Free velocity of a body of that size [m].
  Vec6 velocity(Real size);
  Box addBox(const Vec3& half, const Vec3& centre, Real mass);
  int addBall(Real radius, const Vec3& centre, Real mass);
  void addContact(int below, int above, const Vec3& point, const Vec3& normal);
  /// countU × countV contacts spread over the rectangle middle ± u ± v.
  void addGrid(int below, int above, const Vec3& middle, const Vec3& u, const Vec3& v, int countU,
               int countV, const Vec3& normal);
  /// A grid where the top of `below` meets the bottom of `above`; nothing where they do not.
  void addFace(const Box& below, const Box& above, int countX, int countY);
  /// A grid where the box stands on the plane below it.
  void addGround(const Box& box, int countX, int countY);
  /// `boxes` on top of each other.
  void addStack(int boxes, int count);
  /// `base` boxes side by side, each row one less, on two of the row below; `sides`: with contacts
  /// between neighbours.
  void addPyramid(int base, bool sides, int count);
  /// Plates that stand on `across` × `across` balls each.
  void addTables(int levels, int across);

  /// The problem, its contacts bouncing by random shares of up to the restitution.
  StoredProblem build();

 private:
  Draw& draw_;
  PileStyle style_;
  ProblemBuilder builder_;
};

// The kinds that are more than piles.
StoredProblem randomWedge(Draw& draw);
StoredProblem randomChain(Draw& draw);

}  // namespace drystone::test
