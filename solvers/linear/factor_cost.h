#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// What the factor of a problem of bodies in contact costs. Of n bodies that fill space it takes
/// some n² operations, a sweep over their contacts n: of a grid of 14,000 balls one factor costs as
/// much as two thousand sweeps. It depends on the graph of the bodies alone, and is counted anew
/// only when that is another.
class FactorCost {
 public:
  /// Blocks of the largest factor, 1.2 GB where it has two triangles.
  static constexpr int kMostBlocks = 1 << 21;

  /// `mostBlocks`: of a factor that there is the memory for.
  explicit FactorCost(int mostBlocks = kMostBlocks) : mostBlocks_(mostBlocks) {}

  /// Counts for a problem in body form.
  void count(const ContactProblem& problem);
  /// Whether there is the memory for the factor that was counted.
  bool fits() const { return fits_; }
  /// Its time, in sweeps over the contacts of the problem; infinite where it does not fit.
  Real inSweeps() const;

 private:
  int mostBlocks_;
  int bodies_ = -1, contacts_ = 0;
  std::vector<std::pair<int, int>> pairs_;  ///< of bodies that touch, ascending
  std::vector<std::pair<int, int>> found_;  ///< work space
  bool fits_ = true;
  std::int64_t products_ = 0;  ///< of two blocks
};

}  // namespace drystone
