// What the first picture of a scene shows.
#include <gtest/gtest.h>

#include "scenes/scene_library.h"
#include "tests/unit/viewer_draw/drawn_worlds.h"
#include "viewer/draw/bounds.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {
namespace {

constexpr Real kWide = 16.0 / 9;

/// Whether the whole body is in the picture, by the corners of its box.
bool isWhole(const Camera& camera, Real aspect, const Bounds& bounds) {
  const Eigen::Matrix4f matrix =
      camera.projectionMatrix(aspect, bounds.lower, bounds.upper) * camera.viewMatrix();
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1 ? bounds.upper.x() : bounds.lower.x(),
                      i & 2 ? bounds.upper.y() : bounds.lower.y(),
                      i & 4 ? bounds.upper.z() : bounds.lower.z());
    const Eigen::Vector4f clip = matrix * corner.cast<float>().homogeneous();
    if (clip.w() <= 0 || clip.head<2>().cwiseAbs().maxCoeff() > clip.w()) return false;
  }
  return true;
}

/// Dynamic bodies that are in the picture from edge to edge, and all that there are.
struct Seen {
  int whole = 0, all = 0;
};
Seen seenAt(const ViewFrame& frame, Real aspect) {
  const Camera camera = initialCamera(frame, aspect);
  Seen seen;
  forEachBody(frame, [&](const BodySnapshot& body, std::size_t i) {
    const ViewBody& known = frame.scene->bodies[i];
    if (body.kind != BodyKind::kDynamic || !known.shape) return;
    ++seen.all;
    seen.whole += isWhole(camera, aspect, *placedBounds(*known.shape, body.pose));
  });
  return seen;
}

/// The start of a scene. Of many bodies that are alike and without joints some show where all are.
ViewFrame startOf(const std::string& name) {
  constexpr std::size_t kMost = 20000;
  Scene scene = readScene(name);
  auto& bodies = scene.bodies;
  if (scene.joints.empty() && bodies.size() > kMost) {
    const std::size_t distance = bodies.size() / kMost;
    for (std::size_t i = 0; i * distance < bodies.size(); ++i) bodies[i] = bodies[i * distance];
    bodies.resize((bodies.size() - 1) / distance + 1);
  }
  return frameOf(scene, buildWorld(scene, test::registry()));
}

class FirstPicture : public testing::TestWithParam<std::string> {};

TEST_P(FirstPicture, ShowsWhatMoves) {
  const ViewFrame frame = startOf(GetParam());
  const Seen wide = seenAt(frame, kWide);
  ASSERT_GT(wide.all, 0);
  EXPECT_GE(wide.whole, 0.9 * wide.all) << "of " << wide.all << " bodies";
  // The window between its bars is about square, and half as wide in a small one.
  for (const Real aspect : {1.0, 0.5}) {
    EXPECT_GE(seenAt(frame, aspect).whole, wide.whole) << aspect << " of " << wide.all;
  }
}

INSTANTIATE_TEST_SUITE_P(Library, FirstPicture, testing::ValuesIn(librarySceneNames()),
                         [](const auto& one) { return one.param; });

TEST(InitialCamera, OfTheFile_IsTakenAsItIsInAWidePicture) {
  const ViewFrame frame = frameOf("tower");
  EXPECT_EQ(initialCamera(frame, kWide).position, Vec3(20, -26, 12));
  EXPECT_EQ(initialCamera(frame, 2.4).position, Vec3(20, -26, 12));
}

/// Two boxes a metre wide in a scene without a camera, and where they are when one has gone.
struct Gone {
  ViewFrame begin, end;
};
Gone boxThatGoes(const Vec3& way) {
  World world = makeWorld();
  test::addUnitBox(world, {0, 0, 0.5});
  const BodyId box = test::addUnitBox(world, {2, 0, 0.5});
  Gone gone{frameOf(world), {}};
  gone.end = gone.begin;
  for (BodySnapshot& body : gone.end.snapshot.bodies) {
    if (body.id == box) body.pose.position += way;
  }
  return gone;
}

TEST(InitialCamera, OfAVideo_ShowsWhatMovesAtItsEndToo) {
  const auto [begin, end] = boxThatGoes({0.5, 0, -2.5});
  const Bounds last = sceneBounds(*end.scene, end.snapshot);
  const Bounds way = merged(sceneBounds(*begin.scene, begin.snapshot), last);
  EXPECT_FALSE(isWhole(initialCamera(begin, kWide), kWide, last));
  EXPECT_TRUE(isWhole(initialCamera(begin, kWide, way), kWide, last));
}

TEST(InitialCamera, OfAVideo_LetsGoOfWhatFliesAway) {
  const auto [begin, end] = boxThatGoes({1000, 0, 0});
  const Bounds first = sceneBounds(*begin.scene, begin.snapshot);
  const Bounds way = merged(first, sceneBounds(*end.scene, end.snapshot));
  const Camera camera = initialCamera(begin, kWide, way);
  EXPECT_TRUE(isWhole(camera, kWide, first));
  EXPECT_LT(camera.distance(), 3 * initialCamera(begin, kWide).distance());
}

TEST(InitialCamera, InANarrowPicture_GoesStraightBack) {
  const ViewFrame frame = frameOf("joint_grid");
  const Camera wide = initialCamera(frame, kWide), narrow = initialCamera(frame, 0.5);
  EXPECT_EQ(narrow.target, wide.target);
  EXPECT_EQ(narrow.fieldOfView, wide.fieldOfView);
  EXPECT_GT(narrow.distance(), 1.5 * wide.distance());
  const Vec3 before = (wide.position - wide.target).normalized();
  EXPECT_LT(((narrow.position - narrow.target).normalized() - before).norm(), 1e-6);
}

}  // namespace
}  // namespace drystone::viewer
