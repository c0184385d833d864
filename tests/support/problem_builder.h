#pragma once

#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone::test {

Vec6 twist(const Vec3& linear, const Vec3& angular);

/// Puts a problem together from bodies, contacts and joints. b is J u* once it is built, where u*
/// is the free velocity given for each body, less the ground's, and what opens.
class ProblemBuilder {
 public:
  explicit ProblemBuilder(FrictionModel model);

  /// A body at `position` with principal inertia along the columns of `axes`. Returns its index.
  int addBody(Real mass, const Vec3& inertia, const Vec3& position,
              const Vec6& freeVelocity = fallingFreely(), const Mat3& axes = Mat3::Identity());
  int addSphere(Real mass, Real radius, const Vec3& position,
                const Vec6& freeVelocity = fallingFreely());
  int addBox(Real mass, const Vec3& halfExtents, const Vec3& position,
             const Vec6& freeVelocity = fallingFreely(), const Mat3& axes = Mat3::Identity());

  /// Contact at `point`, normal from A to B; body -1 is the ground. `normalBound` is λ̄_n of `box`.
  void addContact(int bodyA, int bodyB, const Vec3& point, const Vec3& normal, Real friction,
                  Real normalBound = 1);
  /// Of the ground at contacts added from now on, where it is their body A [m/s].
  void setGroundVelocity(const Vec3& velocity) { groundVelocity_ = velocity; }
  /// Adds to b along the normal of the contact added last [m/s]: what its gap lets it close by.
  void addOpening(Real speed) { problem_.b[problem_.blocks.back().firstRow] += speed; }
  /// Three bilateral rows that hold the two bodies together at `point`.
  void addBallJoint(int bodyA, int bodyB, const Vec3& point);
  /// The same, and two that let the bodies turn about `axis` alone.
  void addHinge(int bodyA, int bodyB, const Vec3& point, const Vec3& axis);
  /// One angular row about `axis`, with impulse in [lower, upper]: a motor that brakes, or a limit.
  void addAngularRow(int bodyA, int bodyB, const Vec3& axis, Real lower, Real upper);
  /// Compliance of every row so far [1/kg].
  void setCompliance(Real compliance);

  /// Velocity gained in free fall during one step.
  static Vec6 fallingFreely();
  StoredProblem build();

 private:
  void addRow(int bodyA, int bodyB, const Vec6& jacobianA, const Vec6& jacobianB, Real lower,
              Real upper);
  void addPointRows(int bodyA, int bodyB, const Vec3& point);
  ProblemBlock& addBlock(int bodyA, int bodyB, int rows, BlockLaw law);

  StoredProblem problem_;
  std::vector<Vec3> positions_;
  std::vector<Vec6> freeVelocity_;
  Vec3 groundVelocity_ = Vec3::Zero();
};

}  // namespace drystone::test
