#include "engine/model/joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/input_error.h"

namespace drystone {
namespace {

JointDefinition lockedBut(BodyId bodyA, BodyId bodyB, const Pose& frameA, const Pose& frameB,
                          std::initializer_list<JointCoordinateIndex> freeOnes) {
  JointDefinition joint = sixDofJoint(bodyA, bodyB, frameA, frameB);
  joint.axes.fill(JointAxis::locked());
  for (const JointCoordinateIndex index : freeOnes) joint.axes[index] = {};
  return joint;
}

Pose at(const Vec3& point) { return {point, Quat::Identity()}; }

}  // namespace

Schedule::Schedule(std::vector<Key> keys) : keys_(std::move(keys)) {
  if (keys_.empty()) throw InputError("schedule: needs at least one key");
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!std::isfinite(keys_[i].time) || !std::isfinite(keys_[i].value)) {
      throw InputError(fmt::format("schedule: key {} must be finite", i));
    }
    if (i > 0 && !(keys_[i].time > keys_[i - 1].time)) {
      throw InputError(
          fmt::format("schedule: time {} s of key {} must be > {} s, that of the key "
                      "before",
                      keys_[i].time, i, keys_[i - 1].time));
    }
  }
}

Real Schedule::at(Real time) const {
  const auto next = std::upper_bound(keys_.begin(), keys_.end(), time,
                                     [](Real t, const Key& key) { return t < key.time; });
  if (next == keys_.begin()) return next->value;
  const Key& before = *(next - 1);
  if (next == keys_.end()) return before.value;
  const Real share = (time - before.time) / (next->time - before.time);
  return before.value + share * (next->value - before.value);
}

JointDefinition ballJoint(BodyId bodyA, BodyId bodyB, const Vec3& anchorA, const Vec3& anchorB) {
  return lockedBut(bodyA, bodyB, at(anchorA), at(anchorB), {kAboutX, kAboutY, kAboutZ});
}

JointDefinition hingeJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA, const Pose& frameB) {
  return lockedBut(bodyA, bodyB, frameA, frameB, {kAboutX});
}

JointDefinition sliderJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA, const Pose& frameB) {
  return lockedBut(bodyA, bodyB, frameA, frameB, {kAlongX});
}

JointDefinition cylindricalJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA,
                                 const Pose& frameB) {
  return lockedBut(bodyA, bodyB, frameA, frameB, {kAlongX, kAboutX});
}

JointDefinition universalJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA, const Pose& frameB) {
  return lockedBut(bodyA, bodyB, frameA, frameB, {kAboutX, kAboutZ});
}

JointDefinition fixedJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA, const Pose& frameB) {
  return lockedBut(bodyA, bodyB, frameA, frameB, {});
}

JointDefinition distanceJoint(BodyId bodyA, BodyId bodyB, const Vec3& anchorA, const Vec3& anchorB,
                              Real lower, Real upper) {
  JointDefinition joint = sixDofJoint(bodyA, bodyB, at(anchorA), at(anchorB));
  joint.geometry = JointGeometry::kDistance;
  joint.axes[0] = JointAxis::limited(lower, upper);
  return joint;
}

JointDefinition sixDofJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA, const Pose& frameB) {
  JointDefinition joint;
  joint.bodyA = bodyA;
  joint.bodyB = bodyB;
  joint.frameA = frameA;
  joint.frameB = frameB;
  return joint;
}

JointDefinition gearJoint(JointId joint1, JointId joint2, Real ratio) {
  JointDefinition joint;
  joint.geometry = JointGeometry::kGear;
  joint.gear1 = joint1;
  joint.gear2 = joint2;
  joint.gearRatio = ratio;
  joint.collide = true;
  return joint;
}

}  // namespace drystone
