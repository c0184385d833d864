// `drystone derive`: closed forms, what it says, its JSON and its exit codes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

/// A box of 2 kg that slides 3 m/s fast on a plane, with μ = 0.4 and g = 10 m/s².
std::string writeSlide(const Scratch& scratch, const std::string& more = "") {
  return scratch.write("slide.json", R"({"version": 1, "name": "slide",
    "materials": {"floor": {"friction": 0.8}, "wood": {"friction": 0.2}},
    "world": {"gravity": [0, 0, -10], "timestep": 0.01, "sleeping": {}},
    "bodies": [
      {"name": "ground", "kind": "static", "material": "floor", "shape": {"type": "plane"}},
      {"name": "box.1", "mass": 2, "material": "wood", "position": [0, 0, 0.1],
       "velocity": [3, 0, 0], )" + more + R"(
       "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.1]}}]})");
}

/// After 50 steps v = v₀ − √(0.8 μ) g t and x = v₀ t − √(0.8 μ) g h² N (N + 1)/2. By μ the root
/// grows by 0.4/0.4 = 1, and 2 N in each step add t.
TEST(Derive, OfASlide_IsThatOfTheClosedForm) {
  const Scratch scratch;
  std::vector<std::string> words{"derive", writeSlide(scratch), "--steps", "50", "--json"};
  for (const char* of : {"bodies.box.1.vx", "bodies.box.1.x"})
    words.insert(words.end(), {"--of", of});
  for (const char* by : {"materials.wood.friction", "bodies.box.1.vx", "world.gravity.z",
                         "bodies.box.1.fx", "bodies.box.1.mass"}) {
    words.insert(words.end(), {"--by", by});
  }
  words.insert(words.end(), {"--tolerance", "1e-6"});
  const ProgramResult result = drystone(words);
  EXPECT_EQ(result.exitCode, 0) << result.err << result.out;
  EXPECT_TRUE(result.errContains("sleep has no derivative")) << result.err;
  const double time = 0.5, way = 1e-4 * 50 * 51 / 2;
  const std::vector<double> expected{-10 * time, -10 * way, 1,       time, 0.4 * time,
                                     0.4 * way,  time / 2,  way / 2, 0,    0};
  const auto derivatives = result.json()["derivatives"];
  ASSERT_EQ(derivatives.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& one = derivatives[i];
    EXPECT_NEAR(one["derivative"], expected[i], 1e-9) << one;
    EXPECT_LT(one["residual_m_s"], 1e-9) << one;
    EXPECT_EQ(one["certain"], true) << one;
  }
  EXPECT_EQ(derivatives[0]["of"], "bodies.box.1.vx");
  EXPECT_EQ(derivatives[0]["unit_by"], "1");
  EXPECT_NEAR(derivatives[0]["value"], 1, 1e-9);
}

TEST(Derive, InWords_HasATableAndSaysWhatIsRedundant) {
  const Scratch scratch;
  const ProgramResult result = drystone({"derive", writeSlide(scratch), "--of", "bodies.box.1.vx",
                                         "--by", "materials.wood.friction", "--tolerance", "0",
                                         "--set", "world.stabilization.compliance=0"});
  EXPECT_EQ(result.exitCode, 1) << result.err;  // no difference is exact
  for (const char* text : {"slide.json: 1 step of 0.01 s\n", "bodies.box.1.vx [m/s]",
                           "materials.wood.friction [1]", " -0.1", "Redundant     contacts"}) {
    EXPECT_TRUE(result.outContains(text)) << text << " is not in:\n" << result.out;
  }
}

TEST(Derive, OfWhatThereIsNot_SaysWhatThereIs) {
  const Scratch scratch;
  const std::string slide = writeSlide(scratch);
  const auto asked = [&](const std::string& of, const std::string& by) {
    const ProgramResult result = drystone({"derive", slide, "--of", of, "--by", by});
    EXPECT_EQ(result.exitCode, 2) << of << by;
    return result.err;
  };
  EXPECT_NE(asked("box", "world.gravity.x").find("must be bodies.NAME."), std::string::npos);
  EXPECT_NE(asked("bodies.bux.x", "world.gravity.x").find("box.1"), std::string::npos);
  EXPECT_NE(asked("bodies.box.1.mass", "world.gravity.x").find("one of x, y, z, vx"),
            std::string::npos);
  EXPECT_NE(asked("bodies.box.1.x", "materials.would.friction").find("wood"), std::string::npos);
  EXPECT_NE(asked("bodies.box.1.x", "friction").find("materials.NAME.friction"), std::string::npos);
  EXPECT_EQ(drystone({"derive", slide}).exitCode, 2);
}

TEST(Derive, OfAStepWithoutDerivative_NamesItAndTheRemedy) {
  const Scratch scratch;
  const std::string slide = writeSlide(scratch, R"("locked_rotations": "z",)");
  const ProgramResult result = drystone(
      {"derive", slide, "--of", "bodies.box.1.x", "--by", "world.gravity.x", "--steps", "3"});
  EXPECT_EQ(result.exitCode, 3) << result.out;
  EXPECT_TRUE(result.errContains("step 1 of 3: step derivative: locked axes have none yet"))
      << result.err;
}

}  // namespace
}  // namespace drystone::test
