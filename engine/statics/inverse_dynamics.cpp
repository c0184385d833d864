#include "engine/statics/inverse_dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/statics/scaled_program.h"
#include "engine/step/integrate.h"
#include "engine/step/world_parts.h"
#include "engine/world/world.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Less than this share of all forces does not lack: what the interior point leaves.
constexpr Real kNothing = 1e-6;

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

/// Copies rows as a motion leaves them.
class MovingRows {
 public:
  MovingRows(const StaticRows& from, const WorldParts& world, const std::vector<Vec6>& velocity,
             Real still, InverseAnswer& out)
      : from_(from), world_(world), velocity_(velocity), still_(still), out_(out) {
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
    const Vec6 &uA = velocity_[contact.slotA], &uB = velocity_[contact.slotB];
    const StaticColumn* const own = &from_.columns[contact.first];
    const Real h = world_.settings.substep();
    const Real apart = rateOf(own[0], uA, uB);
    // An overlap may be pushed out, and a gap closed.
    if (apart > still_ + std::max(-contact.gap, 0.0) / h) return;
    const Real into = -apart - std::max(contact.gap, 0.0) / h;
    if (into > still_) {
      const BodyStore& bodies = world_.bodies;
      out_.blocked.push_back({.bodyA = bodies.idOf(contact.slotA),
                              .bodyB = bodies.idOf(contact.slotB),
                              .position = contact.position,
                              .speed = into});
    }
    const int count = 1 + contact.tangents + contact.rolling;
    contact.first = static_cast<int>(to_.columns.size());
    to_.columns.insert(to_.columns.end(), own, own + count);
    if (contact.tangents > 0) {
      const Real along = rateOf(own[1], uA, uB) + contact.slip[0];
      const Real across = rateOf(own[2], uA, uB) + contact.slip[1];
      if (std::hypot(along, across) > still_) slide(contact, along, across);
    }
    to_.contacts.push_back(contact);
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
    const Joint& joint = world_.joints[row.joint];
    const StaticColumn& column = from_.columns[row.column];
    const Real rate = rateOf(column, velocity_[joint.bodyA], velocity_[joint.bodyB]);
    if (row.role == JointRowRole::kSpring) return pull(row, column, rate);
    const bool isLimit =
        row.role == JointRowRole::kLowerLimit || row.role == JointRowRole::kUpperLimit;
    // What is beyond may come back.
    const Real back = isLimit ? std::max(row.value, 0.0) / world_.settings.substep() : 0;
    if (isLimit && rate > still_ + back) return;
    if (row.role == JointRowRole::kFriction && std::abs(rate) > still_) {
      row.lower = row.upper = rate > 0 ? row.lower : row.upper;
    }
    row.column = static_cast<int>(to_.columns.size());
    to_.columns.push_back(column);
    to_.joints.push_back(row);
  }

  /// By what it is off its rest, and its rate, at the end of the step; with Moreau means of its
  /// start and end, by the coordinate at its middle, where the joint was met.
  void pull(const StaticJointRow& row, const StaticColumn& column, Real endRate) {
    const WorldSettings& settings = world_.settings;
    const Joint& joint = world_.joints[row.joint];
    Real rate = endRate, way = settings.substep() * endRate;
    if (settings.integrator == Integrator::kMoreau) {
      const std::vector<Vec6>& start = world_.bodies.velocity;
      const Real startRate = rateOf(column, start[joint.bodyA], start[joint.bodyB]);
      rate = (startRate + endRate) / 2;
      way = settings.substep() * (endRate - startRate) / 4;
    }
    const JointSpring& spring = *joint.axes[row.coordinate].spring;
    const Real force = springForce(spring, row.value + way - spring.rest, rate);
    if (column.a >= 0) to_.dead[column.a] += force * column.onA;
    if (column.b >= 0) to_.dead[column.b] += force * column.onB;
  }

  const StaticRows& from_;
  const WorldParts& world_;
  const std::vector<Vec6>& velocity_;
  Real still_;
  InverseAnswer& out_;
  StaticRows to_;
};

}  // namespace

