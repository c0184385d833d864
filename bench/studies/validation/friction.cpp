// Coulomb friction: sliding, rolling, slopes that shake.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

constexpr Real kMu = 0.3;
const Shape kBlock = Box{{0.2, 0.2, 0.05}};
const Vec3 kOnFloor(0, 0, 0.05);
const Real kFrictionSteps[] = {1.0 / 120, 1.0 / 240, 1.0 / 480};

void addStopping(const Scheme& scheme, ValidationTable& table) {
  const Real speed = 3, expected = speed * speed / (2 * kMu * kGravity);
  std::vector<Real> errors;
  Real got = 0;
  for (const Real h : kFrictionSteps) {
    World world = makeWorld(settingsOf(scheme, h), {.friction = kMu});
    addFloor(world);
    const BodyId block = addSolid(world, kBlock, 1, {kOnFloor, Quat::Identity()}, {speed, 0, 0});
    run(world, 1.5);
    got = world.body(block).centerOfMass().x();
    errors.push_back(got - expected);
  }
  const Allowance allowance =
      scheme.order == 1 ? Allowance{5e-3, "h v/2: the velocity of the end of each step moves it"}
                        : Allowance{2e-5, "the step in which it stops"};
  table.add({fmt::format("sliding block at 1/480, {}", scheme.name), "way to rest m", expected, got,
             "v²/(2 μ g)", allowance, orderOf(errors, scheme.order)});
}

void addBowling(const Scheme& scheme, ValidationTable& table) {
  const Real radius = 0.1, speed = 7;
  const Real way = 12 * speed * speed / (49 * kMu * kGravity);
  std::vector<Real> errors;
  Real got = 0, end = 0;
  for (const Real h : kFrictionSteps) {
    World world = makeWorld(settingsOf(scheme, h), {.friction = kMu});
    addFloor(world);
    const BodyId ball =
        addSolid(world, Sphere{radius}, 1, {{0, 0, radius}, Quat::Identity()}, {speed, 0, 0});
    run(world, 2);
    end = world.body(ball).linearVelocity().x();
    // It rolls from t = 2 v/(7 μ g) on, so the way until then is the whole less the rest.
    const Real rolling = 2 - 2 * speed / (7 * kMu * kGravity);
    got = world.body(ball).centerOfMass().x() - rolling * 5 * speed / 7;
    errors.push_back(got - way);
  }
  const std::string name = fmt::format("ball thrown sliding at 1/480, {}", scheme.name);
  table.add({name,
             "end speed m/s",
             5 * speed / 7,
             end,
             "5 v/7",
             {1e-8, "solver tolerance: momentum about the floor is kept"}});
  const Allowance allowance =
      scheme.order == 1 ? Allowance{5e-3, "first order in h"}
                        : Allowance{2e-5, "where in its step it grips: the order scatters"};
  table.add(
      {name, "way until it rolls m", way, got, "12 v²/(49 μ g)", allowance, orderOf(errors, 1)});
}

/// A slope that falls towards +x, and a block on it.
struct Slope {
  World world;
  BodyId slab, block;
  Vec3 downhill;

  Slope(const Scheme& scheme, Real h, Real angle, const std::vector<VelocityKey>& motion = {})
      : world(makeWorld(settingsOf(scheme, h), {.friction = kMu})) {
    const Quat rotation = turn(Vec3::UnitY(), angle);
    downhill = rotation * Vec3::UnitX();
    BodyDefinition definition;
    definition.kind = motion.empty() ? BodyKind::kStatic : BodyKind::kKinematic;
    definition.shape = Box{{20, 5, 1}};
    definition.pose = {rotation * Vec3(0, 0, -1), rotation};
    definition.motion = motion;
    slab = world.addBody(definition);
    block = addSolid(world, kBlock, 1, {rotation * kOnFloor, rotation});
  }
  Real slip() const {
    return (world.body(block).centerOfMass() - world.body(slab).centerOfMass()).dot(downhill);
  }
};

void addSlopes(ValidationTable& table) {
  const Real limit = std::atan(kMu);
  for (const Real degrees : {-0.01, 0.01}) {
    Slope slope(kEuler, 1.0 / 240, limit + degrees * kPi / 180);
    run(slope.world, 2);
    // At 0.01° more it slides by ½ g cos θ (tan θ − μ) t² = 3.6 mm.
    table.add({"block on a slope, 2 s", fmt::format("{:+.2f}° from atan μ", degrees),
               degrees < 0 ? "sticks" : "slides", slope.slip() < 1e-4 ? "sticks" : "slides",
               "atan μ", fmt::format("slip of {:.1e} m", slope.slip())});
  }
  const Real angle = kPi / 6;
  Slope slope(kEuler, 1.0 / 240, angle);
  run(slope.world, 1);
  const Real speed = slope.world.body(slope.block).linearVelocity().dot(slope.downhill);
  table.add({"block on a slope of 30°, 1 s",
             "acceleration m/s²",
             kGravity * (std::sin(angle) - kMu * std::cos(angle)),
             speed,
             "g (sin θ − μ cos θ)",
             {1e-8, "round-off: constant acceleration is exact in the velocity"}});
}

