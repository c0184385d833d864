#pragma once

#include <string_view>

#include "engine/recording/recording.h"
#include "engine/world/world.h"

namespace drystone {

/// The label of the scene of such a recording.
inline constexpr std::string_view kWorldOfProgram = "the world of a program";

/// What a recording says of a world that a program made, so that it can be drawn: as its scene the
/// bodies, where they are now, with their shapes and masses. `drystone view` and `drystone render`
/// show it. `drystone replay` refuses it: joints, materials and what the program does to the world
/// are not in it. Of a world from which bodies were removed there is no scene, and `view` and
/// `render` refuse its recording. `version`, `build` and `every` are the caller's to set.
///
///     RecordingInfo info = recordingInfoOf(world);
///     info.every = 8;
///     Recorder recorder("run.h5", info, world);
///
/// Names that two bodies share are left to the first of them, since those of a scene are unique.
RecordingInfo recordingInfoOf(const World& world);

/// Whether a recording holds such a scene.
inline bool isWorldOfProgram(const RecordingInfo& info) {
  return info.sceneLabel == kWorldOfProgram;
}

}  // namespace drystone
