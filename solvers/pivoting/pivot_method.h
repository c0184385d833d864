#pragma once

#include <memory>
#include <vector>

#include "solvers/linear/free_system.h"
#include "solvers/pivoting/fixed_bound_method.h"
#include "solvers/pivoting/pivoting.h"

namespace drystone {

/// Principal pivoting with a direct factor of the free system. Members of the family differ in the
/// factor, which they are given, and in the rule, `pivot`.
class PivotMethod : public FixedBoundMethod {
 public:
  PivotMethod(std::unique_ptr<FreeFactor> factor, PivotSettings settings);

  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem& problem) const override;
  using FixedBoundMethod::attach;
  PivotOutcome run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                   ResidualHistory* history) final;

  void setAllowance(const Allowance& given) override;

  FreeSystem& system() { return system_; }

  PivotSettings
      settings;  ///< but for the tolerance and the allowance, which `setAllowance` and each run set

 protected:
  /// Binds to the problem that `rows` was prepared with, for bases of the kind.
  void attach(RowSystem& rows, BasisKind kind);
  FreeFactor& factor() { return *factor_; }
  const FreeFactor& factor() const { return *factor_; }
  RowSystem& rows() { return *rows_; }
  const RowSystem& rows() const { return *rows_; }

 private:
  /// Solves by the rule, from λ and the sets; see `run`, which adds what the factor counts.
  virtual PivotOutcome pivot(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                             ResidualHistory* history) = 0;

  /// Puts free rows that are out of their bounds by the tolerance back. False: none was.
  static bool placeWithin(const RowBounds& bounds, std::span<Real> lambda);
  Real errorOf(const RowBounds& bounds, std::span<const Real> lambda);
  /// Goes on from a solution whose rows were put back. Where a heavy body's impulse moves by so
  /// little, a light one's velocity may change by more than is allowed: then signs must hold more
  /// exactly.
  void sharpen(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
               ResidualHistory* history, PivotOutcome& outcome);

  std::unique_ptr<FreeFactor> factor_;
  Real ownTolerance_;  // PivotSettings::tolerance as given
  FreeSystem system_;
  RowSystem* rows_ = nullptr;
  std::vector<Real> w_;
  BestCandidate placed_;
};

}  // namespace drystone
