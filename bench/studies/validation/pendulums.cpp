// Pendulums of one and two rods.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

constexpr Real kLength = 1;  // of a rod [m]
const Shape kRod = Box{{kLength / 2, 0.02, 0.02}};

/// Inertia of a rod of 1 kg about its middle, for turns about y [kg m²].
Real rodInertia() {
  const MassProperties unit = massProperties(kRod, 1);
  return unit.inertia(1, 1) / unit.mass;
}

/// Frames whose x axis is the world's y: what a hinge needs to swing in the plane of x and z.
const Quat kAboutY = turn(Vec3::UnitZ(), kPi / 2);

/// A rod of 1 kg from `top`, at an angle off the vertical down, towards +x.
BodyId addRod(World& world, const Vec3& top, Real angle, BodyId holder, const Vec3& anchor) {
  // Takes the rod's x axis to (sin a, 0, −cos a).
  const Quat rotation = turn(Vec3::UnitY(), kPi / 2 - angle);
  const BodyId rod = addSolid(world, kRod, 1, {top + rotation * Vec3(kLength / 2, 0, 0), rotation});
  // The frame turns with the rod, so that the hinge starts at any angle.
  world.addJoint(hingeJoint(holder, rod, {anchor, kAboutY}, {{-kLength / 2, 0, 0}, kAboutY}));
  return rod;
}

Real angleOf(const World& world, BodyId rod) {
  const Vec3 along = world.body(rod).pose().rotation * Vec3::UnitX();
  return std::atan2(along.x(), -along.z());
}

/// T = 4 √(I / m g l) K(sin(θ0/2)), K by the arithmetic-geometric mean.
Real pendulumPeriod(Real inertia, Real arm, Real amplitude) {
  Real a = 1, b = std::cos(amplitude / 2);
  // The mean doubles its digits with each round.
  for (int i = 0; i < 8; ++i) {
    const Real next = (a + b) / 2;
    b = std::sqrt(a * b);
    a = next;
  }
  return 2 * kPi * std::sqrt(inertia / (kGravity * arm)) / a;
}

/// Of two whole swings, by the passages through the lowest place.
Real measuredPeriod(const Scheme& scheme, Real h, Real amplitude) {
  World world = makeWorld(settingsOf(scheme, h));
  const BodyId rod = addRod(world, Vec3::Zero(), amplitude, addPost(world), Vec3::Zero());
  Real previous = amplitude, first = 0;
  int passages = 0;
  while (passages < 5 && world.time() < 60) {
    world.step();
    const Real now = angleOf(world, rod);
    if (previous * now <= 0 && std::abs(previous - now) < kPi) {
      const Real at = world.time() - h * now / (now - previous);
      if (passages == 0) first = at;
      ++passages;
      if (passages == 5) return (at - first) / 2;
    }
    previous = now;
  }
  return std::nan("");
}

void addPeriods(ValidationTable& table) {
  const Real inertia = rodInertia() + kLength * kLength / 4;
  for (const Real degrees : {90.0, 170.0}) {
    const Real amplitude = degrees * kPi / 180;
    const Real expected = pendulumPeriod(inertia, kLength / 2, amplitude);
    for (const Scheme& scheme : kSchemes) {
      std::vector<Real> errors;
      Real got = 0;
      // Held joints pass from held to not held within coarser swings, and the errors jump.
      for (const Real steps : {4000, 8000, 16000}) {
        const Real h = 1 / steps;
        got = measuredPeriod(scheme, h, amplitude);
        errors.push_back(got - expected);
      }
      const Allowance allowance =
          scheme.order == 1 ? Allowance{1e-5, "held joints: second order once all steps are held"}
                            : Allowance{1e-6, "second order in h"};
      table.add({fmt::format("rod, {:.0f}° at 1/16000, {}", degrees, scheme.name), "period s",
                 expected, got, "4 √(I/m g l) K(sin θ0/2)", allowance,
                 orderOf(errors, scheme.order)});
    }
  }
}

/// Angles and rates of two rods: a1, a2, a1', a2'.
VecX doublePendulumRate(const VecX& y) {
  const Real c = kLength / 2, i = rodInertia();
  const Real difference = y[0] - y[1];
  const Real m11 = i + c * c + kLength * kLength, m22 = i + c * c;
  const Real m12 = kLength * c * std::cos(difference), sine = kLength * c * std::sin(difference);
  const Real f1 = -sine * y[3] * y[3] - kGravity * (c + kLength) * std::sin(y[0]);
  const Real f2 = sine * y[2] * y[2] - kGravity * c * std::sin(y[1]);
  const Real determinant = m11 * m22 - m12 * m12;
  VecX out(4);
  out << y[2], y[3], (m22 * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant;
  return out;
}

struct TwoRods {
  World world;
  BodyId upper, lower;

  TwoRods(const Scheme& scheme, Real h, Real angle) : world(makeWorld(settingsOf(scheme, h))) {
    upper = addRod(world, Vec3::Zero(), angle, addPost(world), Vec3::Zero());
    const Vec3 end(std::sin(angle), 0, -std::cos(angle));
    lower = addRod(world, end, angle, upper, {kLength / 2, 0, 0});
  }
};

void addTwoRods(ValidationTable& table) {
  const Real angle = kPi / 2, duration = 2;
  VecX start(4);
  start << angle, angle, 0, 0;
  const VecX exact =
      integrate([](Real, const VecX& y) { return doublePendulumRate(y); }, start, duration).end();
  for (const Scheme& scheme : kSchemes) {
    std::vector<Real> errors;
    for (const Real h : {1.0 / 1000, 1.0 / 2000, 1.0 / 4000}) {
      TwoRods rods(scheme, h, angle);
      run(rods.world, duration);
      const Real upper = std::remainder(angleOf(rods.world, rods.upper) - exact[0], 2 * kPi);
      const Real lower = std::remainder(angleOf(rods.world, rods.lower) - exact[1], 2 * kPi);
      errors.push_back(std::hypot(upper, lower));
    }
    const Allowance allowance = scheme.order == 1 ? Allowance{0.05, "first order in h"}
                                                  : Allowance{1e-4, "second order in h"};
    table.add({fmt::format("two rods, 2 s at 1/4000, {}", scheme.name), "angles, rad off", 0,
               errors.back(), "Runge–Kutta", allowance, orderOf(errors, scheme.order)});
  }
  for (const Scheme& scheme : kSchemes) {
    TwoRods rods(scheme, 1.0 / 1000, angle);
    // Both rods start level with the post, with no energy, and fall through m g (½ + 3/2) m.
    const Real scale = 2 * kGravity;
    Real worst = 0;
    while (rods.world.time() < 60) {
      rods.world.step();
      worst = std::max(worst, std::abs(energyOf(rods.world)) / scale);
    }
    const Allowance allowance =
        scheme.order == 1 ? Allowance{0.2, "rows of the end lose where the spin changes fast"}
                          : Allowance{0.01, "mean rows do no work; drift of the joints, O(h²)"};
    table.add({fmt::format("two rods, 60 s at 1/1000, {}", scheme.name),
               "energy, largest change over m g · 2 m", 0, worst, "conservation", allowance});
  }
}

}  // namespace

void validatePendulums(const StudyOptions& options) {
  ValidationTable table(options, "pendulums");
  addPeriods(table);
  addTwoRods(table);
}

}  // namespace drystone::bench
