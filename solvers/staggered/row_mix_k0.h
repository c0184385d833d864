#pragma once

#include <span>
#include <vector>

#include "solvers/linear/chosen_factor.h"
#include "solvers/linear/free_basis.h"
#include "solvers/staggered/qp/k0_solve.h"

namespace drystone {

/// One variable of a QP over the rows of a contact problem: a row, or a mix of a contact's two
/// tangents.
struct RowMix {
  int block = 0;
  int row = 0;  ///< of a plain variable; of a mix the block's first row
  bool isPlain = true;
  Vec3 weights = Vec3::Zero();  ///< of a mix, on the block's three rows
};

/// K_0 for islands whose band is wide: in body form factored in the space of the body velocities,
/// with a fill-reducing order; in assembled form densely or sparsely in that of the rows.
class RowMixK0 final : public K0Solve {
 public:
  void reserve(const ProblemSize& size);
  /// Variables by ascending block. Both must outlive the use.
  void attach(RowSystem& rows, std::span<const RowMix> variables);

  bool factor(std::span<const int> free, std::span<const Real> extra) override;
  void solve(std::span<Real> columns, int count) override;
  int solvesPerFactor() const override { return kSolvesPerFactor; }

 private:
  /// Solves that one factor costs, measured (bench_staggered factors): 2 to 15 on the islands of
  /// scenes.
  static constexpr int kSolvesPerFactor = 8;

  SparseSpaceFactor factor_;
  FreeBasis basis_;
  RowSystem* rows_ = nullptr;
  std::span<const RowMix> variables_;
};

}  // namespace drystone
