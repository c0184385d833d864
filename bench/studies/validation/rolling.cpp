// Round bodies that roll, spin and turn over on a floor.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

const char* const kEndOfStep =
    "first order in h: contacts hold at the end of the step, and the gyroscopic term is split";

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
             {0.01, kEndOfStep},
             orderOf(errors, 1)});
  table.add({what, "lean, farthest off rad", 0, got.leanOff, "steady", {0.01, kEndOfStep}});
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
             orderOf(errors, scheme.order)});
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
             {0.001, "second order in h"},
             orderOf(errors, scheme.order)});
}

/// A ball whose centre of mass lies off its middle, spun about its axis.
struct TippeTop {
  static constexpr Real kRadius = 0.02, kOffset = 0.3 * kRadius, kMass = 0.015;
  static constexpr Real kSpin = 150, kLean = 0.3;  // at the start [rad/s], [rad]
  World world;
  BodyId body;

  /// I1/I3 within 1 ± ε, where it turns over.
  static Vec3 moments() { return Vec3(1.15, 1.15, 1) * (0.4 * kMass * kRadius * kRadius); }

  TippeTop(const Scheme& scheme, Real h, Real friction)
      : world(makeWorld(settingsOf(scheme, h), {.friction = friction})) {
    addFloor(world);
    const Quat rotation = turn(Vec3::UnitY(), kLean);
    const MassProperties properties = {kMass, Vec3(0, 0, -kOffset), moments().asDiagonal()};
    body = addBody(world, Sphere{kRadius}, properties, {{0, 0, kRadius}, rotation}, Vec3::Zero(),
                   rotation * Vec3(0, 0, kSpin));
  }
  Real height() const { return (world.body(body).pose().rotation * Vec3::UnitZ()).z(); }
  /// Jellett's integral: L times the way from the centre of mass to the contact.
  Real jellett() const {
    const auto top = world.body(body);
    const Quat rotation = top.pose().rotation;
    const Vec3 momentum =
        rotation * moments().cwiseProduct(rotation.conjugate() * top.angularVelocity());
    return momentum.dot(top.pose().position - Vec3(0, 0, kRadius) - top.centerOfMass());
  }
};

/// The same by Newton and Euler, friction μ N v/√(v² + ε²) against the slip. The state is the
/// velocity of the centre of mass in the plane, the quaternion (w, x, y, z) and the spin in body
/// axes.
VecX tippeTopRate(const VecX& y, Real friction) {
  // Small beside the slip of 0.1 to 1 m/s that turns it over [m/s].
  constexpr Real kSmoothing = 1e-5;
  const Vec3 moments = TippeTop::moments();
  const Quat q = Quat(y[2], y[3], y[4], y[5]).normalized();
  const Vec3 spinBody = y.tail<3>(), spin = q * spinBody, axis = q * Vec3::UnitZ();
  const Vec3 arm = TippeTop::kOffset * axis - TippeTop::kRadius * Vec3::UnitZ();
  Vec3 slip = Vec3(y[0], y[1], 0) + spin.cross(arm);
  slip.z() = 0;
  const Vec3 force =
      Vec3::UnitZ() - friction / std::sqrt(slip.squaredNorm() + kSmoothing * kSmoothing) * slip;
  const auto turned = [&](const Vec3& torque) -> Vec3 {
    return q * (q.conjugate() * torque).cwiseQuotient(moments);
  };
  const Vec3 free = q * moments.cwiseProduct(spinBody).cross(spinBody).cwiseQuotient(moments);
  const Vec3 perNewton = turned(arm.cross(force));
  // The height R − a e3·z of the centre of mass follows the floor: that gives the normal force N.
  const auto lifted = [&](const Vec3& acceleration) {
    return -TippeTop::kOffset * acceleration.cross(axis).z();
  };
  const Real still = lifted(free) - TippeTop::kOffset * spin.cross(spin.cross(axis)).z();
  const Real normal = (kGravity + still) / (1 / TippeTop::kMass - lifted(perNewton));
  const Quat turning = q * Quat(0, spinBody.x(), spinBody.y(), spinBody.z());
  VecX rate(9);
  rate << normal * force.head<2>() / TippeTop::kMass, turning.w() / 2, turning.vec() / 2,
      q.conjugate() * (free + normal * perNewton);
  return rate;
}

/// When its axis passes through the level [s].
Real tippeTopLevels(Real friction) {
  const Quat rotation = turn(Vec3::UnitY(), TippeTop::kLean);
  VecX start(9);
  start << 0, 0, rotation.w(), rotation.vec(), 0, 0, TippeTop::kSpin;
  // Steps of 2.5 µs: smoothed friction stops the slip within 3 µs.
  return timeOfEvent([friction](Real, const VecX& y) { return tippeTopRate(y, friction); }, start,
                     [](const VecX& y) {
                       const Quat q = Quat(y[2], y[3], y[4], y[5]).normalized();
                       return (q * Vec3::UnitZ()).z();
                     },
                     4, 1600000);
}

void addTippeTop(const StudyOptions& options, ValidationTable& table) {
  const Real friction = 0.1, expected = tippeTopLevels(friction);
  for (const Scheme& scheme : kSchemes) {
    TippeTop top(scheme, 1.0 / 16000, friction);
    CsvFile csv(options, fmt::format("tippe_top_{}", scheme.name), "time_s,height_of_axis");
    const Real start = top.jellett();
    Real level = std::nan(""), changed = 0;
    while (top.world.time() < 4) {
      top.world.step();
      changed = std::max(changed, std::abs(top.jellett() / start - 1));
      if (!(level > 0) && top.height() <= 0) level = top.world.time();
      if (top.world.stepCount() % 100 == 0) csv.row(top.world.time(), top.height());
    }
    const std::string name = fmt::format("tippe top, μ = 0.1, at 1/16000, {}", scheme.name);
    table.add({name,
               "time until its axis is level s",
               expected,
               level,
               "Runge–Kutta, friction smoothed at 0.01 mm/s",
               {0.02, "its slip grows from next to none: 3 % earlier for a tenfold smoothing"}});
    table.add({name,
               "Jellett's integral, largest change",
               0,
               changed,
               "conservation",
               {1e-3, "first order in h"}});
  }
  TippeTop smooth(kMidpoint, 1.0 / 4000, 0);
  Real lowest = 1;
  while (smooth.world.time() < 4) {
    smooth.world.step();
    lowest = std::min(lowest, smooth.height());
  }
  table.add({"tippe top, μ = 0, 4 s", "turns over", "no", lowest < 0 ? "yes" : "no",
             "only friction can lift it",
             fmt::format("height of its axis {:.3f} at least", lowest)});
}

}  // namespace

void validateRolling(const StudyOptions& options) {
  ValidationTable table(options, "rolling");
  addDiscs(table);
  for (const Scheme& scheme : kSchemes) addConeOnFloor(scheme, table);
  for (const Scheme& scheme : kSchemes) addConeOnSlope(scheme, table);
  addTippeTop(options, table);
  addRattleback(options, table);
}

}  // namespace drystone::bench
