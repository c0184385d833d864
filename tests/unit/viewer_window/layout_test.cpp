#include "viewer/window/layout.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace drystone::viewer {
namespace {

namespace fs = std::filesystem;

TEST(Layout, WrittenAndReadAgain_IsTheSame) {
  Layout layout;
  layout.width = 1600;
  layout.left = 250;
  layout.panels = false;
  layout.foldRight = true;
  layout.open = {{"energy", true}, {"scene", false}};
  const fs::path folder = fs::path(testing::TempDir()) / "drystone_layout_test";
  fs::remove_all(folder);
  ASSERT_TRUE(saveLayout(layout, (folder / "deep" / "layout.ini").string()));
  const Layout read = loadLayout((folder / "deep" / "layout.ini").string());
  fs::remove_all(folder);
  EXPECT_EQ(layoutText(read), layoutText(layout));
  EXPECT_EQ(read.width, 1600);
  EXPECT_TRUE(read.foldRight);
  EXPECT_FALSE(read.foldLeft);
  EXPECT_TRUE(read.isOpen("energy", false));
  EXPECT_FALSE(read.isOpen("scene", true));
  EXPECT_TRUE(read.isOpen("other", true));
}

TEST(Layout, PlaceThatCannotBeWritten_IsNoError) {
  EXPECT_FALSE(saveLayout({}, "/proc/drystone/layout.ini"));
  EXPECT_FALSE(saveLayout({}, ""));
  EXPECT_EQ(layoutText(loadLayout("/proc/drystone/layout.ini")), layoutText({}));
}

TEST(Layout, NonsenseIsLeftAtTheDefault) {
  const Layout read = parseLayout(
      "width = -5\nheight = 1e99\nleft = nan\nright = 12 m\npanels = perhaps\n=\nopen.\nx = 1\n");
  EXPECT_EQ(layoutText(read), layoutText({}));
}

TEST(Layout, Path_FollowsTheFoldersOfTheUser) {
  const char* before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CONFIG_HOME", "/somewhere", 1);
  EXPECT_EQ(layoutPath(), "/somewhere/drystone/layout.ini");
  setenv("XDG_CONFIG_HOME", "relative", 1);
  EXPECT_EQ(layoutPath().find("relative"), std::string::npos);
  if (before == nullptr) {
    unsetenv("XDG_CONFIG_HOME");
  } else {
    setenv("XDG_CONFIG_HOME", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace drystone::viewer
