#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/timer.h"
#include "solvers/krylov/preconditioner.h"

namespace drystone {

/// x·y. Four sums that do not wait for each other, always split alike.
inline Real dot(std::span<const Real> x, std::span<const Real> y) {
  Real sum[4] = {};
  const std::size_t whole = x.size() / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sum[k] += x[i + k] * y[i + k];
  }
  for (std::size_t i = whole; i < x.size(); ++i) sum[i - whole] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Refers to a callable y = A x that outlives it: `product(std::span<const Real> x,
/// std::span<Real> y)`.
class ProductRef {
 public:
  template <class Product>
  requires(!std::is_same_v<std::remove_cvref_t<Product>, ProductRef>) ProductRef(Product&& product)
      : product_(const_cast<void*>(static_cast<const void*>(std::addressof(product)))),
        call_([](void* object, std::span<const Real> x, std::span<Real> y) {
          (*static_cast<std::remove_reference_t<Product>*>(object))(x, y);
        }) {}

  void operator()(std::span<const Real> x, std::span<Real> y) const { call_(product_, x, y); }

 private:
  void* product_;
  void (*call_)(void*, std::span<const Real>, std::span<Real>);
};

enum class PcgStatus : std::uint8_t {
  kConverged,
  kIterationLimit,
  kNegativeCurvature,  ///< pᵀ A p is not positive: A is indefinite, or singular along p
  kTimeLimit,
  kStalled,                   ///< round-off keeps b − A x above the tolerance
  kIndefinitePreconditioner,  ///< rᵀ M⁻¹ r ≤ 0: M is positive definite no longer, by rounding
  kNotFinite,
};

struct PcgLimits {
  Real tolerance = 0;  ///< of ‖b − A x‖₂, in the unit of b
  int maxIterations = 20000;
  /// [rows] of A: a pᵀ A p below kFlatShare of Σ A_ii p_i² counts as none; empty: only below zero.
  std::span<const Real> diagonal = {};
  Deadline deadline = {};
};

/// Curvature below this share of its terms is round-off.
constexpr Real kFlatShare = 1e-13;

struct PcgOutcome {
  PcgStatus status = PcgStatus::kConverged;
  int iterations = 0;
  Real residual = 0;  ///< ‖b − A x‖₂ of the x returned, computed from x

  bool converged() const { return status == PcgStatus::kConverged; }
};

/// Preconditioned conjugate gradients (Ho 2022, alg. 8). Work space of its own; a solve of a size
/// that it had before allocates nothing.
class Pcg {
 public:
  void reserve(int rows);

  /// Solves A x = b from x. In the rows of `isOut` (empty: none) x stays as it is, and their
  /// equations do not count: A_FF x_F = b_F − A_FT x_T. When it does not converge, x is the iterate
  /// with the least residual, finite if x was on entry.
  PcgOutcome solve(ProductRef product, const Preconditioner& preconditioner,
                   std::span<const Real> b, std::span<const std::uint8_t> isOut,
                   const PcgLimits& limits, std::span<Real> x);

 private:
  /// r = b − A x in the rows that are in. Returns ‖r‖₂.
  Real findResidual(ProductRef product, std::span<const Real> b,
                    std::span<const std::uint8_t> isOut, std::span<const Real> x);
  PcgStatus iterate(ProductRef product, const Preconditioner& preconditioner,
                    std::span<const Real> b, std::span<const std::uint8_t> isOut,
                    const PcgLimits& limits, std::span<Real> x, PcgOutcome& outcome);

  std::vector<Real> r_, z_, p_, q_, best_;  // [rows] q = A p
  Real bestResidual_ = 0;
};

}  // namespace drystone
