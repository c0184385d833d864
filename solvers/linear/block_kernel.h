#pragma once

#include <span>

#include "core/types.h"
#include "solvers/linear/row_system.h"

namespace drystone {

using Mat6 = Eigen::Matrix<Real, 6, 6>;

/// Sum of weight_k left_k right_kᵀ over rows of G. Each factor is what its rows have on one body.
struct OuterProducts {
  std::span<const Real> weights;
  const ScaledRow* left;
  Vec6 ScaledRow::*leftSide;
  const ScaledRow* right;
  Vec6 ScaledRow::*rightSide;
};

/// The loops of a factor of 6x6 blocks, where it spends its time. The entries of a column are
/// lanes, and each of them sums in a fixed order: all kernels give the same bits.
struct BlockKernel {
  /// targets[i] −= left[i] rightᵀ. No two targets are the same.
  void (*subtractProducts)(std::span<Mat6* const> targets, const Mat6* left, const Mat6& right);
  /// Each block becomes block · rightᵀ.
  void (*multiplyEach)(std::span<Mat6> blocks, const Mat6& right);
  /// Adds the products to the target, one after another.
  void (*addOuterProducts)(const OuterProducts& products, Mat6& target);
};

/// With AVX2 where the machine has it.
const BlockKernel& blockKernel();
/// For any machine.
const BlockKernel& plainBlockKernel();

}  // namespace drystone
