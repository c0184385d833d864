#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/support/run_setup.h"
#include "apps/sweep/study.h"
#include "apps/sweep/sweep_figures.h"

namespace drystone::cli {

/// A study with all that its runs have in common. Nothing in it changes while they run.
struct ReadySweep {
  Study study;
  SolverRegistry registry;
  SceneSource scene;
  std::vector<SweepFigure> figures;
  /// What of the scene takes the seed of a repeat: keys of --set.
  std::vector<std::string> seedKeys;
  std::string hash;  ///< of the study, its scene with its files, and the program

  /// The line of titles of its table.
  std::string header() const;
  /// What a run of the study is given on the command line of `run`.
  SimulationOptions optionsOf(const StudyRun& run) const;
};

/// Reads the study and its scene. Throws InputError, with the place in the study, for what no run
/// could be made with: a scene that is wrong, a key that there is not, a body that a figure lacks.
/// Logs what the scene warns of.
ReadySweep prepareSweep(const std::string& path);

/// How a run ended, by the words of the column `status`.
enum class RunEnd : std::uint8_t {
  kDone,
  kStopped,   ///< by a step that missed a tolerance, under the scene's policy `stop`
  kDiverged,  ///< a step would not have been finite
  kInvalid,   ///< the scene does not take the values
  kFailed,    ///< out of memory, or a bug
};
const char* runEndName(RunEnd end);
/// Throws InputError for a word that is none of them.
RunEnd runEndNamed(const std::string& name);

struct SweepRow {
  RunEnd end = RunEnd::kDone;
  std::string line;    ///< of the table
  double stepsMs = 0;  ///< in steps of the world
};

/// Does a run on this thread, whatever comes of it; none where `stop` was set meanwhile. Runs on
/// several threads at once do not change each other's results.
std::optional<SweepRow> doRun(const ReadySweep& sweep, const StudyRun& run, std::int64_t runs,
                              const std::atomic<bool>& stop);

}  // namespace drystone::cli
