#include "engine/step/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "engine/core/hash.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/connected_collision.h"

namespace drystone {
namespace {

/// Keeps the keys of joints apart from those of contacts.
constexpr std::uint64_t kJointKeySalt = 0x6a6f696e74ULL;

/// What a row does for its coordinate; with the coordinate its name in warm starts. Locks of all
/// coordinates come before everything else.
enum class Role { kLock, kLowerLimit, kUpperLimit, kSpring, kMotor, kFriction };
constexpr int kRoles = 6;
constexpr int kSwingCoordinate = 6;

int keyOf(Role role, int coordinate) {
  return role == Role::kLock ? coordinate : kRoles + coordinate * kRoles + static_cast<int>(role);
}

/// Appends rows of one joint to the step's list.
class RowList {
 public:
  RowList(const WorldParts& world, const Joint& joint, StepData& data)
      : settings_(world.settings),
        end_(world.time + world.settings.timestep),
        detection_(world.settings.integrator == Integrator::kMoreau
                       ? world.time + world.settings.timestep / 2
                       : world.time),
        joint_(joint),
        data_(data),
        h_(world.settings.timestep),
        gamma_(world.settings.stabilization.gammaFor(h_)),
        compliance_(joint.compliance.value_or(world.settings.stabilization.complianceFor(h_))) {}

  /// q̇ = -γ φ/h, φ = q - at.
  void lock(int index, const JointCoordinate& q, Real at) {
    add(keyOf(Role::kLock, index), q, 1, gamma_ * (q.value - at) / h_, compliance_, -kInfinity,
        kInfinity);
  }

  /// The nearer end of the range, as a contact: the gap may close within the step but not more.
  void limit(int index, const JointCoordinate& q, Real lower, Real upper) {
    const Real above = q.value - lower, below = upper - q.value;
    if (std::isinf(above) && std::isinf(below)) return;
    const bool isLower = above <= below;
    const Real gap = isLower ? above : below;
    add(keyOf(isLower ? Role::kLowerLimit : Role::kUpperLimit, index), q, isLower ? 1 : -1,
        (gap > 0 ? 1 : gamma_) * gap / h_, compliance_, 0, kInfinity);
  }

  /// λ = -h (k (q⁺ - rest) + d q̇⁺) with q⁺ = q + h q̇⁺, written as a row (M.8).
  void spring(Role role, int index, const JointCoordinate& q, const JointSpring& spring, Real rest,
              Real extraBias, Real cap) {
    const Real scale = h_ * spring.damping + h_ * h_ * spring.stiffness;
    if (!(scale > 0)) return;
    add(keyOf(role, index), q, 1, h_ * spring.stiffness * (q.value - rest) / scale + extraBias,
        1 / scale, -cap, cap);
  }

  void motor(int index, const JointCoordinate& q, const JointMotor& motor) {
    const Real cap = h_ * motor.maxForce;
    const bool isSet = !std::isnan(joint_.target[index]);
    const auto targetAt = [&](Real time) {
      return isSet ? joint_.target[index] : motor.target.at(time);
    };
    if (motor.kind == MotorKind::kVelocity) {
      add(keyOf(Role::kMotor, index), q, 1, -targetAt(end_), compliance_, -cap, cap);
      return;
    }
    // The error at detection is taken back, and the target's own motion to the next detection goes
    // on top.
    const Real start = targetAt(detection_);
    const Real rate = (targetAt(detection_ + h_) - start) / h_;
    if (motor.servo) {
      spring(Role::kMotor, index, q, *motor.servo, start, -rate, cap);
    } else {
      add(keyOf(Role::kMotor, index), q, 1, gamma_ * (q.value - start) / h_ - rate, compliance_,
          -cap, cap);
    }
  }

  void friction(int index, const JointCoordinate& q, Real force) {
    if (force > 0)
      add(keyOf(Role::kFriction, index), q, 1, 0, compliance_, -h_ * force, h_ * force);
  }

 private:
  void add(int key, const JointCoordinate& q, Real sign, Real bias, Real compliance, Real lower,
           Real upper) {
    data_.jointRows.push_back(
        {sign * q.jacobianA, sign * q.jacobianB, bias, compliance, lower, upper, key});
  }

