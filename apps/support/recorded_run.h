#pragma once

#include "apps/support/run_setup.h"
#include "engine/recording/recording.h"
#include "engine/world/world.h"
#include "scenes/scene.h"
#include "scenes/scene_reader.h"
#include "solvers/driver/registry.h"

namespace drystone::cli {

/// What a recording says of the run that it is of: the scene with all files that it names, and what
/// the command line changed.
RecordingInfo recordingInfo(const SceneSource& source, const Scene& scene,
                            const SimulationOptions& options, const SolverRegistry& registry);

/// The way back: what `run` had, beside the scene (scenes/scene_reader.h). Throws InputError,
/// naming the file, where it is damaged.
SimulationOptions recordedOptions(const RecordingInfo& info, const std::string& file);

/// Logs what is doubtful about a recording: another build wrote it, or it was not closed.
void warnOfRecording(const Recording& recording, const std::string& file);

/// The world's bodies must be the recorded ones; throws InputError where they are not.
void requireSameBodies(const Recording& recording, const World& world, const std::string& file);

}  // namespace drystone::cli
