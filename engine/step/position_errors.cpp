#include "engine/step/position_errors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/model/joint_coordinates.h"
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

/// Where θ1 and θ3 are less than this off a common axis, forces on one turn are as good as forces
/// on the other, sixty times as large [rad]: a degree.
constexpr Real kSingularReach = M_PI / 180;

/// True when something acts on the angles of a joint that lose their meaning where it stands.
bool isSingular(const BodyStore& bodies, const Joint& joint) {
  if (!joint.active() || isAsleep(bodies, joint)) return false;
  if (!isSecondAngleBounded(joint.geometry, joint.axes)) return false;
  if (std::abs(joint.angle[1]) < kRightAngle - kSingularReach) return false;
  return std::any_of(joint.axes.begin() + kAboutX, joint.axes.end(), [](const JointAxis& axis) {
    return axis.lower > -kInfinity || axis.upper < kInfinity || axis.spring || axis.motor ||
           axis.friction > 0;
  });
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

void forgiveOverlaps(const WarmLists<WarmContact>& before, const BodyStore& bodies, bool slept,
                     int threads, std::span<StepContact> contacts) {
  const auto pairOf = [](const auto& contact) {
    return std::pair(contact.colliderA, contact.colliderB);
  };
  forEachPairRange(contacts, threads, [&](auto first, auto last) {
    WarmLookup lookup(before, pairOf);
    lookup.skipTo(pairOf(first->point));
    while (first != last) {
      const auto pair = pairOf(first->point);
      const auto end = std::find_if(
          first, last, [&](const StepContact& one) { return pairOf(one.point) != pair; });
      const WarmContact* const old = lookup.take(pair);
      const int a = first->bodyA, b = first->bodyB;
      const bool isKnown = old != nullptr;
      const bool isUnseen = bodies.placed[a] != 0 || bodies.placed[b] != 0 ||
                            (!isKnown && !slept && !bodies.areAsleep(a, b));
      Real depth = 0;
      for (auto one = first; one != end; ++one) depth = std::max(depth, -one->point.gap);
      // What is gone once is not forgiven again.
      const Real forgiven = isUnseen ? depth : isKnown ? std::min(old->forgiven, depth) : 0;
      for (; first != end; ++first) first->forgiven = forgiven;
    }
  });
}

void measureOverlaps(std::span<const StepContact> contacts, const DeepestOverlap& asleep,
                     const BodyStore& bodies, StepReport& report) {
  DeepestOverlap deepest = asleep;
  for (const StepContact& contact : contacts) deepest.add(contact);
  report.maxPenetration = std::max(report.maxPenetration, deepest.any);
  if (deepest.forgiven > std::max(report.overlapForgiven, report.overlapTolerance)) {
    report.overlapForgiven = deepest.forgiven;
    report.worstForgiven = {bodies.idOf(deepest.forgivenA), bodies.idOf(deepest.forgivenB)};
  }
  if (deepest.error <= report.overlapError) return;
  report.overlapError = deepest.error;
  report.worstOverlap = {bodies.idOf(deepest.bodyA), bodies.idOf(deepest.bodyB)};
}

void endPositionErrors(const WorldSettings& settings, std::span<WarmContact> contacts) {
  // Deep overlaps are pushed out no faster than that.
  const Real pushed = settings.stabilization.maxPushSpeed * settings.timestep / 2;
  for (WarmContact& contact : contacts) {
    const Real share = kForgottenPerStep * contact.forgiven;
    contact.forgiven -= pushed > 0 ? std::min(share, pushed) : share;
  }
}

void measureJoints(const BodyStore& bodies, const JointStore& joints, Real size,
                   StepReport& report) {
  int singular = 0;
  for (int slot = 0; slot < joints.slots(); ++slot) {
    const Joint& joint = joints[slot];
    report.maxJointDrift = std::max(report.maxJointDrift, joint.drift);
    report.maxJointTurn = std::max(report.maxJointTurn, joint.turnError);
    singular += isSingular(bodies, joint) ? 1 : 0;
    if (isSoft(joint)) continue;
    // Without a turn the size, which may be infinite, has no say.
    const Real error = joint.drift + (joint.turnError > 0 ? joint.turnError * size : 0);
    if (error <= report.jointError) continue;
    report.jointError = error;
    report.worstJoint = joints.idOf(slot);
    report.worstJointBodies = {bodies.idOf(joint.bodyA), bodies.idOf(joint.bodyB)};
  }
  report.singularJoints = std::max(report.singularJoints, singular);
}

void forgetJointErrors(StepReport& report) {
  report.maxJointDrift = report.maxJointTurn = report.jointError = 0;
  report.worstJoint = {};
  report.worstJointBodies = {};
}

}  // namespace drystone
