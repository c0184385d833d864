// SIGINT and SIGTERM end the window as they end other commands: in order, with 130.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "tests/viewer/window_fixture.h"
#include "viewer/render/child_process.h"

namespace drystone::test {
namespace {

namespace fs = std::filesystem;

/// Whether ffmpeg has written pictures, which it does a second's at a time. Waits for it.
bool hasWritten(const std::string& folder) {
  constexpr std::uintmax_t kHead = 4096;  // [bytes] more than a video without pictures has
  for (int i = 0; i < 600; ++i) {
    for (const auto& file : fs::directory_iterator(folder)) {
      if (file.path().extension() == ".part" && file.file_size() > kHead) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

class ViewerSignal : public ViewerWindow, public testing::WithParamInterface<int> {};

TEST_P(ViewerSignal, WhilePaused_ClosesTheWindowWith130) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused"});
  ASSERT_NE(viewer.waitFor("scene "), "") << viewer.errors();
  viewer.signal(GetParam());
  EXPECT_EQ(viewer.exitCode(15), 130) << viewer.errors();
  EXPECT_EQ(viewer.waitFor("closed", 0), "closed");
}

TEST_P(ViewerSignal, WithinAStepThatDoesNotEnd_ClosesTheWindowWith130) {
  ViewerProcess viewer(sharedDisplay(), folder(),
                       {"wall", "--solver", "nsgs", "--set", "tolerance=1e-15", "--set",
                        "max_iterations=2000000000", "--set", "check_every=1000000"});
  ASSERT_NE(viewer.waitFor("running"), "") << viewer.errors();
  viewer.waitFor("never", 1);
  viewer.signal(GetParam());
  EXPECT_EQ(viewer.exitCode(15), 130) << viewer.errors();
  EXPECT_EQ(viewer.waitFor("closed", 0), "closed within a step");
}

TEST_P(ViewerSignal, WhileAVideoIsRecorded_EndsItSoThatItPlays) {
  const std::string ffprobe = viewer::findProgram("ffprobe");
  if (viewer::findProgram("ffmpeg").empty() || ffprobe.empty())
    GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10"});
  ASSERT_NE(viewer.waitFor("running"), "") << viewer.errors();
  viewer.key("v");
  ASSERT_EQ(viewer.waitFor("recording"), "recording on");
  ASSERT_TRUE(hasWritten(folder())) << "a second of it is in the file";
  viewer.signal(GetParam());
  EXPECT_EQ(viewer.exitCode(15), 130) << viewer.errors();
  const std::string video = viewer.waitFor("video ", 0);
  ASSERT_NE(video, "");
  const std::string words =
      viewer::outputOf({ffprobe, "-v", "error", "-count_frames", "-show_entries",
                        "stream=nb_read_frames", "-of", "csv=p=0", folder() + video.substr(6)});
  int pictures = 0;
  ASSERT_EQ(std::sscanf(words.c_str(), "%d", &pictures), 1) << words;
  EXPECT_GT(pictures, 10);
}

INSTANTIATE_TEST_SUITE_P(View, ViewerSignal, testing::Values(SIGINT, SIGTERM),
                         [](const auto& one) { return one.param == SIGINT ? "Int" : "Term"; });

}  // namespace
}  // namespace drystone::test
