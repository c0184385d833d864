#include "viewer/window/actions.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace drystone::viewer {
namespace {

TEST(Actions, NoKeyDoesTwoThings_AndAllHaveHelp) {
  std::set<std::string_view> keys;
  for (const Action& action : actions()) {
    EXPECT_FALSE(action.keys[0].empty());
    EXPECT_FALSE(action.help.empty());
    for (const std::string_view key : action.keys) {
      if (key.empty()) continue;
      EXPECT_TRUE(keys.insert(key).second) << key;
    }
  }
}

TEST(Actions, AreFoundByBothKeys) {
  EXPECT_EQ(actionOfKey("Space"), ActionId::kPause);
  EXPECT_EQ(actionOfKey("P"), ActionId::kPause);
  EXPECT_EQ(actionOfKey("Shift+S"), ActionId::kPreviousSolver);
  EXPECT_EQ(actionOfKey("Ctrl+Q"), ActionId::kQuit);
  EXPECT_EQ(actionOfKey("Ctrl+Space"), std::nullopt);
  EXPECT_EQ(actionOfKey(""), std::nullopt);
}

TEST(Actions, KeyNames_AreThoseOfTheTable) {
  EXPECT_EQ(keyName("S", false, true), "Shift+S");
  EXPECT_EQ(keyName("Q", true, false), "Ctrl+Q");
  EXPECT_EQ(keyName("/", false, true), "?");
  EXPECT_EQ(keyName("=", false, true), "+");
  EXPECT_EQ(keyName("]", false, false), "]");
}

TEST(Actions, ManualHasEveryKeyWithItsHelp) {
  std::ifstream file(DRYSTONE_SOURCE_DIR "/docs/viewer.md");
  std::ostringstream manual;
  manual << file.rdbuf();
  for (const Action& action : actions()) {
    std::string row = "| `" + std::string(action.keys[0]) + "`";
    if (!action.keys[1].empty()) row += ", `" + std::string(action.keys[1]) + "`";
    row += " | " + std::string(action.help) + " |";
    EXPECT_NE(manual.str().find(row), std::string::npos) << row;
  }
  for (const MouseHelp& mouse : mouseHelp()) {
    const std::string row = "| " + std::string(mouse.how) + " | " + std::string(mouse.help) + " |";
    EXPECT_NE(manual.str().find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace drystone::viewer
