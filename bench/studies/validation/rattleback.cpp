// A rattleback that is spun against the sense that it prefers, beside rolling without slip.
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rattleback_motion.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

constexpr Real kFinest = 1.0 / 4000;  // [s]
constexpr Real kAfter = 2;            ///< when its spin is compared [s]
/// It rolls without slip from a friction of 0.5 on.
constexpr Real kGrip = 1;

/// Spun about the vertical, and a little about its short axis, which sets it rocking [rad/s].
Vec3 spunAt(Real vertical) { return {0, 0.3, vertical}; }

struct RattlebackRun {
  Real reversed = std::nan("");  ///< the time at which its spin is first of the other sign [s]
  Real spin = 0;                 ///< about the vertical at the end [rad/s]
};

RattlebackRun spinRattleback(const Rattleback& rattleback, const Scheme& scheme, Real h,
                             Real vertical, CsvFile* csv = nullptr) {
  World world = makeWorld(settingsOf(scheme, h), {.friction = kGrip});
  addFloor(world);
  const Vec3 spin = spunAt(vertical), arm = rattleback.contact(Vec3::UnitZ());
  const BodyId body = addBody(world, Ellipsoid{rattleback.halfAxes},
                              {rattleback.mass, Vec3::Zero(), rattleback.inertia()},
                              {-arm, Quat::Identity()}, arm.cross(spin), spin);
  RattlebackRun out;
  Real last = vertical;
  for (int i = 0; i < std::lround(kAfter / h); ++i) {
    world.step();
    out.spin = world.body(body).angularVelocity().z();
    if (std::isnan(out.reversed) && last * out.spin <= 0) {
      out.reversed = world.time() - h * out.spin / (out.spin - last);
    }
    last = out.spin;
    if (csv != nullptr && world.stepCount() % 20 == 0) csv->row(world.time(), out.spin);
  }
  return out;
}

}  // namespace

void addRattleback(const StudyOptions& options, ValidationTable& table) {
  const Rattleback rattleback;
  constexpr Real kSpin = 5;
  const StateRate rate = [&](Real, const VecX& state) { return rattleback.rate(state); };
  const VecX start = Rattleback::start(spunAt(-kSpin));
  const Real reversed = timeOfEvent(
      rate, start, [](const VecX& state) { return -Rattleback::spinAboutVertical(state); }, kAfter,
      1 << 15);
  const Real after = Rattleback::spinAboutVertical(integrate(rate, start, kAfter).end());
  for (const Scheme& scheme : kSchemes) {
    CsvFile csv(options, fmt::format("rattleback_{}", scheme.name), "time_s,spin_rad_s");
    RattlebackRun got;
    std::vector<Real> timeErrors, spinErrors;
    for (const int coarser : {4, 2, 1}) {
      got = spinRattleback(rattleback, scheme, coarser * kFinest, -kSpin,
                           coarser == 1 ? &csv : nullptr);
      timeErrors.push_back(got.reversed - reversed);
      spinErrors.push_back(got.spin - after);
    }
    const std::string name = fmt::format("rattleback at 1/4000, {}", scheme.name);
    const char* const cause =
        "first order in h: contacts hold at the end of the step, and the gyroscopic term is split";
    table.add({name,
               "time until its spin of -5 rad/s turns s",
               reversed,
               got.reversed,
               "Runge–Kutta, no slip",
               {0.01, cause},
               orderOf(timeErrors, 1)});
    table.add({name,
               "spin after 2 s rad/s",
               after,
               got.spin,
               "Runge–Kutta, no slip",
               {0.01, cause},
               orderOf(spinErrors, 1)});
  }
  const RattlebackRun preferred = spinRattleback(rattleback, kMidpoint, kFinest, kSpin);
  table.add({"rattleback at 1/4000, moreau", "spun the other way: turns back", "no",
             std::isnan(preferred.reversed) ? "no" : "yes", "it prefers one sense",
             fmt::format("spins at {:.2f} rad/s after 2 s", preferred.spin)});
}

}  // namespace drystone::bench
