#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/window/app_state.h"
#include "viewer/window/live_video.h"
#include "viewer/window/video_clock.h"

namespace drystone::viewer {

/// A file in the working folder that is not there yet: drystone-2024-05-31-142233.png. `taken` are
/// those that will be.
std::string timestampedName(const std::string& stem, const std::string& extension,
                            const std::vector<std::string>& taken = {});

/// Writes what the window shows as a video in the working folder, at the pace of the clock: slow
/// pictures are repeated. Nothing here waits for ffmpeg, but close().
class VideoRecorder {
 public:
  /// Ends the video that is being written, or starts one of that size [pixels]. What comes of it is
  /// told by update().
  void toggle(AppState& app, int width, int height);
  /// Whether a picture is to be added now.
  bool isDue() const;
  void add(AppState& app, const Image& image);
  /// Tells in the log of the window which videos are done, or failed.
  void update(AppState& app);
  /// Whether pictures go into a video.
  bool isActive() const { return video_ != nullptr; }
  /// No more pictures; returns at once.
  void end(AppState& app);
  /// Ends all videos by that time.
  void close(AppState& app, VideoClock::Time time);

 private:
  std::unique_ptr<LiveVideo> video_;  ///< that pictures go to
  std::optional<VideoClock> clock_;
  int width_ = 0, height_ = 0;
  std::vector<std::unique_ptr<LiveVideo>> ending_;
};

}  // namespace drystone::viewer
