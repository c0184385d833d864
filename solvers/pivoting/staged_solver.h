#pragma once

#include <utility>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/row_system.h"
#include "solvers/pivoting/friction_newton.h"
#include "solvers/pivoting/proximal_newton.h"

namespace drystone {

/// A solver that is a cascade of stages over one factor. Solvers of this kind differ in the factor
/// and in the list of their stages. It ends when the natural map [m/s] meets the tolerance handed
/// to it, and then takes the answer to round-off where that goes quickly; else it ends with the
/// best iterate of all stages.
class StagedSolver : public ContactSolver {
 public:
  const SolverTraits& traits() const override { return traits_; }

  bool follow(std::span<const Real> miss, std::span<Real> step) override;

  /// Natural map that plain steps end at, over the largest |b|; the tolerance where that is less.
  Real relativeTolerance = 1e-9;
  FrictionNewton newton;
  ProximalNewton proximal;

 protected:
  explicit StagedSolver(SolverTraits traits) : traits_(std::move(traits)) {}

  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;

  /// Adds a stage to the end of the cascade.
  void addStep(Stage& stage, StageStart start) { steps_.push_back({&stage, start}); }
  /// The same for plain Newton steps, and proximal points where these wander.
  void addNewton(StageStart start) {
    addStep(newton, start);
    addStep(proximal, StageStart::kLast);
  }

 private:
  /// Whether the factor wants A assembled.
  virtual bool needsMatrix(const ContactProblem& problem) const = 0;
  /// Binds the factor to the problem of `rows`, and adds the steps for it. `isPossible`: false for
  /// a problem that is known to have no solution.
  virtual FreeSystem& begin(RowSystem& rows, const SolveContext& context,
                            const Allowance& allowance, bool isPossible) = 0;
  /// Whether the first stage begins at the row states and reads no more (Stage::readsMeasures).
  virtual bool beginsAtStates(const ContactProblem&) const { return false; }
  /// Whether the stages have solved another problem than the one given.
  virtual bool changedProblem() const { return false; }
  /// The answer stands, with its states.
  virtual void end(ImpulseView, SolverReport&) {}

  /// Goes on from an answer within the tolerance.
  void polish(Iterate& iterate, const StageContext& context);

  SolverTraits traits_;
  RowSystem rows_;
  Cascade cascade_;
  std::vector<CascadeStep> steps_;
  ContactStates states_;
  std::vector<Real> w_;
  std::vector<RowState> given_;
  FreeSystem* answered_ = nullptr;  // that the last answer was made with, by plain steps
};

}  // namespace drystone
