#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/scene.h"

namespace drystone {

struct RecordingInfo;
class SolverRegistry;

/// Replaces one value of a scene before it is read. `path` is the dotted place in the file, such as
/// `world.timestep`, `solver.tolerance` or `bodies.lid.mass` (list elements by name or index), or
/// `scene.NAME` for a parameter. `value` is JSON; text that is no JSON is a string.
struct ParameterOverride {
  std::string path{};
  std::string value{};
};

struct SceneReadOptions {
  std::vector<ParameterOverride> overrides{};  ///< applied in order
  /// When given, the solver's name, its fallback and its settings are checked as well.
  const SolverRegistry* registry = nullptr;
  /// Files that the scene names, in place of those on disk.
  std::span<const SceneFile> attachments{};
  /// False: Scene::warnings stays empty, and what only warns is not looked for.
  bool warns = true;
};

/// A scene before it is read.
struct SceneSource {
  std::string text{};
  std::string label{};                   ///< stands for the file in messages
  std::string directory{};               ///< of files that the scene names; empty: it may name none
  std::vector<SceneFile> attachments{};  ///< files that it names, in place of those on disk
};

/// The largest number of bodies that a scene may hold, generators included.
constexpr int kMaxSceneBodies = 1'000'000;

/// Reads a scene file, or a scene of the library by its name. An argument that holds a slash or
/// ends in `.json` is a file; else the library is searched first. The format: docs/scene_format.md.
/// Throws InputError with every problem found, each as `FILE:line:column /json/pointer: what`.
Scene readScene(const std::string& pathOrLibraryName, const SceneReadOptions& options = {});

/// Reads a scene from its text. `label` stands for the file in messages; files that the scene names
/// are relative to `directory` (empty: it may name none).
Scene readSceneText(std::string_view text, const std::string& label,
                    const SceneReadOptions& options = {}, const std::string& directory = "");

/// What readScene() would read.
SceneSource findScene(const std::string& pathOrLibraryName);
Scene readScene(const SceneSource& source, const SceneReadOptions& options = {});

/// The words of the keys `policy` and `condense` of a scene's `solver`, by their values.
inline constexpr std::array<std::string_view, 3> kPolicyNames = {"keep_best", "fallback", "stop"};
inline constexpr std::array<std::string_view, 3> kCondensationNames = {"auto", "never", "always"};

/// The keys of `solver` in a scene that bound its solves. For `solver.KEY` in the file `--set`
/// takes `KEY`, too.
inline constexpr std::array<std::string_view, 4> kBudgetKeys = {"tolerance", "max_iterations",
                                                                "time_limit_s", "budget_ms"};
bool isBudgetKey(std::string_view key);

/// The solver's setting that a key of `--set` means: a key without a dot but those of kBudgetKeys,
/// `solver.settings.KEY`, or `solver.KEY` unless KEY is one of the scene file's own there. All
/// other keys are places in the file, as ParameterOverride::path has them.
std::optional<std::string> solverSetting(const std::string& key);

/// What replaces the seeds of the scene's random generators; empty: nothing in it is random. The
/// text must be JSON.
std::vector<ParameterOverride> seedOverrides(const SceneSource& scene, std::int64_t seed);

/// Whether a file is a recording, by its first bytes; by its name, .h5 or .hdf5, where it is none
/// of ours, empty or not there.
bool isRecording(const std::string& path);

/// The scene file that a recording holds, with the files that it names. Throws InputError where it
/// holds none.
SceneSource recordedSource(const RecordingInfo& info);

/// The scene of a recording with what its command line changed of it, so that body i is the i-th
/// recorded one. The solver is left as the scene has it: it does not change what there is to see.
/// Throws InputError where the recording is damaged.
Scene readRecordedScene(const RecordingInfo& info);

}  // namespace drystone
