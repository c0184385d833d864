#include "scenes/reading/joints.h"

#include <fmt/format.h>

#include <array>

namespace drystone {
namespace {

/// A list of pairs of numbers, the first ones of which ascend: times, where they are of a schedule.
bool readPairs(const JsonCursor& at, const Range& range, bool isSchedule,
               std::vector<std::array<Real, 2>>& pairs) {
  for (int i = 0; i < at.size(); ++i) {
    const JsonCursor entry = at.element(i);
    std::vector<Real> pair;
    if (!entry.reals(pair, 2, 2, anyReal(""))) return false;
    if (!pairs.empty() && pair[0] <= pairs.back()[0]) {
      const Real before = pairs.back()[0];
      return entry.error(
          isSchedule ? fmt::format("must be later than {} s, the time of the key before", before)
                     : fmt::format("must begin with more than {}, as the point before", before));
    }
    if (!(pair[1] >= range.low && pair[1] <= range.high)) {
      return entry.error(
          fmt::format("the value must be {} … {} {}", range.low, range.high, range.unit));
    }
    pairs.push_back({pair[0], pair[1]});
  }
  return true;
}

/// A number, or a list of [time, value].
bool readSchedule(const JsonCursor& at, const Range& range, Schedule& out) {
  if (!at.isArray()) {
    Real constant = 0;
    if (!at.real(constant, range)) return false;
    out = constant;
    return true;
  }
  if (at.size() == 0) return at.error("a schedule needs at least one [time, value]");
  std::vector<std::array<Real, 2>> pairs;
  if (!readPairs(at, range, true, pairs)) return false;
  std::vector<Schedule::Key> keys;
  for (const auto& [time, value] : pairs) keys.push_back({time, value});
  out = Schedule(std::move(keys));
  return true;
}

/// A list of at least two [extension or rate, force].
void readTable(ObjectReader& in, const Key& key, const AxisUnits& units, ForceTable& out) {
  const auto at = in.child(key, KeyType::of("force_table", units.force));
  if (!at) return;
  std::vector<std::array<Real, 2>> pairs;
  if (!at->isArray() || at->size() < 2) {
    at->error("must be a list of at least two [extension or rate, force]");
  } else if (readPairs(*at, anyReal(units.force), false, pairs)) {
    std::vector<ForceTable::Point> points;
    for (const auto& [where, force] : pairs) points.push_back({where, force});
    out = ForceTable(std::move(points));
  }
}

void readStiffness(ObjectReader& in, const AxisUnits& units, JointSpring& spring,
                   Presence presence) {
  in.real({"stiffness", "of the spring, or of a soft position motor"}, spring.stiffness,
          notNegative(units.stiffness), presence);
  in.real({"damping", "of the damper, or of a soft position motor"}, spring.damping,
          notNegative(units.damping), presence);
}

/// False where both are missing, which is reported.
bool hasStiffness(const ObjectReader& in, const JointSpring& spring) {
  if (!in.clean()) return false;
  return spring.stiffness > 0 || spring.damping > 0 || !spring.forceTable.isEmpty() ||
         !spring.damperTable.isEmpty() ||
         in.at().error("needs a \"stiffness\" or a \"damping\" > 0");
}

void readMotor(const JsonCursor& at, const AxisUnits& units, JointAxis& axis) {
  ObjectReader in(at, "motor", "drives the coordinate to its target as far as the cap allows");
  JointMotor motor;
  const auto velocity =
      in.child({"velocity", "target rate; or position"}, KeyType::of("schedule", units.rate));
  const auto position =
      in.child({"position", "target coordinate"}, KeyType::of("schedule", units.coordinate));
  in.real({"max_force", "cap; without it as strong as it has to be"}, motor.maxForce,
          notNegative(units.force));
  JointSpring servo;
  const bool isSoft = in.has("stiffness") || in.has("damping");
  readStiffness(in, units, servo, kNoDefault);  // without them it is hard
  if (!in.atLeastOne({"velocity", "position"}) || !in.atMostOne({"velocity", "position"})) return;
  if (velocity) {
    readSchedule(*velocity, anyReal(units.rate), motor.target);
    if (isSoft) in.at().error("stiffness and damping go with \"position\"");
  } else {
    motor.kind = MotorKind::kPosition;
    readSchedule(*position, anyReal(units.coordinate), motor.target);
    if (isSoft) motor.servo = servo;
    if (isSoft && in.clean() && !(servo.stiffness > 0)) {
      in.at().error(
          "\"damping\" of a position motor needs \"stiffness\" > 0; leave both out for a hard "
          "motor");
    }
  }
  if (in.clean()) axis.motor = motor;
}

}  // namespace

void readAxisKeys(ObjectReader& in, const AxisUnits& units, JointAxis& axis) {
  const bool isDistance = units.isDistance;
  in.real({"lower", "least coordinate"}, axis.lower,
          isDistance ? notNegative(units.coordinate) : anyReal(units.coordinate));
  in.real({"upper", "largest coordinate"}, axis.upper,
          isDistance ? positive(units.coordinate) : anyReal(units.coordinate));
  if (axis.lower > axis.upper) {
    in.at().member("lower")->error(
        fmt::format("must not exceed \"upper\", which is {} {}", axis.upper, units.coordinate));
    axis.lower = axis.upper;
  }
  if (const auto at = in.child("spring", KeyType::of("spring"))) {
    ObjectReader entry(*at, "spring", "spring and damper, implicit");
    JointSpring spring;
    entry.real({"rest", "coordinate without force"}, spring.rest, anyReal(units.coordinate));
    readStiffness(entry, units, spring, kOptional);
    readTable(entry, {"force_table", "against the coordinate less the rest, in place of stiffness"},
              units, spring.forceTable);
    readTable(entry, {"damper_table", "against the rate, in place of damping"}, units,
              spring.damperTable);
    entry.atMostOne({"force_table", "stiffness"});
    entry.atMostOne({"damper_table", "damping"});
    if (hasStiffness(entry, spring)) axis.spring = spring;
  }
  if (const auto at = in.child("motor", KeyType::of("motor"))) readMotor(*at, units, axis);
  in.real({"friction", "dry friction"}, axis.friction, notNegative(units.force));
}

void readAxis(ObjectReader& in, const Key& key, const AxisUnits& units, bool mayLock,
              JointAxis& axis) {
  const auto at = in.child(key, KeyType::of(mayLock ? "coordinate_or_word" : "coordinate"));
  if (!at) return;
  if (mayLock && at->isString()) {
    constexpr std::array<std::string_view, 2> kNames = {"free", "locked"};
    int choice = 0;
    if (at->choice(choice, kNames)) axis = choice == 1 ? JointAxis::locked() : JointAxis();
    return;
  }
  if (!at->isObject()) {
    at->error(fmt::format("must be {}an object with \"lower\", \"upper\", …; got {}",
                          mayLock ? "\"free\", \"locked\" or " : "", at->describe()));
    return;
  }
  axis = {};
  ObjectReader entry(*at, "coordinate",
                     "what a joint does to one coordinate, which is free otherwise");
  readAxisKeys(entry, units, axis);
}

}  // namespace drystone
