#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/step/joint_row_list.h"

namespace drystone {

// A cable is one row over the bodies of all of its spans (M.18). The step has a part of it for each
// span, over two bodies; TiedProblem makes one row of them.

/// A dynamic body of a block.
inline int moverOf(const BodyStore& bodies, const StepJointBlock& block) {
  return bodies.isDynamic(block.bodyA) ? block.bodyA : block.bodyB;
}
/// Of a list of blocks that are sorted by joint: the one of the first span of a span's cable.
inline const StepJointBlock& leadOf(std::span<const StepJointBlock> blocks,
                                    const StepJointBlock& span) {
  return *std::ranges::lower_bound(blocks, span.cable, {}, &StepJointBlock::joint);
}

/// Appends the part of a further span of a cable in the rows that its first span has, `count` from
/// `first` on: its own Jacobian, and neither bias nor compliance.
void appendSpanRows(const BodyStore& bodies, const JointStore& joints, Joint& span, int first,
                    int count, std::vector<StepJointRow>& rows);

/// Lists the parts of the further spans in the rows of the first one, the last block of the list.
void listSpans(const BodyStore& bodies, JointStore& joints, JointRowList& list);

}  // namespace drystone
