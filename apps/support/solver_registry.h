#pragma once

#include <string>

#include "engine/model/world_settings.h"
#include "solvers/driver/registry.h"

namespace drystone::cli {

/// Every solver of the program: those of the library and those for devices.
SolverRegistry makeRegistry();

/// Under `--fallback`: puts the CPU twin in the place of a solver that cannot run here, with those
/// settings of it that the twin has too; the others go to `choice.leftOut`. Returns a note of what
/// was done, with the reason and what was left out; empty where the solver runs here or has no
/// twin.
std::string replaceByCpuTwin(const SolverRegistry& registry, SolverChoice& choice);

/// "gpu-sor: REASON; without precision=double: sor-prox-colored has no such setting" of a choice
/// that stands for another; `reason`: why that one cannot run here.
std::string standsForText(const SolverChoice& choice, std::string_view reason);

/// Gives `to` those settings of `from` that it has too.
void copySharedSettings(ContactSolver& from, ContactSolver& to);

}  // namespace drystone::cli
