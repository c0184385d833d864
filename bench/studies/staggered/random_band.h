#pragma once

#include <vector>

#include "core/random.h"
#include "solvers/linear/banded_cholesky.h"
#include "solvers/linear/symmetric_matrix.h"

namespace drystone::bench {

/// A random symmetric positive definite band matrix: entries uniform in [-1, 1] off the diagonal,
/// on it `kSpread` times what the spectrum of these reaches on both sides of 0.
class RandomBand {
 public:
  RandomBand(int size, int bandwidth, Random& random);
  int size() const { return size_; }
  int bandwidth() const { return bandwidth_; }
  void copyTo(BandFactor& matrix) const;
  SymmetricMatrix symmetric() const;

 private:
  Real entry(int row, int column) const;

  int size_, bandwidth_;
  std::vector<Real> below_;  // row by row, [bandwidth] each: columns row − bandwidth to row − 1
  Real diagonal_;
};

}  // namespace drystone::bench
