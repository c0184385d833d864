#include "viewer/window/picture_scale.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

/// Pictures whose time is `fixed` and, of all pixels, `drawing` [s].
void show(PictureScale& scale, int pictures, double fixed, double drawing) {
  for (int i = 0; i < pictures; ++i) {
    scale.take(fixed + drawing * scale.value() * scale.value());
  }
}

TEST(PictureScale, StaysFineWherePicturesAreQuick) {
  PictureScale scale;
  show(scale, 300, 0.005, 0.025);
  EXPECT_EQ(scale.value(), 1);
}

TEST(PictureScale, HalvesThePixelsOfADeviceThatDrawsSlowly_AndThenKeepsUp) {
  PictureScale scale;
  show(scale, 300, 0.005, 0.05);
  EXPECT_EQ(scale.value(), 0.7);
  EXPECT_LT(0.005 + 0.05 * scale.value() * scale.value(), PictureScale::kWanted);
}

TEST(PictureScale, TakesNoCoarserPicturesThanItNeeds) {
  PictureScale scale;
  show(scale, 300, 0.005, 0.036);
  EXPECT_EQ(scale.value(), 0.84);
}

TEST(PictureScale, StaysFineWhereTheSimulationTakesTheTime) {
  PictureScale scale;
  show(scale, 300, 0.2, 0.01);
  EXPECT_EQ(scale.value(), 1);
}

TEST(PictureScale, TriesAgainWhereDrawingBecomesTheSlowPart) {
  PictureScale scale;
  show(scale, 300, 0.2, 0.01);
  show(scale, 1000, 0.005, 0.05);
  EXPECT_EQ(scale.value(), 0.7);
}

TEST(PictureScale, IsFineAgainWhenDrawingGetsQuick) {
  PictureScale scale;
  show(scale, 300, 0.005, 0.05);
  show(scale, 300, 0.005, 0.01);
  EXPECT_EQ(scale.value(), 1);
}

TEST(PictureScale, OneHitchChangesNothing) {
  PictureScale scale;
  for (int i = 0; i < 300; ++i) scale.take(i % 60 == 0 ? 0.2 : 0.018);
  EXPECT_EQ(scale.value(), 1);
}

}  // namespace
}  // namespace drystone::viewer
