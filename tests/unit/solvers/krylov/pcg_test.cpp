#include "solvers/krylov/pcg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/allocation_counter.h"
#include "tests/support/matrices.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

using Kind = PreconditionerKind;

std::span<Real> all(VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::span<const Real> all(const VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

std::unique_ptr<Preconditioner> preconditioner(Kind kind, const MatX& a,
                                               std::span<const std::uint8_t> isOut = {}) {
  PreconditionerSettings settings;
  settings.kind = kind;
  return factored(settings, a, isOut);
}

/// Solves A x = b and counts the products.
struct Solve {
  PcgOutcome outcome;
  VecX x;
  int products = 0;
};
Solve solve(const MatX& a, const VecX& b, const Preconditioner& m, PcgLimits limits,
            const VecX& start = {}, std::span<const std::uint8_t> isOut = {}) {
  Solve result;
  result.x = start.size() > 0 ? start : VecX(VecX::Zero(b.size()));
  const SymmetricSparseStorage sparse = sparseFromDense(a);
  const auto product = [&](std::span<const Real> x, std::span<Real> y) {
    ++result.products;
    multiply(sparse.view(), x, y);
  };
  Pcg pcg;
  result.outcome = pcg.solve(product, m, all(b), isOut, limits, all(result.x));
  return result;
}

// Conjugate gradients end after as many steps as the matrix has different eigenvalues.
TEST(Pcg, FourEigenvalues_TakeFourIterations) {
  const VecX eigenvalues = VecX::NullaryExpr(40, [](Eigen::Index i) { return 1.0 + i % 4; });
  const MatX a = eigenvalues.asDiagonal();
  const auto m = preconditioner(Kind::kNone, a);
  const Solve result = solve(a, VecX::Ones(40), *m, {.tolerance = 1e-12});
  EXPECT_TRUE(result.outcome.converged());
  EXPECT_EQ(result.outcome.iterations, 4);
  // One product an iteration, and b − A x at the start and at the end.
  EXPECT_EQ(result.products, 6);
  EXPECT_LT((result.x - eigenvalues.cwiseInverse()).norm(), 1e-13);
}

TEST(Pcg, ExactPreconditioner_TakesOneIteration) {
  const MatX a = tridiagonal(50);
  const auto m = preconditioner(Kind::kIc0, a);
  const Solve result = solve(a, VecX::Ones(50), *m, {.tolerance = 1e-11});
  EXPECT_TRUE(result.outcome.converged());
  EXPECT_EQ(result.outcome.iterations, 1);
  // x_i = i (n + 1 − i)/2.
  for (int i = 0; i < 50; ++i) EXPECT_NEAR(result.x[i], 0.5 * (i + 1) * (50 - i), 1e-10);
}

// ‖x − x_k‖_A ≤ 2 ‖x − x_0‖_A ((√κ − 1)/(√κ + 1))^k; κ of the Laplacian is cot²(π/(2 (side + 1))).
TEST(Pcg, Laplacian_ConvergesWithinTheBoundOfItsCondition) {
  constexpr int kSide = 15;
  const MatX a = laplacian(kSide);
  const VecX b = VecX::NullaryExpr(kSide * kSide, [](Eigen::Index i) { return std::sin(i * i); });
  const VecX exact = solveDense(a, b);
  const auto m = preconditioner(Kind::kNone, a);
  const Real root = 1 / std::tan(M_PI / (2 * (kSide + 1)));
  for (const int iterations : {5, 10, 20, 30}) {
    const Solve result = solve(a, b, *m, {.tolerance = 0, .maxIterations = iterations});
    EXPECT_EQ(result.outcome.status, PcgStatus::kIterationLimit);
    EXPECT_EQ(result.outcome.iterations, iterations);
    const auto energy = [&](const VecX& e) { return std::sqrt(e.dot(a * e)); };
    EXPECT_LT(energy(exact - result.x),
              2 * energy(exact) * std::pow((root - 1) / (root + 1), iterations));
    EXPECT_NEAR(result.outcome.residual, (b - a * result.x).norm(), 1e-12);
  }
}

/// Iterations of every kind to 1e-6 ‖b‖, 1000 at most; x is smooth but for its sign.
std::vector<int> iterationsByKind(const MatX& a) {
  const VecX x =
      VecX::NullaryExpr(a.rows(), [](Eigen::Index i) { return std::sin(3.0 * i * i) + 1; });
  const VecX b = a * x;
  std::vector<int> iterations;
  for (int kind = 0; kind <= static_cast<int>(Kind::kIc0Imaginary); ++kind) {
    PreconditionerSettings settings;
    settings.kind = static_cast<Kind>(kind);
    const Solve result =
        solve(a, b, *factored(settings, a), {.tolerance = 1e-6 * b.norm(), .maxIterations = 1000});
    EXPECT_EQ(result.outcome.converged(), result.outcome.iterations < 1000);
    iterations.push_back(result.outcome.iterations);
    ::testing::Test::RecordProperty("kind_" + std::to_string(kind), iterations.back());
  }
  return iterations;
}
int of(Kind kind, const std::vector<int>& iterations) { return iterations[static_cast<int>(kind)]; }

// Joints of a chain with rungs under a load of 1000 kg: condition 3.5e7. What is dropped is little.
TEST(Pcg, LoadedLadder_TakesFewIterationsWithAnyIncompleteFactor) {
  const auto iterations = iterationsByKind(delassus(loadedLadder(60, 1000, 1e-6)));
  const int jacobi = of(Kind::kJacobi, iterations);
  EXPECT_LT(jacobi, of(Kind::kNone, iterations));
  for (const Kind kind :
       {Kind::kIc0, Kind::kIc0Shift, Kind::kIc0PartialShift, Kind::kIct, Kind::kIc0Imaginary}) {
    EXPECT_LT(3 * of(kind, iterations), jacobi) << static_cast<int>(kind);
  }
}

// Contacts of a pile with all their rows free: a factor without a shift is worse than none.
TEST(Pcg, FreePile_TakesFewIterationsWithAShiftedFactor) {
  StoredProblem pile = randomPile(FrictionModel::kCone, 5, 5, 5, 0.5, 1);
  pile.compliance.assign(pile.b.size(), 1e-6);
  const auto iterations = iterationsByKind(delassus(pile));
  const int jacobi = of(Kind::kJacobi, iterations);
  EXPECT_LT(jacobi, of(Kind::kNone, iterations));
  EXPECT_LT(2 * of(Kind::kIc0Shift, iterations), jacobi);
  EXPECT_LT(2 * of(Kind::kIct, iterations), jacobi);
  EXPECT_GT(of(Kind::kIc0, iterations), jacobi);
  EXPECT_GT(of(Kind::kIc0Imaginary, iterations), jacobi);
}

TEST(Pcg, WarmStart_EndsWhereColdDoes) {
  const MatX a = laplacian(6);
  const VecX b = VecX::LinSpaced(36, -1, 2), exact = solveDense(a, b);
  const auto m = preconditioner(Kind::kIc0, a);
  const Solve warm = solve(a, b, *m, {.tolerance = 1e-12}, VecX::Constant(36, 3));
  EXPECT_TRUE(warm.outcome.converged());
  EXPECT_LT((warm.x - exact).norm(), 1e-11);
  const Solve solved = solve(a, b, *m, {.tolerance = 1e-11}, exact);
  EXPECT_EQ(solved.outcome.iterations, 0);
  EXPECT_EQ(solved.x, exact);
}

TEST(Pcg, RowsThatAreOut_StayAndActOnTheRest) {
  const MatX a = laplacian(6);
  const VecX b = VecX::LinSpaced(36, -1, 2);
  std::vector<std::uint8_t> isOut(36, 0);
  std::vector<int> in, out;
  for (int i = 0; i < 36; ++i) {
    isOut[i] = i % 5 == 2 ? 1 : 0;
    (isOut[i] ? out : in).push_back(i);
  }
  const VecX start = VecX::Constant(36, 0.7);
  const VecX expected = solveDense(a(in, in), b(in) - a(in, out) * start(out));
  // By the factor of these rows, by that of all, and by one of other rows.
  std::vector<std::uint8_t> others(36, 0);
  std::fill(others.begin(), others.begin() + 9, 1);
  int iterations[3];
  int trial = 0;
  for (const auto& made : {isOut, {}, others}) {
    const auto m = preconditioner(Kind::kIc0Imaginary, a, made);
    const Solve result = solve(a, b, *m, {.tolerance = 1e-12}, start, isOut);
    EXPECT_TRUE(result.outcome.converged());
    EXPECT_LT((result.x(in) - expected).norm(), 1e-11);
    EXPECT_EQ(VecX(result.x(out)), VecX(start(out)));
    EXPECT_LT(result.outcome.residual, 1e-12);
    iterations[trial++] = result.outcome.iterations;
  }
  EXPECT_LE(iterations[0], iterations[1]);
  EXPECT_LT(iterations[1], iterations[2]);
}

// What is left of the factor of all rows serves for a while, and better than the block of its
// inverse, which leaves the rows that are out free to move.
TEST(Pcg, StruckFactor_IsBetweenThatOfItsRowsAndTheBlockOfTheInverse) {
  class InverseBlock : public Preconditioner {
   public:
    explicit InverseBlock(const Preconditioner& whole) : whole_(whole) {}
    void applyMasked(std::span<const std::uint8_t> isOut, std::span<const Real> r,
                     std::span<Real> z) const override {
      std::vector<Real> in(r.begin(), r.end());
      for (std::size_t i = 0; i < in.size(); ++i) in[i] *= isOut[i] ? 0 : 1;
      whole_.apply(in, z);
      for (std::size_t i = 0; i < in.size(); ++i) z[i] *= isOut[i] ? 0 : 1;
    }

   private:
    void make(const SymmetricSparse&, std::span<const std::uint8_t>) override {}
    const Preconditioner& whole_;
  };
  StoredProblem pile = randomPile(FrictionModel::kCone, 5, 5, 5, 0.5, 1);
  pile.compliance.assign(pile.b.size(), 1e-6);
  for (const MatX& a : {delassus(pile), delassus(loadedLadder(60, 1000, 1e-6))}) {
    const VecX b = a * VecX::LinSpaced(a.rows(), -1, 2);
    std::vector<std::uint8_t> isOut(b.size());
    for (std::size_t i = 7; i < isOut.size(); i += 20) isOut[i] = 1;
    const auto iterations = [&](const Preconditioner& m) {
      const Solve result = solve(a, b, m, {.tolerance = 1e-6 * b.norm()}, {}, isOut);
      EXPECT_TRUE(result.outcome.converged());
      return result.outcome.iterations;
    };
    const auto whole = preconditioner(Kind::kIc0Shift, a);
    const int own = iterations(*preconditioner(Kind::kIc0Shift, a, isOut));
    const int struck = iterations(*whole), block = iterations(InverseBlock(*whole));
    EXPECT_LT(own, struck);
    EXPECT_LT(struck, block);
    RecordProperty(
        "rows_" + std::to_string(a.rows()),
        std::to_string(own) + " " + std::to_string(struck) + " " + std::to_string(block));
  }
}

// Twelve rows at the corners of a box that has six coordinates: A has rank 6 and b is in its range.
TEST(Pcg, SingularConsistentSystem_IsSolved) {
  const StoredProblem problem = boxOnPlane(FrictionModel::kCone, 2, 0.5, 1);
  const MatX a = delassus(problem);
  const VecX b = -Eigen::Map<const VecX>(problem.b.data(), a.rows());
  for (const Kind kind : {Kind::kNone, Kind::kJacobi, Kind::kIc0, Kind::kIc0Imaginary,
                          Kind::kIc0Shift, Kind::kIc0PartialShift, Kind::kIct}) {
    const Solve result = solve(a, b, *preconditioner(kind, a), {.tolerance = 1e-10});
    EXPECT_TRUE(result.outcome.converged()) << static_cast<int>(kind);
    EXPECT_LT((a * result.x - b).norm(), 1e-10);
  }
}

// (1 0; 0 −1): the second direction bends down. The first component is on its way by then.
TEST(Pcg, IndefiniteMatrix_EndsAtNegativeCurvatureWithTheBestIterate) {
  MatX a = MatX::Identity(2, 2);
  a(1, 1) = -1;
  const auto m = preconditioner(Kind::kNone, a);
  VecX b(2);
  b << 1, 0.5;
  const Solve result = solve(a, b, *m, {.tolerance = 1e-12});
  EXPECT_EQ(result.outcome.status, PcgStatus::kNegativeCurvature);
  EXPECT_TRUE(result.x.allFinite());
  EXPECT_LE((a * result.x - b).norm(), b.norm());
  EXPECT_DOUBLE_EQ(result.outcome.residual, (a * result.x - b).norm());
  b << 0, 1;
  const Solve first = solve(a, b, *m, {.tolerance = 1e-12});
  EXPECT_EQ(first.outcome.status, PcgStatus::kNegativeCurvature);
  EXPECT_EQ(first.outcome.iterations, 0);
  EXPECT_EQ(first.x, VecX::Zero(2));
}

// b has a small part that no x reaches: the residual falls to it, and then the iterates run away.
TEST(Pcg, SystemWithoutASolution_KeepsTheBestIterate) {
  const MatX a = delassus(boxOnPlane(FrictionModel::kCone, 2, 0.5, 1));
  const VecX b = a * VecX::Ones(12) +
                 VecX::NullaryExpr(12, [](Eigen::Index i) { return 1e-3 * std::cos(i * i + 1.0); });
  const Real least = (b - a * leastSquares(a, b)).norm();
  ASSERT_GT(least, 1e-3);
  const Solve result =
      solve(a, b, *preconditioner(Kind::kJacobi, a), {.tolerance = 1e-9, .maxIterations = 200});
  EXPECT_FALSE(result.outcome.converged());
  EXPECT_TRUE(result.x.allFinite());
  EXPECT_LT(result.outcome.residual, 2 * least);
  EXPECT_NEAR(result.outcome.residual, (b - a * result.x).norm(), 1e-9);
}

// ‖b − A x‖ swings up and down on the way; an iterate is kept where it falls by a tenth.
TEST(Pcg, MoreIterations_NeverGiveAWorseAnswer) {
  const MatX a = delassus(loadedLadder(10, 1000, 1e-6));
  const VecX b = a * VecX::LinSpaced(a.rows(), -1, 2);
  const auto m = preconditioner(Kind::kNone, a);
  Real best = b.norm();
  for (int iterations = 1; iterations < 80; ++iterations) {
    const Solve result = solve(a, b, *m, {.tolerance = 1e-12, .maxIterations = iterations});
    EXPECT_LE(result.outcome.residual, best / 0.9);
    best = std::min(best, result.outcome.residual);
  }
}

TEST(Pcg, ToleranceBelowRoundOff_StallsThere) {
  const MatX a = laplacian(8);
  const auto m = preconditioner(Kind::kIc0, a);
  const Solve result = solve(a, VecX::Ones(64), *m, {.tolerance = 0});
  EXPECT_EQ(result.outcome.status, PcgStatus::kStalled);
  EXPECT_LT(result.outcome.residual, 1e-13);
  EXPECT_LT(result.outcome.iterations, 200);
}

TEST(Pcg, NumbersThatAreNotFinite_GiveAStatusAndAFiniteAnswer) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const MatX a = laplacian(3);
  const auto m = preconditioner(Kind::kIc0, a);
  VecX b = VecX::Ones(9);
  const VecX start = VecX::Constant(9, 0.3);
  b[4] = nan;
  MatX bad = a;
  bad(2, 2) = nan;
  MatX huge = 1e200 * a;
  for (const Solve& result :
       {solve(a, b, *m, {.tolerance = 1e-9}, start),
        solve(bad, VecX::Ones(9), *m, {.tolerance = 1e-9}, start),
        solve(huge, 1e300 * VecX::Ones(9), *m, {.tolerance = 1e-9}, start),
        solve(huge, 1e150 * VecX::Ones(9), *m, {.tolerance = 1e-9}, VecX::Zero(9))}) {
    EXPECT_EQ(result.outcome.status, PcgStatus::kNotFinite);
    EXPECT_TRUE(result.x == start || result.x == VecX::Zero(9));
  }
}

TEST(Pcg, PreconditionerThatIsNotPositive_IsSaid) {
  class Negative : public Preconditioner {
   public:
    void applyMasked(std::span<const std::uint8_t>, std::span<const Real> r,
                     std::span<Real> z) const override {
      for (std::size_t i = 0; i < r.size(); ++i) z[i] = -r[i];
    }

   private:
    void make(const SymmetricSparse&, std::span<const std::uint8_t>) override {}
  };
  const Solve result = solve(laplacian(3), VecX::Ones(9), Negative(), {.tolerance = 1e-9});
  EXPECT_EQ(result.outcome.status, PcgStatus::kIndefinitePreconditioner);
  EXPECT_EQ(result.x, VecX::Zero(9));
}

TEST(Pcg, ZeroRightHandSideAndNoRows_AreSolvedAtOnce) {
  const MatX a = laplacian(3);
  const Solve zero = solve(a, VecX::Zero(9), *preconditioner(Kind::kIc0, a), {.tolerance = 0});
  EXPECT_TRUE(zero.outcome.converged());
  EXPECT_EQ(zero.outcome.iterations, 0);
  const MatX none(0, 0);
  EXPECT_TRUE(solve(none, VecX(0), *preconditioner(Kind::kIc0, none), {}).outcome.converged());
  const std::vector<std::uint8_t> isOut(9, 1);
  const auto m = preconditioner(Kind::kIc0, a);
  EXPECT_TRUE(solve(a, VecX::Ones(9), *m, {}, VecX::Ones(9), isOut).outcome.converged());
}

TEST(Pcg, SolveAfterReserve_AllocatesNothing) {
  const SymmetricSparseStorage a = sparseFromDense(laplacian(8));
  const auto m = preconditioner(Kind::kIct, laplacian(8));
  const VecX b = VecX::Ones(64);
  VecX x = VecX::Zero(64);
  Pcg pcg;
  pcg.reserve(64);
  const std::int64_t before = allocationCount();
  const PcgOutcome outcome =
      pcg.solve([&](std::span<const Real> p, std::span<Real> q) { multiply(a.view(), p, q); }, *m,
                all(b), {}, {.tolerance = 1e-10}, all(x));
  EXPECT_EQ(allocationCount(), before);
  EXPECT_TRUE(outcome.converged());
  EXPECT_LT((laplacian(8) * x - b).norm(), 1e-10);
}

}  // namespace
}  // namespace drystone::test
