// A folded chain that falls faster than free.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"
#include "bench/studies/validation/table.h"

namespace drystone::bench {
namespace {

constexpr Real kChainLength = 1;  // [m]
/// Between the two strands at the start [m].
constexpr Real kFold = 0.02;

/// Angles off the vertical down of n rods: the first half hangs, the second stands beside it, and
/// one rod lies across where the chain has its fold.
VecX foldedAngles(int rods) {
  VecX angles(rods);
  const Real link = kChainLength / rods;
  // The strands lean so that their ends are kFold apart.
  const Real lean = kFold / (rods * link);
  for (int i = 0; i < rods; ++i) angles[i] = i < rods / 2 ? lean : kPi - lean;
  return angles;
}

/// Lagrange's equations of a chain of thin rods of 1 kg each that hangs from the origin.
/// The state is the angles off the vertical down, then their rates.
VecX chainRate(const VecX& y) {
  const int n = static_cast<int>(y.size()) / 2;
  const Real link = kChainLength / n;
  MatX mass(n, n);
  VecX force(n);
  for (int i = 0; i < n; ++i) {
    // Rods below i hang on all of it; its own half.
    const Real loads = n - 1 - i;
    force[i] = -kGravity * link * (loads + 0.5) * std::sin(y[i]);
    for (int j = 0; j < n; ++j) {
      const Real below = n - 1 - std::max(i, j);
      const Real shared = link * link * (i == j ? below + 1.0 / 3 : below + 0.5);
      mass(i, j) = shared * std::cos(y[i] - y[j]);
      force[i] -= shared * std::sin(y[i] - y[j]) * y[n + j] * y[n + j];
    }
  }
  VecX rate(2 * n);
  rate.head(n) = y.tail(n);
  rate.tail(n) = mass.llt().solve(force);
  return rate;
}

/// Height of the free end below the post [m].
Real endDepth(const VecX& y) {
  const int n = static_cast<int>(y.size()) / 2;
  return kChainLength / n * y.head(n).array().cos().sum();
}

struct ChainFall {
  Real time = 0;  ///< until the end is 0.8 of the length below its start [s]
  Real pull = 0;  ///< largest on the post until then, over the weight
};

constexpr Real kFallen = 0.8 * kChainLength;  // [m]

ChainFall fall(const Scheme& scheme, Real h, int rods) {
  World world = makeWorld(settingsOf(scheme, h));
  const Real link = kChainLength / rods;
  const VecX angles = foldedAngles(rods);
  Vec3 joint = Vec3::Zero();
  BodyId last = addPost(world);
  JointId hold;
  for (int i = 0; i < rods; ++i) {
    // The rod hangs along −z of its own frame, and meets nothing: the strands lie side by side.
    const Quat rotation = turn(Vec3::UnitY(), -angles[i]);
    const MassProperties rod = {1, Vec3::Zero(),
                                Vec3(1, 1, 0.01).asDiagonal() * (link * link / 12)};
    const Vec3 down = rotation * Vec3(0, 0, -link);
    const BodyId body = addBody(world, {}, rod, {joint + down / 2, rotation});
    const JointId made = world.addJoint(
        ballJoint(last, body, i == 0 ? Vec3(0, 0, 0) : Vec3(0, 0, -link / 2), {0, 0, link / 2}));
    if (i == 0) hold = made;
    joint += down;
    last = body;
  }
  ChainFall out;
  Real before = 0;
  while (world.time() < 1) {
    world.step();
    const Pose pose = world.body(last).pose();
    const Real depth = -(pose * Vec3(0, 0, -link / 2)).z() + joint.z();
    out.pull = std::max(out.pull, world.joint(hold).reaction().force.norm() / (rods * kGravity));
    if (depth >= kFallen) {
      out.time = world.time() - h * (depth - kFallen) / (depth - before);
      break;
    }
    before = depth;
  }
  return out;
}

/// Of a thin chain that keeps its energy (Calkin and March 1989): v² = 2 g x (L − x/2)/(L − x), by
/// the midpoint rule in √x, which takes the root at the start away.
Real calkinMarch(Real x) {
  const int parts = 100000;
  Real time = 0;
  const Real end = std::sqrt(x);
  for (int i = 0; i < parts; ++i) {
    const Real s = (i + 0.5) * end / parts, at = s * s;
    const Real v2 = 2 * kGravity * (kChainLength - at / 2) / (kChainLength - at);
    time += 2 * end / parts / std::sqrt(v2);
  }
  return time;
}

void addFall(int rods, ValidationTable& table) {
  VecX start = VecX::Zero(2 * rods);
  start.head(rods) = foldedAngles(rods);
  const Real depth = endDepth(start);
  const Real exact =
      timeOfEvent([](Real, const VecX& y) { return chainRate(y); }, start,
                  [&](const VecX& y) { return kFallen + depth - endDepth(y); }, 1, 8000);
  for (const Scheme& scheme : kSchemes) {
    std::vector<Real> errors;
    ChainFall got;
    for (const Real h : {1.0 / 1000, 1.0 / 2000, 1.0 / 4000}) {
      got = fall(scheme, h, rods);
      errors.push_back(got.time - exact);
    }
    table.add({fmt::format("folded chain of {} rods at 1/4000, {}", rods, scheme.name),
               "time of 0.8 L s",
               exact,
               got.time,
               "Runge–Kutta of the same rods",
               {scheme.order == 1 ? 5e-3 : 1e-4, "order of the scheme"},
               orderText(errors, scheme.order)});
  }
}

}  // namespace

void validateChains(const StudyOptions& options) {
  ValidationTable table(options, "chains");
  const Real thin = calkinMarch(kFallen), free = std::sqrt(2 * kFallen / kGravity);
  for (const int rods : {10, 20}) addFall(rods, table);
  const ChainFall fine = fall(kMidpoint, 1.0 / 8000, 80);
  table.add({"folded chain of 80 rods at 1/8000, moreau",
             "time of 0.8 L s",
             thin,
             fine.time,
             "Calkin and March 1989, thin chain",
             {0.02, "the fold is 20 mm wide and has rods of 12.5 mm"},
             ""});
  table.add(
      {"folded chain of 80 rods", "against free fall", "faster",
       fine.time < free ? "faster" : "slower", "Calkin and March 1989",
       fmt::format("{:.3f} of the time of free fall; thin {:.3f}", fine.time / free, thin / free)});
}

}  // namespace drystone::bench
