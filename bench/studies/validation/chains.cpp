// A folded chain that falls faster than free.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

constexpr Real kChainLength = 1;  // [m]
/// Between the two strands at the start, over the length of a rod.
constexpr Real kFold = 4;

/// Angles off the vertical down of n rods: the first half hangs, the second stands beside it, and
/// one rod lies across where the chain has its fold.
VecX foldedAngles(int rods) {
  VecX angles(rods);
  const Real link = kChainLength / rods;
  // The strands lean so that their ends are kFold of a rod apart.
  const Real lean = kFold * link / kChainLength;
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

/// How far the end has fallen where the clock stops [m].
constexpr Real kFallen = 0.8 * kChainLength;

/// When the end has fallen that far [s].
Real fallTime(const Scheme& scheme, Real h, int rods) {
  World world = makeWorld(settingsOf(scheme, h));
  const Real link = kChainLength / rods;
  const VecX angles = foldedAngles(rods);
  Vec3 joint = Vec3::Zero();
  BodyId last = addPost(world);
  for (int i = 0; i < rods; ++i) {
    // The rod hangs along −z of its own frame, and meets nothing: the strands lie side by side.
    const Quat rotation = turn(Vec3::UnitY(), -angles[i]);
    const MassProperties rod = {1, Vec3::Zero(),
                                Vec3(1, 1, 0.01).asDiagonal() * (link * link / 12)};
    const Vec3 down = rotation * Vec3(0, 0, -link);
    const BodyId body = addBody(world, {}, rod, {joint + down / 2, rotation});
    const Vec3 end = i == 0 ? Vec3(0, 0, 0) : Vec3(0, 0, -link / 2);
    world.addJoint(ballJoint(last, body, end, {0, 0, link / 2}));
    joint += down;
    last = body;
  }
  Real before = 0;
  while (world.time() < 1) {
    world.step();
    const Pose pose = world.body(last).pose();
    const Real depth = joint.z() - (pose * Vec3(0, 0, -link / 2)).z();
    if (depth >= kFallen) return world.time() - h * (depth - kFallen) / (depth - before);
    before = depth;
  }
  return std::nan("");
}

/// A thin chain that keeps its energy: v² = 2 g x (L − x/2)/(L − x) (Calkin and March 1989).
struct ThinChain {
  static Real speedSquared(Real x) {
    return 2 * kGravity * x * (kChainLength - x / 2) / (kChainLength - x);
  }
  /// Until the end has fallen by x, by the midpoint rule in √x, which takes the root at the start
  /// away.
  static Real time(Real x) {
    const int parts = 100000;
    const Real end = std::sqrt(x);
    Real sum = 0;
    for (int i = 0; i < parts; ++i) {
      const Real s = (i + 0.5) * end / parts;
      sum += 2 * s * end / parts / std::sqrt(speedSquared(s * s));
    }
    return sum;
  }
};

void addFall(int rods, ValidationTable& table) {
  VecX start = VecX::Zero(2 * rods);
  start.head(rods) = foldedAngles(rods);
  const Real depth = endDepth(start);
  const Real exact =
      timeOfEvent([](Real, const VecX& y) { return chainRate(y); }, start,
                  [&](const VecX& y) { return kFallen + depth - endDepth(y); }, 1, 16000);
  for (const Scheme& scheme : kSchemes) {
    std::vector<Real> errors;
    Real got = 0;
    for (const Real h : {1.0 / 1000, 1.0 / 2000, 1.0 / 4000}) {
      got = fallTime(scheme, h, rods);
      errors.push_back(got - exact);
    }
    table.add({fmt::format("folded chain of {} rods at 1/4000, {}", rods, scheme.name),
               "time of 0.8 L s",
               exact,
               got,
               "Runge–Kutta of the same rods",
               {scheme.order == 1 ? 5e-3 : 1e-4,
                scheme.order == 1 ? "first order in h" : "second order in h"},
               orderOf(errors, scheme.order)});
  }
}

}  // namespace

void validateChains(const StudyOptions& options) {
  ValidationTable table(options, "chains");
  for (const int rods : {20, 40}) addFall(rods, table);
  const Real thin = ThinChain::time(kFallen), free = std::sqrt(2 * kFallen / kGravity);
  const Real got = fallTime(kMidpoint, 1.0 / 8000, 80);
  const std::string name = "folded chain of 80 rods at 1/8000, moreau";
  const Allowance wide = {0.02, "the fold is 50 mm wide, and its rods swing on"};
  table.add({name, "time of 0.8 L s", thin, got, "Calkin and March 1989, thin chain", wide});
  table.add({name, "the same over that of free fall", thin / free, got / free,
             "Calkin and March 1989, thin chain", wide});
}

}  // namespace drystone::bench
