#include "engine/step/rows.h"

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

void layOutRows(const BodyStore& bodies, const Islands& islands,
                std::span<const StepJointBlock> joints, std::span<const StepContact> contacts,
                FrictionModel friction, Real h, ConstraintRows& rows) {
  rows.friction = friction;
  rows.timestep = h;
  rows.resize(islands.blockStart[islands.count()], islands.rowStart[islands.count()],
              static_cast<int>(islands.bodies.size()));
  const auto local = [&](int body) {
    return bodies.isDynamic(body) ? islands.localBody[body] : -1;
  };
  for (int island = 0; island < islands.count(); ++island) {
    int row = islands.rowStart[island];
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      const BlockSource source = islands.sources[k];
      const auto [a, b] = bodiesOf(source, joints, contacts);
      ProblemBlock& block = rows.blocks[k];
      block = {};
      block.firstRow = row - islands.rowStart[island];
      block.rows = source.isJoint() ? joints[source.index].rows : contactRows(friction);
      block.bodyA = local(a);
      block.bodyB = local(b);
      rows.firstRow[k] = row;
      row += block.rows;
    }
  }
  rows.joints.assign(joints.begin(), joints.end());
}

bool keepLayout(const ConstraintRows& rows, std::vector<StepJointBlock>& joints) {
  const bool isSame = std::equal(
      joints.begin(), joints.end(), rows.joints.begin(), rows.joints.end(),
      [](const StepJointBlock& now, const StepJointBlock& before) {
        return now.joint == before.joint && now.part == before.part && now.rows == before.rows;
      });
  if (isSame) joints = rows.joints;
  return isSame;
}

void clearRows(const BodyStore& bodies, const Islands& islands, ConstraintRows& rows) {
  for (std::size_t i = 0; i < islands.bodies.size(); ++i) {
    rows.bodies[i] = bodies.inverseInertia[islands.bodies[i]];
  }
  for (ProblemBlock& block : rows.blocks) block.normalBound = 0;
  std::fill(rows.lambda.begin(), rows.lambda.end(), 0.0);
  std::fill(rows.state.begin(), rows.state.end(), RowState::kUnknown);
}

Vec3 contactImpulse(const StepContact& contact, const ConstraintRows& rows) {
  const int first = rows.firstRow[contact.block];
  Vec3 impulse = rows.impulse(first) * contact.point.normal;
  if (rows.blocks[contact.block].rows >= 3) {
    impulse +=
        rows.impulse(first + 1) * contact.tangent1 + rows.impulse(first + 2) * contact.tangent2;
  }
  return impulse;
}

}  // namespace drystone
