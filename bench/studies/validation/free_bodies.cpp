// Bodies that turn without forces: Euler's equations.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

const Shape kBrick = Box{{0.1, 0.2, 0.3}};
constexpr Real kBrickMass = 2;  // [kg]
/// About none of the axes of the brick, nearest to the middle one [rad/s].
const Vec3 kBrickSpin(0.5, 3, 0.5);

Vec3 brickMoments() {
  const MassProperties unit = massProperties(kBrick, 1);
  return unit.inertia.diagonal() * (kBrickMass / unit.mass);
}

struct FreeBody {
  World world;
  BodyId body;

  FreeBody(const Scheme& scheme, Real h, const Shape& shape, Real mass, const Vec3& spin)
      : world([&] {
          WorldSettings settings = settingsOf(scheme, h);
          settings.gravity.setZero();
          return makeWorld(settings);
        }()),
        body(addSolid(world, shape, mass, {}, Vec3::Zero(), spin)) {}

  Quat rotation() const { return world.body(body).pose().rotation; }
  Vec3 spin() const { return world.body(body).angularVelocity(); }
  Vec3 momentum(const Vec3& moments) const {
    return rotation() * moments.cwiseProduct(rotation().conjugate() * spin());
  }
};

/// Euler's equations; the state is the quaternion (w, x, y, z) and the spin in the body's axes.
Quat exactRotation(const Vec3& moments, const Vec3& spin, Real duration) {
  const StateRate rate = [&](Real, const VecX& y) {
    const Quat q(y[0], y[1], y[2], y[3]);
    const Vec3 w = y.tail<3>();
    const Quat turning = q * Quat(0, w.x(), w.y(), w.z());
    VecX out(7);
    out << turning.w() / 2, turning.vec() / 2,
        moments.cwiseProduct(w).cross(w).cwiseQuotient(moments);
    return out;
  };
  VecX start(7);
  start << 1, 0, 0, 0, spin;
  const VecX end = integrate(rate, start, duration).end();
  return Quat(end[0], end[1], end[2], end[3]).normalized();
}

void addInvariants(const Scheme& scheme, ValidationTable& table) {
  const Vec3 moments = brickMoments();
  FreeBody brick(scheme, 1.0 / 240, kBrick, kBrickMass, kBrickSpin);
  const Vec3 before = brick.momentum(moments);
  const Real energy = before.dot(brick.spin());
  Real energyOff = 0, sizeOff = 0, turned = 0;
  for (int step = 0; step < 60 * 240; ++step) {
    brick.world.step();
    const Vec3 now = brick.momentum(moments);
    energyOff = std::max(energyOff, std::abs(now.dot(brick.spin()) / energy - 1));
    sizeOff = std::max(sizeOff, std::abs(now.norm() / before.norm() - 1));
    turned = std::max(turned, std::atan2(now.cross(before).norm(), now.dot(before)));
  }
  const std::string name = fmt::format("brick, 60 s, {}", scheme.name);
  const Allowance roundOff = {1e-12, "round-off: the midpoint rule in body axes keeps it"};
  table.add({name, "energy, largest change", 0, energyOff, "conservation", roundOff});
  table.add({name, "size of L, largest change", 0, sizeOff, "conservation", roundOff});
  // Angles of some h ω and (h ω)², ω = 3 rad/s.
  const Allowance direction =
      scheme.order == 1
          ? Allowance{0.05, "O(h ω): the pose turns by the spin of the end; L circles, no drift"}
          : Allowance{2e-3, "O(h² ω²): both half turns have the spin of their end"};
  table.add({name, "direction of L, farthest turn rad", 0, turned, "conservation", direction});
}

void addOrder(const Scheme& scheme, ValidationTable& table) {
  const Quat exact = exactRotation(brickMoments(), kBrickSpin, 1);
  std::vector<Real> errors;
  for (const Real h : {1.0 / 120, 1.0 / 240, 1.0 / 480}) {
    FreeBody brick(scheme, h, kBrick, kBrickMass, kBrickSpin);
    run(brick.world, 1);
    errors.push_back(brick.rotation().angularDistance(exact));
  }
  const Allowance allowance = scheme.order == 1 ? Allowance{0.01, "first order in h"}
                                                : Allowance{1e-4, "second order in h"};
  table.add({fmt::format("brick, 1 s at 1/480, {}", scheme.name), "attitude, rad off", 0,
             errors.back(), "Runge–Kutta", allowance, orderOf(errors, scheme.order)});
}

/// Frequency [1/s] of a vector that circles about z, from its whole turn in a run.
class PhaseCounter {
 public:
  void add(const Vec3& v) {
    const Real phase = std::atan2(v.y(), v.x());
    if (isFirst_) {
      isFirst_ = false;
    } else {
      turned_ += std::remainder(phase - last_, 2 * kPi);
    }
    last_ = phase;
  }
  Real turned() const { return turned_; }

 private:
  bool isFirst_ = true;
  Real last_ = 0, turned_ = 0;
};

/// A disc whose axis leans off its spin. Seen from the disc the spin circles by (I3/I1 − 1) ω3,
/// seen from the world the axis circles by |L| / I1: Feynman's plate.
void addDisc(ValidationTable& table) {
  const Shape disc = Cylinder{0.2, 0.01};
  const Real mass = 1, duration = 10;
  const Vec3 spin(2, 0, 20);
  const MassProperties unit = massProperties(disc, 1);
  const Vec3 moments = unit.inertia.diagonal() * (mass / unit.mass);
  for (const Scheme& scheme : kSchemes) {
    std::vector<Real> inside, outside;
    const Real insideRate = (moments.z() / moments.x() - 1) * spin.z();
    const Real outsideRate = moments.cwiseProduct(spin).norm() / moments.x();
    const Vec3 upright = moments.cwiseProduct(spin).normalized();
    for (const Real h : {1.0 / 240, 1.0 / 480}) {
      FreeBody body(scheme, h, disc, mass, spin);
      PhaseCounter seenInside, seenOutside;
      const Quat level = Quat::FromTwoVectors(upright, Vec3::UnitZ());
      for (int step = 0; step <= std::lround(duration / h); ++step) {
        seenInside.add(body.rotation().conjugate() * body.spin());
        seenOutside.add(level * (body.rotation() * Vec3::UnitZ()));
        body.world.step();
      }
      inside.push_back(seenInside.turned() / duration);
      outside.push_back(seenOutside.turned() / duration);
    }
    const auto orderBeside = [](const std::vector<Real>& got, Real expected, int order) {
      return orderOf({got[0] - expected, got[1] - expected}, order);
    };
    const std::string name = fmt::format("disc, 10 s at 1/480, {}", scheme.name);
    table.add({name,
               "nutation in the body rad/s",
               insideRate,
               inside.back(),
               "(I3/I1 − 1) ω3",
               {1e-3, "(h ω)²/12 of the midpoint rule"},
               orderBeside(inside, insideRate, 2)});
    table.add({name,
               "wobble in the world rad/s",
               outsideRate,
               outside.back(),
               "\\|L\\|/I1",
               {1e-3, "(h ω)²/12 of the midpoint rule"},
               orderBeside(outside, outsideRate, scheme.order)});
  }
}

}  // namespace

void validateFreeBodies(const StudyOptions& options) {
  ValidationTable table(options, "free");
  for (const Scheme& scheme : kSchemes) addInvariants(scheme, table);
  for (const Scheme& scheme : kSchemes) addOrder(scheme, table);
  addDisc(table);
}

}  // namespace drystone::bench
