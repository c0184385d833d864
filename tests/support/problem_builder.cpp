#include "tests/support/problem_builder.h"

#include <cmath>

#include "tests/support/constants.h"

namespace drystone::test {
namespace {

Vec3 firstTangent(const Vec3& normal) {
  const Vec3 axis = std::abs(normal.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY();
  return (axis - normal * normal.dot(axis)).normalized();
}

}  // namespace

Vec6 twist(const Vec3& linear, const Vec3& angular) {
  Vec6 result;
  result << linear, angular;
  return result;
}

Vec6 ProblemBuilder::fallingFreely() {
  return twist(Vec3(0, 0, -kGravity * kTimestep), Vec3::Zero());
}

ProblemBuilder::ProblemBuilder(FrictionModel model) {
  problem_.friction = model;
  problem_.timestep = kTimestep;
}

int ProblemBuilder::addBody(Real mass, const Vec3& inertia, const Vec3& position,
                            const Vec6& freeVelocity, const Mat3& axes) {
  InverseInertia body;
  body.inverseMass = 1 / mass;
  body.inverseInertia = axes * inertia.cwiseInverse().asDiagonal() * axes.transpose();
  problem_.bodies.push_back(body);
  positions_.push_back(position);
  freeVelocity_.push_back(freeVelocity);
  return static_cast<int>(problem_.bodies.size()) - 1;
}

int ProblemBuilder::addSphere(Real mass, Real radius, const Vec3& position,
                              const Vec6& freeVelocity) {
  return addBody(mass, Vec3::Constant(0.4 * mass * radius * radius), position, freeVelocity);
}

int ProblemBuilder::addBox(Real mass, const Vec3& halfExtents, const Vec3& position,
                           const Vec6& freeVelocity, const Mat3& axes) {
  const Vec3 squared = halfExtents.cwiseAbs2();
  const Vec3 inertia = mass / 3 * (Vec3::Constant(squared.sum()) - squared);
  return addBody(mass, inertia, position, freeVelocity, axes);
}

ProblemBlock& ProblemBuilder::addBlock(int bodyA, int bodyB, int rows, BlockLaw law) {
  ProblemBlock block;
  block.key = problem_.blocks.size() + 1;
  block.firstRow = static_cast<int>(problem_.jacobianA.size());
  block.rows = rows;
  block.law = law;
  block.bodyA = bodyA;
  block.bodyB = bodyB;
  problem_.blocks.push_back(block);
  return problem_.blocks.back();
}

void ProblemBuilder::addRow(int bodyA, int bodyB, const Vec6& jacobianA, const Vec6& jacobianB,
                            Real lower, Real upper) {
  problem_.jacobianA.push_back(bodyA >= 0 ? jacobianA : Vec6::Zero());
  problem_.jacobianB.push_back(bodyB >= 0 ? jacobianB : Vec6::Zero());
  problem_.lower.push_back(lower);
  problem_.upper.push_back(upper);
  problem_.b.push_back(0);
}

void ProblemBuilder::addContact(int bodyA, int bodyB, const Vec3& point, const Vec3& normal,
                                Real friction, Real normalBound) {
  constexpr Real kContactRadius = 0.05;  // of Contensou's torsion row [m]
  constexpr Real kRollingArm = 0.5;      // of the rolling rows [m]
  const int rows = contactRows(problem_.friction);
  ProblemBlock& block = addBlock(bodyA, bodyB, rows, BlockLaw::kContact);
  block.friction = friction;
  block.normalBound = normalBound;
  const Vec3 armA = bodyA >= 0 ? Vec3(point - positions_[bodyA]) : Vec3::Zero();
  const Vec3 armB = bodyB >= 0 ? Vec3(point - positions_[bodyB]) : Vec3::Zero();
  const Vec3 tangent = firstTangent(normal);
  const Vec3 directions[3] = {normal, tangent, normal.cross(tangent)};
  for (int i = 0; i < rows; ++i) {
    if (i >= 3) {
      const Vec3 spin =
          rows == 4 ? Vec3(kContactRadius * normal) : Vec3(kRollingArm * directions[i - 2]);
      addRow(bodyA, bodyB, twist(Vec3::Zero(), -spin), twist(Vec3::Zero(), spin), 0, 0);
      continue;
    }
    const Vec3& d = directions[i];
    addRow(bodyA, bodyB, twist(-d, -armA.cross(d)), twist(d, armB.cross(d)), 0, 0);
    if (bodyA < 0) problem_.b.back() -= d.dot(groundVelocity_);
  }
}

void ProblemBuilder::addBallJoint(int bodyA, int bodyB, const Vec3& point) {
  addBlock(bodyA, bodyB, 3, BlockLaw::kRows);
  addPointRows(bodyA, bodyB, point);
}

void ProblemBuilder::addHinge(int bodyA, int bodyB, const Vec3& point, const Vec3& axis) {
  addBlock(bodyA, bodyB, 5, BlockLaw::kRows);
  addPointRows(bodyA, bodyB, point);
  const Vec3 square = firstTangent(axis);
  for (const Vec3& d : {square, Vec3(axis.cross(square))}) {
    addRow(bodyA, bodyB, twist(Vec3::Zero(), -d), twist(Vec3::Zero(), d), -kInfinity, kInfinity);
  }
}

void ProblemBuilder::addPointRows(int bodyA, int bodyB, const Vec3& point) {
  const Vec3 armA = bodyA >= 0 ? Vec3(point - positions_[bodyA]) : Vec3::Zero();
  const Vec3 armB = bodyB >= 0 ? Vec3(point - positions_[bodyB]) : Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 d = Vec3::Unit(axis);
    addRow(bodyA, bodyB, twist(-d, -armA.cross(d)), twist(d, armB.cross(d)), -kInfinity, kInfinity);
  }
}

void ProblemBuilder::addAngularRow(int bodyA, int bodyB, const Vec3& axis, Real lower, Real upper) {
  addBlock(bodyA, bodyB, 1, BlockLaw::kRows);
  addRow(bodyA, bodyB, twist(Vec3::Zero(), -axis), twist(Vec3::Zero(), axis), lower, upper);
}

void ProblemBuilder::setCompliance(Real compliance) {
  problem_.compliance.assign(problem_.jacobianA.size(), compliance);
}

StoredProblem ProblemBuilder::build() {
  StoredProblem built = problem_;
  for (const ProblemBlock& block : built.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (block.bodyA >= 0) {
        built.b[row] += built.jacobianA[row].dot(freeVelocity_[block.bodyA]);
      }
      if (block.bodyB >= 0) {
        built.b[row] += built.jacobianB[row].dot(freeVelocity_[block.bodyB]);
      }
    }
  }
  return built;
}

}  // namespace drystone::test
