// What explains a picture, over it, and points that are too small to be seen.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/unit/viewer_render/pictures.h"

namespace drystone::viewer::test {
namespace {

constexpr int kWide = 640, kHigh = 480;
constexpr Color kLegendRed{0.9F, 0.1F, 0.1F, 1}, kLegendBlue{0.1F, 0.1F, 0.9F, 1};

/// Pixels of a part of the picture that are rather red or rather blue, and where their middle is.
struct Patch {
  int count = 0;
  double x = 0, y = 0;  ///< mean place, from the upper left [pixels]
};
Patch patchOf(const Image& image, bool red, int left, int right) {
  Patch patch;
  for (int y = 0; y < image.height; ++y) {
    for (int x = left; x < right; ++x) {
      const auto [r, g, b] = colorAt(image, {x + 0.5, y + 0.5});
      const int own = red ? r : b, other = red ? b : r;
      if (own < other + 100) continue;
      ++patch.count;
      patch.x += x;
      patch.y += y;
    }
  }
  patch.x /= std::max(patch.count, 1);
  patch.y /= std::max(patch.count, 1);
  return patch;
}

DrawList nothing() { return listOf(unitBox(), {}); }

TEST(LegendPicture, BarAndEntries_StandInTheLowerRightCornerInTheirColors) {
  CheckedRenderer renderer(kWide, kHigh);
  DrawList list = nothing();
  Legend bar, entries;
  bar.title = "what it is";
  bar.bar = {kLegendBlue, kLegendRed};
  bar.marks = {{0, "1e-9"}, {1, "0.01"}};
  entries.entries = {{kLegendRed, "above"}, {kLegendBlue, "below"}};
  list.legends = {bar};
  const Image barImage = renderer.render(list);
  const Patch blue = patchOf(barImage, false, 0, kWide), red = patchOf(barImage, true, 0, kWide);
  EXPECT_GT(blue.count, 200);
  EXPECT_GT(red.count, 200);
  EXPECT_LT(blue.x + 60, red.x) << "from left to right";
  EXPECT_NEAR(blue.y, red.y, 1);
  EXPECT_GT(blue.x, kWide / 2);
  EXPECT_GT(blue.y, 0.8 * kHigh);
  list.legends = {entries};
  const Image entryImage = renderer.render(list);
  const Patch below = patchOf(entryImage, false, 0, kWide);
  const Patch above = patchOf(entryImage, true, 0, kWide);
  EXPECT_NEAR(below.x, above.x, 1);
  EXPECT_GT(below.y, above.y + 10) << "from the top";
  // One plate upon the other.
  list.legends = {bar, entries};
  const Patch both = patchOf(renderer.render(list), true, 0, kWide);
  EXPECT_LT(both.y, red.y);
  EXPECT_GT(both.count, red.count + above.count / 2);
}

TEST(LegendPicture, InAPictureTooSmallForIt_IsLeftOut) {
  CheckedRenderer renderer(64, 48);
  DrawList list = nothing();
  const Image without = renderer.render(list);
  list.legends.push_back({.title = "a title that is too long", .bar = {kLegendBlue, kLegendRed}});
  list.axes = true;
  EXPECT_EQ(renderer.render(list).pixels, without.pixels);
}

TEST(LegendPicture, Axes_PointAsThoseOfTheWorldAreSeen) {
  CheckedRenderer renderer(kWide, kHigh);
  DrawList list = nothing();
  list.axes = true;
  // The front camera looks along y: x, reddish, goes right, and z, blue, up.
  const Image front = renderer.render(list);
  Patch x = patchOf(front, true, 0, kWide), z = patchOf(front, false, 0, kWide);
  ASSERT_GT(x.count, 10);
  ASSERT_GT(z.count, 10);
  EXPECT_GT(x.x, z.x + 5);
  EXPECT_LT(z.y, x.y - 5);
  EXPECT_LT(x.x, kWide / 4) << "in the left corner";
  EXPECT_GT(x.y, 3 * kHigh / 4) << "at the foot";
  // From behind x goes left.
  Camera behind = frontCamera();
  behind.position.y() = -behind.position.y();
  const Image back = renderer.render(list, behind);
  x = patchOf(back, true, 0, kWide);
  z = patchOf(back, false, 0, kWide);
  EXPECT_LT(x.x, z.x - 5);
  EXPECT_LT(z.y, x.y - 5);
}

TEST(LeastSize, SmallCopiesAreDrawnThatLargeAndOthersAsTheyAre) {
  CheckedRenderer renderer;
  const auto countOf = [&](float diameter, float leastPixels) {
    DrawList list = listOf(unitBall(), {copyAt({0, 0, 1}, kLegendRed, Vec3f::Constant(diameter))});
    list.batches[0].overlay = true;
    list.batches[0].castsShadow = false;
    list.batches[0].leastPixels = leastPixels;
    return countColored(renderer.render(list));
  };
  EXPECT_EQ(countOf(1e-4F, 0), 0) << "smaller than a pixel";
  // A disc of radius 6 pixels, its rim mixed with the backdrop.
  const double disc = std::numbers::pi * 6 * 6;
  EXPECT_NEAR(countOf(1e-4F, 6), disc, 0.2 * disc);
  EXPECT_EQ(countOf(1, 6), countOf(1, 0));
}

}  // namespace
}  // namespace drystone::viewer::test
