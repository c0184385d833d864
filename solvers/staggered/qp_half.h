#pragma once

#include <memory>
#include <vector>

#include "core/timer.h"
#include "solvers/linear/row_system.h"
#include "solvers/staggered/qp/banded_k0.h"
#include "solvers/staggered/qp/diamond_qp.h"
#include "solvers/staggered/qp/pdasm.h"
#include "solvers/staggered/qp/timed_k0.h"
#include "solvers/staggered/row_mix_k0.h"

namespace drystone {

/// What K_0 of an island is factored as.
enum class StaggeredFactor : std::uint8_t {
  kAuto,    ///< the band, unless it is wide
  kBanded,  ///< a band matrix in Cuthill–McKee order
  kSparse,  ///< RowMixK0
};

/// What the QPs of one half took, added up.
struct QpTotals {
  int qps = 0, unsolved = 0;  ///< solved in all, and of these those that ended without an answer
  int iterations = 0, descents = 0, interiorSteps = 0, changes = 0, refinements = 0;
  int factorizations = 0, solves = 0;
  int iterationsMost = 0;                        ///< working sets of one QP
  Real kktError = 0;                             ///< largest [m/s]
  double timeMs = 0, factorMs = 0, solveMs = 0;  ///< in all, and of that with K_0

  void add(const QpReport& report);
};

/// One of the two QPs that alternate: its rows, Hessian, factor and working set, which stay for the
/// whole solve while the linear term and the bounds change. Keeps its storage.
class QpHalf {
 public:
  explicit QpHalf(std::unique_ptr<BandFactor> cholesky) : banded_(std::move(cholesky)) {}

  void reserve(const ProblemSize& size);
  /// Empties the half.
  void begin() { variables_.clear(), metric_.clear(); }
  /// Appends a variable, by ascending block; `metric`: the size of its diagonal [1/kg].
  void add(const RowMix& variable, Real metric);
  int size() const { return static_cast<int>(variables_.size()); }
  const RowMix& variable(int i) const { return variables_[i]; }
  std::span<const RowMix> variables() const { return variables_; }
  /// The Hessian in the frames, once it was turned.
  const SymmetricMatrix& hessian() const { return isTurned_ ? turned_ : hessian_; }

  /// H from the matrix of `rows`, between plain rows; its symmetric part where that has none.
  void fillHessian(const RowSystem& rows);
  /// Turns pairs of tangents into the frames; the variables become mixes.
  void turn(std::span<const PairFrame> frames);
  /// Chooses and prepares the factor: after `fillHessian` or `turn`.
  void attach(RowSystem& rows, StaggeredFactor factor, int threads, const QpSettings& settings);
  /// Sets that the signs at x predict, with gradient w (4.36, 4.37; multipliers over the metric).
  void predictSets(std::span<const Real> w);
  /// With the gradient of the whole problem at x: c = H x − w.
  void solve(std::span<const Real> w);

  Real metric(int i) const { return metric_[i]; }

  /// xᵀHx of the last answer, of its start, and of the difference of the two [J].
  Real norm() const { return norm_; }
  Real startNorm() const { return startNorm_; }
  Real changeNorm() const { return changeNorm_; }
  /// KKT error at x with gradient w [m/s].
  Real errorAt(std::span<const Real> w) const;
  Real regularization() const { return regularization_; }

  std::vector<Real> x, lower, upper;  ///< [size]
  std::vector<RowState> sets;         ///< [size]
  QpTotals totals;

 private:
  BoxQp view() const { return {&hessian(), linear_, lower, upper}; }

  std::vector<RowMix> variables_;
  std::vector<Real> metric_;
  std::vector<int> variableOfRow_;
  SymmetricMatrix hessian_, turned_;
  bool isTurned_ = false;
  BandedK0 banded_;
  RowMixK0 sparse_;
  TimedK0<Timer> timed_;
  Pdasm pdasm_;
  std::vector<Real> linear_, change_, product_;
  Real norm_ = 0, startNorm_ = 0, changeNorm_ = 0, regularization_ = 0;
};

}  // namespace drystone
