#include "viewer/window/live_video.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace drystone::viewer {

LiveVideo::LiveVideo(const std::string& path, int width, int height, double picturesPerSecond)
    : path_(path),
      writer_(
          path,
          {.width = width, .height = height, .framesPerSecond = picturesPerSecond, .live = true}),
      thread_([this] { run(); }) {}

LiveVideo::~LiveVideo() {
  endBy(std::chrono::steady_clock::now());
  thread_.join();
}

void LiveVideo::add(std::shared_ptr<const Image> image, int times) {
  {
    const std::scoped_lock lock(mutex_);
    if (ends_ || outcome_.isOver) return;
    if (waiting_.size() < kMostWaiting) {
      waiting_.push_back({std::move(image), times});
    } else {
      waiting_.back().times = std::min(waiting_.back().times + times, kMostTimes);
    }
  }
  changed_.notify_all();
}

void LiveVideo::end() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
}

void LiveVideo::endBy(std::chrono::steady_clock::time_point time) {
  end();
  std::unique_lock lock(mutex_);
  const auto isOver = [this] { return outcome_.isOver; };
  if (changed_.wait_until(lock, time, isOver)) return;
  outcome_.isCut = true;
  writer_.cutOff();
  changed_.wait(lock, isOver);
}

LiveVideo::Outcome LiveVideo::outcome() const {
  const std::scoped_lock lock(mutex_);
  return outcome_;
}

void LiveVideo::run() {
  std::string problem;
  try {
    write();
    writer_.finish();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  {
    const std::scoped_lock lock(mutex_);
    outcome_.isOver = true;
    outcome_.problem = std::move(problem);
    waiting_.clear();
  }
  changed_.notify_all();
}

void LiveVideo::write() {
  while (true) {
    Picture picture;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty() || outcome_.isCut) return;
      picture = std::move(waiting_.front());
      waiting_.pop_front();
    }
    for (int i = 0; i < picture.times; ++i) writer_.add(*picture.image);
  }
}

}  // namespace drystone::viewer
