// What every preconditioner keeps, whatever it is made of; how each makes its factor is in
// test_incomplete_cholesky.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solvers/problem/problem_ops.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/matrices.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

using Kind = PreconditionerKind;

constexpr std::string_view kNames[] = {"none", "jacobi",      "ic0", "ic0Shift", "ic0PartialShift",
                                       "ict",  "ic0Imaginary"};
constexpr Kind kKinds[] = {Kind::kNone, Kind::kJacobi,          Kind::kIc0,         Kind::kIc0Shift,
                           Kind::kIct,  Kind::kIc0PartialShift, Kind::kIc0Imaginary};
constexpr RowOrder kOrders[] = {RowOrder::kNatural, RowOrder::kRcm, RowOrder::kAmd};

class Preconditioners : public ::testing::TestWithParam<Kind> {
 protected:
  PreconditionerSettings settings(RowOrder order = RowOrder::kNatural) const {
    PreconditionerSettings s;
    s.kind = GetParam();
    s.order = order;
    return s;
  }
  bool isDiagonal() const { return GetParam() == Kind::kNone || GetParam() == Kind::kJacobi; }
};
INSTANTIATE_TEST_SUITE_P(Kinds, Preconditioners, ::testing::ValuesIn(kKinds), [](const auto& test) {
  return std::string(kNames[static_cast<int>(test.param)]);
});

struct NamedMatrix {
  std::string name;
  MatX a;
};

/// Positive definite, singular and indefinite; the factors of most break down without a repair.
std::vector<NamedMatrix> matrices() {
  MatX indefinite = randomGram(30, 3, 1e-3, 5);
  indefinite.diagonal().array() -= 0.4;
  MatX negativeFirst = laplacian(4);
  negativeFirst(0, 0) = -3;
  MatX zeroDiagonal = laplacian(4);
  zeroDiagonal(5, 5) = 0;
  MatX arrow = 40 * MatX::Identity(30, 30);
  arrow.row(0).tail(29).setOnes();
  arrow.col(0).tail(29).setOnes();
  return {{"tridiagonal", tridiagonal(20)},
          {"laplacian", laplacian(6)},
          {"kershaw", kershaw()},
          {"gram", randomGram(40, 3, 1e-4, 3)},
          {"ladder", delassus(loadedLadder(4, 100, 1e-6))},
          {"stack", delassus(boxStack(FrictionModel::kCone, {1, 10}, 0.5, 1e-6))},
          {"singular", delassus(boxOnPlane(FrictionModel::kCone, 1, 0.5))},
          {"pile", delassus(randomPile(FrictionModel::kCone, 2, 2, 2, 0.5, 1))},
          {"rank one", MatX::Ones(5, 5)},
          {"indefinite", indefinite},
          {"negative first", negativeFirst},
          {"zero diagonal", zeroDiagonal},
          {"dense column", arrow}};
}

/// A random set, the same for every kind.
std::vector<std::uint8_t> everyThirdOrSo(int size, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> isOut(size);
  for (auto& out : isOut) out = random.uniform() < 0.3 ? 1 : 0;
  return isOut;
}

void expectPositiveDefinite(const MatX& inverse) {
  ASSERT_TRUE(inverse.allFinite());
  const Real largest = inverse.cwiseAbs().maxCoeff();
  EXPECT_LT((inverse - inverse.transpose()).cwiseAbs().maxCoeff(), 1e-9 * largest);
  // Not the eigenvalues themselves, of which round-off swallows the small ones: the pivots of M⁻¹
  // scaled to a unit diagonal.
  const VecX scale = inverse.diagonal().cwiseSqrt().cwiseInverse();
  ASSERT_TRUE(scale.allFinite());
  const MatX scaled = scale.asDiagonal() * inverse * scale.asDiagonal();
  EXPECT_GT(symmetricEigenvalues(scaled).minCoeff(), -1e-12);
}

TEST_P(Preconditioners, Application_IsSymmetricPositiveDefinite) {
  for (const NamedMatrix& named : matrices()) {
    for (const RowOrder order : kOrders) {
      for (const Prescaling scaling :
           {Prescaling::kNone, Prescaling::kDiagonal, Prescaling::kColumnNorm}) {
        SCOPED_TRACE(named.name + " " + std::to_string(static_cast<int>(order)) + " " +
                     std::to_string(static_cast<int>(scaling)));
        PreconditionerSettings s = settings(order);
        s.prescaling = scaling;
        const auto m = factored(s, named.a);
        expectPositiveDefinite(inverseOf(*m, static_cast<int>(named.a.rows())));
      }
    }
  }
}

TEST_P(Preconditioners, MaskedApplication_IsPositiveDefiniteOnItsRowsAndZeroElsewhere) {
  for (const NamedMatrix& named : matrices()) {
    SCOPED_TRACE(named.name);
    const int size = static_cast<int>(named.a.rows());
    const auto before = everyThirdOrSo(size, 1), now = everyThirdOrSo(size, 2);
    const auto m = factored(settings(RowOrder::kAmd), named.a, before);
    const MatX inverse = inverseOf(*m, size, now);
    std::vector<int> in;
    for (int i = 0; i < size; ++i) {
      if (!now[i]) {
        in.push_back(i);
        continue;
      }
      EXPECT_EQ(inverse.row(i).cwiseAbs().sum(), 0);
      EXPECT_EQ(inverse.col(i).cwiseAbs().sum(), 0);
    }
    expectPositiveDefinite(inverse(in, in));
  }
}

// Nothing is added up in another order, so that not a bit may differ.
TEST_P(Preconditioners, FactorWithRowsOut_IsThatOfTheRestToTheBit) {
  for (const NamedMatrix& named : matrices()) {
    SCOPED_TRACE(named.name);
    const int size = static_cast<int>(named.a.rows());
    const auto isOut = everyThirdOrSo(size, 3);
    std::vector<int> in;
    for (int i = 0; i < size; ++i) {
      if (!isOut[i]) in.push_back(i);
    }
    PreconditionerSettings s = settings();
    s.fillCap = kUnlimited;  // it counts the entries of all rows
    const auto part = factored(s, named.a(in, in)), masked = factored(s, named.a, isOut);
    EXPECT_EQ(MatX(inverseOf(*masked, size)(in, in)),
              inverseOf(*part, static_cast<int>(in.size())));
    EXPECT_EQ(masked->statistics().rows, size);
    EXPECT_EQ(masked->statistics().negativePivots, part->statistics().negativePivots);
    EXPECT_EQ(masked->statistics().zeroPivots, part->statistics().zeroPivots);
    EXPECT_EQ(masked->statistics().shift, part->statistics().shift);
  }
}

// Rows and columns of L struck: M_F = L_FF |D|_F L_FFᵀ. Where the struck rows are the last, that
// is the factor of A_FF.
TEST_P(Preconditioners, MaskOfTheLastRows_LeavesTheFactorOfTheRest) {
  PreconditionerSettings s = settings();
  s.fillCap = kUnlimited;
  const MatX a = laplacian(6);
  std::vector<std::uint8_t> isOut(36, 0);
  std::fill(isOut.begin() + 20, isOut.end(), 1);
  const MatX expected = inverseOf(*factored(s, a.topLeftCorner(20, 20)), 20);
  EXPECT_EQ(MatX(inverseOf(*factored(s, a), 36, isOut).topLeftCorner(20, 20)), expected);
}

TEST_P(Preconditioners, RowsThatComeBack_AreAppliedByTheirDiagonal) {
  if (GetParam() == Kind::kNone) return;
  const MatX a = laplacian(4);
  std::vector<std::uint8_t> isOut(16, 0), none(16, 0);
  isOut[6] = 1;
  const MatX inverse = inverseOf(*factored(settings(), a, isOut), 16, none);
  EXPECT_DOUBLE_EQ(inverse(6, 6), 0.25);
  EXPECT_EQ(inverse.row(6).cwiseAbs().sum(), inverse(6, 6));
}

