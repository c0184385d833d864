// Round bodies that roll, spin and turn over on a floor.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"
#include "bench/studies/validation/table.h"

namespace drystone::bench {
namespace {

/// A disc that rolls steadily, its axis leaning by α off the vertical. Axes: e3 along that of the
/// disc, e1 downhill in its plane, towards the contact, which lies at a = R e1 − c e3.
struct SteadyDisc {
  Real radius, halfThickness, lean;
  Real precession = 0;  ///< Ω of the contact about the vertical [rad/s]
  Real spin = 0;        ///< ω3, along e3 [rad/s]

  Cylinder shape() const { return {radius, halfThickness}; }
  /// Moments of 1 kg: I1 across, I3 along the axis.
  Real across() const { return radius * radius / 4 + halfThickness * halfThickness / 3; }
  Real along() const { return radius * radius / 2; }
  Real armOut() const { return radius * std::cos(lean) - halfThickness * std::sin(lean); }
  Real armDown() const { return radius * std::sin(lean) + halfThickness * std::cos(lean); }

  /// Euler's disc: the centre of mass rests, so that ω is along a, and
  /// Ω² (I1 sin α cos α − I3 (c/R) sin² α) = m g (R cos α − c sin α).
  void restCentre() {
    const Real s = std::sin(lean), c = std::cos(lean);
    precession = std::sqrt(kGravity * armOut() /
                           (across() * s * c - along() * halfThickness / radius * s * s));
    spin = halfThickness * precession * s / radius;
  }
  /// A disc that rolls in a circle with a given Ω, from the balance of moments about its centre:
  /// I3 ω3 Ω sin α − I1 Ω² sin α cos α = −m g a_out + m Ω V a_down, V = c Ω sin α − R ω3.
  void rollInCircle(Real omega) {
    precession = omega;
    const Real s = std::sin(lean), c = std::cos(lean);
    spin = (across() * omega * omega * s * c - kGravity * armOut() +
            omega * armDown() * halfThickness * omega * s) /
           (omega * (along() * s + armDown() * radius));
  }
  /// Speed of the centre of mass, along e3 × e1 [m/s].
  Real speed() const { return halfThickness * precession * std::sin(lean) - radius * spin; }
};

struct DiscRun {
  Real turned = 0;   ///< of the lean's direction about the vertical [rad]
  Real leanOff = 0;  ///< farthest [rad]
};

DiscRun rollDisc(const SteadyDisc& disc, const Scheme& scheme, Real h, Real duration) {
  World world = makeWorld(settingsOf(scheme, h), {.friction = 10});
  addFloor(world);
  const Quat rotation = turn(Vec3::UnitY(), disc.lean);
  const Vec3 e1 = rotation * Vec3::UnitX(), e3 = rotation * Vec3::UnitZ();
  const Vec3 omega = -disc.precession * std::sin(disc.lean) * e1 + disc.spin * e3;
  const BodyId body = addSolid(world, disc.shape(), 1, {{0, 0, disc.armDown()}, rotation},
                               {0, disc.speed(), 0}, omega);
  DiscRun out;
  Real last = 0;
  for (int i = 0; i < std::lround(duration / h); ++i) {
    world.step();
    const Vec3 axis = world.body(body).pose().rotation * Vec3::UnitZ();
    const Real now = std::atan2(axis.y(), axis.x());
    out.turned += std::remainder(now - last, 2 * kPi);
    last = now;
    out.leanOff = std::max(out.leanOff, std::abs(std::acos(axis.z()) - disc.lean));
  }
  return out;
}

void addDisc(const std::string& name, const SteadyDisc& disc, const Scheme& scheme, Real duration,
             const std::string& source, ValidationTable& table) {
  std::vector<Real> errors;
  DiscRun got;
  for (const Real h : {1.0 / 2000, 1.0 / 4000, 1.0 / 8000}) {
    got = rollDisc(disc, scheme, h, duration);
    errors.push_back(got.turned / duration - disc.precession);
  }
  const std::string what = fmt::format("{} at 1/8000, {}", name, scheme.name);
  table.add({what,
             "turning of the contact rad/s",
             disc.precession,
             got.turned / duration,
             source,
             {scheme.order == 1 ? 0.02 : 0.01, "first order in h"},
             orderText(errors, scheme.order)});
  table.add({what,
             "lean, farthest off rad",
             0,
             got.leanOff,
             "steady",
             {0.01, "energy that the scheme loses"},
             ""});
}

void addDiscs(ValidationTable& table) {
  for (const Scheme& scheme : kSchemes) {
    for (const Real lean : {0.1, 0.3}) {
      SteadyDisc disc = {0.1, 0.002, lean};
      disc.restCentre();
      addDisc(fmt::format("Euler's disc, lean {:.1f}, 1 s", lean), disc, scheme, 1,
              fmt::format("steady; thin: 2 √(g/(R sin α)) = {:.4g}",
                          2 * std::sqrt(kGravity / (disc.radius * std::sin(lean)))),
              table);
    }
    SteadyDisc wheel = {0.3, 0.01, 75 * kPi / 180};
    wheel.rollInCircle(3);
    addDisc(fmt::format("wheel at {:.2f} m/s that leans 15°, 2 s", std::abs(wheel.speed())), wheel,
            scheme, 2, "steady rolling in a circle", table);
  }
}

/// A cone of half angle β that rolls on its side about its apex.
struct RollingCone {
  Cone shape{0.2, 0.4};
  Real halfAngle = std::atan(shape.radius / shape.height);
  Real middle = 0.75 * shape.height;  ///< from the apex to the centre of mass [m]

