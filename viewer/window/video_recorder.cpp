#include "viewer/window/video_recorder.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace drystone::viewer {

std::string timestampedName(const std::string& stem, const std::string& extension,
                            const std::vector<std::string>& taken) {
  const std::string start =
      fmt::format("{}-{:%Y-%m-%d-%H%M%S}", stem, fmt::localtime(std::time(nullptr)));
  std::string name = start + "." + extension;
  std::error_code error;
  for (int i = 2; std::filesystem::exists(name, error) || std::ranges::count(taken, name) > 0;
       ++i) {
    name = fmt::format("{}-{}.{}", start, i, extension);
  }
  return name;
}

namespace {

using Clock = std::chrono::steady_clock;

void tell(AppState& app, const LiveVideo& video, const LiveVideo::Outcome& outcome) {
  if (!outcome.problem.empty()) {
    app.note(outcome.problem, LogLine::Kind::kError);
    return;
  }
  if (outcome.isCut) {
    app.note(video.path() + ": ffmpeg was too slow to end it; its last second or so is lost",
             LogLine::Kind::kWarning);
  }
  app.note("video " + video.path());
  app.journal.say("video " + video.path());
}

}  // namespace

void VideoRecorder::toggle(AppState& app, int width, int height) {
  if (isActive()) {
    end(app);
    return;
  }
  if (width < 1 || height < 1) {
    app.note("a window that is not shown cannot be recorded", LogLine::Kind::kWarning);
    return;
  }
  try {
    std::vector<std::string> taken;
    for (const auto& video : ending_) taken.push_back(video->path());
    video_ = std::make_unique<LiveVideo>(timestampedName("drystone", "mp4", taken), width, height,
                                         VideoClock::kPicturesPerSecond);
  } catch (const std::exception& error) {
    app.note(error.what(), LogLine::Kind::kError);
    return;
  }
  if (!video_->note().empty()) app.note(video_->note());
  width_ = width;
  height_ = height;
  clock_.emplace(Clock::now());
  app.recordingVideo = true;
}

bool VideoRecorder::isDue() const { return video_ && clock_->isDue(Clock::now()); }

void VideoRecorder::add(AppState& app, const Image& image) {
  // A video has one size.
  if (image.width != width_ || image.height != height_) {
    end(app);
    return;
  }
  video_->add(std::make_shared<Image>(image), clock_->take(Clock::now()));
}

void VideoRecorder::end(AppState& app) {
  if (!video_) return;
  video_->end();
  ending_.push_back(std::move(video_));
  app.recordingVideo = false;
}

void VideoRecorder::update(AppState& app) {
  if (video_ && video_->outcome().isOver) end(app);  // ffmpeg gave up
  std::erase_if(ending_, [&](const std::unique_ptr<LiveVideo>& video) {
    const LiveVideo::Outcome outcome = video->outcome();
    if (outcome.isOver) tell(app, *video, outcome);
    return outcome.isOver;
  });
}

void VideoRecorder::close(AppState& app, VideoClock::Time time) {
  end(app);
  for (const auto& video : ending_) video->endBy(time);
  update(app);
}

}  // namespace drystone::viewer
