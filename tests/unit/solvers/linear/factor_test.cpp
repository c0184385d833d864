#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "core/random.h"
#include "solvers/linear/block_kernel.h"
#include "solvers/linear/body_factor.h"
#include "solvers/linear/dense_factor.h"
#include "solvers/linear/free_system.h"
#include "solvers/linear/sparse_factor.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

using MatrixLong = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using VectorLong = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// Free system of a problem with the given unknowns, solved by one factor from λ = 0.
std::vector<Real> solveFree(const StoredProblem& stored, FreeFactor& factor,
                            const std::function<void(FreeBasis&)>& fill, Real* residual) {
  const ContactProblem problem = stored.view();
  RowSystem rows;
  rows.prepare(problem, true);
  FreeSystem system;
  system.attach(rows, factor, BasisKind::kGeneral);
  fill(system.basis());
  EXPECT_TRUE(system.factor());
  std::vector<Real> lambda(problem.rowCount(), 0.0), w(problem.rowCount());
  rows.velocity(lambda, w);
  *residual = system.correct(lambda, w, 0, 8);
  return lambda;
}

void fillSticking(const ContactProblem& problem, FreeBasis& basis) {
  basis.begin(problem);
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) basis.addRow(row);
  }
  basis.end();
}

/// Every third contact slips along a direction of its own, the others stick.
void fillSlipping(const ContactProblem& problem, FreeBasis& basis) {
  basis.begin(problem);
  int c = 0;
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    const int first = block.firstRow;
    if (c % 3 == 0 && block.law == BlockLaw::kContact) {
      const Vec3 d(0, std::cos(1.0 * c), std::sin(1.0 * c));
      basis.add(first, Vec3::UnitX(), Vec3::UnitX() + 0.5 * d, 0);
      const Vec3 across(0, -d[2], d[1]);
      basis.add(first, across, across, 0.3);
    } else {
      for (int row = first; row < first + block.rows; ++row) basis.addRow(row);
    }
    ++c;
  }
  basis.end();
}

/// λ = C y with Rᵀ(A C y + b) + E Rᵀ C y = 0 in extended precision.
std::vector<Real> referenceFree(const StoredProblem& stored,
                                const std::function<void(FreeBasis&)>& fill) {
  const ContactProblem problem = stored.view();
  RowSystem rows;
  rows.prepare(problem, true);
  FreeBasis basis;
  fill(basis);
  const int n = problem.rowCount();
  const int m = basis.count();
  MatrixLong equations = MatrixLong::Zero(n, m), columns = MatrixLong::Zero(n, m);
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < (basis.plain(k) ? 1 : 3); ++j) {
      equations(basis.row(k) + j, k) = basis.plain(k) ? 1 : basis.equation(k)[j];
      columns(basis.row(k) + j, k) = basis.plain(k) ? 1 : basis.column(k)[j];
    }
  }
  const MatrixLong a = rows.matrix()->toDense().cast<long double>();
  MatrixLong k = equations.transpose() * a * columns;
  for (int i = 0; i < m; ++i) {
    k.row(i) += basis.extra(i) * (equations.col(i).transpose() * columns);
  }
  VectorLong b(n);
  for (int i = 0; i < n; ++i) b[i] = problem.b[i];
  const VectorLong y = k.fullPivLu().solve(-(equations.transpose() * b));
  const VectorLong lambda = columns * y;
  std::vector<Real> result(n);
  for (int i = 0; i < n; ++i) result[i] = static_cast<Real>(lambda[i]);
  return result;
}

template <class Factor>
class FreeFactors : public ::testing::Test {};
using FactorTypes = ::testing::Types<BodyFactor, DenseFactor, SparseFactor>;
TYPED_TEST_SUITE(FreeFactors, FactorTypes);

// Compliance 1e-6 makes the four contacts of a face determinate, with condition 1e7: 1e-15 · 1e7 is
// what a solution in double may be off; 1e-7 allows for the size of λ.
TYPED_TEST(FreeFactors, StickingStack_MatchesExtendedPrecision) {
  const StoredProblem stored = boxStack(FrictionModel::kCone, {1, 1, 1, 1}, 0.5, 1e-6);
  const ContactProblem problem = stored.view();
  const auto fill = [&](FreeBasis& basis) { fillSticking(problem, basis); };
  TypeParam factor;
  Real residual = 1;
  const std::vector<Real> lambda = solveFree(stored, factor, fill, &residual);
  EXPECT_LT(residual, 1e-14);
  EXPECT_LT(largestDifference(lambda, referenceFree(stored, fill)), 1e-7);
}

TYPED_TEST(FreeFactors, SlippingContacts_MatchExtendedPrecision) {
  const StoredProblem stored = boxStack(FrictionModel::kCone, {1, 2, 1}, 0.5, 1e-4);
  const ContactProblem problem = stored.view();
  const auto fill = [&](FreeBasis& basis) { fillSlipping(problem, basis); };
  TypeParam factor;
  Real residual = 1;
  const std::vector<Real> lambda = solveFree(stored, factor, fill, &residual);
  EXPECT_LT(residual, 1e-14);
  EXPECT_LT(largestDifference(lambda, referenceFree(stored, fill)), 1e-8);
}

