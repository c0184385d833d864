#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/joint_store.h"

namespace drystone {

/// Where a cable passes a body, or ends on it.
struct CablePoint {
  BodyId body{};
  Vec3 position = Vec3::Zero();  ///< of the end or eyelet, in the body's reference frame [m]
  /// μ ≥ 0 of the cable in the eyelet; none at the ends. 0: its tension passes unchanged.
  Real friction = 0;
  /// The last point only: radius of a drum on which the cable ends, with `position` in its middle
  /// [m]; 0: none. The drum winds it up where it turns forwards about `axis`, in the body's
  /// reference frame, of any length but 0. It gets the torque r T, the cable leaves it along its
  /// tangent at a right angle to the axis, and any length is wound in one layer.
  Real drumRadius = 0;
  Vec3 axis = Vec3::UnitX();
};

/// A massless cable from eyelet to eyelet: the sum of its spans is at most its length. It pulls
/// with one tension T ≥ 0 in all spans, as one row over all bodies. Where it rubs in an eyelet, the
/// tensions before and beyond obey T₂ ≤ T₁ e^{μθ} and T₁ ≤ T₂ e^{μθ}; θ is the angle by which the
/// eyelet turns the cable. Nothing but its eyelets holds it aside: it passes through bodies.
///
/// Each span is a distance joint, so that spans are found, drawn, saved and removed as joints are.
/// The first span stands for the cable: its coordinate and its upper limit are those of the whole
/// length, so that setLimits() winds it up. What goes with one span goes with all. Each span's
/// `axisForce(0).limit` is minus its own tension.
struct CableDefinition {
  std::string name{};  ///< of the first span; further ones are `name`_1, `name`_2, …
  std::vector<CablePoint> points{};  ///< two at least, in order
  /// Of the whole cable, spans that cannot change included, and without what is on a drum at the
  /// start [m]; none: what it is at the start.
  std::optional<Real> length{};
  std::optional<Real> compliance{};  ///< [1/kg]; default: the world's
  Real breakingImpulse = kInfinity;  ///< largest impulse of a step in a span [N s]
};

/// The spans of a cable that change their length, first the one that stands for it; a further
/// one's `cable` is still to be set. Spans between points of one body, or of bodies that are not
/// dynamic, are none: their lengths come off. `bodyOf(id)`: kind and placement of the reference
/// frame. Throws InputError that says what is wrong.
struct CableBody {
  BodyKind kind = BodyKind::kDynamic;
  Pose pose{};
};
std::vector<JointDefinition> spansOf(const CableDefinition& cable,
                                     const std::function<CableBody(BodyId)>& bodyOf);

/// Length of the cable from one point to the next, whose bodies are placed so [m]. Throws
/// InputError where the axis of a drum has no direction.
Real lengthBetween(const Pose& bodyA, const CablePoint& from, const Pose& bodyB,
                   const CablePoint& to);

/// The slot of the first span of a joint's cable; -1: it is no span.
int cableOf(const JointStore& joints, int slot);

/// Whether all spans of the cable are there and none broke; of other joints always.
bool isCableWhole(const JointStore& joints, const Joint& joint);

/// How much a further span's tension may exceed that of the span before, at the present poses:
/// tanh(μθ/2), by which |T₂ − T₁| ≤ tanh(μθ/2) (T₁ + T₂).
Real rubbingOf(const BodyStore& bodies, const Joint& before, const Joint& span);

/// What is wrong with a definition as that of a span of a cable. `slot`: of the joint that is
/// redefined; -1: it is new.
std::vector<std::string> cableProblems(const JointDefinition& definition, int slot,
                                       const JointStore& joints);

}  // namespace drystone
