#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "engine/model/world_settings.h"

namespace drystone {

/// A named budget for the solves of a world: what an answer must reach, and the time that it may
/// take, in as many iterations as the solver takes by itself. Solver, settings and policy stay.
struct SolverPreset {
  std::string_view name;
  std::string_view summary;
  Real tolerance;                 ///< natural map (M.11) that counts as solved [m/s]
  std::optional<Real> stepShare;  ///< of the timestep, for all solves of a step; none: no limit
};

/// `exact` is a thousandth of the default, still far above round-off of large islands. `realtime`
/// keeps the tolerance of the default: what rests at a looser one jitters, and costs more. Half of
/// the timestep leaves the other half to collision detection and drawing.
inline constexpr std::array<SolverPreset, 3> kSolverPresets = {{
    {"exact", "for measurements: 1e-9 m/s, however long it takes", 1e-9, std::nullopt},
    {"robust", "the defaults: 1e-6 m/s, however long it takes", 1e-6, std::nullopt},
    {"realtime", "for a screen: 1e-6 m/s, at most half of the timestep for solving", 1e-6, 0.5},
}};

/// Throws InputError with the names that there are.
const SolverPreset& solverPreset(std::string_view name);

/// Gives the solver's budget the values of a preset. Set single values after
/// it: what was set before is lost.
void applyPreset(const SolverPreset& preset, Real timestep, SolverChoice& choice);

/// The same by name, for the timestep that the settings have now:
///
///   WorldSettings settings{.timestep = 1.0 / 120};
///   applyPreset("realtime", settings);
///   World world(settings, makeDefaultRegistry());
void applyPreset(std::string_view name, WorldSettings& settings);

/// The preset whose values a choice has, or null.
const SolverPreset* presetOf(const SolverChoice& choice, Real timestep);

}  // namespace drystone
