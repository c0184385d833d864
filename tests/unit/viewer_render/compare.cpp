#include "tests/unit/viewer_render/compare.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace drystone::viewer::test {
namespace {

constexpr int kCell = 4;         // [pixels]
constexpr double kOff = 16;      // of 255: plain to see
constexpr double kMostMean = 1;  // of 255
constexpr double kMostShare = 0.005;

/// Mean of a channel over a cell.
double cellMean(const Image& image, int column, int row, int channel) {
  int sum = 0;
  for (int y = kCell * row; y < kCell * (row + 1); ++y) {
    for (int x = kCell * column; x < kCell * (column + 1); ++x) {
      sum += image.pixels[static_cast<std::size_t>(3 * (y * image.width + x) + channel)];
    }
  }
  return static_cast<double>(sum) / (kCell * kCell);
}

}  // namespace

Difference differenceOf(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) {
    throw std::invalid_argument("pictures of two sizes");
  }
  Difference difference;
  const int columns = a.width / kCell, rows = a.height / kCell;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      double worst = 0;
      for (int channel = 0; channel < 3; ++channel) {
        const double off =
            std::abs(cellMean(a, column, row, channel) - cellMean(b, column, row, channel));
        difference.mean += off / (3.0 * columns * rows);
        worst = std::max(worst, off);
      }
      if (worst > kOff) difference.shareOff += 1.0 / (columns * rows);
    }
  }
  return difference;
}

bool looksTheSame(const Difference& difference) {
  return difference.mean <= kMostMean && difference.shareOff <= kMostShare;
}

}  // namespace drystone::viewer::test