  /// Moment of 1 kg about the line of contact, which goes through the apex.
  Real aboutContact() const {
    const Real r2 = shape.radius * shape.radius, h2 = shape.height * shape.height;
    const Real along = 0.3 * r2, across = 0.15 * r2 + 0.6 * h2;
    return along * std::pow(std::cos(halfAngle), 2) + across * std::pow(std::sin(halfAngle), 2);
  }
  /// On its side on the plane z = 0, apex at the origin, its axis over x turned by `heading`.
  Pose pose(Real heading) const {
    // The axis of the shape leads from the base to the apex.
    const Quat rotation =
        turn(Vec3::UnitZ(), heading) * turn(Vec3::UnitY(), -(kPi / 2 + halfAngle));
    return {-(rotation * Vec3(0, 0, shape.height / 2)), rotation};
  }
};

Real headingOf(const World& world, BodyId cone) {
  const Vec3 axis = -(world.body(cone).pose().rotation * Vec3::UnitZ());
  return std::atan2(axis.y(), axis.x());
}

void addConeOnFloor(const Scheme& scheme, ValidationTable& table) {
  const RollingCone cone;
  const Real turning = 2, duration = 2;
  std::vector<Real> errors;
  Real got = 0;
  for (const Real h : {1.0 / 500, 1.0 / 1000, 1.0 / 2000}) {
    World world = makeWorld(settingsOf(scheme, h), {.friction = 10});
    addFloor(world);
    const Vec3 center(cone.middle * std::cos(cone.halfAngle), 0,
                      cone.middle * std::sin(cone.halfAngle));
    // It turns about the line of contact, by Ω cot β.
    const Vec3 omega(-turning / std::tan(cone.halfAngle), 0, 0);
    const BodyId body = addSolid(world, cone.shape, 1, cone.pose(0), omega.cross(center), omega);
    Real turned = 0, last = headingOf(world, body);
    for (int i = 0; i < std::lround(duration / h); ++i) {
      world.step();
      const Real now = headingOf(world, body);
      turned += std::remainder(now - last, 2 * kPi);
      last = now;
    }
    got = turned / duration;
    errors.push_back(got - turning);
  }
  table.add({fmt::format("cone on a floor, 2 s at 1/2000, {}", scheme.name),
             "turning about its apex rad/s",
             turning,
             got,
             "ω = Ω cot β",
             {0.01, "first order in h"},
             orderText(errors, scheme.order)});
}

void addConeOnSlope(const Scheme& scheme, ValidationTable& table) {
  const RollingCone cone;
  const Real slope = 20 * kPi / 180, amplitude = kPi / 3;
  // ½ I (cot β)² φ'² = m g sin γ d cos β (cos φ − cos φ0): a pendulum.
  const Real inertia = cone.aboutContact() / std::pow(std::tan(cone.halfAngle), 2);
  const Real torque = kGravity * std::sin(slope) * cone.middle * std::cos(cone.halfAngle);
  VecX start(2);
  start << amplitude, 0;
  const Real quarter = timeOfEvent(
      [&](Real, const VecX& y) {
        VecX rate(2);
        rate << y[1], -torque / inertia * std::sin(y[0]);
        return rate;
      },
      start, [](const VecX& y) { return y[0]; }, 5, 1 << 14);
  std::vector<Real> errors;
  Real got = 0;
  for (const Real h : {1.0 / 500, 1.0 / 1000, 1.0 / 2000}) {
    WorldSettings settings = settingsOf(scheme, h);
    // The floor keeps its place, and gravity leans towards +x.
    settings.gravity = kGravity * Vec3(std::sin(slope), 0, -std::cos(slope));
    World world = makeWorld(settings, {.friction = 10});
    addFloor(world);
    const BodyId body = addSolid(world, cone.shape, 1, cone.pose(amplitude));
    Real previous = amplitude, first = 0;
    int passages = 0;
    got = 0;
    while (passages < 3 && world.time() < 20) {
      world.step();
      const Real now = headingOf(world, body);
      if (previous * now <= 0) {
        const Real at = world.time() - h * now / (now - previous);
        if (passages == 0) first = at;
        got = at - first;
        ++passages;
      }
      previous = now;
    }
    errors.push_back(got - 4 * quarter);
  }
  table.add({fmt::format("cone on a slope of 20°, ±60° at 1/2000, {}", scheme.name),
             "period s",
             4 * quarter,
             got,
             "pendulum of I cot² β",
             {0.01, "first order in h"},
             orderText(errors, scheme.order)});
}

/// A ball whose centre of mass lies off its middle, spun about its axis.
struct TippeTop {
  static constexpr Real kRadius = 0.02, kOffset = 0.3 * kRadius, kMass = 0.015;
  World world;
  BodyId body;

