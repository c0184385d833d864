#include "engine/statics/inverse_dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/joint_coordinates.h"
#include "engine/statics/scaled_program.h"
#include "engine/step/half_done.h"
#include "engine/step/integrate.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/world_parts.h"
#include "engine/world/world.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Less than this share of all forces does not lack: what the interior point leaves.
constexpr Real kNothing = 1e-6;
/// A force that is left of the difference of others is none below this share of them.
constexpr Real kOfDifference = 1e-12;
/// Of what turning takes off a gap: steps add it in turns, up to a tolerance, and some more.
constexpr Real kOfTurning = 1.02;

Real rateOf(const StaticColumn& column, const Vec6& uA, const Vec6& uB) {
  return column.onA.dot(uA) + column.onB.dot(uB);
}

/// What an inertia makes of an acceleration.
Vec6 inertiaTimes(const BodyStore& bodies, int slot, const Vec6& acceleration) {
  Vec6 out;
  out.head<3>() = bodies.mass[slot] * acceleration.head<3>();
  const Quat& q = bodies.rotation[slot];
  out.tail<3>() = q * bodies.moments[slot].cwiseProduct(q.conjugate() * acceleration.tail<3>());
  bodies.dropLocked(slot, out);
  return out;
}

/// How an inner step of h moves bodies: from the velocities before it to those at its end.
struct StepWay {
  const std::vector<Vec6>&from, &to;  // [body slots]
  Real h = 0, still = 0;              // [s], [m/s]
};

/// Copies rows as a motion leaves them.
class MovingRows {
 public:
  MovingRows(const StaticRows& from, const BodyStore& bodies, const JointStore& joints,
             const StepWay& way, InverseAnswer& out)
      : from_(from), bodies_(bodies), joints_(joints), way_(way), out_(out) {
    to_.reach = from.reach;
    to_.slots = from.slots;
    to_.dead = from.dead;
  }

  StaticRows take() {
    for (const StaticContactRows& contact : from_.contacts) addContact(contact);
    for (const StaticJointRow& joint : from_.joints) addJoint(joint);
    return std::move(to_);
  }

 private:
  void addContact(StaticContactRows contact) {
    const Vec6 &uA = way_.to[contact.slotA], &uB = way_.to[contact.slotB];
    const StaticColumn* const own = &from_.columns[contact.first];
    const Real apart = rateOf(own[0], uA, uB);
    if (contact.compliance > 0) {
      const Real force = -(apart + contact.bias) / (contact.compliance * way_.h);
      if (!(force > 0)) return;
      contact.normalForce = force;
    } else if (parts(apart - turnedIn(contact), contact.gap, from_.reach)) {
      return;
    }
    const Real into = -apart - std::max(contact.gap, 0.0) / way_.h;
    if (into > way_.still && !contact.normalForce) {
      out_.blocked.push_back({.bodyA = bodies_.idOf(contact.slotA),
                              .bodyB = bodies_.idOf(contact.slotB),
                              .position = contact.position,
                              .speed = into});
    }
    const int count = 1 + contact.tangents + contact.rolling;
    contact.first = static_cast<int>(to_.columns.size());
    to_.columns.insert(to_.columns.end(), own, own + count);
    if (contact.tangents > 0) {
      const Real along = rateOf(own[1], uA, uB) + contact.slip[0];
      const Real across = rateOf(own[2], uA, uB) + contact.slip[1];
      if (std::hypot(along, across) > way_.still) slide(contact, along, across);
    }
    to_.contacts.push_back(contact);
  }

  /// Whether bodies, or a limit, that have a gap and this rate bear nothing at the end of the step.
  /// What is within the reach touches, an overlap may be pushed out, and a larger gap is to close.
  bool parts(Real rate, Real gap, Real reach) const {
    const Real open = gap > reach ? gap : std::min(gap, 0.0);
    return rate + open / way_.h > way_.still;
  }

  /// The rate that turning takes off a gap in the step beyond first order, where a corner of the
  /// one body runs over a face of the other: steps part these by as much [m/s].
  Real turnedIn(const StaticContactRows& contact) const {
    const auto move = [&](int slot, Vec3& point, Vec3& face) {
      const Vec3 center = bodies_.position[slot], arm = point - center;
      const Vec6& u = way_.to[slot];
      const Pose end = displaced({center, Quat::Identity()}, way_.h * u);
      point = end * arm;
      face = end.rotation * face;
      return Vec3(u.head<3>() + u.tail<3>().cross(arm));
    };
    Vec3 pointA = contact.position, pointB = pointA, faceA = contact.normal, faceB = faceA;
    const Vec3 speedA = move(contact.slotA, pointA, faceA);
    const Vec3 speedB = move(contact.slotB, pointB, faceB);
    const Vec3 way = pointB - pointA;
    const Real gap = std::min(faceA.dot(way), faceB.dot(way)) / way_.h;
    return kOfTurning * std::max(contact.normal.dot(speedB - speedA) - gap, 0.0);
  }

