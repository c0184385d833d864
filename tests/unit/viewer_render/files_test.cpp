// Pictures and videos as files, and what is said when they cannot be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "core/input_error.h"
#include "core/random.h"
#include "tests/support/file_size_limit.h"
#include "viewer/render/child_process.h"
#include "viewer/render/offscreen.h"
#include "viewer/render/video.h"

namespace drystone::viewer::test {
namespace {
namespace fs = std::filesystem;

/// A folder that is removed at the end of the test.
class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "drystone_render_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Files() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  int fileCount() const {
    return static_cast<int>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

 private:
  fs::path folder_;
};

/// A picture without two pixels alike.
Image testImage(int width, int height) {
  Image image{width, height, {}};
  for (int i = 0; i < width * height; ++i) {
    for (int shift : {0, 3, 7}) image.pixels.push_back(static_cast<std::uint8_t>(i >> shift));
  }
  return image;
}

/// A picture that no format packs small.
Image noise(int width, int height, int seed) {
  Random random(seed);
  Image image{width, height, {}};
  for (int i = 0; i < 3 * width * height; ++i) {
    image.pixels.push_back(static_cast<std::uint8_t>(random.uniform(0, 256)));
  }
  return image;
}

/// Sets an environment variable for a test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~Environment() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

template <class Error>
std::string messageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST_F(Files, Png_ComesBackBitForBit) {
  const Image image = testImage(61, 17);
  writePng(image, path("a.png"));
  const Image back = readPng(path("a.png"));
  EXPECT_EQ(back.width, 61);
  EXPECT_EQ(back.height, 17);
  EXPECT_EQ(back.pixels, image.pixels);
  EXPECT_EQ(fileCount(), 1);
}

std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Files, OthersThatAreCalledPart_Stay) {
  const std::string others[] = {path("a.png.part"), path("a.png.part2")};
  for (const std::string& other : others) std::ofstream(other) << "mine";
  writePng(testImage(4, 4), path("a.png"));
  EXPECT_EQ(readPng(path("a.png")).width, 4);
  for (const std::string& other : others) EXPECT_EQ(textOf(other), "mine");
  EXPECT_EQ(fileCount(), 3);
  // Nor are they removed with what could not be written: a picture of no pixels.
  EXPECT_THROW(writePng(Image{}, path("b.png")), std::runtime_error);
  EXPECT_EQ(fileCount(), 3);
}

TEST_F(Files, PngThroughLinks_ReplacesWhatTheyPointToAndLeavesThem) {
  fs::create_directory(path("folder"));
  std::ofstream(path("folder/picture.png")) << "old";
  fs::create_symlink("picture.png", path("folder/inner.png"));
  fs::create_symlink(path("folder/inner.png"), path("outer.png"));
  writePng(testImage(5, 4), path("outer.png"));
  EXPECT_TRUE(fs::is_symlink(path("outer.png")));
  EXPECT_TRUE(fs::is_symlink(path("folder/inner.png")));
  EXPECT_FALSE(fs::is_symlink(path("folder/picture.png")));
  EXPECT_EQ(readPng(path("folder/picture.png")).width, 5);
  EXPECT_EQ(fileCount(), 2) << "nothing beside the link";
  // To what is not there yet.
  fs::create_symlink("later.png", path("folder/dangling.png"));
  writePng(testImage(6, 4), path("folder/dangling.png"));
  EXPECT_TRUE(fs::is_symlink(path("folder/dangling.png")));
  EXPECT_EQ(readPng(path("folder/later.png")).width, 6);
}

TEST_F(Files, PngIntoNoFolder_NamesPathAndReason) {
  const std::string words =
      messageOf<std::runtime_error>([&] { writePng(testImage(4, 4), path("none/a.png")); });
  EXPECT_NE(words.find("none/a.png"), std::string::npos) << words;
  EXPECT_NE(words.find("No such file"), std::string::npos) << words;
}

