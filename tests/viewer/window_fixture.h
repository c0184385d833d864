#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.h"
#include "tests/viewer/display.h"

namespace drystone::test {

/// One server for all tests of the process.
inline const Display& sharedDisplay() {
  static const Display display;
  return display;
}

/// The window of `drystone view` on a display without a screen, in a folder of its own.
class ViewerWindow : public testing::Test {
 protected:
  void SetUp() override {
    const std::string& problem = sharedDisplay().problem();
    if (!problem.empty())
      GTEST_SKIP() << "needs Xvfb and libX11, which scripts/setup installs: " << problem;
  }
  std::string folder() const { return scratch_.path(""); }
  void expectNoGlErrors(const ViewerProcess& viewer) const {
    for (const std::string& line : viewer.lines()) {
      EXPECT_FALSE(line.starts_with("gl error")) << line;
      EXPECT_FALSE(line.starts_with("error")) << line;
    }
  }

  Scratch scratch_;
};

}  // namespace drystone::test
