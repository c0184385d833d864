#include "engine/step/cable_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include "engine/model/cable.h"
#include "engine/model/joint_coordinates.h"

namespace drystone {
namespace {

/// Gives the part beyond the place where a cable rubs half of what the length asks for and yields:
/// neither end of the cable is the first one.
void shareLength(std::vector<StepJointRow>& rows, int lead, int beyond, int count) {
  for (int i = 0; i < count; ++i) {
    StepJointRow& ofLead = rows[static_cast<std::size_t>(lead + i)];
    StepJointRow& ofBeyond = rows[static_cast<std::size_t>(beyond + i)];
    ofBeyond.bias = ofLead.bias /= 2;
    ofBeyond.compliance = ofLead.compliance /= 2;
  }
}

}  // namespace

void appendSpanRows(const BodyStore& bodies, const JointStore& joints, Joint& span, int first,
                    int count, std::vector<StepJointRow>& rows) {
  std::array<JointCoordinate, 6> q;
  jointCoordinates(bodies, joints, span, q);
  rememberAngles(q, span);
  for (int i = first; i < first + count; ++i) {
    const StepJointRow lead = rows[static_cast<std::size_t>(i)];
    const Real sign = roleOfKey(lead.key) == JointRowRole::kUpperLimit ? -1 : 1;
    rows.push_back({.jacobianA = sign * q[0].jacobianA,
                    .jacobianB = sign * q[0].jacobianB,
                    .lower = lead.lower,
                    .upper = lead.upper,
                    .value = q[0].value,
                    .key = lead.key});
  }
}

void listSpans(const BodyStore& bodies, JointStore& joints, JointRowList& list) {
  const std::size_t lead = list.blocks.size() - 1;
  const auto [slot, first, count] =
      std::tuple(list.blocks[lead].joint, list.blocks[lead].firstRow, list.blocks[lead].rows);
  const Joint* before = &joints[slot];
  Real rubbing = 0;
  bool isShared = false;
  for (const int other : joints[slot].further) {
    Joint& span = joints[other];
    rubbing = std::max(rubbing, rubbingOf(bodies, *before, span));
    list.blocks.push_back({.joint = other,
                           .firstRow = static_cast<int>(list.rows.size()),
                           .rows = count,
                           .bodyA = span.bodyA,
                           .bodyB = span.bodyB,
                           .cable = slot,
                           .isBeyond = rubbing > 0});
    appendSpanRows(bodies, joints, span, first, count, list.rows);
    if (rubbing > 0 && !isShared) {
      shareLength(list.rows, first, list.blocks.back().firstRow, count);
      isShared = true;
    }
    before = &span;
  }
  list.blocks[lead].cable = slot;
  list.blocks[lead].rubbing = rubbing;
}

}  // namespace drystone
