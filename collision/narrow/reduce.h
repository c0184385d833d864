#pragma once

#include "collision/narrow/manifold.h"

namespace drystone::narrow {

/// Thins a manifold to at most four points that keep the deepest point and the support polygon: the
/// deepest, the one farthest from it, the one that makes the largest triangle with both, and the
/// one that adds most to that triangle. Points kept last time win against others that are no better
/// by a tolerance.
void reduceManifold(Manifold& manifold, PairCache& cache);

}  // namespace drystone::narrow
