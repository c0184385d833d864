#pragma once

#include <optional>

#include "solvers/file/problem_file_hdf5.h"

/// The two layouts inside an HDF5 problem file: FCLIB's, and drystone's own group beside it.
namespace drystone::detail {

/// Reads a matrix in FCLIB's storage: compressed rows (nz = -2), compressed columns (nz = -1) or
/// triplets (nz >= 0). In triplets the header of FCLIB says p = rows, but Siconos and its files
/// have p = columns; the latter is taken unless an index would fall outside.
SparseEntries readFclibMatrix(Hdf5File& file, const std::string& group, FileErrors& errors);

/// fclib_local: u = W r (+ V l) + q, Vᵀ r + R l + s = 0.
void readFclibLocal(Hdf5File& file, ReadProblem& read, FileErrors& errors);

/// fclib_global: M v = f + H r (+ G l), u = Hᵀ v + w, Gᵀ v + b = 0; condensed to the assembled form
/// A = [H G]ᵀ M⁻¹ [H G] by a sparse factorization of M. `group`: that, or fclib_global_rolling,
/// whose contacts have rows of rolling and a second coefficient `mu_r`.
void readFclibGlobal(const std::string& group, Hdf5File& file, ReadProblem& read,
                     FileErrors& errors);

/// The rows of a contact in a file, normal and tangents, with rolling then the rates about them,
/// and where they go in ours.
struct FclibContact {
  int spacedim = 3;    ///< rows in the file
  bool rolls = false;  ///< the file has `mu_r`

  bool isPlane() const { return spacedim == (rolls ? 3 : 2); }
  int rows() const { return rolls ? 5 : 3; }
  int place(int row) const { return rolls && isPlane() && row == 2 ? 3 : row; }
};

/// Makes the assembled problem of contacts followed by bilateral rows. Contacts of the plane get
/// decoupled rows for what it lacks, whose impulses are zero. `rolling`: μ_r where contacts roll.
void setAssembled(const SparseEntries& matrix, std::span<const Real> b, std::span<const Real> mu,
                  std::span<const Real> rolling, const FclibContact& contact,
                  StoredProblem& problem);
/// Reference impulses (r, l) in the row order of setAssembled.
void readFclibSolution(Hdf5File& file, const FclibContact& contact, ReadProblem& read,
                       FileErrors& errors);

/// Contact rows as FCLIB has them, and the bilateral rows; what FCLIB cannot say is left out.
void writeFclibLocal(Hdf5File& file, const ContactProblem& problem, const ProblemFileNotes& notes);

void readDrystoneGroup(Hdf5File& file, ReadProblem& read, FileErrors& errors);
void writeDrystoneGroup(Hdf5File& file, const ContactProblem& problem,
                        const ProblemFileNotes& notes);

}  // namespace drystone::detail
