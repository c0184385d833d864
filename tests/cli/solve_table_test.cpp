// The table of `solve`: what it says once, what it leaves out, and what the columns mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

/// A contact of a unit mass that slides, of three rows, with the model and further keys.
std::string contact(const std::string& model, const std::string& more = "") {
  return R"({"format": "drystone-problem", "version": 1, "form": "assembled", "size": 3,
    "friction_model": ")" +
         model + R"(",
    "A": {"rows": [0, 1, 2], "cols": [0, 1, 2], "values": [1, 1, 1], "symmetric": true},
    "b": [-2, 1, 0], "lower": [null, null, null], "upper": [null, null, null],
    "contacts": [{"row": 0, "mu": 0.2}])" +
         more + "}";
}

constexpr const char* kWarmStart = R"(, "warm_start": [1, 0, 0])";

int countOf(const std::string& text, const std::string& word) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
  return count;
}

/// Lines of the table that are of the solver.
int rowsOf(const std::string& table, const std::string& solver) {
  const std::vector<std::string> lines = splitLines(table);
  return static_cast<int>(std::ranges::count_if(lines, [&](const std::string& line) {
    return line.find("  " + solver + " ") != std::string::npos && line.find("cone") == 0;
  }));
}

TEST(SolveTable, OfAllSolvers_NamesThoseThatTakeNothingInALine) {
  const Scratch scratch;
  const std::string file = scratch.write("cone.json", contact("cone"));
  const std::vector<std::string> solve = {"solve", file, "--solver", "all"};
  std::vector<std::string> asJson = solve;
  asJson.push_back("--json");
  const Json rows = drystone(asJson).json();
  const std::string text = drystone(solve).out;
  std::vector<std::string> reasons;
  for (const Json& row : rows) {
    const std::string solver = row["solver"];
    const bool isTaken = row["status"] != "unsupported";
    EXPECT_EQ(rowsOf(text, solver), isTaken ? 1 : 0) << solver << "\n" << text;
    if (isTaken) continue;
    const std::string note = row["note"];
    const std::string reason = note.substr(0, note.find(';'));
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
  }
  EXPECT_EQ(countOf(text, "not run: "), std::ssize(reasons)) << text;
  for (const std::string& reason : reasons) EXPECT_THAT(text, HasSubstr(": " + reason + "\n"));
  EXPECT_THAT(text, Not(HasSubstr("unsupported")));
  EXPECT_THAT(text, Not(HasSubstr("of 0")));
}

// Every solver takes the cone, not every one the pyramid.
TEST(SolveTable, SolverThatTakesSomeProblems_KeepsTheirRowsAndCountsTheOthers) {
  const Scratch scratch;
  const std::string cone = scratch.write("cone.json", contact("cone"));
  const std::string box = scratch.write("cone_not.json", contact("pyramid"));
  const Json rows = drystone({"solve", cone, box, "--solver", "all", "--json"}).json();
  const std::string text = drystone({"solve", cone, box, "--solver", "all"}).out;
  int some = 0;
  for (std::size_t i = 0; i < rows.size() / 2; ++i) {
    const Json& first = rows[i];
    const Json& second = rows[rows.size() / 2 + i];
    ASSERT_EQ(first["solver"], second["solver"]);
    const int taken = (first["status"] != "unsupported") + (second["status"] != "unsupported");
    EXPECT_EQ(rowsOf(text, first["solver"]), taken) << first["solver"] << "\n" << text;
    some += taken == 1 ? 1 : 0;
  }
  ASSERT_GT(some, 0) << "the claim needs other problems";
  EXPECT_EQ(countOf(text, "1 unsupported, "), some + (some == 1 ? 1 : 0)) << text;
  EXPECT_THAT(text, HasSubstr(std::to_string(some) + " unsupported, "));
}

TEST(SolveTable, OfOneProblem_HasNoSecondTableOfItsSolvers) {
  const Scratch scratch;
  const std::string first = scratch.write("first.json", contact("cone"));
  const std::string second = scratch.write("second.json", contact("cone"));
  EXPECT_THAT(drystone({"solve", first, "--solver", "nsgs,bpp"}).out, Not(HasSubstr("outcome")));
  const std::string both = drystone({"solve", first, second, "--solver", "nsgs,bpp"}).out;
  EXPECT_THAT(both, HasSubstr("  nsgs    2 of 2 reached the tolerance"));
}

TEST(SolveTable, WarmStart_IsSaidOnceWhereItHoldsForAll) {
  const Scratch scratch;
  const std::string warm = scratch.write("warm.json", contact("cone", kWarmStart));
  const std::string cold = scratch.write("cold.json", contact("cone"));
  const auto table = [](std::vector<std::string> problems) {
    problems.insert(problems.begin(), "solve");
    problems.insert(problems.end(), {"--solver", "nsgs,bpp"});
    return drystone(problems).out;
  };
  EXPECT_EQ(countOf(table({warm}), "from warm start"), 1);
  EXPECT_THAT(table({warm}), HasSubstr("  start       from warm start\n"));
  EXPECT_EQ(countOf(table({cold}), "from "), 0);
  const std::string mixed = table({warm, cold});
  EXPECT_THAT(mixed, HasSubstr("from warm start, but where the note says otherwise"));
  EXPECT_EQ(countOf(mixed, "  from zero\n"), 2) << mixed;
}

TEST(SolveTable, SaysWhatItsColumnsMeanUnlessQuiet) {
  const Scratch scratch;
  const std::string file = scratch.write("cone.json", contact("cone"));
  const std::string text = drystone({"solve", file, "--solver", "nsgs"}).out;
  for (const char* part : {"full error  energy [J]", "natural map", "(M.11", "FCLIB", "(M.12)",
                           "`relative`", "energy error of a row (M.13)"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_EQ(drystone({"solve", file, "--solver", "nsgs", "-q"}).out, "");
  for (const char* form : {"--json", "--csv"}) {
    EXPECT_THAT(drystone({"solve", file, "--solver", "nsgs", form}).out, Not(HasSubstr("FCLIB")));
  }
}

TEST(SolveNote, LeavesOutRoundsThatTheIterationsTell) {
  const Scratch scratch;
  const std::string file = scratch.write("cone.json", contact("cone"));
  const Json rows = drystone({"solve", file, "--solver", "auto,murty", "--json"}).json();
  for (const Json& row : rows) {
    EXPECT_THAT(row["note"].get<std::string>(), Not(HasSubstr("outer iteration"))) << row;
  }
}

// Of a problem that the first of them solves.
TEST(SolveJson, Doors_AreThoseThatTheSolverTried) {
  const Scratch scratch;
  const std::string file = scratch.write("cone.json", contact("cone"));
  const Json row = drystone({"solve", file, "--solver", "auto", "--json"}).json()[0];
  ASSERT_GE(row["doors"].size(), 1u);
  for (const Json& door : row["doors"]) {
    std::vector<std::string> names;
    for (const auto& [key, value] : door.items()) names.push_back(key);
    EXPECT_THAT(names,
                testing::ElementsAre("name", "status", "iterations", "natural_map_m_s", "time_ms"));
    EXPECT_GT(door["time_ms"], 0);
    EXPECT_LE(door["time_ms"], row["time_ms"]["median"]);
  }
  const Json& last = row["doors"].back();
  EXPECT_EQ(last["status"], "converged");
  EXPECT_NEAR(last["natural_map_m_s"], row["natural_map_m_s"], 1e-9);
  EXPECT_EQ(last["iterations"], row["iterations"]) << "one door was enough";
}

}  // namespace
}  // namespace drystone::test
