#include "tests/support/matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "solvers/problem/problem_ops.h"
#include "tests/support/problem_builder.h"

namespace drystone::test {
namespace {

std::span<Real> all(VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

}  // namespace

SymmetricSparseStorage sparseFromDense(const MatX& a) {
  SymmetricSparseStorage out;
  out.columnStart.push_back(0);
  for (int j = 0; j < a.cols(); ++j) {
    for (int i = j; i < a.rows(); ++i) {
      if (i != j && a(i, j) == 0) continue;
      out.row.push_back(i);
      out.value.push_back(a(i, j));
    }
    out.columnStart.push_back(static_cast<int>(out.row.size()));
  }
  return out;
}

MatX denseFromSparse(const SymmetricSparse& a) {
  MatX dense = MatX::Zero(a.size, a.size);
  for (int j = 0; j < a.size; ++j) {
    for (int e = a.columnStart[j]; e < a.columnStart[j + 1]; ++e) {
      dense(a.row[e], j) = dense(j, a.row[e]) = a.value[e];
    }
  }
  return dense;
}

MatX tridiagonal(int size) {
  MatX a = MatX::Zero(size, size);
  for (int i = 0; i < size; ++i) {
    a(i, i) = 2;
    if (i > 0) a(i, i - 1) = a(i - 1, i) = -1;
  }
  return a;
}

MatX laplacian(int side) {
  const int size = side * side;
  MatX a = MatX::Zero(size, size);
  for (int i = 0; i < size; ++i) {
    a(i, i) = 4;
    if (i % side > 0) a(i, i - 1) = a(i - 1, i) = -1;
    if (i >= side) a(i, i - side) = a(i - side, i) = -1;
  }
  return a;
}

MatX kershaw() {
  MatX a(4, 4);
  a << 3, -2, 0, 2, -2, 3, -2, 0, 0, -2, 3, -2, 2, 0, -2, 3;
  return a;
}

MatX randomGram(int size, int perRow, Real least, std::uint64_t seed) {
  Random random(seed);
  MatX g = MatX::Zero(size, 3 * size / 4);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < perRow; ++k) {
      g(i, static_cast<int>(static_cast<Real>(g.cols()) * random.uniform())) =
          random.uniform(-1, 1);
    }
  }
  MatX a = g * g.transpose();
  a.diagonal().array() += least;
  return a;
}

std::vector<MatX> matricesThatBreakDown() {
  std::vector<MatX> all = {kershaw()};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) all.push_back(randomGram(40, 3, 1e-2, seed));
  return all;
}

MatX delassus(const StoredProblem& problem) {
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem.view(), workspace, matrix);
  return matrix.toDense();
}

StoredProblem loadedLadder(int rungs, Real load, Real compliance) {
  ProblemBuilder builder(FrictionModel::kNone);
  Random random(1);
  int left = -1, right = -1;
  for (int k = 1; k <= rungs; ++k) {
    const Real z = -k;
    const int newLeft = builder.addSphere(std::exp2(random.uniform(-1, 1)), 0.4, {0, 0, z});
    const int newRight = builder.addSphere(std::exp2(random.uniform(-1, 1)), 0.4, {1, 0, z});
    builder.addBallJoint(left, newLeft, {0, 0, z + 0.5});
    builder.addBallJoint(right, newRight, {1, 0, z + 0.5});
    builder.addBallJoint(newLeft, newRight, {0.5, 0, z});
    left = newLeft;
    right = newRight;
  }
  const int weight = builder.addSphere(load, 0.4, {0.5, 0, -rungs - 1.0});
  builder.addBallJoint(left, weight, {0, 0, -rungs - 0.5});
  builder.addBallJoint(right, weight, {1, 0, -rungs - 0.5});
  builder.setCompliance(compliance);
  return builder.build();
}

MatX inverseOf(const Preconditioner& preconditioner, int size,
               std::span<const std::uint8_t> isOut) {
  MatX inverse(size, size);
  VecX unit = VecX::Zero(size), column(size);
  for (int i = 0; i < size; ++i) {
    unit[i] = 1;
    if (isOut.empty()) {
      preconditioner.apply(all(unit), all(column));
    } else {
      preconditioner.applyMasked(isOut, all(unit), all(column));
    }
    inverse.col(i) = column;
    unit[i] = 0;
  }
  return inverse;
}

MatX matrixOf(const Preconditioner& preconditioner, int size) {
  return inverseDense(inverseOf(preconditioner, size));
}

Real largest(const MatX& a) { return a.cwiseAbs().maxCoeff(); }

PreconditionerSettings plainSettings(PreconditionerKind kind) {
  PreconditionerSettings s;
  s.kind = kind;
  s.order = RowOrder::kNatural;
  s.prescaling = Prescaling::kNone;
  s.shift = 1e-4;
  s.shiftGrowth = 2;
  return s;
}

std::unique_ptr<Preconditioner> factored(const PreconditionerSettings& settings, const MatX& a,
                                         std::span<const std::uint8_t> isOut) {
  auto preconditioner = makePreconditioner(settings);
  preconditioner->factor(sparseFromDense(a).view(), isOut);
  return preconditioner;
}

VecX solveDense(const MatX& matrix, const VecX& right) {
  return solveDenseColumns(matrix, right).col(0);
}

MatX solveDenseColumns(const MatX& matrix, const MatX& right) {
  return matrix.fullPivLu().solve(right);
}

MatX inverseDense(const MatX& matrix) { return matrix.fullPivLu().inverse(); }

VecX leastSquares(const MatX& matrix, const VecX& right) {
  const MatX columns = right;
  const MatX solution = matrix.completeOrthogonalDecomposition().solve(columns);
  return solution.col(0);
}

VecX symmetricEigenvalues(const MatX& matrix) {
  return Eigen::SelfAdjointEigenSolver<MatX>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace drystone::test
