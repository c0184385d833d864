#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "core/timer.h"
#include "solvers/linear/cached_factor.h"
#include "solvers/linear/cuthill_mckee.h"
#include "solvers/linear/dense_factor.h"
#include "solvers/linear/envelope_factor.h"
#include "solvers/linear/free_system.h"
#include "solvers/linear/sparse_factor.h"
#include "tests/support/matrices.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

/// Symmetric positive definite, of blocks with 1 to 6 rows that touch a few others.
BlockSparseMatrix randomMatrix(int blocks, Random& random) {
  std::vector<int> rowStart = {0}, rows, columns;
  std::vector<Real> values;
  for (int c = 0; c < blocks; ++c) {
    rowStart.push_back(rowStart.back() + 1 + static_cast<int>(6 * random.uniform()));
  }
  const auto add = [&](int i, int j, Real value) {
    rows.push_back(i);
    columns.push_back(j);
    values.push_back(value);
    if (i == j) return;
    rows.push_back(j);
    columns.push_back(i);
    values.push_back(value);
  };
  for (int c = 0; c < blocks; ++c) {
    for (int i = rowStart[c]; i < rowStart[c + 1]; ++i) add(i, i, 60);
    for (int k = 0; k < 2 && c > 0; ++k) {
      const int d = static_cast<int>(c * random.uniform());
      for (int i = rowStart[c]; i < rowStart[c + 1]; ++i) {
        for (int j = rowStart[d]; j < rowStart[d + 1]; ++j) add(i, j, random.uniform(-1, 1));
      }
    }
  }
  return blockSparseFromTriplets(rowStart, rows, columns, values);
}

/// Rows of a matrix, by place, of which each is out with the given chance.
std::vector<std::uint8_t> randomOut(int size, Real chance, Random& random) {
  std::vector<std::uint8_t> isOut(size);
  for (auto& out : isOut) out = random.uniform() < chance ? 1 : 0;
  return isOut;
}

/// A_FF⁻¹ r_F by Eigen, by place; zero where a row is out.
VecX reference(const BlockSparseMatrix& matrix, const EnvelopeMatrix& envelope,
               const std::vector<std::uint8_t>& isOut, const VecX& right) {
  MatX a = matrix.toDense();
  Eigen::VectorXi rowAt(matrix.size());
  for (int row = 0; row < matrix.size(); ++row) rowAt[envelope.place(row)] = row;
  std::vector<int> in;
  for (int place = 0; place < matrix.size(); ++place) {
    if (!isOut[place]) in.push_back(place);
  }
  const int n = static_cast<int>(in.size());
  MatX part(n, n);
  VecX b(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) part(i, j) = a(rowAt[in[i]], rowAt[in[j]]);
    b[i] = right[in[i]];
  }
  const VecX x = test::solveDense(part, b);
  VecX whole = VecX::Zero(matrix.size());
  for (int i = 0; i < n; ++i) whole[in[i]] = x[i];
  return whole;
}

