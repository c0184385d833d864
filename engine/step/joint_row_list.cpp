#include "engine/step/joint_row_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "engine/model/joint_coordinates.h"
#include "engine/step/sleeping.h"

namespace drystone {
namespace {

/// What a row does for its coordinate; with the coordinate its name in warm starts. Locks of all
/// coordinates come before everything else.
enum class Role { kLock, kLowerLimit, kUpperLimit, kSpring, kMotor, kFriction };
constexpr int kRoles = 6;  // as many as coordinates, see lockedCoordinate()
constexpr int kSwingCoordinate = 6;

int keyOf(Role role, int coordinate) {
  return role == Role::kLock ? coordinate : kRoles + coordinate * kRoles + static_cast<int>(role);
}

/// Appends rows of one joint to a list.
class RowList {
 public:
  RowList(const BodyStore& bodies, const JointRowRules& rules, const Joint& joint,
          std::vector<StepJointRow>& rows)
      : rules_(rules),
        joint_(joint),
        velocity_(rules.forces ? std::span<const Vec6>(bodies.velocity) : std::span<const Vec6>()),
        rows_(rows),
        h_(rules.h),
        rateShare_(rules.forces ? 1 : 0),
        gamma_(isSoft(joint) && rules.forces ? rules.softGamma : rules.gamma),
        restitution_(isSoft(joint) ? 0 : rules.restitution),
        compliance_(joint.compliance.value_or(rules.compliance)) {}

  /// q̇ = -γ φ/h, φ = q - at.
  void lock(int index, const JointCoordinate& q, Real at) {
    // A row on the mean velocity is unstable with any share of the error: one on the end velocity
    // damps what the share stirs up, this one only turns its sign.
    const bool isMean = restitution_ > 0;
    const Real bias = isMean ? -joint_.lockRate[index].excess : gamma_ * (q.value - at) / h_;
    add(keyOf(Role::kLock, index), q, 1, bias, compliance_, -kInfinity, kInfinity, restitution_);
  }

  /// One end of the range, as a contact: the gap may close within the step but not more. It is the
  /// nearer end of the two to where the coordinate goes, so that a narrow range stops what is fast.
  void limit(int index, const JointCoordinate& q, Real lower, Real upper) {
    const Real above = q.value - lower, below = upper - q.value;
    if (std::isinf(above) && std::isinf(below)) return;
    const Real way = wayOf(q);
    const bool isLower = above + way <= below - way;
    const Real gap = isLower ? above : below;
    add(keyOf(isLower ? Role::kLowerLimit : Role::kUpperLimit, index), q, isLower ? 1 : -1,
        (gap > 0 ? 1 : gamma_) * gap / h_, compliance_, 0, kInfinity);
  }

  /// A spring that the integrator treats as it does motion.
  void spring(int index, const JointCoordinate& q, const JointSpring& spring) {
    if (rules_.midpoint) {
      midpointSpring(index, q, spring);
    } else {
      endSpring(Role::kSpring, index, q, spring, spring.rest, 0, kInfinity);
    }
  }

  /// λ = -h (k (q̄ - rest) + d q̇¯) by the means of start and end, written as a row (M.8). With the
  /// coordinate q of the middle they are q̄ = q + h (q̇⁺ - q̇) / 4 and q̇¯ = (q̇⁺ + q̇) / 2. The work
  /// of the spring is then what it stores.
  void midpointSpring(int index, const JointCoordinate& q, const JointSpring& spring) {
    const Real stiff = h_ * h_ * spring.stiffness / 4, damped = h_ * spring.damping / 2;
    const Real scale = stiff + damped;
    if (!(scale > 0)) return;
    add(keyOf(Role::kSpring, index), q, 1, h_ * spring.stiffness * (q.value - spring.rest) / scale,
        1 / scale, -kInfinity, kInfinity, (damped - stiff) / scale);
  }

