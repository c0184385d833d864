#pragma once

#include <functional>

#include "core/types.h"

namespace drystone::bench {

/// The rate y' of a state y at a time [s].
using StateRate = std::function<VecX(Real time, const VecX& state)>;

/// A state by integration, and how far the steps of twice the length end from it.
struct OdeSolution {
  VecX state;
  Real change = 0;  ///< largest of an entry, relative to the largest entry or 1

  bool converged() const { return change <= kTolerance; }
  /// The state, or NaN where it has not converged, so that no row is met by it.
  VecX end() const;
  static constexpr Real kTolerance = 1e-10;
};

/// The classical Runge–Kutta method with `steps` equal steps over a duration [s].
VecX rungeKutta(const StateRate& rate, VecX state, Real duration, int steps);

/// The same with steps that are halved until this changes the end by no more than 1e-10.
OdeSolution integrate(const StateRate& rate, const VecX& start, Real duration);

/// The first time at which `event` of the state falls to zero or below [s], within `limit`; NaN
/// where it does not. By steps of limit / steps, and bisection within the last one.
Real timeOfEvent(const StateRate& rate, VecX state, const std::function<Real(const VecX&)>& event,
                 Real limit, int steps);

}  // namespace drystone::bench
