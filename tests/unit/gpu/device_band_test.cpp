// Band matrices on a device: LAPACK's factor and solves, and `staggered` with them.
#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "gpu/device_staggered_solver.h"
#include "solvers/problem/problem_ops.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/sweeps.h"
#include "tests/unit/gpu/targets.h"

extern "C" {
void dpbtrf_(const char* uplo, const int* n, const int* bandwidth, double* band, const int* leading,
             int* info, std::size_t uploLength);
void dpbtrs_(const char* uplo, const int* n, const int* bandwidth, const int* count,
             const double* band, const int* leading, double* right, const int* rightLeading,
             int* info, std::size_t uploLength);
}

namespace drystone {
namespace {

using gpu::DeviceBand;
using gpu::DeviceStaggeredSolver;
using test::relativeDifference;

/// A band matrix as LAPACK has it: the lower triangle column by column.
struct LapackBand {
  int size, bandwidth;
  std::vector<Real> values;

  LapackBand(int rows, int band)
      : size(rows), bandwidth(band), values(static_cast<std::size_t>(rows) * (band + 1)) {}
  Real& at(int row, int column) {
    return values[row + static_cast<std::size_t>(column) * bandwidth];
  }
  template <class Function>
  void forEach(Function&& function) {
    for (int j = 0; j < size; ++j) {
      for (int i = j; i < std::min(size, j + bandwidth + 1); ++i) function(i, j, at(i, j));
    }
  }
  void copyTo(DeviceBand& device) {
    const BandEntries entries = device.begin(size, bandwidth);
    forEach([&](int i, int j, Real value) { entries.at(i, j) = value; });
  }
  /// 0, or the number of the row, counted from 1, whose pivot is not positive.
  int factor() {
    const int leading = bandwidth + 1;
    int info = 0;
    dpbtrf_("L", &size, &bandwidth, values.data(), &leading, &info, 1);
    return info;
  }
  void solve(std::vector<Real>& right, int count) const {
    const int leading = bandwidth + 1;
    int info = 0;
    dpbtrs_("L", &size, &bandwidth, &count, values.data(), &leading, right.data(), &size, &info, 1);
    EXPECT_EQ(info, 0);
  }
};

std::vector<Real> randomNumbers(Random& random, std::size_t count) {
  std::vector<Real> numbers(count);
  for (Real& number : numbers) number = random.uniform(-1, 1);
  return numbers;
}

/// Positive definite: on the diagonal `share` of what the rest of its row adds up to, and 1.
LapackBand randomBand(Random& random, int size, int bandwidth, Real share = 1) {
  LapackBand band(size, bandwidth);
  band.forEach([&](int i, int j, Real& value) { value = i == j ? 1 : random.uniform(-1, 1); });
  std::vector<Real> sums(size);
  band.forEach([&](int i, int j, Real value) {
    if (i == j) return;
    sums[i] += std::abs(value);
    sums[j] += std::abs(value);
  });
  for (int i = 0; i < size; ++i) band.at(i, i) += share * sums[i];
  return band;
}

/// Around the 32 rows of a tile and the 128 of a block, from diagonal to full.
struct Shape {
  int size, bandwidth;
};
constexpr Shape kShapes[] = {{1, 0},    {5, 4},     {31, 0},    {32, 31},   {33, 1},   {100, 7},
                             {127, 31}, {128, 32},  {129, 33},  {161, 160}, {200, 64}, {256, 100},
                             {300, 0},  {301, 129}, {397, 396}, {520, 211}};

class DeviceBands : public test::OnTarget {};

TEST_P(DeviceBands, Solutions_AreThoseOfLapack) {
  Random random(11);
  DeviceBand device(GetParam());
  for (const auto& [size, bandwidth] : kShapes) {
    LapackBand band = randomBand(random, size, bandwidth, 0.6);
    band.copyTo(device);
    ASSERT_TRUE(device.factor()) << size << " rows, band " << bandwidth;
    EXPECT_EQ(device.failedRow(), -1);
    ASSERT_EQ(band.factor(), 0);
    for (const int count : {1, 17, 32, 130}) {
      std::vector<Real> expected = randomNumbers(random, static_cast<std::size_t>(size) * count);
      std::vector<Real> x = expected;
      band.solve(expected, count);
      device.solveMany(x, count, 1);
      EXPECT_LE(relativeDifference(x, expected), 1e-12)
          << size << " rows, band " << bandwidth << ", " << count << " right-hand sides";
    }
  }
}

// What is asked for beyond the band of a full matrix is that matrix.
TEST_P(DeviceBands, ABandWiderThanTheMatrix_IsTheWholeMatrix) {
  Random random(12);
  LapackBand full = randomBand(random, 40, 39);
  DeviceBand device(GetParam());
  const BandEntries entries = device.begin(40, 1000);
  full.forEach([&](int i, int j, Real value) { entries.at(i, j) = value; });
  ASSERT_TRUE(device.factor());
  std::vector<Real> expected = randomNumbers(random, 80), x = expected;
  ASSERT_EQ(full.factor(), 0);
  full.solve(expected, 2);
  device.solveMany(x, 2, 1);
  EXPECT_LE(relativeDifference(x, expected), 1e-12);
}

// Before the factor and after it, which leaves H as it is.
TEST_P(DeviceBands, Product_IsThatOfTheSymmetricMatrix) {
  Random random(13);
  DeviceBand device(GetParam());
  for (const auto& [size, bandwidth] : kShapes) {
    LapackBand band = randomBand(random, size, bandwidth);
    band.copyTo(device);
    for (const int count : {17, 130, 1}) {
      const std::size_t numbers = static_cast<std::size_t>(size) * count;
      const std::vector<Real> x = randomNumbers(random, numbers);
      std::vector<Real> expected(numbers), product(numbers);
      for (int k = 0; k < count; ++k) {
        const std::size_t first = static_cast<std::size_t>(k) * size;
        band.forEach([&](int i, int j, Real value) {
          expected[first + i] += value * x[first + j];
          if (i != j) expected[first + j] += value * x[first + i];
        });
      }
      device.multiply(x, product, count);
      EXPECT_LE(relativeDifference(product, expected), 1e-13)
          << size << " rows, band " << bandwidth << ", " << count << " right-hand sides";
    }
    ASSERT_TRUE(device.factor());
  }
}

// In the first tile, at its end, in a later one, in a later block, and in the last row.
TEST_P(DeviceBands, MatrixThatIsNotPositiveDefinite_IsRefusedWithTheRow) {
  Random random(14);
  DeviceBand device(GetParam());
  for (const int row : {0, 1, 31, 32, 77, 140, 299}) {
    LapackBand band = randomBand(random, 300, 50);
    band.at(row, row) = -1;
    band.copyTo(device);
    EXPECT_FALSE(device.factor());
    EXPECT_EQ(device.failedRow() + 1, band.factor());
    EXPECT_EQ(device.failedRow(), row);
  }
  // What came before leaves nothing behind.
  LapackBand band = randomBand(random, 300, 50);
  band.copyTo(device);
  EXPECT_TRUE(device.factor());
  EXPECT_EQ(device.failedRow(), -1);
}

// v vᵀ has rank one: what is left of the second pivot is round-off.
TEST_P(DeviceBands, SingularMatrix_IsRefused) {
  for (const Real shift : {0.0, 1e-15}) {
    DeviceBand device(GetParam());
    const BandEntries entries = device.begin(4, 3);
    for (int j = 0; j < 4; ++j) {
      for (int i = j; i < 4; ++i) {
        entries.at(i, j) = (i + 1.0) * (j + 1.0) + (i == j ? shift : 0);
      }
    }
    EXPECT_FALSE(device.factor());
    EXPECT_EQ(device.failedRow(), 1);
  }
}

TEST_P(DeviceBands, TheSameMatrix_GivesTheSameBitsWhateverCameBefore) {
  Random random(15);
  LapackBand band = randomBand(random, 333, 90);
  const std::vector<Real> right = randomNumbers(random, 333 * 20);
  DeviceBand fresh(GetParam()), used(GetParam());
  LapackBand larger = randomBand(random, 700, 200);
  larger.copyTo(used);
  ASSERT_TRUE(used.factor());
  std::vector<Real> others = randomNumbers(random, 700 * 20);
  used.solveMany(others, 20, 1);
  std::vector<Real> solutions[2];
  for (int k = 0; k < 2; ++k) {
    DeviceBand& device = k == 0 ? fresh : used;
    band.copyTo(device);
    ASSERT_TRUE(device.factor());
    solutions[k] = right;
    device.solveMany(solutions[k], 20, 1);
  }
  EXPECT_EQ(solutions[0], solutions[1]);
  DeviceBand forwards(gpu::Target::kHost);
  band.copyTo(forwards);
  ASSERT_TRUE(forwards.factor());
  std::vector<Real> x = right;
  forwards.solveMany(x, 20, 1);
  EXPECT_EQ(x, solutions[0]);
}

/// The answer of `staggered` with bands on the processor, and of `gpu-staggered`.
struct BothAnswers {
  test::Answer processor, device;

