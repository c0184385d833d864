#include "engine/step/joint_row_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "engine/model/cable.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/cable_rows.h"
#include "engine/step/sleeping.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

using Role = JointRowRole;
constexpr int kRoles = 6;  // as many as coordinates, see lockedCoordinate()

int keyOf(Role role, int coordinate) {
  return role == Role::kLock ? coordinate : kRoles + coordinate * kRoles + static_cast<int>(role);
}

/// Least share of the mass it moves that a spring by a table has as h d + h² k [kg], or the quarter
/// and half of it. Flat and falling pieces have less, and a row needs some: what misses is inertia,
/// which takes this share of the acceleration. Less would show in the round-off of b.
constexpr Real kLeastTableShare = 1e-6;

/// A rate of a coordinate that a row is after, and its derivatives by the coordinate and by what
/// the row leads to.
struct WantedRate {
  Real rate = 0, byValue = 0, byGoal = 0;
  WantedRate operator-() const { return {-rate, -byValue, -byGoal}; }
};

/// Appends rows of one joint to a list.
class RowList {
 public:
  RowList(const BodyStore& bodies, const JointRowRules& rules, const Joint& joint,
          std::vector<StepJointRow>& rows)
      : bodies_(bodies),
        rules_(rules),
        joint_(joint),
        velocity_(rules.forces ? std::span<const Vec6>(bodies.velocity) : std::span<const Vec6>()),
        rows_(rows),
        h_(rules.h),
        // The further spans of a cable bring their rates in rows of their own.
        rateShare_(rules.forces && !joint.isFirstSpan() ? 1 : 0),
        gamma_(isSoft(joint) && rules.forces ? rules.softGamma : rules.gamma),
        restitution_(isSoft(joint) ? 0 : rules.restitution),
        compliance_(joint.compliance.value_or(rules.compliance)) {}

  /// q̇ = -γ φ/h, φ = q - at.
  void lock(int index, const JointCoordinate& q, Real at) {
    // A row on the mean velocity is unstable with any share of the error: one on the end velocity
    // damps what the share stirs up, this one only turns its sign.
    const bool isMean = restitution_ > 0;
    const WantedRate bias =
        isMean ? WantedRate{-joint_.lockRate[index].excess}
               : WantedRate{gamma_ * (q.value - at) / h_, gamma_ / h_, -gamma_ / h_};
    add(keyOf(Role::kLock, index), q, 1, bias, compliance_, -kInfinity, kInfinity, restitution_);
  }

  /// Ends of the range, each as a contact: the gap may close within the step but not more. One is
  /// the nearer end of the two to where the coordinate goes. The other one counts where what the
  /// solve makes of the velocities may lead there, with `push`, the impulse of the joint's own
  /// forces.
  void limit(int index, const JointCoordinate& q, Real lower, Real upper, Real push) {
    const Real above = q.value - lower, below = upper - q.value;
    if (std::isinf(above) && std::isinf(below)) return;
    const Real way = wayOf(q);
    const bool isLower = above + way <= below - way;
    const bool hasBoth = rules_.forces && mayGo(q, isLower ? below : above, push);
    if (isLower || hasBoth) {
      add(keyOf(Role::kLowerLimit, index), q, 1, -rateTo(above, -1), compliance_, 0, kInfinity);
    }
    if (!isLower || hasBoth) {
      add(keyOf(Role::kUpperLimit, index), q, -1, rateTo(below, 1), compliance_, 0, kInfinity);
    }
  }

  /// The largest impulse of the spring and of the motor with a cap on a coordinate, in a step that
  /// leaves it where it is.
  Real ownPush(const JointAxis& axis, const JointCoordinate& q) const {
    Real force = 0;
    if (axis.spring) {
      const Real extension = q.value - axis.spring->rest;
      force = axis.spring->forceTable.isEmpty() ? axis.spring->stiffness * extension
                                                : axis.spring->forceTable.forceAt(extension);
    }
    const bool isBounded = axis.motor && axis.motor->maxForce < kInfinity;
    return h_ * (std::abs(force) + (isBounded ? axis.motor->maxForce : 0));
  }

