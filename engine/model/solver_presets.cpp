#include "engine/model/solver_presets.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/input_error.h"
#include "core/wording.h"

namespace drystone {
namespace {

Real stepSecondsOf(const SolverPreset& preset, Real timestep) {
  return preset.stepShare ? *preset.stepShare * timestep : kUnlimited;
}

}  // namespace

const SolverPreset& solverPreset(std::string_view name) {
  std::vector<std::string> names;
  for (const SolverPreset& preset : kSolverPresets) {
    if (preset.name == name) return preset;
    names.emplace_back(preset.name);
  }
  throw InputError(fmt::format("unknown preset \"{}\"; {}", name, didYouMean(name, names)));
}

void applyPreset(const SolverPreset& preset, Real timestep, SolverChoice& choice) {
  choice.budget.tolerance = preset.tolerance;
  choice.budget.iterations.reset();
  choice.budget.seconds = kUnlimited;
  choice.stepSeconds = stepSecondsOf(preset, timestep);
}

void applyPreset(std::string_view name, WorldSettings& settings) {
  applyPreset(solverPreset(name), settings.timestep, settings.solver);
}

const SolverPreset* presetOf(const SolverChoice& choice, Real timestep) {
  for (const SolverPreset& preset : kSolverPresets) {
    SolverChoice same = choice;
    applyPreset(preset, timestep, same);
    if (same.budget.tolerance == choice.budget.tolerance &&
        same.budget.iterations == choice.budget.iterations &&
        same.budget.seconds == choice.budget.seconds && same.stepSeconds == choice.stepSeconds) {
      return &preset;
    }
  }
  return nullptr;
}

}  // namespace drystone
