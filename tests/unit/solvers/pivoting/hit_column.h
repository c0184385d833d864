#pragma once

#include "core/random.h"
#include "tests/support/problems.h"

namespace drystone::test {

/// A column of bricks that is hit: redundant contacts, whose free velocities differ at random.
inline StoredProblem hitColumn(FrictionModel model, std::uint64_t seed, int bricks = 8) {
  StoredProblem column = boxStack(model, std::vector<Real>(bricks, 1), 0.5, 1e-9);
  Random random(seed);
  for (const ProblemBlock& block : column.blocks) {
    column.b[block.firstRow] += random.uniform(-1, 0.3);
    for (int i = 1; i < 3; ++i) column.b[block.firstRow + i] += random.uniform(-1, 1);
  }
  return column;
}

}  // namespace drystone::test
