// Bodies where the coordinates of their joints lead: from the ones that stay on, joint by joint.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/half_done.h"
#include "engine/step/world_parts.h"
#include "engine/world/world.h"

namespace drystone {
namespace {

/// A body that is placed from another one by a joint between them.
struct Branch {
  int joint = -1;
  bool fromA = true;  ///< body A stays, and B is placed
};

/// Slots of the body that stays and of the one that it places.
struct BranchEnds {
  int from, to;
};

BranchEnds ends(const Branch& branch, const Joint& joint) {
  return branch.fromA ? BranchEnds{joint.bodyA, joint.bodyB} : BranchEnds{joint.bodyB, joint.bodyA};
}

/// Pose of the reference frame, and the velocity of its origin.
struct BodyState {
  Pose pose;
  Vec3 velocity = Vec3::Zero();  ///< of the centre of mass [m/s]
  Vec3 spin = Vec3::Zero();      ///< [rad/s]
};

/// Each branch after that of the body which it starts from. A joint that leads to a body that was
/// reached already is left out.
std::vector<Branch> branchesOf(const WorldParts& world) {
  const BodyStore& bodies = world.bodies;
  std::vector<char> isPlaced(bodies.slots(), 0);
  for (int i = 0; i < bodies.slots(); ++i) {
    isPlaced[i] = bodies.record[i].alive && !bodies.isDynamic(i) ? 1 : 0;
  }
  std::vector<Branch> branches;
  const auto grow = [&] {
    for (bool isGrowing = true; isGrowing;) {
      isGrowing = false;
      for (int j = 0; j < world.joints.slots(); ++j) {
        const Joint& joint = world.joints[j];
        if (!joint.active() || joint.geometry != JointGeometry::kFrames) continue;
        const bool hasA = isPlaced[joint.bodyA] != 0, hasB = isPlaced[joint.bodyB] != 0;
        if (hasA == hasB) continue;
        branches.push_back({j, hasA});
        isPlaced[joint.bodyA] = isPlaced[joint.bodyB] = 1;
        isGrowing = true;
      }
    }
  };
  grow();
  for (int i = 0; i < bodies.slots(); ++i) {
    if (isPlaced[i] != 0 || !bodies.record[i].alive) continue;
    isPlaced[i] = 1;
    grow();
  }
  return branches;
}

/// Coordinates and rates of one joint.
struct JointState {
  std::array<Real, 6> value = {}, rate = {};
};

JointState stateOf(const WorldParts& world, const Joint& joint) {
  std::array<JointCoordinate, 6> now;
  jointCoordinates(world.bodies, world.joints, joint, now);
  JointState state;
  for (int i = 0; i < 6; ++i) {
    const JointAxis& axis = joint.axes[i];
    if (axis.isLocked()) {  // what it drifted by is not kept
      state.value[i] = axis.lower;
      continue;
    }
    state.value[i] = now[i].value;
    state.rate[i] = now[i].jacobianA.dot(world.bodies.velocity[joint.bodyA]) +
                    now[i].jacobianB.dot(world.bodies.velocity[joint.bodyB]);
  }
  return state;
}

Quat about(int axis, Real angle) { return Quat(Eigen::AngleAxis<Real>(angle, Vec3::Unit(axis))); }

/// As BodyStore has a body: its principal axes at the centre of mass, and its velocity.
struct BodyFrame {
  Pose pose;
  Vec6 velocity;
};

std::vector<BodyFrame> framesOf(const BodyStore& bodies) {
  std::vector<BodyFrame> frames;
  for (int i = 0; i < bodies.slots(); ++i) {
    frames.push_back({{bodies.position[i], bodies.rotation[i]}, bodies.velocity[i]});
  }
  return frames;
}

/// Where BodyHandle would put a body. Throws InputError where it would.
BodyFrame frameAfter(const BodyStore& bodies, int body, const BodyState& state) {
  requireBounded("placeJoints", "linear velocity of a body", state.velocity, "m/s");
  requireBounded("placeJoints", "angular velocity of a body", state.spin, "rad/s");
  BodyFrame frame;
  frame.pose =
      requirePose("placeJoints", "pose of a body", state.pose) * bodies.reference[body].inverse();
  frame.pose.rotation.normalize();
  frame.velocity << state.velocity, state.spin;
  bodies.dropLocked(body, frame.velocity);
  return frame;
}

/// The other body of a joint, from the frame of the one that stays: JointGeometry::kFrames says
/// what the coordinates are.
BodyState placedBy(const WorldParts& world, const BodyFrame& from, const Branch& branch,
                   const JointState& state) {
  const BodyStore& bodies = world.bodies;
  const Joint& joint = world.joints[branch.joint];
  const auto& q = state.value;
  const Quat first = about(0, q[kAboutX]), second = first * about(1, q[kAboutY]);
  const Pose between{.position = {q[0], q[1], q[2]}, .rotation = second * about(2, q[kAboutZ])};
  const Pose a =
      branch.fromA ? from.pose * joint.frameA : from.pose * joint.frameB * between.inverse();
  const Pose b = a * between;
  Pose body = branch.fromA ? b * joint.frameB.inverse() : a * joint.frameA.inverse();
  body.rotation.normalize();
  // Linear rates are those of B's origin against the point of A that it meets.
  const auto& rate = state.rate;
  const Vec3 slide = a.rotation * Vec3(rate[0], rate[1], rate[2]);
  const Vec3 turn =
      a.rotation * Vec3(rate[kAboutX] * Vec3::UnitX() + rate[kAboutY] * (first * Vec3::UnitY()) +
                        rate[kAboutZ] * (second * Vec3::UnitZ()));
  const Real sign = branch.fromA ? 1 : -1;
  const Vec3 spin = from.velocity.tail<3>() + sign * turn;
  const Vec3 atOrigin = from.velocity.head<3>() +
                        Vec3(from.velocity.tail<3>()).cross(b.position - from.pose.position) +
                        sign * slide;
  return {.pose = body * bodies.reference[ends(branch, joint).to],
          .velocity = atOrigin + spin.cross(body.position - b.position),
          .spin = spin};
}

/// Throws InputError unless the joint is one of the branches.
void requirePlaceable(const WorldParts& world, const std::vector<Branch>& branches,
                      const JointPlace& place) {
  const Joint& joint = world.joints.at(place.joint);
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("placeJoints: joint '{}' {}", joint.name, why));
  };
  if (joint.broken) refuse("is broken: remove it and add another one");
  if (joint.geometry != JointGeometry::kFrames) {
    refuse("is a distance or gear joint: place the joints that its bodies hang on");
  }
  if (place.coordinate < 0 || place.coordinate >= 6) {
    refuse(fmt::format("has coordinates 0 to 5, not {}", place.coordinate));
  }
  const bool isBranch = std::ranges::any_of(
      branches, [&](const Branch& branch) { return branch.joint == place.joint.index; });
  if (!isBranch) {
    refuse("closes a loop, or is between bodies that stay: place the other joints of it");
  }
  if (joint.axes[place.coordinate].isLocked()) {
    refuse(fmt::format("is locked along coordinate {}: setLimits first", place.coordinate));
  }
  for (const Real number : {place.value, place.rate}) {
    if (!std::isnan(number)) requireFinite("placeJoints", "value or rate", number);
  }
}

}  // namespace

