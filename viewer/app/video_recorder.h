#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "viewer/app/app_state.h"
#include "viewer/render/video.h"

namespace drystone::viewer {

/// Writes what the window shows as a video in the working folder, at the pace of the clock: slow
/// pictures are repeated.
class VideoRecorder {
 public:
  /// Ends the video that is being written, or starts one of that size [pixels]. Failures go to the
  /// log of the window.
  void toggle(AppState& app, int width, int height);
  void finish(AppState& app);
  /// Whether a picture is to be added now.
  bool due() const;
  void add(AppState& app, const Image& image);

 private:
  using Clock = std::chrono::steady_clock;

  void fail(AppState& app, const std::exception& error);

  std::unique_ptr<VideoWriter> writer_;
  std::string path_;
  int width_ = 0, height_ = 0;
  Clock::time_point next_;
};

}  // namespace drystone::viewer
