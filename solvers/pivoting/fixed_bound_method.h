#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "solvers/driver/allowance.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/linear/row_system.h"
#include "solvers/pivoting/adaptive_regularization.h"
#include "solvers/pivoting/index_sets.h"

namespace drystone {

/// Candidates, pivots and Newton steps of a solve to begin with: more than any problem that ends
/// has taken.
constexpr int kManyPivots = 100'000;

/// How a run of a fixed-bound method ended.
struct PivotOutcome {
  SolveStatus status = SolveStatus::kConverged;
  bool isSpent = false;  ///< nothing of the solve's allowance was left
  int rounds = 0;        ///< candidates evaluated
  int pivots = 0;        ///< rows moved
  Real error = 0;        ///< largest |λ − Π(λ − w/A_ii)| A_ii of the λ returned [m/s]
  int factorizations = 0;
  std::string_view factor;           ///< the last that ran; empty: none
  std::int64_t innerIterations = 0;  ///< of conjugate gradients
  Real regularization = 0;     ///< largest diagonal term added beyond the problem's own [1/kg]
  std::size_t cacheBytes = 0;  ///< of copies of factors

  /// Solved, or nothing left to spend: no further stage is tried.
  bool isOver() const { return status == SolveStatus::kConverged || isSpent; }
  void endAtLimit(const Allowance& allowance) {
    status = limitStatus(allowance);
    isSpent = true;
  }
};

inline void addOutcome(const PivotOutcome& outcome, SolverReport& report) {
  report.pivots += outcome.pivots;
  report.factorizations += outcome.factorizations;
  if (!outcome.factor.empty()) report.factor = outcome.factor;
  report.innerIterations += outcome.innerIterations;
  report.regularization = std::max(report.regularization, outcome.regularization);
  report.cacheBytes = std::max(report.cacheBytes, outcome.cacheBytes);
}

/// A method for the MLCP of one problem: every row has bounds that are known numbers (M.9 without
/// the coupling of friction to λ_n, which BoundLoop adds). Keeps its work space between solves.
class FixedBoundMethod {
 public:
  virtual ~FixedBoundMethod() = default;

  virtual void visitSettings(SettingVisitor&) {}
  virtual void reserve(const ProblemSize& size) = 0;
  /// Whether `attach` wants A assembled where the problem comes in body form.
  virtual bool needsMatrix(const ContactProblem& problem) const = 0;
  /// Binds to the problem that `rows` was prepared with, until the next call. `rows` outlives it.
  virtual void attach(RowSystem& rows) = 0;
  /// What the method adds to the problem on its way; null: nothing, ever.
  virtual AdaptiveRegularization* regularization() { return nullptr; }
  /// Solves from λ and the sets, and leaves the answer there, or the best candidate on failure.
  /// `history`, where given, gets the violators left in each round.
  virtual PivotOutcome run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                           ResidualHistory* history) = 0;

  /// The allowance of the solve that begins, of which each candidate, or pivot, takes one
  /// iteration; the default one at its end.
  virtual void setAllowance(const Allowance& given) { allowance = given; }
  Real allowedError = kInfinity;  ///< complementarityError that its runs must reach [m/s]

 protected:
  Allowance allowance;

  /// `relative`, or less where that times the largest |b| would not do.
  Real relativeTolerance(Real relative, const RowSystem& rows) const {
    return std::min(relative, allowedError / rows.velocityScale());
  }
};

}  // namespace drystone