InverseDynamics::InverseDynamics(World& world, std::optional<Real> reach)
    : world_(world.parts_.get()),
      rows_(staticRowsNow("InverseDynamics", *world_, reach, ServoRows::kBear)) {}

std::vector<Vec6> InverseDynamics::velocities(std::span<const WantedVelocity> wanted) const {
  const BodyStore& bodies = world_->bodies;
  std::vector<Vec6> out = bodies.velocity;
  // As the next step prescribes them.
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.record[i].alive || bodies.record[i].motion.empty()) continue;
    out[i] = prescribedVelocity(bodies, i, world_->time + world_->settings.substep() / 2);
  }
  std::vector<bool> isListed(out.size());
  for (const WantedVelocity& one : wanted) {
    const int slot = bodies.slotOf(one.body);
    const std::string& name = bodies.record[slot].name;
    requireBounded("InverseDynamics::answer", "linear", one.linear, "m/s");
    requireBounded("InverseDynamics::answer", "angular", one.angular, "rad/s");
    if (!bodies.isDynamic(slot)) {
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
    bodies.dropLocked(slot, out[slot]);
  }
  return out;
}

/// As u⁺ leaves them, with the force that is to be balanced: M (u* − u⁺)/h and springs.
StaticRows InverseDynamics::rowsOf(const std::vector<Vec6>& velocity, Real still,
                                   InverseAnswer& out) const {
  const BodyStore& bodies = world_->bodies;
  const Real h = world_->settings.substep();
  StaticRows rows = MovingRows(rows_, *world_, velocity, still, out).take();
  StepMotion motion;
  freeMotion(bodies, world_->settings, world_->time, h, motion);
  for (std::size_t i = 0; i < rows.slots.size(); ++i) {
    const int slot = rows.slots[i];
    // The dead load of rows has loads and weights, which u* has, too.
    Vec6 counted = motion.load[slot];
    counted.head<3>() += bodies.mass[slot] * bodies.gravityOf(slot, world_->settings.gravity);
    bodies.dropLocked(slot, counted);
    rows.dead[i] += inertiaTimes(bodies, slot, (motion.free[slot] - velocity[slot]) / h) - counted;
  }
  return rows;
}

void InverseDynamics::tellLacks(const StaticRows& rows, const ScaledProgram& scaled, const VecX& x,
                                InverseAnswer& out) const {
  const BodyStore& bodies = world_->bodies;
  const Real h = world_->settings.substep();
  for (std::size_t i = 0; i < rows.slots.size(); ++i) {
    const int body = static_cast<int>(i), slot = rows.slots[i];
    if (!(scaled.lackShare(body, x) > kNothing)) continue;
    const Vec6 force = scaled.lack(body, x);
    const Vec6 u = h * applyInverseInertia(bodies.inverseInertia[slot], force);
    out.lacks.push_back(
        {.body = bodies.idOf(slot),
         .force = force.head<3>(),
         .torque = force.tail<3>(),
         .linear = u.head<3>(),
         .angular = u.tail<3>(),
         .speed = std::max(u.head<3>().norm(), bodies.extent[slot] * u.tail<3>().norm())});
  }
  std::ranges::stable_sort(out.lacks, std::greater(), &LackingMotion::speed);
}

InverseAnswer InverseDynamics::answer(std::span<const WantedVelocity> wanted, Real still) const {
  InverseAnswer out;
  const std::vector<Vec6> velocity = velocities(wanted);
  const StaticRows rows = rowsOf(velocity, still, out);
  std::ranges::stable_sort(out.blocked, std::greater(), &BlockedContact::speed);
  const auto scaled = ScaledProgram::thatMayLack(rows, world_->bodies);
  const ConicSolution solution = solveConic(scaled.program());
  out.error = solution.error;
  out.steps = solution.steps;
  out.reason = solution.reason;
  out.isSolved = solution.status == ConicStatus::kSolved;
  if (!out.isSolved) return out;
  out.contacts = contactsOf(rows, world_->bodies, scaled, solution.x);
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
