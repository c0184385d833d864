#include "solids/solid_cells.h"

#include <algorithm>
#include <cstddef>

namespace drystone {
namespace {

using CornerValues = Eigen::Matrix<Real, 3, 8>;

/// Shape functions of the corners of a cell at the middles of its eight cubes, at ¼ and ¾.
struct CubeTable {
  using Column = Eigen::Matrix<Real, 8, 1>;
  using Gradients = Eigen::Matrix<Real, 8, 3>;
  std::array<Vec3, 8> middle;
  std::array<Column, 8> value;
  std::array<Gradients, 8> gradient;  ///< by the coordinates in cells

  CubeTable() {
    for (int q = 0; q < 8; ++q) {
      for (int a = 0; a < 3; ++a) middle[q][a] = (q >> a & 1) != 0 ? 0.75 : 0.25;
      for (int c = 0; c < 8; ++c) {
        Vec3 factor, slope;
        for (int a = 0; a < 3; ++a) {
          const bool isFar = (c >> a & 1) != 0;
          factor[a] = isFar ? middle[q][a] : 1 - middle[q][a];
          slope[a] = isFar ? 1 : -1;
        }
        value[q][c] = factor.prod();
        gradient[q].row(c) << slope[0] * factor[1] * factor[2], factor[0] * slope[1] * factor[2],
            factor[0] * factor[1] * slope[2];
      }
    }
  }
};

const CubeTable& cubes() {
  static const CubeTable table;
  return table;
}

/// Whether the body may lie in a cell: it touches a carrier, so that all its corners have values.
bool touchesCarrier(const CellFields& fields, int cell) {
  for (int c = 0; c < 8; ++c) {
    if (fields.nodes.kind(fields.grid.corner(cell, c)) == NodeKind::kCarrier) return true;
  }
  return false;
}

CornerValues atCorners(const SolidGrid& grid, std::span<const Vec3> field, int cell) {
  CornerValues values;
  for (int c = 0; c < 8; ++c) values.col(c) = field[grid.corner(cell, c)];
  return values;
}

}  // namespace

CellIntegrals::CellIntegrals(const SolidGrid& grid)
    : mass_(grid.nodeCount()),
      volume_(grid.nodeCount()),
      force_(grid.nodeCount()),
      rows_(std::size_t(grid.nodes[1]) * grid.nodes[2]) {}

CellTotals CellIntegrals::integrate(const CellFields& fields, int threads) {
  const SolidGrid& grid = fields.grid;
  const NodeBox& box = fields.nodes.box();
  forEachRow(box, threads, [&](int j, int k) {
    const int begin = grid.index(box.low[0], j, k), count = box.count(0);
    std::fill_n(mass_.begin() + begin, count, 0);
    std::fill_n(volume_.begin() + begin, count, 0);
    std::fill_n(force_.begin() + begin, count, Vec3::Zero());
  });
  forEachCellRow(box, threads, [&](int j, int k) {
    CellTotals totals;
    for (int i = box.low[0]; i < box.high[0]; ++i) {
      const int cell = grid.index(i, j, k);
      if (touchesCarrier(fields, cell)) integrateCell(fields, cell, totals);
    }
    rows_[j + grid.nodes[1] * k] = totals;
  });
  CellTotals sum;
  for (int k = box.low[2]; k < box.high[2]; ++k) {
    for (int j = box.low[1]; j < box.high[1]; ++j) {
      const CellTotals& row = rows_[j + grid.nodes[1] * k];
      sum.mass += row.mass;
      sum.elasticEnergy += row.elasticEnergy;
      sum.soundSquared = std::max(sum.soundSquared, row.soundSquared);
      sum.viscosity = std::max(sum.viscosity, row.viscosity);
      sum.strain = std::max(sum.strain, row.strain);
      sum.isInverted = sum.isInverted || row.isInverted;
    }
  }
  return sum;
}

void CellIntegrals::integrateCell(const CellFields& fields, int cell, CellTotals& totals) {
  const SolidGrid& grid = fields.grid;
  const CornerValues reference = atCorners(grid, fields.reference, cell);
  const CornerValues velocity = atCorners(grid, fields.velocity, cell);
  const Real width = 0.5 * grid.spacing, volume = width * width * width;
  for (int q = 0; q < 8; ++q) {
    const CubeTable::Column& value = cubes().value[q];
    const CubeTable::Gradients slope = cubes().gradient[q] / grid.spacing;
    const Mat3 gradient = reference * slope;
    const Real share = shareInside(fields.shape, reference * value, gradient, width);
    if (share == 0) continue;
    const Real determinant = determinantOf(gradient);
    if (!(determinant > 0)) {
      totals.isInverted = true;
      continue;
    }
    const Real inside = share * volume, mass = fields.material.density * determinant * inside;
    const SolidStress stress = stressAt(fields.material, gradient, determinant, velocity * slope);
    totals.mass += mass;
    totals.elasticEnergy += inside * determinant * stress.energy;
    totals.soundSquared = std::max(totals.soundSquared, stress.soundSquared);
    totals.viscosity = std::max(totals.viscosity, stress.viscosity);
    totals.strain = std::max(totals.strain, stress.strain);
    const CornerValues force = (-inside * stress.cauchy) * slope.transpose();
    for (int c = 0; c < 8; ++c) {
      const int node = grid.corner(cell, c);
      mass_[node] += mass * value[c];
      volume_[node] += inside * value[c];
      force_[node] += force.col(c);
    }
  }
}

void listSurface(const CellFields& fields, std::vector<SolidSurfacePoint>& points) {
  const SolidGrid& grid = fields.grid;
  const NodeBox& box = fields.nodes.box();
  const Real width = 0.5 * grid.spacing;
  points.clear();
  for (int k = box.low[2]; k < box.high[2]; ++k) {
    for (int j = box.low[1]; j < box.high[1]; ++j) {
      for (int i = box.low[0]; i < box.high[0]; ++i) {
        const int cell = grid.index(i, j, k);
        if (!touchesCarrier(fields, cell)) continue;
        const CornerValues reference = atCorners(grid, fields.reference, cell);
        for (int q = 0; q < 8; ++q) {
          const Mat3 gradient = reference * cubes().gradient[q] / grid.spacing;
          const Vec3 middle = grid.position(cell) + grid.spacing * cubes().middle[q];
          const SurfacePieces pieces =
              surfaceNear(fields.shape, reference * cubes().value[q], gradient, width);
          for (int p = 0; p < pieces.count; ++p) {
            const Vec3 position = middle + pieces.of[p].toSurface;
            points.push_back({grid.cellAt(position), position, pieces.of[p].area});
          }
        }
      }
    }
  }
  // Within a cell by position, so that equal bodies have equal lists.
  std::sort(points.begin(), points.end(),
            [](const SolidSurfacePoint& a, const SolidSurfacePoint& b) {
              if (a.cell != b.cell) return a.cell < b.cell;
              return std::lexicographical_compare(a.position.begin(), a.position.end(),
                                                  b.position.begin(), b.position.end());
            });
}

}  // namespace drystone
