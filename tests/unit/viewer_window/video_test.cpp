// Videos of the window.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/viewer_window/headless.h"
#include "viewer/window/video_clock.h"
#include "viewer/window/video_recorder.h"

namespace drystone::viewer::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

TEST(VideoClock, AMinuteOfPictures_IsAMinuteOfVideo) {
  const Clock::time_point start{};
  VideoClock clock(start);
  int pictures = 0;
  for (int i = 0; i <= 3600; ++i) {
    const auto now = start + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(i / 60.0 + 1e-9));
    if (clock.isDue(now)) pictures += clock.take(now);
  }
  EXPECT_EQ(pictures, 1801) << "and the one at its start";
}

TEST(VideoClock, SlowPictures_StandLonger) {
  const Clock::time_point start{};
  VideoClock clock(start);
  EXPECT_EQ(clock.take(start), 1);
  EXPECT_FALSE(clock.isDue(start + std::chrono::milliseconds(33)));
  EXPECT_EQ(clock.take(start + std::chrono::milliseconds(501)), 15);
}

TEST(VideoClock, LongPause_IsNotFilledIn) {
  const Clock::time_point start{};
  VideoClock clock(start);
  clock.take(start);
  EXPECT_EQ(clock.take(start + std::chrono::seconds(100)), 1);
  EXPECT_EQ(clock.take(start + std::chrono::seconds(101)), 30);
}

/// A working folder with a program ffmpeg that a test writes.
class Recorder : public testing::Test {
 protected:
  Recorder() {
    std::string pattern = (fs::temp_directory_path() / "drystone_video_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::current_path(folder_);
    setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  }
  ~Recorder() override {
    setenv("PATH", path_.c_str(), 1);
    fs::current_path(before_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  /// `commands` are run for each video.
  void writeFfmpeg(const std::string& commands) const {
    std::ofstream("ffmpeg") << "#!/bin/sh\ncase \"$*\" in *-encoders*) exit 0 ;; esac\n"
                            << commands << "\n";
    fs::permissions("ffmpeg", fs::perms::owner_all);
  }
  bool logHas(const std::string& text) const { return window_.logHas(text); }
  static Image blackImage() { return {640, 480, std::vector<std::uint8_t>(640 * 480 * 3)}; }

  VideoRecorder recorder;

 private:
  Headless window_{"bounce"};

 protected:
  AppState& app = window_.app;

 private:
  const fs::path before_ = fs::current_path();
  const std::string path_ = std::getenv("PATH");
  fs::path folder_;
};

TEST_F(Recorder, StoppedEncoder_HoldsUpNothing) {
  writeFfmpeg("exec sleep 1000");
  recorder.toggle(app, 640, 480);
  ASSERT_TRUE(app.recordingVideo);
  // None of this waits for the pictures, of which it takes none.
  for (int i = 0; i < 50; ++i) recorder.add(app, blackImage());
  recorder.update(app);
  EXPECT_TRUE(recorder.isActive());
  recorder.toggle(app, 640, 480);
  EXPECT_FALSE(app.recordingVideo);
  recorder.close(app, Clock::now() + std::chrono::milliseconds(50));
  EXPECT_TRUE(logHas("ffmpeg gave up (signal 9")) << "it is ended";
  EXPECT_FALSE(logHas("video drystone"));
}

TEST_F(Recorder, EncoderThatGivesUp_EndsTheVideoAndSaysWhy) {
  writeFfmpeg("exit 3");
  recorder.toggle(app, 640, 480);
  recorder.add(app, blackImage());
  EXPECT_TRUE(waitUntil([&] {
    recorder.update(app);
    return logHas("ffmpeg gave up (exit status 3)");
  }));
  EXPECT_FALSE(app.recordingVideo);
}

TEST_F(Recorder, SlowEncoder_IsWaitedForInTheBackground) {
  // It takes what comes, and after the last picture it is done when it may.
  writeFfmpeg(
      "for last; do :; done; cat > \"${last#file:}\"; until [ -e done ]; do sleep 0.01; done");
  recorder.toggle(app, 640, 480);
  recorder.add(app, blackImage());
  recorder.toggle(app, 640, 480);
  recorder.update(app);
  EXPECT_FALSE(logHas("video drystone")) << "not yet";
  std::ofstream("done");
  EXPECT_TRUE(waitUntil([&] {
    recorder.update(app);
    return logHas("video drystone");
  }));
}

TEST_F(Recorder, WindowWithoutASize_IsNotRecorded) {
  recorder.toggle(app, 0, 0);
  EXPECT_FALSE(recorder.isActive());
  EXPECT_TRUE(logHas("not shown"));
}

}  // namespace
}  // namespace drystone::viewer::test
