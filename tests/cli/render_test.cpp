#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

#ifdef DRYSTONE_HAS_VIEWER
#include "core/input_error.h"
#include "engine/recording/recording.h"
#include "viewer/render/child_process.h"
#include "viewer/render/image.h"
#endif

namespace drystone::test {
namespace {
namespace fs = std::filesystem;

#ifndef DRYSTONE_HAS_VIEWER

TEST(Render, WithoutTheViewer_SaysHowToGetIt) {
  const Scratch scratch;
  const ProgramResult result = drystone({"render", "stack_10", "--out", scratch.path("a.png")});
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_TRUE(result.errContains("DRYSTONE_BUILD_VIEWER")) << result.err;
}

#else

TEST(Render, Picture_HasItsSizeAndShowsTheScene) {
  const Scratch scratch;
  const std::string file = scratch.path("a.png");
  const ProgramResult result =
      drystone({"render", "stack_10", "--out", file, "--step", "0", "--size", "200x120"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("200 x 120")) << result.out;
  const viewer::Image image = viewer::readPng(file);
  EXPECT_EQ(image.width, 200);
  EXPECT_EQ(image.height, 120);
  const auto [low, high] = std::minmax_element(image.pixels.begin(), image.pixels.end());
  EXPECT_GT(*high - *low, 100) << "something stands out from the backdrop";
}

TEST(Render, PictureOfLaterStep_IsAnother) {
  const Scratch scratch;
  std::string scene = "bounce";
  const auto picture = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"render", scene,    "--out", scratch.path(name),
                                      "--size", "160x90", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    EXPECT_EQ(result.out + result.err, "");
    return viewer::readPng(scratch.path(name)).pixels;
  };
  const auto start = picture("a.png", {"--step", "0"});
  EXPECT_NE(picture("b.png", {"--step", "30"}), start);
  EXPECT_EQ(picture("c.png", {"--time", "0"}), start);
  EXPECT_NE(picture("d.png", {"--step", "0", "--camera", "5,-5,5,0,0,1,30"}), start);
  EXPECT_NE(picture("e.png", {"--step", "0", "--hide", "bodies"}), start);
  EXPECT_EQ(picture("a.png", {"--step", "0"}), start) << "written over, and the same bits";
  scene = scratch.write("shot.json", R"({"version": 1, "bodies": [
      {"shape": {"type": "sphere", "radius": 0.5}, "velocity": [100, 0, 0]}]})");
  EXPECT_NE(picture("f.png", {"--step", "60", "--hide", "ground"}),
            picture("g.png", {"--step", "60", "--hide", "ground,bodies,shadows"}));
}

TEST(Render, Recording_ShowsWhatTheSimulationDoes) {
  const Scratch scratch;
  const std::string recording = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "12", "--record", recording, "-q"}).exitCode,
            0);
  const auto picture = [&](const std::string& what, const std::string& name) {
    const ProgramResult result = drystone(
        {"render", what, "--out", scratch.path(name), "--size", "160x90", "--step", "12", "-q"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return viewer::readPng(scratch.path(name)).pixels;
  };
  EXPECT_EQ(picture(recording, "a.png"), picture("stack_10", "b.png"));
  const ProgramResult beyond =
      drystone({"render", recording, "--out", scratch.path("c.png"), "--time", "100"});
  EXPECT_EQ(beyond.exitCode, 2);
  EXPECT_TRUE(beyond.errContains("the recording ends at 0.2 s")) << beyond.err;
  const ProgramResult changed =
      drystone({"render", recording, "--out", scratch.path("c.png"), "--solver", "nsgs"});
  EXPECT_EQ(changed.exitCode, 2);
  EXPECT_TRUE(changed.errContains("--solver: a recording is drawn as it is")) << changed.err;
}

TEST(Render, ContactsByResidualOrGraph_LookOtherThanByState) {
  const Scratch scratch;
  // A few sweeps leave residuals that differ from contact to contact.
  const auto picture = [&](const std::string& words) {
    const ProgramResult result = drystone(
        {"render", "stack_10", "--solver", "sor-prox", "--set", "max_iterations=5", "--out",
         scratch.path("a.png"), "--size", "320x180", "--step", "20", "--show", words, "-q"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return viewer::readPng(scratch.path("a.png")).pixels;
  };
  const auto state = picture("contacts"), residuals = picture("residuals");
  EXPECT_NE(residuals, state);
  EXPECT_NE(picture("graph"), state);
  EXPECT_NE(picture("graph"), residuals);
  EXPECT_EQ(picture("contacts,residuals"), residuals);
}

TEST(Render, Legend_IsDrawnOverTheCornersAlone) {
  const Scratch scratch;
  const auto picture = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"render", "stack_10", "--out",  scratch.path("a.png"),
                                      "--size", "640x360",  "--step", "3",
                                      "--show", "impulses", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return viewer::readPng(scratch.path("a.png"));
  };
  const viewer::Image without = picture({}), with = picture({"--legend"});
  const auto differences = [&](int left, int right, int top, int bottom) {
    int count = 0;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        const auto at = static_cast<std::size_t>(3 * (y * 640 + x));
        if (!std::equal(with.pixels.begin() + at, with.pixels.begin() + at + 3,
                        without.pixels.begin() + at)) {
          ++count;
        }
      }
    }
    return count;
  };
  EXPECT_GT(differences(0, 200, 240, 360), 100) << "axes";
  EXPECT_GT(differences(440, 640, 240, 360), 1000) << "legends";
  EXPECT_EQ(differences(200, 440, 0, 360), 0);
}

