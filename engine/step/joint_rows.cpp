#include "engine/step/joint_rows.h"

#include "engine/core/hash.h"

namespace drystone {
namespace {

/// Keeps the keys of joints apart from those of contacts.
constexpr std::uint64_t kJointKeySalt = 0x6a6f696e74ULL;

void fillBallJoint(const WorldParts& world, int slot, StepData& data) {
  const WorldSettings& settings = world.settings;
  const BodyStore& bodies = world.bodies;
  const BallJoint& joint = world.joints[slot];
  ConstraintRows& rows = data.rows;
  const Real h = settings.timestep;
  const Real gamma = settings.stabilization.gammaFor(h);
  const Vec3 error = ballJointError(bodies, joint);
  const int a = joint.bodyA, b = joint.bodyB;
  const Vec3 armA = bodies.rotation[a] * joint.anchorA;
  const Vec3 armB = bodies.rotation[b] * joint.anchorB;

  for (int i = 0; i < kBallJointRows; ++i) {
    const int row = rows.firstRow[joint.block] + i;
    const Vec3 axis = Vec3::Unit(i);
    Vec6 rowA, rowB;
    rowA << -axis, -armA.cross(axis);
    rowB << axis, armB.cross(axis);
    rows.jacobianA[row] = bodies.isDynamic(a) ? rowA : Vec6::Zero();
    rows.jacobianB[row] = bodies.isDynamic(b) ? rowB : Vec6::Zero();
    rows.restitutionTerm[row] = 0;
    rows.stabilizationTerm[row] = gamma * error[i] / h;
    rows.b[row] = rowA.dot(data.freeVelocity[a]) + rowB.dot(data.freeVelocity[b]) +
                  rows.stabilizationTerm[row];
    rows.compliance[row] = joint.compliance.value_or(settings.stabilization.complianceFor(h));
    rows.lower[row] = -kInfinity;
    rows.upper[row] = kInfinity;
  }
  ProblemBlock& block = rows.blocks[joint.block];
  block.law = BlockLaw::kRows;
  block.key = mixKeys(kJointKeySalt, slot);
}

}  // namespace

Vec3 ballJointError(const BodyStore& bodies, const BallJoint& joint) {
  const int a = joint.bodyA, b = joint.bodyB;
  return bodies.position[b] + bodies.rotation[b] * joint.anchorB - bodies.position[a] -
         bodies.rotation[a] * joint.anchorA;
}

void jointRows(const WorldParts& world, StepData& data) {
  for (std::size_t slot = 0; slot < world.joints.size(); ++slot) {
    if (world.joints[slot].block >= 0) fillBallJoint(world, static_cast<int>(slot), data);
  }
}

}  // namespace drystone
