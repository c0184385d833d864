#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/timer.h"
#include "solvers/driver/allowance.h"
#include "solvers/driver/budget.h"
#include "solvers/driver/settings.h"
#include "solvers/driver/solver_traits.h"
#include "solvers/problem/contact_problem.h"
#include "solvers/problem/idle_rows.h"

namespace drystone {

/// How a solve ended, in the solver's own view. The judge measures the answer apart from it.
enum class SolveStatus : std::uint8_t {
  kConverged,
  kIterationLimit,
  kTimeLimit,
  kStalled,           ///< no further progress is to be expected; the best iterate is returned
  kCycled,            ///< index sets recurred after every countermeasure; the best one is returned
  kInfeasible,        ///< the problem has no solution
  kNumericalFailure,  ///< not finite, or a factorization failed beyond repair
  kUnsupported,       ///< the solver does not take this problem; nothing was computed
};
constexpr int kSolveStatusCount = 8;
std::string_view solveStatusName(SolveStatus status);
/// What a method that measured its answer says in the end: converged exactly where that is within
/// the tolerance [m/s].
inline SolveStatus settledStatus(SolveStatus status, Real naturalMap, Real tolerance) {
  const bool isHopeless = status == SolveStatus::kInfeasible ||
                          status == SolveStatus::kNumericalFailure ||
                          status == SolveStatus::kUnsupported;
  if (isHopeless) return status;
  if (naturalMap <= tolerance) return SolveStatus::kConverged;
  return status == SolveStatus::kConverged ? SolveStatus::kStalled : status;
}
/// The status of a solve that ended because nothing was left to spend.
inline SolveStatus limitStatus(const Allowance& allowance) {
  return allowance.isLate() ? SolveStatus::kTimeLimit : SolveStatus::kIterationLimit;
}
/// What the status says of the answer, for people.
std::string_view solveStatusMeaning(SolveStatus status);

/// What a solver did.
struct SolverReport {
  SolveStatus status = SolveStatus::kConverged;
  int iterations = 0;                ///< sweeps, or pivoting rounds
  std::int64_t innerIterations = 0;  ///< steps of conjugate gradients, or of Newton, within them
  int outerIterations = 0;           ///< rounds of the bound loop (M.10) or of a shift; 0: no such
  int pivots = 0;                    ///< rows that changed their set
  int factorizations = 0;
  /// The last factor that ran, of a solver that has one or chooses among several: dense, sparse,
  /// bodies, envelope, cached or pcg. Empty: none did.
  std::string_view factor{};
  int stepReductions = 0;    ///< times that the steps were shortened: divergence, or backtracking
  Real regularization = 0;   ///< largest diagonal term added beyond the problem's C [1/kg]
  int regularizedRows = 0;   ///< friction rows that adaptive regularization made compliant
  Real addedCompliance = 0;  ///< largest compliance that one of them got [1/kg]
  /// Largest velocity by which the law that was solved differs from the problem's own [m/s]: the
  /// opening that a convex relaxation of friction adds at a contact that carries an impulse (M.15),
  /// or the slip under an impulse that adaptive regularization allows. 0 where the law is the
  /// problem's own. No natural map (M.11) exceeds it by more than what the solver's own tolerance
  /// leaves.
  Real relaxationError = 0;
  std::size_t cacheBytes = 0;  ///< memory of the copies of factors kept within the solve
  /// What a solver of several methods tried: one door after the other.
  struct Door {
    const char* name = "";
    SolveStatus status = SolveStatus::kConverged;
    int iterations = 0;
    Real naturalMap = 0;  ///< of the problem as the solver got it [m/s]
    double timeMs = 0;    ///< of the wall clock, with what it took to eliminate joints
  };
  static constexpr int kMostDoors = 6;
  std::array<Door, kMostDoors> doors{};  ///< the first `doorCount`
  int doorCount = 0;
  int eliminatedRows = 0;     ///< rows of joints that the method did not get (CondensedProblem)
  bool metTimeLimit = false;  ///< a method of it ran out of time: results depend on the machine
  double timeMs = 0;          ///< whole solve, with that of a fallback, whoever answered
  double assemblyMs = 0;      ///< of that: assembling A; 0 for solvers that do not
};

/// Adds what another solve of the same problem took. Status, factor, relaxation error and doors
/// stay.
void addSolve(const SolverReport& later, SolverReport& sum);

/// Residual by iteration of the last solve, in the unit of the solver's stopping criterion. Keeps
/// the first kCapacity entries; never grows.
class ResidualHistory {
 public:
  static constexpr int kCapacity = 512;
  ResidualHistory() { entries_.reserve(kCapacity); }
  void clear() { entries_.clear(); }
  void add(int iteration, Real residual) {
    if (entries_.size() < kCapacity) entries_.push_back({iteration, residual});
  }
  struct Entry {
    int iteration;
    Real residual;
  };
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// A method for the problem of one island, in a frame that is the same for all: what `solve` does
/// once, no method does again. Objects keep their work space between solves and are not
/// thread-safe: one object per thread. Called once per island; never per row.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;

  virtual const SolverTraits& traits() const = 0;
  /// The method's settings, one call per field (see settings.h).
  virtual void visitSettings(SettingVisitor& visitor) = 0;
  /// Makes room for what these bounds tell. Matrices and factors grow in the first solve that needs
  /// them; a second solve of the same problem does not allocate.
  void reserve(const ProblemSize& size);
  /// Solves from the warm start in `impulses` and leaves the answer, or the best iterate, there.
  /// What the method does not take is `kUnsupported`, with the impulses left alone. Does not throw
  /// on numerics: the status says what happened. `judge`: as in SolveContext.
  SolverReport solve(const ContactProblem& problem, const Budget& budget, ImpulseView impulses,
                     JudgeWorkspace* judge = nullptr);

  /// Takes back a change of w in the unknowns of the last solve, by the factor that it ended with:
  /// step := what λ changes by, to first order. Zero elsewhere. False, with `step` left alone: the
  /// method keeps no factor, or did not answer by one. miss [m/s], step [N s]: [rows].
  virtual bool follow(std::span<const Real> /*miss*/, std::span<Real> /*step*/) { return false; }

  /// The residuals of the last solve.
  const ResidualHistory& history() const { return history_; }

 protected:
  virtual void reserveOwn(const ProblemSize& size) = 0;
  /// What the traits leave open: whether the present settings, or sizes, take this problem.
  virtual bool takes(const ContactProblem&) const { return true; }
  /// The method. The problem is one that it takes, with at least one row; `impulses` are finite,
  /// and the rows that nothing moves have their answer already and keep it. Fills `report`; its
  /// time only where that is not the time of this call.
  virtual void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
                   SolverReport& report) = 0;

  /// Whether a solve would run: what the traits say (`whyNot`), and `takes`.
  bool supports(const ContactProblem& problem) const;

 private:
  ResidualHistory history_;
  IdleRows idleRows_;
  std::vector<RowState> unknownStates_;  ///< of a caller who has no states
};

}  // namespace drystone