TEST(Render, RecordingByResidualOrGraph_IsRefusedWithTheReason) {
  const Scratch scratch;
  const std::string recording = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "2", "--record", recording, "-q"}).exitCode, 0);
  for (const std::string word : {"residuals", "graph"}) {
    const ProgramResult result =
        drystone({"render", recording, "--out", scratch.path("a.png"), "--show", word});
    EXPECT_EQ(result.exitCode, 2) << result.err;
    EXPECT_TRUE(result.errContains("--show " + word + ": a recording does not hold")) << result.err;
    EXPECT_EQ(scratch.list("").size(), 1u);
  }
}

TEST(Render, Folder_HasAPictureForEachFrame) {
  const Scratch scratch;
  const std::string folder = scratch.path("frames");
  const std::vector<std::string> words = {"render", "stack_10", "--out", folder,   "--to",
                                          "0.2",    "--fps",    "10",    "--size", "64x48"};
  const ProgramResult result = drystone(words);
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(scratch.list("frames"),
            (std::vector<std::string>{"frame_00001.png", "frame_00002.png", "frame_00003.png"}));
  const ProgramResult again = drystone(words);
  EXPECT_EQ(again.exitCode, 0);
  EXPECT_TRUE(again.errContains("already holds 3 pictures")) << again.err;
}

