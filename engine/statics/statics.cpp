#include "engine/statics/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/statics/scaled_program.h"
#include "engine/step/world_parts.h"
#include "engine/world/world.h"

namespace drystone {
namespace {

/// Bodies slower than this share of the fastest stand: what the interior point leaves, by eye.
constexpr Real kStandsStill = 1e-4;

}  // namespace

Statics::Statics(World& world, std::optional<Real> reach)
    : world_(world.parts_.get()), rows_(staticRowsNow("Statics", *world_, reach)) {}

int Statics::alone() const {
  std::vector<bool> isHeld(rows_.slots.size());
  for (const StaticColumn& column : rows_.columns) {
    if (column.a >= 0) isHeld[column.a] = true;
    if (column.b >= 0) isHeld[column.b] = true;
  }
  return static_cast<int>(std::ranges::count(isHeld, false));
}

int Statics::slotOfDynamic(BodyId body, const char* call, const char* remedy) const {
  const BodyStore& bodies = world_->bodies;
  const int slot = bodies.slotOf(body);
  if (bodies.isDynamic(slot)) return slot;
  throw InputError(fmt::format("Statics::{}: body '{}' does not move: {}", call,
                               bodies.record[slot].name, remedy));
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
    requireBounded("Statics::answer", "torque", one.torque, "N m");
    const int slot = slotOfDynamic(one.body, "answer", "load a dynamic one");
    Vec6& wrench = out[rows_.place[slot]];
    wrench.head<3>() += one.force;
    wrench.tail<3>() += one.torque;
    if (!one.at) continue;
    requireBounded("Statics::answer", "at", *one.at, "m");
    wrench.tail<3>() += (*one.at - bodies.position[slot]).cross(one.force);
  }
  if (isZero()) throw InputError("Statics::answer: the load must not be zero");
  for (std::size_t i = 0; i < out.size(); ++i) bodies.dropLocked(rows_.slots[i], out[i]);
  if (isZero()) out.clear();
  return out;
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
  if (wrenches.empty()) {
    out.factor = kInfinity;
    out.contacts = contactsOf(rows_, world_->bodies, dead, rest.x);
    return out;
  }
  const ScaledProgram loaded(rows_, world_->bodies, wrenches);
  const ConicSolution most = solveConic(loaded.program());
  out.steps += most.steps;
  if (most.status == ConicStatus::kSolved) {
    out.error = most.error;
    out.factor = std::max(loaded.factor(most.x), 0.0);
    out.contacts = contactsOf(rows_, world_->bodies, loaded, most.x);
    tellMechanism(rows_, loaded, most.y, out);
    return out;
  }
  const bool isUnbounded = most.status == ConicStatus::kUnbounded;
  if (!isUnbounded) out.error = most.error;
  out.reason = most.reason;
  out.factor = isUnbounded ? kInfinity : std::numeric_limits<Real>::quiet_NaN();
  out.contacts = contactsOf(rows_, world_->bodies, dead, rest.x);
  return out;
}

/// The least sum of the normal forces of some contacts in any balance, or with `sign` −1 the
/// largest.
Real Statics::normalForce(const StaticRows& rows, std::span<const int> contacts, Real sign) const {
  ScaledProgram balance(rows, world_->bodies, {});
  balance.minimizeNormals(rows, contacts, sign);
  const ConicSolution found = solveConic(balance.program());
  if (found.status == ConicStatus::kUnbounded) return kInfinity;
  if (found.status != ConicStatus::kSolved) return std::numeric_limits<Real>::quiet_NaN();
  Real sum = 0;
  for (const int c : contacts) sum += balance.contactForces(rows.contacts[c], c, found.x).normal;
  return std::max(sum, 0.0);
}

std::vector<StaticShare> Statics::shares(BodyId body) const {
  const int slot = slotOfDynamic(body, "shares", "ask for the dynamic one that it carries");
  const std::vector<StaticRows> groups = groupsOf(rows_);
  const StaticRows& group = *std::ranges::find_if(groups, [&](const StaticRows& one) {
    return std::ranges::find(one.slots, slot) != one.slots.end();
  });
  std::vector<std::pair<int, std::vector<int>>> meets;  // other body, contacts with it
  for (int c = 0; c < static_cast<int>(std::ssize(group.contacts)); ++c) {
    const StaticContactRows& contact = group.contacts[c];
    if (contact.slotA != slot && contact.slotB != slot) continue;
    const int other = contact.slotA == slot ? contact.slotB : contact.slotA;
    auto found = std::ranges::find(meets, other, &std::pair<int, std::vector<int>>::first);
    if (found == meets.end()) found = meets.insert(found, {other, {}});
    found->second.push_back(c);
  }
  std::vector<StaticShare> out;
  const auto tell = [&](int other, std::optional<Vec3> position, std::span<const int> contacts) {
    out.push_back({.other = world_->bodies.idOf(other),
                   .position = position,
                   .least = normalForce(group, contacts, 1),
                   .most = normalForce(group, contacts, -1)});
  };
  for (const auto& [other, contacts] : meets) {
    for (const int& c : contacts) tell(other, group.contacts[c].position, {&c, 1});
    if (contacts.size() > 1) tell(other, std::nullopt, contacts);
  }
  return out;
}

}  // namespace drystone