  /// The normal force brings its friction along, against the slip. What rolls keeps its cone;
  /// torsion under a slip is left out.
  void slide(StaticContactRows& contact, Real along, Real across) {
    const auto first = to_.columns.begin() + contact.first;
    const Real share = -contact.friction / std::hypot(along, across);
    first->onA += share * (along * first[1].onA + across * first[2].onA);
    first->onB += share * (along * first[1].onB + across * first[2].onB);
    to_.columns.erase(first + 1, first + 1 + contact.tangents);
    contact.tangents = 0;
    contact.slides = true;
  }

  void addJoint(StaticJointRow row) {
    const Joint& joint = joints_[row.joint];
    const StaticColumn& column = from_.columns[row.column];
    const Real rate = rateOf(column, way_.to[joint.bodyA], way_.to[joint.bodyB]);
    if (row.role == JointRowRole::kSpring) return pull(row, column, rate);
    const bool isLimit =
        row.role == JointRowRole::kLowerLimit || row.role == JointRowRole::kUpperLimit;
    const bool isAngular =
        row.coordinate == kSwingCoordinate || isAngle(joint.geometry, row.coordinate);
    if (isLimit && parts(rate, -row.beyond, isAngular ? kReachAngle : from_.reach)) return;
    if (row.role == JointRowRole::kFriction && std::abs(rate) > way_.still) {
      row.lower = row.upper = rate > 0 ? row.lower : row.upper;
    }
    row.column = static_cast<int>(to_.columns.size());
    to_.columns.push_back(column);
    to_.joints.push_back(row);
  }

  /// By the row that it has in the step.
  void pull(const StaticJointRow& row, const StaticColumn& column, Real endRate) {
    const Joint& joint = joints_[row.joint];
    const Real startRate = rateOf(column, way_.from[joint.bodyA], way_.from[joint.bodyB]);
    const Real force =
        -(endRate + row.restitution * startRate + row.bias) / (row.compliance * way_.h);
    if (column.a >= 0) to_.dead[column.a] += force * column.onA;
    if (column.b >= 0) to_.dead[column.b] += force * column.onB;
  }

  const StaticRows& from_;
  const BodyStore& bodies_;
  const JointStore& joints_;
  const StepWay& way_;
  InverseAnswer& out_;
  StaticRows to_;
};

/// Keeps the bodies and joints of a world, and brings them back.
class KeptBodies {
 public:
  explicit KeptBodies(WorldParts& world)
      : world_(world), bodies_(world.bodies), joints_(world.joints) {}
  ~KeptBodies() {
    world_.bodies = std::move(bodies_);
    world_.joints = std::move(joints_);
  }
  KeptBodies(const KeptBodies&) = delete;
  KeptBodies& operator=(const KeptBodies&) = delete;

 private:
  WorldParts& world_;
  BodyStore bodies_;
  JointStore joints_;
};

/// Brings bodies and joints to where the next inner step meets them, with the velocities that it
/// prescribes. Returns those before it.
std::vector<Vec6> moveToMeeting(WorldParts& world) {
  const WorldSettings& settings = world.settings;
  const Real h = settings.substep();
  const bool isMoreau = settings.integrator == Integrator::kMoreau;
  setPrescribedVelocities(isMoreau ? world.time : world.time + h / 2, world.bodies);
  std::vector<Vec6> before = world.bodies.velocity;
  if (!isMoreau) return before;
  advancePoses(h / 2, {}, settings.threads, world.bodies, world.joints);
  setPrescribedVelocities(world.time + h, world.bodies);
  return before;
}

}  // namespace

InverseDynamics::InverseDynamics(World& world, std::optional<Real> reach)
    : world_(world.parts_.get()) {
  requireUsable(*world_, "InverseDynamics");
  world_->bodies.wakeAll();
  followJoints(world);
  const KeptBodies kept(*world_);
  before_ = moveToMeeting(*world_);
  rows_ = staticRowsNow("InverseDynamics", *world_, reach, RowsFor::kMotion);
  bodies_ = world_->bodies;
}

void InverseDynamics::followJoints(World& world) {
  const BodyStore& bodies = world.parts_->bodies;
  JointStore& joints = world.parts_->joints;
  std::array<JointCoordinate, 6> q;
  for (Joint& joint : joints) {
    if (!isInForce(joints, joint)) continue;
    jointCoordinates(bodies, joints, joint, q);
    rememberAngles(q, joint);
  }
}

