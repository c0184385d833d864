// A learning environment over a batch of worlds: reset, act, observe, be judged. 64 cart-poles at
// once, each with its own linear feedback; the best of them teach the next ones (the cross-entropy
// method), until the pole stays up for five seconds.
//
//     example_environment
//
// Units are metres, kilograms, seconds and radians.
#include <drystone/drystone.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace drystone;

constexpr int kCopies = 64, kBest = 12, kRounds = 12;
constexpr int kSteps = 250;                              // of 0.02 s
constexpr double kForce = 10;                            // largest push on the cart [N]
constexpr double kReach = 2.4, kTilt = 12 * M_PI / 180;  // of the cart and of the pole

/// Weights of the cart's place and velocity, and of the pole's angle and rate.
using Policy = std::array<double, 4>;
using Random = std::mt19937;

/// How many steps each policy keeps its pole up, from a start drawn by the seed.
std::vector<int> scores(WorldBatch& batch, const std::vector<Policy>& policies, unsigned seed) {
  // Of each copy the slide of the cart, then the hinge of the pole.
  std::vector<Real> places(2 * kCopies), rates(2 * kCopies), forces(2 * kCopies);
  Random random(seed);
  std::uniform_real_distribution<double> start(-0.05, 0.05);
  for (Real& value : places) value = start(random);
  for (Real& value : rates) value = start(random);
  std::vector<int> copies(kCopies), steps(kCopies, 0);
  std::iota(copies.begin(), copies.end(), 0);
  batch.reset(copies, {.positions = {},
                       .orientations = {},
                       .velocities = {},
                       .coordinates = places,
                       .rates = rates});
  std::vector<bool> isUp(kCopies, true);
  for (int step = 0; step < kSteps && std::ranges::count(isUp, true) > 0; ++step) {
    for (int i = 0; i < kCopies; ++i) {
      const Policy& w = policies[i];
      forces[2 * i] = kForce * std::tanh(w[0] * places[2 * i] + w[1] * rates[2 * i] +
                                         w[2] * places[2 * i + 1] + w[3] * rates[2 * i + 1]);
    }
    batch.setForces(forces);
    batch.step();
    batch.readCoordinates(places);
    batch.readRates(rates);
    for (int i = 0; i < kCopies; ++i) {
      isUp[i] =
          isUp[i] && std::abs(places[2 * i]) <= kReach && std::abs(places[2 * i + 1]) <= kTilt;
      steps[i] += isUp[i];
    }
  }
  return steps;
}

/// Mean and spread of the policies that the next ones are drawn from.
struct Belief {
  Policy mean{}, spread{2, 2, 2, 2};
};

Belief learn(const std::vector<Policy>& policies, const std::vector<int>& steps) {
  std::vector<int> order(kCopies);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return steps[a] > steps[b]; });
  Belief belief;
  for (int k = 0; k < 4; ++k) {
    double sum = 0, squares = 0;
    for (int i = 0; i < kBest; ++i) {
      const double weight = policies[order[i]][k];
      sum += weight;
      squares += weight * weight;
    }
    belief.mean[k] = sum / kBest;
    belief.spread[k] = std::sqrt(std::max(0.0, squares / kBest - belief.mean[k] * belief.mean[k]));
  }
  return belief;
}

}  // namespace

int main() {
  const SolverRegistry solvers = makeDefaultRegistry();
  const Scene scene = readScene("cart_pole", {.overrides = {{"scene.lean", "0"}}});
  WorldBatch batch(kCopies, [&] { return buildWorld(scene, solvers); });

  Random random(1);
  std::normal_distribution<double> normal;
  Belief belief;
  for (int round = 1; round <= kRounds; ++round) {
    std::vector<Policy> policies(kCopies);
    for (Policy& policy : policies) {
      for (int k = 0; k < 4; ++k) policy[k] = belief.mean[k] + belief.spread[k] * normal(random);
    }
    const std::vector<int> steps = scores(batch, policies, round);
    belief = learn(policies, steps);
    const double mean = std::accumulate(steps.begin(), steps.end(), 0.0) / kCopies;
    std::printf("round %2d  %6.1f steps up, best %3d  weights %.2f %.2f %.2f %.2f\n", round, mean,
                *std::ranges::max_element(steps), belief.mean[0], belief.mean[1], belief.mean[2],
                belief.mean[3]);
    if (mean > 0.95 * kSteps) break;
  }

  // The feedback learned, from 64 starts that it has not seen.
  const std::vector<Policy> learned(kCopies, belief.mean);
  const std::vector<int> held = scores(batch, learned, 1000);
  std::printf("learned feedback: %d to %d of %d steps up\n", *std::ranges::min_element(held),
              *std::ranges::max_element(held), kSteps);
  return std::ranges::count(held, kSteps) == kCopies ? 0 : 1;
}