  const WorldSettings& settings_;
  Real end_, detection_;  ///< of the step, and of the poses that coordinates are measured at [s]
  const Joint& joint_;
  StepData& data_;
  Real h_, gamma_, compliance_;
};

/// Distance of the coordinate from where the joint lets it be.
Real violation(const JointAxis& axis, Real value) {
  return std::max({axis.lower - value, value - axis.upper, 0.0});
}

void listRows(const WorldParts& world, Joint& joint, StepData& data) {
  std::array<JointCoordinate, 6> q;
  jointCoordinates(world.bodies, world.joints, joint, q);
  RowList rows(world, joint, data);
  const int count = coordinateCount(joint.geometry);
  Real drift = 0, turn = 0;
  for (int i = 0; i < count; ++i) {
    if (joint.axes[i].isLocked()) rows.lock(i, q[i], joint.axes[i].lower);
    const Real error = violation(joint.axes[i], q[i].value);
    (isAngle(joint.geometry, i) ? turn : drift) += error * error;
  }
  for (int i = 0; i < count; ++i) {
    const JointAxis& axis = joint.axes[i];
    if (!axis.isLocked()) rows.limit(i, q[i], axis.lower, axis.upper);
    if (axis.spring)
      rows.spring(Role::kSpring, i, q[i], *axis.spring, axis.spring->rest, 0, kInfinity);
    if (axis.motor) rows.motor(i, q[i], *axis.motor);
    rows.friction(i, q[i], axis.friction);
  }
  if (joint.swingLimit < kInfinity) {
    const JointCoordinate swing = swingCoordinate(world.bodies, joint);
    rows.limit(kSwingCoordinate, swing, -kInfinity, joint.swingLimit);
    const Real error = std::max(swing.value - joint.swingLimit, 0.0);
    turn += error * error;
  }
  joint.drift = std::sqrt(drift);
  joint.turnError = std::sqrt(turn);
  if (joint.geometry == JointGeometry::kFrames) {
    for (int i = 0; i < 3; ++i) joint.angle[i] = q[3 + i].value;
  }
}

bool isActive(const WorldParts& world, const Joint& joint) {
  if (!joint.active()) return false;
  if (!world.bodies.isDynamic(joint.bodyA) && !world.bodies.isDynamic(joint.bodyB)) return false;
  return joint.geometry != JointGeometry::kGear ||
         (world.joints[joint.gear1].active() && world.joints[joint.gear2].active());
}

}  // namespace

void listJointRows(WorldParts& world, StepData& data) {
  data.jointRows.clear();
  data.jointBlocks.clear();
  for (std::size_t slot = 0; slot < world.joints.size(); ++slot) {
    Joint& joint = world.joints[slot];
    joint.drift = joint.turnError = 0;
    if (!isActive(world, joint)) continue;
    int first = static_cast<int>(data.jointRows.size());
    listRows(world, joint, data);
    const int end = static_cast<int>(data.jointRows.size());
    for (int part = 0; first < end; ++part, first += kMaxBlockRows) {
      data.jointBlocks.push_back({.joint = static_cast<int>(slot),
                                  .part = part,
                                  .firstRow = first,
                                  .rows = std::min(kMaxBlockRows, end - first),
                                  .bodyA = joint.bodyA,
                                  .bodyB = joint.bodyB});
    }
  }
}

void jointRows(const WorldParts& world, StepData& data) {
  const BodyStore& bodies = world.bodies;
  ConstraintRows& rows = data.rows;
  for (const StepJointBlock& source : data.jointBlocks) {
    ProblemBlock& block = rows.blocks[source.block];
    block.law = BlockLaw::kRows;
    block.key = mixKeys(mixKeys(kJointKeySalt, source.joint), source.part);
    const bool movesA = bodies.isDynamic(source.bodyA), movesB = bodies.isDynamic(source.bodyB);
    for (int i = 0; i < source.rows; ++i) {
      const StepJointRow& from = data.jointRows[source.firstRow + i];
      const int row = rows.firstRow[source.block] + i;
      rows.jacobianA[row] = movesA ? from.jacobianA : Vec6::Zero();
      rows.jacobianB[row] = movesB ? from.jacobianB : Vec6::Zero();
      rows.restitutionTerm[row] = 0;
      rows.stabilizationTerm[row] = from.bias;
      rows.b[row] = from.jacobianA.dot(data.freeVelocity[source.bodyA]) +
                    from.jacobianB.dot(data.freeVelocity[source.bodyB]) + from.bias;
      rows.compliance[row] = from.compliance;
      rows.lower[row] = from.lower;
      rows.upper[row] = from.upper;
    }
  }
}

void finishJoints(WorldParts& world, const StepData& data, StepReport& report) {
  for (Joint& joint : world.joints) {
    joint.impulse.setZero();
    joint.angularImpulse.setZero();
  }
  const ConstraintRows& rows = data.rows;
  for (const StepJointBlock& source : data.jointBlocks) {
    Joint& joint = world.joints[source.joint];
    for (int i = 0; i < source.rows; ++i) {
      const Real lambda = rows.lambda[rows.firstRow[source.block] + i];
      const Vec6& jacobian = data.jointRows[source.firstRow + i].jacobianB;
      joint.impulse += lambda * jacobian.head<3>();
      joint.angularImpulse += lambda * jacobian.tail<3>();
    }
  }
  for (std::size_t slot = 0; slot < world.joints.size(); ++slot) {
    Joint& joint = world.joints[slot];
    if (!joint.active() || !(joint.impulse.norm() > joint.breakingImpulse)) continue;
    joint.broken = true;
    updateConnectedCollision(world, joint);
    report.brokenJoints.push_back(static_cast<int>(slot));
  }
}

}  // namespace drystone
