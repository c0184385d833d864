#pragma once

#include <span>
#include <vector>

#include "solvers/staggered/qp/box_qp.h"
#include "solvers/staggered/qp/k0_solve.h"

namespace drystone {

/// The equality-constrained problems of the working sets of one Hessian: fixed variables at their
/// bounds, H_FF x_F = c_F − H_FB x_B. What differs between the engines. Keeps its storage.
class WorkingSetSystem {
 public:
  virtual ~WorkingSetSystem() = default;

  /// Binds to a Hessian with `extra` on its diagonal, and to what solves with it. All must outlive
  /// the use.
  void attach(const SymmetricMatrix& hessian, std::span<const Real> extra, K0Solve& k0,
              int maxSolves);
  /// A new linear term or new bounds; both must outlive the use.
  void begin(const BoxQp& qp);

  /// x of a working set. False: a factor failed.
  virtual bool solve(std::span<const RowState> sets, std::span<Real> x) = 0;
  /// Corrects an answer of the working set solved last: x_F += H_FF⁻¹ r_F, a step of iterative
  /// refinement. r: [size].
  virtual void correct(std::span<const Real> r, std::span<Real> x) = 0;
  /// Factors that working set itself. False: that is what the factor is of, or it failed.
  virtual bool refactor(std::span<const RowState> sets) = 0;

  /// K_0 was used for something else.
  void forgetFactor() { isFactored_ = false; }
  int factorizations() const { return factorizations_; }
  /// Right-hand sides solved with K_0.
  int solves() const { return solves_; }

 protected:
  virtual void forget() = 0;
  virtual void forgetLinear() = 0;
  /// Factors the free variables of the sets and keeps their list.
  bool factorFree(std::span<const RowState> sets);
  Real boundOf(int variable, RowState state) const {
    return state == RowState::kUpper ? qp_.upper[variable] : qp_.lower[variable];
  }

  const SymmetricMatrix* hessian_ = nullptr;
  std::span<const Real> extra_;
  K0Solve* k0_ = nullptr;
  BoxQp qp_;
  std::vector<int> free_;  // of the factor, ascending
  bool isFactored_ = false;
  int maxSolves_ = 0, factorizations_ = 0, solves_ = 0;
};

/// A factor for every working set that differs from the one before (Litven's DIRECT).
class DirectSystem final : public WorkingSetSystem {
 public:
  bool solve(std::span<const RowState> sets, std::span<Real> x) override;
  void correct(std::span<const Real> r, std::span<Real> x) override;
  bool refactor(std::span<const RowState>) override { return false; }

 private:
  void forget() override {}
  void forgetLinear() override {}
  bool isFactorOf(std::span<const RowState> sets) const;

  std::vector<Real> right_;  // [free]
};

}  // namespace drystone
