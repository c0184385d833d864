#pragma once

#include <span>
#include <string>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// A problem read from a file, with what the file says about it.
struct ReadProblem {
  std::string name{};  ///< the file's own title, or its stem
  std::string info{};  ///< free text of the file, lines separated by '\n'; may be empty
  StoredProblem problem{};
  std::vector<Real> warmStart{};       ///< [rows] [N s]; empty: the file has none
  std::vector<RowState> warmStates{};  ///< [rows]; empty: the file has none
  std::vector<Real> solution{};  ///< [rows] reference impulses [N s]; empty: the file has none
};

/// What is written beside a problem; empty fields are left out of the file.
struct ProblemFileNotes {
  std::string name{};
  std::string info{};
  std::span<const Real> warmStart{};       ///< [rows] [N s]
  std::span<const RowState> warmStates{};  ///< [rows]
  std::span<const Real> solution{};        ///< [rows] [N s]
};

/// Reads a problem file: `drystone-problem` JSON, or HDF5 in the layout of FCLIB (local and global)
/// with or without drystone's own group. The format is told by the content, not by the name.
/// Throws InputError that lists every problem found, each with file, place and remedy.
ReadProblem readProblemFile(const std::string& path);

/// Writes a problem in the form it has, body or assembled; `.json` gives JSON, `.hdf5` and `.h5`
/// give HDF5 that FCLIB's tools can read too. Every number survives bit for bit. The file appears
/// under its name only when complete. Throws InputError for an unknown extension and for a
/// problem that no reader would take (not finite, wrong sizes), another std::runtime_error where
/// the file cannot be written.
void writeProblemFile(const std::string& path, const ContactProblem& problem,
                      const ProblemFileNotes& notes = {});

}  // namespace drystone
