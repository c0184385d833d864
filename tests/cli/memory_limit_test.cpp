// Files that want more memory than `--max-memory` allows end the program with exit code 3.
#include <gmock/gmock.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "apps/support/memory_limit.h"
#include "engine/recording/recorder.h"
#include "scenes/recorded_world.h"
#include "solvers/default_registry.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using testing::HasSubstr;

class MemoryLimit : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the heap is a sanitizer's own";
#endif
  }

  /// Expects the command to end for memory, and not to without the limit.
  void expectTooLarge(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--max-memory", "128M"});
    const ProgramResult result = drystone(arguments);
    EXPECT_EQ(result.exitCode, 3) << arguments[0] << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr("more than the 128 MiB of --max-memory")) << arguments[0];
  }

  const Scratch scratch_;
  const std::string millionBodies_ = R"({
    "version": 1,
    "generators": [{"type": "grid", "name": "ball", "counts": [100, 100, 100],
                    "spacing": [1, 1, 1], "mass": 1, "shape": {"type": "sphere", "radius": 0.1}}]})";
};

TEST_F(MemoryLimit, SceneOfAMillionBodies_IsInvalidInput) {
  const std::string scene = scratch_.write("million.json", millionBodies_);
  expectTooLarge({"run", scene, "--steps", "1"});
  expectTooLarge({"validate", scene});
}

TEST_F(MemoryLimit, ProblemOfManyRows_IsInvalidInput) {
  // All rows meet in one body: A is dense, 8000² numbers.
  std::string rows;
  for (int i = 0; i < 8000; ++i) {
    rows += std::string(i == 0 ? "" : ",") +
            R"({"law":"rows","bodies":[0,-1],"rows":[{"b":-1,"jacobian_a":[1,0,0,0,0,0],)" +
            R"("compliance":1e-6,"lower":0}]})";
  }
  const std::string problem = scratch_.write(
      "dense.json",
      R"({"format":"drystone-problem","version":1,"form":"body","bodies":[{"inverse_mass":1,)"
      R"("inverse_inertia":[1,0,0,0,1,0,0,0,1]}],"blocks":[)" +
          rows + "]}");
  expectTooLarge({"solve", problem, "--solver", "lemke"});
}

TEST_F(MemoryLimit, RecordingWhoseSceneIsLarge_IsInvalidInput) {
  const std::string file = scratch_.path("large.h5");
  World world({}, makeDefaultRegistry());
  world.addBody({.shape = Sphere{}});
  RecordingInfo info = recordingInfoOf(world);
  info.scene = info.sceneLabel = "million";
  info.sceneText = millionBodies_;
  Recorder(file, info, world).finish(world);
  expectTooLarge({"replay", file});
#if defined(DRYSTONE_HAS_VIEWER)
  expectTooLarge({"render", file, "--out", scratch_.path("a.png")});
#endif
}

TEST_F(MemoryLimit, WhatFitsIt_RunsAsWithout) {
  const std::vector<std::string> run = {"run", "stack_10", "--steps", "20", "--hash", "-q"};
  std::vector<std::string> limited = run;
  limited.insert(limited.end(), {"--max-memory", "128M"});
  const ProgramResult result = drystone(limited);
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out, drystone(run).out);
}

TEST_F(MemoryLimit, SizesThatAreNone_AreUsageErrors) {
  for (const char* size : {"512", "0M", "63M", "-1G", "1.5G", "99999999999G", "M", "1GB"}) {
    const ProgramResult result = drystone({"run", "stack_10", "--max-memory", size});
    EXPECT_EQ(result.exitCode, 2) << size;
    EXPECT_THAT(result.err, HasSubstr("as in 512M or 4G")) << size;
  }
}

void endWithoutCatching() noexcept {
  cli::limitMemory(std::int64_t{1} << 30);
  const std::string text(std::size_t{2} << 30, 'a');
  std::exit(static_cast<int>(text.size() % 2));
}

TEST_F(MemoryLimit, WhereNothingCatches_TheMessageStands) {
  EXPECT_EXIT(endWithoutCatching(), testing::ExitedWithCode(3), "more than the 1024 MiB");
}

}  // namespace
}  // namespace drystone::test
