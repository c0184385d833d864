#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/world_settings.h"
#include "solvers/driver/registry.h"

namespace drystone::cli {

/// Every solver of the program: those of the library and those for devices.
SolverRegistry makeRegistry();

/// A solver that was asked for and cannot run here; its CPU twin runs in its place.
struct ReplacedSolver {
  std::string name;                    ///< empty: the solver asked for runs
  std::string reason;                  ///< why it cannot run here
  std::vector<SolverSetting> leftOut;  ///< settings that were for it and the twin lacks

  /// "in place of gpu-sor: REASON; without precision=double: sor-prox-colored has no such setting".
  std::string text(std::string_view twin) const;
};

/// Under `--fallback`: puts the CPU twin in the place of a solver that cannot run here, with those
/// settings of it that the twin has too. Leaves a choice that runs here or has no twin as it is.
ReplacedSolver replaceByCpuTwin(const SolverRegistry& registry, SolverChoice& choice);

/// A note of what was replaced; none where nothing was.
void logReplacement(const ReplacedSolver& replaced, std::string_view twin);

/// Gives `to` those settings of `from` that it has too.
void copySharedSettings(ContactSolver& from, ContactSolver& to);

}  // namespace drystone::cli
