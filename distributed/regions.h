#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Regions of space, one a process: the tree of planes that recursive bisection of points leaves.
/// All of space belongs to one of them.
class Regions {
 public:
  /// So many regions with as equal a number of points as planes across the axes allow. Each cut
  /// goes across the longest side of the box around its points, and does not depend on their order.
  Regions(std::span<const Vec3> points, int count);
  Regions() : Regions({}, 1) {}  ///< one region

  int regionOf(const Vec3& point) const;

 private:
  /// What lies below `at` along the axis goes to `low`. A child below 0 is region −1 − child.
  struct Cut {
    int axis = 0;
    Real at = 0;
    int low = -1, high = -1;
  };
  int bisect(std::span<Vec3> points, int first, int count);

  std::vector<Cut> cuts_;
  int root_ = -1;
};

}  // namespace drystone
