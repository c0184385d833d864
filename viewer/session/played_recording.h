#pragma once

#include <memory>
#include <string>

#include "engine/recording/recording.h"
#include "viewer/session/message_log.h"
#include "viewer/session/source.h"

namespace drystone::viewer {

/// A recording whose frames are shown one after the other. One that was not closed, or has a
/// damaged frame, plays up to its last good frame; where only the figures of a step are damaged,
/// its frame comes without them. The log says so.
class PlayedRecording final : public Source {
 public:
  /// Throws InputError when it is no recording, or not even its first frame is good.
  PlayedRecording(const std::string& path, MessageLog& log);

  SourceState state() const override;
  const SolverChoice& solver() const override { return solver_; }
  void frame(ViewFrame& out) const override { out = shown_; }
  void advance() override;
  void goBack(std::int64_t steps) override;
  /// Shows the frame of the step, or else the last one before it.
  void goTo(std::int64_t step) override;
  void restart() override { show(0); }

 private:
  /// Shows a frame, or the last good one before it where it is damaged.
  void show(std::int64_t index);
  /// Reads a frame into `coming_`.
  void read(std::int64_t index);
  /// Reads the figures of the step; where they are damaged, `coming_` has those of no step.
  void readFigures(std::int64_t step);
  void findNextStep();
  std::int64_t stepOf(std::int64_t frame) const { return start_ + recording_.stepOfFrame(frame); }

  std::string path_;
  MessageLog& log_;
  Recording recording_;
  SolverChoice solver_;
  ViewFrame shown_, coming_;
  std::int64_t start_ = 0;             // the recorded world's step at its first frame
  std::int64_t index_ = 0, last_ = 0;  // frame that is shown; last good one, as far as known
  Real nextStep_ = 0;                  // from this frame to the next [s]
  Real timestep_ = 0;                  // of the recorded world [s]
  bool figuresDamaged_ = false;        // of some step, and said
};

}  // namespace drystone::viewer
