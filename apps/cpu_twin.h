#pragma once

#include <string>

#include "engine/model/world_settings.h"
#include "solvers/registry.h"

namespace drystone::cli {

/// Under `--fallback`: puts the CPU twin in the place of a solver that cannot run here, with those
/// settings of it that the twin has too. Returns a note of what was done, with the reason; empty
/// where the solver runs here or has no twin.
std::string replaceByCpuTwin(const SolverRegistry& registry, SolverChoice& choice);

/// Gives `to` those settings of `from` that it has too.
void copySharedSettings(ContactSolver& from, ContactSolver& to);

}  // namespace drystone::cli
