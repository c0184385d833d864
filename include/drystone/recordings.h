#pragma once

/// Runs of worlds as files. Read `internal/engine/recording/recorder.h` first; docs/recording.md
/// has the format, which is HDF5.
///
/// - `Recorder`: writes the run of a world. A thread of its own hashes, packs and writes.
/// - `Recording`: reads such a file: bodies and shapes, frames of poses and contacts, and for each
///   step its figures and the hash of its state.
/// - `RecordingInfo`: where a recording comes from, with the scene and all files that it names. So
///   the world can be made again, and a replay can be compared hash by hash. `recordingInfoOf` is
///   that of a world that code made: it can be drawn, but not replayed.
///
///     drystone::Recorder recorder("run.h5", drystone::recordingInfoOf(world), world);
///     for (int i = 0; i < 600; ++i) {
///       world.step();
///       recorder.addStep(world);
///     }
///     recorder.finish(world);
///
/// The world's bodies must stay the same while it is recorded. Until `Recorder::finish` returned
/// nothing is certain to be on the disk. What cannot be written throws std::runtime_error; what
/// cannot be read, or is damaged, throws InputError.
///
/// A recording holds frames of the world, not the states that a run could go on from: those are
/// `World::save`. Frames are at the ends of steps.
///
/// The program has the same: `drystone run SCENE --record FILE` writes, `drystone replay FILE`
/// simulates again and compares, `drystone view FILE` shows.
///
/// Times in s, poses and points in world axes in m, impulses in N s.

#include "engine/recording/recorder.h"
#include "engine/recording/recording.h"
#include "scenes/recorded_world.h"
