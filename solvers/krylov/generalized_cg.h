#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solvers/krylov/free_preconditioner.h"
#include "solvers/pivoting/fixed_bound_method.h"
#include "solvers/pivoting/pivoting.h"

namespace drystone {

struct GeneralizedCgSettings {
  Real tolerance = 1e-10;       ///< of the sign of w, relative to the largest |b|
  Real innerTolerance = 1e-10;  ///< residual of the free rows that ends an inner loop, as above
  int maxInner = 20'000;        ///< steps of one inner loop
  bool projectsSteps = true;    ///< past the first bound, projected, where that comes down further

  void visit(SettingVisitor& visitor);
};

/// Preconditioned generalized conjugate gradients, for symmetric positive semi-definite A: descends
/// on ½ λᵀ A λ + bᵀ λ within the bounds. Every λ on the way is feasible.
///
/// Inner loop: conjugate gradients over the free rows, each step cut at the first bound that a row
/// meets, or projected where that comes down further; rows that meet one become tight at once, and
/// the directions start anew. It ends when the free rows hold to a tenth of the largest w of a
/// wrong sign, at most to the inner tolerance. Then all tight rows of a wrong sign are freed. Since
/// the objective falls between two such rounds, sets do not circle.
class GeneralizedCg final : public FixedBoundMethod {
 public:
  explicit GeneralizedCg(std::shared_ptr<FreePreconditioner> preconditioner)
      : preconditioner_(std::move(preconditioner)) {}

  void visitSettings(SettingVisitor& visitor) override;
  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem&) const override { return preconditioner_->needsEntries(); }
  void attach(RowSystem& rows) override;
  AdaptiveRegularization* regularization() override { return &regularization_; }
  PivotOutcome run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                   ResidualHistory* history) override;

  GeneralizedCgSettings settings;

 private:
  /// What a run works on.
  struct Task {
    const RowBounds& bounds;
    IndexSets& sets;
    std::span<Real> lambda;
    PivotOutcome& outcome;
  };
  enum class InnerEnd : std::uint8_t {
    kSmallResidual,
    kLimit,
    kTimeLimit,
    kFlat,   ///< nothing bounds a direction without curvature
    kStuck,  ///< nor one along which the objective bends down, as no semi-definite A has; or
             ///< round-off leaves no way down
    kNotFinite,
  };

  /// Sets of λ that lies within the bounds.
  void enter(const Task& task);
  SolveStatus descend(const Task& task, ResidualHistory* history);
  InnerEnd solveFree(const Task& task, Real tolerance);
  void findResidual();
  /// The first direction of an inner loop, or after rows have become tight.
  void startDirection(const Task& task);
  void continueDirection();
  /// False where a free row at a bound would be led out of it against its own residual.
  bool tightenLedOut(const Task& task);
  void makeTight(const Task& task, int row, RowState state);
  /// Share of the direction at which a free row meets its first bound; ∞: none does.
  Real longestStep(const Task& task) const;
  void step(const Task& task, Real share, bool isCut);
  /// The whole step projected on the bounds, if the objective falls by more than `leastFall` [J].
  bool projectedStep(const Task& task, Real share, Real leastFall);
  /// y = (A + E) x.
  void multiply(std::span<const Real> x, std::span<Real> y);
  void findVelocity(const Task& task);
  Real freeResidual() const;
  /// Largest w of a wrong sign among the tight rows; fills `wrong_` with those beyond `tolerance`.
  Real findWrong(const Task& task, Real tolerance);

  AdaptiveRegularization regularization_;
  std::shared_ptr<FreePreconditioner> preconditioner_;
  RowSystem* rows_ = nullptr;
  std::vector<std::uint8_t> isOut_;               // [rows] not free
  std::vector<Real> w_;                           // [rows] (A + E) λ + b
  std::vector<Real> ownW_;                        // [rows] without E
  std::vector<Real> r_, z_, direction_;           // [rows]; zero where not free
  std::vector<Real> product_, projectedProduct_;  // [rows] (A + E) of a direction, of a projection
  Real rz_ = 0;  // r·z of the last direction; 0: the next one is the first
  std::vector<int> wrong_;
  BestCandidate best_;
};

}  // namespace drystone
