#include "engine/step/joint_rows.h"

#include <algorithm>

#include "core/hash.h"
#include "engine/step/connected_collision.h"
#include "engine/step/events.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/sleeping.h"

namespace drystone {
namespace {

/// Keeps the keys of joints apart from those of contacts.
constexpr std::uint64_t kJointKeySalt = 0x6a6f696e74ULL;

}  // namespace

void listJointRows(WorldParts& world, StepData& data) {
  const JointRowRules rules = stepRules(world.settings);
  data.jointRows.clear();
  data.jointBlocks.clear();
  for (std::size_t slot = 0; slot < world.joints.size(); ++slot) {
    Joint& joint = world.joints[slot];
    if (isAsleep(world.bodies, joint)) continue;  // keeps its errors
    joint.drift = joint.turnError = 0;
    if (!hasRows(world, joint)) continue;
    int first = static_cast<int>(data.jointRows.size());
    appendJointRows(world, rules, joint, data.jointRows);
    const int end = static_cast<int>(data.jointRows.size());
    for (int part = 0; first < end; ++part, first += kMaxBlockRows) {
      data.jointBlocks.push_back({.joint = static_cast<int>(slot),
                                  .part = part,
                                  .firstRow = first,
                                  .rows = std::min(kMaxBlockRows, end - first),
                                  .bodyA = joint.bodyA,
                                  .bodyB = joint.bodyB});
    }
  }
}

void jointRows(const WorldParts& world, StepData& data) {
  const BodyStore& bodies = world.bodies;
  ConstraintRows& rows = data.rows;
  for (const StepJointBlock& source : data.jointBlocks) {
    ProblemBlock& block = rows.blocks[source.block];
    block.law = BlockLaw::kRows;
    block.key = mixKeys(mixKeys(kJointKeySalt, source.joint), source.part);
    const bool movesA = bodies.isDynamic(source.bodyA), movesB = bodies.isDynamic(source.bodyB);
    for (int i = 0; i < source.rows; ++i) {
      const StepJointRow& from = data.jointRows[source.firstRow + i];
      const int row = rows.firstRow[source.block] + i;
      rows.jacobianA[row] = movesA ? from.jacobianA : Vec6::Zero();
      rows.jacobianB[row] = movesB ? from.jacobianB : Vec6::Zero();
      // J u over all bodies that move, kinematic ones too.
      const auto velocityOf = [&](const std::vector<Vec6>& u) {
        return from.jacobianA.dot(u[source.bodyA]) + from.jacobianB.dot(u[source.bodyB]);
      };
      rows.restitutionTerm[row] =
          from.restitution > 0 ? from.restitution * velocityOf(data.oldVelocity) : 0;
      rows.stabilizationTerm[row] = from.bias;
      rows.b[row] = velocityOf(data.freeVelocity) + rows.restitutionTerm[row] + from.bias;
      rows.compliance[row] = from.compliance;
      rows.lower[row] = from.lower;
      rows.upper[row] = from.upper;
    }
  }
}

void forgetJointImpulses(WorldParts& world) {
  for (Joint& joint : world.joints) {
    if (!isAsleep(world.bodies, joint)) joint.forgetImpulses();
  }
}

void finishJoints(WorldParts& world, const StepData& data, StepReport& report) {
  const Real h = world.settings.substep();
  const ConstraintRows& rows = data.rows;
  for (Joint& joint : world.joints) {
    if (!isAsleep(world.bodies, joint)) joint.force.setZero();
  }
  for (const StepJointBlock& source : data.jointBlocks) {
    Joint& joint = world.joints[source.joint];
    Vec6 impulse = Vec6::Zero();
    for (int i = 0; i < source.rows; ++i) {
      const Real lambda = rows.lambda[rows.firstRow[source.block] + i];
      impulse += lambda * data.jointRows[source.firstRow + i].jacobianB;
    }
    const Vec3 linear = impulse.head<3>();
    const Vec3 arm = world.bodies.rotation[joint.bodyB] * joint.frameB.position;
    joint.force += linear / h;
    joint.impulse += linear;
    joint.angularImpulse += impulse.tail<3>() - arm.cross(linear);
  }
  for (std::size_t slot = 0; slot < world.joints.size(); ++slot) {
    Joint& joint = world.joints[slot];
    // A gear, which was added after the two joints that it couples, goes with the first to break.
    const bool breaks = joint.impulse.norm() > joint.breakingImpulse || !isInForce(world, joint);
    if (!joint.active() || !breaks) continue;
    joint.broken = true;
    recordBreak(world, static_cast<int>(slot));
    updateConnectedCollision(world, joint);
    report.brokenJoints.push_back(static_cast<int>(slot));
  }
}

}  // namespace drystone
