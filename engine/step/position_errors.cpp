#include "engine/step/position_errors.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/step/joint_row_list.h"

namespace drystone {
namespace {

/// Largest error of a joint, and overlap, as a share of the bodies' median extent: what is seen
/// with the naked eye in a picture of a body. Joints and contacts that hold are far below.
constexpr Real kShareOfExtent = 0.01;

/// Share of the forgiven overlap that a step takes back: half of the default γ of the
/// stabilisation, since bodies between others are pushed from two sides.
constexpr Real kForgottenPerStep = 0.1;

Real medianExtent(const BodyStore& bodies) {
  std::vector<Real> extents;
  for (int i = 0; i < bodies.slots(); ++i) {
    if (bodies.record[i].alive && bodies.isDynamic(i)) extents.push_back(bodies.extent[i]);
  }
  if (extents.empty()) return kInfinity;
  const auto middle = extents.begin() + static_cast<std::ptrdiff_t>(extents.size() / 2);
  std::nth_element(extents.begin(), middle, extents.end());
  return *middle;
}

}  // namespace

void beginPositionErrors(const WorldSettings& settings, const BodyStore& bodies,
                         PositionErrors& errors, StepReport& report) {
  if (!errors.isSizeKnown) {
    errors.size = medianExtent(bodies);
    errors.isSizeKnown = true;
  }
  report.jointTolerance = settings.jointTolerance.value_or(kShareOfExtent * errors.size);
  report.overlapTolerance = settings.overlapTolerance.value_or(kShareOfExtent * errors.size);
}

void measureOverlaps(std::span<const StepContact> contacts, const DeepestOverlap& asleep,
                     std::span<const WarmContact> before, BodyStore& bodies, PositionErrors& errors,
                     StepReport& report) {
  DeepestOverlap deepest = asleep;
  const auto pairOf = [](const auto& contact) {
    return std::pair(contact.colliderA, contact.colliderB);
  };
  auto old = before.begin();
  for (const StepContact& contact : contacts) {
    while (old != before.end() && pairOf(*old) < pairOf(contact.point)) ++old;
    const bool isNew = old == before.end() || pairOf(*old) != pairOf(contact.point);
    deepest.add(bodies, contact, isNew);
  }
  std::ranges::fill(bodies.placed, 0);
  // What is gone once is not forgiven again.
  errors.forgiven = std::min(std::max(errors.forgiven, deepest.unseen), deepest.rigid);
  report.maxPenetration = std::max(report.maxPenetration, deepest.any);
  const Real error = deepest.rigid - errors.forgiven;
  if (error <= report.overlapError) return;
  report.overlapError = error;
  report.worstOverlap = {bodies.idOf(deepest.bodyA), bodies.idOf(deepest.bodyB)};
}

void endPositionErrors(const WorldSettings& settings, PositionErrors& errors) {
  // Deep overlaps are pushed out no faster than that.
  const Real pushed = settings.stabilization.maxPushSpeed * settings.timestep / 2;
  const Real share = kForgottenPerStep * errors.forgiven;
  errors.forgiven -= pushed > 0 ? std::min(share, pushed) : share;
}

void measureJoints(const BodyStore& bodies, const JointStore& joints, Real size,
                   StepReport& report) {
  for (int slot = 0; slot < joints.slots(); ++slot) {
    const Joint& joint = joints[slot];
    report.maxJointDrift = std::max(report.maxJointDrift, joint.drift);
    report.maxJointTurn = std::max(report.maxJointTurn, joint.turnError);
    if (isSoft(joint)) continue;
    // Without a turn the size, which may be infinite, has no say.
    const Real error = joint.drift + (joint.turnError > 0 ? joint.turnError * size : 0);
    if (error <= report.jointError) continue;
    report.jointError = error;
    report.worstJoint = joints.idOf(slot);
    report.worstJointBodies = {bodies.idOf(joint.bodyA), bodies.idOf(joint.bodyB)};
  }
}

void forgetJointErrors(StepReport& report) {
  report.maxJointDrift = report.maxJointTurn = report.jointError = 0;
  report.worstJoint = {};
  report.worstJointBodies = {};
}

}  // namespace drystone
