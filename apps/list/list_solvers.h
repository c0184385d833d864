#pragma once

#include <string>

#include "solvers/driver/registry.h"

namespace drystone::cli {

/// The text of `list solvers`: a Markdown table of all solvers; of one solver (`name` not empty)
/// all that it says of itself, with its settings; with `settings` the settings of every solver. As
/// JSON, an array that always has the settings. Throws UsageError for an unknown name.
std::string solverList(const SolverRegistry& registry, const std::string& name, bool settings,
                       bool json);

}  // namespace drystone::cli
