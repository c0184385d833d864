#include "engine/step/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/field_visitor.h"
#include "core/parallel.h"
#include "engine/model/joint_coordinates.h"
#include "engine/model/keys.h"
#include "engine/step/spin.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

constexpr int kBodiesPerRange = 256;
/// Calls `visit(slot)` for all that may move, each on any thread.
template <class Visit>
void forEachActive(const BodyStore& bodies, int threads, Visit&& visit) {
  const std::span<const int> active = bodies.active();
  parallelRanges(static_cast<int>(active.size()), kBodiesPerRange, threads,
                 [&](int begin, int end) {
                   for (const int i : active.subspan(begin, end - begin)) visit(i);
                 });
}

/// What a change of angular velocity leaves of itself where some rotations are locked: the impulse
/// that makes it works on the free axes alone. A body with one free axis has no gyroscopic term.
Vec3 alongFreeAxes(const BodyStore& bodies, int body, const Vec3& change) {
  const int free =
      3 - bodies.isLocked(body, 3) - bodies.isLocked(body, 4) - bodies.isLocked(body, 5);
  if (free < 2) return Vec3::Zero();
  return bodies.inverseInertia[body].inverseInertia * bodies.angularMomentum(body, change);
}

/// Divides u = (v, ω) by 1 + h c, and keeps what that takes.
void damp(Real linear, Real angular, Real h, Vec6& u, Vec6& taken) {
  taken.setZero();
  if (linear == 0 && angular == 0) return;
  const Vec6 before = u;
  u.head<3>() /= 1 + h * linear;
  u.tail<3>() /= 1 + h * angular;
  taken = u - before;
}

/// Rotation by the vector `turn` [rad], world axes: exp(turn / 2).
Quat rotationBy(const Vec3& turn) {
  const Real angle = turn.norm();
  // sin(x/2)/x for small x from its series; the next term is below round-off.
  const Real factor = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle;
  const Vec3 axis = factor * turn;
  return {std::cos(angle / 2), axis.x(), axis.y(), axis.z()};
}

/// Copies what may move, or all where something came, went, woke or fell asleep since.
template <class Value>
void copyMoving(const BodyStore& bodies, const std::vector<Value>& from, std::vector<Value>& to,
                std::uint64_t& version) {
  if (version != bodies.activeVersion()) {
    to = from;
    version = bodies.activeVersion();
  } else {
    for (const int i : bodies.active()) to[i] = from[i];
  }
}

/// Blocks of an island from which on threads share the bodies of it.
constexpr int kSharedBlocks = 1024;

bool isShared(const Islands& islands, int island) {
  return islands.blockStart[island + 1] - islands.blockStart[island] >= kSharedBlocks;
}

/// Applies the impulses of an island to a range of its bodies, in the order of its blocks.
void applyToRange(const Islands& islands, int island, int begin, int end,
                  const ConstraintRows& rows, std::span<const Vec6> freeVelocity,
                  BodyStore& bodies) {
  const int* body = islands.bodies.data() + islands.bodyStart[island];
  for (int i = begin; i < end; ++i) bodies.velocity[body[i]] = freeVelocity[body[i]];
  for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
    const ProblemBlock& block = rows.blocks[k];
    const auto apply = [&](int local, const std::vector<Vec6>& jacobian) {
      if (local < begin || local >= end) return;
      Vec6 impulse = Vec6::Zero();
      for (int row = rows.firstRow[k]; row < rows.firstRow[k] + block.rows; ++row) {
        impulse += rows.lambda[row] * jacobian[row];
      }
      const InverseInertia& inertia = bodies.inverseInertia[body[local]];
      Vec6& velocity = bodies.velocity[body[local]];
      velocity.head<3>() += inertia.inverseMass * impulse.head<3>();
      velocity.tail<3>() += inertia.inverseInertia * impulse.tail<3>();
    };
    apply(block.bodyA, rows.jacobianA);
    apply(block.bodyB, rows.jacobianB);
  }
}

}  // namespace

Vec6 prescribedVelocity(const BodyStore& bodies, int body, Real time) {
  const auto [before, next, share] = placeAmong(bodies.record[body].motion, time);
  Vec6 velocity;
  velocity << (1 - share) * before.linear + share * next.linear,
      (1 - share) * before.angular + share * next.angular;
  return velocity;
}

void setPrescribedVelocities(Real time, BodyStore& bodies) {
  for (const int i : bodies.active()) {
    if (bodies.record[i].motion.empty()) continue;
    bodies.velocity[i] = prescribedVelocity(bodies, i, time);
  }
}

void keepVelocities(const BodyStore& bodies, StepMotion& motion) {
  copyMoving(bodies, bodies.velocity, motion.old, motion.oldVersion);
}

void keepRotations(const BodyStore& bodies, StepMotion& motion) {
  copyMoving(bodies, bodies.rotation, motion.met, motion.metVersion);
}

void keepEnd(const BodyStore& bodies, const Vec3& gravity, StepMotion& motion) {
  copyMoving(bodies, bodies.velocity, motion.end, motion.endVersion);
  motion.gravity = gravity;
}

void forgetEnd(int body, StepMotion& motion) {
  if (body < static_cast<int>(motion.end.size())) {
    motion.end[body].setConstant(std::numeric_limits<Real>::quiet_NaN());
  }
}

void freeMotion(const BodyStore& bodies, const WorldSettings& settings, Real time, Real h,
                StepMotion& motion) {
  const bool isMoreau = settings.integrator == Integrator::kMoreau;
  if (motion.freeVersion != bodies.activeVersion()) {
    motion.free = bodies.velocity;
    motion.load.assign(bodies.load.size(), Vec6::Zero());
    motion.damped.assign(bodies.load.size(), Vec6::Zero());
    motion.freeVersion = bodies.activeVersion();
  }
  forEachActive(bodies, settings.threads, [&](int i) {
    motion.free[i] = bodies.velocity[i];
    motion.load[i].setZero();
    if (!bodies.isDynamic(i)) return;
    const Vec6& load = motion.load[i] = bodies.meanLoad(i, time, h);
    Vec6& u = motion.free[i];
    const Quat& q = bodies.rotation[i];
    if (settings.gyroscopic != GyroscopicTerm::kOff) {
      const Vec3 omega = q.conjugate() * u.tail<3>();
      const Vec3 torque =
          isMoreau ? q.conjugate() * (bodies.jointTorque[i] + load.tail<3>()) : Vec3(Vec3::Zero());
      // The change alone turns back: ω as a whole would lose round-off every step.
      Vec3 change = q * gyroscopicChange(bodies.moments[i], omega, torque, h);
      if (bodies.locked[i] >> 3 != 0) change = alongFreeAxes(bodies, i, change);
      u.tail<3>() += change;
    }
    u += h * applyInverseInertia(bodies.inverseInertia[i], load);
    u.head<3>() += h * bodies.gravityOf(i, settings.gravity);
    bodies.dropLocked(i, u);
    damp(bodies.linearDamping[i], bodies.angularDamping[i], h, u, motion.damped[i]);
  });
}

Pose displaced(const Pose& pose, const Vec6& displacement) {
  const Vec3 turn = displacement.tail<3>();
  return {pose.position + displacement.head<3>(), (rotationBy(turn) * pose.rotation).normalized()};
}

void displaceBody(int body, const Vec6& displacement, BodyStore& bodies) {
  const Pose pose = displaced({bodies.position[body], bodies.rotation[body]}, displacement);
  bodies.position[body] = pose.position;
  bodies.rotation[body] = pose.rotation;
  bodies.updateInverseInertia(body);
}

void advancePoses(Real duration, std::span<const Real> share, int threads, BodyStore& bodies,
                  JointStore& joints) {
  const auto timeOf = [&](int body) { return share.empty() ? duration : share[body] * duration; };
  const auto turnOf = [&](int body) {
    return Vec3(timeOf(body) * bodies.velocity[body].tail<3>());
  };
  for (Joint& joint : joints) {
    if (!joint.active() || isAsleep(bodies, joint)) continue;
    followTurn(bodies, turnOf(joint.bodyA), turnOf(joint.bodyB), joint);
  }
  forEachActive(bodies, threads,
                [&](int i) { displaceBody(i, timeOf(i) * bodies.velocity[i], bodies); });
}

int firstDiverging(const BodyStore& bodies, Real h, int threads) {
  // A comparison with NaN is false, too.
  const auto isInRange = [](const auto& values) {
    return (values.array().abs() <= kLargestInput).all();
  };
  const auto diverges = [&](int i) {
    const Vec6& u = bodies.velocity[i];
    return !isInRange(u) || !isInRange(bodies.position[i] + h * u.head<3>());
  };
  const std::span<const int> active = bodies.active();
  const auto hasOne = [&](int begin, int end) {
    return std::ranges::any_of(active.subspan(begin, end - begin), diverges);
  };
  // Most steps have none, and which range is found first may depend on the threads.
  if (!parallelAny(static_cast<int>(active.size()), kBodiesPerRange, threads, hasOne)) return -1;
  return *std::ranges::find_if(active, diverges);
}

void applyImpulses(const Islands& islands, int island, const ConstraintRows& rows,
                   std::span<const Vec6> freeVelocity, BodyStore& bodies) {
  const int count = islands.bodyStart[island + 1] - islands.bodyStart[island];
  applyToRange(islands, island, 0, count, rows, freeVelocity, bodies);
}

void applyImpulses(const Islands& islands, const ConstraintRows& rows,
                   std::span<const Vec6> freeVelocity, int threads, BodyStore& bodies) {
  for (const int i : bodies.active()) {
    if (bodies.isDynamic(i) && islands.ofBody[i] < 0) bodies.velocity[i] = freeVelocity[i];
  }
  // Islands share no dynamic body, so they may be applied side by side.
  parallelFor(islands.count(), threads, [&](int island, int) {
    if (isShared(islands, island)) return;
    applyImpulses(islands, island, rows, freeVelocity, bodies);
  });
  // Of a large island each thread looks at all blocks and moves bodies of its own.
  for (int island = 0; island < islands.count(); ++island) {
    if (!isShared(islands, island)) continue;
    const int count = islands.bodyStart[island + 1] - islands.bodyStart[island];
    const int share = (count + threads - 1) / std::max(threads, 1);
    parallelRanges(count, std::max(share, 1), threads, [&](int begin, int end) {
      applyToRange(islands, island, begin, end, rows, freeVelocity, bodies);
    });
  }
}

}  // namespace drystone
