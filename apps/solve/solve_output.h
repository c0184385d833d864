#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/solve/stored_solve.h"
#include "apps/support/input_files.h"

namespace drystone::cli {

struct ChosenSolvers {
  std::vector<std::string> names;
  bool every = false;  ///< `--solver all`: nobody asked for one of them in particular
};

/// Lines of the table of `solve`, printed one by one as the solves end: the width of its columns is
/// known from the names at the start.
class SolveTable {
 public:
  SolveTable(std::span<const ProblemInput> problems, std::span<const std::string> solvers);
  std::string header() const;
  /// The note of the first line does not say where its solve started: footer() does, and the notes
  /// of those lines that started elsewhere.
  std::string line(const StoredSolve& row);
  /// What the columns of errors mean, and where the solves started; empty: nothing was solved.
  std::string footer() const;

 private:
  std::string noteOf(const StoredSolve& row);

  int problemWidth_ = 0;
  int solverWidth_ = 0;
  std::optional<bool> isWarm_;  ///< of the first solve
  bool startsDiffer_ = false;
};

/// Lines below that of the solve: how far the CPU twin's answer is.
std::string checkText(const TwinCheck& check);

/// How many solves reached the tolerance, in all and, where there are several problems, by solver.
/// Of `every` solver of the build those that took no problem are named with the reason, and count
/// in no sum.
std::string solveSummary(std::span<const StoredSolve> rows, const ChosenSolvers& solvers);

/// The array of `solve --json`. Figures that are not finite become null.
std::string solveJson(std::span<const StoredSolve> rows);

/// First line of `solve --csv`, and the line of one solve; no line end.
std::string solveCsvHeader();
std::string solveCsvLine(const StoredSolve& row);

}  // namespace drystone::cli
