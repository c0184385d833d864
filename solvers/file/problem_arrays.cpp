#include "solvers/file/problem_arrays.h"

#include <cmath>
#include <optional>
#include <string>

#include "core/input_error.h"
#include "solvers/file/problem_file_fclib.h"
#include "solvers/linear/general_mass.h"

namespace drystone {
namespace {

using SparseColumns = Eigen::SparseMatrix<Real>;

void requireFiniteArray(const char* name, std::span<const Real> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw InputError(std::string(name) + " must be finite, is not at " + std::to_string(i));
    }
  }
}

void requireMatrix(const char* name, const SparseColumns& matrix, std::size_t rows,
                   std::size_t columns) {
  if (static_cast<std::size_t>(matrix.rows()) != rows ||
      static_cast<std::size_t>(matrix.cols()) != columns) {
    throw InputError(std::string(name) + " must have the shape (" + std::to_string(rows) + ", " +
                     std::to_string(columns) + "), got (" + std::to_string(matrix.rows()) + ", " +
                     std::to_string(matrix.cols()) + ")");
  }
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseColumns::InnerIterator entry(matrix, column); entry; ++entry) {
      if (!std::isfinite(entry.value())) throw InputError(std::string(name) + " must be finite");
    }
  }
}

/// Entries of single precision differ by 1e-7 of the largest one.
constexpr Real kAsymmetry = 1e-6;

void requireSymmetric(const char* name, const SparseColumns& matrix) {
  const SparseColumns transposed = matrix.transpose();
  const SparseColumns difference = matrix - transposed;
  const auto largest = [](const SparseColumns& of) {
    return of.nonZeros() == 0 ? 0 : of.coeffs().abs().maxCoeff();
  };
  if (largest(difference) > kAsymmetry * largest(matrix)) {
    throw InputError(std::string(name) + " must be symmetric, differs from its transpose by " +
                     std::to_string(largest(difference)));
  }
}

/// No row of a positive semidefinite matrix has a negative number of its own.
void requireDiagonal(const char* name, const SparseColumns& matrix) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Real own = matrix.coeff(i, i);
    if (own >= 0) continue;
    throw InputError(std::string(name) + " must be at least 0 on its diagonal, is " +
                     std::to_string(own) + " at " + std::to_string(i));
  }
}

/// The rows of a contact.
int rowsEach(std::span<const Real> mu, std::size_t rows) {
  requireFiniteArray("mu", mu);
  for (const Real coefficient : mu) {
    if (coefficient < 0) throw InputError("mu must be at least 0");
  }
  for (const int each : {3, 2}) {
    if (mu.size() * each == rows) return each;
  }
  throw InputError(
      "mu must have one entry a contact, and a contact has 3 rows, or 2 in the plane: there are " +
      std::to_string(rows) + " rows and " + std::to_string(mu.size()) + " entries");
}

StoredProblem assembledProblem(const SparseColumns& matrix, std::span<const Real> b,
                               std::span<const Real> mu) {
  detail::SparseEntries entries;
  entries.rows = entries.columns = static_cast<int>(matrix.rows());
  for (int column = 0; column < matrix.outerSize(); ++column) {
    for (SparseColumns::InnerIterator entry(matrix, column); entry; ++entry) {
      entries.add(static_cast<int>(entry.row()), column, entry.value());
    }
  }
  StoredProblem problem;
  detail::setAssembled(entries, b, mu, {}, {.spacedim = rowsEach(mu, b.size()), .rolls = false},
                       problem);
  return problem;
}

Eigen::Map<const VecX> vectorOf(std::span<const Real> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

StoredProblem delassusProblem(const SparseColumns& W, std::span<const Real> q,
                              std::span<const Real> mu) {
  requireFiniteArray("q", q);
  requireMatrix("W", W, q.size(), q.size());
  requireSymmetric("W", W);
  requireDiagonal("W", W);
  return assembledProblem(W, q, mu);
}

StoredProblem bodyProblem(const SparseColumns& M, const SparseColumns& H, std::span<const Real> f,
                          std::span<const Real> w, std::span<const Real> mu) {
  requireFiniteArray("f", f);
  requireFiniteArray("w", w);
  requireMatrix("M", M, f.size(), f.size());
  requireSymmetric("M", M);
  requireDiagonal("M", M);
  requireMatrix("H", H, f.size(), w.size());
  rowsEach(mu, w.size());
  const std::optional<LocalForm> local = eliminateVelocities(M, H, vectorOf(f), vectorOf(w));
  if (!local) throw InputError("M is singular: the masses must be positive definite");
  requireDiagonal("W = Hᵀ M⁻¹ H", local->delassus);  // not so for an M that is indefinite
  return assembledProblem(local->delassus,
                          {local->b.data(), static_cast<std::size_t>(local->b.size())}, mu);
}

}  // namespace drystone
