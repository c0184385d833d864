// A factor with tight rows taken out against a fresh factor of the free rows, on dense random
// matrices: Lefebvre 2020, figure 2.4.
#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <optional>

#include "bench/studies/direct/factors.h"
#include "bench/studies/direct/study.h"
#include "core/random.h"

namespace drystone::bench {
namespace {

constexpr int kSizes[] = {100, 200, 300, 400, 500, 600, 700, 800, 900, 1000};
constexpr int kShares[] = {1, 5, 10, 15, 20, 30, 50};  ///< tight [%]

/// B Bᵀ/n + 1, B uniform in (-1, 1): well conditioned.
MatX randomMatrix(int size, Random& random) {
  MatX factor(size, size);
  for (Real& value : factor.reshaped()) value = random.uniform(-1, 1);
  MatX matrix = factor * factor.transpose() / size;
  matrix.diagonal().array() += 1;
  return matrix;
}

/// One block that holds all of it.
BlockSparseMatrix oneBlock(const MatX& matrix) {
  BlockSparseMatrix block;
  const int size = static_cast<int>(matrix.rows());
  block.rowStart = {0, size};
  block.blockStart = {0, 1};
  block.blockColumn = {0};
  block.valueStart = {0, size * size};
  block.diagonal = {0};
  block.values.assign(matrix.data(), matrix.data() + matrix.size());
  return block;
}

std::vector<std::uint8_t> randomTight(int size, int count, Random& random) {
  std::vector<int> rows(size);
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<std::uint8_t> isOut(size, 0);
  for (int i = 0; i < count; ++i) {
    const int chosen = i + static_cast<int>(random.uniform() * (size - i));
    std::swap(rows[i], rows[chosen]);
    isOut[rows[i]] = 1;
  }
  return isOut;
}

MatX freePart(const MatX& matrix, std::span<const std::uint8_t> isOut) {
  std::vector<int> rows;
  for (int i = 0; i < matrix.rows(); ++i) {
    if (!isOut[i]) rows.push_back(i);
  }
  return matrix(rows, rows);
}

struct Ratios {
  Real blocked = 0, columns = 0;  ///< time of a fresh factor over that of copy and downdates
};

Ratios measure(const MatX& matrix, std::span<const std::uint8_t> isOut, int repeats) {
  const BlockSparseMatrix block = oneBlock(matrix);
  EnvelopeMatrix whole, fresh;
  whole.analyze(block, false);
  fresh.analyze(block, false);
  const std::vector<std::uint8_t> allIn(isOut.size(), 0);
  whole.factor(block, allIn);
  const std::vector<Real> values(whole.values().begin(), whole.values().end());
  Real checksum = 0;
  // In turn, so that a change of the machine's speed meets all three.
  double downdate = kInfinity, blocked = kInfinity, columns = kInfinity;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    downdate = std::min(downdate, leastTime(1, [&] {
                          whole.copyColumns(values, 0);
                          for (int i = 0; i < whole.size(); ++i) {
                            if (isOut[i]) whole.takeOut(i);
                          }
                        }));
    blocked = std::min(blocked, leastTime(1, [&] {
                         const Eigen::LLT<MatX> llt(freePart(matrix, isOut));
                         checksum += llt.matrixLLT()(0, 0);
                       }));
    columns = std::min(columns, leastTime(1, [&] { fresh.factor(block, isOut); }));
  }
  return {checksum > 0 ? blocked / downdate : 0, columns / downdate};
}

/// The share at which a falling ratio crosses 1, between the shares measured [%].
std::string crossing(std::span<const Real> ratios) {
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    if (ratios[i] >= 1) continue;
    if (i == 0) return fmt::format("< {}", kShares[0]);
    const Real part = (ratios[i - 1] - 1) / (ratios[i - 1] - ratios[i]);
    return fmt::format("{:.0f}", kShares[i - 1] + part * (kShares[i] - kShares[i - 1]));
  }
  return fmt::format("> {}", kShares[std::size(kShares) - 1]);
}

void printTable(const char* against, const std::vector<std::vector<Real>>& ratios) {
  fmt::print("Time of {} over that of a copy and downdates:\n\n| rows |", against);
  for (const int share : kShares) fmt::print(" {} % tight |", share);
  fmt::print(" equal at a share of % |\n|--:|");
  for (std::size_t i = 0; i <= std::size(kShares); ++i) fmt::print("--:|");
  fmt::print("\n");
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    fmt::print("| {} |", kSizes[i]);
    for (const Real ratio : ratios[i]) fmt::print(" {:.2f} |", ratio);
    printRow(" {} |\n", crossing(ratios[i]));
  }
  fmt::print("\n");
}

}  // namespace

void studyRandomMatrices(const StudyOptions& options) {
  fmt::print("## Random matrices (Lefebvre 2020, figure 2.4)\n\n");
  CsvFile csv(options, "random", "rows,tight_percent,blocked_ratio,columns_ratio");
  std::vector<std::vector<Real>> blocked, columns;
  Random random(1);
  for (const int size : kSizes) {
    const MatX matrix = randomMatrix(size, random);
    blocked.emplace_back();
    columns.emplace_back();
    for (const int share : kShares) {
      // Small ones are over in microseconds: more repeats until the least time is stable.
      const int repeats = options.repeats * std::max(1, 1000 / size);
      const Ratios ratios = measure(matrix, randomTight(size, size * share / 100, random), repeats);
      blocked.back().push_back(ratios.blocked);
      columns.back().push_back(ratios.columns);
      csv.row(size, share, ratios.blocked, ratios.columns);
    }
  }
  printTable("gathering A_FF and Eigen's blocked Cholesky factor", blocked);
  printTable("factoring the free columns one by one, with the loops of the downdate", columns);
  fmt::print("Published: a gain below 15 % tight rows, nearly the same for all sizes.\n\n");
}

}  // namespace drystone::bench
