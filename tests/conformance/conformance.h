#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "solvers/driver/registry.h"
#include "solvers/driver/solve.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone::test {

/// One registered solver on one friction model, with one setting changed where `setting` names it.
struct SolverCase {
  std::string solver;
  FrictionModel model = FrictionModel::kCone;
  std::string setting = {}, value = {};

  friend std::ostream& operator<<(std::ostream& out, const SolverCase& c) {
    out << c.solver << " with " << frictionModelName(c.model);
    return c.setting.empty() ? out : out << ", " << c.setting << " = " << c.value;
  }
};

/// Every solver with every model that it lists; those that work in more than one way in each way.
std::vector<SolverCase> supportedCases();
/// Every solver with every model that it does not list.
std::vector<SolverCase> unsupportedCases();
std::string caseName(const ::testing::TestParamInfo<SolverCase>& info);

/// The answer to one problem, judged.
struct Solution {
  SolveResult result;
  std::vector<Real> lambda;
  std::vector<RowState> state;
  std::vector<Real> w;
};

class Conformance : public ::testing::TestWithParam<SolverCase> {
 protected:
  /// Through the driver, from `start` (zero when empty).
  Solution solve(const StoredProblem& problem, const Solution* start = nullptr);
  /// Sets a field that not every solver has.
  void setIfPresent(const std::string& name, const SettingValue& value);
  bool takes(const StoredProblem& problem) const;
  const SolverTraits& traits() const { return solver_->traits(); }
  /// The problem set of the case's model, in each form that the solver takes.
  std::vector<NamedProblem> problems() const;

  /// The solver of the case, with its setting.
  static std::unique_ptr<ContactSolver> makeSolver();

  std::unique_ptr<ContactSolver> solver_ = makeSolver();
  Budget budget_;
  SolveWorkspace workspace_;
};

/// The natural map that an answer may have [m/s]: `tolerance`, and what its solver says that it
/// relaxed. Of a solver that keeps to the law that is the tolerance alone.
inline Real allowedNaturalMap(const Solution& solution, Real tolerance = Budget{}.tolerance) {
  return tolerance + solution.result.solver.relaxationError;
}
/// Solved by the judge, up to what the solver says that it relaxed.
bool isSolved(const Solution& solution);
/// Largest opening velocity that a relaxation may have added: De Saxcé's shift over the contacts
/// that carry an impulse [m/s].
Real largestShift(const StoredProblem& problem, const Solution& solution);

}  // namespace drystone::test