TEST(Render, Video_IsShorterByTheSpeed) {
  if (viewer::findProgram("ffmpeg").empty())
    GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  const Scratch scratch;
  const std::string file = scratch.path("a.mp4");
  const ProgramResult result =
      drystone({"render", "stack_10", "--out", file, "--to", "0.4", "--fps", "10", "--speed", "2",
                "--size", "64x48", "--orbit", "30"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("3 pictures of 64 x 48 pixels")) << result.out;
  EXPECT_GT(fs::file_size(file), 500u);
}

TEST(Render, InterruptedVideo_IsPlayable) {
  if (viewer::findProgram("ffmpeg").empty())
    GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  const Scratch scratch;
  const std::string file = scratch.path("a.mp4");
  // ffmpeg has begun to write when its file holds a line's end, whatever that byte means there. It
  // writes in pieces of many pictures, and fills one soon where all moves and a step takes little.
  const std::vector<std::string> words{"render", "newtons_cradle", "--out",   file,      "--to",
                                       "3600",   "--size",         "320x240", "--orbit", "3600"};
  const ProgramResult result = drystoneInterrupted(words, SIGINT, file + ".part", 1);
  EXPECT_EQ(result.exitCode, 130) << result.err;
  EXPECT_TRUE(result.outContains("INTERRUPTED")) << result.out;
  EXPECT_FALSE(fs::exists(file + ".part"));
  const std::string found =
      viewer::outputOf({viewer::findProgram("ffprobe"), "-v", "error", "-count_frames",
                        "-show_entries", "stream=nb_read_frames", file});
  EXPECT_NE(found.find("nb_read_frames="), std::string::npos) << found;
}

TEST(Render, WithoutFfmpeg_NamesItAndMakesNothing) {
  const Scratch scratch;
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const ProgramResult result =
      drystone({"render", "stack_10", "--out", scratch.path("a.mp4"), "--to", "0.1"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_TRUE(result.errContains("install ffmpeg")) << result.err;
  EXPECT_TRUE(scratch.list("").empty());
}

TEST(Render, WithoutADriver_ExitsWith5AndNamesThePackage) {
  const Scratch scratch;
  setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
  const ProgramResult result =
      drystone({"render", "stack_10", "--out", scratch.path("a.png"), "--step", "0"});
  unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_TRUE(result.errContains("libegl-mesa0")) << result.err;
  EXPECT_TRUE(scratch.list("").empty());
}

TEST(Render, Display_IsNotNeeded) {
  const Scratch scratch;
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  EXPECT_EQ(drystone({"render", "stack_10", "--out", scratch.path("a.png"), "--step", "0", "--size",
                      "64x48"})
                .exitCode,
            0);
}

struct Mistake {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;
  std::string out = "a.png";
};
void PrintTo(const Mistake& one, std::ostream* out) { *out << one.name; }

class RenderMistake : public testing::TestWithParam<Mistake> {};

TEST_P(RenderMistake, ExitsWith2AndMakesNothing) {
  const Scratch scratch;
  std::vector<std::string> words = {"render", "stack_10", "--out", scratch.path(GetParam().out)};
  words.insert(words.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const ProgramResult result = drystone(words);
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_TRUE(result.errContains(GetParam().message)) << result.err;
  EXPECT_TRUE(scratch.list("").empty());
}

INSTANTIATE_TEST_SUITE_P(
    Cli, RenderMistake,
    testing::Values(
        Mistake{"Size", {"--size", "1280"}, "--size: must be WIDTHxHEIGHT"},
        Mistake{"SizeWithWords", {"--size", "axb"}, "got 'axb'"},
        Mistake{"SizeTooLarge", {"--size", "99999x10"}, "from 16 to 16384"},
        Mistake{"Show", {"--show", "contacts,impulse"}, "did you mean \"impulses\"?"},
        Mistake{"ShowTwoColorings", {"--show", "residuals,graph"}, "leave one of them out"},
        Mistake{"Hide", {"--hide", "shadow"}, "did you mean \"shadows\"?"},
        Mistake{"Color", {"--color", "sped"}, "did you mean \"speed\"?"},
        Mistake{"Camera", {"--camera", "1,2,3"}, "--camera: must be PX,PY,PZ"},
        Mistake{"CameraWithWords", {"--camera", "1,2,3,4,5,up"}, "--camera: must be"},
        Mistake{"CameraOnItsTarget", {"--camera", "1,2,3,1,2,3"}, "same place"},
        Mistake{"CameraTooWide", {"--camera", "1,2,3,4,5,6,180"}, "from 1 to 150 degrees"},
        Mistake{"Samples", {"--samples", "0"}, "--samples"},
        Mistake{"TimeAndStep", {"--time", "1", "--step", "2"}, "exclude each other"},
        Mistake{"PictureFrom", {"--from", "1"}, "--from is for videos"},
        Mistake{"PictureOrbit", {"--orbit", "10"}, "--orbit is for videos"},
        Mistake{"PictureRate", {"--fps", "60"}, "--fps is for videos"},
        Mistake{"PictureSpeed", {"--speed", "2"}, "--speed is for videos"},
        Mistake{"VideoStep", {"--step", "3"}, "--step is for one picture", "a.mp4"},
        Mistake{"VideoBackwards", {"--from", "2", "--to", "1"}, "nothing is left", "a.mp4"},
        Mistake{"VideoThatEndsInItsFirstStep",
                {"--from", "1", "--to", "0.001"},
                "nothing is left to draw from 1 s to 0 s",
                "a.mp4"},
        Mistake{"VideoTooLong", {"--to", "1e9"}, "at most 1e+06", "a.mp4"},
        Mistake{"GifTooFast", {"--fps", "60"}, "at most 50", "a.gif"},
        Mistake{"GifTooLarge", {"--to", "100"}, "take a smaller --size", "a.gif"},
        Mistake{"Ending", {}, "ends in '.avi'", "a.avi"},
        Mistake{"NoFolder", {}, "there is no folder", "none/a.png"},
        Mistake{"NoParent", {}, "there is no folder", "none/frames"}),
    [](const auto& one) { return one.param.name; });

TEST(Render, SceneFileAsOutput_IsRefusedAndStays) {
  const Scratch scratch;
  const std::string text =
      R"({"version": 1, "bodies": [{"shape": {"type": "sphere", "radius": 1}}]})";
  const std::string scene = scratch.write("scene.png", text);
  const ProgramResult result = drystone({"render", scene, "--out", scene, "--step", "0"});
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_TRUE(result.errContains("is the input file")) << result.err;
  EXPECT_EQ(readText(scene), text);
}

std::string bytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool hasFrame(const Recording& recording, std::int64_t frame) {
  try {
    WorldSnapshot snapshot;
    recording.frame(frame, snapshot);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Frames up to the first that cannot be read.
std::int64_t goodFrames(const Recording& recording) {
  std::int64_t frame = 0;
  while (frame < recording.frameCount() && hasFrame(recording, frame)) ++frame;
  return frame;
}

bool hasReports(const Recording& recording) {
  try {
    return std::ssize(recording.steps(1, recording.stepCount())) == recording.stepCount();
  } catch (const InputError&) {
    return false;
  }
}

/// Damages the file at one place after the other until what is left is as wanted.
template <class Wanted>
void damage(const std::string& path, Wanted wanted) {
  const std::string bytes = bytesOf(path);
  for (std::size_t at = 0; at + 16 <= bytes.size(); at += 8192) {
    std::string damaged = bytes.substr(at, 16);
    for (char& byte : damaged) byte = static_cast<char>(~byte);
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(at) << damaged;
    try {
      if (wanted(Recording(path))) return;
    } catch (const InputError&) {  // not even its start is good
    }
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(at)
        << bytes.substr(at, 16);
  }
  ADD_FAILURE() << "no such damage";
}

/// 400 steps fill two chunks of poses. A second of video at 10 pictures a second is 60 steps.
class DamagedRecording : public testing::Test {
 protected:
  DamagedRecording() : file_(scratch_.path("a.h5")) {
    EXPECT_EQ(drystone({"run", "stack_10", "--solver", "nsgs", "--set", "max_iterations=5",
                        "--steps", "400", "--record", file_, "-q"})
                  .exitCode,
              0);
  }
  ProgramResult render(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"render",           file_,    "--out",
                                      scratch_.path(out), "--size", "64x48"};
    words.insert(words.end(), more.begin(), more.end());
    return drystone(words);
  }
  Scratch scratch_;
  const std::string file_;
};

TEST_F(DamagedRecording, InAFrame_IsDrawnUpToThere) {
  damage(file_, [](const Recording& r) { return !hasFrame(r, 399) && hasFrame(r, 100); });
  const std::int64_t good = goodFrames(Recording(file_));
  ASSERT_GT(good, 100);
  const ProgramResult result = render("frames", {"--fps", "10"});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  const std::string step = std::to_string((good + 5) / 6 * 6);
  EXPECT_TRUE(result.errContains("the frame of step " + step + " is damaged")) << result.err;
  EXPECT_TRUE(result.errContains("the pictures end before it")) << result.err;
  EXPECT_EQ(std::ssize(scratch_.list("frames")), (good + 5) / 6);
  EXPECT_TRUE(result.outContains(std::to_string((good + 5) / 6) + " pictures"));
  // One that is asked for and cannot be had is an error, and another one is none.
  EXPECT_EQ(render("a.png", {"--step", "399"}).exitCode, 3);
  EXPECT_EQ(render("b.png", {"--step", "100"}).exitCode, 0);
  EXPECT_EQ(scratch_.list("").size(), 3u);
}

TEST_F(DamagedRecording, InItsReports_IsDrawnAsItIs) {
  damage(file_, [](const Recording& r) { return !hasReports(r) && goodFrames(r) == 401; });
  const ProgramResult result = render("frames", {"--fps", "10"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(scratch_.list("frames").size(), 67u);
}

TEST(Render, DamagedRecording_IsInvalidInput) {
  const Scratch scratch;
  const std::string file = scratch.write("a.h5", "\x89HDF\r\n\x1a\n and no more");
  const ProgramResult result = drystone({"render", file, "--out", scratch.path("a.png")});
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_TRUE(result.errContains("a.h5")) << result.err;
  EXPECT_EQ(scratch.list("").size(), 1u);
}

#endif

}  // namespace
}  // namespace drystone::test
