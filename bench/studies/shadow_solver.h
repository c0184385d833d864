#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solvers/driver/registry.h"
#include "solvers/krylov/free_preconditioner.h"
#include "solvers/staggered/qp_half.h"

namespace drystone::bench {

/// One way to solve a problem again.
struct ShadowRun {
  std::string solver;
  /// Without impulses and with all rows free, as Lefebvre does; else from the warm start.
  bool startsFree = false;
  std::vector<std::pair<std::string, std::string>> settings = {};
};

/// What one run did on one problem.
struct ShadowFigures {
  SolverReport report;           ///< of the repeat that took the least time
  Real velocityError = 0;        ///< largest |Δw| to the first run, over the largest |b|
  Real impulseError = 0;         ///< largest |Δλ| to the first run, over the largest |λ|
  Real energyMax = 0;            ///< of the problem as given (M.13) [J]
  double cpuMs = 0;              ///< of that repeat; what else the machine does hardly counts
  Real naturalMap = 0;           ///< of the problem as given (M.11) [m/s]
  KrylovStatistics krylov = {};  ///< of that repeat; of solvers that have them
  QpTotals contactQps = {}, frictionQps = {};  ///< of that repeat; of `staggered`
};

/// One problem of a simulation.
struct ShadowRecord {
  int rows = 0;
  int contacts = 0;
  int tightRows = 0;  ///< of the final sets of the first run
  std::vector<ShadowFigures> runs;
};

/// A problem, what the first run made of it from which start, and what all runs did.
struct ShadowView {
  const ContactProblem& problem;
  std::span<const Real> warmLambda;
  std::span<const RowState> warmState;
  std::span<const Real> lambda;
  std::span<const RowState> state;
  const ShadowRecord& record;
};

/// A registry whose solver "shadow" solves every problem of a simulation in several ways from the
/// same start and goes on with the answer of the first. One at a time, and on one thread: the
/// solvers that the registry makes find it by a static pointer, since a factory takes no argument.
class Shadow {
 public:
  using Observer = std::function<void(const ShadowView&)>;

  /// `repeats`: of every run on every problem, of which the fastest counts. The runs take turns,
  /// and each repeat begins with another one.
  explicit Shadow(std::vector<ShadowRun> runs, int repeats = 3);
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  const SolverRegistry& registry() const { return registry_; }
  const std::vector<ShadowRun>& runs() const { return runs_; }
  int repeats() const { return repeats_; }

  /// The problems that count: those of the projection of the poses have another model than the
  /// scene, and only the first run solves them.
  FrictionModel friction = FrictionModel::kBox;
  bool isOn = true;        ///< else only the first run solves, once, and nothing is recorded
  Observer observer = {};  ///< gets every problem while it is on
  std::vector<ShadowRecord> records;  ///< since the caller last cleared them

 private:
  std::vector<ShadowRun> runs_;
  int repeats_;
  SolverRegistry registry_;
};

}  // namespace drystone::bench
