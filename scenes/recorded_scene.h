#pragma once

#include "engine/recording/recording.h"
#include "scenes/scene.h"
#include "scenes/scene_reader.h"

namespace drystone {

/// By the first bytes of the file, and by its name where it is none of ours, empty or not there:
/// .h5 or .hdf5.
bool isRecording(const std::string& path);

/// The scene file that a recording holds, with the files that it names.
SceneSource recordedSource(const RecordingInfo& info);

/// The scene of a recording with what its command line changed of it, so that body i is the i-th
/// recorded one. The solver is left as the scene has it: it does not change what there is to see.
/// Throws InputError where the recording is damaged.
Scene readRecordedScene(const RecordingInfo& info);

}  // namespace drystone