std::vector<Vec6> InverseDynamics::velocities(std::span<const WantedVelocity> wanted) const {
  std::vector<Vec6> out = bodies_.velocity;
  std::vector<bool> isListed(out.size());
  for (const WantedVelocity& one : wanted) {
    const int slot = bodies_.slotOf(one.body);
    const std::string& name = bodies_.record[slot].name;
    requireBounded("InverseDynamics::answer", "linear", one.linear, "m/s");
    requireBounded("InverseDynamics::answer", "angular", one.angular, "rad/s");
    if (!bodies_.isDynamic(slot)) {
      throw InputError(fmt::format(
          "InverseDynamics::answer: body '{}' moves by itself or not at all: list dynamic ones",
          name));
    }
    if (isListed[slot]) {
      throw InputError(
          fmt::format("InverseDynamics::answer: body '{}' is listed twice: list it once", name));
    }
    isListed[slot] = true;
    out[slot] << one.linear, one.angular;
    bodies_.dropLocked(slot, out[slot]);
  }
  return out;
}

/// As u⁺ leaves them, with the force that is to be balanced: M (u* − u⁺)/h and springs.
StaticRows InverseDynamics::rowsOf(const std::vector<Vec6>& velocity, Real still,
                                   InverseAnswer& out) const {
  const Real h = world_->settings.substep();
  const StepWay way = {before_, velocity, h, still};
  StaticRows rows = MovingRows(rows_, bodies_, world_->joints, way, out).take();
  StepMotion motion;
  freeMotion(bodies_, world_->settings, world_->time, h, motion);
  for (std::size_t i = 0; i < rows.slots.size(); ++i) {
    const int slot = rows.slots[i];
    // The dead load of rows has loads and weights, which u* has, too.
    Vec6 counted = motion.load[slot];
    counted.head<3>() += bodies_.mass[slot] * bodies_.gravityOf(slot, world_->settings.gravity);
    bodies_.dropLocked(slot, counted);
    const Vec6 free = inertiaTimes(bodies_, slot, motion.free[slot] / h);
    const Vec6 wanted = inertiaTimes(bodies_, slot, velocity[slot] / h);
    rows.dead[i] += free - wanted - counted;
    // What flies freely has no load, and round-off is none.
    for (const int part : {0, 3}) {
      const auto sizeOf = [part](const Vec6& wrench) { return wrench.segment<3>(part).norm(); };
      const Real roundOff = kOfDifference * (sizeOf(free) + sizeOf(wanted) + sizeOf(counted));
      if (sizeOf(rows.dead[i]) <= roundOff) rows.dead[i].segment<3>(part).setZero();
    }
  }
  return rows;
}

void InverseDynamics::tellLacks(const StaticRows& rows, const ScaledProgram& scaled, const VecX& x,
                                InverseAnswer& out) const {
  const Real h = world_->settings.substep();
  for (std::size_t i = 0; i < rows.slots.size(); ++i) {
    const int body = static_cast<int>(i), slot = rows.slots[i];
    if (!(scaled.lackShare(body, x) > kNothing)) continue;
    const Vec6 force = scaled.lack(body, x);
    const Vec6 u = h * applyInverseInertia(bodies_.inverseInertia[slot], force);
    out.lacks.push_back(
        {.body = bodies_.idOf(slot),
         .force = force.head<3>(),
         .torque = force.tail<3>(),
         .linear = u.head<3>(),
         .angular = u.tail<3>(),
         .speed = std::max(u.head<3>().norm(), bodies_.extent[slot] * u.tail<3>().norm())});
  }
  std::ranges::stable_sort(out.lacks, std::greater(), &LackingMotion::speed);
}

InverseAnswer InverseDynamics::answer(std::span<const WantedVelocity> wanted, Real still) const {
  InverseAnswer out;
  const std::vector<Vec6> velocity = velocities(wanted);
  const StaticRows rows = rowsOf(velocity, still, out);
  std::ranges::stable_sort(out.blocked, std::greater(), &BlockedContact::speed);
  const auto scaled = ScaledProgram::thatMayLack(rows, bodies_);
  const ConicSolution solution = solveConic(scaled.program());
  out.error = solution.error;
  out.steps = solution.steps;
  out.reason = solution.reason;
  out.isSolved = solution.status == ConicStatus::kSolved;
  if (!out.isSolved) return out;
  out.contacts = contactsOf(rows, bodies_, scaled, solution.x);
  for (std::size_t i = 0; i < rows.joints.size(); ++i) {
    const StaticJointRow& row = rows.joints[i];
    if (row.role != JointRowRole::kMotor) continue;
    out.motors.push_back({.joint = world_->joints.idOf(row.joint),
                          .coordinate = row.coordinate,
                          .force = scaled.jointForce(static_cast<int>(i), solution.x),
                          .most = row.upper});
  }
  tellLacks(rows, scaled, solution.x, out);
  out.isPossible = out.lacks.empty() && out.blocked.empty();
  return out;
}

}  // namespace drystone
