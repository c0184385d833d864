#include "bench/studies/validation/ode.h"

#include <algorithm>
#include <limits>

namespace drystone::bench {
namespace {

/// Where the halving begins and ends.
constexpr int kFewestSteps = 64, kMostSteps = 1 << 18;
/// Halvings of the step with an event: below round-off.
constexpr int kBisections = 50;

VecX rungeKuttaStep(const StateRate& rate, Real time, const VecX& state, Real h) {
  const VecX k1 = rate(time, state);
  const VecX k2 = rate(time + h / 2, state + h / 2 * k1);
  const VecX k3 = rate(time + h / 2, state + h / 2 * k2);
  const VecX k4 = rate(time + h, state + h * k3);
  return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

}  // namespace

VecX OdeSolution::end() const {
  return converged() ? state : VecX::Constant(state.size(), std::numeric_limits<Real>::quiet_NaN());
}

VecX rungeKutta(const StateRate& rate, VecX state, Real duration, int steps) {
  const Real h = duration / steps;
  for (int i = 0; i < steps; ++i) state = rungeKuttaStep(rate, i * h, state, h);
  return state;
}

OdeSolution integrate(const StateRate& rate, const VecX& start, Real duration) {
  OdeSolution solution{rungeKutta(rate, start, duration, kFewestSteps)};
  for (int steps = 2 * kFewestSteps; steps <= kMostSteps; steps *= 2) {
    const VecX finer = rungeKutta(rate, start, duration, steps);
    const Real scale = std::max(1.0, finer.cwiseAbs().maxCoeff());
    solution.change = (finer - solution.state).cwiseAbs().maxCoeff() / scale;
    solution.state = finer;
    if (solution.converged()) break;
  }
  return solution;
}

Real timeOfEvent(const StateRate& rate, VecX state, const std::function<Real(const VecX&)>& event,
                 Real limit, int steps) {
  const Real h = limit / steps;
  for (int i = 0; i < steps; ++i) {
    const VecX next = rungeKuttaStep(rate, i * h, state, h);
    if (event(next) <= 0) {
      Real before = 0, after = h;
      for (int k = 0; k < kBisections; ++k) {
        const Real middle = (before + after) / 2;
        const bool isPast = event(rungeKuttaStep(rate, i * h, state, middle)) <= 0;
        (isPast ? after : before) = middle;
      }
      return i * h + after;
    }
    state = next;
  }
  return std::numeric_limits<Real>::quiet_NaN();
}

}  // namespace drystone::bench
