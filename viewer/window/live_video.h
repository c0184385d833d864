#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "viewer/render/video.h"

namespace drystone::viewer {

/// A video of the window that is being written, on a thread of its own: what ffmpeg is doing never
/// holds up the window. Where it is too slow, pictures are left out and others stand longer.
class LiveVideo {
 public:
  /// Throws as VideoWriter does.
  LiveVideo(const std::string& path, int width, int height, double picturesPerSecond);
  /// Cuts it off, if it is not over.
  ~LiveVideo();
  LiveVideo(const LiveVideo&) = delete;
  LiveVideo& operator=(const LiveVideo&) = delete;

  const std::string& path() const { return path_; }
  /// What the user should know of the choice of encoder; empty: nothing.
  const std::string& note() const { return writer_.note(); }
  /// The picture is in the video so many times.
  void add(std::shared_ptr<const Image> image, int times);
  /// No picture comes after this; returns at once.
  void end();
  /// Ends it by that time at the latest: what is not written by then is left out.
  void endBy(std::chrono::steady_clock::time_point time);

  struct Outcome {
    bool isOver = false;  ///< nothing happens any more
    bool isCut = false;   ///< ffmpeg was too slow to end it
    std::string problem;  ///< why there is no video; empty: there is
  };
  Outcome outcome() const;

 private:
  struct Picture {
    std::shared_ptr<const Image> image;
    int times = 1;
  };
  /// More would only take memory: a window of 4K is 25 MB a picture.
  static constexpr std::size_t kMostWaiting = 4;
  /// That a picture stands in for those which found no place; the rest is left out.
  static constexpr int kMostTimes = 60;

  void run();
  /// Writes pictures until the end.
  void write();

  const std::string path_;
  VideoWriter writer_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Picture> waiting_;
  bool ends_ = false;
  Outcome outcome_;
  std::thread thread_;
};

}  // namespace drystone::viewer
