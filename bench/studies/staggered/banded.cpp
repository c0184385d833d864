// Figure 5.3 of the thesis: the banded factor, and ten right-hand sides by blocks against column by
// column, against the size of the matrix.
#include <algorithm>
#include <array>

#include "bench/studies/staggered/study.h"

namespace drystone::bench {
namespace {

constexpr int kSizes = 8;
constexpr int kBandRightSides = 10;  // as published
constexpr std::uint64_t kBandSeed = 2;

struct BandTimes {
  double factorMs = kInfinity, firstBlockMs = kInfinity, blockMs = kInfinity, columnMs = kInfinity;
  Real difference = 0;  ///< largest, of the two solutions, over the largest entry
};

BandTimes measureBand(const RandomBand& band, std::span<const Real> right, int repeats) {
  BandTimes times;
  BandedCholesky matrix;
  std::vector<Real> blocks, columns;
  const auto keepLeast = [](double& least, const ProcessorTimer& timer) {
    least = std::min(least, static_cast<double>(timer.milliseconds()));
  };
  for (int repeat = 0; repeat < repeats; ++repeat) {
    band.copyTo(matrix);
    const ProcessorTimer factor;
    matrix.factor();
    keepLeast(times.factorMs, factor);
    // The first solve inverts the diagonal blocks.
    for (double* least : {&times.firstBlockMs, &times.blockMs}) {
      blocks.assign(right.begin(), right.end());
      const ProcessorTimer timer;
      matrix.solveMany(blocks, kBandRightSides, 1);
      keepLeast(*least, timer);
    }
    columns.assign(right.begin(), right.end());
    const ProcessorTimer timer;
    for (int k = 0; k < kBandRightSides; ++k) {
      matrix.solve(
          std::span<Real>(columns).subspan(static_cast<std::size_t>(k) * band.size(), band.size()));
    }
    keepLeast(times.columnMs, timer);
  }
  Real largestEntry = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    times.difference = std::max(times.difference, std::abs(blocks[i] - columns[i]));
    largestEntry = std::max(largestEntry, std::abs(columns[i]));
  }
  times.difference /= largestEntry;
  return times;
}

}  // namespace

void studyBanded(const StaggeredOptions& options) {
  fmt::print(
      "## Banded factor and solves (Litven 2013, figure 5.3)\n\n"
      "| size | bandwidth | factor ms | inverting the blocks | {} right-hand sides: by blocks ms | "
      "column by column ms | ratio | with the inversion | difference "
      "|\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      kBandRightSides);
  CsvFile csv(options, "banded", "size,bandwidth,factor_ms,invert_ms,block_ms,column_ms");
  Random random(kBandSeed);
  for (int k = 1; k <= kSizes; ++k) {
    const int size = std::max(static_cast<int>(std::int64_t{options.size} * k / kSizes), 1);
    const RandomBand band(size, options.bandwidth, random);
    std::vector<Real> right(static_cast<std::size_t>(size) * kBandRightSides);
    for (Real& entry : right) entry = random.uniform(-1, 1);
    const BandTimes times = measureBand(band, right, options.repeats);
    const double invertMs = std::max(times.firstBlockMs - times.blockMs, 0.0);
    printRow("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} × | {:.2f} × | {:.0e} |\n",
             size, band.bandwidth(), times.factorMs, invertMs, times.blockMs, times.columnMs,
             times.columnMs / times.blockMs, times.columnMs / times.firstBlockMs, times.difference);
    csv.row(size, band.bandwidth(), times.factorMs, invertMs, times.blockMs, times.columnMs);
  }
  fmt::print(
      "\nProcessor time, one thread. The blocks are inverted once a factor, with the first solve "
      "of several "
      "right-hand sides.\n\n");
}

}  // namespace drystone::bench
