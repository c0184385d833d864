// Reading FCLIB's layout (Acary, Brémond, Koziara, Pérignon: FCLIB, a collection of discrete 3D
// frictional contact problems, RT-444, 2014).

#include "solvers/file/problem_file_fclib.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/linear/general_mass.h"

namespace drystone::detail {
namespace {

bool indicesFit(std::span<const int> indices, int limit) {
  return std::all_of(indices.begin(), indices.end(),
                     [limit](int index) { return index >= 0 && index < limit; });
}

/// Compressed storage: `major` lines (rows or columns) of `minor` positions.
void expandCompressed(const std::vector<int>& starts, const std::vector<int>& indices,
                      const std::vector<Real>& values, bool byRows, const std::string& group,
                      SparseEntries& matrix, FileErrors& errors) {
  const int major = byRows ? matrix.rows : matrix.columns;
  const int minor = byRows ? matrix.columns : matrix.rows;
  if (static_cast<int>(starts.size()) != major + 1 || starts.front() != 0 ||
      !std::is_sorted(starts.begin(), starts.end())) {
    errors.add(group + "/p", fmt::format("must hold {} ascending starts from 0", major + 1));
    return;
  }
  const auto count = static_cast<std::size_t>(starts.back());
  if (indices.size() < count || values.size() < count) {
    errors.add(group, fmt::format("p promises {} entries, but i has {} and x has {}", count,
                                  indices.size(), values.size()));
    return;
  }
  if (!indicesFit(std::span(indices).first(count), minor)) {
    errors.add(group + "/i", fmt::format("must hold indices from 0 to {}", minor - 1));
    return;
  }
  for (int line = 0; line < major; ++line) {
    for (int k = starts[line]; k < starts[line + 1]; ++k) {
      matrix.add(byRows ? line : indices[k], byRows ? indices[k] : line, values[k]);
    }
  }
}

void expandTriplets(int count, const std::vector<int>& p, const std::vector<int>& i,
                    const std::vector<Real>& x, const std::string& group, SparseEntries& matrix,
                    FileErrors& errors) {
  const auto size = static_cast<std::size_t>(count);
  if (p.size() < size || i.size() < size || x.size() < size) {
    errors.add(group, fmt::format("nz promises {} entries, but p, i and x have {}, {} and {}",
                                  count, p.size(), i.size(), x.size()));
    return;
  }
  const std::span first(p.data(), size), second(i.data(), size);
  const bool columnsFirst = indicesFit(first, matrix.columns) && indicesFit(second, matrix.rows);
  if (!columnsFirst && !(indicesFit(first, matrix.rows) && indicesFit(second, matrix.columns))) {
    errors.add(group, fmt::format("p and i must hold indices of a {} x {} matrix, from 0",
                                  matrix.rows, matrix.columns));
    return;
  }
  for (std::size_t k = 0; k < size; ++k) {
    matrix.add(columnsFirst ? i[k] : p[k], columnsFirst ? p[k] : i[k], x[k]);
  }
}

void checkFinite(const std::vector<Real>& values, const std::string& place, FileErrors& errors) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      errors.add(fmt::format("{}[{}]", place, k),
                 fmt::format("must be a finite number, got {}", values[k]));
    }
  }
}

/// A vector that must have a size, with finite entries.
std::vector<Real> readVector(Hdf5File& file, const std::string& path, int size, bool required,
                             FileErrors& errors) {
  const int before = errors.count();
  std::vector<Real> values = file.reals(path, required);
  if (errors.count() == before && (required || !values.empty()) &&
      static_cast<std::int64_t>(values.size()) != size) {
    errors.add(path, fmt::format("must have {} entries, got {}", size, values.size()));
  }
  checkFinite(values, path, errors);
  return values;
}

std::vector<Real> readFriction(Hdf5File& file, const std::string& path, int contacts,
                               FileErrors& errors) {
  std::vector<Real> mu = readVector(file, path, contacts, true, errors);
  for (std::size_t c = 0; c < mu.size(); ++c) {
    if (mu[c] < 0) {
      errors.add(fmt::format("{}[{}]", path, c),
                 fmt::format("friction must be >= 0, got {}", mu[c]));
    }
  }
  return mu;
}

FclibContact readContact(Hdf5File& file, const std::string& group, bool rolls, int rows,
                         const std::string& matrix, FileErrors& errors) {
  const FclibContact whole{.spacedim = rolls ? 5 : 3, .rolls = rolls};
  const int plane = rolls ? 3 : 2;
  const int before = errors.count();
  const int spacedim = file.integer(group + "/spacedim");
  if (errors.count() != before) return whole;
  if (spacedim != plane && spacedim != whole.spacedim) {
    errors.add(group + "/spacedim",
               fmt::format("must be {} or {}, got {}", plane, whole.spacedim, spacedim));
    return whole;
  }
  if (rows % spacedim != 0) {
    errors.add(matrix,
               fmt::format("{} contact rows are no multiple of spacedim {}", rows, spacedim));
  }
  return {.spacedim = spacedim, .rolls = rolls};
}

void requireShape(const SparseEntries& matrix, int rows, int columns, const std::string& group,
                  FileErrors& errors) {
  if (matrix.rows == rows && matrix.columns == columns) return;
  errors.add(group, fmt::format("must be {} x {}, is {} x {}", rows, columns, matrix.rows,
                                matrix.columns));
}

void readInfo(Hdf5File& file, const std::string& group, ReadProblem& read) {
  read.name = file.text(group + "/info/title");
  for (const char* key : {"description", "math_info"}) {
    const std::string text = file.text(group + "/info/" + key);
    if (!text.empty()) read.info += (read.info.empty() ? "" : "\n") + text;
  }
}

using SparseColumns = Eigen::SparseMatrix<Real>;

SparseColumns toEigen(const SparseEntries& entries, int rows, int columns) {
  std::vector<Eigen::Triplet<Real>> triplets;
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    triplets.emplace_back(entries.row[k], entries.column[k], entries.value[k]);
  }
  SparseColumns matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace

SparseEntries readFclibMatrix(Hdf5File& file, const std::string& group, FileErrors& errors) {
  SparseEntries matrix;
  const int before = errors.count();
  matrix.rows = file.integer(group + "/m");
  matrix.columns = file.integer(group + "/n");
  const int storage = file.integer(group + "/nz");
  const std::vector<int> p = file.integers(group + "/p"), i = file.integers(group + "/i");
  const std::vector<Real> x = file.reals(group + "/x");
  if (errors.count() != before) return matrix;
  if (matrix.rows < 0 || matrix.columns < 0) {
    errors.add(group, fmt::format("has a negative size {} x {}", matrix.rows, matrix.columns));
  } else if (storage < -2) {
    errors.add(group + "/nz", fmt::format("must be -2 (compressed rows), -1 (compressed columns) "
                                          "or the number of triplets, got {}",
                                          storage));
  } else if (storage >= 0) {
    expandTriplets(storage, p, i, x, group, matrix, errors);
  } else {
    expandCompressed(p, i, x, storage == -2, group, matrix, errors);
  }
  checkFinite(matrix.value, group + "/x", errors);
  return matrix;
}