TEST_F(Files, PngOnAFullDisk_IsAnErrorAndTheDeviceStays) {
  const std::string words =
      messageOf<std::runtime_error>([&] { writePng(testImage(400, 400), "/dev/full"); });
  EXPECT_NE(words.find("No space left"), std::string::npos) << words;
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, WhatIsNoPng_IsRefusedWithItsPath) {
  std::ofstream(path("a.png")) << "not a picture";
  EXPECT_NE(messageOf<InputError>([&] { readPng(path("a.png")); }).find("a.png"),
            std::string::npos);
  EXPECT_NE(messageOf<InputError>([&] { readPng(path("b.png")); }).find("No such file"),
            std::string::npos);
}

/// What ffprobe says of a stream, `key=value` lines.
std::string probe(const std::string& file) {
  return outputOf({findProgram("ffprobe"), "-v", "error", "-count_frames", "-show_entries",
                   "stream=codec_name,width,height,pix_fmt,nb_read_frames,r_frame_rate", file});
}

class VideoFiles : public Files, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (findProgram("ffmpeg").empty()) GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  }
};

TEST_P(VideoFiles, HoldEveryPictureAtTheRateAskedFor) {
  const std::string file = path(std::string("a.") + GetParam());
  VideoWriter writer(file, {.width = 63, .height = 40, .framesPerSecond = 25});
  for (int i = 0; i < 7; ++i) writer.add(testImage(63, 40));
  EXPECT_FALSE(fs::exists(file)) << "only when it is whole";
  writer.finish();
  EXPECT_EQ(fileCount(), 1);
  const std::string words = probe(file);
  EXPECT_NE(words.find("nb_read_frames=7"), std::string::npos) << words;
  EXPECT_NE(words.find("r_frame_rate=25/1"), std::string::npos) << words;
  const bool gif = std::string(GetParam()) == "gif";
  // H.264 wants even sides.
  EXPECT_NE(words.find(gif ? "width=63" : "width=64"), std::string::npos) << words;
  EXPECT_NE(words.find("height=40"), std::string::npos) << words;
  EXPECT_NE(words.find(gif ? "pix_fmt=bgra" : "pix_fmt=yuv420p"), std::string::npos) << words;
}

