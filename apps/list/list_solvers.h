#pragma once

#include <string>

#include "solvers/driver/registry.h"

namespace drystone::cli {

/// What `list solvers` shows where it names no solver.
struct SolverListOptions {
  bool reference = false;  ///< the methods that are kept to measure against, not the main shelf
  bool settings = false;   ///< of every solver
  bool json = false;       ///< an array of all solvers, always with their settings
};

/// The text of `list solvers`: a Markdown table; of one solver (`name` not empty) all that it says
/// of itself, with its settings. Throws UsageError for an unknown name.
std::string solverList(const SolverRegistry& registry, const std::string& name,
                       const SolverListOptions& options);

}  // namespace drystone::cli
