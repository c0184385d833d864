// Assembly of A = J M⁻¹ Jᵀ + C (M.7). Block (i, j) is the sum over the bodies that blocks i and j
// share (Poulsen 2010, theorem 3.1), so the pattern comes from lists of blocks by body. Only the
// upper half is computed; the lower is its mirror image, which makes A symmetric to the last bit.
#include <algorithm>

#include "core/check.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

bool isDynamic(const InverseInertia& body) {
  return body.inverseMass != 0 || !body.inverseInertia.isZero(0);
}

/// Lists of blocks by dynamic body, ascending.
void listBlocksByBody(const ContactProblem& problem, AssemblyWorkspace& workspace) {
  std::vector<int>& start = workspace.bodyStart;
  start.assign(problem.bodyCount() + 1, 0);
  for (const ProblemBlock& block : problem.blocks) {
    DRYSTONE_ASSERT(block.bodyA < 0 || block.bodyA != block.bodyB);
    if (block.bodyA >= 0) ++start[block.bodyA + 1];
    if (block.bodyB >= 0) ++start[block.bodyB + 1];
  }
  for (int body = 0; body < problem.bodyCount(); ++body) {
    if (!isDynamic(problem.bodies[body])) start[body + 1] = 0;
    start[body + 1] += start[body];
  }
  workspace.bodyBlocks.resize(start.back());
  std::vector<int>& cursor = workspace.cursor;
  cursor.assign(start.begin(), start.end());
  const auto insert = [&](int body, int block) {
    if (body >= 0 && start[body] < start[body + 1]) workspace.bodyBlocks[cursor[body]++] = block;
  };
  for (int block = 0; block < problem.blockCount(); ++block) {
    insert(problem.blocks[block].bodyA, block);
    insert(problem.blocks[block].bodyB, block);
  }
}

/// Blocks of a body, empty for none.
std::span<const int> blocksOf(const AssemblyWorkspace& workspace, int body) {
  if (body < 0) return {};
  const int first = workspace.bodyStart[body];
  return std::span(workspace.bodyBlocks)
      .subspan(first, static_cast<std::size_t>(workspace.bodyStart[body + 1] - first));
}

/// Pattern: block row i holds the blocks of its two bodies and itself, merged and ascending.
void buildPattern(const ContactProblem& problem, const AssemblyWorkspace& workspace,
                  BlockSparseMatrix& out) {
  const int blocks = problem.blockCount();
  out.rowStart.resize(blocks + 1);
  out.blockStart.resize(blocks + 1);
  out.diagonal.resize(blocks);
  out.blockColumn.clear();
  out.valueStart.clear();
  int row = 0;
  int value = 0;
  for (int block = 0; block < blocks; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    DRYSTONE_ASSERT(info.firstRow == row);
    out.rowStart[block] = row;
    row += info.rows;
    out.blockStart[block] = static_cast<int>(out.blockColumn.size());
    const auto add = [&](int column) {
      if (column == block) out.diagonal[block] = static_cast<int>(out.blockColumn.size());
      out.blockColumn.push_back(column);
      out.valueStart.push_back(value);
      value += info.rows * problem.blocks[column].rows;
    };
    const std::span<const int> a = blocksOf(workspace, info.bodyA);
    const std::span<const int> b = blocksOf(workspace, info.bodyB);
    if (a.empty() && b.empty()) add(block);
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
      const int column = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
      if (i < a.size() && a[i] == column) ++i;
      if (j < b.size() && b[j] == column) ++j;
      add(column);
    }
  }
  out.rowStart[blocks] = row;
  out.blockStart[blocks] = static_cast<int>(out.blockColumn.size());
  out.valueStart.push_back(value);
  out.values.resize(value);
}

/// block += W Jᵀ, where W and J hold one row of six per constraint row.
template <int kRows, int kColumns>
inline void addFixed(const Vec6* weighted, const Vec6* jacobian, Real* block) {
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) block[i * kColumns + j] += weighted[i].dot(jacobian[j]);
  }
}

inline void addOuter(const Vec6* weighted, int rows, const Vec6* jacobian, int columns,
                     Real* block) {
  if (rows == 3 && columns == 3) return addFixed<3, 3>(weighted, jacobian, block);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) block[i * columns + j] += weighted[i].dot(jacobian[j]);
  }
}

/// Values of the upper half, mirrored as they are made. Rows are done in ascending order, so the
/// mirror images reach each lower row in ascending order too and a cursor finds their place.
void fillValues(const ContactProblem& problem, AssemblyWorkspace& workspace,
                BlockSparseMatrix& out) {
  workspace.cursor.assign(out.blockStart.begin(), out.blockStart.end());
  for (int i = 0; i < problem.blockCount(); ++i) {
    const ProblemBlock& rowInfo = problem.blocks[i];
    const int rows = rowInfo.rows;
    for (int stored = out.diagonal[i]; stored < out.blockStart[i + 1]; ++stored) {
      const int j = out.blockColumn[stored];
      const ProblemBlock& columnInfo = problem.blocks[j];
      const int columns = columnInfo.rows;
      const int column = columnInfo.firstRow;
      Real block[kMaxBlockRows * kMaxBlockRows] = {};
      const auto addBody = [&](int body, const Vec6* weighted) {
        if (body < 0) return;
        if (body == columnInfo.bodyA) {
          addOuter(weighted, rows, &problem.jacobianA[column], columns, block);
        } else if (body == columnInfo.bodyB) {
          addOuter(weighted, rows, &problem.jacobianB[column], columns, block);
        }
      };
      addBody(rowInfo.bodyA, &workspace.weightedA[rowInfo.firstRow]);
      addBody(rowInfo.bodyB, &workspace.weightedB[rowInfo.firstRow]);

      Real* upper = &out.values[out.valueStart[stored]];
      if (i == j) {
        for (int r = 0; r < rows; ++r) {
          if (!problem.compliance.empty()) {
            block[r * rows + r] += problem.compliance[rowInfo.firstRow + r];
          }
          for (int c = 0; c < r; ++c) block[r * rows + c] = block[c * rows + r];
        }
        std::copy(block, block + rows * rows, upper);
        continue;
      }
      Real* lower = &out.values[out.valueStart[workspace.cursor[j]++]];
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
          upper[r * columns + c] = block[r * columns + c];
          lower[c * rows + r] = block[r * columns + c];
        }
      }
    }
  }
}

}  // namespace

void assembleDelassus(const ContactProblem& problem, AssemblyWorkspace& workspace,
                      BlockSparseMatrix& out) {
  DRYSTONE_ASSERT(!problem.assembled);
  listBlocksByBody(problem, workspace);
  buildPattern(problem, workspace, out);

  workspace.weightedA.resize(problem.rowCount());
  workspace.weightedB.resize(problem.rowCount());
  for (const ProblemBlock& block : problem.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (block.bodyA >= 0) {
        workspace.weightedA[row] =
            applyInverseInertia(problem.bodies[block.bodyA], problem.jacobianA[row]);
      }
      if (block.bodyB >= 0) {
        workspace.weightedB[row] =
            applyInverseInertia(problem.bodies[block.bodyB], problem.jacobianB[row]);
      }
    }
  }
  fillValues(problem, workspace, out);
}

}  // namespace drystone
