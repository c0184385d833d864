#include "core/wording.h"

#include <gmock/gmock.h>

namespace drystone {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string> kSolvers = {"sor-prox", "jacobi-prox", "bpp", "bpp-pcg", "nsgs"};

TEST(NearNames, SwappedLettersFindTheName) {
  EXPECT_THAT(nearNames("sro-prox", kSolvers), ElementsAre("sor-prox"));
}

TEST(NearNames, CaseAndUnderscoreDoNotCount) {
  EXPECT_THAT(nearNames("SOR_PROX", kSolvers), ElementsAre("sor-prox"));
}

// "prox" is in two names. By edits (4 and 7) sor-prox is the nearer.
TEST(NearNames, PartOfNames_FindsAllOfThemNearestFirst) {
  EXPECT_THAT(nearNames("prox", kSolvers), ElementsAre("sor-prox", "jacobi-prox"));
}

// "max_iterations" has the letters of "ratio" in a row, but within a word.
TEST(NearNames, PartOfAWord_CountsFromItsStartAlone) {
  const std::vector<std::string> budget = {"tolerance", "max_iterations", "time_limit_s"};
  EXPECT_THAT(nearNames("iter", budget), ElementsAre("max_iterations"));
  EXPECT_THAT(nearNames("ratio", budget), IsEmpty());
}

TEST(NearNames, NothingAlike_FindsNone) { EXPECT_THAT(nearNames("xyzzy", kSolvers), IsEmpty()); }

TEST(DidYouMean, NothingAlike_ListsAllNames) {
  EXPECT_EQ(didYouMean("xyzzy", kSolvers),
            "known names: sor-prox, jacobi-prox, bpp, bpp-pcg, nsgs");
  EXPECT_EQ(didYouMean("xyzzy", {}), "there are none");
}

TEST(DidYouMean, OneNear_AsksForIt) {
  EXPECT_EQ(didYouMean("nsg", kSolvers), "did you mean \"nsgs\"?");
}

TEST(DidYouMean, TwoNear_JoinsThemByOr) {
  EXPECT_THAT(didYouMean("prox", kSolvers), HasSubstr("\"sor-prox\" or \"jacobi-prox\""));
}

TEST(Wording, QuotientOfTwoNumbers_IsComputedAndNothingElse) {
  EXPECT_EQ(quotientIn("1/60"), 1.0 / 60);
  EXPECT_EQ(quotientIn("-3e2/4"), -75);
  for (const char* text : {"", "/", "1/", "/2", "1/0", "1/2/3", "a/b", "12", "1 / 2"}) {
    EXPECT_FALSE(quotientIn(text)) << text;
  }
}

}  // namespace
}  // namespace drystone
