#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Anderson acceleration (type II) of a fixed-point map x ← G(x), here one Gauss–Seidel sweep: the
/// next x combines the last few G(x_k) so that the same combination of the changes f_k = G(x_k) −
/// x_k is shortest. Where the sweep is nearly linear, that is once the contacts have found their
/// states, this is what GMRES makes of it: sweeps fall from the condition number to its root.
/// Anderson, J. ACM 12 (1965); Walker & Ni, SIAM J. Numer. Anal. 49 (2011).
class AndersonAcceleration {
 public:
  static constexpr int kMaxMemory = 32;

  void reserve(int size, int memory);
  /// Forgets everything. Entry i of the change counts weights[i], which must outlive the use.
  void start(std::span<const Real> weights, int memory);
  /// Forgets the past, but not the sizes: after x was set by other means.
  void restart() { count_ = 0, hasLast_ = false; }
  /// `x` is G(x_k), and `before` x_k; x becomes x_{k+1}.
  void next(std::span<Real> x, std::span<const Real> before);

 private:
  void remember(std::span<const Real> x, std::span<const Real> before);
  bool solveWeights();

  using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxMemory, kMaxMemory>;
  using SmallColumn = Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, kMaxMemory, 1>;

  int size_ = 0, memory_ = 0;
  int count_ = 0;   ///< differences held
  int newest_ = 0;  ///< slot of the last one
  bool hasLast_ = false;
  std::span<const Real> weights_;
  std::vector<Real> lastX_, lastChange_;    ///< G(x_k), and f_k weighted
  std::vector<Real> deltaX_, deltaChange_;  ///< their differences, slot by slot as far as used
  Eigen::Matrix<Real, kMaxMemory, kMaxMemory> gram_;
  SmallColumn gamma_;
};

}  // namespace drystone
