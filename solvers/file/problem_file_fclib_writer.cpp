// Writing HDF5: the problem as FCLIB can say it, for its tools, and the whole of it in drystone's
// own group, which alone is read back.

#include <fmt/format.h>

#include <algorithm>

#include "solvers/file/problem_file_fclib.h"
#include "solvers/problem/problem_ops.h"

namespace drystone::detail {
namespace {

bool isBilateral(const ContactProblem& problem, int row) {
  return problem.lower[row] == -kInfinity && problem.upper[row] == kInfinity;
}

/// Where each row stands in FCLIB's vectors: `contact` in q and r, `bilateral` in s and l; -1:
/// FCLIB has no place for it.
struct FclibRows {
  std::vector<int> contact, bilateral;
  int contacts = 0, bilaterals = 0;
  bool complete = true;  ///< FCLIB says the whole problem
};

FclibRows mapRows(const ContactProblem& problem) {
  FclibRows rows;
  rows.contact.assign(problem.b.size(), -1);
  rows.bilateral.assign(problem.b.size(), -1);
  rows.complete =
      problem.friction == FrictionModel::kCone || problem.friction == FrictionModel::kNone;
  for (const ProblemBlock& block : problem.blocks) {
    for (int i = 0; i < block.rows; ++i) {
      const int row = block.firstRow + i;
      if (block.law == BlockLaw::kContact && i < 3) {
        rows.contact[row] = 3 * rows.contacts + i;
      } else if (block.law == BlockLaw::kRows && isBilateral(problem, row)) {
        rows.bilateral[row] = rows.bilaterals++;
      } else {
        rows.complete = false;
      }
    }
    if (block.law == BlockLaw::kContact) ++rows.contacts;
  }
  return rows;
}

/// Sorted by row, then column, as compressed rows need it.
struct RowEntry {
  int row, column;
  Real value;
};

void writeMatrix(Hdf5File& file, const std::string& group, std::vector<RowEntry> entries, int rows,
                 int columns) {
  std::sort(entries.begin(), entries.end(), [](const RowEntry& a, const RowEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  std::vector<int> starts(rows + 1, 0), indices;
  std::vector<Real> values;
  for (const RowEntry& entry : entries) {
    ++starts[entry.row + 1];
    indices.push_back(entry.column);
    values.push_back(entry.value);
  }
  for (int row = 0; row < rows; ++row) starts[row + 1] += starts[row];
  const auto scalar = [&](const char* name, int value) {
    file.writeIntegers(group + "/" + name, {&value, 1});
  };
  scalar("m", rows);
  scalar("n", columns);
  scalar("nz", -2);
  scalar("nzmax", starts.back());
  file.writeIntegers(group + "/p", starts);
  file.writeIntegers(group + "/i", indices);
  file.writeReals(group + "/x", values);
}

struct LocalMatrices {
  std::vector<RowEntry> w, v, r;
};

LocalMatrices splitMatrix(const ContactProblem& problem, const BlockSparseMatrix& matrix,
                          const FclibRows& rows) {
  LocalMatrices out;
  for (int i = 0; i < matrix.blockCount(); ++i) {
    for (int stored = matrix.blockStart[i]; stored < matrix.blockStart[i + 1]; ++stored) {
      const int j = matrix.blockColumn[stored];
      const Real* next = &matrix.values[matrix.valueStart[stored]];
      for (int row = matrix.rowStart[i]; row < matrix.rowStart[i + 1]; ++row) {
        for (int column = matrix.rowStart[j]; column < matrix.rowStart[j + 1]; ++column) {
          const Real value = *next++;
          if (value == 0) continue;
          if (rows.contact[row] >= 0 && rows.contact[column] >= 0) {
            out.w.push_back({rows.contact[row], rows.contact[column], value});
          } else if (rows.contact[row] >= 0 && rows.bilateral[column] >= 0) {
            out.v.push_back({rows.contact[row], rows.bilateral[column], value});
          } else if (rows.bilateral[row] >= 0 && rows.bilateral[column] >= 0) {
            out.r.push_back({rows.bilateral[row], rows.bilateral[column], value});
          }
        }
      }
    }
  }
  if (problem.friction != FrictionModel::kNone) return out;
  // Contacts without friction rows get decoupled ones, of the normal's scale.
  for (int i = 0, contact = 0; i < matrix.blockCount(); ++i) {
    if (problem.blocks[i].law != BlockLaw::kContact) continue;
    const Real diagonal = matrix.values[matrix.valueStart[matrix.diagonal[i]]];
    const Real scale = diagonal > 0 ? diagonal : 1;
    for (int t = 1; t <= 2; ++t) out.w.push_back({3 * contact + t, 3 * contact + t, scale});
    ++contact;
  }
  return out;
}

void writeSolution(Hdf5File& file, const ContactProblem& problem, const FclibRows& rows,
                   std::span<const Real> lambda) {
  std::vector<Vec6> bodyVelocity(problem.bodies.size());
  std::vector<Real> w(problem.b.size());
  constraintVelocity(problem, lambda, bodyVelocity, w);
  std::vector<Real> r(3 * rows.contacts, 0), u(3 * rows.contacts, 0), l(rows.bilaterals, 0);
  for (int row = 0; row < problem.rowCount(); ++row) {
    if (rows.contact[row] >= 0) {
      r[rows.contact[row]] = lambda[row];
      u[rows.contact[row]] = w[row];
    } else if (rows.bilateral[row] >= 0) {
      l[rows.bilateral[row]] = lambda[row];
    }
  }
  file.writeReals("solution/r", r);
  file.writeReals("solution/u", u);
  if (rows.bilaterals > 0) file.writeReals("solution/l", l);
}

}  // namespace

void writeFclibLocal(Hdf5File& file, const ContactProblem& problem, const ProblemFileNotes& notes) {
  const FclibRows rows = mapRows(problem);
  // A problem without contacts is none of FCLIB's: its tools divide by the number of contacts.
  if (rows.contacts == 0) return;
  BlockSparseMatrix own;
  if (problem.assembled == nullptr) {
    AssemblyWorkspace workspace;
    assembleDelassus(problem, workspace, own);
  }
  const LocalMatrices matrices =
      splitMatrix(problem, problem.assembled ? *problem.assembled : own, rows);
  std::vector<Real> q(3 * rows.contacts, 0), s(rows.bilaterals, 0), mu;
  for (int row = 0; row < problem.rowCount(); ++row) {
    if (rows.contact[row] >= 0) q[rows.contact[row]] = problem.b[row];
    if (rows.bilateral[row] >= 0) s[rows.bilateral[row]] = problem.b[row];
  }
  for (const ProblemBlock& block : problem.blocks) {
    const bool slippery = problem.friction == FrictionModel::kNone;
    if (block.law == BlockLaw::kContact) mu.push_back(slippery ? 0 : block.friction);
  }
  const int spacedim = 3;
  file.writeIntegers("fclib_local/spacedim", {&spacedim, 1});
  writeMatrix(file, "fclib_local/W", matrices.w, 3 * rows.contacts, 3 * rows.contacts);
  file.writeReals("fclib_local/vectors/q", q);
  file.writeReals("fclib_local/vectors/mu", mu);
  if (rows.bilaterals > 0) {
    writeMatrix(file, "fclib_local/V", matrices.v, 3 * rows.contacts, rows.bilaterals);
    writeMatrix(file, "fclib_local/R", matrices.r, rows.bilaterals, rows.bilaterals);
    file.writeReals("fclib_local/vectors/s", s);
  }
  file.writeText("fclib_local/info/title", notes.name);
  file.writeText("fclib_local/info/description",
                 rows.complete ? notes.info
                               : fmt::format("{}\nThe friction model '{}' or bounded rows have no "
                                             "place here: group drystone holds the whole problem.",
                                             notes.info, frictionModelName(problem.friction)));
  file.writeText("fclib_local/info/math_info", "");
  if (!notes.solution.empty() && rows.complete) {
    writeSolution(file, problem, rows, notes.solution);
  }
}

void writeProblemHdf5(const std::string& path, const ContactProblem& problem,
                      const ProblemFileNotes& notes, FileErrors& errors) {
  Hdf5File file = Hdf5File::create(path, errors);
  writeDrystoneGroup(file, problem, notes);
  writeFclibLocal(file, problem, notes);
  file.close();
}

}  // namespace drystone::detail