  /// A spring that the integrator treats as it does motion (M.8), at its tangent: f by the
  /// coordinate, k and d. Backward Euler makes it λ = -h (f + h k q̇⁺ + d q̇⁺). The midpoint rule has
  /// the coordinate of the middle, and the means q + h (q̇⁺ - q̇) / 4 and (q̇⁺ + q̇) / 2: the work of
  /// the spring is then what it stores.
  void spring(int index, const JointCoordinate& q, const JointSpring& spring) {
    Real k = spring.stiffness, d = spring.damping;
    const Real extension = q.value - spring.rest;
    Real push = h_ * k * extension;  // h f
    if (!spring.forceTable.isEmpty()) {
      k = spring.forceTable.slopeAt(extension);
      push = h_ * spring.forceTable.forceAt(extension);
    }
    if (!spring.damperTable.isEmpty()) {
      const Real rate = rateOf(q);
      d = spring.damperTable.slopeAt(rate);
      push += h_ * (spring.damperTable.forceAt(rate) - d * rate);
    }
    const Real stiff = rules_.midpoint ? h_ * h_ * k / 4 : h_ * h_ * k;
    const Real damped = rules_.midpoint ? h_ * d / 2 : h_ * d;
    const Real back = rules_.midpoint ? damped - stiff : 0;
    const bool isTable = !spring.forceTable.isEmpty() || !spring.damperTable.isEmpty();
    const Real added =
        isTable ? std::max<Real>(kLeastTableShare * massOf(q) - (damped + stiff), 0) : 0;
    springRow(Role::kSpring, index, q, {push, h_ * k, -h_ * k}, damped + stiff + added,
              back - added, 0, kInfinity);
  }

  /// λ = -push - scale q̇⁺ - back q̇, within a cap. `push` is an impulse with its derivatives.
  void springRow(Role role, int index, const JointCoordinate& q, const WantedRate& push, Real scale,
                 Real back, Real extraBias, Real cap) {
    if (!(scale > 0)) return;
    const Real bias = push.rate / scale + extraBias;
    add(keyOf(role, index), q, 1, {bias, push.byValue / scale, push.byGoal / scale}, 1 / scale,
        -cap, cap, back / scale);
  }

  void motor(int index, const JointCoordinate& q, const JointAxis& axis) {
    const JointMotor& motor = *axis.motor;
    // One without a cap does not press against what never gives way.
    if (axis.isLocked() && motor.maxForce == kInfinity) return;
    const Real cap = h_ * motor.maxForce;
    const Real set = joint_.target[index];
    const auto targetAt = [&](Real time) { return std::isnan(set) ? motor.target.at(time) : set; };
    if (motor.kind == MotorKind::kVelocity) {
      add(keyOf(Role::kMotor, index), q, 1, -drivenRate(axis, q, {targetAt(rules_.end), 0, 1}),
          compliance_, -cap, cap);
      return;
    }
    // The error at detection is taken back, and the target's own motion to the next detection goes
    // on top.
    const Real start = targetAt(rules_.detection);
    const Real rate = (targetAt(rules_.detection + h_) - start) / h_;
    if (motor.servo) {
      const auto& [k, d] = std::pair(motor.servo->stiffness, motor.servo->damping);
      springRow(Role::kMotor, index, q, {h_ * k * (q.value - start), h_ * k, -h_ * k},
                h_ * d + h_ * h_ * k, 0, -rate, cap);
    } else {
      const Real back = rules_.softGamma / h_;
      const WantedRate wanted{rate - rules_.softGamma * (q.value - start) / h_, -back, back};
      add(keyOf(Role::kMotor, index), q, 1, -drivenRate(axis, q, wanted), compliance_, -cap, cap);
    }
  }

  void friction(int index, const JointCoordinate& q, Real force) {
    if (force > 0)
      add(keyOf(Role::kFriction, index), q, 1, {}, compliance_, -h_ * force, h_ * force);
  }

 private:
  /// The rate at which the end of a range that is so far ahead may be come to; of one that was
  /// passed the rate at which it is come back to. `side`: 1 for the upper end, -1 for the lower.
  WantedRate rateTo(Real gap, Real side) const {
    if (gap > 0) return {side * (gap / h_), -1 / h_, 1 / h_};
    const Real back = gamma_ * gap / h_;
    if (back <= -rules_.maxPush) return {side * -rules_.maxPush};
    return {side * back, -gamma_ / h_, gamma_ / h_};
  }

  /// The rate at which a motor drives. One without a cap would break through a limit, since its row
  /// is no weaker than that of the limit: it wants no more than the limit lets it.
  WantedRate drivenRate(const JointAxis& axis, const JointCoordinate& q, WantedRate wanted) const {
    if (axis.motor->maxForce < kInfinity) return wanted;
    // A limit is no goal of the motor.
    const WantedRate most = rateTo(axis.upper - q.value, 1);
    const WantedRate least = rateTo(q.value - axis.lower, -1);
    if (most.rate < wanted.rate) wanted = {most.rate, most.byValue};
    return least.rate > wanted.rate ? WantedRate{least.rate, least.byValue} : wanted;
  }

  /// What the bodies of the joint make of q̇ at the present velocities.
  Real rateByBodies(const JointCoordinate& q) const {
    if (velocity_.empty()) return 0;
    return q.jacobianA.dot(velocity_[joint_.bodyA]) + q.jacobianB.dot(velocity_[joint_.bodyB]);
  }
  Real rateOf(const JointCoordinate& q) const { return rateByBodies(q) + q.rate; }
  /// What the coordinate moves in the step.
  Real wayOf(const JointCoordinate& q) const { return velocity_.empty() ? 0 : h_ * rateOf(q); }

  /// Whether a step may lead over a way [m], [rad]. A body that a much heavier one hits leaves with
  /// twice the speed of that, and so with four times its energy. Two that fly apart so make up the
  /// rate. An angle has it where all of that energy turns.
  bool mayGo(const JointCoordinate& q, Real way, Real push) const {
    const Real mass = massOf(q);
    if (!(mass > 0) || !(way < kInfinity)) return false;
    const auto massOfBody = [&](int body) {
      return bodies_.isDynamic(body) ? bodies_.mass[body] : kInfinity;
    };
    const Real lighter = std::min(massOfBody(joint_.bodyA), massOfBody(joint_.bodyB));
    return way <= h_ * (4 * rules_.fastest * std::sqrt(lighter / mass) + push / mass);
  }

  /// Mass or inertia that a force on the coordinate alone moves: 1 / (J M⁻¹ Jᵀ) [kg], [kg m²]; 0
  /// where it moves nothing.
  Real massOf(const JointCoordinate& q) const {
    const auto inverse = [&](const Vec6& jacobian, int body) {
      return jacobian.dot(applyInverseInertia(bodies_.inverseInertia[body], jacobian));
    };
    const Real w = inverse(q.jacobianA, joint_.bodyA) + inverse(q.jacobianB, joint_.bodyB);
    return w > 0 ? 1 / w : 0;
  }

  void add(int key, const JointCoordinate& q, Real sign, const WantedRate& bias, Real compliance,
           Real lower, Real upper, Real restitution = 0) {
    rows_.push_back({.jacobianA = sign * q.jacobianA,
                     .jacobianB = sign * q.jacobianB,
                     .bias = bias.rate + sign * rateShare_ * (1 + restitution) * q.rate,
                     .biasByValue = bias.byValue,
                     .biasByGoal = bias.byGoal,
                     .restitution = restitution,
                     .compliance = compliance,
                     .lower = lower,
                     .upper = upper,
                     .value = q.value,
                     .rate = q.rate,
                     .key = key});
  }