  TippeTop(Real h, Real friction)
      : world(makeWorld(settingsOf(kMidpoint, h), {.friction = friction})) {
    addFloor(world);
    const Quat rotation = turn(Vec3::UnitY(), 0.1);
    // I1 = I3 lies within the range (1 − ε) I3 < I1 < (1 + ε) I3 in which it turns over.
    const MassProperties properties = {kMass, Vec3(0, 0, -kOffset),
                                       Mat3::Identity() * (0.4 * kMass * kRadius * kRadius)};
    body = addBody(world, Sphere{kRadius}, properties, {{0, 0, kRadius}, rotation}, Vec3::Zero(),
                   rotation * Vec3(0, 0, 150));
  }
  Real lean() const {
    const Vec3 axis = world.body(body).pose().rotation * Vec3::UnitZ();
    return std::acos(std::clamp(axis.z(), -1.0, 1.0));
  }
  /// Jellett's integral: L times the way from the centre of mass to the contact.
  Real jellett() const {
    const auto top = world.body(body);
    const Vec3 momentum = 0.4 * kMass * kRadius * kRadius * top.angularVelocity();
    return momentum.dot(top.pose().position - Vec3(0, 0, kRadius) - top.centerOfMass());
  }
};

void addTippeTop(const StudyOptions& options, ValidationTable& table) {
  for (const Real friction : {0.3, 0.0}) {
    TippeTop top(1.0 / 4000, friction);
    CsvFile csv(options, friction > 0 ? "tippe_top" : "tippe_top_smooth", "time_s,lean_rad");
    const Real start = top.jellett();
    Real farthest = 0, changed = 0;
    while (top.world.time() < 6) {
      top.world.step();
      farthest = std::max(farthest, top.lean());
      changed = std::max(changed, std::abs(top.jellett() / start - 1));
      if (top.world.stepCount() % 40 == 0) csv.row(top.world.time(), top.lean());
    }
    const std::string name = fmt::format("tippe top, 150 rad/s, μ = {}, 6 s", friction);
    table.add({name, "turns over", friction > 0 ? "yes" : "no",
               farthest > 0.95 * kPi ? "yes" : "no", "Jellett; I1/I3 within 1 ± ε",
               fmt::format("leans by {:.2f} rad at most", farthest)});
    table.add({name,
               "Jellett's integral, largest change",
               0,
               changed,
               "conservation",
               {0.02, "first order in h"},
               ""});
  }
}

}  // namespace

void validateRolling(const StudyOptions& options) {
  ValidationTable table(options, "rolling");
  addDiscs(table);
  for (const Scheme& scheme : kSchemes) addConeOnFloor(scheme, table);
  for (const Scheme& scheme : kSchemes) addConeOnSlope(scheme, table);
  addTippeTop(options, table);
}

}  // namespace drystone::bench
