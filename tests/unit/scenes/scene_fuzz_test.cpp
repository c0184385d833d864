// Damaged scenes: cut off at many places, and with bytes changed. Each is read or refused with an
// InputError; anything else (another exception, a crash, a hang) fails the test.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "core/random.h"
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

/// To a scene: long ones, which take longest to read, are damaged at places far from each other.
constexpr std::size_t kMostDamages = 250;

class DamagedSceneOf : public testing::TestWithParam<LibraryScene> {};

TEST_P(DamagedSceneOf, CutOffAnywhere_IsRefused) {
  const std::string text(GetParam().text);
  const std::size_t end = text.rfind('}');  // what follows is only the last line's end
  const std::size_t distance = std::max<std::size_t>(3, end / kMostDamages);
  for (std::size_t length = 0; length <= end; length += distance) {
    EXPECT_FALSE(isAccepted(text.substr(0, length))) << "cut at " << length;
  }
}

TEST_P(DamagedSceneOf, ChangedBytes_NeverBreakTheReader) {
  Random random(1);
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random.uniform() * Real(count));
  };
  constexpr std::string_view kBytes = "{}[],:\"\\0123456789eE+-.$ntfu\n \x80\xff";
  for (int round = 0; round < 200; ++round) {
    std::string text(GetParam().text);
    for (int change = 0; change < 3; ++change)
      text[below(text.size())] = kBytes[below(kBytes.size())];
    isAccepted(text);
  }
}

TEST_P(DamagedSceneOf, ReplacedValues_NeverBreakTheReader) {
  // Numbers become other things that parse, so that the checks behind the parser are reached.
  const std::string_view kValues[] = {"null", "-1", "1e300", "0",    "\"$x\"",
                                      "[]",   "{}", "1e18",  "\"\"", "true"};
  const std::string text(GetParam().text);
  std::vector<std::pair<std::size_t, std::size_t>> numbers;  // from, to
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text.find_first_not_of("-0123456789.", at);
    if (end == at || end == std::string::npos) continue;
    numbers.emplace_back(at, end);
    at = end;
  }
  Random random(2);
  const std::size_t distance = numbers.size() / kMostDamages + 1;
  for (std::size_t i = 0; i < numbers.size(); i += distance) {
    const auto [at, end] = numbers[i];
    const std::string_view value = kValues[static_cast<std::size_t>(random.uniform() * 10)];
    isAccepted(text.substr(0, at) + std::string(value) + text.substr(end));
  }
}

/// What the library's scenes have not: every shape, joints, pairs, motion, masses, orientations.
constexpr LibraryScene kSceneOfEveryKind = {"every_kind", R"({"version": 1, "name": "every_kind",
  "parameters": {"x": {"default": 2, "min": -5, "max": 5, "integer": true}},
  "world": {"gravity": [0, "$x", -9.81], "stabilization": {"stiffness": 1e6, "damping": 1e3}},
  "solver": {"name": "nsgs", "fallback": "bpp", "max_iterations": 50, "settings": {"check_every": 5}},
  "materials": {"ice": {"friction": 0.02}, "wood": {"restitution": 0.5, "compliance": 1e-8}},
  "pairs": [{"a": "ice", "b": "wood", "friction": 0.1}],
  "shapes": {"c": {"type": "capsule", "radius": 1, "half_length": 2}, "k": {"type": "cone", "radius": 1, "height": 2},
    "e": {"type": "ellipsoid", "half_axes": [3, 2, 1]},
    "h": {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], "scale": [2, 1, 1]},
    "f": {"type": "heightfield", "columns": 3, "rows": 2, "spacing": [0.5, 1], "heights": [0, 1, 2, 3, 4, 5]},
    "o": {"type": "compound", "children": [{"shape": {"type": "sphere", "radius": 1}, "position": [1, 0, 0]},
      {"shape": {"type": "cylinder", "radius": 2, "half_length": 1}, "orientation": {"euler_deg": [10, 20, 30]}}]}},
  "bodies": [{"name": "a", "shape": "c", "mass": 2, "inertia": [3, 4, 5, 0.1, 0.2, 0.3], "orientation": [0.6, 0, 0.8, 0]},
    {"name": "b", "shape": "o", "density": 20, "material": "ice", "forces": [{"time": 1}, {"time": 2, "force": [0, 5, 0]}], "group": 2, "mask": 3, "velocity": [1, 2, 3]},
    {"name": "l", "shape": "h", "mass": 7, "orientation": {"axis": [0, 1, 1], "angle_deg": 30}},
    {"name": "d", "shape": "f", "kind": "static"}, {"name": "e", "shape": "k", "kind": "kinematic",
     "motion": [{"time": 0, "velocity": [1, 0, 0]}, {"time": 2.5, "angular_velocity": [0, 0, 1]}]}],
  "joints": [{"type": "ball", "body_a": "a", "body_b": "b", "anchor": [1, 0, 0], "compliance": 1e-9},
    {"type": "ball", "body_a": "b", "body_b": "l", "anchor_a": [0, 0, 1], "anchor_b": [0, 0, -1], "collide": true}],
  "generators": [{"type": "replicate", "counts": [2, 2, 1], "offsets": [[9, 0, 0], [0, 9, 0]], "bodies": [{"shape": "h"}]}],
  "camera": {"position": [1, 2, 3], "up": [0, 1, 0]}, "output": {"every": 5}})"};

TEST(DamagedScene, EveryKindIsASceneBeforeItIsDamaged) {
  EXPECT_TRUE(isAccepted(std::string(kSceneOfEveryKind.text)));
}

/// Large piles are made by the same generator as the small one, only slower.
std::vector<LibraryScene> quickScenes() {
  std::vector<LibraryScene> scenes = {kSceneOfEveryKind};
  for (const LibraryScene& scene : libraryScenes()) {
    const std::string_view name = scene.name;
    const bool isLarge = name == "pile_4000" || name == "pile_8000" ||
                         (name.starts_with("ball_") && name != "ball_grid_small");
    if (!isLarge) scenes.push_back(scene);
  }
  return scenes;
}

INSTANTIATE_TEST_SUITE_P(Library, DamagedSceneOf, testing::ValuesIn(quickScenes()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace drystone
