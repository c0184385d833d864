// A picture with everything in it against the stored one, and that the comparison would notice.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/viewer_render/pictures.h"

namespace drystone::viewer::test {
namespace {

constexpr const char* kStored = DRYSTONE_SOURCE_DIR "/tests/unit/viewer_render/data/known.png";

DrawList knownList() {
  DrawList list =
      listOf(unitBox(), {copyAt({0, 0, 0.5F}, {0, 0.45F, 0.7F, 1}),
                         copyAt({0.2F, 0, 1.5F}, {0.84F, 0.37F, 0, 1}),
                         copyAt({1.6F, 0.6F, 0.25F}, {0, 0.62F, 0.45F, 1}, {1, 1, 0.5F})});
  Instance glass = copyAt({-1.2F, -0.8F, 0.6F}, {0.8F, 0.47F, 0.65F, 0.4F}, Vec3f::Constant(1.2F));
  list.batches.push_back({unitBall(), {copyAt({-1.4F, 0.5F, 0.5F}, {0.9F, 0.62F, 0, 1}), glass}});
  Batch arrow{unitBox(), {copyAt({0.2F, -0.5F, 1.5F}, {0, 0, 0, 1}, {0.05F, 0.05F, 0.5F})}};
  arrow.overlay = true;
  list.batches.push_back(arrow);
  list.lines = {{{-2, -1, 0.02F}, {2, -1, 0.02F}, {0.8F, 0, 0, 1}},
                {{0, 0, 0}, {0, 0, 2.6F}, {0, 0, 0, 1}, true}};
  list.labels = {{{0, 0, 2.6F}, "2.6 m", {0.1F, 0.1F, 0.1F, 1}}};
  list.ground = {.visible = true, .height = 0, .spacing = 0.5F, .radius = 20};
  return list;
}

Camera knownCamera() {
  Camera camera;
  camera.position = {3, -6, 3.5};
  camera.target = {0, 0, 0.8};
  return camera;
}

TEST(KnownPicture, LooksAsStored) {
  CheckedRenderer renderer;
  const Image image = renderer.render(knownList(), knownCamera());
  const std::string made = DRYSTONE_BINARY_DIR "/known.png";
  writePng(image, made);
  const Difference difference = differenceOf(image, readPng(kStored));
  EXPECT_TRUE(looksTheSame(difference))
      << "mean " << difference.mean << ", share " << difference.shareOff << "; the new picture is "
      << made << "; if it is right, copy it over " << kStored;
}

class ChangedPicture : public testing::TestWithParam<void (*)(DrawList&)> {};

TEST_P(ChangedPicture, IsNoticed) {
  CheckedRenderer renderer;
  DrawList list = knownList();
  GetParam()(list);
  const Difference difference =
      differenceOf(renderer.render(list, knownCamera()), readPng(kStored));
  EXPECT_FALSE(looksTheSame(difference)) << difference.mean << " " << difference.shareOff;
}

INSTANTIATE_TEST_SUITE_P(
    One, ChangedPicture,
    testing::Values([](DrawList& list) { list.batches[0].instances[1].transform[3] += 0.1F; },
                    [](DrawList& list) { list.batches[0].instances[0].color[0] += 0.2F; },
                    [](DrawList& list) { list.batches[1].instances.pop_back(); },
                    [](DrawList& list) { list.shadows = false; },
                    [](DrawList& list) { list.ground.visible = false; },
                    [](DrawList& list) { list.lines[0].color.alpha = 0; },
                    [](DrawList& list) { list.wireframe = true; }));

TEST(Difference, OfAPictureAndItself_IsNone) {
  const Image stored = readPng(kStored);
  const Difference difference = differenceOf(stored, stored);
  EXPECT_EQ(difference.mean, 0);
  EXPECT_EQ(difference.shareOff, 0);
}

TEST(Difference, OfAPictureMovedByAPixel_IsSmallerThanOfOneMovedByTen) {
  const Image stored = readPng(kStored);
  const auto moved = [&](int pixels) {
    Image image = stored;
    std::rotate(image.pixels.begin(), image.pixels.begin() + 3 * pixels, image.pixels.end());
    return differenceOf(image, stored);
  };
  EXPECT_FALSE(looksTheSame(moved(10)));
  EXPECT_LT(moved(1).mean, moved(10).mean / 2);
}

}  // namespace
}  // namespace drystone::viewer::test
