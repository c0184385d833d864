#pragma once

#include "tests/support/solved.h"

namespace drystone::test {

/// A box-friction pile with sticking, slipping and open contacts, and one w: A + C is definite.
inline StoredProblem boxPile(std::uint64_t seed) {
  StoredProblem stored = randomPile(FrictionModel::kBox, 3, 3, 2, 0.4, seed);
  stored.compliance.assign(stored.b.size(), 1e-6);
  for (ProblemBlock& block : stored.blocks) block.normalBound = 0.05 * static_cast<Real>(seed);
  return stored;
}

}  // namespace drystone::test
