// resistanceOf() of engine/statics/statics.h.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "engine/statics/statics.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {
namespace {

/// A smaller gain ends the way down: the error of a search is 1e-7.
constexpr Real kNoGain = 1e-6;
/// Steps down from one direction; two to five are usual.
constexpr int kSteps = 50;

/// The load along a direction, and the part of a body's motion that it works on.
using LoadAlong = std::function<StaticLoad(const Vec3&)>;
using MotionPart = Vec3 StaticMotion::*;

struct Least {
  Real factor = kInfinity;
  Vec3 direction = Vec3::UnitX();
};

class Search {
 public:
  Search(const Statics& statics, BodyId body, StaticResistance& out)
      : statics_(statics), body_(body), out_(out) {}

  Least least(const LoadAlong& load, MotionPart part) {
    Least least;
    bool isKnown = false;
    for (int i = 0; i < 27; ++i) {
      const Vec3 start(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      const Real square = start.squaredNorm();  // 1 of an axis, 3 of a diagonal of the cube
      if (square != 1 && square != 3) continue;
      const std::optional<Least> found = descend(load, part, start / std::sqrt(square));
      if (!found) continue;
      isKnown = true;
      if (found->factor < least.factor) least = *found;
    }
    if (!isKnown) least.factor = std::numeric_limits<Real>::quiet_NaN();
    return least;
  }

 private:
  /// Goes down from a direction; none where that one was not decided.
  std::optional<Least> descend(const LoadAlong& load, MotionPart part, Vec3 direction) {
    std::optional<Least> out;
    for (int step = 0; step < kSteps; ++step) {
      const StaticAnswer answer = statics_.answer(load(direction));
      ++out_.searches;
      if (answer.verdict == StaticVerdict::kUndecided || std::isnan(answer.factor)) {
        ++out_.undecided;
        break;
      }
      if (out && !(answer.factor < (1 - kNoGain) * out->factor)) break;
      out = {answer.factor, direction};
      const auto motion = std::ranges::find(answer.mechanism, body_, &StaticMotion::body);
      if (motion == answer.mechanism.end()) break;
      const Vec3 normal = (*motion).*part;
      if (!(normal.norm() > 0)) break;
      direction = normal.normalized();
    }
    return out;
  }

  const Statics& statics_;
  BodyId body_;
  StaticResistance& out_;
};

}  // namespace

StaticResistance resistanceOf(const Statics& statics, BodyId body) {
  StaticResistance out;
  Search search(statics, body, out);
  const Least force = search.least(
      [&](const Vec3& d) -> StaticLoad { return {.forces = {{.body = body, .force = d}}}; },
      &StaticMotion::linear);
  const Least torque = search.least(
      [&](const Vec3& d) -> StaticLoad { return {.forces = {{.body = body, .torque = d}}}; },
      &StaticMotion::angular);
  out.force = force.factor;
  out.forceDirection = force.direction;
  out.torque = torque.factor;
  out.torqueAxis = torque.direction;
  return out;
}

}  // namespace drystone
