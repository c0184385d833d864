#pragma once

#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone::test {

Vec6 twist(const Vec3& linear, const Vec3& angular);

/// Puts a problem together from bodies, contacts and joints. b is J u* once it is built, where u*
/// is the free velocity given for each body.
class ProblemBuilder {
 public:
  explicit ProblemBuilder(FrictionModel model);

  /// A body at `position` with principal inertia along the world axes. Returns its index.
  int addBody(Real mass, const Vec3& inertia, const Vec3& position,
              const Vec6& freeVelocity = fallingFreely());
  int addSphere(Real mass, Real radius, const Vec3& position,
                const Vec6& freeVelocity = fallingFreely());
  int addBox(Real mass, const Vec3& halfExtents, const Vec3& position,
             const Vec6& freeVelocity = fallingFreely());

  /// Contact at `point`, normal from A to B; body -1 is the ground. `normalBound` is λ̄_n of `box`.
  void addContact(int bodyA, int bodyB, const Vec3& point, const Vec3& normal, Real friction,
                  Real normalBound = 1);
  /// Three bilateral rows that hold the two bodies together at `point`.
  void addBallJoint(int bodyA, int bodyB, const Vec3& point);
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
  ProblemBlock& addBlock(int bodyA, int bodyB, int rows, BlockLaw law);

  StoredProblem problem_;
  std::vector<Vec3> positions_;
  std::vector<Vec6> freeVelocity_;
};

}  // namespace drystone::test
