#include "scenes/reading/joints.h"

#include <fmt/format.h>

#include <array>

namespace drystone {
namespace {

bool readKey(const JsonCursor& at, const Range& range, std::vector<Schedule::Key>& keys) {
  std::vector<Real> pair;
  if (!at.reals(pair, 2, 2, anyReal(""))) return false;
  if (!keys.empty() && pair[0] <= keys.back().time) {
    return at.error(
        fmt::format("must be later than {} s, the time of the key before", keys.back().time));
  }
  if (!(pair[1] >= range.low && pair[1] <= range.high)) {
    return at.error(fmt::format("the value must be {} … {} {}", range.low, range.high, range.unit));
  }
  keys.push_back({pair[0], pair[1]});
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
  std::vector<Schedule::Key> keys;
  for (int i = 0; i < at.size(); ++i) {
    if (!readKey(at.element(i), range, keys)) return false;
  }
  out = Schedule(std::move(keys));
  return true;
}

/// False where both are missing, which was reported.
bool readStiffness(ObjectReader& in, const AxisUnits& units, JointSpring& spring) {
  in.real("stiffness", spring.stiffness, notNegative(units.stiffness));
  in.real("damping", spring.damping, notNegative(units.damping));
  if (!in.clean()) return false;
  return spring.stiffness > 0 || spring.damping > 0 ||
         in.at().error("needs a \"stiffness\" or a \"damping\" > 0");
}

void readMotor(const JsonCursor& at, const AxisUnits& units, JointAxis& axis) {
  ObjectReader in(at, "motor");
  JointMotor motor;
  const auto velocity = in.child("velocity"), position = in.child("position");
  in.real("max_force", motor.maxForce, notNegative(units.force));
  JointSpring servo;
  const bool isSoft = in.has("stiffness") || in.has("damping");
  if (isSoft) {
    readStiffness(in, units, servo);
  } else {
    in.child("stiffness");
    in.child("damping");
  }
  if (!in.atLeastOne({"velocity", "position"}) || !in.atMostOne({"velocity", "position"})) return;
  if (velocity) {
    readSchedule(*velocity, anyReal(units.rate), motor.target);
    if (isSoft) in.at().error("stiffness and damping go with \"position\"");
  } else {
    motor.kind = MotorKind::kPosition;
    readSchedule(*position, anyReal(units.coordinate), motor.target);
    if (isSoft) motor.servo = servo;
  }
  if (in.clean()) axis.motor = motor;
}

}  // namespace

void readAxisKeys(ObjectReader& in, const AxisUnits& units, JointAxis& axis) {
  const bool isDistance = units.isDistance;
  in.real("lower", axis.lower,
          isDistance ? notNegative(units.coordinate) : anyReal(units.coordinate));
  in.real("upper", axis.upper, isDistance ? positive(units.coordinate) : anyReal(units.coordinate));
  if (axis.lower > axis.upper) {
    in.at().member("lower")->error(
        fmt::format("must not exceed \"upper\", which is {} {}", axis.upper, units.coordinate));
    axis.lower = axis.upper;
  }
  if (const auto at = in.child("spring")) {
    ObjectReader entry(*at, "spring");
    JointSpring spring;
    entry.real("rest", spring.rest, anyReal(units.coordinate));
    if (readStiffness(entry, units, spring)) axis.spring = spring;
  }
  if (const auto at = in.child("motor")) readMotor(*at, units, axis);
  in.real("friction", axis.friction, notNegative(units.force));
}

void readAxis(ObjectReader& in, std::string_view key, const AxisUnits& units, bool mayLock,
              JointAxis& axis) {
  const auto at = in.child(key);
  if (!at) return;
  if (mayLock && at->isString()) {
    constexpr std::array<std::string_view, 2> kNames = {"free", "locked"};
    int choice = 0;
    if (at->choice(choice, kNames) && choice == 1) axis = JointAxis::locked();
    return;
  }
  if (!at->isObject()) {
    at->error(fmt::format("must be {}an object with \"lower\", \"upper\", …; got {}",
                          mayLock ? "\"free\", \"locked\" or " : "", at->describe()));
    return;
  }
  ObjectReader entry(*at, "coordinate");
  readAxisKeys(entry, units, axis);
}

}  // namespace drystone