// Without compliance K has rank 6 of 12 per face. The factor regularizes and says so; refinement
// brings the equations back to round-off.
TYPED_TEST(FreeFactors, RedundantContacts_AreRegularizedAndRefined) {
  const StoredProblem stored = boxStack(FrictionModel::kCone, {1, 1}, 0.5, 0);
  const ContactProblem problem = stored.view();
  TypeParam factor;
  Real residual = 1;
  solveFree(
      stored, factor, [&](FreeBasis& basis) { fillSticking(problem, basis); }, &residual);
  EXPECT_GT(factor.regularization(), 0);
  EXPECT_LT(residual, 1e-14);
}

// 1 kg under 1e6 kg: λ of 1e4 N s in a system of condition 1e15; only the residual can be small,
// to round-off of A λ ≈ 2e4 m/s.
TYPED_TEST(FreeFactors, HeavyOnLight_HasResidualAtRoundOff) {
  const StoredProblem stored = boxStack(FrictionModel::kCone, {1, 1e6}, 0.5, 1e-9);
  const ContactProblem problem = stored.view();
  TypeParam factor;
  Real residual = 1;
  solveFree(
      stored, factor, [&](FreeBasis& basis) { fillSticking(problem, basis); }, &residual);
  EXPECT_LT(residual, 1e-10);
}

// The factor of a random body graph times x gives back the right-hand side, to round-off of values
// that are at most 100.
TEST(BlockFactor, RandomGraph_SolvesSymmetricAndUnsymmetric) {
  Random random(7);
  constexpr int kNodes = 30;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 1; i < kNodes; ++i) {
    pairs.emplace_back(i, static_cast<int>(random.uniform() * i));
    pairs.emplace_back(static_cast<int>(random.uniform() * i), i);
  }
  BlockPattern pattern;
  pattern.build(kNodes, pairs);
  for (const bool symmetric : {true, false}) {
    BlockFactor factor;
    factor.begin(pattern, symmetric);
    MatX dense = MatX::Zero(6 * kNodes, 6 * kNodes);
    const auto randomBlock = [&] {
      return Mat6::NullaryExpr([&] { return random.uniform(-1, 1); }).eval();
    };
    for (int j = 0; j < kNodes; ++j) {
      Mat6 diagonal = randomBlock();
      if (symmetric) diagonal = (diagonal + diagonal.transpose()).eval();
      factor.diagonal(j) = diagonal + 100 * Mat6::Identity();
      dense.block<6, 6>(6 * j, 6 * j) = factor.diagonal(j);
    }
    for (const auto& [a, b] : pairs) {
      const int entry = pattern.find(a, b);
      const int row = 6 * std::max(pattern.place(a), pattern.place(b));
      const int column = 6 * std::min(pattern.place(a), pattern.place(b));
      const Mat6 lower = randomBlock();
      const Mat6 upper = symmetric ? Mat6(lower.transpose()) : randomBlock();
      factor.lower(entry) = lower;
      if (!symmetric) factor.upperTransposed(entry) = upper.transpose();
      dense.block<6, 6>(row, column) = lower;
      dense.block<6, 6>(column, row) = upper;
    }
    ASSERT_TRUE(factor.factor());
    VecX right = VecX::NullaryExpr(6 * kNodes, [&] { return random.uniform(-1, 1); });
    std::vector<Vec6> x(kNodes);
    for (int j = 0; j < kNodes; ++j) x[j] = right.segment<6>(6 * j);
    factor.solve(x);
    VecX solution(6 * kNodes);
    for (int j = 0; j < kNodes; ++j) solution.segment<6>(6 * j) = x[j];
    EXPECT_LT((dense * solution - right).cwiseAbs().maxCoeff(), 1e-13) << symmetric;
  }
}

/// Blocks, rows and weights that the kernels of a block factor are tried on.
struct KernelInputs {
  explicit KernelInputs(std::uint64_t seed) {
    Random random(seed);
    const auto value = [&] { return random.uniform(-1, 1); };
    for (std::vector<Mat6>* blocks : {&targets, &left}) {
      for (int i = 0; i < kCount; ++i) blocks->push_back(Mat6::NullaryExpr(value));
    }
    right = Mat6::NullaryExpr(value);
    for (int i = 0; i < kCount; ++i) {
      rows.push_back({Vec6::NullaryExpr(value), Vec6::NullaryExpr(value)});
      weights.push_back(std::exp(10 * value()));
    }
  }