  /// λ = -h (k (q⁺ - rest) + d q̇⁺) with q⁺ = q + h q̇⁺, written as a row (M.8).
  void endSpring(Role role, int index, const JointCoordinate& q, const JointSpring& spring,
                 Real rest, Real extraBias, Real cap) {
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
      add(keyOf(Role::kMotor, index), q, 1, -targetAt(rules_.end), compliance_, -cap, cap);
      return;
    }
    // The error at detection is taken back, and the target's own motion to the next detection goes
    // on top.
    const Real start = targetAt(rules_.detection);
    const Real rate = (targetAt(rules_.detection + h_) - start) / h_;
    if (motor.servo) {
      endSpring(Role::kMotor, index, q, *motor.servo, start, -rate, cap);
    } else {
      add(keyOf(Role::kMotor, index), q, 1, rules_.softGamma * (q.value - start) / h_ - rate,
          compliance_, -cap, cap);
    }
  }

  void friction(int index, const JointCoordinate& q, Real force) {
    if (force > 0)
      add(keyOf(Role::kFriction, index), q, 1, 0, compliance_, -h_ * force, h_ * force);
  }

 private:
  /// What the coordinate moves in the step at the present velocities.
  Real wayOf(const JointCoordinate& q) const {
    if (velocity_.empty()) return 0;
    return h_ *
           (q.jacobianA.dot(velocity_[joint_.bodyA]) + q.jacobianB.dot(velocity_[joint_.bodyB]));
  }

  void add(int key, const JointCoordinate& q, Real sign, Real bias, Real compliance, Real lower,
           Real upper, Real restitution = 0) {
    rows_.push_back({.jacobianA = sign * q.jacobianA,
                     .jacobianB = sign * q.jacobianB,
                     .bias = bias + sign * rateShare_ * (1 + restitution) * q.rate,
                     .restitution = restitution,
                     .compliance = compliance,
                     .lower = lower,
                     .upper = upper,
                     .value = q.value,
                     .rate = q.rate,
                     .key = key});
  }

  const JointRowRules& rules_;
  const Joint& joint_;
  std::span<const Vec6> velocity_;  ///< [body slots]; empty where only poses count
  std::vector<StepJointRow>& rows_;
  Real h_, rateShare_, gamma_, restitution_, compliance_;
};

/// Turn of a step up to which motion counts as smooth for mean rows [rad]. Beyond, the path bends
/// too much for the last steps to tell the next, and a wrong s would feed energy in. From twice
/// this turn on there is no s: the energy stays, and impulses may alternate by some tenth of
/// theirs.
constexpr Real kSmoothTurn = 0.05;

/// Finds s for φ̇ at the start of an inner step, and takes a share of it.
void correct(Real rate, Real share, LockRate& lock) {
  Real stays = 0;
  if (!std::isnan(lock.kept)) {
    const Real path = rate + lock.kept;  // f⁻
    stays = std::isnan(lock.path) ? path / 2 : (3 * path - lock.path) / 4;
    lock.path = path;
  }
  lock.excess = share * (rate - stays);
  lock.kept = rate - lock.excess;
}

/// How far the arms of a joint turn in h, at most [rad].
Real turnOfArms(const BodyStore& bodies, const Joint& joint, Real h) {
  const auto turnOf = [&](int body, const Pose& frame) {
    const Vec3 arm = bodies.rotation[body] * frame.position;
    const Real length = arm.norm();
    return length > 0 ? h * bodies.velocity[body].tail<3>().cross(arm).norm() / length : 0;
  };
  return std::max(turnOf(joint.bodyA, joint.frameA), turnOf(joint.bodyB, joint.frameB));
}

/// Distance of the coordinate from where the joint lets it be.
Real violation(const JointAxis& axis, Real value) {
  return std::max({axis.lower - value, value - axis.upper, 0.0});
}

}  // namespace

