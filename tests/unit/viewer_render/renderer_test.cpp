// What a renderer must show of simple draw lists, where geometry says what is where.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/input_error.h"
#include "tests/unit/viewer_render/pictures.h"
#include "viewer/render/offscreen.h"
#include "viewer/render/shadow_map.h"

namespace drystone::viewer::test {
namespace {

/// Pixels a metre at the distance of the target.
double pixelsPerMetre(const Camera& camera) {
  return kHeight / (2 * std::tan(camera.fieldOfView / 2) * camera.distance());
}

TEST(Renderer, Ball_CoversTheAreaOfItsSilhouette) {
  CheckedRenderer renderer;
  const DrawList list = listOf(unitBall(), {copyAt({0, 0, 1}, kRed)});
  // Seen from 10 m, a ball of radius r = 0.5 has the silhouette of a disc of r / sqrt(1 - (r/10)²)
  // at the distance of its middle. A polygon of 48 sides has 0.997 of a circle's area, and the rim
  // mixes with the backdrop over a pixel: 2 % are left for both.
  const double radius = 0.5 / std::sqrt(1 - 0.05 * 0.05) * pixelsPerMetre(frontCamera());
  const double expected = std::numbers::pi * radius * radius;
  EXPECT_NEAR(countColored(renderer.render(list)), expected, 0.02 * expected);
}

TEST(Renderer, Ball_IsBrightestTowardsTheSunAndDarkestAway) {
  CheckedRenderer renderer;
  DrawList list = listOf(unitBall(), {copyAt({0, 0, 1}, {0.6F, 0.6F, 0.6F, 1})});
  list.shadows = false;
  const Image image = renderer.render(list);
  const Camera camera = frontCamera();
  // The sun's direction seen in the picture, at 0.8 of the radius.
  Vec3f side = sunDirection();
  side.y() = 0;
  side.normalize();
  const Vec3f middle(0, 0, 1);
  const int towards = brightness(image, pixelOf(middle + 0.4F * side, camera));
  const int center = brightness(image, pixelOf(middle, camera));
  const int away = brightness(image, pixelOf(middle - 0.4F * side, camera));
  EXPECT_GT(towards, away + 100);
  EXPECT_GT(center, away + 50);
}

TEST(Renderer, UnlitSideOfABox_HasTheLightOfTheSkyAlone) {
  CheckedRenderer renderer;
  // Gray of 0.5 in sRGB is 0.2140 in linear light. The back of a box, which the sun does not reach,
  // is lit by the mean of sky and floor, (0.345, 0.3525, 0.37): that is 0.0738, 0.0754, 0.0792 and
  // in sRGB 0.3016, 0.3047, 0.3121 of 255. A renderer that shades sRGB values gives half of that.
  Camera camera = frontCamera();
  camera.position.y() = 10;
  const Image image =
      renderer.render(listOf(unitBox(), {copyAt({0, 0, 1}, {0.5F, 0.5F, 0.5F, 1})}), camera);
  const auto color = colorAt(image, pixelOf({0, 0.5F, 1}, camera));
  EXPECT_NEAR(color[0], 77, 2);
  EXPECT_NEAR(color[1], 78, 2);
  EXPECT_NEAR(color[2], 80, 2);
}

TEST(Renderer, NearerBody_HidesTheFartherOneInAnyOrder) {
  CheckedRenderer renderer;
  const Instance near = copyAt({0, -1, 1}, kRed), far = copyAt({0, 1, 1}, kGreen);
  for (const auto& copies : {std::vector{near, far}, std::vector{far, near}}) {
    const auto color = colorAt(renderer.render(listOf(unitBox(), copies)), {160, 120});
    EXPECT_GT(color[0], 2 * color[1]);
  }
}

TEST(Renderer, FlattenedBall_HasNormalsOfTheInverseTranspose) {
  CheckedRenderer renderer;
  // A ball flattened to a tenth along x, seen along x: nearly a disc whose normal is -x everywhere
  // but at the rim. Normals that were only scaled along would tilt the other way, and the picture
  // would have the shades of a ball.
  Camera camera = frontCamera();
  camera.position = {-10, 0, 1};
  DrawList list = listOf(unitBall(), {copyAt({0, 0, 1}, {0.5F, 0.5F, 0.5F, 1}, {0.1F, 1, 1})});
  list.shadows = false;
  const Image image = renderer.render(list, camera);
  const int middle = brightness(image, pixelOf({0, 0, 1}, camera));
  for (const Vec3f& place : {Vec3f(0, 0.3F, 1), Vec3f(0, -0.3F, 1), Vec3f(0, 0, 1.3F)}) {
    EXPECT_NEAR(brightness(image, pixelOf(place, camera)), middle, 45);
  }
}

TEST(Renderer, TransparentBody_MixesWithWhatIsBehindIt) {
  CheckedRenderer renderer;
  DrawList list = listOf(unitBox(), {copyAt({0, 1, 1}, kGreen)});
  list.shadows = false;
  const auto behind = colorAt(renderer.render(list), {160, 120});
  const Instance opaque = copyAt({0, -1, 1}, kRed);
  Instance glass = opaque;
  glass.color[3] = 0.25F;
  list.batches[0].instances.push_back(opaque);
  const auto front = colorAt(renderer.render(list), {160, 120});
  list.batches[0].instances.back() = glass;
  const auto mixed = colorAt(renderer.render(list), {160, 120});
  // As seen, so of sRGB values; the shine is part of the color that is mixed.
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(mixed[i], 0.25 * front[i] + 0.75 * behind[i], 3) << i;
  }
}

TEST(Renderer, TransparentBodies_MixFromFarToNearInAnyOrder) {
  CheckedRenderer renderer;
  Instance near = copyAt({0, -1, 1}, kRed), far = copyAt({0, 1, 1}, kBlue);
  near.color[3] = far.color[3] = 0.5F;
  const Image one = renderer.render(listOf(unitBox(), {near, far}));
  const Image other = renderer.render(listOf(unitBox(), {far, near}));
  EXPECT_EQ(one.pixels, other.pixels);
}

TEST(Renderer, TransparentBodiesOfDifferentMeshes_MixFromFarToNearInAnyOrder) {
  CheckedRenderer renderer;
  Instance near = copyAt({0, -1, 1}, kRed), far = copyAt({0, 1, 1}, kBlue);
  near.color[3] = far.color[3] = 0.5F;
  DrawList list = listOf(unitBox(), {near});
  list.batches.push_back({unitBall(), {far}});
  const Image one = renderer.render(list);
  std::swap(list.batches[0], list.batches[1]);
  EXPECT_EQ(renderer.render(list).pixels, one.pixels);
  // Half of the near one's color and half of what is behind it, which is half blue: more red.
  const auto color = colorAt(one, {160, 120});
  EXPECT_GT(color[0], color[2] + 20);
}

TEST(Renderer, OverlayBatch_ShowsThroughBodiesInItsOwnColor) {
  CheckedRenderer renderer;
  DrawList list = listOf(unitBox(), {copyAt({0, -1, 1}, kRed)});
  Batch mark{unitBox(), {copyAt({0, 1, 1}, {0, 0.6F, 0.2F, 1}, Vec3f::Constant(0.2F))}};
  mark.overlay = true;
  list.batches.push_back(mark);
  const auto color = colorAt(renderer.render(list), {160, 120});
  EXPECT_EQ(color[0], 0);
  EXPECT_EQ(color[1], 153);
  EXPECT_EQ(color[2], 51);
}

/// Inked pixels along a column of the picture, each counted by how dark it is.
double inkAcross(const Image& image, int column) {
  double ink = 0;
  for (int y = 0; y < image.height; ++y) {
    const Pixel at{static_cast<double>(column), static_cast<double>(y)};
    const double white = 3 * 255.0 * 0.94;  // of the backdrop there
    ink += std::max(0.0, 1 - brightness(image, at) / white - 0.02);
  }
  return ink;
}

TEST(Renderer, Line_HasItsWidthInPixelsWhateverTheDistance) {
  CheckedRenderer renderer;
  for (const float away : {0.0F, 5.0F}) {
    DrawList list;
    list.boundsLower = {-2, -2, 0};
    list.boundsUpper = {2, 6, 4};
    list.lines = {{{-2, away, 1}, {2, away, 1}, {0, 0, 0, 1}}};
    // 1.5 pixels at this height; the backdrop is not quite white nor quite even.
    EXPECT_NEAR(inkAcross(renderer.render(list), 160), 1.5, 0.25) << away;
  }
}

TEST(Renderer, Line_IsHiddenByBodiesUnlessItIsOverlay) {
  CheckedRenderer renderer;
  DrawList list = listOf(unitBox(), {copyAt({0, 0, 1}, kRed)});
  const Image without = renderer.render(list);
  list.lines = {{{-0.3F, 1, 1}, {0.3F, 1, 1}, {0, 0, 0, 1}}};
  EXPECT_EQ(renderer.render(list).pixels, without.pixels);
  list.lines[0].overlay = true;
  EXPECT_LT(brightness(renderer.render(list), {160, 120}), brightness(without, {160, 120}) - 60);
}

TEST(Renderer, LineThatStartsBehindTheViewer_IsDrawnFromWhereItIsSeen) {
  CheckedRenderer renderer;
  DrawList list = listOf(unitBox(), {});
  list.lines = {{{0.5F, -20, 0}, {0, 0, 1}, {0, 0, 0, 1}}};
  const Image image = renderer.render(list);
  const Camera camera = frontCamera();
  const Pixel on = pixelOf({0.05F, -2, 0.9F}, camera);
  EXPECT_LT(brightness(image, on), 500);
  EXPECT_GT(brightness(image, {2 * 160 - on.x, 240 - on.y}), 600) << "not mirrored";
}

TEST(Renderer, Label_StandsRightOfItsPlaceAndOthersDoNot) {
  CheckedRenderer renderer;
  DrawList list = listOf(unitBox(), {});
  const Image without = renderer.render(list);
  list.labels = {{{0, 0, 1}, "µ = 0.5", {0, 0, 0, 1}}, {{0, -20, 1}, "behind", {0, 0, 0, 1}}};
  const Image with = renderer.render(list);
  int left = 0, right = 0, darkest = 765;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const Pixel at{static_cast<double>(x), static_cast<double>(y)};
      if (colorAt(with, at) == colorAt(without, at)) continue;
      ++(x < 160 ? left : right);
      darkest = std::min(darkest, brightness(with, at));
      EXPECT_LT(std::abs(y - 120), 14);
    }
  }
  EXPECT_EQ(left, 0);
  EXPECT_GT(right, 100);
  EXPECT_LT(darkest, 150) << "black on white";
}

