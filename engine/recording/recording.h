#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/observe/snapshot.h"
#include "engine/step/force_plates.h"
#include "engine/step/step_events.h"
#include "engine/step/step_report.h"

namespace drystone {

/// A file that a recorded scene names, with its content.
struct RecordedFile {
  std::string name{};  ///< as the scene names it
  std::string text{};
};

/// A joint as the recorded world had it at its start.
struct RecordedJoint {
  std::string name{};
  int bodyA = -1, bodyB = -1;  ///< index into Recording::bodies(); -1 for gears
  int geometry = 0;            ///< JointGeometry
};

/// Where a recording comes from: all that is needed to make its world again.
struct RecordingInfo {
  std::string version{}, build{};       ///< of the program that wrote it
  std::string scene{};                  ///< name
  std::string sceneLabel{};             ///< the file that the text came from
  std::string sceneText{};              ///< of the scene file
  std::vector<RecordedFile> files{};    ///< that the scene names
  std::string commandLine{};            ///< what it changed of the scene, JSON
  std::string settings{};               ///< all settings as used, JSON; for readers, not for replay
  std::vector<std::string> solvers{};   ///< names that RecordedStep::solver counts in
  std::vector<RecordedJoint> joints{};  ///< of the world at its start
  int every = 1;                        ///< steps between two frames
  int processes = 1;                    ///< that shared the world; 0: it was not simulated
};

struct RecordedBody {
  std::string name;
  BodyKind kind = BodyKind::kDynamic;
  Vec3 centerOfMass;  ///< in the reference frame [m]
};

/// One step of a recording. Of the report there is what docs/recording.md lists.
struct RecordedStep {
  StepReport report;
  std::uint64_t hash = 0;  ///< WorldObserver::hash() after the step
  int solver = -1;         ///< asked for; index into RecordingInfo::solvers
};

/// What files and arrays have in place of a reading that there is not: NaN for force and torque.
ForcePlateReading missingPlateReading();

/// Reads a recording, of a finished, killed or running program: all that was flushed when it was
/// opened. Not for two threads at a time. Throws InputError for files that are damaged or no
/// recordings.
class Recording {
 public:
  explicit Recording(const std::string& path);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  const RecordingInfo& info() const;
  /// All of the run is in the file. Else its program was killed, still runs, or could not write on.
  bool complete() const;
  const std::vector<RecordedBody>& bodies() const;
  std::uint64_t startHash() const;  ///< WorldObserver::hash() before the first step

  std::int64_t stepCount() const;
  /// Steps `first` to `first + count - 1`, counted from 1; shorter where the recording ends.
  std::vector<RecordedStep> steps(std::int64_t first, std::int64_t count) const;

  /// What a step, counted from 1, began and ended; contacts that last in steps with a frame only.
  StepEvents events(std::int64_t step) const;

  /// Frames are the start, every info().every-th step and the last one.
  std::int64_t frameCount() const;
  std::int64_t stepOfFrame(std::int64_t frame) const;  ///< 0: the start
  /// The frame of a step, or -1 where none was kept.
  std::int64_t frameOfStep(std::int64_t step) const;
  /// The world as WorldObserver::snapshot() gave it, frame 0 first, but for what the file does not
  /// hold: bounding boxes, joints, blocks of contacts, and who sleeps. Centres of mass up to
  /// round-off. Reuses the capacity of `out`.
  void frame(std::int64_t index, WorldSnapshot& out) const;

  /// Of all frames; files of older programs have none.
  const std::vector<ForcePlateDefinition>& forcePlates() const;
  /// What each of them read in the step before a frame, in its axes, without `contacts`. None where
  /// World::forcePlates() had no reading: before the first step, for example.
  std::vector<std::optional<ForcePlateReading>> plateReadings(std::int64_t frame) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone
