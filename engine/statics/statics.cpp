#include "engine/statics/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/statics/scaled_program.h"
#include "engine/step/half_done.h"
#include "engine/step/world_parts.h"
#include "engine/world/world.h"

namespace drystone {
namespace {

/// Contacts with less of the largest normal force carry nothing: what the interior point leaves.
constexpr Real kNoForce = 1e-6;
/// Bodies slower than this share of the fastest stand: likewise, seen by eye.
constexpr Real kStandsStill = 1e-4;

}  // namespace

Statics::Statics(World& world, std::optional<Real> reach) : world_(world.parts_.get()) {
  requireUsable(*world_, "Statics");
  if (reach && !(*reach >= 0 && std::isfinite(*reach))) {
    throw InputError(fmt::format("Statics: reach must be finite and >= 0 m, got {}", *reach));
  }
  for (int slot = 0; slot < world_->bodies.slots(); ++slot) {
    if (world_->bodies.hasAdhesion[slot] == 0) continue;
    throw InputError(fmt::format(
        "Statics: body '{}' has adhesion, which limit analysis does not know: setAdhesion(0), or "
        "hold it by a joint",
        world_->bodies.record[slot].name));
  }
  for (const Joint& joint : world_->joints) {
    if (!joint.alive || !joint.isFirstSpan()) continue;
    throw InputError(fmt::format(
        "Statics: joint '{}' is a cable, which limit analysis does not know: hold the bodies by "
        "distances",
        joint.name));
  }
  world_->bodies.wakeAll();
  runWhole(*world_, [&] { rows_ = findStaticRows(*world_, reach); });
}

int Statics::alone() const {
  std::vector<bool> isHeld(rows_.slots.size());
  for (const StaticColumn& column : rows_.columns) {
    if (column.a >= 0) isHeld[column.a] = true;
    if (column.b >= 0) isHeld[column.b] = true;
  }
  return static_cast<int>(std::ranges::count(isHeld, false));
}

std::vector<Vec6> Statics::wrenchesOf(const StaticLoad& load) const {
  const BodyStore& bodies = world_->bodies;
  requireBounded("Statics::answer", "weights", load.weights, "times the weight");
  std::vector<Vec6> out(rows_.slots.size(), Vec6::Zero());
  for (std::size_t i = 0; i < rows_.slots.size(); ++i) {
    const int slot = rows_.slots[i];
    const Real weight =
        bodies.mass[slot] * (bodies.gravityScale[slot] * world_->settings.gravity).norm();
    out[i].head<3>() = weight * load.weights;
  }
  const auto isZero = [&] {
    return std::ranges::all_of(out, [](const Vec6& one) { return one.isZero(0); });
  };
  if (!load.weights.isZero(0) && isZero()) {
    throw InputError("Statics::answer: nothing weighs: give forces in place of weights");
  }
  for (const StaticLoad::PointForce& one : load.forces) {
    requireBounded("Statics::answer", "force", one.force, "N");
    const int slot = bodies.slotOf(one.body);
    if (!bodies.isDynamic(slot)) {
      throw InputError(fmt::format("Statics::answer: body '{}' does not move: load a dynamic one",
                                   bodies.record[slot].name));
    }
    Vec6& wrench = out[rows_.place[slot]];
    wrench.head<3>() += one.force;
    if (!one.at) continue;
    requireBounded("Statics::answer", "at", *one.at, "m");
    wrench.tail<3>() += (*one.at - bodies.position[slot]).cross(one.force);
  }
  for (std::size_t i = 0; i < out.size(); ++i) bodies.dropLocked(rows_.slots[i], out[i]);
  if (isZero()) throw InputError("Statics::answer: the load must not be zero");
  return out;
}

void Statics::tellContacts(const ScaledProgram& scaled, const VecX& x, StaticAnswer& out) const {
  const BodyStore& bodies = world_->bodies;
  Real largest = 0;
  for (std::size_t c = 0; c < rows_.contacts.size(); ++c) {
    const StaticContactRows& rows = rows_.contacts[c];
    const ContactForces forces = scaled.contactForces(rows, static_cast<int>(c), x);
    out.contacts.push_back({.bodyA = bodies.idOf(rows.slotA),
                            .bodyB = bodies.idOf(rows.slotB),
                            .position = rows.position,
                            .normal = rows.normal,
                            .normalForce = forces.normal,
                            .friction = forces.friction,
                            .use = forces.use});
    largest = std::max(largest, forces.normal);
  }
  for (StaticContact& contact : out.contacts) {
    if (contact.normalForce <= kNoForce * largest) contact.use = 0;
  }
  std::ranges::stable_sort(out.contacts, std::greater(), &StaticContact::use);
}

void Statics::tellMechanism(const StaticRows& rows, const ScaledProgram& scaled, const VecX& y,
                            StaticAnswer& out) const {
  const BodyStore& bodies = world_->bodies;
  std::vector<StaticMotion> mechanism;
  Real fastest = 0;
  for (std::size_t i = 0; i < rows.slots.size(); ++i) {
    const int slot = rows.slots[i];
    const Vec6 u = scaled.velocity(static_cast<int>(i), y);
    const Real speed = std::max(u.head<3>().norm(), bodies.extent[slot] * u.tail<3>().norm());
    fastest = std::max(fastest, speed);
    mechanism.push_back({.body = bodies.idOf(slot),
                         .group = out.falling,
                         .linear = u.head<3>(),
                         .angular = u.tail<3>(),
                         .speed = speed});
  }
  std::erase_if(mechanism, [&](const StaticMotion& motion) {
    return !(motion.speed > kStandsStill * fastest);
  });
  for (StaticMotion& motion : mechanism) {
    motion.linear /= fastest;
    motion.angular /= fastest;
    motion.speed /= fastest;
  }
  std::ranges::stable_sort(mechanism, std::greater(), &StaticMotion::speed);
  std::ranges::move(mechanism, std::back_inserter(out.mechanism));
}

/// Each group by itself: a mechanism of all may move what stands.
void Statics::tellFalls(StaticAnswer& out) const {
  const std::vector<StaticRows> groups = groupsOf(rows_);
  out.groups = static_cast<int>(groups.size());
  for (const StaticRows& group : groups) {
    const ScaledProgram dead(group, world_->bodies, {});
    const ConicSolution rest = solveConic(dead.program());
    out.steps += rest.steps;
    if (rest.status != ConicStatus::kInfeasible) continue;
    out.error = std::max(out.error, rest.error);
    tellMechanism(group, dead, rest.y, out);
    ++out.falling;
  }
}

StaticAnswer Statics::answer(const StaticLoad& load) const {
  const std::vector<Vec6> wrenches = wrenchesOf(load);
  StaticAnswer out;
  const ScaledProgram dead(rows_, world_->bodies, {});
  const ConicSolution rest = solveConic(dead.program());
  out.steps = rest.steps;
  out.error = rest.error;
  if (rest.status == ConicStatus::kInfeasible) {
    out.verdict = StaticVerdict::kFalls;
    tellFalls(out);
    if (out.falling == 0) tellMechanism(rows_, dead, rest.y, out);
  }
  out.reason = rest.reason;
  if (rest.status != ConicStatus::kSolved) return out;
  out.verdict = StaticVerdict::kStands;
  const ScaledProgram loaded(rows_, world_->bodies, wrenches);
  const ConicSolution most = solveConic(loaded.program());
  out.steps += most.steps;
  if (most.status == ConicStatus::kSolved) {
    out.error = most.error;
    out.factor = std::max(loaded.factor(most.x), 0.0);
    tellContacts(loaded, most.x, out);
    tellMechanism(rows_, loaded, most.y, out);
    return out;
  }
  const bool isUnbounded = most.status == ConicStatus::kUnbounded;
  if (!isUnbounded) out.error = most.error;
  out.reason = most.reason;
  out.factor = isUnbounded ? kInfinity : std::numeric_limits<Real>::quiet_NaN();
  tellContacts(dead, rest.x, out);
  return out;
}

}  // namespace drystone