void World::placeJoints(std::span<const JointPlace> places) {
  requireUsable(*parts_, "placeJoints");
  const std::vector<Branch> branches = branchesOf(*parts_);
  for (const JointPlace& place : places) requirePlaceable(*parts_, branches, place);
  // All are read, and all that follows is checked, before the first body moves.
  std::vector<JointState> states;
  states.reserve(branches.size());
  for (const Branch& branch : branches) {
    states.push_back(stateOf(*parts_, parts_->joints[branch.joint]));
    for (const JointPlace& place : places) {
      if (place.joint.index != branch.joint) continue;
      if (!std::isnan(place.value)) states.back().value[place.coordinate] = place.value;
      if (!std::isnan(place.rate)) states.back().rate[place.coordinate] = place.rate;
    }
  }
  std::vector<BodyFrame> frames = framesOf(parts_->bodies);
  std::vector<BodyState> goals;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const Joint& joint = parts_->joints[branches[i].joint];
    const auto [from, to] = ends(branches[i], joint);
    goals.push_back(placedBy(*parts_, frames[from], branches[i], states[i]));
    frames[to] = frameAfter(parts_->bodies, to, goals.back());
  }
  for (std::size_t i = 0; i < branches.size(); ++i) {
    Joint& joint = parts_->joints[branches[i].joint];
    const BodyHandle handle = body(parts_->bodies.idOf(ends(branches[i], joint).to));
    handle.setPose(goals[i].pose);
    handle.setVelocity(goals[i].velocity, goals[i].spin);
    for (int angle = 0; angle < 3; ++angle) joint.angle[angle] = states[i].value[3 + angle];
  }
}

}  // namespace drystone