TEST_P(VideoFiles, OnAFullDisk_AreAnErrorAndLeaveNothing) {
  const drystone::test::FileSizeLimit limit(
      20'000);  // [bytes] less than the film has, more than a disk's block
  const std::string file = path(std::string("a.") + GetParam());
  const std::string words = messageOf<std::runtime_error>([&] {
    VideoWriter writer(file, {.width = 160, .height = 120, .framesPerSecond = 25});
    for (int i = 0; i < 30; ++i) writer.add(noise(160, 120, i));
    writer.finish();
  });
  EXPECT_NE(words.find("cannot write '" + file + "': ffmpeg gave up"), std::string::npos) << words;
  EXPECT_EQ(fileCount(), 0);
}

TEST_P(VideoFiles, ThatAreNotFinishedLeaveNothing) {
  const std::string file = path(std::string("a.") + GetParam());
  { VideoWriter(file, {.width = 64, .height = 40}).add(testImage(64, 40)); }
  EXPECT_EQ(fileCount(), 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, VideoFiles, testing::Values("mp4", "gif"));

TEST_F(Files, FfmpegThatGivesUp_IsQuoted) {
  if (findProgram("ffmpeg").empty()) GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  const std::string words = messageOf<std::runtime_error>([&] {
    VideoWriter writer(path("none/a.mp4"), {.width = 640, .height = 480});
    for (int i = 0; i < 100; ++i) writer.add(testImage(640, 480));
    writer.finish();
  });
  EXPECT_NE(words.find("ffmpeg gave up"), std::string::npos) << words;
  EXPECT_NE(words.find("No such file"), std::string::npos) << words;
}

TEST_F(Files, FfmpegThatIsKilled_IsSaidToBe) {
  std::ofstream(path("ffmpeg"))
      << "#!/bin/sh\ncase \"$*\" in *-encoders*) exit 0 ;; esac\nkill -XFSZ $$\n";
  fs::permissions(path("ffmpeg"), fs::perms::owner_all);
  const Environment first("PATH", (path("") + ":" + std::getenv("PATH")).c_str());
  VideoWriter writer(path("a.mp4"), {.width = 64, .height = 48});
  const std::string words = messageOf<std::runtime_error>([&] { writer.finish(); });
  EXPECT_NE(words.find("ffmpeg gave up (signal 25: File size limit exceeded)"), std::string::npos)
      << words;
}

TEST_F(Files, LiveVideoThatIsCutOff_PlaysUpToThere) {
  if (findProgram("ffmpeg").empty()) GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  VideoWriter writer(path("a.mp4"), {.width = 320, .height = 240, .live = true});
  // Four seconds, of which the last may not be written yet.
  for (int i = 0; i < 120; ++i) writer.add(testImage(320, 240));
  const auto written = [&] {
    std::uintmax_t size = 0;
    for (const auto& file : fs::directory_iterator(path(""))) size += file.file_size();
    return size;
  };
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (std::uintmax_t before = 0; std::chrono::steady_clock::now() < latest;) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const std::uintmax_t now = written();
    if (now > 4096 && now == before) break;
    before = now;
  }
  writer.cutOff();
  writer.finish();
  const std::string words = probe(path("a.mp4"));
  int pictures = 0;
  std::sscanf(words.c_str() + std::min(words.find("nb_read_frames="), words.size()),
              "nb_read_frames=%d", &pictures);
  EXPECT_GE(pictures, 60) << words;
}

TEST_F(Files, WithoutFfmpeg_SaysWhatToInstallAndMakesNothing) {
  const Environment nowhere("PATH", "/nonexistent");
  const std::string words = messageOf<MissingProgramError>(
      [&] { VideoWriter(path("a.mp4"), {.width = 64, .height = 40}); });
  EXPECT_NE(words.find("install ffmpeg"), std::string::npos) << words;
  EXPECT_EQ(fileCount(), 0);
}

TEST_F(Files, FfmpegWithoutH264_GivesMpeg4AndANote) {
  if (findProgram("ffmpeg").empty()) GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  // Hides libx264 from the list of encoders and passes on all else.
  std::ofstream(path("ffmpeg")) << "#!/bin/sh\ncase \"$*\" in *-encoders*) exit 0 ;; esac\nexec "
                                << findProgram("ffmpeg") << " \"$@\"\n";
  fs::permissions(path("ffmpeg"), fs::perms::owner_all);
  {
    const Environment first("PATH", (path("") + ":" + std::getenv("PATH")).c_str());
    VideoWriter writer(path("a.mp4"), {.width = 64, .height = 48});
    EXPECT_NE(writer.note().find("libx264"), std::string::npos);
    for (int i = 0; i < 3; ++i) writer.add(testImage(64, 48));
    writer.finish();
  }
  EXPECT_NE(probe(path("a.mp4")).find("codec_name=mpeg4"), std::string::npos);
}

// As on a full disk, where ffmpeg may complain and end with 0 all the same.
TEST_F(Files, FfmpegThatComplainsAndEndsWell_IsAnError) {
  std::ofstream(path("ffmpeg")) << "#!/bin/sh\ncase \"$*\" in *-encoders*) exit 0 ;; esac\n"
                                   "cat >/dev/null\necho 'No space left on device' >&2\n";
  fs::permissions(path("ffmpeg"), fs::perms::owner_all);
  const Environment first("PATH", (path("") + ":" + std::getenv("PATH")).c_str());
  const std::string words = messageOf<std::runtime_error>([&] {
    VideoWriter writer(path("a.mp4"), {.width = 64, .height = 48});
    writer.add(testImage(64, 48));
    writer.finish();
  });
  EXPECT_NE(words.find("No space left on device"), std::string::npos) << words;
  EXPECT_EQ(fileCount(), 1) << "the program alone";
}

// In a process of its own: libraries that are loaded once stay.
TEST(OffscreenDeathTest, WithoutADriver_NamesThePackages) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
        try {
          OffscreenRenderer(32, 32);
          std::exit(1);
        } catch (const NoDisplayError& error) {
          std::fputs(error.what(), stderr);
          std::exit(0);
        }
      },
      testing::ExitedWithCode(0), "install libegl-mesa0 and libgl1-mesa-dri");
}

}  // namespace
}  // namespace drystone::viewer::test
