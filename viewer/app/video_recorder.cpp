#include "viewer/app/video_recorder.h"

#include "viewer/app/screenshot.h"

namespace drystone::viewer {
namespace {

constexpr double kPicturesPerSecond = 30;
constexpr std::chrono::milliseconds kPictureTime(1000 / 30);
// After a pause longer than this the video goes on where it is, without filling it in.
constexpr std::chrono::milliseconds kLongestGap(2000);

}  // namespace

void VideoRecorder::toggle(AppState& app, int width, int height) {
  if (writer_) {
    finish(app);
    return;
  }
  path_ = timestampedName("drystone", "mp4");
  width_ = width;
  height_ = height;
  try {
    writer_ = std::make_unique<VideoWriter>(
        path_,
        VideoSettings{.width = width, .height = height, .framesPerSecond = kPicturesPerSecond});
    if (!writer_->note().empty()) app.note(writer_->note());
    next_ = Clock::now();
    app.recordingVideo = true;
  } catch (const std::exception& error) {
    fail(app, error);
  }
}

void VideoRecorder::finish(AppState& app) {
  if (!writer_) return;
  try {
    writer_->finish();
    app.note("video " + path_);
    app.journal.say("video " + path_);
  } catch (const std::exception& error) {
    fail(app, error);
  }
  writer_.reset();
  app.recordingVideo = false;
}

bool VideoRecorder::due() const { return writer_ != nullptr && Clock::now() >= next_; }

void VideoRecorder::add(AppState& app, const Image& image) {
  // A video has one size.
  if (image.width != width_ || image.height != height_) {
    finish(app);
    return;
  }
  const Clock::time_point now = Clock::now();
  if (now - next_ > kLongestGap) next_ = now;
  try {
    for (; next_ <= now; next_ += kPictureTime) writer_->add(image);
  } catch (const std::exception& error) {
    fail(app, error);
    writer_.reset();
    app.recordingVideo = false;
  }
}

void VideoRecorder::fail(AppState& app, const std::exception& error) {
  app.note(error.what(), LogLine::Kind::kError);
  app.journal.say(std::string("error ") + error.what());
}

}  // namespace drystone::viewer
