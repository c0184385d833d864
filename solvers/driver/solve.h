#pragma once

#include <string>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/problem/judge.h"

namespace drystone {

/// What the driver does when the judged answer misses its tolerance or a solve fails.
enum class FailurePolicy : std::uint8_t {
  kKeepBest,  ///< take the answer as it is and report it
  kFallback,  ///< run the second solver and take the better of the two, as judged
  kStop,      ///< report failure; the caller ends the simulation
};

/// Why the driver's result is what it is.
enum class SolveReason : std::uint8_t {
  kAsked,              ///< the solver asked for
  kTrivial,            ///< no rows, or λ = 0 solves it: no solver was run
  kFallbackTolerance,  ///< the first answer missed the tolerance, the second is better
  kFallbackFailed,     ///< the first solver failed
  kFallbackWorse,      ///< the second was tried and was no better: the first answer stands
  kDiscarded,          ///< no solver gave a finite answer: impulses are zero
};
std::string_view solveReasonName(SolveReason reason);

struct SolveOptions {
  FailurePolicy policy = FailurePolicy::kKeepBest;
  /// Judged natural map that counts as solved (M.11) [m/s]. Solvers aim at half of it.
  Real tolerance = 1e-6;
};

struct SolveResult {
  SolverReport solver;
  JudgeReport judge;
  SolveReason reason = SolveReason::kAsked;
  bool withinTolerance = true;
  bool usedFallback = false;
};

/// Work space of the driver; keeps its capacity.
struct SolveWorkspace {
  JudgeWorkspace judge;
  std::vector<Real> savedLambda;
  std::vector<RowState> savedState;
};

/// Runs a solver on a problem and judges the answer: trivial cases, run, check finite, judge,
/// policy. No NaN leaves it. Without a `fallback` the policy kFallback keeps the best.
SolveResult solveProblem(ContactSolver& solver, ContactSolver* fallback,
                         const ContactProblem& problem, ImpulseView impulses,
                         const SolveOptions& options, SolveWorkspace& workspace);

}  // namespace drystone
