#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/timer.h"
#include "solvers/driver/allowance.h"
#include "solvers/driver/budget.h"
#include "solvers/driver/settings.h"
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
/// Of a solve that ended because nothing was left to spend.
inline SolveStatus limitStatus(const Allowance& allowance) {
  return allowance.isLate() ? SolveStatus::kTimeLimit : SolveStatus::kIterationLimit;
}
/// What the status says of the answer, for people.
std::string_view solveStatusMeaning(SolveStatus status);

/// What a solver is, for lists, checks and docs.
struct SolverTraits {
  std::string_view name;     ///< registry name
  std::string_view summary;  ///< one line
  std::string_view source;   ///< paper or thesis with section
  /// When to take it, in a line: what puts a solver on the main shelf, that of the few which most
  /// users need. Empty: on the reference shelf, of the methods that are kept to measure against.
  std::string_view whenToTake;
  std::vector<FrictionModel> frictionModels;
  bool handlesRows = true;    ///< joints, limits and motors beside contacts
  bool takesBodyForm = true;  ///< M⁻¹ and J
  bool takesAssembledForm = true;
  bool usesWarmStart = true;    ///< false: it starts from nothing, whatever it is given
  bool exact = false;           ///< ends at round-off, not at an iterate tolerance
  bool deterministic = true;    ///< same bits for every run and thread count
  bool parallel = false;        ///< uses threads within one problem
  bool batchesIslands = false;  ///< gets all islands of a step as one problem
  /// Of a solver for a device: asks why it cannot run here; null: it can. To ask makes the device
  /// ready for work, so that traits keep the question and not its answer.
  std::string_view (*whyUnavailable)() = nullptr;
  /// Of a solver for a device: the one that does the same sums on the processor.
  std::string_view cpuTwin;
  std::string_view cpuNearest;  ///< of one without a twin: what to take on the processor instead

  bool supports(FrictionModel model) const;
  bool isOnMainShelf() const { return !whenToTake.empty(); }
  /// Why it cannot run here; empty: it can.
  std::string_view unavailable() const { return whyUnavailable ? whyUnavailable() : ""; }
};

/// What a solver did.
struct SolverReport {
  SolveStatus status = SolveStatus::kConverged;
  int iterations = 0;                ///< sweeps, or pivoting rounds
  std::int64_t innerIterations = 0;  ///< steps of conjugate gradients, or of Newton, within them
  int outerIterations = 0;           ///< rounds of the bound loop (M.10) or of a shift; 0: no such
  int pivots = 0;                    ///< rows that changed their set
  int factorizations = 0;
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
  double timeMs = 0;           ///< whole solve
  double assemblyMs = 0;       ///< of that: assembling A; 0 for solvers that do not
};

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
  /// Those of the budget, then the method's own, one call per field (see settings.h).
  void visitSettings(SettingVisitor& visitor);
  /// Makes room; a later solve within these bounds does not allocate.
  void reserve(const ProblemSize& size);
  /// Solves from the warm start in `impulses` and leaves the answer, or the best iterate, there.
  /// What the method does not take is `kUnsupported`, with the impulses left alone. Does not throw
  /// on numerics: the status says what happened.
  SolverReport solve(const ContactProblem& problem, const Budget& limits, ImpulseView impulses);
  SolverReport solve(const ContactProblem& problem, ImpulseView impulses) {
    return solve(problem, budget, impulses);
  }

  const ResidualHistory& history() const { return history_; }

  Budget budget;  ///< of solves that are given none

 protected:
  virtual void visitOwnSettings(SettingVisitor& visitor) = 0;
  virtual void reserveOwn(const ProblemSize& size) = 0;
  /// What the traits leave open: whether the present settings, or sizes, take this problem.
  virtual bool takes(const ContactProblem&) const { return true; }
  /// The method. The problem is one that it takes, with at least one row; `impulses` are finite,
  /// and the rows that nothing moves have their answer already and keep it. Fills `report`; its
  /// time only where that is not the time of this call.
  virtual void run(const ContactProblem& problem, const Budget& limits, ImpulseView impulses,
                   SolverReport& report) = 0;

  /// Whether a solve would run: what the traits say, and `takes`.
  bool supports(const ContactProblem& problem) const;
  /// Of the solve at work.
  const Deadline& deadline() const { return deadline_; }

  ResidualHistory history_;  ///< of the solve at work or the last one

 private:
  IdleRows idleRows_;
  std::vector<RowState> unknownStates_;  ///< of a caller who has no states
  Deadline deadline_;
};

}  // namespace drystone
