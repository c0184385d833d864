#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "apps/support/samples.h"
#include "engine/recording/recording.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// Walks through the recorded steps, a stretch of them in memory.
class StepWalk {
 public:
  explicit StepWalk(const Recording& recording) : recording_(recording) {}
  /// From 1. Valid until the next call.
  const RecordedStep& at(std::int64_t step) {
    constexpr std::int64_t kAtOnce = 1024;
    if (step < first_ || step >= first_ + std::ssize(steps_)) {
      first_ = step;
      steps_ = recording_.steps(step, kAtOnce);
    }
    return steps_[static_cast<std::size_t>(step - first_)];
  }

 private:
  const Recording& recording_;
  std::int64_t first_ = 0;
  std::vector<RecordedStep> steps_;
};

/// How far the bodies of a world are from those of a frame.
struct Deviation {
  std::int64_t step = 0;  ///< 0: the start
  Real distance = 0;      ///< largest of a centre of mass [m]; infinite where one is no number
  std::string body;       ///< the one with it; empty: none deviates
};

/// What came out of running a recording again.
struct ReplayResult {
  std::int64_t steps = 0;  ///< done again
  bool interrupted = false;

  // Of a comparison of hashes.
  std::optional<std::int64_t> firstDifferent;        ///< 0: the start itself
  std::uint64_t recordedHash = 0, replayedHash = 0;  ///< of that step, else of the last one

  // Of a comparison of places, at the frames that the recording has. A comparison of hashes has
  // the one of its first different step, if that is a frame.
  std::vector<Deviation> deviations;
  Samples recordedResidual, replayedResidual;  ///< natural map of the steps with a problem [m/s]
};

/// Called after each step with the steps done; true ends the replay.
using ReplayMonitor = std::function<bool(std::int64_t steps)>;

/// Runs the world through the recording's steps until a hash differs.
ReplayResult compareHashes(const Recording& recording, World& world, const ReplayMonitor& monitor);

/// Runs the world through the recording's steps and measures how far it goes another way.
ReplayResult compareMotion(const Recording& recording, World& world, const ReplayMonitor& monitor);

/// Recorded steps that hit a time limit: what they did depends on the machine. Recordings of older
/// programs do not say.
std::int64_t stepsTimeLimited(const Recording& recording);

/// The largest of them; null when there are none.
const Deviation* largestDeviation(const ReplayResult& result);

/// The first frame whose deviation is above the distance [m]; null: none.
const Deviation* firstBeyond(const ReplayResult& result, Real distance);

/// The same recording run again, and how.
struct ReplayReport {
  std::string file;
  const Recording& recording;
  const ReplayResult& result;
  const World& world;   ///< after the replay
  bool comparesHashes;  ///< else motion
};

/// The object of `replay --json`, two blanks a level.
std::string replayJson(const ReplayReport& report);

/// What `run` said at the end of the recorded run, from what the file holds. Runs nothing.
std::string recordedReport(const Recording& recording, const std::string& file);

/// What `replay` says for people.
std::string replayText(const ReplayReport& report);

}  // namespace drystone::cli
