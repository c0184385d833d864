#include "engine/step/rows.h"

#include <algorithm>
#include <cstddef>

#include "core/parallel.h"
#include "engine/step/cable_rows.h"

namespace drystone {

void ConstraintRows::resize(int blockCount, int rowCount, int bodyCount) {
  blocks.resize(blockCount);
  firstRow.resize(blockCount);
  bodies.resize(bodyCount);
  for (auto* array : {&jacobianA, &jacobianB}) array->resize(rowCount);
  for (auto* array :
       {&b, &compliance, &restitutionTerm, &stabilizationTerm, &lambda, &warmLambda}) {
    array->resize(rowCount);
  }
  for (auto* array : {&state, &warmState}) array->resize(rowCount);
}

void layOutRows(const BodyStore& bodies, const Islands& islands,
                std::span<const StepJointBlock> joints, std::span<const StepContact> contacts,
                FrictionModel friction, Real h, int threads, ConstraintRows& rows) {
  constexpr int kBlocksPerRange = 2048;  // some 10 µs of work
  rows.friction = friction;
  rows.timestep = h;
  rows.resize(islands.blockStart[islands.count()], islands.rowStart[islands.count()],
              static_cast<int>(islands.bodies.size()));
  // Bounds of contacts are their law's: without joints there are none.
  const std::size_t bounded = joints.empty() ? 0 : rows.b.size();
  for (auto* bounds : {&rows.lower, &rows.upper}) bounds->resize(bounded);
  const auto local = [&](int body) {
    return bodies.isDynamic(body) ? islands.localBody[body] : -1;
  };
  const auto layOut = [&](int island, int k, int row, int rowCount) {
    const auto [a, b] = bodiesOf(islands.sources[k], joints, contacts);
    ProblemBlock& block = rows.blocks[k];
    block = {};
    block.firstRow = row - islands.rowStart[island];
    block.rows = rowCount;
    block.bodyA = local(a);
    block.bodyB = local(b);
    rows.firstRow[k] = row;
  };
  const int ofContact = contactRows(friction);
  for (int island = 0; island < islands.count(); ++island) {
    const int end = islands.blockStart[island + 1];
    int row = islands.rowStart[island], first = islands.blockStart[island];
    for (; first < end && islands.sources[first].isJoint(); ++first) {
      const int ofJoint = joints[islands.sources[first].index].rows;
      layOut(island, first, row, ofJoint);
      row += ofJoint;
    }
    // Behind the joints all blocks have the same number of rows.
    parallelRanges(end - first, kBlocksPerRange, threads, [&](int from, int to) {
      for (int k = from; k < to; ++k) layOut(island, first + k, row + k * ofContact, ofContact);
    });
  }
  rows.joints.assign(joints.begin(), joints.end());
}

void tieSpans(const Islands& islands, std::span<const StepJointBlock> joints,
              ConstraintRows& rows) {
  const auto isSpan = [](const StepJointBlock& joint) { return joint.cable >= 0; };
  if (std::ranges::none_of(joints, isSpan)) {
    rows.ties.clear();
    rows.hasTies.clear();
    rows.tied.clear();
    return;
  }
  rows.ties.assign(rows.blocks.size(), {});
  rows.hasTies.assign(static_cast<std::size_t>(islands.count()), 0);
  rows.tied.resize(static_cast<std::size_t>(islands.count()));
  for (int island = 0; island < islands.count(); ++island) {
    const int begin = islands.blockStart[island], end = islands.blockStart[island + 1];
    for (int k = begin; k < end && islands.sources[k].isJoint(); ++k) {
      const StepJointBlock& span = joints[islands.sources[k].index];
      if (!isSpan(span)) continue;
      rows.hasTies[island] = 1;
      rows.ties[k] = {.lead = leadOf(joints, span).block - begin,
                      .isBeyond = span.isBeyond,
                      .friction = span.rubbing};
    }
  }
}

bool keepLayout(const ConstraintRows& rows, std::vector<StepJointBlock>& joints) {
  const bool isSame = std::equal(
      joints.begin(), joints.end(), rows.joints.begin(), rows.joints.end(),
      [](const StepJointBlock& now, const StepJointBlock& before) {
        return now.joint == before.joint && now.part == before.part && now.rows == before.rows;
      });
  if (!isSame) return false;
  for (std::size_t i = 0; i < joints.size(); ++i) joints[i].block = rows.joints[i].block;
  return true;
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

Vec3 sumAlong(const StepContact& contact, std::span<const Real> values,
              const ConstraintRows& rows) {
  const int first = rows.firstRow[contact.block];
  Vec3 sum = values[first] * contact.point.normal;
  if (rows.blocks[contact.block].rows >= 3) {
    sum += values[first + 1] * contact.tangent1 + values[first + 2] * contact.tangent2;
  }
  return sum;
}

}  // namespace drystone