  BothAnswers(const StoredProblem& problem, gpu::Target target) {
    StaggeredSolver staggered;
    DeviceStaggeredSolver onDevice(target);
    staggered.settings.factor = StaggeredFactor::kBanded;
    processor = test::solve(staggered, problem, {.tolerance = 1e-9});
    device = test::solve(onDevice, problem, {.tolerance = 1e-9});
  }
};

// Redundant contacts share a load in many ways, and K_0 is singular but for its proximal term: what
// the impulses do is the same.
TEST_P(DeviceBands, Staggered_EndsAsOnTheProcessor) {
  for (const FrictionModel model :
       {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid, FrictionModel::kDiamond,
        FrictionModel::kCone}) {
    for (const StoredProblem& body :
         {test::boxStack(model, {1, 2, 3, 4, 5}, 0.5), test::randomPile(model, 3, 3, 3, 0.5, 2),
          test::pileWithJoints(model, 0.5, 2)}) {
      for (const StoredProblem& problem : {body, test::assembled(body)}) {
        const auto [processor, device] = BothAnswers(problem, GetParam());
        EXPECT_EQ(device.report.status, processor.report.status) << frictionModelName(model);
        EXPECT_EQ(device.report.status, SolveStatus::kConverged) << frictionModelName(model);
        EXPECT_LE(device.judge.naturalMap, 1e-9);
        const std::size_t rows = problem.b.size();
        std::vector<Real> difference(rows), w(rows);
        for (std::size_t i = 0; i < rows; ++i) {
          difference[i] = device.lambda[i] - processor.lambda[i];
        }
        std::vector<Vec6> bodyVelocity(problem.bodies.size());
        StoredProblem still = problem;
        std::fill(still.b.begin(), still.b.end(), 0);
        constraintVelocity(still.view(), difference, bodyVelocity, w);
        EXPECT_LE(test::largestOf(w), 1e-6 * test::largestOf(problem.b));
      }
    }
  }
}

// Where impulses are unique, by the same rounds. Newton steps between them leave what the factors
// round differently, times the condition of A.
TEST_P(DeviceBands, Staggered_TakesTheRoundsOfTheProcessor) {
  for (const FrictionModel model : {FrictionModel::kNone, FrictionModel::kCone}) {
    const StoredProblem problem = test::randomPile(model, 4, 4, 3, 0.5, 2);
    const auto [processor, device] = BothAnswers(problem, GetParam());
    EXPECT_EQ(device.report.iterations, processor.report.iterations);
    EXPECT_EQ(device.report.factorizations, processor.report.factorizations);
    EXPECT_LE(relativeDifference(device.lambda, processor.lambda), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceBands, test::everyTarget(), test::targetName);

}  // namespace
}  // namespace drystone
