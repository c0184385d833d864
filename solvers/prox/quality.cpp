#include "solvers/prox/quality.h"

#include <algorithm>
#include <vector>

#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {

Real qualityFigure(const ContactProblem& problem, std::span<const Real> lambda, Real r) {
  std::vector<Vec6> bodyVelocity(problem.bodyCount());
  std::vector<Real> w(problem.rowCount());
  constraintVelocity(problem, lambda, bodyVelocity, w);
  Real sum = 0;
  for (const ProblemBlock& block : problem.blocks) {
    Real z[kMaxBlockRows];
    for (int i = 0; i < block.rows; ++i) {
      const int row = block.firstRow + i;
      z[i] = lambda[row] - r * w[row];
      if (block.law == BlockLaw::kRows)
        z[i] = std::clamp(z[i], problem.lower[row], problem.upper[row]);
    }
    if (block.law == BlockLaw::kContact) projectContact(problem.friction, block, z);
    for (int i = 0; i < block.rows; ++i) {
      const Real change = z[i] - lambda[block.firstRow + i];
      sum += change * change;
    }
  }
  return sum / 2;
}

}  // namespace drystone
