#pragma once

#include <memory>
#include <vector>

#include "solvers/driver/registry.h"
#include "viewer/session/simulation.h"

namespace drystone::viewer {

/// The settings of a solver as sliders, boxes and lists, made from what it lists of itself.
class SolverSettingsEditor {
 public:
  /// Shows the settings of the choice and changes them there. True: something was changed.
  bool draw(const SolverRegistry& registry, SolverChoice& choice);

 private:
  std::unique_ptr<ContactSolver> solver_;  ///< holds the values that are edited
  std::vector<SettingDescription> defaults_;
};

}  // namespace drystone::viewer