JointRowRules stepRules(const WorldSettings& settings, Real time, Real h) {
  const Stabilization& stabilization = settings.stabilization;
  const bool isMoreau = settings.integrator == Integrator::kMoreau;
  return {.h = h,
          .end = time + h,
          .detection = isMoreau ? time + h / 2 : time,
          .gamma = settings.velocityGamma(h),
          .softGamma = stabilization.gammaFor(h),
          .compliance = stabilization.complianceFor(h),
          .restitution = settings.jointRows == JointRows::kMean ? 1.0 : 0.0,
          .midpoint = isMoreau};
}

void correctLockRates(const BodyStore& bodies, Real h, JointStore& joints) {
  std::array<JointCoordinate, 6> q;
  for (Joint& joint : joints) {
    if (!hasRows(bodies, joints, joint) || isSoft(joint)) {
      joint.forgetRates();
      continue;
    }
    jointCoordinates(bodies, joints, joint, q);
    const Vec6 &a = bodies.velocity[joint.bodyA], &b = bodies.velocity[joint.bodyB];
    const Real share = std::clamp<Real>(2 - turnOfArms(bodies, joint, h) / kSmoothTurn, 0, 1);
    for (int i = 0; i < coordinateCount(joint.geometry); ++i) {
      if (!joint.axes[i].isLocked()) continue;
      correct(q[i].jacobianA.dot(a) + q[i].jacobianB.dot(b) + q[i].rate, share, joint.lockRate[i]);
    }
  }
}

bool isInForce(const JointStore& joints, const Joint& joint) {
  return joint.active() && (joint.geometry != JointGeometry::kGear ||
                            (joints[joint.gear1].active() && joints[joint.gear2].active()));
}

bool hasRows(const BodyStore& bodies, const JointStore& joints, const Joint& joint) {
  return isInForce(joints, joint) && (bodies.isAwake(joint.bodyA) || bodies.isAwake(joint.bodyB));
}

void appendJointRows(const BodyStore& bodies, const JointStore& joints, const JointRowRules& rules,
                     Joint& joint, std::vector<StepJointRow>& out) {
  std::array<JointCoordinate, 6> q;
  jointCoordinates(bodies, joints, joint, q);
  RowList rows(bodies, rules, joint, out);
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
    if (!rules.forces) continue;
    if (axis.spring) rows.spring(i, q[i], *axis.spring);
    if (axis.motor) rows.motor(i, q[i], *axis.motor);
    rows.friction(i, q[i], axis.friction);
  }
  if (joint.swingLimit < kInfinity) {
    const JointCoordinate swing = swingCoordinate(bodies, joint);
    rows.limit(kSwingCoordinate, swing, -kInfinity, joint.swingLimit);
    const Real error = std::max(swing.value - joint.swingLimit, 0.0);
    turn += error * error;
  }
  joint.drift = std::sqrt(drift);
  joint.turnError = std::sqrt(turn);
  rememberAngles(q, joint);
}

void listJointRows(const BodyStore& bodies, const JointRowRules& rules, JointStore& joints,
                   JointRowList& list) {
  list.rows.clear();
  list.blocks.clear();
  for (int slot = 0; slot < joints.slots(); ++slot) {
    Joint& joint = joints[slot];
    if (isAsleep(bodies, joint)) continue;  // keeps its errors
    joint.drift = joint.turnError = 0;
    if (!hasRows(bodies, joints, joint)) continue;
    int first = static_cast<int>(list.rows.size());
    appendJointRows(bodies, joints, rules, joint, list.rows);
    const int end = static_cast<int>(list.rows.size());
    for (int part = 0; first < end; ++part, first += kMaxBlockRows) {
      list.blocks.push_back({.joint = slot,
                             .part = part,
                             .firstRow = first,
                             .rows = std::min(kMaxBlockRows, end - first),
                             .bodyA = joint.bodyA,
                             .bodyB = joint.bodyB});
    }
  }
}

}  // namespace drystone
