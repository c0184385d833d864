#include "collision/narrow/heightfield_surface.h"

#include <algorithm>
#include <cmath>

namespace drystone::narrow {

HeightfieldSurface::HeightfieldSurface(std::shared_ptr<const HeightfieldData> data)
    : data_(std::move(data)), cellsX_(data_->columns - 1), cellsY_(data_->rows - 1) {}

Vec3 HeightfieldSurface::sample(int column, int row) const {
  return {(column - 0.5 * cellsX_) * data_->spacingX, (row - 0.5 * cellsY_) * data_->spacingY,
          data_->heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(data_->columns) +
                         static_cast<std::size_t>(column)]};
}

std::array<Vec3, 3> HeightfieldSurface::corners(int triangle) const {
  const int cell = triangle / 2, column = cell % cellsX_, row = cell / cellsX_;
  const Vec3 low = sample(column, row), high = sample(column + 1, row + 1);
  if (triangle % 2 == 0) return {low, sample(column + 1, row), high};
  return {low, high, sample(column, row + 1)};
}

std::optional<Vec3> HeightfieldSurface::normalBeyond(int triangle, int edge) const {
  const int cell = triangle / 2, column = cell % cellsX_, row = cell / cellsX_;
  const auto upper = [](int c) { return 2 * c + 1; };
  const auto lower = [](int c) { return 2 * c; };
  int neighbor = -1;
  if (triangle % 2 == 0) {
    if (edge == 0 && row > 0) neighbor = upper(cell - cellsX_);
    if (edge == 1 && column + 1 < cellsX_) neighbor = upper(cell + 1);
    if (edge == 2) neighbor = upper(cell);
  } else {
    if (edge == 0) neighbor = lower(cell);
    if (edge == 1 && row + 1 < cellsY_) neighbor = lower(cell + cellsX_);
    if (edge == 2 && column > 0) neighbor = lower(cell - 1);
  }
  if (neighbor < 0) return std::nullopt;
  return triangleNormal(corners(neighbor));
}

void HeightfieldSurface::cellRange(int axis, Real low, Real high, int& first, int& last) const {
  const int cells = axis == 0 ? cellsX_ : cellsY_;
  const Real spacing = axis == 0 ? data_->spacingX : data_->spacingY;
  const auto cellAt = [&](Real x) {
    return static_cast<int>(
        std::floor(std::clamp(x / spacing + 0.5 * cells, Real(-1), static_cast<Real>(cells))));
  };
  first = std::max(0, cellAt(low));
  last = std::min(cells - 1, cellAt(high));
}

void HeightfieldSurface::addCell(int column, int row, Real low, Real high,
                                 std::vector<int>& out) const {
  const int first = 2 * (row * cellsX_ + column);
  for (int triangle = first; triangle < first + 2; ++triangle) {
    const std::array<Vec3, 3> c = corners(triangle);
    const Real bottom = std::min({c[0].z(), c[1].z(), c[2].z()});
    const Real top = std::max({c[0].z(), c[1].z(), c[2].z()});
    if (bottom <= high && top >= low) out.push_back(triangle);
  }
}

void HeightfieldSurface::trianglesIn(const Bounds& box, std::vector<int>& out) const {
  out.clear();
  int firstX = 0, lastX = 0, firstY = 0, lastY = 0;
  cellRange(0, box.lower.x(), box.upper.x(), firstX, lastX);
  cellRange(1, box.lower.y(), box.upper.y(), firstY, lastY);
  for (int row = firstY; row <= lastY; ++row) {
    for (int column = firstX; column <= lastX; ++column) {
      addCell(column, row, box.lower.z(), box.upper.z(), out);
    }
  }
}

void HeightfieldSurface::trianglesOn(const Vec3& from, const Vec3& to,
                                     std::vector<int>& out) const {
  out.clear();
  const Vec3 d = to - from;
  int firstY = 0, lastY = 0;
  cellRange(1, std::min(from.y(), to.y()), std::max(from.y(), to.y()), firstY, lastY);
  for (int row = firstY; row <= lastY; ++row) {
    // The stretch of the segment over this row of cells, a little longer than it needs to be.
    Real enter = 0, leave = 1;
    if (d.y() != 0) {
      const Real a = (sample(0, row).y() - from.y()) / d.y();
      const Real b = (sample(0, row + 1).y() - from.y()) / d.y();
      enter = std::clamp(std::min(a, b) - 1e-9, Real(0), Real(1));
      leave = std::clamp(std::max(a, b) + 1e-9, Real(0), Real(1));
    }
    const Vec3 p = from + enter * d, q = from + leave * d;
    int firstX = 0, lastX = 0;
    cellRange(0, std::min(p.x(), q.x()), std::max(p.x(), q.x()), firstX, lastX);
    for (int column = firstX; column <= lastX; ++column) {
      addCell(column, row, std::min(p.z(), q.z()), std::max(p.z(), q.z()), out);
    }
  }
}

Bounds HeightfieldSurface::bounds() const {
  const auto [low, high] = std::minmax_element(data_->heights.begin(), data_->heights.end());
  const Vec3 first = sample(0, 0), last = sample(cellsX_, cellsY_);
  return {{first.x(), first.y(), *low}, {last.x(), last.y(), *high}};
}

}  // namespace drystone::narrow