// By powers of two, which scale without rounding: with a unit diagonal the same matrix is
// factored.
TEST_P(Preconditioners, ScaledRows_ScaleTheFactorToTheBit) {
  if (GetParam() == Kind::kNone) return;
  for (const NamedMatrix& named : matrices()) {
    if ((named.a.diagonal().array() == 0).any()) continue;
    SCOPED_TRACE(named.name);
    const int size = static_cast<int>(named.a.rows());
    Random random(8);
    const VecX d =
        VecX::NullaryExpr(size, [&] { return std::ldexp(1, std::floor(random.uniform(-8, 8))); });
    const MatX inverse = inverseOf(*factored(settings(RowOrder::kRcm), named.a), size);
    const MatX scaled = inverseOf(
        *factored(settings(RowOrder::kRcm), d.asDiagonal() * named.a * d.asDiagonal()), size);
    EXPECT_EQ(MatX(d.asDiagonal() * scaled * d.asDiagonal()), inverse);
  }
}

TEST_P(Preconditioners, OneRow_IsSolvedExactly) {
  if (GetParam() == Kind::kNone) return;
  EXPECT_DOUBLE_EQ(inverseOf(*factored(settings(), MatX::Constant(1, 1, 8)), 1)(0, 0), 0.125);
}

TEST_P(Preconditioners, NoRows_DoNothing) {
  for (const RowOrder order : kOrders) {
    const auto m = factored(settings(order), MatX(0, 0));
    m->apply({}, {});
    EXPECT_EQ(m->statistics().rows, 0);
    EXPECT_EQ(m->statistics().fill, 0);
  }
  const std::vector<std::uint8_t> isOut(9, 1);
  const auto m = factored(settings(), laplacian(3), isOut);
  EXPECT_EQ(inverseOf(*m, 9), MatX::Zero(9, 9));
}

TEST_P(Preconditioners, EntriesThatAreNotFinite_LeaveAFinitePreconditioner) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const Real bad : {nan, infinity, -infinity, 1e300}) {
    for (const auto& [i, j] : {std::pair{0, 0}, {5, 5}, {15, 15}, {1, 0}, {9, 5}, {15, 14}}) {
      for (const Prescaling scaling :
           {Prescaling::kNone, Prescaling::kDiagonal, Prescaling::kColumnNorm}) {
        SCOPED_TRACE(std::to_string(bad) + " at " + std::to_string(i) + ", " + std::to_string(j));
        MatX a = laplacian(4);
        a(i, j) = a(j, i) = bad;
        PreconditionerSettings s = settings();
        s.prescaling = scaling;
        const auto m = factored(s, a);
        expectPositiveDefinite(inverseOf(*m, 16));
        if (std::isnan(bad) && (!isDiagonal() || (i == j && GetParam() == Kind::kJacobi))) {
          EXPECT_EQ(m->statistics().zeroPivots, 1);
        }
      }
    }
  }
}

TEST_P(Preconditioners, SecondFactorOfAPattern_IsTheSameAndAllocatesNothing) {
  for (const RowOrder order : kOrders) {
    const MatX a = delassus(loadedLadder(6, 1000, 1e-6));
    const int size = static_cast<int>(a.rows());
    const auto first = sparseFromDense(a);
    auto other = first;
    for (Real& value : other.value) value *= 1.5;
    const auto isOut = everyThirdOrSo(size, 4);
    const auto m = makePreconditioner(settings(order));
    m->factor(first.view());
    EXPECT_EQ(m->statistics().newPattern, !isDiagonal());
    const MatX expected = inverseOf(*m, size);
    m->factor(other.view(), isOut);
    const std::int64_t before = allocationCount();
    m->factor(other.view());
    m->factor(other.view(), isOut);
    m->factor(first.view());
    EXPECT_EQ(allocationCount(), before);
    EXPECT_FALSE(m->statistics().newPattern);
    EXPECT_EQ(inverseOf(*m, size), expected);
    // One entry more.
    MatX moved = a;
    for (int i = 1; i < size; ++i) {
      if (a(i, 0) != 0) continue;
      moved(i, 0) = moved(0, i) = 1e-3;
      break;
    }
    m->factor(sparseFromDense(moved).view());
    EXPECT_EQ(m->statistics().newPattern, !isDiagonal());
    EXPECT_EQ(inverseOf(*m, size), inverseOf(*factored(settings(order), moved), size));
  }
}

