#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/support/solver_registry.h"
#include "scenes/scene.h"
#include "scenes/scene_reader.h"
#include "solvers/driver/registry.h"

namespace drystone {
class Recording;
struct RecordingInfo;
class World;
}  // namespace drystone

namespace drystone::cli {

/// What the command line of `run` says about the simulation; empty: as the scene has it.
struct SimulationOptions {
  std::string scene;  ///< file or name in the library
  std::string solver, preset, friction, integrator;
  std::vector<std::string> sets;  ///< key=value
  bool fallback = false;          ///< to the CPU twin of a solver that cannot run here
  std::optional<Real> timestep;   ///< [s]
  std::optional<std::int64_t> steps;
  std::optional<Real> time;  ///< simulated [s]
  std::optional<int> threads;
  std::optional<std::int64_t> seed;
  std::string restore;  ///< file of the state to begin from; empty: as the scene begins
  bool warns = true;    ///< of what is likely wrong with the scene: Scene::warnings
};

/// Throws UsageError with near names for a scene name that the library does not have. Paths pass.
void requireSceneName(const std::string& scene);

/// The scene that the options name, to be read by setUpScene(). Throws UsageError for a name that
/// there is not, and for a solver that there is not before any file is opened.
SceneSource findScene(const SimulationOptions& options, const SolverRegistry& registry);

/// A scene with the options applied.
struct ReadyScene : Scene {
  ReplacedSolver replaced;  ///< what its solver runs in place of
};

/// Reads the scene and applies the options. Throws UsageError for what is wrong on the command line
/// and InputError for what is wrong in the file.
ReadyScene readWithOptions(const SceneSource& source, const SimulationOptions& options,
                           const SolverRegistry& registry);
/// As readWithOptions; also throws unless the solver of the scene takes it.
ReadyScene setUpScene(const SceneSource& source, const SimulationOptions& options,
                      const SolverRegistry& registry);

/// True for a `--set` that is for the solver and not for a place in the scene.
bool isSolverSetting(const std::string& keyValue);

/// Most steps that a run may be asked for; counts up to here are exact in a double.
constexpr std::int64_t kMostSteps = 1'000'000'000'000'000;

constexpr int kMostThreads = 1024;

/// Steps to do, by the options or the scene's duration; at least 1. Throws UsageError when the time
/// asked for is more than kMostSteps of them.
std::int64_t stepsToDo(const SimulationOptions& options, const Scene& scene);

/// What a recording says of the run that it is of: the scene with all files that it names, and what
/// the command line changed.
RecordingInfo recordingInfo(const SceneSource& source, const Scene& scene,
                            const SimulationOptions& options, const SolverRegistry& registry);

/// The way back: what `run` had, beside the scene (scenes/scene_reader.h). Throws InputError,
/// naming the file, where it is damaged.
SimulationOptions recordedOptions(const RecordingInfo& info, const std::string& file);

/// Logs where another build wrote the recording: a repeated run may then differ in its bits.
void warnOfBuild(const RecordingInfo& info, const std::string& file);

/// Logs where the recording was not closed.
void warnOfRecording(const Recording& recording, const std::string& file);

/// The world's bodies must be the recorded ones; throws InputError where they are not.
void requireSameBodies(const Recording& recording, const World& world, const std::string& file);

}  // namespace drystone::cli
