#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/contact_check.h"
#include "apps/support/run_record.h"
#include "apps/support/solver_registry.h"
#include "engine/world/world.h"
#include "scenes/scene.h"
#include "solvers/driver/settings.h"

namespace drystone::cli {

/// All that the outputs of a run say, beside what the record adds up.
struct RunResult {
  std::string scene;                               ///< name of the scene
  std::string description;                         ///< of the scene; may be empty
  std::string source;                              ///< the file it came from
  std::vector<SceneParameter> parameters;          ///< of the scene, with the values in use
  std::vector<SettingDescription> solverSettings;  ///< as the solver used them
  int maxIterations = 0;                           ///< of a solve
  std::string solverSummary;
  ReplacedSolver replaced;  ///< what the solver runs in place of
  double wallSeconds = 0;
  double peakMemoryMB = 0;
  bool interrupted = false;
  std::uint64_t hash = 0;                      ///< of the final state
  std::optional<std::int64_t> explained;       ///< step of `--explain`
  std::string explanation;                     ///< of the step that `--explain` names
  bool showsProfile = false;                   ///< `--profile`
  bool showsBodies = false;                    ///< `--bodies`
  const ContactCheck* contactCheck = nullptr;  ///< of `--check contacts`, else none
};

/// The object of `run --json`, two blanks a level. Numbers that are not finite become null.
std::string runJson(const World& world, const RunRecord& record, const RunResult& result);

/// The readable summary of `run`. `showHash` adds the last line.
std::string runReport(const World& world, const RunRecord& record, const RunResult& result,
                      bool showHash);

/// How each island of the last step was solved, the worst first: its size, why its answer was
/// taken, what the solver tried one after the other and what each try left. Below it, what the
/// columns and words mean. For `--explain`.
std::string explainStep(const World& world);

}  // namespace drystone::cli
