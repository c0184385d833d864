#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/solve/stored_solve.h"
#include "apps/support/input_files.h"

namespace drystone::cli {

/// Lines of the table of `solve`, printed one by one as the solves end: the width of its columns is
/// known from the names at the start.
class SolveTable {
 public:
  SolveTable(std::span<const ProblemInput> problems, std::span<const std::string> solvers);
  std::string header() const;
  std::string line(const StoredSolve& row) const;

 private:
  int problemWidth_ = 0;
  int solverWidth_ = 0;
};

/// Lines below that of the solve: how far the CPU twin's answer is.
std::string checkText(const TwinCheck& check);

/// How many solves reached the tolerance, in all and by solver.
std::string solveSummary(std::span<const StoredSolve> rows, std::span<const std::string> solvers);

/// The array of `solve --json`. Figures that are not finite become null.
std::string solveJson(std::span<const StoredSolve> rows);

/// First line of `solve --csv`, and the line of one solve; no line end.
std::string solveCsvHeader();
std::string solveCsvLine(const StoredSolve& row);

}  // namespace drystone::cli
