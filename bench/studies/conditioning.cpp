// How hard a problem is for iterations: its mass ratio and the condition of its matrix.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "bench/studies/measure.h"
#include "solvers/problem/problem_ops.h"

namespace drystone::bench {
namespace {

constexpr int kLanczosSteps = 300;

BlockSparseMatrix matrixOf(const ContactProblem& problem) {
  if (problem.assembled != nullptr) return *problem.assembled;
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem, workspace, matrix);
  return matrix;
}

/// Eigenvalues of the Lanczos matrix, ascending. Every direction is kept orthogonal to all others,
/// without which eigenvalues come again and again.
VecX lanczosValues(const BlockSparseMatrix& matrix) {
  const int n = matrix.size(), steps = std::min(kLanczosSteps, n);
  MatX basis(n, steps);
  std::vector<Real> diagonal, beside;
  // The same for every run, and along no eigenvector that symmetry makes.
  VecX v(n), w(n);
  for (int i = 0; i < n; ++i) v[i] = 1 + 0.5 * std::sin(1.7 * i);
  v.normalize();
  for (int k = 0; k < steps; ++k) {
    basis.col(k) = v;
    matrix.multiply(std::span<const Real>(v.data(), n), std::span<Real>(w.data(), n));
    diagonal.push_back(v.dot(w));
    for (int pass = 0; pass < 2; ++pass) {
      w -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * w);
    }
    const Real length = w.norm();
    if (k + 1 == steps || length <= 1e-14 * std::abs(diagonal.front())) break;
    beside.push_back(length);
    v = w / length;
  }
  Eigen::SelfAdjointEigenSolver<MatX> solver;
  solver.computeFromTridiagonal(
      Eigen::Map<const VecX>(diagonal.data(), static_cast<Eigen::Index>(diagonal.size())),
      Eigen::Map<const VecX>(beside.data(), static_cast<Eigen::Index>(diagonal.size()) - 1),
      Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

}  // namespace

Real massRatio(const World& world) {
  Real lightest = kInfinity, heaviest = 0;
  for (const BodyId body : world.bodies()) {
    if (world.body(body).kind() != BodyKind::kDynamic) continue;
    lightest = std::min(lightest, world.body(body).mass());
    heaviest = std::max(heaviest, world.body(body).mass());
  }
  return heaviest / lightest;
}

Condition conditionOf(const ContactProblem& problem, int denseRows) {
  Condition condition;
  if (problem.rowCount() == 0) return condition;
  const BlockSparseMatrix matrix = matrixOf(problem);
  condition.isBound = matrix.size() > denseRows;
  const VecX values = condition.isBound ? lanczosValues(matrix)
                                        : Eigen::SelfAdjointEigenSolver<MatX>(
                                              matrix.toDense(), Eigen::EigenvaluesOnly)
                                              .eigenvalues();
  const Real top = values.maxCoeff();
  const Real roundOff =
      top * std::numeric_limits<Real>::epsilon() * static_cast<Real>(matrix.size());
  int singular = 0;
  while (singular < values.size() && values[singular] <= roundOff) ++singular;
  if (singular < values.size()) condition.value = top / values[singular];
  if (!condition.isBound) condition.singularRows = singular;
  return condition;
}

}  // namespace drystone::bench
