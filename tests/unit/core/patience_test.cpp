#include "core/patience.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace drystone {
namespace {

std::vector<bool> answers(Patience patience, std::initializer_list<Real> values) {
  std::vector<bool> result;
  for (const Real value : values) result.push_back(patience.goesOn(value));
  return result;
}

using Answers = std::vector<bool>;

TEST(Patience, RoundsWithoutProgress_EndAfterAsManyAsGiven) {
  EXPECT_EQ(answers(Patience(2, 0.5), {8, 8, 8, 8}), (Answers{true, true, true, false}));
  EXPECT_EQ(answers(Patience(0, 0.5), {8, 8}), (Answers{true, false}));
}

// 6 is no progress beside 8, and 3.9 is; beside a mark that followed to 6 it would be none.
TEST(Patience, SmallGains_AddUp) {
  EXPECT_EQ(answers(Patience(1, 0.5), {8, 6, 3.9, 3, 2.5}),
            (Answers{true, true, true, true, false}));
}

TEST(Patience, FirstValue_IsComparedWithTheMark) {
  EXPECT_EQ(answers(Patience(0, 0.5, 1), {0.6}), Answers{false});
  EXPECT_EQ(answers(Patience(0, 0.5, 1), {0.4}), Answers{true});
}

TEST(Patience, WhatIsNoNumber_IsNoProgress) {
  EXPECT_EQ(answers(Patience(1, 0.5), {std::nan(""), INFINITY, 1}), (Answers{true, false, true}));
}

}  // namespace
}  // namespace drystone