TEST(Renderer, Wireframe_DrawsEdgesAndLeavesFacesOpen) {
  CheckedRenderer renderer;
  DrawList list = listOf(unitBox(), {copyAt({0, 0, 1}, kRed)});
  const int filled = countColored(renderer.render(list));
  list.wireframe = true;
  const Image image = renderer.render(list);
  // The outline of the near face, 4 sides of some 50 pixels, and its diagonal, a pixel or two wide.
  EXPECT_GT(countColored(image), 200);
  EXPECT_LT(countColored(image), filled / 3);
  const auto inFace = colorAt(image, pixelOf({0.2F, -0.5F, 1.35F}, frontCamera()));
  EXPECT_LT(std::abs(inFace[0] - inFace[2]), 40) << "the backdrop";
}

TEST(Renderer, GroundGrid_HasStrongerLinesEveryTenth) {
  CheckedRenderer renderer(640, 480);
  DrawList list;
  list.ground = {.visible = true, .height = 0, .spacing = 0.1F, .radius = 20};
  list.boundsLower = {-2, -2, 0};
  list.boundsUpper = {2, 2, 0};
  Camera camera;
  camera.position = {0, -0.01, 5};
  camera.target = {0, 0, 0};
  const Image image = renderer.render(list, camera);
  const auto darkestNear = [&](float x) {
    const Pixel at = pixelOf({x, 0.05F, 0}, camera, 640, 480);
    int darkest = 765;
    for (int i = -1; i <= 1; ++i) darkest = std::min(darkest, brightness(image, {at.x + i, at.y}));
    return darkest;
  };
  const int open = darkestNear(0.05F), line = darkestNear(0.1F), tenth = darkestNear(1);
  EXPECT_LT(line, open - 20);
  EXPECT_LT(tenth, line - 20);
}