  const BodyStore& bodies_;
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

/// Largest speed of the bodies, turns included as their energy has it [m/s].
Real fastestOf(const BodyStore& bodies) {
  Real fastest = 0;
  for (const int body : bodies.active()) {
    const Vec6& u = bodies.velocity[body];
    const bool isDynamic = bodies.isDynamic(body);
    const Real gyration =
        isDynamic ? std::sqrt(bodies.moments[body].maxCoeff() / bodies.mass[body]) : 0;
    fastest = std::max(fastest, u.head<3>().norm() + gyration * u.tail<3>().norm());
  }
  return fastest;
}

/// Distance of the coordinate from where the joint lets it be.
Real violation(const JointAxis& axis, Real value) {
  return std::max({axis.lower - value, value - axis.upper, 0.0});
}

}  // namespace

int coordinateOfKey(int key) { return key < kRoles ? key : (key - kRoles) / kRoles; }

JointRowRole roleOfKey(int key) {
  return key < kRoles ? Role::kLock : static_cast<Role>((key - kRoles) % kRoles);
}

JointRowRules stepRules(const WorldSettings& settings, Real time, Real h) {
  const Stabilization& stabilization = settings.stabilization;
  const bool isMoreau = settings.integrator == Integrator::kMoreau;
  return {.h = h,
          .end = time + h,
          .detection = isMoreau ? time + h / 2 : time,
          .gamma = settings.velocityGamma(h),
          .softGamma = stabilization.gammaFor(h),
          .maxPush = stabilization.maxPushSpeed,
          .compliance = stabilization.complianceFor(h),
          .restitution = settings.jointRows == JointRows::kMean ? 1.0 : 0.0,
          .midpoint = isMoreau,
          .fastest = h * settings.gravity.norm()};
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
  if (joint.geometry == JointGeometry::kGear) {
    return joint.active() && joints[joint.gear1].active() && joints[joint.gear2].active();
  }
  return joint.active() && isCableWhole(joints, joint);
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
    if (!axis.isLocked()) rows.limit(i, q[i], axis.lower, axis.upper, rows.ownPush(axis, q[i]));
    if (!rules.forces) continue;
    if (axis.spring) rows.spring(i, q[i], *axis.spring);
    if (axis.motor) rows.motor(i, q[i], axis);
    rows.friction(i, q[i], axis.friction);
  }
  if (joint.swingLimit < kInfinity) {
    const JointCoordinate swing = swingCoordinate(bodies, joint);
    rows.limit(kSwingCoordinate, swing, -kInfinity, joint.swingLimit, 0);
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
  JointRowRules own = rules;
  if (joints.slots() > 0) own.fastest += fastestOf(bodies);
  for (int slot = 0; slot < joints.slots(); ++slot) {
    Joint& joint = joints[slot];
    if (isAsleep(bodies, joint)) continue;  // keeps its errors
    joint.drift = joint.turnError = 0;
    if (joint.isFurtherSpan() || !hasRows(bodies, joints, joint)) continue;
    const int start = static_cast<int>(list.rows.size());
    int first = start;
    appendJointRows(bodies, joints, own, joint, list.rows);
    const int end = static_cast<int>(list.rows.size());
    for (int part = 0; first < end; ++part, first += kMaxBlockRows) {
      list.blocks.push_back({.joint = slot,
                             .part = part,
                             .firstRow = first,
                             .rows = std::min(kMaxBlockRows, end - first),
                             .bodyA = joint.bodyA,
                             .bodyB = joint.bodyB});
    }
    if (joint.isFirstSpan() && end > start) listSpans(bodies, joints, list);
  }
  // Further spans may have come before joints of lower slots.
  if (!std::ranges::is_sorted(list.blocks, {}, &StepJointBlock::joint)) {
    std::ranges::stable_sort(list.blocks, {}, &StepJointBlock::joint);
  }
}

}  // namespace drystone
