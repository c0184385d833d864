#include "engine/step/row_layout.h"

#include <algorithm>

namespace drystone {

void ConstraintRows::resize(int blockCount, int rowCount, int bodyCount) {
  blocks.resize(blockCount);
  firstRow.resize(blockCount);
  bodies.resize(bodyCount);
  for (auto* array : {&jacobianA, &jacobianB}) array->resize(rowCount);
  for (auto* array : {&b, &compliance, &lower, &upper, &restitutionTerm, &stabilizationTerm,
                      &lambda, &warmLambda}) {
    array->resize(rowCount);
  }
  for (auto* array : {&state, &warmState}) array->resize(rowCount);
}

void layOutRows(const BodyStore& bodies, FrictionModel friction, StepData& data) {
  const Islands& islands = data.islands;
  ConstraintRows& rows = data.rows;
  const int jointCount = static_cast<int>(data.jointBlocks.size());
  rows.resize(islands.blockStart[islands.count()], islands.rowStart[islands.count()],
              static_cast<int>(islands.bodies.size()));
  const auto local = [&](int body) {
    return bodies.isDynamic(body) ? islands.localBody[body] : -1;
  };
  for (int island = 0; island < islands.count(); ++island) {
    int row = islands.rowStart[island];
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      const int source = islands.sources[k];
      const bool isJoint = source < jointCount;
      const int a =
          isJoint ? data.jointBlocks[source].bodyA : data.contacts[source - jointCount].bodyA;
      const int b =
          isJoint ? data.jointBlocks[source].bodyB : data.contacts[source - jointCount].bodyB;
      ProblemBlock& block = rows.blocks[k];
      block = {};
      block.firstRow = row - islands.rowStart[island];
      block.rows = isJoint ? data.jointBlocks[source].rows : contactRows(friction);
      block.bodyA = local(a);
      block.bodyB = local(b);
      rows.firstRow[k] = row;
      row += block.rows;
    }
  }
  data.laidOutJoints = data.jointBlocks;
}

bool keepLayout(StepData& data) {
  const bool isSame = std::equal(
      data.jointBlocks.begin(), data.jointBlocks.end(), data.laidOutJoints.begin(),
      data.laidOutJoints.end(), [](const StepJointBlock& now, const StepJointBlock& before) {
        return now.joint == before.joint && now.part == before.part && now.rows == before.rows;
      });
  if (isSame) data.jointBlocks = data.laidOutJoints;
  return isSame;
}

void clearRows(const BodyStore& bodies, ConstraintRows& rows, const Islands& islands) {
  for (std::size_t i = 0; i < islands.bodies.size(); ++i) {
    rows.bodies[i] = bodies.inverseInertia[islands.bodies[i]];
  }
  for (ProblemBlock& block : rows.blocks) block.normalBound = 0;
  std::fill(rows.lambda.begin(), rows.lambda.end(), 0.0);
  std::fill(rows.state.begin(), rows.state.end(), RowState::kUnknown);
}

}  // namespace drystone
