#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/observe/snapshot_part.h"
#include "engine/recording/recording.h"

namespace drystone {

/// Writes the file of a Recorder from all processes of MPI: each writes a part of every frame, in
/// the calling thread. All processes make one and call the same functions with the same values but
/// for their parts of a frame. What cannot be written throws std::runtime_error, maybe on some of
/// them alone: the program must then end. A kill leaves what was flushed, unless it meets a flush.
class SharedRecorder {
 public:
  /// Whether this build can: whether HDF5 was built for MPI (CMake: DRYSTONE_PARALLEL_HDF5).
  static bool isAvailable();

  /// Makes the file. The names are those of all bodies. Throws InputError where this build cannot.
  SharedRecorder(const std::string& path, const RecordingInfo& info,
                 std::span<const std::string> names, const SnapshotPart& start,
                 std::uint64_t startHash);
  ~SharedRecorder();
  SharedRecorder(SharedRecorder&&) noexcept;

  /// Adds a step with this process's part of its frame, or without one: null. It has no events.
  void addStep(const RecordedStep& step, const SnapshotPart* frame);
  /// Brings to the disk what was added: a kill loses what came after.
  void flush();
  /// Closes the file.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone
