// Damaged scenes: cut off at many places, and with bytes changed. Each is read or refused with an
// InputError; anything else (another exception, a crash, a hang) fails the test.

#include <gtest/gtest.h>

#include "engine/core/input_error.h"
#include "engine/core/random.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"

namespace drystone {
namespace {

/// Whether the text is a scene. Lets everything but an InputError through.
bool isAccepted(const std::string& text) {
  try {
    readSceneText(text, "damaged.json");
    return true;
  } catch (const InputError& error) {
    EXPECT_FALSE(error.problems().empty());
    EXPECT_FALSE(error.problems().front().empty());
    return false;
  }
}

class DamagedScene : public testing::TestWithParam<LibraryScene> {};

TEST_P(DamagedScene, CutOffAnywhere_IsRefused) {
  const std::string text(GetParam().text);
  const std::size_t end = text.rfind('}');  // what follows is only the last line's end
  for (std::size_t length = 0; length <= end; length += 3) {
    EXPECT_FALSE(isAccepted(text.substr(0, length))) << "cut at " << length;
  }
}

TEST_P(DamagedScene, ChangedBytes_NeverBreakTheReader) {
  Random random(1);
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random.uniform() * Real(count));
  };
  constexpr std::string_view kBytes = "{}[],:\"\\0123456789eE+-.$ntfu\n \x80\xff";
  for (int round = 0; round < 60; ++round) {
    std::string text(GetParam().text);
    for (int change = 0; change < 3; ++change)
      text[below(text.size())] = kBytes[below(kBytes.size())];
    isAccepted(text);
  }
}

TEST_P(DamagedScene, ReplacedValues_NeverBreakTheReader) {
  // Numbers become other things that parse, so that the checks behind the parser are reached.
  const std::string_view kValues[] = {"null", "-1", "1e300", "0",    "\"$x\"",
                                      "[]",   "{}", "1e18",  "\"\"", "true"};
  const std::string text(GetParam().text);
  Random random(2);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text.find_first_not_of("-0123456789.", at);
    if (end == at || end == std::string::npos) continue;
    const std::string_view value = kValues[static_cast<std::size_t>(random.uniform() * 10)];
    isAccepted(text.substr(0, at) + std::string(value) + text.substr(end));
    at = end;
  }
}

/// Large piles are made by the same generator as the small one, only slower.
std::vector<LibraryScene> quickScenes() {
  std::vector<LibraryScene> scenes;
  for (const LibraryScene& scene : libraryScenes()) {
    if (scene.name != "pile_4000" && scene.name != "pile_8000" && scene.name != "ball_grid_medium")
      scenes.push_back(scene);
  }
  return scenes;
}

INSTANTIATE_TEST_SUITE_P(Library, DamagedScene, testing::ValuesIn(quickScenes()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace drystone
