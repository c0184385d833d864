#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "viewer/render/image.h"

namespace drystone::viewer {

/// A program that is needed is not installed; `what()` says which one and its package.
class MissingProgramError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct VideoSettings {
  int width = 1280, height = 720;  ///< of each picture [pixels]
  double framesPerSecond = 30;
  /// Encoded while it is watched: fast rather than small, and what is cut off still plays.
  bool live = false;
};

/// A video made by the program ffmpeg: MP4 (H.264, or MPEG-4 part 2 where ffmpeg lacks it), or GIF
/// when the path ends in .gif. Appears under its name when it is complete.
class VideoWriter {
 public:
  /// Throws MissingProgramError before it makes anything.
  VideoWriter(const std::string& path, const VideoSettings& settings);
  ~VideoWriter();
  /// Throws std::runtime_error with ffmpeg's words when it gave up.
  void add(const Image& image);
  /// Waits for ffmpeg to end the file. Without it there is none.
  void finish();
  /// From another thread: add() and finish() wait for ffmpeg no longer. A live video is then kept
  /// up to its last second or so, any other is not finished.
  void cutOff();
  /// What the user should know of the choice of encoder; empty: nothing.
  const std::string& note() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::viewer