TEST_P(Preconditioners, FactorAfterABreakdown_RemembersNothingOfIt) {
  const MatX good = kershaw() + 10 * MatX::Identity(4, 4);
  const auto m = factored(settings(), kershaw());
  m->factor(sparseFromDense(good).view());
  EXPECT_EQ(inverseOf(*m, 4), inverseOf(*factored(settings(), good), 4));
  EXPECT_EQ(m->statistics().shifts, 0);
  EXPECT_EQ(m->statistics().negativePivots, 0);
}

TEST_P(Preconditioners, PatternWithAsManyEntriesElsewhere_IsNew) {
  MatX one = 2 * MatX::Identity(3, 3), other = one;
  one(1, 0) = one(0, 1) = other(2, 0) = other(0, 2) = 1;
  const auto m = factored(settings(), one);
  m->factor(sparseFromDense(other).view());
  EXPECT_EQ(m->statistics().newPattern, !isDiagonal());
  EXPECT_EQ(inverseOf(*m, 3), inverseOf(*factored(settings(), other), 3));
}

// M of the renumbered matrix is M renumbered where an order does not matter: without fill to
// drop.
TEST_P(Preconditioners, RenumberedRows_RenumberAnExactFactor) {
  Random random(9);
  std::vector<int> label(24);
  std::iota(label.begin(), label.end(), 0);
  for (int i = 23; i > 0; --i)
    std::swap(label[i], label[static_cast<int>((i + 1) * random.uniform())]);
  const MatX a = tridiagonal(24);
  for (const RowOrder order : {RowOrder::kRcm, RowOrder::kAmd}) {
    const MatX inverse = inverseOf(*factored(settings(order), a), 24);
    const MatX renumbered = inverseOf(*factored(settings(order), a(label, label)), 24);
    EXPECT_LT((renumbered - inverse(label, label)).cwiseAbs().maxCoeff(), 1e-12);
    if (!isDiagonal()) {
      EXPECT_LT((inverse * a - MatX::Identity(24, 24)).norm(), 1e-12);
    }
  }
}

TEST(SymmetricSparse, LowerTriangleOfABlockMatrix_HasTheEntriesOfItsRows) {
  AssemblyWorkspace workspace;
  BlockSparseMatrix blocks;
  const StoredProblem stored = pileWithJoints(FrictionModel::kCone, 0.5, 1);
  assembleDelassus(stored.view(), workspace, blocks);
  const MatX a = blocks.toDense();
  SymmetricSparseStorage storage;
  lowerTriangle(blocks, {}, storage);
  EXPECT_EQ(denseFromSparse(storage.view()), a);
  const auto isOut = everyThirdOrSo(blocks.size(), 5);
  std::vector<int> in;
  for (int i = 0; i < blocks.size(); ++i) {
    if (!isOut[i]) in.push_back(i);
  }
  lowerTriangle(blocks, isOut, storage);
  EXPECT_EQ(denseFromSparse(storage.view()), MatX(a(in, in)));
  const std::vector<Real> x(in.size(), 1.0);
  std::vector<Real> y(in.size());
  multiply(storage.view(), x, y);
  const VecX expected = a(in, in) * VecX::Ones(static_cast<Eigen::Index>(in.size()));
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-13);
}

TEST(PreconditionerSettings, Kinds_AreNamedInOrder) {
  class Names : public SettingVisitor {
   public:
    void real(const SettingInfo&, Real&, Real, Real) override {}
    void integer(const SettingInfo&, int&, int, int) override {}
    void boolean(const SettingInfo&, bool&) override {}
    void choice(const SettingInfo& info, int& value,
                std::span<const std::string_view> names) override {
      text += std::string(info.name) + "=" + std::string(names[value]) + " ";
    }
    std::string text;
  } names;
  PreconditionerSettings settings;
  settings.kind = Kind::kIc0PartialShift;
  settings.visit(names);
  EXPECT_EQ(names.text, "preconditioner=ic0-partial-shift ");
}

}  // namespace
}  // namespace drystone::test
