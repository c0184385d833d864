#include "bench/studies/prox/dominant_problem.h"

#include <algorithm>
#include <cmath>

#include "solvers/problem/problem_ops.h"

namespace drystone::bench {
namespace {

constexpr int kRows = 3;
constexpr Real kContactsPerBody = 6;  // as in a packing of spheres, two bodies a contact

/// Compliance that makes every row of A dominant: A_ii ≥ 1.1 Σ_j≠i |A_ij|. One for the rows of a
/// contact, so that its tangents, which share their R, differ no more than they did.
std::vector<Real> dominantCompliance(const BlockSparseMatrix& matrix) {
  constexpr Real kDominance = 1.1;
  std::vector<Real> compliance;
  for (int block = 0; block < matrix.blockCount(); ++block) {
    Real missing = 0;
    for (int i = 0; i < kRows; ++i) {
      Real diagonal = 0, others = 0;
      for (int k = matrix.blockStart[block]; k < matrix.blockStart[block + 1]; ++k) {
        for (int j = 0; j < kRows; ++j) {
          const Real value = matrix.values[matrix.valueStart[k] + i * kRows + j];
          const bool isDiagonal = matrix.blockColumn[k] == block && i == j;
          (isDiagonal ? diagonal : others) += std::abs(value);
        }
      }
      missing = std::max(missing, kDominance * others - diagonal);
    }
    compliance.insert(compliance.end(), kRows, missing);
  }
  return compliance;
}

}  // namespace

StoredProblem randomDominantProblem(int contacts, Random& random) {
  StoredProblem problem;
  const int bodies = static_cast<int>(2 * contacts / kContactsPerBody);
  for (int i = 0; i < bodies; ++i) {
    const Real inverseMass = random.uniform(0.5, 2);
    problem.bodies.push_back({inverseMass, random.uniform(1, 4) * inverseMass * Mat3::Identity()});
  }
  const auto randomRow = [&] {
    Vec6 row;
    for (Real& value : row) value = random.uniform(-1, 1);
    return row;
  };
  for (int i = 0; i < contacts; ++i) {
    ProblemBlock& block = problem.blocks.emplace_back();
    block.key = i;
    block.firstRow = kRows * i;
    block.rows = kRows;
    block.bodyA = static_cast<int>(random.uniform() * bodies);
    block.bodyB = (block.bodyA + 1 + static_cast<int>(random.uniform() * (bodies - 1))) % bodies;
    block.friction = random.uniform(0.1, 1);
    for (int row = 0; row < kRows; ++row) {
      problem.jacobianA.push_back(randomRow());
      problem.jacobianB.push_back(randomRow());
      problem.b.push_back(random.uniform(-1, 1));
    }
  }
  problem.lower.assign(problem.b.size(), 0);
  problem.upper.assign(problem.b.size(), 0);
  BlockSparseMatrix matrix;
  AssemblyWorkspace workspace;
  assembleDelassus(problem.view(), workspace, matrix);
  problem.compliance = dominantCompliance(matrix);
  return problem;
}

}  // namespace drystone::bench
