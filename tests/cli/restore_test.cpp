// States in files: what goes on from one is the uninterrupted run, and what is no such state is
// refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The hash after a run of stack_10, with these options.
std::string hashOf(const std::vector<std::string>& options) {
  std::vector<std::string> words = {"run", "stack_10", "--hash", "--quiet"};
  words.insert(words.end(), options.begin(), options.end());
  const ProgramResult result = drystone(words);
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out.size(), 17u) << result.out;
  return result.out;
}

TEST(Restore, SavedRun_GoesOnToTheHashOfTheWholeOne) {
  const Scratch scratch;
  const std::string state = scratch.path("a.state");
  const std::string whole = hashOf({"--steps", "30"});
  const std::string half = hashOf({"--steps", "18", "--save", state});
  EXPECT_NE(half, whole);
  EXPECT_EQ(hashOf({"--steps", "12", "--restore", state}), whole);
  EXPECT_EQ(hashOf({"--steps", "12", "--restore", state, "--threads", "2"}), whole);
  EXPECT_FALSE(std::filesystem::exists(state + ".part"));
}

/// 30 steps by a state of every 18: it is written at the end, too.
TEST(Restore, SaveEvery_WritesTheLastOfThemWhereTheRunEnds) {
  const Scratch scratch;
  const std::string state = scratch.path("a.state"), other = scratch.path("b.state");
  const std::string whole = hashOf({"--steps", "30"});
  EXPECT_EQ(hashOf({"--steps", "30", "--save", state, "--save-every", "18"}), whole)
      << "saving changes nothing";
  hashOf({"--steps", "30", "--save", other});
  EXPECT_EQ(readText(state), readText(other));
}

/// A kill at any step leaves the state of the step that was saved last.
TEST(Restore, SaveEvery_LeavesAStateOfTheKilledRun) {
  const Scratch scratch;
  const std::string state = scratch.path("a.state"), rows = scratch.path("rows.csv");
  const ProgramResult killed =
      drystoneInterrupted({"run", "stack_10", "--steps", "1000000", "--csv", rows, "--save", state,
                           "--save-every", "20"},
                          SIGKILL, rows, 60);
  ASSERT_EQ(killed.exitCode, -1) << killed.err;
  const std::string next = hashOf({"--steps", "1", "--restore", state, "--csv", rows});
  // The world counts its steps on: the state is of one that 20 divides.
  const int step = std::stoi(splitFields(splitLines(readText(rows)).at(1)).at(0));
  EXPECT_GE(step, 41);
  EXPECT_EQ(step % 20, 1);
  EXPECT_EQ(next, hashOf({"--steps", std::to_string(step)}));
}

TEST(Restore, WrongFiles_AreRefusedByName) {
  const Scratch scratch;
  const std::string state = scratch.path("a.state");
  hashOf({"--steps", "5", "--save", state});
  const auto errorOf = [](const std::string& scene, const std::string& file) {
    const ProgramResult result = drystone({"run", scene, "--steps", "1", "--restore", file});
    EXPECT_EQ(result.exitCode, 3) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(file));
    return result.err;
  };
  EXPECT_THAT(errorOf("stack_10", scratch.path("missing.state")),
              HasSubstr("No such file or directory"));
  const std::string bytes = readText(state);
  for (const std::size_t length : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_THAT(errorOf("stack_10", scratch.write("cut.state", bytes.substr(0, length))),
                HasSubstr("saved world"))
        << length;
  }
  EXPECT_THAT(errorOf("stack_10", scratch.write("text.state", std::string(5000, 'x'))),
              HasSubstr("saved world"));
  // Of another scene: the first bodies and how many more, and not a line for each of a thousand.
  const std::string other = errorOf("pile_1000", state);
  EXPECT_THAT(other, HasSubstr("is in this world, and not the same in the saved one"));
  EXPECT_THAT(other, HasSubstr("more bodies"));
  EXPECT_LE(splitLines(other).size(), 9u) << other;
  EXPECT_THAT(drystone({"run", "stack_10", "--save-every", "3"}).err, HasSubstr("--save"));
}

TEST(Restore, RecordingOfARestoredRun_IsReplayedFromTheStateAlone) {
  const Scratch scratch;
  const std::string state = scratch.path("a.state"), file = scratch.path("a.h5");
  hashOf({"--steps", "5", "--save", state});
  hashOf({"--steps", "5", "--restore", state, "--record", file});
  const ProgramResult without = drystone({"replay", file});
  EXPECT_EQ(without.exitCode, 3);
  EXPECT_THAT(without.err, HasSubstr("begins from the state '" + state + "'"));
  EXPECT_THAT(without.err, HasSubstr("give that state: --restore FILE"));
  EXPECT_THAT(without.err, Not(HasSubstr("differs")));
  const ProgramResult with = drystone({"replay", file, "--restore", state});
  EXPECT_EQ(with.exitCode, 0) << with.err << with.out;
  EXPECT_TRUE(with.outContains("all 5 steps agree")) << with.out;
  // Another state is another start.
  const std::string other = scratch.path("b.state");
  hashOf({"--steps", "6", "--save", other});
  const ProgramResult wrong = drystone({"replay", file, "--restore", other});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_TRUE(wrong.outContains("the start differs already")) << wrong.out;
}

}  // namespace
}  // namespace drystone::test
