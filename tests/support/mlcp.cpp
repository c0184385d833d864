#include "tests/support/mlcp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "solvers/problem/judge.h"
#include "tests/support/matrices.h"

namespace drystone::test {

StoredProblem mlcp(const MatX& a, const VecX& b, const VecX& lower, const VecX& upper) {
  const int n = static_cast<int>(b.size());
  StoredProblem problem;
  std::vector<int> rowStart, rows, columns;
  std::vector<Real> values;
  for (int i = 0; i <= n; ++i) rowStart.push_back(i);
  for (int i = 0; i < n; ++i) {
    ProblemBlock block;
    block.firstRow = i;
    block.rows = 1;
    block.law = BlockLaw::kRows;
    problem.blocks.push_back(block);
    problem.b.push_back(b[i]);
    problem.lower.push_back(lower[i]);
    problem.upper.push_back(upper[i]);
    for (int j = 0; j < n; ++j) {
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(a(i, j));
    }
  }
  problem.assembled = blockSparseFromTriplets(rowStart, rows, columns, values);
  return problem;
}

StoredProblem lcp(const MatX& a, const VecX& b) {
  return mlcp(a, b, VecX::Zero(b.size()), VecX::Constant(b.size(), kInfinity));
}

MlcpAnswer solveMlcp(ContactSolver& solver, const StoredProblem& stored, const VecX& warm,
                     std::vector<RowState> states, const Budget& budget) {
  const ContactProblem problem = stored.view();
  MlcpAnswer solved;
  solved.lambda = warm.size() > 0 ? warm : VecX::Zero(problem.rowCount());
  solved.state = std::move(states);
  solved.state.resize(problem.rowCount(), RowState::kUnknown);
  solved.report = solver.solve(
      problem, budget,
      {{solved.lambda.data(), static_cast<std::size_t>(problem.rowCount())}, solved.state});
  return solved;
}

VecX velocityOf(const StoredProblem& stored, const VecX& lambda) {
  JudgeWorkspace workspace;
  judge(stored.view(), {lambda.data(), static_cast<std::size_t>(lambda.size())}, workspace);
  return Eigen::Map<const VecX>(workspace.w.data(), lambda.size());
}

VecX velocityByEnumeration(const MatX& a, const VecX& b, const VecX& lower, const VecX& upper) {
  const int n = static_cast<int>(b.size());
  int sets = 1;
  for (int i = 0; i < n; ++i) sets *= 3;
  for (int code = 0; code < sets; ++code) {
    MatX k = MatX::Identity(n, n);
    VecX right(n);
    bool possible = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0) {
        k.row(i) = a.row(i);
        right[i] = -b[i];
      } else {
        right[i] = rest % 3 == 1 ? lower[i] : upper[i];
        possible = possible && std::isfinite(right[i]);
      }
    }
    if (!possible) continue;
    const VecX lambda = solveDense(k, right);
    const VecX w = a * lambda + b;
    bool good = (k * lambda - right).cwiseAbs().maxCoeff() < 1e-9;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      const bool inside = lambda[i] >= lower[i] - 1e-9 && lambda[i] <= upper[i] + 1e-9;
      if (rest % 3 == 0) good = good && inside;
      if (rest % 3 == 1) good = good && (w[i] >= -1e-9 || lower[i] == upper[i]);
      if (rest % 3 == 2) good = good && (w[i] <= 1e-9 || lower[i] == upper[i]);
    }
    if (good) return w;
  }
  ADD_FAILURE() << "no index set solves the problem";
  return VecX::Zero(n);
}

RandomMlcp randomMlcp(Random& random, int n, int rank) {
  RandomMlcp m;
  const MatX root = MatX::NullaryExpr(n, rank, [&] { return random.uniform(-1, 1); });
  m.a = root * root.transpose();
  m.b = m.a * VecX::NullaryExpr(n, [&] { return random.uniform(-2, 2); });
  m.lower.resize(n);
  m.upper.resize(n);
  for (int i = 0; i < n; ++i) {
    m.lower[i] = random.uniform() < 0.25 ? -kInfinity : random.uniform(-1, 0);
    m.upper[i] = random.uniform() < 0.4 ? kInfinity : random.uniform(0, 1);
    if (random.uniform() < 0.1) m.lower[i] = m.upper[i] = random.uniform(-1, 1);
  }
  return m;
}

}  // namespace drystone::test
