#pragma once

#include <memory>
#include <vector>

#include "solvers/linear/banded_cholesky.h"
#include "solvers/linear/cuthill_mckee.h"
#include "solvers/linear/symmetric_matrix.h"
#include "solvers/staggered/qp/k0_solve.h"

namespace drystone {

/// K_0 as a band matrix: the variables in the reverse Cuthill–McKee order of H, the free ones among
/// them close up (Litven 2013, §5.2). Keeps its storage.
class BandedK0 final : public K0Solve {
 public:
  explicit BandedK0(std::unique_ptr<BandFactor> cholesky = std::make_unique<BandedCholesky>())
      : cholesky_(std::move(cholesky)) {}
  /// Orders H, which must outlive the use.
  void attach(const SymmetricMatrix& hessian);
  void setThreads(int threads) { threads_ = threads; }
  /// Diagonals below the main one of the whole H in its order.
  int bandwidth() const { return bandwidth_; }

  bool factor(std::span<const int> free, std::span<const Real> extra) override;
  void solve(std::span<Real> columns, int count) override;
  /// n ρ² operations against 4 n ρ, of which a panel does its own faster. As measured on islands of
  /// scenes with bands of 7 to 690 (bench_staggered factors).
  int solvesPerFactor() const override { return 10 + bandwidth_ / 4; }

 private:
  const SymmetricMatrix* hessian_ = nullptr;
  CuthillMckeeWorkspace workspace_;
  std::vector<int> order_;  // position → variable
  int bandwidth_ = 0;
  std::vector<int> place_;   // variable → position among the free ones, -1: fixed
  std::vector<int> column_;  // position → place in `free`
  std::vector<Real> turned_;
  std::unique_ptr<BandFactor> cholesky_;
  int threads_ = 1;
};

}  // namespace drystone
