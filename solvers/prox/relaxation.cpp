#include "solvers/prox/relaxation.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Rayleigh quotient after `iterations` steps with shift 1 + scale A.
Real powerIteration(const ContactProblem& problem, Real shift, Real scale, int iterations,
                    SpectrumWorkspace& workspace) {
  Random random(1);
  for (Real& value : workspace.x) value = random.uniform(-1, 1);
  Real quotient = 0;
  for (int i = 0; i < iterations; ++i) {
    Real squared = 0;
    for (const Real value : workspace.x) squared += value * value;
    if (!(squared > 0)) return 0;
    const Real inverseNorm = 1 / std::sqrt(squared);
    for (Real& value : workspace.x) value *= inverseNorm;
    applyDelassus(problem, workspace.x, workspace.bodyVelocity, workspace.y);
    quotient = 0;
    for (std::size_t row = 0; row < workspace.x.size(); ++row) {
      workspace.y[row] = shift * workspace.x[row] + scale * workspace.y[row];
      quotient += workspace.x[row] * workspace.y[row];
    }
    workspace.x.swap(workspace.y);
  }
  return quotient;
}

}  // namespace

Real globalStep(const ContactProblem& problem, SpectrumWorkspace& workspace) {
  constexpr int kIterations = 30;
  constexpr Real kMargin = 1.02;
  workspace.x.resize(problem.rowCount());
  workspace.y.resize(problem.rowCount());
  workspace.bodyVelocity.resize(problem.bodyCount());
  const Real largest = kMargin * powerIteration(problem, 0, 1, kIterations, workspace);
  const Real rest = powerIteration(problem, largest, -1, kIterations, workspace);
  const Real smallest = std::clamp<Real>(largest - rest, 0, largest);
  return largest > 0 ? 2 / (smallest + largest) : 0;
}

}  // namespace drystone
