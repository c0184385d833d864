// Semismooth Newton on the dual of a proximal contact problem; for cones the convex model of
// A. Castro et al., "An unconstrained convex formulation of compliant contact", IEEE Transactions on
// Robotics 39 (2023), here with a multiplier that removes the compliance that was not asked for.

#include "solvers/direct/proximal_newton.h"

#include <algorithm>
#include <cmath>

#include "solvers/laws.h"

namespace drystone {
namespace {

constexpr int kLineSearchSteps = 30;
/// Slope at the end of a line search over the slope at its start.
constexpr Real kLineSearchAccuracy = 0.1;
/// Compliance across the slip direction, over D, above which the direction counts as fixed.
constexpr Real kStiffest = 1e12;

bool isCone(const ProblemBlock& block, bool cones) {
  return cones && block.law == BlockLaw::kContact && block.rows == 3;
}

}  // namespace

void ProximalNewton::reserve(const ProblemSize& size) {
  for (auto* values : {&damping_, &base_, &point_, &velocity_, &direction_, &change_, &trial_,
                       &trialVelocity_, &projected_, &savedShift_}) {
    values->reserve(size.rows);
  }
}

void ProximalNewton::setDamping(const RowSystem& rows, Real stiffness) {
  damping_.resize(rows.rowCount());
  for (int c = 0; c < rows.problem().blockCount(); ++c) {
    const ProblemBlock& block = rows.problem().blocks[c];
    // A cone is a circle in the tangents only if its rows have one D.
    Real common = 0;
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      damping_[row] = std::max(rows.compliance(row), stiffness * std::abs(rows.diagonal(row)));
      if (!(damping_[row] > 0)) damping_[row] = 1;
      common = std::max(common, damping_[row]);
    }
    if (block.law == BlockLaw::kContact) {
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        damping_[row] = common;
      }
    }
  }
}

void ProximalNewton::project(const RowSystem& rows, const RowBounds& bounds, bool cones,
                             std::span<const Real> v, std::span<Real> projected) const {
  for (const ProblemBlock& block : rows.problem().blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      const Real y = -(v[row] + base_[row]) / damping_[row];
      projected[row] =
          isCone(block, cones) ? y : std::clamp(y, bounds.lower[row], bounds.upper[row]);
    }
    if (isCone(block, cones)) projectCone(block.friction, &projected[block.firstRow]);
  }
}

void ProximalNewton::fillBasis(const RowSystem& rows, const RowBounds& bounds, bool cones,
                               FreeBasis& basis) const {
  basis.begin(rows.problem());
  for (const ProblemBlock& block : rows.problem().blocks) {
    basis.beginBlock();
    const int first = block.firstRow;
    Real y[kMaxBlockRows];
    for (int i = 0; i < block.rows; ++i) {
      y[i] = -(velocity_[first + i] + base_[first + i]) / damping_[first + i];
    }
    const auto extra = [&](int row) { return damping_[row] - rows.compliance(row); };
    if (!isCone(block, cones)) {
      for (int i = 0; i < block.rows; ++i) {
        const int row = first + i;
        if (y[i] > bounds.lower[row] && y[i] < bounds.upper[row]) basis.addRow(row, extra(row));
      }
      continue;
    }
    const Real mu = block.friction;
    const Real length = std::hypot(y[1], y[2]);
    if (y[0] >= 0 && length <= mu * y[0]) {
      for (int row = first; row < first + 3; ++row) basis.addRow(row, extra(row));
    } else if (mu * length > -y[0]) {
      // On the surface: along its ruling, and around the cone with the compliance of its curvature.
      const Real alongX = length > 0 ? y[1] / length : 1;
      const Real alongY = length > 0 ? y[2] / length : 0;
      const Vec3 ruling = Vec3(1, mu * alongX, mu * alongY) / std::sqrt(1 + mu * mu);
      const Vec3 around(0, -alongY, alongX);
      const auto complianceAlong = [&](const Vec3& axis) {
        Real sum = 0;
        for (int i = 0; i < 3; ++i) sum += axis[i] * axis[i] * rows.compliance(first + i);
        return sum;
      };
      basis.add(first, ruling, ruling, damping_[first] - complianceAlong(ruling));
      const Real normal = (y[0] + mu * length) / (1 + mu * mu);
      const Real share = length > 0 ? mu * normal / length : 0;
      if (share * kStiffest > 1) {
        basis.add(first, around, around, damping_[first] / share - complianceAlong(around));
      }
    }
  }
  basis.end();
}

Real ProximalNewton::slope(const RowSystem& rows, const RowBounds& bounds, bool cones, Real t) {
  const int n = rows.rowCount();
  for (int i = 0; i < n; ++i) trialVelocity_[i] = velocity_[i] + t * change_[i];
  project(rows, bounds, cones, trialVelocity_, projected_);
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += (point_[i] + t * direction_[i] - projected_[i]) * change_[i];
  return sum;
}

// The function is convex, so its slope along the step grows; the root is bracketed and found by
// regula falsi (Illinois).
Real ProximalNewton::lineSearch(const RowSystem& rows, const RowBounds& bounds, bool cones) {
  Real high = 1;
  Real slopeHigh = slope(rows, bounds, cones, 1);
  if (!(slopeHigh > 0)) return 1;
  Real low = 0;
  Real slopeLow = slope(rows, bounds, cones, 0);
  const Real target = kLineSearchAccuracy * std::abs(slopeLow);
  if (slopeHigh <= target || slopeLow >= 0) return 1;
  int lastSide = 0;
  for (int i = 0; i < kLineSearchSteps; ++i) {
    const Real t = std::clamp((low * slopeHigh - high * slopeLow) / (slopeHigh - slopeLow),
                              low + 0.01 * (high - low), high - 0.01 * (high - low));
    const Real slopeT = slope(rows, bounds, cones, t);
    if (std::abs(slopeT) <= target) return t;
    if (slopeT > 0) {
      high = t;
      slopeHigh = slopeT;
      if (lastSide == 1) slopeLow /= 2;
      lastSide = 1;
    } else {
      low = t;
      slopeLow = slopeT;
      if (lastSide == -1) slopeHigh /= 2;
      lastSide = -1;
    }
  }
  return low > 0 ? low : high;
}

ProximalNewton::Outcome ProximalNewton::run(RowSystem& rows, FreeSystem& system,
                                            const RowBounds& bounds, bool cones, Real stiffness,
                                            Real tolerance, int maxIterations,
                                            std::span<Real> lambda) {
  const int n = rows.rowCount();
  for (auto* values : {&base_, &point_, &velocity_, &direction_, &change_, &trial_,
                       &trialVelocity_, &projected_}) {
    values->resize(n);
  }
  setDamping(rows, stiffness);
  savedShift_.assign(rows.shift().begin(), rows.shift().end());
  for (int i = 0; i < n; ++i) {
    rows.shift()[i] -= (damping_[i] - rows.compliance(i)) * lambda[i];
    base_[i] = rows.problem().b[i] + rows.shift()[i];
  }
  // v = A_0 λ without the rows' own compliance, which D takes over.
  const auto reduce = [&](std::span<const Real> point, std::span<Real> w) {
    for (int i = 0; i < n; ++i) w[i] -= base_[i] + rows.compliance(i) * point[i];
  };
  std::copy(lambda.begin(), lambda.end(), point_.begin());
  rows.velocity(point_, velocity_);
  reduce(point_, velocity_);

  Outcome outcome;
  while (outcome.iterations < maxIterations) {
    ++outcome.iterations;
    fillBasis(rows, bounds, cones, system.basis());
    if (!system.factor()) break;
    project(rows, bounds, cones, velocity_, trial_);
    rows.velocity(trial_, trialVelocity_);
    system.correct(trial_, trialVelocity_, 0.01 * tolerance, 3);
    reduce(trial_, trialVelocity_);
    for (int i = 0; i < n; ++i) {
      direction_[i] = trial_[i] - point_[i];
      change_[i] = trialVelocity_[i] - velocity_[i];
    }
    const Real t = lineSearch(rows, bounds, cones);
    for (int i = 0; i < n; ++i) {
      point_[i] += t * direction_[i];
      velocity_[i] += t * change_[i];
    }
    project(rows, bounds, cones, velocity_, projected_);
    Real error = 0;
    for (int i = 0; i < n; ++i) {
      error = std::max(error, damping_[i] * std::abs(point_[i] - projected_[i]));
    }
    if (!std::isfinite(error)) break;
    outcome.converged = error <= tolerance;
    if (outcome.converged) break;
  }
  project(rows, bounds, cones, velocity_, projected_);
  if (std::all_of(projected_.begin(), projected_.end(),
                  [](Real value) { return std::isfinite(value); })) {
    std::copy(projected_.begin(), projected_.end(), lambda.begin());
  }
  std::copy(savedShift_.begin(), savedShift_.end(), rows.shift().begin());
  return outcome;
}

}  // namespace drystone
