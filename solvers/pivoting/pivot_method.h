#pragma once

#include <memory>

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

  FreeSystem& system() { return system_; }

  PivotSettings settings;  ///< but for what each run sets: its rounds and its deadline

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

  std::unique_ptr<FreeFactor> factor_;
  FreeSystem system_;
  RowSystem* rows_ = nullptr;
};

}  // namespace drystone
