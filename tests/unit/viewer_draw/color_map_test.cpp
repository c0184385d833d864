#include "viewer/draw/palette.h"

#include <gtest/gtest.h>

#include <limits>

namespace drystone::viewer {
namespace {

Real lightness(const Color& c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; }

TEST(ColorMap, GrowsLighterAllTheWay) {
  for (const ColorMap map : {ColorMap::kViridis, ColorMap::kCividis}) {
    for (int i = 1; i <= 100; ++i) {
      EXPECT_GT(lightness(mapColor(map, 0.01 * i)), lightness(mapColor(map, 0.01 * (i - 1)))) << i;
    }
  }
}

TEST(ColorMap, BeyondItsEnds_IsTheEnds) {
  EXPECT_EQ(mapColor(ColorMap::kViridis, -3).blue, mapColor(ColorMap::kViridis, 0).blue);
  EXPECT_EQ(mapColor(ColorMap::kViridis, 7).red, mapColor(ColorMap::kViridis, 1).red);
  EXPECT_EQ(mapColor(ColorMap::kViridis, std::numeric_limits<Real>::quiet_NaN()).red, kUnknown.red);
}

TEST(LogShare, IsEvenByDecadesAndClamped) {
  EXPECT_NEAR(logShare(1e-6, 1e-9, 1e-3), 0.5, 1e-12);
  EXPECT_EQ(logShare(0, 1e-9, 1e-3), 0);
  EXPECT_EQ(logShare(1, 1e-9, 1e-3), 1);
  EXPECT_TRUE(std::isnan(logShare(std::numeric_limits<Real>::quiet_NaN(), 1e-9, 1e-3)));
}

}  // namespace
}  // namespace drystone::viewer
