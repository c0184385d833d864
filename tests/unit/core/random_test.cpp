#include <gtest/gtest.h>

#include "core/random.h"

namespace drystone {
namespace {

// s₁ = 12345 · 6364136223846793005 + 1442695040888963407 mod 2⁶⁴ = 2021368500568277588, and
// u₁ = ⌊s₁/2¹¹⌋ 2⁻⁵³ = 986996338168104 · 2⁻⁵³; done with unbounded integers, likewise the rest.
TEST(Random, Seed12345_GivesTheNumbersThatDefineThePile) {
  Random random(12345);
  EXPECT_EQ(random.uniform(), 986996338168104 * 0x1p-53);
  EXPECT_EQ(random.uniform(), 2390378239609466 * 0x1p-53);
  EXPECT_EQ(random.uniform(), 7976991766744273 * 0x1p-53);
  for (int i = 3; i < 999; ++i) random.uniform();
  EXPECT_EQ(random.uniform(), 1735426417795186 * 0x1p-53);  // the thousandth
}

// Mean ½ ± 5 σ, σ = 1/√(12 n) = 9.1e-4 for n = 100,000.
TEST(Random, Uniform_StaysInItsRangeAndIsCentred) {
  Random random(7);
  Real sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const Real u = random.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += u;
    const Real v = random.uniform(-2, 3);
    ASSERT_TRUE(v >= -2 && v < 3);
  }
  EXPECT_NEAR(sum / 100000, 0.5, 4.6e-3);
}

}  // namespace
}  // namespace drystone
