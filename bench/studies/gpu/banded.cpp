// Litven 2013, §5.3 and figures 5.3 and 6.2: factor, block substitution and symmetric product of
// band matrices on a device, beside LAPACK's factor and the block substitution of the processor.
#include <algorithm>

#include "bench/studies/gpu/studies.h"
#include "bench/studies/staggered/study.h"
#include "gpu/device_staggered_solver.h"

namespace drystone::bench {
namespace {

struct Case {
  int size, bandwidth;
};
/// The band of the thesis at three sizes, and narrower ones.
constexpr Case kCases[] = {{2000, 1000}, {4000, 1000}, {8000, 1000},
                           {8000, 300},  {8000, 100},  {8000, 32}};
constexpr int kRightSides[] = {1, 10, 100};
constexpr std::uint64_t kSeed = 2;

/// Least wall-clock time [ms] of so many runs after one that warms up; `before` is not timed.
template <class Before, class Work>
Real leastTime(int repeats, Before&& before, Work&& work) {
  Real least = kInfinity;
  for (int i = 0; i <= repeats; ++i) {
    before();
    const Timer timer;
    work();
    if (i > 0) least = std::min<Real>(least, timer.milliseconds());
  }
  return least;
}

class BandRace {
 public:
  BandRace(const Case& shape, int repeats, Random& random)
      : repeats_(repeats), band_(shape.size, shape.bandwidth, random) {}

  Real factorTime(BandFactor& factor) const {
    return leastTime(
        repeats_, [&] { band_.copyTo(factor); }, [&] { factor.factor(); });
  }
  /// Leaves the solutions in `x`.
  Real solveTime(BandFactor& factor, const std::vector<Real>& right, std::vector<Real>& x,
                 int count) const {
    return leastTime(
        repeats_, [&] { x = right; }, [&] { factor.solveMany(x, count, 1); });
  }
  Real productTime(gpu::DeviceBand& band, const std::vector<Real>& x, std::vector<Real>& y,
                   int count) const {
    y.resize(x.size());
    return leastTime(
        repeats_, [] {}, [&] { band.multiply(x, y, count); });
  }

 private:
  int repeats_;
  RandomBand band_;
};

Real largestDifference(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

void studyBanded(const GpuOptions& options) {
  fmt::print(
      "## Band matrices, double, copies included\n\n"
      "| size | bandwidth | factor ms: one thread | device | times | right-hand sides | solve ms: "
      "one thread | device | times | product ms | largest residual |\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "banded",
              "size,bandwidth,cpu_factor_ms,factor_ms,right_sides,cpu_solve_ms,solve_ms,product_ms,"
              "residual");
  Random random(kSeed);
  for (const Case& shape : kCases) {
    const BandRace race(shape, options.repeats, random);
    BandedCholesky processor;
    gpu::DeviceBand device;
    const Real cpuFactor = race.factorTime(processor), factor = race.factorTime(device);
    for (const int count : kRightSides) {
      std::vector<Real> right(static_cast<std::size_t>(shape.size) * count), x, product;
      for (Real& entry : right) entry = random.uniform(-1, 1);
      const Real cpuSolve = race.solveTime(processor, right, x, count);
      const Real solve = race.solveTime(device, right, x, count);
      const Real multiply = race.productTime(device, x, product, count);
      const Real residual = largestDifference(product, right);
      printRow(
          "| {} | {} | {:.2f} | {:.2f} | {:.1f} | {} | {:.2f} | {:.2f} | {:.1f} | {:.2f} | {:.1e} "
          "|\n",
          shape.size, shape.bandwidth, cpuFactor, factor, cpuFactor / factor, count, cpuSolve,
          solve, cpuSolve / solve, multiply, residual);
      csv.row(shape.size, shape.bandwidth, cpuFactor, factor, count, cpuSolve, solve, multiply,
              residual);
    }
  }
  fmt::print(
      "\nWall clock. The residual is that of the device's solutions, |H X − B|, |B| ≤ 1.\n\n");
}

}  // namespace drystone::bench