/// Velocity of a table that is shaken by a sine along a direction; keys at the steps.
std::vector<VelocityKey> shaken(const Vec3& along, Real amplitude, Real rate, Real duration,
                                Real h) {
  std::vector<VelocityKey> keys;
  for (int i = 0; i <= std::lround(duration / h); ++i) {
    keys.push_back({i * h, along * (amplitude * std::sin(rate * i * h))});
  }
  return keys;
}

constexpr Real kShakeRate = 2 * kPi * 2;  // [rad/s]

void addThreshold(ValidationTable& table) {
  for (const Real share : {0.99, 1.02}) {
    const Real h = 1.0 / 480, amplitude = share * kMu * kGravity / kShakeRate;
    Slope slope(kMidpoint, h, 0, shaken(Vec3::UnitX(), amplitude, kShakeRate, 2, h));
    Real farthest = 0;
    const Real start = slope.slip();
    while (slope.world.time() < 2) {
      slope.world.step();
      farthest = std::max(farthest, std::abs(slope.slip() - start));
    }
    table.add({"block on a shaken table, 2 Hz", fmt::format("A ω² = {:.2f} μ g", share),
               share < 1 ? "sticks" : "slips", farthest < 1e-6 ? "sticks" : "slips", "A ω² = μ g",
               fmt::format("slip of {:.1e} m", farthest)});
  }
}

/// Slip of Newmark's block over some periods, when it never slips uphill. It begins where the
/// table's acceleration V ω cos ωt falls below that of sliding, and ends where the block has the
/// velocity of the table again: both in closed form but for the root.
Real newmarkSlip(Real sliding, Real amplitude, int periods) {
  const Real period = 2 * kPi / kShakeRate;
  // sliding < 0: with the table at rest the block would stop.
  const Real begin = std::acos(sliding / (amplitude * kShakeRate)) / kShakeRate;
  const auto relative = [&](Real t) {
    return sliding * (t - begin) -
           amplitude * (std::sin(kShakeRate * t) - std::sin(kShakeRate * begin));
  };
  Real before = period - begin, after = begin + period;
  for (int i = 0; i < 60; ++i) {
    const Real middle = (before + after) / 2;
    (relative(middle) > 0 ? before : after) = middle;
  }
  const Real t = after - begin;
  const Real way =
      sliding * t * t / 2 + amplitude * std::sin(kShakeRate * begin) * t +
      amplitude / kShakeRate * (std::cos(kShakeRate * after) - std::cos(kShakeRate * begin));
  return periods * way;
}

void addNewmark(const Scheme& scheme, ValidationTable& table) {
  const Real angle = 10 * kPi / 180;
  const Real sliding = kGravity * (std::sin(angle) - kMu * std::cos(angle));
  // Uphill it would slip at g (sin θ + μ cos θ) = 4.6 m/s²; downhill it does at 1.2.
  const Real amplitude = 3.0 / kShakeRate;
  const int periods = 10;
  const Real expected = newmarkSlip(sliding, amplitude, periods);
  std::vector<Real> errors;
  Real got = 0;
  for (const Real h : {1.0 / 240, 1.0 / 480, 1.0 / 960}) {
    const Vec3 downhill = turn(Vec3::UnitY(), angle) * Vec3::UnitX();
    // The last slip ends within the period after the last.
    const Real duration = (periods + 0.25) * 2 * kPi / kShakeRate;
    Slope slope(scheme, h, angle, shaken(downhill, amplitude, kShakeRate, duration, h));
    const Real start = slope.slip();
    run(slope.world, duration);
    got = slope.slip() - start;
    errors.push_back(got - expected);
  }
  table.add({fmt::format("Newmark's block, 10 periods at 1/960, {}", scheme.name),
             "slip m",
             expected,
             got,
             "closed form between stick and slip",
             {scheme.order == 1 ? 0.02 : 1e-3, "the steps in which it slips and sticks"},
             orderOf(errors, scheme.order)});
}

}  // namespace

void validateFriction(const StudyOptions& options) {
  ValidationTable table(options, "friction");
  for (const Scheme& scheme : kSchemes) addStopping(scheme, table);
  for (const Scheme& scheme : kSchemes) addBowling(scheme, table);
  addSlopes(table);
  addThreshold(table);
  for (const Scheme& scheme : kSchemes) addNewmark(scheme, table);
}

}  // namespace drystone::bench
