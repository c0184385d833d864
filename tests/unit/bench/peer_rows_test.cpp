// How `bench peers` takes the runs of a scene together, and what its verdict says of them.
#include "bench/studies/peers/table.h"

#include <gmock/gmock.h>

#include <cmath>

namespace drystone::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kBullet(kUnitConfiguration);
const PeerCase kStack{
    .name = "stack", .scene = "stack_20", .kind = PeerKind::kStands, .tolerance = 0.5};

PeerRun ranTo(std::string configuration, Real ms, Real drift) {
  PeerFigures figures;
  figures.steps = 600;
  figures.processor = {.mean = ms, .median = ms, .settled = ms};
  figures.drift = drift;
  return {std::move(configuration), figures};
}

PeerRun refused(std::string configuration) {
  PeerFigures figures;
  figures.ended = "hulls are not for it";
  return {std::move(configuration), figures};
}

PeerResult resultOf(const std::vector<std::vector<PeerRun>>& runs, PeerCase test = kStack) {
  return {test, rowsOf(test, runs)};
}

/// The line of a text that starts with some words.
std::string lineOf(const std::string& text, const std::string& start) {
  const std::size_t begin = text.find(start);
  if (begin == std::string::npos) return "no line " + start + " in\n" + text;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(PeerRows, TimeIsTheMedianOfTheRuns_BetweenTheLeastAndTheMost) {
  const PeerRow row =
      resultOf({{ranTo("A", 5, 0)}, {ranTo("A", 1, 0)}, {ranTo("A", 2, 0)}}).rows[0];
  EXPECT_EQ(row.milliseconds.median, 2);
  EXPECT_EQ(row.milliseconds.least, 1);
  EXPECT_EQ(row.milliseconds.most, 5);
  EXPECT_EQ(row.figures.processor.mean, 2);
  EXPECT_EQ(row.figures.processor.settled, 2);
}

// The machine is slower in the second run, for both alike: 3 of 1, 12 of 4 and 6 of 1.5.
TEST(PeerRows, UnitsOfBullet_AreThoseOfItsStepInTheSameRun) {
  const PeerResult result = resultOf({{ranTo("A", 3, 0), ranTo(kBullet, 1, 0)},
                                      {ranTo("A", 12, 0), ranTo(kBullet, 4, 0)},
                                      {ranTo("A", 6, 0), ranTo(kBullet, 1.5, 0)}});
  EXPECT_EQ(result.rows[0].inBullets.median, 3);
  EXPECT_EQ(result.rows[0].inBullets.least, 3);
  EXPECT_EQ(result.rows[0].inBullets.most, 4);
  EXPECT_EQ(result.rows[1].inBullets.most, 1);
}

TEST(PeerRows, WithoutBullet_ThereIsNoUnit) {
  EXPECT_TRUE(std::isnan(resultOf({{ranTo("A", 3, 0)}}).rows[0].inBullets.median));
  const PeerResult without = resultOf({{ranTo("A", 3, 0), refused(kBullet)}});
  EXPECT_TRUE(std::isnan(without.rows[0].inBullets.median));
  EXPECT_THAT(lineOf(verdictTable({&without, 1}), "| stack"), HasSubstr(" –× <0.1 nm "));
}

TEST(PeerRows, OtherFigures_AreOfTheRunThatWentWorst) {
  const PeerResult drifted =
      resultOf({{ranTo("A", 1, 0.1)}, {ranTo("A", 1, 0.3)}, {ranTo("A", 1, 0.2)}});
  EXPECT_EQ(drifted.rows[0].figures.drift, 0.3);
  // What has ended had less time to drift.
  PeerRun ended = ranTo("A", 1, 0.01);
  ended.figures.ended = "flew apart";
  EXPECT_EQ(resultOf({{ranTo("A", 1, 0.1)}, {ended}}).rows[0].figures.drift, 0.01);
}

TEST(PeerVerdict, Cell_HasTheTimeInBullets_AndTheDriftOrWhatBecameOfIt) {
  PeerRun ended = ranTo("ends", 30, 0.01);
  ended.figures.steps = 91;
  ended.figures.ended = "30 s are over";
  const PeerResult result =
      resultOf({{ranTo("exact", 1.8, 7.2e-10), ranTo("sinks", 0.37, 0.11),
                 ranTo("falls", 1.1, 0.51), ended, refused("refuses"), ranTo(kBullet, 1, 3)}});
  const std::string line = lineOf(verdictTable({&result, 1}), "| stack");
  EXPECT_THAT(line, HasSubstr(" 1.8× 0.7 nm "));
  EXPECT_THAT(line, HasSubstr(" 0.37× 110 mm "));
  EXPECT_THAT(line, HasSubstr(" 1.1× **fell** "));
  EXPECT_THAT(line, HasSubstr(" 30× **ended@91** "));
  EXPECT_THAT(line, HasSubstr(" – "));
  EXPECT_THAT(line, HasSubstr(" 1.0× **fell** "));
}

TEST(PeerVerdict, FallInSomeRuns_IsCounted_AndIsAFall) {
  const PeerResult result =
      resultOf({{ranTo("A", 1, 0.1)}, {ranTo("A", 1, 0.6)}, {ranTo("A", 1, 0.7)}});
  const std::string table = verdictTable({&result, 1});
  EXPECT_THAT(table, HasSubstr("**fell** 2/3"));
  EXPECT_THAT(lineOf(table, "| standing"), HasSubstr("0 of 1"));
}

TEST(PeerVerdict, ScenesHeld_AreTheStandingOnesOnly) {
  PeerCase pile = kStack;
  pile.name = "pile";
  pile.kind = PeerKind::kFlows;
  const std::vector<PeerResult> results = {
      resultOf({{ranTo("A", 1, 0.1), ranTo("B", 1, 0.1)}}),
      resultOf({{ranTo("A", 1, 0.1), ranTo("B", 1, 0.9)}}),
      resultOf({{ranTo("A", 1, 9), ranTo("of piles", 1, 9), ranTo("B", 1, 9)}}, pile)};
  const std::string line = lineOf(verdictTable(results), "| standing");
  EXPECT_THAT(line, HasSubstr("2 of 2"));
  EXPECT_THAT(line, HasSubstr("1 of 2"));
  EXPECT_THAT(line, Not(HasSubstr("of 3")));
}

TEST(PeerVerdict, ConfigurationOfOneScene_StandsBesideItsNeighboursThere) {
  const std::vector<PeerResult> results = {
      resultOf({{ranTo("A", 1, 0), ranTo("B", 1, 0)}}),
      resultOf({{ranTo("A", 1, 0), ranTo("of piles", 1, 0), ranTo("B", 1, 0)}})};
  const std::string titles = lineOf(verdictTable(results), "| scene");
  EXPECT_LT(titles.find("A"), titles.find("of piles"));
  EXPECT_LT(titles.find("of piles"), titles.find(" B "));
}

TEST(PeerVerdict, Runs_ThatDifferInTheLastBit_AreNamed) {
  const PeerResult result = resultOf(
      {{ranTo("same", 1, 0.1), ranTo("other", 1, 0.1), ranTo("wide", 1, 0.1)},
       {ranTo("same", 1, 0.1), ranTo("other", 1, std::nextafter(0.1, 1)), ranTo("wide", 1, 0.4)}});
  const std::string text = repeatability({&result, 1});
  EXPECT_THAT(text, HasSubstr("to the bit: same.\n"));
  EXPECT_THAT(text, HasSubstr("- The runs of other differ: stack in digits not shown.\n"));
  EXPECT_THAT(text, HasSubstr("stack 100 mm to 400 mm.\n"));
  const PeerResult once = resultOf({{ranTo("same", 1, 0.1)}});
  EXPECT_EQ(repeatability({&once, 1}), "");
}

TEST(PeerVerdict, LargestDifferenceOfTimes_IsThatInBullets) {
  // 2 and 4 of Bullet's steps, where the times in ms are 2 and 40: half of the median, which of
  // two runs is the upper one.
  const PeerResult result = resultOf(
      {{ranTo("A", 2, 0), ranTo(kBullet, 1, 0)}, {ranTo("A", 40, 0), ranTo(kBullet, 10, 0)}});
  EXPECT_THAT(repeatability({&result, 1}), HasSubstr("differ by at most 50 % (A on stack)"));
}

TEST(PeerMeasure, HasTheUnitThatItsSizeAsksFor) {
  EXPECT_EQ(measureText(kStack, 2.6e-11), "<0.1 nm");
  EXPECT_EQ(measureText(kStack, 9.8e-9), "9.8 nm");
  EXPECT_EQ(measureText(kStack, 7e-6), "7.0 µm");
  EXPECT_EQ(measureText(kStack, 0.0432), "43 mm");
  EXPECT_EQ(measureText(kStack, 16.4), "16 m");
  const PeerCase slope{.kind = PeerKind::kSlides, .acceleration = 4};
  PeerFigures figures;
  figures.acceleration = 3.9;
  EXPECT_EQ(measureText(slope, measure(slope, figures)), "2.5 %");
  const PeerCase passing{.kind = PeerKind::kPasses};
  figures.drift = 5;  // it falls
  figures.driftLateral = 2e-3;
  EXPECT_EQ(measureText(passing, measure(passing, figures)), "2.0 mm");
  const PeerCase legs{.kind = PeerKind::kWeighs};
  figures.shareError = 0.31;
  EXPECT_EQ(measureText(legs, measure(legs, figures)), "31 %");
}

}  // namespace
}  // namespace drystone::bench
