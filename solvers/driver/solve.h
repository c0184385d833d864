#pragma once

#include <string>
#include <vector>

#include "solvers/driver/condensed_solve.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/problem/judge.h"

namespace drystone {

/// Why the driver's result is what it is.
enum class SolveReason : std::uint8_t {
  kAsked,              ///< the solver asked for
  kTrivial,            ///< no rows, or λ = 0 solves it: no solver was run
  kFallbackTolerance,  ///< the first answer missed the tolerance, the second is better
  kFallbackFailed,     ///< the first solver failed
  kFallbackWorse,      ///< the second was tried and was no better: the first answer stands
  kDiscarded,          ///< no solver gave a finite answer, or had time and zero is better: it is 0
  kWarmStart,          ///< the warm start solves it: no solver was run
  kSoft,               ///< a world's soft steps took it: no solver was run
};
std::string_view solveReasonName(SolveReason reason);

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
  ProblemScales scales;
  CondensedProblem condensed;
  std::vector<Real> savedLambda;
  std::vector<RowState> savedState;
};

/// Whether a solver was run: neither trivial nor an accepted warm start.
inline bool wasSolved(SolveReason reason) {
  return reason != SolveReason::kTrivial && reason != SolveReason::kWarmStart &&
         reason != SolveReason::kSoft;
}

/// How a solve went, a line each: why no solver ran, or what a solver of several methods tried one
/// after the other. Empty: one method alone had it.
std::vector<std::string> triedLines(const SolveResult& result);

/// Runs a solver on a problem and judges the answer: trivial cases, the warm start, run, check
/// finite, judge. A warm start, not zero, whose natural map is below a thousandth of the tolerance
/// is the answer as it is. The solver aims at half of the budget's tolerance, the answer is judged
/// by the whole. Where it is missed, a `fallback` solves the problem too, with the iterations of
/// its own traits, and the better of the two answers is taken. Where the time is up before an
/// iteration, the answer is the better of the warm start and zero. No NaN leaves it.
SolveResult solveProblem(ContactSolver& solver, const ContactProblem& problem, const Budget& budget,
                         ImpulseView impulses, SolveWorkspace& workspace,
                         ContactSolver* fallback = nullptr,
                         Condensation condensation = Condensation::kAuto);

}  // namespace drystone