VecX solve(const EnvelopeMatrix& envelope, const std::vector<std::uint8_t>& isOut,
           const VecX& right) {
  VecX x = right;
  envelope.solve(isOut, {x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

class Envelope : public ::testing::TestWithParam<bool> {
 protected:
  bool reorder() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Orders, Envelope, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "skyline" : "full"; });

// Diagonally dominant: condition below 10, so 1e-14 is some ten roundings.
TEST_P(Envelope, FactorWithoutRows_SolvesTheRest) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const BlockSparseMatrix matrix = randomMatrix(12, random);
    EnvelopeMatrix envelope;
    envelope.analyze(matrix, reorder());
    const auto isOut = randomOut(matrix.size(), trial == 0 ? 0 : 0.4, random);
    const VecX right = VecX::NullaryExpr(matrix.size(), [&] { return random.uniform(-1, 1); });
    ASSERT_TRUE(envelope.factor(matrix, isOut));
    EXPECT_EQ(envelope.regularization(), 0);
    const VecX expected = reference(matrix, envelope, isOut, right);
    EXPECT_LT((solve(envelope, isOut, right) - expected).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST_P(Envelope, TakingRowsOut_EqualsFactoringTheRest) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const BlockSparseMatrix matrix = randomMatrix(12, random);
    EnvelopeMatrix envelope;
    envelope.analyze(matrix, reorder());
    const std::vector<std::uint8_t> none(matrix.size(), 0);
    const auto isOut = randomOut(matrix.size(), 0.5, random);
    ASSERT_TRUE(envelope.factor(matrix, none));
    for (int row = 0; row < matrix.size(); ++row) {
      if (isOut[row]) envelope.takeOut(row);
    }
    const VecX right = VecX::NullaryExpr(matrix.size(), [&] { return random.uniform(-1, 1); });
    const VecX expected = reference(matrix, envelope, isOut, right);
    EXPECT_LT((solve(envelope, isOut, right) - expected).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST_P(Envelope, FactoringFromTheFirstChange_GivesTheSameBits) {
  Random random(5);
  const BlockSparseMatrix matrix = randomMatrix(15, random);
  EnvelopeMatrix whole, partial;
  whole.analyze(matrix, reorder());
  partial.analyze(matrix, reorder());
  auto isOut = randomOut(matrix.size(), 0.3, random);
  ASSERT_TRUE(partial.factor(matrix, isOut));
  const int first = matrix.size() / 2;
  for (int row = first; row < matrix.size(); ++row) isOut[row] = row % 2;
  ASSERT_TRUE(partial.factorFrom(matrix, isOut, first));
  ASSERT_TRUE(whole.factor(matrix, isOut));
  const VecX right = VecX::Ones(matrix.size());
  EXPECT_EQ(solve(partial, isOut, right), solve(whole, isOut, right));
}

// Rank 1 of 2: the least that makes it regular is added, and said.
TEST_P(Envelope, SingularMatrix_IsRegularized) {
  const std::vector<int> rowStart = {0, 1, 2}, rows = {0, 0, 1, 1}, columns = {0, 1, 0, 1};
  const std::vector<Real> values = {4, 4, 4, 4};
  const BlockSparseMatrix matrix = blockSparseFromTriplets(rowStart, rows, columns, values);
  EnvelopeMatrix envelope;
  envelope.analyze(matrix, reorder());
  const std::vector<std::uint8_t> none(2, 0);
  ASSERT_TRUE(envelope.factor(matrix, none));
  EXPECT_NEAR(envelope.regularization(), 4e-10, 1e-22);
}

TEST_P(Envelope, IndefiniteMatrix_IsRefused) {
  const std::vector<int> rowStart = {0, 1, 2}, rows = {0, 0, 1, 1}, columns = {0, 1, 0, 1};
  const std::vector<Real> values = {1, 2, 2, 1};
  const BlockSparseMatrix matrix = blockSparseFromTriplets(rowStart, rows, columns, values);
  EnvelopeMatrix envelope;
  envelope.analyze(matrix, reorder());
  const std::vector<std::uint8_t> none(2, 0);
  EXPECT_FALSE(envelope.factor(matrix, none));
}

// A path of 40 nodes, numbered at random, gets its neighbours side by side again.
TEST(CuthillMckee, ShuffledPath_HasBandwidthOne) {
  Random random(6);
  constexpr int kNodes = 40;
  std::vector<int> label(kNodes);
  std::iota(label.begin(), label.end(), 0);
  for (int i = kNodes - 1; i > 0; --i) {
    std::swap(label[i], label[static_cast<int>((i + 1) * random.uniform())]);
  }
  std::vector<std::vector<int>> neighbours(kNodes);
  for (int i = 0; i + 1 < kNodes; ++i) {
    neighbours[label[i]].push_back(label[i + 1]);
    neighbours[label[i + 1]].push_back(label[i]);
  }
  std::vector<int> start = {0}, flat;
  for (const auto& list : neighbours) {
    flat.insert(flat.end(), list.begin(), list.end());
    start.push_back(static_cast<int>(flat.size()));
  }
  CuthillMckeeWorkspace workspace;
  std::vector<int> order, place(kNodes);
  reverseCuthillMckee(start, flat, workspace, order);
  ASSERT_EQ(order.size(), kNodes);
  for (int i = 0; i < kNodes; ++i) place[order[i]] = i;
  for (int i = 0; i + 1 < kNodes; ++i) {
    EXPECT_EQ(std::abs(place[label[i]] - place[label[i + 1]]), 1);
  }
}

TEST(CuthillMckee, ComponentsAndLoneNodes_AreAllOrderedOnce) {
  // 0 – 3, 1, 2 – 4 – 5, each node its own neighbour too.
  const std::vector<int> start = {0, 2, 3, 5, 7, 10, 12};
  const std::vector<int> neighbour = {0, 3, 1, 2, 4, 0, 3, 2, 4, 5, 4, 5};
  CuthillMckeeWorkspace workspace;
  std::vector<int> order;
  reverseCuthillMckee(start, neighbour, workspace, order);
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(FactorCache, FullCache_DropsWhatWasUsedLongestAgo) {
  FactorCache cache;
  const std::vector<Real> values = {1, 2, 3, 4};
  cache.clear(values.size(), 2 * values.size() * sizeof(Real));
  const auto first = cache.add(FactorCache::kRoot, 7, values);
  const auto second = cache.add(first, 9, values);
  EXPECT_EQ(cache.find(FactorCache::kRoot, 7), first);
  cache.add(first, 11, values);  // drops (7, 9), which was used before (7)
  EXPECT_EQ(cache.entries(), 2);
  EXPECT_EQ(cache.find(first, 9), -1);
  EXPECT_EQ(cache.find(FactorCache::kRoot, 7), first);
  EXPECT_NE(cache.find(first, 11), -1);
  EXPECT_NE(cache.find(first, 11), second);
  EXPECT_EQ(cache.bytes(), 2 * values.size() * sizeof(Real));
}

TEST(FactorCache, ManyPrefixes_AreAllFound) {
  FactorCache cache;
  cache.clear(1, 1 << 20);
  std::vector<std::int64_t> names = {FactorCache::kRoot};
  for (int i = 0; i < 500; ++i) {
    const std::vector<Real> value = {static_cast<Real>(i)};
    names.push_back(cache.add(names[i / 2], i, value));
  }
  for (int i = 0; i < 500; ++i) {
    const auto name = cache.find(names[i / 2], i);
    ASSERT_EQ(name, names[i + 1]);
    EXPECT_EQ(cache.values(name)[0], i);
  }
}

TEST(FactorCache, NoMemory_StoresNothing) {
  FactorCache cache;
  cache.clear(4, 8);
  EXPECT_EQ(cache.add(FactorCache::kRoot, 1, std::vector<Real>(4)), -1);
  EXPECT_EQ(cache.find(FactorCache::kRoot, 1), -1);
  EXPECT_EQ(cache.bytes(), 0);
}

/// λ of the free system of a stack in which every `stride`-th row from `first` is tight.
std::vector<Real> solveFree(const StoredProblem& stored, FreeFactor& factor, int first, int stride,
                            bool attach, FreeSystem& system, RowSystem& rows) {
  const ContactProblem problem = stored.view();
  if (attach) {
    rows.prepare(problem, true);
    system.attach(rows, factor, BasisKind::kRows);
  }
  FreeBasis& basis = system.basis();
  basis.begin(problem);
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (row < first || (row - first) % stride != 0) basis.addRow(row);
    }
  }
  basis.end();
  EXPECT_TRUE(system.factor());
  std::vector<Real> lambda(problem.rowCount(), 0.0), w(problem.rowCount());
  rows.velocity(lambda, w);
  EXPECT_LT(system.correct(lambda, w, 0, 6), 1e-13);
  return lambda;
}

// Compliance 1e-4 against A of order 1: condition 1e4, λ of order 1.
TEST(EnvelopeFactor, EveryUpdate_GivesTheSameAnswerForEverySet) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 2, 1, 3}, 0.5, 1e-4);
  EnvelopeFactor fresh({.reorder = true, .update = EnvelopeUpdate::kRefactor});
  EnvelopeFactor skyline({.reorder = true, .update = EnvelopeUpdate::kDowndate});
  EnvelopeFactor dense({.reorder = false, .update = EnvelopeUpdate::kDowndate});
  EnvelopeFactor cheaper({.reorder = true, .update = EnvelopeUpdate::kCheaper});
  CachedFactor cached;
  FreeFactor* factors[] = {&fresh, &skyline, &dense, &cheaper, &cached};
  FreeSystem systems[5];
  RowSystem rows[5];
  bool attach = true;
  for (const auto& [first, stride] : {std::pair{1000, 1}, {5, 7}, {5, 3}, {20, 2}, {1000, 1}}) {
    std::vector<Real> expected;
    for (int i = 0; i < 5; ++i) {
      const std::vector<Real> lambda =
          solveFree(stored, *factors[i], first, stride, attach, systems[i], rows[i]);
      if (i == 0) expected = lambda;
      for (std::size_t row = 0; row < lambda.size(); ++row) {
        EXPECT_NEAR(lambda[row], expected[row], 1e-9) << i << " " << row;
      }
    }
    attach = false;
  }
  EXPECT_GT(cached.cacheBytes(), 0);
}

// A_FF + E between two downdates, as an interior point asks for: the answer of the dense factor,
// and the downdates after it as if nothing had been in between.
TEST(EnvelopeFactor, ExtraCompliance_IsFactoredAndForgotten) {
  const StoredProblem stored = boxStack(FrictionModel::kBox, {1, 2, 1, 3}, 0.5, 1e-4);
  const ContactProblem problem = stored.view();
  for (const EnvelopeUpdate update : {EnvelopeUpdate::kDowndate, EnvelopeUpdate::kCheaper}) {
    EnvelopeFactor envelope({.reorder = true, .update = update});
    DenseFactor dense;
    RowSystem rows;
    rows.prepare(problem, true);
    FreeSystem system;
    system.attach(rows, envelope, BasisKind::kDiagonal);
    std::vector<Real> before, after;
    for (std::vector<Real>* answer : {&before, &after}) {
      *answer = solveFree(stored, envelope, 5, 7, false, system, rows);
      FreeBasis& basis = system.basis();
      basis.begin(problem);
      for (const ProblemBlock& block : problem.blocks) {
        basis.beginBlock();
        for (int i = 0; i < block.rows; ++i) basis.addRow(block.firstRow + i, 0.1 * (i + 1));
      }
      basis.end();
      ASSERT_TRUE(envelope.factor(rows, basis));
      dense.analyze(rows, BasisKind::kDiagonal);
      ASSERT_TRUE(dense.factor(rows, basis));
      std::vector<Real> x(problem.b.begin(), problem.b.end()), y = x;
      envelope.solve(x);
      dense.solve(y);
      for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], y[k], 1e-12) << k;
    }
    EXPECT_EQ(before, after);
  }
}

/// A problem of rows that nothing couples, each with λ ≥ 0.
StoredProblem looseRows(int count) {
  StoredProblem stored;
  std::vector<int> rowStart = {0}, rows;
  for (int row = 0; row < count; ++row) {
    rows.push_back(row);
    rowStart.push_back(row + 1);
    stored.blocks.push_back({.firstRow = row, .rows = 1, .law = BlockLaw::kRows});
  }
  stored.b.assign(count, -1);
  stored.lower.assign(count, 0);
  stored.upper.assign(count, kInfinity);
  stored.assembled = blockSparseFromTriplets(rowStart, rows, rows, std::vector<Real>(count, 1));
  return stored;
}

// A fresh factor of 600 rows cannot be broken off: of the 20 ms that are left it may take 72.
TEST(EnvelopeFactor, WithoutTimeForAFreshFactor_KeepsTheOneThatItHas) {
  const StoredProblem stored = looseRows(600);
  EnvelopeFactor dense({.reorder = false, .update = EnvelopeUpdate::kDowndate});
  CachedFactor cached;
  FreeFactor* const factors[] = {&dense, &cached};
  for (FreeFactor* const factor : factors) {
    FreeSystem system;
    RowSystem rows;
    solveFree(stored, *factor, 300, 1000, true, system, rows);
    const Timer timer;
    factor->setDeadline({&timer, 0.02});
    EXPECT_FALSE(factor->sharpen(rows));
    factor->setDeadline({});
    EXPECT_TRUE(factor->sharpen(rows));
  }
}

// A copy of 1500² numbers may take 18 ms, and 15 are left.
TEST(CachedFactor, WithoutTimeForACopy_KeepsNone) {
  const StoredProblem stored = looseRows(1500);
  CachedFactor cached;
  FreeSystem system;
  RowSystem rows;
  solveFree(stored, cached, 2000, 1, true, system, rows);
  const Timer timer;
  cached.setDeadline({&timer, 0.015});
  FreeBasis& basis = system.basis();
  basis.begin(stored.view());
  for (int row = 0; row < 1500; ++row) {
    basis.beginBlock();
    if (row < 1499) basis.addRow(row);
  }
  basis.end();
  cached.factor(rows, basis);
  EXPECT_EQ(cached.cacheBytes(), 0);
  cached.setDeadline({});
  EXPECT_TRUE(cached.factor(rows, basis));
  EXPECT_GT(cached.cacheBytes(), 0);
}

// The order of the rows may take all of the time, and the factor would take as much again.
TEST(SparseFactor, AfterItsTime_GivesUpBetweenOrderAndFactor) {
  const StoredProblem stored = looseRows(20);
  SparseFactor sparse;
  FreeSystem system;
  RowSystem rows;
  solveFree(stored, sparse, 20, 1, true, system, rows);
  const Timer timer;
  sparse.setDeadline({&timer, -1});
  EXPECT_FALSE(sparse.factor(rows, system.basis()));
}

}  // namespace
}  // namespace drystone::test