void setAssembled(const SparseEntries& matrix, std::span<const Real> b, std::span<const Real> mu,
                  std::span<const Real> rolling, const FclibContact& contact,
                  StoredProblem& problem) {
  const int contacts = static_cast<int>(mu.size());
  const int inFile = contacts * contact.spacedim, inProblem = contacts * contact.rows();
  const int bilateral = static_cast<int>(b.size()) - inFile;
  const auto rowOf = [&](int row) {
    if (row >= inFile) return row - inFile + inProblem;
    return row / contact.spacedim * contact.rows() + contact.place(row % contact.spacedim);
  };
  problem.friction = contact.rolls ? FrictionModel::kRolling : FrictionModel::kCone;
  problem.b.assign(inProblem + bilateral, 0);
  problem.lower.assign(problem.b.size(), -kInfinity);
  problem.upper.assign(problem.b.size(), kInfinity);
  for (std::size_t row = 0; row < b.size(); ++row) problem.b[rowOf(static_cast<int>(row))] = b[row];
  for (int first = 0, taken = 0; first < inProblem + bilateral; first += taken) {
    ProblemBlock block;
    const bool isContact = first < inProblem;
    taken = isContact ? contact.rows() : std::min(kMaxBlockRows, inProblem + bilateral - first);
    block.law = isContact ? BlockLaw::kContact : BlockLaw::kRows;
    block.key = problem.blocks.size();
    block.firstRow = first;
    block.rows = taken;
    if (isContact) block.friction = mu[first / contact.rows()];
    if (isContact && contact.rolls) block.rolling = rolling[first / contact.rows()];
    problem.blocks.push_back(block);
  }
  SparseEntries entries = matrix;
  std::vector<Real> diagonal(problem.b.size(), 0);
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    int& row = entries.row[k];
    int& column = entries.column[k];
    row = rowOf(row);
    column = rowOf(column);
    if (row == column) diagonal[row] += entries.value[k];
  }
  // The size of a decoupled entry only sets the scale of the block: that of the row before it.
  for (int c = 0; contact.isPlane() && c < contacts; ++c) {
    for (int i = 2; i < contact.rows(); i += 2) {
      const int row = c * contact.rows() + i;
      entries.add(row, row, diagonal[row - 1] > 0 ? diagonal[row - 1] : 1);
    }
  }
  problem.assembled = blockSparseFromTriplets(blockRowStarts(problem.blocks), entries.row,
                                              entries.column, entries.value);
}

void readFclibSolution(Hdf5File& file, const FclibContact& contact, ReadProblem& read,
                       FileErrors& errors) {
  if (!file.has("solution/r")) return;
  const StoredProblem& problem = read.problem;
  const int contacts = problem.view().contactCount();
  const int inProblem = contacts * contact.rows();
  const int bilateral = static_cast<int>(problem.b.size()) - inProblem;
  const std::vector<Real> r =
      readVector(file, "solution/r", contacts * contact.spacedim, true, errors);
  const std::vector<Real> l = readVector(file, "solution/l", bilateral, false, errors);
  if (!errors.empty() || static_cast<int>(l.size()) != bilateral) return;
  read.solution.assign(problem.b.size(), 0);
  for (int row = 0; row < static_cast<int>(r.size()); ++row) {
    read.solution[row / contact.spacedim * contact.rows() + contact.place(row % contact.spacedim)] =
        r[row];
  }
  std::copy(l.begin(), l.end(), read.solution.begin() + inProblem);
}

void readFclibLocal(Hdf5File& file, ReadProblem& read, FileErrors& errors) {
  readInfo(file, "fclib_local", read);
  SparseEntries matrix = readFclibMatrix(file, "fclib_local/W", errors);
  const int rows = matrix.rows;
  requireShape(matrix, rows, rows, "fclib_local/W", errors);
  const FclibContact contact =
      readContact(file, "fclib_local", false, rows, "fclib_local/W", errors);
  std::vector<Real> b = readVector(file, "fclib_local/vectors/q", rows, true, errors);
  const std::vector<Real> mu =
      readFriction(file, "fclib_local/vectors/mu", rows / contact.spacedim, errors);
  if (file.has("fclib_local/V") && file.has("fclib_local/R")) {
    const SparseEntries coupling = readFclibMatrix(file, "fclib_local/V", errors);
    const SparseEntries rest = readFclibMatrix(file, "fclib_local/R", errors);
    const int bilateral = rest.rows;
    requireShape(coupling, rows, bilateral, "fclib_local/V", errors);
    requireShape(rest, bilateral, bilateral, "fclib_local/R", errors);
    const std::vector<Real> s = readVector(file, "fclib_local/vectors/s", bilateral, true, errors);
    for (std::size_t k = 0; k < coupling.value.size(); ++k) {
      matrix.add(coupling.row[k], rows + coupling.column[k], coupling.value[k]);
      matrix.add(rows + coupling.column[k], coupling.row[k], coupling.value[k]);
    }
    for (std::size_t k = 0; k < rest.value.size(); ++k) {
      matrix.add(rows + rest.row[k], rows + rest.column[k], rest.value[k]);
    }
    b.insert(b.end(), s.begin(), s.end());
  }
  errors.throwIfAny();
  setAssembled(matrix, b, mu, {}, contact, read.problem);
  readFclibSolution(file, contact, read, errors);
}

