#include <gtest/gtest.h>

#include <string_view>

#include "core/hash.h"

namespace drystone {
namespace {

std::uint64_t hashOf(std::string_view text) {
  Hasher hasher;
  hasher.bytes(text.data(), text.size());
  return hasher.value();
}

// Test vectors published with FNV-1a, 64 bits (Fowler, Noll, Vo).
TEST(Hasher, PublishedVectors_AreMet) {
  EXPECT_EQ(hashOf(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hashOf("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hashOf("foobar"), 0x85944171f73967e8u);
}

TEST(Hasher, AddingValues_IsAddingTheirBytes) {
  const double values[] = {1.5, -0.0};
  Hasher whole;
  whole.bytes(values, sizeof(values));
  Hasher parts;
  parts.add(values[0]);
  parts.add(values[1]);
  EXPECT_EQ(parts.value(), whole.value());
}

TEST(Hasher, NegativeZero_IsAnotherState) {
  Hasher plus;
  plus.add(0.0);
  Hasher minus;
  minus.add(-0.0);
  EXPECT_NE(plus.value(), minus.value());
}

TEST(HashText, SmallHash_HasLeadingZeros) {
  EXPECT_EQ(hashText(0), "0000000000000000");
  EXPECT_EQ(hashText(0x1a2b), "0000000000001a2b");
  EXPECT_EQ(hashText(~std::uint64_t(0)), "ffffffffffffffff");
}

// The first output of splitmix64 from seed 0 (Steele, Lea, Flood 2014).
TEST(MixKeys, Zeros_GiveSplitmixsFirstOutput) { EXPECT_EQ(mixKeys(0, 0), 0xe220a8397b1dcdafu); }

TEST(MixKeys, Order_Matters) { EXPECT_NE(mixKeys(1, 2), mixKeys(2, 1)); }

}  // namespace
}  // namespace drystone
