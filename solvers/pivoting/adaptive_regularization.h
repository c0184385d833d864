#pragma once

#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/driver/settings.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

struct RegularizationSettings {
  bool enabled = false;
  int pivotLimit = 10;  ///< d: pivots that a friction row makes without
  Real amount = 1e-3;   ///< ε that it gets each time [1/kg]

  void visit(SettingVisitor& visitor);
};

/// Makes friction rows compliant that pivot again and again (M.16; Ho's thesis, alg. 9): a contact
/// one of whose friction rows has pivoted more than d times in a run gets ε on the diagonal of A,
/// and its d doubles. A friction impulse λ then comes with a slip of −e λ, e being what has been
/// added up.
///
/// Both tangents of a contact get the same, so that the amount does not depend on how they lie. The
/// compliance stays until the next solve, the count until the next run of one.
class AdaptiveRegularization {
 public:
  RegularizationSettings settings;

  void reserve(const ProblemSize& size);
  /// A new solve: nothing is regularized.
  void start(const ContactProblem& problem);
  /// A new run within the solve, of a problem with the same blocks.
  void startRun();
  /// Takes back what was added: the run goes on without.
  void clear();
  /// `row` moved into its tight sets or out of them.
  void countPivot(int row);
  /// Rounds in which sets that circle bring a row over its first limit; 0: there is no limit.
  int roundsToWait() const { return settings.enabled ? 4 * settings.pivotLimit : 0; }
  /// At the end of a round. True: some contacts got more.
  bool endRound();

  /// Times that what was added has changed in this solve.
  int changes() const { return changes_; }
  /// e of every row [1/kg]; empty while there is none.
  std::span<const Real> compliance() const {
    return isUsed_ ? compliance_ : std::span<const Real>();
  }
  /// Adds e λ to w = A λ + b.
  void soften(std::span<const Real> lambda, std::span<Real> w) const;
  /// Sets in the report how much was added and what that does to the velocities of the answer,
  /// where a tight row slips as it would without.
  void describe(ImpulseView answer, SolverReport& report) const;

 private:
  ContactProblem problem_;
  std::vector<int> block_;           // [rows] of a friction row, else -1
  std::vector<int> pivots_;          // [rows] in this run
  std::vector<std::int64_t> limit_;  // [blocks] d
  std::vector<Real> compliance_;     // [rows]
  std::vector<int> due_;             // blocks over their limit
  bool isUsed_ = false;
  int changes_ = 0;
};

}  // namespace drystone
