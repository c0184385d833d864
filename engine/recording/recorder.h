#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/recording/recording.h"
#include "engine/world/world.h"

namespace drystone {

/// Writes a world's run into a file that class Recording reads. The calling thread only copies; a
/// thread of the recorder hashes, packs and writes, and the caller waits when it falls far behind.
/// The world's bodies and force plates must stay the same: InputError at the first step with
/// others. What cannot be written throws std::runtime_error, from the next call on; until finish()
/// returned nothing is certain. After an error, std::bad_alloc too, the file holds what came
/// before, of a full disk what was flushed, and is not complete(). Further calls throw the same
/// error.
class Recorder {
 public:
  /// Makes the file, with the state of the world as its start.
  Recorder(const std::string& path, const RecordingInfo& info, const World& world);
  /// Likewise, where no World has all of it: from its first frame, whose bodies have these names.
  /// Such a recording takes the second addStep(), and finish() without a world.
  Recorder(const std::string& path, const RecordingInfo& info, std::span<const std::string> names,
           const WorldSnapshot& start, std::uint64_t startHash);
  /// Closes the file, as far as it got, unless finish() did.
  ~Recorder();
  Recorder(Recorder&&) noexcept;

  /// Adds the step that the world has just done.
  void addStep(const World& world);
  /// Adds a step with its frame, or without one: null. It has no events. The caller gives frames
  /// every info.every-th step, and that of the last one.
  void addStep(const RecordedStep& step, const WorldSnapshot* frame);
  /// Writes what is left, with the frame of the last step whatever its number, and closes the file.
  /// InputError where bodies or plates changed since that step and it has no frame yet.
  void finish(const World& world);
  /// Likewise, with the frames that were given.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone
