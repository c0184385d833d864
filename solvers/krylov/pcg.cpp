#include "solvers/krylov/pcg.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace drystone {
namespace {

void clearMasked(std::span<const std::uint8_t> isOut, std::span<Real> x) {
  for (std::size_t i = 0; i < isOut.size(); ++i) {
    if (isOut[i]) x[i] = 0;
  }
}

Real roundOffOf(std::span<const Real> diagonal, std::span<const Real> p) {
  Real terms = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) terms += std::abs(diagonal[i]) * p[i] * p[i];
  return kFlatShare * terms;
}

/// An iterate is copied when its residual is this share of the last copy's: seldom.
constexpr Real kKeepShare = 0.9;
/// A recurrence that fell by this since b − A x was computed says no more: it goes on falling where
/// b − A x stays at round-off.
constexpr Real kLeastFall = 1e-15;

}  // namespace

void Pcg::reserve(int rows) {
  for (auto* vector : {&r_, &z_, &p_, &q_, &best_}) vector->reserve(rows);
}

Real Pcg::findResidual(ProductRef product, std::span<const Real> b,
                       std::span<const std::uint8_t> isOut, std::span<const Real> x) {
  product(x, q_);
  for (std::size_t i = 0; i < b.size(); ++i) r_[i] = b[i] - q_[i];
  clearMasked(isOut, r_);
  return std::sqrt(dot(r_, r_));
}

PcgOutcome Pcg::solve(ProductRef product, const Preconditioner& preconditioner,
                      std::span<const Real> b, std::span<const std::uint8_t> isOut,
                      const PcgLimits& limits, std::span<Real> x) {
  DRYSTONE_ASSERT(b.size() == x.size() && (isOut.empty() || isOut.size() == b.size()));
  for (auto* vector : {&r_, &z_, &p_, &q_, &best_}) vector->resize(b.size());
  PcgOutcome outcome;
  outcome.residual = findResidual(product, b, isOut, x);
  std::copy(x.begin(), x.end(), best_.begin());
  bestResidual_ = outcome.residual;
  outcome.status = iterate(product, preconditioner, b, isOut, limits, x, outcome);
  if (outcome.converged()) return outcome;
  if (!(outcome.residual <= bestResidual_)) std::copy(best_.begin(), best_.end(), x.begin());
  outcome.residual = findResidual(product, b, isOut, x);
  return outcome;
}

PcgStatus Pcg::iterate(ProductRef product, const Preconditioner& preconditioner,
                       std::span<const Real> b, std::span<const std::uint8_t> isOut,
                       const PcgLimits& limits, std::span<Real> x, PcgOutcome& outcome) {
  Real& residual = outcome.residual;
  Real computed = residual;  // ‖b − A x‖ when it was last computed from x
  bool isComputed = true;    // r is b − A x itself, and not its recurrence
  bool hasDirection = false;
  Real rz = 0;
  for (;;) {
    if (!isComputed && residual <= std::max(limits.tolerance, kLeastFall * computed)) {
      // The recurrence drifts from b − A x. Where that is not small yet, go on from it.
      residual = findResidual(product, b, isOut, x);
      if (residual > limits.tolerance && !(residual < 0.5 * computed)) return PcgStatus::kStalled;
      computed = residual;
      isComputed = true;
      hasDirection = false;
    }
    if (residual <= limits.tolerance) return PcgStatus::kConverged;
    if (outcome.iterations >= limits.maxIterations) return PcgStatus::kIterationLimit;
    if (limits.deadline.passed()) return PcgStatus::kTimeLimit;
    preconditioner.applyMasked(isOut, r_, z_);
    const Real rzNow = dot(r_, z_);
    if (!std::isfinite(rzNow)) return PcgStatus::kNotFinite;
    if (!(rzNow > 0)) return PcgStatus::kIndefinitePreconditioner;
    const Real beta = hasDirection ? rzNow / rz : 0;
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = hasDirection ? z_[i] + beta * p_[i] : z_[i];
    hasDirection = true;
    rz = rzNow;
    product(p_, q_);
    const Real curvature = dot(p_, q_);
    if (!std::isfinite(curvature)) return PcgStatus::kNotFinite;
    if (!(curvature > roundOffOf(limits.diagonal, p_))) return PcgStatus::kNegativeCurvature;
    const Real alpha = rz / curvature;
    clearMasked(isOut, q_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += alpha * p_[i];
    for (std::size_t i = 0; i < x.size(); ++i) r_[i] -= alpha * q_[i];
    residual = std::sqrt(dot(r_, r_));
    isComputed = false;
    ++outcome.iterations;
    if (residual < kKeepShare * bestResidual_) {
      std::copy(x.begin(), x.end(), best_.begin());
      bestResidual_ = residual;
    }
  }
}

}  // namespace drystone