TEST(Renderer, SamePicture_HasTheSameBitsEveryTime) {
  DrawList list = listOf(unitBall(), {copyAt({0, 0, 1}, kRed), copyAt({0.6F, 0, 1.4F}, kBlue)});
  list.ground = {.visible = true, .height = 0, .spacing = 1, .radius = 10};
  list.lines = {{{-1, 0, 0}, {1, 0, 2}, {0, 0, 0, 1}}};
  list.labels = {{{0, 0, 2}, "twice", {0, 0, 0, 1}}};
  CheckedRenderer one, other;
  const Image first = one.render(list);
  EXPECT_EQ(one.render(list).pixels, first.pixels);
  EXPECT_EQ(other.render(list).pixels, first.pixels);
}

TEST(Renderer, LargerPicture_ShowsTheSame) {
  CheckedRenderer small(160, 120), large(320, 240);
  const DrawList list = listOf(unitBall(), {copyAt({0, 0, 1}, kRed)});
  const Image a = small.render(list), b = large.render(list);
  EXPECT_EQ(a.width, 160);
  EXPECT_EQ(b.width, 320);
  // The small one is drawn with a coarser mesh, and its rim is wider in proportion.
  EXPECT_NEAR(countColored(b), 4 * countColored(a), 0.04 * countColored(b));
}

