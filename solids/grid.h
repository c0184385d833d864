#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.h"
#include "core/types.h"

namespace drystone {

/// A block of nodes, both ends included.
struct NodeBox {
  std::array<int, 3> low{};
  std::array<int, 3> high{};

  int count(int axis) const { return high[axis] - low[axis] + 1; }
};

/// A uniform grid with trilinear shape functions: N(x) is 1 at node N and 0 at all others. A cell
/// has the number of its corner nearest to the origin, and corner c lies one node further along x,
/// y or z where bit 0, 1 or 2 of c is set.
struct SolidGrid {
  Vec3 origin = Vec3::Zero();  ///< position of the first node [m]
  Real spacing = 0;            ///< length of a cell [m]
  std::array<int, 3> nodes{};  ///< nodes along x, y and z

  int nodeCount() const { return nodes[0] * nodes[1] * nodes[2]; }
  int stride(int axis) const { return axis == 0 ? 1 : axis == 1 ? nodes[0] : nodes[0] * nodes[1]; }
  int index(int i, int j, int k) const { return i + nodes[0] * (j + nodes[1] * k); }
  int corner(int cell, int c) const {
    return cell + (c & 1) + ((c >> 1) & 1) * stride(1) + (c >> 2) * stride(2);
  }
  std::array<int, 3> coordinates(int node) const {
    return {node % nodes[0], node / nodes[0] % nodes[1], node / stride(2)};
  }
  Vec3 position(int node) const {
    const auto [i, j, k] = coordinates(node);
    return origin + spacing * Vec3(i, j, k);
  }
  NodeBox all() const { return {{0, 0, 0}, {nodes[0] - 1, nodes[1] - 1, nodes[2] - 1}}; }

  /// The cell that holds a point; of points outside the nearest one.
  int cellAt(const Vec3& point) const {
    std::array<int, 3> at;
    for (int a = 0; a < 3; ++a) {
      const Real cells = std::floor((point[a] - origin[a]) / spacing);
      at[a] = static_cast<int>(std::clamp<Real>(cells, 0, nodes[a] - 2));
    }
    return index(at[0], at[1], at[2]);
  }

  /// Shape functions of the corners of a cell at a point. They sum to 1.
  std::array<Real, 8> weights(int cell, const Vec3& point) const {
    const Vec3 t = (point - position(cell)) / spacing;
    std::array<Real, 8> result;
    for (int c = 0; c < 8; ++c) {
      result[c] = ((c & 1) != 0 ? t.x() : 1 - t.x()) * ((c & 2) != 0 ? t.y() : 1 - t.y()) *
                  ((c & 4) != 0 ? t.z() : 1 - t.z());
    }
    return result;
  }

  /// Their gradients [1/m]. They sum to 0.
  std::array<Vec3, 8> slopes(int cell, const Vec3& point) const {
    const Vec3 t = (point - position(cell)) / spacing;
    std::array<Vec3, 8> result;
    for (int c = 0; c < 8; ++c) {
      for (int a = 0; a < 3; ++a) {
        Real product = ((c >> a & 1) != 0 ? 1 : -1) / spacing;
        for (int b = 0; b < 3; ++b) {
          if (b != a) product *= (c >> b & 1) != 0 ? t[b] : 1 - t[b];
        }
        result[c][a] = product;
      }
    }
    return result;
  }
};

/// Calls `body(j, k)` for the rows of nodes along x. Each may write only to its own nodes.
template <class Body>
void forEachRow(const NodeBox& box, int threads, Body&& body) {
  const int rows = box.count(1);
  parallelFor(rows * box.count(2), threads,
              [&](int row, int) { body(box.low[1] + row % rows, box.low[2] + row / rows); });
}

/// Calls `body(j, k)` for the rows of cells of the box. It may add to the nodes of its cells: rows
/// that share nodes run one after the other and in the same order for every number of threads.
template <class Body>
void forEachCellRow(const NodeBox& box, int threads, Body&& body) {
  for (int color = 0; color < 4; ++color) {
    NodeBox half;  // every second row of each direction
    for (int a = 1; a < 3; ++a) {
      half.low[a] = 0;
      half.high[a] = (box.high[a] - 1 - box.low[a] - (color >> (a - 1) & 1) + 2) / 2 - 1;
    }
    forEachRow(half, threads, [&](int j, int k) {
      body(box.low[1] + 2 * j + (color & 1), box.low[2] + 2 * k + (color >> 1));
    });
  }
}

inline Real determinantOf(const Mat3& matrix) {
  return matrix.col(0).dot(matrix.col(1).cross(matrix.col(2)));
}

/// The inverse of a matrix whose determinant is known.
inline Mat3 inverseOf(const Mat3& matrix, Real determinant) {
  Mat3 inverse;
  inverse.row(0) = matrix.col(1).cross(matrix.col(2)).transpose();
  inverse.row(1) = matrix.col(2).cross(matrix.col(0)).transpose();
  inverse.row(2) = matrix.col(0).cross(matrix.col(1)).transpose();
  return inverse / determinant;
}

}  // namespace drystone
