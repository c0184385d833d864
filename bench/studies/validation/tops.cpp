// Heavy symmetric tops on a ball joint.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

constexpr Real kArm = 0.3;  ///< from the pivot to the centre of mass [m]
constexpr Real kMass = 1;   // [kg]
const Shape kDisc = Cylinder{0.2, 0.01};
const char* causeOf(const Scheme& scheme) {
  return scheme.order == 1 ? "first order in h: the gyroscopic term acts whole before the impulses"
                           : "second order in h: the midpoint of the spin knows the joint's torque";
}

/// Moments of the disc about the pivot [kg m²].
struct TopMoments {
  Real across = 0, along = 0;  ///< I1 and I3

  TopMoments() {
    const MassProperties unit = massProperties(kDisc, 1);
    along = unit.inertia(2, 2) * kMass / unit.mass;
    across = unit.inertia(0, 0) * kMass / unit.mass + kMass * kArm * kArm;
  }
};

/// A disc on a massless arm that leans off the vertical.
struct Top {
  World world;
  BodyId body;

  /// `precession` and `spin` [rad/s]: that about the vertical, and all of it along the axis.
  Top(const Scheme& scheme, Real h, Real lean, Real precession, Real spin)
      : world(makeWorld(settingsOf(scheme, h))) {
    const Quat rotation = turn(Vec3::UnitY(), lean);
    const Vec3 axis = rotation * Vec3::UnitZ();
    const Vec3 omega = precession * Vec3::UnitZ() + (spin - precession * std::cos(lean)) * axis;
    const BodyId post = addPost(world);
    body = addSolid(world, kDisc, kMass, {kArm * axis, rotation}, omega.cross(kArm * axis), omega);
    world.addJoint(ballJoint(post, body, Vec3::Zero(), {0, 0, -kArm}));
  }
  Vec3 axis() const { return world.body(body).pose().rotation * Vec3::UnitZ(); }
};

/// The slow root of I1 cos θ Ω² − I3 ω3 Ω + m g l = 0.
Real steadyPrecession(const TopMoments& moments, Real lean, Real spin) {
  const Real a = moments.across * std::cos(lean), b = moments.along * spin;
  const Real torque = kMass * kGravity * kArm;
  return 2 * torque / (b + std::sqrt(b * b - 4 * a * torque));
}

void addSteady(ValidationTable& table) {
  const TopMoments moments;
  const Real lean = kPi / 3, spin = 150, duration = 1;
  const Real expected = steadyPrecession(moments, lean, spin);
  for (const Scheme& scheme : kSchemes) {
    std::vector<Real> errors;
    Real got = 0, leanOff = 0;
    for (const Real h : {1.0 / 2000, 1.0 / 4000, 1.0 / 8000}) {
      Top top(scheme, h, lean, expected, spin);
      leanOff = 0;
      for (int i = 0; i < std::lround(duration / h); ++i) {
        top.world.step();
        leanOff = std::max(leanOff, std::abs(std::acos(top.axis().z()) - lean));
      }
      got = std::atan2(top.axis().y(), top.axis().x()) / duration;
      errors.push_back(got - expected);
    }
    const std::string name = fmt::format("steady top, 1 s at 1/8000, {}", scheme.name);
    const Allowance allowance = {scheme.order == 1 ? 0.05 : 1e-3, causeOf(scheme)};
    table.add({name, "precession rad/s", expected, got, "I1 cos θ Ω² − I3 ω3 Ω + m g l = 0",
               allowance, orderOf(errors, scheme.order)});
    table.add({name, "lean, farthest off rad", 0, leanOff, "steady", allowance});
  }
}

/// Let go without precession a top falls to the lean at which its nutation turns back: between the
/// start u0 = cos θ0 and the root of 2 m g l I1 (1 − u²) = (I3 ω3)² (u0 − u).
void addNutation(ValidationTable& table) {
  const TopMoments moments;
  const Real lean = kPi / 3, spin = 150, duration = 1;
  const Real u0 = std::cos(lean);
  const Real s = std::pow(moments.along * spin, 2) / (2 * kMass * kGravity * kArm * moments.across);
  const Real expected = std::acos(s / 2 - std::sqrt(s * s / 4 - s * u0 + 1));
  for (const Scheme& scheme : kSchemes) {
    std::vector<Real> errors;
    Real deepest = 0;
    for (const Real h : {1.0 / 2000, 1.0 / 4000, 1.0 / 8000}) {
      Top top(scheme, h, lean, 0, spin);
      deepest = 0;
      for (int i = 0; i < std::lround(duration / h); ++i) {
        top.world.step();
        deepest = std::max(deepest, std::acos(top.axis().z()));
      }
      errors.push_back(deepest - expected);
    }
    const Allowance allowance = {scheme.order == 1 ? 0.02 : 1e-3, causeOf(scheme)};
    table.add({fmt::format("top let go, 1 s at 1/8000, {}", scheme.name), "deepest lean rad",
               expected, deepest, "root of Lagrange's cubic", allowance,
               orderOf(errors, scheme.order)});
  }
}

/// An upright top sleeps where (I3 ω3)² > 4 I1 m g l, and falls where it is less.
void addSleeping(ValidationTable& table) {
  const TopMoments moments;
  const Real threshold = std::sqrt(4 * moments.across * kMass * kGravity * kArm) / moments.along;
  for (const Real share : {1.03, 0.97}) {
    Top top(kMidpoint, 1.0 / 2000, 1e-4, 0, share * threshold);
    Real deepest = 0;
    while (top.world.time() < 8) {
      top.world.step();
      deepest = std::max(deepest, std::acos(std::min(1.0, top.axis().z())));
    }
    table.add({"upright top, 8 s, moreau",
               fmt::format("{:.2f} of the spin that it sleeps at, {:.1f} rad/s", share, threshold),
               share > 1 ? "sleeps" : "falls", deepest < 0.01 ? "sleeps" : "falls",
               "ω3² = 4 I1 m g l / I3²", fmt::format("leans by {:.1e} rad at most", deepest)});
  }
}

}  // namespace

void validateTops(const StudyOptions& options) {
  ValidationTable table(options, "tops");
  addSteady(table);
  addNutation(table);
  addSleeping(table);
}

}  // namespace drystone::bench
