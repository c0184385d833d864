// Where shadows fall, and when their map is drawn anew.
#include <gtest/gtest.h>

#include "tests/unit/viewer_render/pictures.h"
#include "viewer/render/shadow_map.h"

namespace drystone::viewer::test {
namespace {

/// A box of 1 m that floats over the ground, seen from above and the front.
class Shadow : public testing::Test {
 protected:
  Shadow() {
    list = listOf(unitBox(), {copyAt({0, 0, 2.5F}, kRed)});
    list.ground = {.visible = true, .height = 0, .spacing = 100, .radius = 40};
    list.ground.center = {50, 50, 0};  // no line of the grid nearby
    list.ground.radius = 400;
    camera.position = {0, -9, 9};
    camera.target = {0, 0, 0};
    camera.fieldOfView = 0.8;
  }
  /// Where the shadow of a point falls on z = 0.
  static Vec3f shadowOf(const Vec3f& point) {
    const Vec3f sun = sunDirection();
    return point - sun * (point.z() / sun.z());
  }
  DrawList list;
  Camera camera;
};

TEST_F(Shadow, OfABox_FallsWhereTheSunSays) {
  CheckedRenderer renderer;
  const Image image = renderer.render(list, camera);
  const Vec3f middle = shadowOf({0, 0, 2.5F});
  const int lit = brightness(image, pixelOf(middle + Vec3f(2.5F, 0, 0), camera));
  EXPECT_LT(brightness(image, pixelOf(middle, camera)), lit - 60);
  // The shadow of the upper face reaches to that of its corner farthest from the sun.
  const Vec3f corner = shadowOf({0.5F, 0.5F, 3});
  const Vec3f inwards = (middle - corner).normalized();
  EXPECT_LT(brightness(image, pixelOf(corner + 0.15F * inwards, camera)), lit - 60);
  EXPECT_NEAR(brightness(image, pixelOf(corner - 0.15F * inwards, camera)), lit, 12);
}

TEST_F(Shadow, IsNotThereWhenSwitchedOff) {
  CheckedRenderer renderer;
  list.shadows = false;
  const Image image = renderer.render(list, camera);
  const Vec3f middle = shadowOf({0, 0, 2.5F});
  EXPECT_NEAR(brightness(image, pixelOf(middle, camera)),
              brightness(image, pixelOf(middle + Vec3f(2.5F, 0, 0), camera)), 12);
}

TEST_F(Shadow, IsNotThrownByWhatCastsNone) {
  CheckedRenderer renderer;
  const Vec3f middle = shadowOf({0, 0, 2.5F});
  const int shaded = brightness(renderer.render(list, camera), pixelOf(middle, camera));
  list.batches[0].castsShadow = false;
  EXPECT_GT(brightness(renderer.render(list, camera), pixelOf(middle, camera)), shaded + 60);
}

TEST_F(Shadow, OfABodyOnAnother_DarkensIt) {
  for (const bool soft : {true, false}) {
    CheckedRenderer renderer(kWidth, kHeight, {.softShadows = soft});
    // A slab under the box, whose upper face is at 0.4 m, and no ground.
    list.ground.visible = false;
    list.batches[0].instances = {copyAt({0, 0, 2.5F}, kRed),
                                 copyAt({0, 0, 0.2F}, {0.6F, 0.6F, 0.6F, 1}, {6, 6, 0.4F})};
    const Image image = renderer.render(list, camera);
    const Vec3f onSlab = shadowOf({0, 0, 2.1F}) + Vec3f(0, 0, 0.4F);
    const int lit = brightness(image, pixelOf(onSlab + Vec3f(1.2F, 0, 0), camera));
    EXPECT_LT(brightness(image, pixelOf(onSlab, camera)), lit - 60) << soft;
  }
}

TEST_F(Shadow, OfTheSameVersion_IsKeptAndOfAnotherIsNot) {
  CheckedRenderer renderer;
  const Vec3f before = shadowOf({0, 0, 2.5F}), after = before + Vec3f(2, 0, 0);
  const auto draw = [&](std::uint64_t version) {
    list.version = version;
    return renderer.render(list, camera);
  };
  const Image first = draw(1);
  const int dark = brightness(first, pixelOf(before, camera));
  const int lit = brightness(first, pixelOf(after, camera));
  ASSERT_LT(dark, lit - 60);
  list.batches[0].instances = {copyAt({2, 0, 2.5F}, kRed)};
  const Image kept = draw(1);  // against the rule: only so it shows that the map was not drawn
  EXPECT_NEAR(brightness(kept, pixelOf(before, camera)), dark, 12);
  const Image moved = draw(2);
  EXPECT_NEAR(brightness(moved, pixelOf(before, camera)), lit, 12);
  EXPECT_NEAR(brightness(moved, pixelOf(after, camera)), dark, 12);
}

// Without a limit to the map, a texel of it would be a hundred metres.
TEST_F(Shadow, OfABodyThatFellAway_LeavesThoseOfTheOthersAsTheyAre) {
  CheckedRenderer renderer;
  const Image before = renderer.render(list, camera);
  for (const Vec3f& away : {Vec3f(0.2F, 0, -1e5F), Vec3f(1e4F, 0, 3), Vec3f(0, 0, -60)}) {
    list.batches[0].instances.push_back(copyAt(away, kGreen));
    EXPECT_EQ(renderer.render(list, camera).pixels, before.pixels) << away.transpose();
    list.batches[0].instances.pop_back();
  }
}

TEST_F(Shadow, OfTwoPlacesFarApart_IsWhereTheCameraLooks) {
  CheckedRenderer renderer;
  const Image here = renderer.render(list, camera);
  const Vec3f way(1000, 0, 0);
  list.batches[0].instances.push_back(copyAt(way + Vec3f(0, 0, 2.5F), kRed));
  list.ground.radius = 8000;
  list.version = 7;  // the map of a list is kept only as long as the camera stays
  const Pixel shadow = pixelOf(shadowOf({0, 0, 2.5F}), camera);
  const int dark = brightness(here, shadow);
  EXPECT_NEAR(brightness(renderer.render(list, camera), shadow), dark, 12);
  camera.position.x() += way.x();
  camera.target.x() += way.x();
  EXPECT_NEAR(brightness(renderer.render(list, camera), shadow), dark, 12);
}

TEST_F(Shadow, WithoutVersion_FollowsTheBody) {
  CheckedRenderer renderer;
  const Image first = renderer.render(list, camera);
  list.batches[0].instances = {copyAt({2, 0, 2.5F}, kRed)};
  const Image moved = renderer.render(list, camera);
  const Pixel before = pixelOf(shadowOf({0, 0, 2.5F}), camera);
  EXPECT_GT(brightness(moved, before), brightness(first, before) + 60);
}

}  // namespace
}  // namespace drystone::viewer::test
