#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/free_system.h"
#include "solvers/pivoting/contact_states.h"

namespace drystone {

/// An answer in the making, which stages hand on.
struct Iterate {
  std::span<Real> lambda;  ///< [rows]
  std::span<Real> w;       ///< [rows] A λ + b
  ContactStates& states;   ///< the sets that go with λ
  Real error = kInfinity;  ///< natural map (M.11) at λ [m/s]
  /// The row states that λ came with, while w, sets and error are not measured; empty once they
  /// are.
  std::span<const RowState> given = {};

  /// w, sets and error of an impulse that was set.
  void measure(RowSystem& rows);
  /// The same of the impulse and the states that were given. False: there is no solution
  /// (RowBounds::fixIdleRows).
  bool measureGiven(RowSystem& rows);
};

/// The problem of a solve, and what its stages may spend. All outlive the solve.
struct StageContext {
  RowSystem& rows;
  FreeSystem& system;  ///< bound to the rows; a stage prepares it for the bases that it makes
  Real tolerance;      ///< natural map that answers the problem [m/s]
  Real roundOff;       ///< natural map to which an answer is polished where it can be [m/s]
  Allowance allowance;
  ResidualHistory& history;
  SolverReport& report;  ///< stages add their factors, pivots and (outerIterations) Newton steps
};

/// The least natural map that can be asked for at λ [m/s]: under heavy loads w is known to
/// round-off of its terms only. No more than the tolerance, since an impulse that has run away is
/// no load.
Real reachableError(const StageContext& context, std::span<const Real> lambda);

/// Natural map (M.11) of λ and its w [m/s].
Real naturalMapAt(const RowSystem& rows, std::span<const Real> lambda, std::span<const Real> w);

/// Prepares the factor for the bases of a stage, and adds what it took to the report at the end.
class StageFactors {
 public:
  StageFactors(StageContext& context, BasisKind kind);
  ~StageFactors();
  StageFactors(const StageFactors&) = delete;
  StageFactors& operator=(const StageFactors&) = delete;

 private:
  StageContext& context_;
  int before_;
};

/// One way to a better answer of a problem with all its laws. Keeps its storage between solves.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual void reserve(const ProblemSize& size) = 0;
  /// Forgets earlier runs: the next iterate has nothing to do with theirs.
  virtual void begin() {}
  /// Whether it reads w, sets and error of where it begins.
  virtual bool readsMeasures() const { return true; }
  /// Goes on from the iterate. The status says whether the problem is solved (kConverged), and
  /// otherwise why the stage ended; what it then leaves may be worse than where it began.
  virtual SolveStatus improve(Iterate& iterate, StageContext& context) = 0;
};

/// Where a stage of a cascade begins.
enum class StageStart : std::uint8_t {
  kLast,     ///< where the stage before it ended
  kBest,     ///< at the best answer of all stages so far
  kNothing,  ///< at λ = 0: a warm start may lie where all ways lead astray
};

/// A stage in its place. A cascade runs its steps in turn until one solves the problem.
struct CascadeStep {
  Stage* stage;
  StageStart start = StageStart::kLast;
};

/// Runs stages one after the other and keeps the best of their answers.
class Cascade {
 public:
  void reserve(const ProblemSize& size);
  /// From the iterate to the best answer of all steps. The status is that of the last step, or of
  /// the limit that was met.
  SolveStatus run(std::span<const CascadeStep> steps, Iterate& iterate, StageContext& context);
  /// The stage that solved the problem of the last run; null: none did.
  const Stage* solvedBy() const { return solvedBy_; }

 private:
  void keep(const Iterate& iterate);
  void restore(Iterate& iterate, StageContext& context) const;

  Real error_ = kInfinity;
  std::vector<Real> lambda_;
  std::vector<Real> startW_;
  const Stage* solvedBy_ = nullptr;
};

}  // namespace drystone
