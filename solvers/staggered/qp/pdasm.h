#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/staggered/qp/qp_interior_point.h"
#include "solvers/staggered/qp/schur_system.h"
#include "solvers/staggered/qp/working_set_system.h"

namespace drystone {

/// How the saddle-point systems of the working sets are solved.
enum class QpEngine : std::uint8_t {
  kSchurpa,  ///< one factor, and the Schur complement of what has changed since
  kDirect,   ///< a new factor for every working set
};

struct QpSettings {
  QpEngine engine = QpEngine::kSchurpa;
  Real tolerance = 1e-10;  ///< of each condition, in the unit of c; a KKT error twice as large ends
                           ///< a solve, and so does round-off; kktError()
  int maxIterations = 50;  ///< working sets before the fallback
  int patience = 6;        ///< working sets without fewer changes before it
  int maxDescents = 30;    ///< projected Newton steps before the interior point
  int maxSolves = 500;     ///< columns of the Schur complement before a new factor, if they pay
  int maxProximal = 30;    ///< proximal steps, where H may be singular
  /// Added to the diagonal of H, as a share of the metric: makes a semi-definite H definite.
  /// Proximal steps take its effect back. 0: H is definite.
  Real proximal = 0;
};

/// What the solution of one QP took.
struct QpReport {
  SolveStatus status = SolveStatus::kConverged;
  int iterations = 0;      ///< working sets of alg. 2.2, the first included
  int descents = 0;        ///< projected Newton steps; 0: there was no cycle
  int interiorSteps = 0;   ///< of the interior point; 0: it was not needed
  int changes = 0;         ///< variables that changed their set
  int refinements = 0;     ///< steps of iterative refinement, and proximal steps after the first
  int factorizations = 0;  ///< of H_FF
  int solves = 0;          ///< right-hand sides with K_0
  Real kktError = 0;       ///< of the x left behind
};

/// Primal-dual active-set method for convex QPs with bounds (Litven 2013, alg. 2.2; Hintermüller,
/// Ito and Kunisch 2002): solve for the working set, then fix every variable that is out of its
/// bounds, and release every one whose multiplier has the wrong sign. It has no merit function, and
/// working sets may recur. Then projected Newton steps (Bertsekas 1982) take over, which descend
/// from any point to the solution and solve the same systems, and where these take long an interior
/// point, which knows no sets; from the sets that it ends in the method goes on. The factor and its
/// changes stay between the QPs of one Hessian. Keeps its storage.
class Pdasm {
 public:
  /// A new Hessian. `metric`: positive, of the size of its diagonal. All must outlive the
  /// use; the caller has attached `k0` to that Hessian.
  void attach(const SymmetricMatrix& hessian, std::span<const Real> metric, K0Solve& k0,
              const QpSettings& settings);
  /// What is added to the diagonal of the Hessian: the proximal share of the metric.
  std::span<const Real> extra() const { return extra_; }

  /// From the working sets in `sets` and, where H may be singular, from near x. Leaves the answer
  /// and its sets there; without one, the iterate of least KKT error, or the start where none is
  /// finite.
  QpReport solve(const BoxQp& qp, std::span<RowState> sets, std::span<Real> x);
  /// Hx − c of the answer.
  std::span<const Real> gradient() const { return gradient_; }

 private:
  /// x of the sets, refined, and the gradient of the proximal problem there.
  bool evaluate(std::span<const RowState> sets, std::span<Real> x, QpReport& report);
  Real freeResidual(std::span<const RowState> sets) const;
  void evaluateGradient(std::span<const Real> x);
  int moveViolators(std::span<RowState> sets, std::span<const Real> x) const;
  bool recurs(std::span<const RowState> sets);
  /// Alg. 2.2 on the proximal problem. kCycled: sets recurred, or there were too many.
  SolveStatus iterate(std::span<RowState> sets, std::span<Real> x, QpReport& report);
  SolveStatus descend(std::span<RowState> sets, std::span<Real> x, QpReport& report);
  /// The step from x along the projected arc to the largest share that descends enough.
  bool searchArc(std::span<const RowState> sets, std::span<const Real> target, std::span<Real> x);
  /// Moves x into its bounds and evaluates Hx − c there. Returns the KKT error.
  Real settle(const BoxQp& qp, std::span<Real> x);
  void keepBest(Real error, std::span<const RowState> sets, std::span<const Real> x,
                QpReport& report);
  /// Round-off of the largest term of the gradient lifts the tolerance.
  Real toleranceAt(std::span<const Real> x) const;

  SchurSystem schur_;
  DirectSystem direct_;
  WorkingSetSystem* system_ = nullptr;
  QpInteriorPoint interior_;
  K0Solve* k0_ = nullptr;
  QpSettings settings_;
  const SymmetricMatrix* hessian_ = nullptr;
  std::span<const Real> metric_;
  BoxQp proximal_;  // the QP with the proximal term
  std::vector<Real> extra_, linear_, start_, gradient_, residual_;
  std::vector<Real> target_, step_, trial_, product_, best_;
  std::vector<RowState> bestSets_;
  std::vector<std::uint64_t> seen_;
};

}  // namespace drystone