TEST(Renderer, SmallCopies_CoverWhatTheFineMeshWould) {
  CheckedRenderer renderer;
  // A ball of 6 pixels is drawn with a coarser mesh; a ring of 400 of them has the area of discs.
  Camera camera = frontCamera();
  camera.position.y() = -100;
  const double perMetre = kHeight / (2 * std::tan(camera.fieldOfView / 2) * 100);
  DrawList list = listOf(unitBall(), {});
  list.shadows = false;
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j) {
      list.batches[0].instances.push_back(
          copyAt({4 * (static_cast<float>(i) - 4.5F), 0, 1 + 4 * (static_cast<float>(j) - 4.5F)},
                 kRed, Vec3f::Constant(3)));
    }
  }
  const double radius = 1.5 * perMetre;
  ASSERT_LT(radius, 10);
  const double expected = 100 * std::numbers::pi * radius * radius;
  EXPECT_NEAR(countColored(renderer.render(list, camera)), expected, 0.12 * expected);
}

TEST(Renderer, MeshThatIsGone_IsDrawnNoMoreAndItsSuccessorIs) {
  CheckedRenderer renderer;
  // The allocator often gives the next mesh the address of the one before.
  for (int i = 0; i < 8; ++i) {
    const bool box = i % 2 == 0;
    const Image image =
        renderer.render(listOf(box ? unitBox() : unitBall(), {copyAt({0, 0, 1}, kRed)}));
    const auto corner = colorAt(image, pixelOf({0.45F, -0.5F, 1.45F}, frontCamera()));
    EXPECT_EQ(corner[0] > 2 * corner[1], box) << i;
  }
}

// A window can be that small.
TEST(Renderer, ReadOfNoRows_IsAnEmptyImage) {
  const EglContext context(true);
  const Renderer renderer;
  for (const auto& [width, height] : {std::pair{64, 0}, {0, 64}, {0, 0}}) {
    const Image image = renderer.read(width, height);
    EXPECT_TRUE(image.pixels.empty());
    EXPECT_EQ(image.width, width);
    EXPECT_EQ(image.height, height);
  }
  EXPECT_EQ(Renderer::takeErrors(), "");
}

TEST(Renderer, EmptyListAndEmptyBatches_GiveTheBackdrop) {
  CheckedRenderer renderer;
  DrawList list;
  const Image nothing = renderer.render(list);
  EXPECT_GT(brightness(nothing, {10, 10}), 500);
  EXPECT_EQ(countColored(nothing), 0);
  list.batches.push_back({std::make_shared<TriangleMeshf>(), {Instance()}});
  list.batches.push_back({nullptr, {}});
  EXPECT_EQ(renderer.render(list).pixels, nothing.pixels);
}

TEST(WindowSettings, WhereAProcessorDraws_AreCheap) {
  for (const char* device :
       {"llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 (Core Profile) Mesa 22.3.6",
        "softpipe, OpenGL 3.3", "Software Rasterizer, OpenGL 2.1"}) {
    const RenderSettings settings = windowSettingsFor(device);
    EXPECT_EQ(settings.samples, 1) << device;
    EXPECT_FALSE(settings.softShadows) << device;
    EXPECT_LT(settings.detail, 1) << device;
  }
}

TEST(WindowSettings, OnAGpu_AreThoseOfPictures) {
  for (const char* device : {"NVIDIA H100 PCIe/PCIe/SSE2, OpenGL 4.6.0 NVIDIA 535.129.03",
                             "Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6 Mesa 22.3.6",
                             "AMD Radeon RX 6600 (navi23, LLVM 15.0.6), OpenGL 4.6 Mesa 22.3.6"}) {
    const RenderSettings settings = windowSettingsFor(device);
    EXPECT_EQ(settings.samples, 4) << device;
    EXPECT_TRUE(settings.softShadows) << device;
    EXPECT_EQ(settings.detail, 1) << device;
  }
}

TEST(Offscreen, SizeThatTheDeviceCannotDraw_IsRefusedInWords) {
  EXPECT_THROW(OffscreenRenderer(0, 100), InputError);
  EXPECT_THROW(OffscreenRenderer(100, 1 << 20), InputError);
}

TEST(Offscreen, TwoRenderersTakeTurns) {
  CheckedRenderer small(64, 48, {.samples = 1}), large(128, 96);
  const DrawList list = listOf(unitBox(), {copyAt({0, 0, 1}, kRed)});
  const Image first = small.render(list);
  EXPECT_EQ(large.render(list).width, 128);
  EXPECT_EQ(small.render(list).pixels, first.pixels);
}

}  // namespace
}  // namespace drystone::viewer::test
