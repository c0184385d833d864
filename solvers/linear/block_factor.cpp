#include "solvers/linear/block_factor.h"

#include <Eigen/LU>
#include <cmath>

namespace drystone {
namespace {

/// Replaces a symmetric positive definite block by the inverse of its Cholesky factor. Only the
/// lower triangle is read.
bool invertCholesky(Mat6& block) {
  Mat6 factor;
  Real inverse[6];
  for (int j = 0; j < 6; ++j) {
    Real pivot = block(j, j);
    for (int k = 0; k < j; ++k) pivot -= factor(j, k) * factor(j, k);
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const Real root = std::sqrt(pivot);
    inverse[j] = 1 / root;
    for (int i = j + 1; i < 6; ++i) {
      Real value = block(i, j);
      for (int k = 0; k < j; ++k) value -= factor(i, k) * factor(j, k);
      factor(i, j) = value * inverse[j];
    }
  }
  block.setZero();
  for (int j = 0; j < 6; ++j) {
    block(j, j) = inverse[j];
    for (int i = j + 1; i < 6; ++i) {
      Real value = 0;
      for (int k = j; k < i; ++k) value -= factor(i, k) * block(k, j);
      block(i, j) = value * inverse[i];
    }
  }
  return true;
}

/// Replaces a block D by U⁻¹ of P D = L U, and `lower` by L⁻¹ P. Their product would be D⁻¹, which
/// loses what a stiff row leaves of the others as soon as it is multiplied by that row.
bool invertGeneral(Mat6& block, Mat6& lower) {
  const Eigen::PartialPivLU<Mat6> lu(block);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > 1e-18 * pivots.maxCoeff())) return false;
  lower = lu.permutationP();
  lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(lower);
  block.setIdentity();
  lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(block);
  return block.allFinite();
}

}  // namespace

void BlockFactor::reserve(int nodes, int entries) {
  diagonal_.reserve(nodes);
  entryOfRow_.reserve(nodes);
  targets_.reserve(nodes);
  isOpen_.reserve(nodes);
  lower_.reserve(entries);
  upper_.reserve(entries);
  leftPivot_.reserve(nodes);
}

void BlockFactor::begin(const BlockPattern& pattern, bool symmetric) {
  pattern_ = &pattern;
  symmetric_ = symmetric;
  diagonal_.assign(pattern.nodeCount(), Mat6::Zero());
  lower_.assign(pattern.entryCount(), Mat6::Zero());
  if (!symmetric) {
    upper_.assign(pattern.entryCount(), Mat6::Zero());
    leftPivot_.resize(pattern.nodeCount());
  }
  isOpen_.assign(pattern.nodeCount(), 1);
  openColumns_ = pattern.nodeCount();
}

void BlockFactor::beginChange(std::span<const std::uint8_t> isChanged) {
  const BlockPattern& pattern = *pattern_;
  isOpen_.assign(isChanged.begin(), isChanged.end());
  openColumns_ = 0;
  for (int j = 0; j < pattern.nodeCount(); ++j) {
    if (!isOpen_[j]) continue;
    ++openColumns_;
    diagonal_[j].setZero();
    const int begin = pattern.columnBegin(j), end = pattern.columnEnd(j);
    for (int entry = begin; entry < end; ++entry) {
      lower_[entry].setZero();
      if (!symmetric_) upper_[entry].setZero();
    }
    if (begin < end) isOpen_[pattern.row(begin)] = 1;  // its parent in the elimination tree
  }
}

bool BlockFactor::factor() { return symmetric_ ? factorColumns<true>() : factorColumns<false>(); }

// Symmetric: H = L Lᵀ, L_ij = H_ij' C_j⁻ᵀ with the pivot C_j C_jᵀ.
// Otherwise: H = L U with the pivot P⁻¹ L_j U_j, L_ij = H_ij' U_j⁻¹ and U_ji = L_j⁻¹ P H_ji' kept
// transposed, so that both have the layout of a column below the diagonal.
template <bool kSymmetric>
bool BlockFactor::factorColumns() {
  const BlockPattern& pattern = *pattern_;
  const BlockKernel& kernel = blockKernel();
  entryOfRow_.assign(pattern.nodeCount(), -1);
  for (int j = 0; j < pattern.nodeCount(); ++j) {
    if (!isOpen_[j]) continue;
    const int begin = pattern.columnBegin(j);
    const int end = pattern.columnEnd(j);
    for (int entry = begin; entry < end; ++entry) entryOfRow_[pattern.row(entry)] = entry;
    for (const int source : pattern.rowEntries(j)) {
      // Column k = column(source) reaches row j; its entries from j on update column j.
      const Mat6& lowerJ = lower_[source];
      const Mat6& upperJ = kSymmetric ? lower_[source] : upper_[source];
      const int sourceEnd = pattern.columnEnd(pattern.column(source));
      targets_.assign(1, &diagonal_[j]);
      for (int from = source + 1; from < sourceEnd; ++from) {
        targets_.push_back(&lower_[entryOfRow_[pattern.row(from)]]);
      }
      kernel.subtractProducts(targets_, &lower_[source], upperJ);
      if constexpr (!kSymmetric) {
        targets_.clear();
        for (int from = source + 1; from < sourceEnd; ++from) {
          targets_.push_back(&upper_[entryOfRow_[pattern.row(from)]]);
        }
        kernel.subtractProducts(targets_, upper_.data() + source + 1, lowerJ);
      }
    }
    const std::span<Mat6> below(lower_.data() + begin, lower_.data() + end);
    if constexpr (kSymmetric) {
      if (!invertCholesky(diagonal_[j])) return false;
      kernel.multiplyEach(below, diagonal_[j]);
    } else {
      if (!invertGeneral(diagonal_[j], leftPivot_[j])) return false;
      kernel.multiplyEach(below, diagonal_[j].transpose());
      kernel.multiplyEach({upper_.data() + begin, below.size()}, leftPivot_[j]);
    }
  }
  return true;
}

void BlockFactor::solve(std::span<Vec6> x) const {
  const BlockPattern& pattern = *pattern_;
  const int nodes = pattern.nodeCount();
  for (int j = 0; j < nodes; ++j) {
    const Vec6 value = (symmetric_ ? diagonal_[j] : leftPivot_[j]) * x[j];
    x[j] = value;
    for (int entry = pattern.columnBegin(j); entry < pattern.columnEnd(j); ++entry) {
      x[pattern.row(entry)].noalias() -= lower_[entry] * value;
    }
  }
  for (int j = nodes - 1; j >= 0; --j) {
    Vec6 value = x[j];
    for (int entry = pattern.columnBegin(j); entry < pattern.columnEnd(j); ++entry) {
      const Mat6& upper = symmetric_ ? lower_[entry] : upper_[entry];
      value.noalias() -= upper.transpose() * x[pattern.row(entry)];
    }
    if (symmetric_) {
      x[j].noalias() = diagonal_[j].transpose() * value;
    } else {
      x[j].noalias() = diagonal_[j] * value;
    }
  }
}

}  // namespace drystone
