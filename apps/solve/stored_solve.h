#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/solve/impulse_comparison.h"
#include "apps/support/command_line.h"
#include "apps/support/program.h"
#include "apps/support/samples.h"
#include "gpu/device_work.h"
#include "solvers/driver/registry.h"
#include "solvers/driver/solve.h"
#include "solvers/file/problem_file.h"

namespace drystone::cli {

/// The measure that a stored problem's answer is held against.
enum class Measure {
  kNaturalMap,  ///< (M.11) [m/s]
  kRelative,    ///< (M.12)
};

/// How stored problems are solved.
struct StoredSolveOptions {
  std::optional<Measure> measure;  ///< none: relative for assembled problems, else natural map
  std::optional<Real> tolerance;   ///< of the measure; none: defaultTolerance()
  Budget budget{.seconds = 10};    ///< of each solve, but for the tolerance
  int repeat = 1;
  const InterruptGuard* interrupt = nullptr;  ///< ends the repeats after the present one
  bool fromFile = true;  ///< start at the file's warm start when it has one, else at zero
  Condensation condensation = Condensation::kAuto;
  std::vector<KeyValue> settings;  ///< each for the solvers that have it
  bool fallback = false;           ///< to the CPU twin of a solver that cannot run here
  bool checkTwin = false;          ///< compare with the CPU twin
};

/// Whether the CPU twin may run in the place of a solver that cannot run here.
TwinUse twinUse(const StoredSolveOptions& options);

/// The same problem, start and settings, solved by the CPU twin.
struct TwinCheck {
  std::string twin;
  SolverReport report;
  JudgeReport judge;
  ImpulseComparison difference;
  /// The solver's figure of the criterion is above the tolerance and twice that of the twin.
  bool failed = false;
};

/// What came of one problem and one solver.
struct StoredSolve {
  std::string problem, solver;
  std::string ranBy;  ///< the CPU twin that ran in the solver's place; empty: the solver itself
  int rows = 0, contacts = 0;
  SolverReport report;
  JudgeReport judge;
  Samples timeMs;
  Measure measure = Measure::kRelative;
  Real tolerance = 0;
  bool reached = false;
  bool isHere = true;        ///< false: the solver, and what may stand for it, cannot run here
  bool isWarm = false;       ///< started at a stored warm start that is not zero
  std::string note;          ///< of what is out of the ordinary, or why the solver did not run
  std::string whyNot;        ///< the bare reason why the solver did not run; empty: it did
  std::vector<Real> lambda;  ///< the answer; empty when unsupported
  std::optional<TwinCheck> check;
  std::optional<gpu::DeviceWork> device;  ///< of the last repeat, where a device did the sweeps
};

std::string_view measureName(Measure measure);
Measure measureFor(const StoredSolveOptions& options, const ReadProblem& problem);
/// 1e-8 for the relative error, at which the literature compares; 1e-6 m/s for the natural map.
Real defaultTolerance(Measure measure);

/// Throws UsageError for a setting that none of the solvers has, or a value that one does not take.
void checkSettings(const SolverRegistry& registry, const std::vector<std::string>& solvers,
                   const StoredSolveOptions& options);

/// The solver with those settings of the options that it has.
SolverChoice choiceOf(const SolverRegistry& registry, const std::string& solver,
                      const StoredSolveOptions& options);

/// Solves `repeat` times from the same start and judges the answer. A problem that the solver does
/// not take gives status unsupported with the reason as note.
StoredSolve solveStored(const ReadProblem& problem, const std::string& name,
                        const SolverRegistry& registry, const std::string& solver,
                        const StoredSolveOptions& options);

}  // namespace drystone::cli
