// The bits that scenes of the library end with are those of tests/data/hashes.md, whatever the type
// of the build.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "core/hash.h"
#include "core/random.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

struct StoredHash {
  std::string scene;
  std::vector<ParameterOverride> with;
  int steps = 0;
  std::string hash;
};

// How a failure names its scene.
void PrintTo(const StoredHash& stored, std::ostream* out) {
  *out << stored.scene << ", " << stored.steps << " steps";
}

/// Rows `| scene | KEY=VALUE ... | steps | `hash` |` of the file.
std::vector<StoredHash> storedHashes() {
  std::ifstream file(DRYSTONE_SOURCE_DIR "/tests/data/hashes.md");
  std::vector<StoredHash> hashes;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string bar;
    StoredHash stored;
    words >> bar >> stored.scene >> bar;
    for (std::string word; words >> word && word != "|";) {
      const std::size_t sign = word.find('=');
      if (sign == std::string::npos) continue;  // words of the page
      stored.with.push_back({word.substr(0, sign), word.substr(sign + 1)});
    }
    if (words >> stored.steps >> bar >> stored.hash) hashes.push_back(stored);
  }
  return hashes;
}

/// A hash of what the mathematical functions return. These differ in the last bit between versions
/// of the C library, and between processors with and without fused multiply-add.
std::uint64_t hashOfFunctions() {
  Random random(1);
  Hasher hasher;
  for (int i = 0; i < 10'000; ++i) {
    const Real x = random.uniform(-4, 4), y = random.uniform(-4, 4);
    for (const Real value : {std::sin(x), std::cos(x), std::tan(x), std::atan2(y, x), std::exp(x),
                             std::log(std::abs(x)), std::asin(x / 4), std::acos(x / 4),
                             std::pow(std::abs(x), y), std::hypot(x, y), std::cbrt(x)}) {
      hasher.bytes(&value, sizeof value);
    }
  }
  return hasher.value();
}

/// That of the machine on which the table was made.
constexpr std::uint64_t kFunctions = 0x049809e2b4d60812;

class StateHashes : public testing::TestWithParam<StoredHash> {};

TEST_P(StateHashes, OfAScene_IsTheStoredOne) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "hashes are stored for x86-64 alone";
#endif
  if (hashOfFunctions() != kFunctions) {
    GTEST_SKIP() << "mathematical functions have other bits here: " << hashText(hashOfFunctions());
  }
  World world =
      buildWorld(readScene(GetParam().scene, {.overrides = GetParam().with}), test::registry());
  for (int step = 0; step < GetParam().steps; ++step) world.step();
  EXPECT_EQ("`" + hashText(world.observe().hash()) + "`", GetParam().hash)
      << "where that is meant: scripts/renew_hashes REASON";
}

INSTANTIATE_TEST_SUITE_P(Scenes, StateHashes, testing::ValuesIn(storedHashes()),
                         [](const auto& one) { return one.param.scene; });

TEST(StateHashesFile, HasTwentyScenes) { EXPECT_GE(storedHashes().size(), 20u); }

}  // namespace
}  // namespace drystone