void readFclibGlobal(const std::string& group, Hdf5File& file, ReadProblem& read,
                     FileErrors& errors) {
  const bool rolls = group == "fclib_global_rolling";
  readInfo(file, group, read);
  const SparseEntries mass = readFclibMatrix(file, group + "/M", errors);
  SparseEntries jacobianT = readFclibMatrix(file, group + "/H", errors);
  const int unknowns = mass.rows, rows = jacobianT.columns;
  requireShape(mass, unknowns, unknowns, group + "/M", errors);
  requireShape(jacobianT, unknowns, rows, group + "/H", errors);
  const FclibContact contact = readContact(file, group, rolls, rows, group + "/H", errors);
  const std::vector<Real> f = readVector(file, group + "/vectors/f", unknowns, true, errors);
  std::vector<Real> b = readVector(file, group + "/vectors/w", rows, true, errors);
  const std::vector<Real> mu =
      readFriction(file, group + "/vectors/mu", rows / contact.spacedim, errors);
  std::vector<Real> rolling;
  if (rolls) {
    rolling = readFriction(file, group + "/vectors/mu_r", rows / contact.spacedim, errors);
  }
  if (file.has(group + "/G")) {
    const SparseEntries joints = readFclibMatrix(file, group + "/G", errors);
    requireShape(joints, unknowns, joints.columns, group + "/G", errors);
    const std::vector<Real> s =
        readVector(file, group + "/vectors/b", joints.columns, true, errors);
    for (std::size_t k = 0; k < joints.value.size(); ++k) {
      jacobianT.add(joints.row[k], rows + joints.column[k], joints.value[k]);
    }
    b.insert(b.end(), s.begin(), s.end());
  }
  errors.throwIfAny();
  const int size = static_cast<int>(b.size());
  const std::optional<LocalForm> local = eliminateVelocities(
      toEigen(mass, unknowns, unknowns), toEigen(jacobianT, unknowns, size),
      Eigen::Map<const VecX>(f.data(), unknowns), Eigen::Map<const VecX>(b.data(), size));
  if (!local) errors.fail(group + "/M", "is singular: the masses must be positive definite");
  SparseEntries matrix;
  matrix.rows = matrix.columns = size;
  for (int column = 0; column < local->delassus.outerSize(); ++column) {
    for (SparseColumns::InnerIterator entry(local->delassus, column); entry; ++entry) {
      matrix.add(static_cast<int>(entry.row()), column, entry.value());
    }
  }
  setAssembled(matrix, {local->b.data(), b.size()}, mu, rolling, contact, read.problem);
  readFclibSolution(file, contact, read, errors);
}

ReadProblem readProblemHdf5(FileErrors& errors) {
  Hdf5File file = Hdf5File::open(errors);
  ReadProblem read;
  if (file.has("drystone")) {
    readDrystoneGroup(file, read, errors);
  } else if (file.has("fclib_local")) {
    readFclibLocal(file, read, errors);
  } else if (file.has("fclib_global")) {
    readFclibGlobal("fclib_global", file, read, errors);
  } else if (file.has("fclib_global_rolling")) {
    readFclibGlobal("fclib_global_rolling", file, read, errors);
  } else {
    errors.fail("",
                "holds none of the groups drystone, fclib_local, fclib_global and "
                "fclib_global_rolling");
  }
  return read;
}

}  // namespace drystone::detail
