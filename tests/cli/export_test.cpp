#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

/// A recording of a scene, and its folder.
struct Recorded {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5");
  explicit Recorded(const std::string& scene = "stack_10", const std::string& steps = "30") {
    const ProgramResult run = drystone({"run", scene, "--steps", steps, "--record", file, "-q"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
  }
};

TEST(Export, Html_IsOnePageOfTheFrames) {
  const Recorded recorded;
  const std::string page = recorded.scratch.path("a.html");
  const ProgramResult result = drystone({"export", recorded.file, "--html", page});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(page + ": 16 frames, ")) << "30 of 60 a second, and the start";
  EXPECT_THAT(readText(page), HasSubstr("<title>stack_10"));
  const ProgramResult all =
      drystone({"export", recorded.file, "--html", page, "--fps", "60", "--from", "0.1"});
  EXPECT_THAT(all.out, HasSubstr("25 frames")) << "steps 6 to 30, over the page that was there";
}

TEST(Export, WrongWords_AreRefusedBeforeAnythingIsWritten) {
  const Recorded recorded("stack_10", "5");
  const std::string& file = recorded.file;
  const std::string page = recorded.scratch.path("a.html");
  const ProgramResult nothing = drystone({"export", file});
  EXPECT_EQ(nothing.exitCode, 2);
  EXPECT_TRUE(nothing.errContains("--html")) << nothing.err;
  const ProgramResult onto = drystone({"export", file, "--html", file});
  EXPECT_EQ(onto.exitCode, 2);
  EXPECT_TRUE(onto.errContains("--html")) << onto.err;
  const ProgramResult nowhere =
      drystone({"export", file, "--html", recorded.scratch.path("none/a.html")});
  EXPECT_EQ(nowhere.exitCode, 2);
  EXPECT_EQ(drystone({"export", file, "--html", page, "--from", "2", "--to", "1"}).exitCode, 2);
  EXPECT_EQ(drystone({"export", file, "--html", page, "--fps", "0"}).exitCode, 2);
  const ProgramResult beyond = drystone({"export", file, "--html", page, "--from", "2"});
  EXPECT_EQ(beyond.exitCode, 3);
  EXPECT_TRUE(beyond.errContains("it reaches from 0 to 0.08")) << beyond.err;
  EXPECT_FALSE(fs::exists(page));
}

// Where there is a browser: the page draws, without an error, and says when.
TEST(Export, Html_DrawsInABrowser) {
  const char* browser = nullptr;
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/google-chrome"}) {
    if (fs::exists(path)) browser = path;
  }
  if (browser == nullptr) GTEST_SKIP() << "there is no chromium";
  const Recorded recorded("crane", "120");
  const std::string page = recorded.scratch.path("a.html"), dump = recorded.scratch.path("dump");
  ASSERT_EQ(drystone({"export", recorded.file, "--html", page, "-q"}).exitCode, 0);
  const std::string command =
      "timeout 100 " + std::string(browser) +
      " --headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader"
      " --virtual-time-budget=5000 --user-data-dir=" +
      recorded.scratch.path("profile") + " --dump-dom 'file://" + page +
      "#time=1&points&impulses&cones' > " + dump + " 2> /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string dom = readText(dump);
  EXPECT_THAT(dom, HasSubstr("data-loaded=\"")) << "the first picture was drawn";
  EXPECT_THAT(dom, testing::Not(HasSubstr("data-failed")));
  EXPECT_THAT(dom, HasSubstr("1.000 / 2.00 s"));
}

}  // namespace
}  // namespace drystone::test
