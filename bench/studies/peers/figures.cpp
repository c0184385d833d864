#include "bench/studies/peers/figures.h"

#include <algorithm>
#include <map>

#include "bench/studies/measure.h"
#include "bench/studies/study.h"
#include "collision/collision_world.h"

namespace drystone::bench {
namespace {

// Between which steps an acceleration is taken: after the contact has formed, before the slope
// ends.
constexpr int kSlideBegin = 30, kSlideEnd = 90;

// Farther than this from the origin, nothing of a scene is left to measure [m].
constexpr Real kLost = 1e4;

bool isSane(const BodyState& state) {
  return state.pose.position.norm() < kLost && state.pose.rotation.coeffs().allFinite() &&
         state.velocity.allFinite() && state.angularVelocity.allFinite();
}

}  // namespace

TimeFigures timeFigures(const std::vector<Real>& ms) {
  const auto settled = static_cast<std::ptrdiff_t>(2 * ms.size() / 3);
  return {
      .mean = mean(ms), .median = median(ms), .settled = median({ms.begin() + settled, ms.end()})};
}

Observation::Observation(const PeerScene& scene) : scene_(scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const PeerBody& body = scene.bodies[i];
    stateOf_.push_back(body.isDynamic ? static_cast<int>(dynamic_.size()) : -1);
    if (!body.isDynamic) continue;
    dynamic_.push_back(static_cast<int>(i));
    states_.push_back({body.pose, body.velocity, body.angularVelocity});
  }
}

bool Observation::add(const std::vector<BodyState>& states, Real wallMs, Real processorMs) {
  if (!std::all_of(states.begin(), states.end(), isSane)) return false;
  states_ = states;
  times_.wall.push_back(wallMs);
  times_.processor.push_back(processorMs);
  speeds_.push_back(states_.empty() ? 0 : states_.front().velocity.norm());
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Vec3 moved = states_[i].pose.position - scene_.bodies[dynamic_[i]].pose.position;
    driftMost_ = std::max(driftMost_, moved.norm());
  }
  jointGap_ = std::max(jointGap_, largestJointGap());
  return true;
}

PeerFigures Observation::figures() const {
  PeerFigures out;
  out.steps = static_cast<int>(times_.wall.size());
  out.wall = timeFigures(times_.wall);
  out.processor = timeFigures(times_.processor);
  out.driftMost = driftMost_;
  out.jointGap = jointGap_;
  out.kinetic = kineticEnergy();
  out.shareError = shareError_;
  out.weightError = weightError_;
  measureDrift(out);
  measureOverlap(out);
  if (out.steps >= kSlideEnd) {
    out.acceleration = (speeds_[kSlideEnd - 1] - speeds_[kSlideBegin - 1]) /
                       ((kSlideEnd - kSlideBegin) * scene_.timestep);
  }
  return out;
}

void Observation::weigh(const std::vector<FloorForce>& forces) {
  std::vector<Vec3> feet;
  for (const PeerFoot& foot : scene_.feet) feet.push_back(poseOf(foot.body) * foot.position);
  std::vector<Real> borne(feet.size(), 0);
  for (const FloorForce& one : forces) {
    const auto distance = [&](const Vec3& foot) { return (foot - one.position).head<2>().norm(); };
    borne[std::ranges::min_element(feet, {}, distance) - feet.begin()] += one.force;
  }
  // On equal springs under a stiff table a foot bears a + b x + c y, with the weight in all and its
  // moments about the origin.
  Mat3 moments = Mat3::Zero();
  Vec3 load = Vec3::Zero();
  const auto law = [](const Vec3& at) { return Vec3(1, at.x(), at.y()); };
  for (const Vec3& foot : feet) moments += law(foot) * law(foot).transpose();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Real weight = scene_.bodies[dynamic_[i]].mass * scene_.gravity.norm();
    load += weight * law(states_[i].pose.position);
  }
  const Vec3 solution = moments.inverse() * load;
  Real sum = 0;
  shareError_ = 0;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    sum += borne[i];
    shareError_ = std::max(shareError_, std::abs(borne[i] / solution.dot(law(feet[i])) - 1));
  }
  weightError_ = std::abs(sum / load[0] - 1);
}

void Observation::measureDrift(PeerFigures& out) const {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Vec3 moved = states_[i].pose.position - scene_.bodies[dynamic_[i]].pose.position;
    out.drift = std::max(out.drift, moved.norm());
    out.driftLateral = std::max(out.driftLateral, moved.head<2>().norm());
    if (std::abs(moved.z()) > std::abs(out.driftVertical)) out.driftVertical = moved.z();
  }
}

/// Our own collision detection on the poses of any engine, without margin: the depth of a pair is
/// the least that a move along a normal takes to part the exact shapes.
void Observation::measureOverlap(PeerFigures& out) const {
  CollisionWorld world({.margin = 0});
  std::vector<int> colliders(scene_.bodies.size(), -1);
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const PeerBody& body = scene_.bodies[i];
    if (!body.shape) continue;
    colliders[i] = world.add(*body.shape, poseOf(static_cast<int>(i)), {}, !body.isDynamic);
  }
  for (const PeerJoint& joint : scene_.joints) {
    const int a = colliders[joint.bodyA], b = colliders[joint.bodyB];
    if (a >= 0 && b >= 0) world.setPairEnabled(a, b, false);
  }
  std::vector<ContactPoint> contacts;
  world.detect(contacts);
  std::map<std::pair<int, int>, Real> depths;
  for (const ContactPoint& contact : contacts) {
    Real& depth = depths[{contact.colliderA, contact.colliderB}];
    depth = std::max(depth, -contact.gap);
  }
  std::vector<Real> overlaps;
  for (const auto& [pair, depth] : depths) {
    if (depth > 0) overlaps.push_back(depth);
  }
  out.overlapping = static_cast<int>(overlaps.size());
  out.overlapLargest = largest(overlaps);
  out.overlapMean = mean(overlaps);
}

Real Observation::kineticEnergy() const {
  Real energy = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const PeerBody& body = scene_.bodies[dynamic_[i]];
    const Vec3 turning = states_[i].pose.rotation.conjugate() * states_[i].angularVelocity;
    energy += 0.5 * body.mass * states_[i].velocity.squaredNorm() +
              0.5 * turning.dot(body.moments.cwiseProduct(turning));
  }
  return energy;
}

Real Observation::largestJointGap() const {
  Real gap = 0;
  for (const PeerJoint& joint : scene_.joints) {
    const Vec3 between = poseOf(joint.bodyB) * joint.anchorB - poseOf(joint.bodyA) * joint.anchorA;
    gap = std::max(gap, between.norm());
  }
  return gap;
}

Pose Observation::poseOf(int body) const {
  return stateOf_[body] >= 0 ? states_[stateOf_[body]].pose : scene_.bodies[body].pose;
}

}  // namespace drystone::bench