  void run(const BlockKernel& kernel) {
    std::vector<Mat6*> places;
    for (Mat6& target : targets) places.push_back(&target);
    std::swap(places[0], places[3]);
    kernel.subtractProducts(places, left.data(), right);
    kernel.multiplyEach(left, right);
    kernel.addOuterProducts({weights, rows.data(), &ScaledRow::onA, rows.data(), &ScaledRow::onB},
                            outer);
  }

  static constexpr int kCount = 7;
  std::vector<Mat6> targets, left;
  Mat6 right, outer = Mat6::Identity();
  std::vector<ScaledRow> rows;
  std::vector<Real> weights;
};

// No instruction set may show in a result: a state saved on one machine goes on at another.
TEST(BlockKernel, EveryInstructionSet_GivesTheSameBits) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    KernelInputs fast(seed), plain(seed);
    fast.run(blockKernel());
    plain.run(plainBlockKernel());
    for (int i = 0; i < KernelInputs::kCount; ++i) {
      EXPECT_EQ(fast.targets[i], plain.targets[i]);
      EXPECT_EQ(fast.left[i], plain.left[i]);
    }
    EXPECT_EQ(fast.outer, plain.outer);
  }
}

// Sums of at most seven products, of numbers up to e^10 in the outer ones: 1e-11 is what round-off
// may take.
TEST(BlockKernel, Products_AreThoseOfMatrices) {
  const KernelInputs before(1);
  KernelInputs after(1);
  after.run(plainBlockKernel());
  Mat6 outer = before.outer;
  for (int i = 0; i < KernelInputs::kCount; ++i) {
    const int from = i == 0 ? 3 : i == 3 ? 0 : i;
    const Mat6 target = before.targets[i] - before.left[from] * before.right.transpose();
    EXPECT_LT((after.targets[i] - target).cwiseAbs().maxCoeff(), 1e-14);
    const Mat6 product = before.left[i] * before.right.transpose();
    EXPECT_LT((after.left[i] - product).cwiseAbs().maxCoeff(), 1e-14);
    outer += before.weights[i] * before.rows[i].onA * before.rows[i].onB.transpose();
  }
  EXPECT_LT((after.outer - outer).cwiseAbs().maxCoeff(), 1e-11);
}

// A chain of bodies has a factor without fill: one block per link.
TEST(BlockPattern, Chain_HasNoFill) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 1; i < 50; ++i) pairs.emplace_back(i - 1, i);
  BlockPattern pattern;
  pattern.build(50, pairs);
  EXPECT_EQ(pattern.entryCount(), 49);
  EXPECT_GE(pattern.find(7, 8), 0);
  EXPECT_EQ(pattern.find(7, 9), -1);
}

/// Blocks below the diagonal of the factor when a node of least degree always goes first.
int entriesByLeastDegree(int nodes, const std::vector<std::pair<int, int>>& pairs) {
  std::map<int, std::set<int>> graph;
  for (int i = 0; i < nodes; ++i) graph[i] = {};
  for (const auto& [a, b] : pairs) {
    graph[a].insert(b);
    graph[b].insert(a);
  }
  int entries = 0;
  while (!graph.empty()) {
    const auto least = std::min_element(
        graph.begin(), graph.end(),
        [](const auto& p, const auto& q) { return p.second.size() < q.second.size(); });
    const auto [node, neighbours] = *least;
    graph.erase(least);
    entries += static_cast<int>(neighbours.size());
    for (const int i : neighbours) {
      graph[i].erase(node);
      for (const int j : neighbours) {
        if (i != j) graph[i].insert(j);
      }
    }
  }
  return entries;
}

// A net of 12 cables with eight bodies between two crossings, numbered at random: almost a tree,
// for which Eigen's order is half again as large where it gets no diagonal.
TEST(BlockPattern, Net_FillsHardlyMoreThanExactLeastDegree) {
  constexpr int kCables = 6, kBetween = 8;
  std::vector<std::pair<int, int>> pairs;
  int nodes = kCables * kCables;
  const auto join = [&](int from, int to) {
    for (int i = 0; i < kBetween; ++i, from = nodes++) pairs.emplace_back(from, nodes);
    pairs.emplace_back(from, to);
  };
  for (int i = 0; i < kCables; ++i) {
    for (int j = 1; j < kCables; ++j) {
      join(kCables * i + j - 1, kCables * i + j);
      join(kCables * (j - 1) + i, kCables * j + i);
    }
  }
  std::vector<int> number(nodes);
  std::iota(number.begin(), number.end(), 0);
  Random random(3);
  for (int i = nodes - 1; i > 0; --i) {
    std::swap(number[i], number[static_cast<int>(random.uniform() * (i + 1))]);
  }
  for (auto& [a, b] : pairs) {
    a = number[a];
    b = number[b];
  }
  BlockPattern pattern;
  pattern.build(nodes, pairs);
  EXPECT_LT(pattern.entryCount(), 1.2 * entriesByLeastDegree(nodes, pairs));
}

}  // namespace
}  // namespace drystone::test
